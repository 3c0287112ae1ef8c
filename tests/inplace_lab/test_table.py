"""The table of published rows: what it says is what the float64 closed forms say, and it can be read without colour."""

from __future__ import annotations

import math
import re

import pytest

from inplace_lab import Experiment, Write, cases
from inplace_lab.matrix import Case
from inplace_lab.table import ANSWERS, HEADS, REFUSED, Line, program, table

LEAF = (1.0, 2.0, 3.0, 4.0, 5.0)
SLOPES = {"middle * 2": lambda m: 2.0, "middle.pow(2)": lambda m: 2 * m, "middle.exp()": math.exp}
#: mutation -> (the number that middle becomes, its slope there), for the place and the number before
WRITES = {
    "add_": lambda place, m: (m + 3, 1.0),
    "mul_": lambda place, m: (3 * m, 3.0),
    "relu_": lambda place, m: (m, 1.0),
    "setitem": lambda place, m: (10.0, 0.0) if place == 2 else (m, 1.0),
}


def gradient(case: Case, experiment: Experiment, written: bool) -> list[float]:
    """The gradient of leaf in closed form, with the write (before root) or without it."""
    found = []
    for place, number in enumerate(LEAF):
        middle, slope = number + 2, 1.0
        if written and case.when == "before_root":
            middle, slope = WRITES[experiment.writes[0].mutation](place, middle)
        found.append(slope * SLOPES[experiment.expression](middle))
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"row {case.number}")
def test_a_line_says_what_the_closed_form_says(case: Case) -> None:
    lines = table([case]).lines
    assert len(lines) == len(case.experiments)
    for line, experiment in zip(lines, case.experiments, strict=True):
        assert line.number == case.number and line.published.startswith("Yes" if case.can_backward else "No")
        if not case.can_backward:
            assert (line.gradient, line.as_without_the_write, line.as_out_of_place) == (None, None, None)
            assert line.numbers == REFUSED
            continue
        true = gradient(case, experiment, written=True)
        assert line.gradient == pytest.approx(true, rel=1e-5)
        assert line.as_without_the_write is (true == pytest.approx(gradient(case, experiment, False), rel=1e-5))
        assert line.as_out_of_place is True


def test_the_program_stands_in_the_order_in_which_it_runs() -> None:
    before, after = (
        Experiment("exp", writes=(Write("middle", "mul_", when),)) for when in ("before_root", "after_root")
    )
    assert program(before) == "middle.mul_(3); root = middle.exp()"
    assert program(after) == "root = middle.exp(); middle.mul_(3)"


def test_mutations_chooses_lines_and_keeps_rows_without_a_write() -> None:
    assert [line.number for line in table(cases(), ("mul_", "setitem")).lines] == [1, 1, 1, *range(2, 14)]
    assert all("add_" in line.program for line in table(cases()[1:], ("add_",)).lines)


def test_html_has_headers_for_columns_and_rows() -> None:
    html = table(cases())._repr_html_()
    assert re.findall(r'<th scope="col">([^<]+)</th>', html) == list(HEADS)
    rows = re.findall(r'<th scope="(row|rowgroup)"(?: rowspan="(\d+)")?>(\d+)</th>', html)
    assert [int(number) for _, _, number in rows] == list(range(1, 14))
    assert all((kind == "rowgroup") == (height in ("3",)) for kind, height, _ in rows)
    assert "<caption>" in html and html.count("<tr>") == 1 + 3 + 6 * 3 + 6
    assert html.count("<td") + html.count("<th ") == 6 + 13 + 13 + 27 * 4, "a cell for each head in each line"


def test_answers_are_words_and_not_colours_alone() -> None:
    assert [re.sub(r"\W", "", text) for text in ANSWERS.values()] == ["yes", "no", ""]
    assert "refused" in REFUSED


def test_text_has_a_line_for_each_experiment() -> None:
    rows = repr(table(cases()[7:8])).splitlines()
    assert len(rows) == 4 and rows[0].split("  ")[0].strip() == "row"
    assert rows[2].startswith("8 ") and "6  6  6  6  6" in rows[2] and rows[2].endswith("✓ yes")


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.0, "0"), (-0.0, "0"), (2.0, "2"), (1096.633, "1097"), (24309.25, "2.43e4"), (3.956e9, "3.96e9"),
     (1e-5, "1.00e-5"), (math.inf, "inf"), (math.nan, "nan")],
)  # fmt: skip
def test_numbers_are_short(number: float, text: str) -> None:
    assert Line(1, "", "", (number,), None, None).numbers == text
