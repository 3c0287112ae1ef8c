"""The start page's table of lessons says what the lessons themselves say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.editions import read
from autograder.editions.build import lessons
from tests.notebooks.rules import POINTS, points_of
from tests.tools import ROOT

PAGE = ROOT / "source" / "start_here" / "start_here.ipynb"
ROW = re.compile(
    r"^\| (?P<order>\d+) \| \[(?P<title>[^]]+)\]\((?P<link>[^)]+)\) \| (?P<about>[^|]+) "
    r"\| (?P<minutes>\d+) \| (?P<points>\d+) \|$",
    re.MULTILINE,
)
TOTAL = re.compile(r"^\| all \| \| \| (?P<minutes>\d+) \| (?P<points>\d+) \|$", re.MULTILINE)
MINUTES = re.compile(r"\*\*Time:\*\* (\d+) minutes")


def _text() -> str:
    return "\n".join(cell.source for cell in read(PAGE).cells if cell.cell_type == "markdown")


ROWS = list(ROW.finditer(_text()))


def _lesson(row: re.Match[str]) -> Path:
    return (PAGE.parent / row["link"]).resolve()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: Path(row["link"]).stem)
def test_a_row_agrees_with_its_lesson(row: re.Match[str]) -> None:
    first = read(_lesson(row)).cells[0].source
    assert first.startswith(f"# {row['title']}\n"), "the link's text is the lesson's title"
    assert MINUTES.search(first)[1] == row["minutes"], f"the lesson says {MINUTES.search(first)[0]}"
    assert POINTS.search(first)[1] == row["points"], f"the lesson says {POINTS.search(first)[0]}"
    assert points_of(read(_lesson(row))) == int(row["points"])


def test_every_lesson_has_one_row() -> None:
    graded = {lesson.path.resolve() for lesson in lessons(ROOT) if points_of(read(lesson.path))}
    assert sorted(map(_lesson, ROWS)) == sorted(graded)
    assert [int(row["order"]) for row in ROWS] == list(range(1, len(ROWS) + 1))


def test_pages_without_points_are_linked() -> None:
    pages = {lesson.path for lesson in lessons(ROOT) if not points_of(read(lesson.path))} - {PAGE}
    assert pages
    for page in pages:
        assert re.search(rf"\]\((\.\./{page.parent.name}/)?{page.name}\)", _text()), f"{page.name} is not linked"


def test_a_lesson_stands_below_those_that_it_builds_on() -> None:
    order = [_lesson(row) for row in ROWS]
    for place, path in enumerate(order):
        builds_on = re.search(r"\*\*Builds on:\*\*(.*?)\n\n", read(path).cells[0].source, re.DOTALL)[1]
        for link in re.findall(r"\]\(([^)]+\.ipynb)\)", builds_on):
            earlier = (path.parent / link).resolve()
            assert earlier == PAGE.resolve() or earlier in order[:place], f"{path.name} builds on {link}"


def test_the_sums_are_right() -> None:
    total = TOTAL.search(_text())
    assert int(total["minutes"]) == sum(int(row["minutes"]) for row in ROWS)
    assert int(total["points"]) == sum(int(row["points"]) for row in ROWS)


def test_the_page_is_ungraded_and_starts_with_something_to_run() -> None:
    cells = read(PAGE).cells
    assert points_of(read(PAGE)) == 0 and not POINTS.search(cells[0].source)
    assert "Explorer(" in cells[2].source
    assert f"({ROWS[0]['link']})" in cells[-1].source.rstrip().splitlines()[-1], "the page ends at the first lesson"
