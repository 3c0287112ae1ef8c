"""The visual language: one colour and one shape for each tensor, and the few shapes that every picture is made of.

A picture is a ``Panel`` of shapes in pixels. ``svg`` and ``figures`` draw the same panels, so a thing looks the same
in a slider's picture and in a Matplotlib figure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

#: role -> (colour on a light page, colour on a dark page). The first four are tensors. The hues are those of Okabe and
#: Ito, "Color Universal Design" (2008), with lightness set for a contrast of at least 3:1 on either page.
PALETTE = {
    "leaf": ("#0072B2", "#56B4E9"),
    "middle": ("#B87400", "#F0B429"),
    "root": ("#007A5A", "#2BC79A"),
    "internal": ("#A8508A", "#E09AC6"),
    "bad": ("#BF3900", "#FF8A50"),
    "ink": ("#1F2328", "#E6E6E6"),
    "faint": ("#5C646D", "#A0A6AD"),
    "rule": ("#C9CED4", "#4A5058"),
    "wash": ("#EEF1F4", "#2A2E33"),
    "alarm": ("#FBE9E1", "#46271A"),
    "paper": ("#FFFFFF", "#111111"),
}

#: tensor -> the shape that marks it wherever its colour does
SHAPES = {"leaf": "circle", "middle": "square", "root": "diamond", "internal": "triangle"}

TEXT = 12  # px; 9 pt, the smallest text anywhere
#: the marks that are drawn as strokes; all others are filled outlines
STROKES = ("tick", "cross")

MONO_WIDTH = 0.602  # of the text size: the advance of a monospaced glyph
#: of the text size: safe averages for the interface font; bold is wider
DIGIT_WIDTH, LETTER_WIDTH, BOLD = 0.64, 0.56, 1.13


@dataclass(frozen=True)
class Line:
    """A polyline through ``points``; ``dash`` is "" or an SVG dash pattern; ``arrow`` puts a head on its end."""

    points: tuple[tuple[float, float], ...]
    role: str
    width: float = 1.5
    dash: str = ""
    arrow: bool = False
    opacity: float = 1.0


@dataclass(frozen=True)
class Box:
    """A rounded rectangle; a role of "" leaves the fill or the outline away."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    outline: str = ""
    radius: float = 4
    line: float = 1.5
    dash: str = ""
    opacity: float = 1.0


@dataclass(frozen=True)
class Text:
    """One line of text; ``y`` is its middle. A monospaced text has exactly the width of its characters."""

    x: float
    y: float
    text: str
    role: str = "ink"
    anchor: str = "start"
    mono: bool = False
    bold: bool = False
    size: float = TEXT

    @property
    def width(self) -> float:
        """The width in pixels: exact for monospaced text, an upper estimate otherwise."""
        if self.mono:
            return len(self.text) * self.size * MONO_WIDTH
        wide = sum(character.isdigit() or character.isupper() for character in self.text)
        average = wide * DIGIT_WIDTH + (len(self.text) - wide) * LETTER_WIDTH
        return average * self.size * (BOLD if self.bold else 1)


@dataclass(frozen=True)
class Mark:
    """A small symbol centred at (x, y): a tensor's shape, "tick", "cross" or "pen"."""

    x: float
    y: float
    shape: str
    role: str
    size: float = 5
    hollow: bool = False


Shape = Line | Box | Text | Mark


@dataclass(frozen=True)
class Panel:
    """A picture in pixels: its size, its shapes from back to front, and what it shows in words (the alt text)."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    alt: str


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """The same shape elsewhere."""
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def arrow_head(line: Line, size: float = 5) -> tuple[tuple[float, float], ...]:
    """The corners of the triangle at the end of ``line``."""
    (x0, y0), (x1, y1) = line.points[-2:]
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
    ux, uy = (x1 - x0) / length * size, (y1 - y0) / length * size
    return (x1, y1), (x1 - ux - 0.7 * uy, y1 - uy + 0.7 * ux), (x1 - ux + 0.7 * uy, y1 - uy - 0.7 * ux)


def outline(mark: Mark) -> tuple[tuple[float, float], ...]:
    """The corners of a filled mark, or the polyline of a stroked one (those in STROKES)."""
    x, y, s = mark.x, mark.y, mark.size
    corners = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        "triangle": ((0, -1.15), (1.15, 0.9), (-1.15, 0.9)),
        "pen": ((-1.1, -0.8), (0.4, -0.8), (1.2, 0), (0.4, 0.8), (-1.1, 0.8)),
        "tick": ((-1, 0.1), (-0.25, 0.9), (1.1, -0.9)),
        "cross": ((-0.9, -0.9), (0.9, 0.9), (0, 0), (-0.9, 0.9), (0.9, -0.9)),
    }[mark.shape]
    return tuple((x + s * dx, y + s * dy) for dx, dy in corners)
