"""The SVG is well formed, labelled, and follows the page's theme."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from inplace_lab import Experiment, Write, observe, svg
from inplace_lab.drawing import PALETTE, Box, Line, Mark, Panel, Text
from inplace_lab.panels import graph_panel, program_panel

SVG = "{http://www.w3.org/2000/svg}"


def test_every_panel_is_well_formed_and_carries_its_alt_text() -> None:
    observation = observe(Experiment("exp", writes=(Write("root", "setitem", "after_root", index=slice(0, 2)),)))
    for panel in (program_panel(observation), graph_panel(observation)):
        root = ElementTree.fromstring(svg.render(panel))
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root.get("aria-label") == panel.alt
        assert float(root.get("width")) == round(panel.width, 1)


def test_text_is_escaped() -> None:
    panel = Panel(100, 20, (Text(0, 10, 'a < b & "c"'),), 'alt with "quotes" & <marks>')
    root = ElementTree.fromstring(svg.render(panel))
    assert root.find(f"{SVG}text").text == 'a < b & "c"'
    assert root.get("aria-label") == 'alt with "quotes" & <marks>'


def test_monospaced_text_has_exactly_its_width() -> None:
    text = Text(0, 10, "loss.backward()", mono=True)
    root = ElementTree.fromstring(svg.render(Panel(200, 20, (text,), "")))
    assert abs(float(root.find(f"{SVG}text").get("textLength")) - text.width) < 0.1


def test_colours_are_the_themes_variables() -> None:
    shapes = (Box(0, 0, 5, 5, fill="wash", outline="leaf"), Line(((0, 0), (9, 9)), "bad", arrow=True))
    drawn = svg.render(Panel(10, 10, (*shapes, Mark(5, 5, "circle", "root"), Mark(5, 5, "tick", "middle")), ""))
    assert "#" not in drawn
    for role in ("wash", "leaf", "bad", "root", "middle"):
        assert f"var(--ipl-{role})" in drawn


def test_the_style_sheet_defines_every_role_for_both_pages() -> None:
    sheet = svg.style()
    for role, colours in PALETTE.items():
        for colour in colours:
            assert f"--ipl-{role}:{colour}" in sheet
