"""Feedback pages need no network, and their formulas are formulas all the same."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import nbformat
import pytest

from autograder.feedback import OfflineExporter, mathml
from autograder.outputs import stream


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        ("e^{x_i}", "exi"),
        (r"\frac{\partial L}{\partial x_i} = y_i \cdot \mathbf{1}[i \ne z]", "∂L∂xi=yi·1[i≠z]"),
        (r"\begin{aligned} a &= b \\ c &< d \end{aligned}", "a=bc<d"),
        (r"\begin{cases} 0 & i = z \\ e^{x_i} & \text{otherwise} \end{cases}", "{0i=zexiotherwise"),
        (r"\begin{equation} \sqrt{2} > 1 \end{equation}", "2>1"),
    ],
)
def test_a_formula_becomes_one_that_browsers_draw(tex: str, drawn: str) -> None:
    root = ElementTree.fromstring(mathml(tex, block=True))
    assert root.tag.endswith("}math") and root.get("display") == "block"
    assert root.get("alttext") == tex
    assert "".join(root.itertext()).replace("\xa0", " ") == drawn


@pytest.mark.parametrize(
    "tex", [r"\nosuchcommand x", r"\frac{a", "a } b", r"\text{a < b}", r"\begin{alignat} a &= b", ""]
)
def test_what_is_not_understood_stays_as_it_was_typed(tex: str) -> None:
    """A slip of a student's, in their written answer, costs neither the page nor the text."""
    for block, tag in ((False, "code"), (True, "pre")):
        shown = ElementTree.fromstring(mathml(tex, block))
        assert (shown.tag, "".join(shown.itertext())) == (tag, tex)


def page(*cells: nbformat.NotebookNode) -> str:
    nb = nbformat.v4.new_notebook(cells=list(cells))
    return OfflineExporter(template_name="classic").from_notebook_node(nb)[0]


def test_markdown_has_formulas_and_code_keeps_its_dollars() -> None:
    made = page(
        nbformat.v4.new_markdown_cell("With $e^x$ and\n\n$$\\sum_i x_i$$\n\nbut `$HOME`, \\$5 and **bold**."),
        nbformat.v4.new_code_cell("cost = '$5 and $6'", outputs=[stream("$x$")]),
    )
    assert len(re.findall(r"<math ", made)) == 2
    assert "<code>$HOME</code>" in made and "<strong>bold</strong>" in made
    assert "$5" in made and "$x$" in made


def test_attachments_are_still_shown() -> None:
    picture = {"dot.png": {"image/png": "iVBORw0KGgo="}}
    made = page(nbformat.v4.new_markdown_cell("![a dot](attachment:dot.png)", attachments=picture))
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in made and 'alt="a dot"' in made
