"""The palette can be told apart by everybody, and can be seen on light and dark pages."""

from __future__ import annotations

import itertools

import pytest

from inplace_lab.drawing import PALETTE, SHAPES, Box, Line, Mark, Text, moved, outline

TENSORS = ("leaf", "middle", "root", "internal")
LEAST_DISTANCE = 11  # CIE76 in L*a*b*; about five just noticeable differences

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, on linear RGB.
VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def linear(colour: str) -> tuple[float, ...]:
    """sRGB hex to linear RGB."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def seen(rgb: tuple[float, ...], vision: str) -> tuple[float, ...]:
    return tuple(min(1, max(0, sum(m * c for m, c in zip(row, rgb, strict=True)))) for row in VISION[vision])


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    """Linear RGB to CIE L*a*b*, white point D65."""
    r, g, b = rgb
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def luminance(colour: str) -> float:
    r, g, b = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """WCAG 2.1 contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISION)
def test_tensors_can_be_told_apart(vision: str, page: int) -> None:
    colours = {name: lab(seen(linear(PALETTE[name][page]), vision)) for name in TENSORS}
    for one, other in itertools.combinations(TENSORS, 2):
        distance = sum((a - b) ** 2 for a, b in zip(colours[one], colours[other], strict=True)) ** 0.5
        assert distance >= LEAST_DISTANCE, f"{one} and {other} are {distance:.1f} apart under {vision}"


@pytest.mark.parametrize("page", [0, 1], ids=["light", "dark"])
def test_contrast_on_the_page(page: int) -> None:
    papers = [PALETTE[name][page] for name in ("paper", "wash", "alarm")]
    for role in ("ink", "faint", "bad"):
        for paper in papers:
            assert contrast(PALETTE[role][page], paper) >= 4.5, f"text in {role} on {paper}"
    for role in TENSORS:
        assert contrast(PALETTE[role][page], PALETTE["paper"][page]) >= 3, role


def test_no_tensor_is_known_by_colour_alone() -> None:
    assert set(SHAPES) == set(TENSORS)
    assert len(set(SHAPES.values())) == len(TENSORS)


def test_moved_keeps_the_shape_and_changes_the_place() -> None:
    line = Line(((0, 0), (3, 4)), "ink")
    assert moved(line, 10, 20).points == ((10, 20), (13, 24))
    for shape in (Box(1, 2, 3, 4), Text(1, 2, "x"), Mark(1, 2, "tick", "ink")):
        there = moved(shape, 10, 20)
        assert (there.x, there.y) == (11, 22)
        assert type(there) is type(shape)


@pytest.mark.parametrize("shape", ["square", "diamond", "triangle", "pen", "tick", "cross"])
def test_marks_stay_near_their_centre(shape: str) -> None:
    corners = outline(Mark(100, 50, shape, "ink", size=4))
    assert len(corners) >= 3
    assert all(abs(x - 100) <= 6 and abs(y - 50) <= 6 for x, y in corners)
