"""The source lessons keep the rules, and each rule catches what it is for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from autograder.editions import normalise, read, text_of, write
from autograder.editions.build import lessons
from tests.notebooks.rules import RULES, complaints
from tests.notebooks.sample import SET_UP
from tests.tools import ROOT

SOURCES = [lesson.path for lesson in lessons(ROOT)]

COURSE = {
    "start_here": {"start_here", "cheat_sheet"},
    "saved_tensors": {"exp", "pow", "scalar_mul"},
    "rules_of_mutation": {"version_counter", "leaves_and_views", "no_grad_detach_data"},
    "mutation_matrix": {"thirteen_cases"},
    "reading_errors": {"reading_errors"},
    "masked_exp": {"masked_exp", "overflow", "masked_softmax"},
    "clinic": {"clinic"},
    "doctor": {"doctor"},
}


def test_the_course_has_its_lessons() -> None:
    found: dict[str, set[str]] = {}
    for lesson in lessons(ROOT):
        found.setdefault(lesson.assignment, set()).add(lesson.notebook)
    assert {name: found.get(name, set()) & notebooks for name, notebooks in COURSE.items()} == COURSE


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_rules(path: Path) -> None:
    found = complaints(path)
    assert not found, "\n".join(["", *found])


def test_the_sample_keeps_the_rules(sample_course: Path) -> None:
    for path in sample_course.glob("source/*/*.ipynb"):
        write(path, text_of(normalise(read(path))))
        assert complaints(path) == []


def _cell(nb: NotebookNode, text: str) -> NotebookNode:
    return next(cell for cell in nb.cells if text in cell.source)


def _replace(old: str, new: str) -> Callable[[NotebookNode], None]:
    def change(nb: NotebookNode) -> None:
        cell = _cell(nb, old)
        cell.source = cell.source.replace(old, new)

    return change


def _points(nb: NotebookNode) -> None:
    _cell(nb, "# grade id").metadata.nbgrader.points += 1


def _output(nb: NotebookNode) -> None:
    _cell(nb, "# grade id").execution_count = 3


def _same_id(nb: NotebookNode) -> None:
    _cell(nb, "BEGIN MARK SCHEME").metadata.nbgrader.grade_id = "masked_exp_check"


def _no_answer_cell(nb: NotebookNode) -> None:
    nb.cells.remove(_cell(nb, "*Your answer.*"))


def _written_as_solution(nb: NotebookNode) -> None:
    _cell(nb, "*Your answer.*").metadata.nbgrader = {"grade_id": "w", "grade": True, "solution": True, "points": 0}


def _lone_why(nb: NotebookNode) -> None:
    _cell(nb, "## What you can").metadata.tags = ["why"]


MISTAKES: dict[str, tuple[str, Callable[[NotebookNode], None]]] = {
    "execution count": ("is_in_normal_form", _output),
    "set-up changed": ("begins_with_the_set_up_cell", _replace(SET_UP, SET_UP + "  # mine")),
    "points of a check": ("graded_cells_have_their_form", _points),
    "no grade id comment": ("graded_cells_have_their_form", _replace("# grade id: ", "# id: ")),
    "check not last": ("graded_cells_have_their_form", _replace(", masked_exp)", ", masked_exp); 1")),
    "check of another exercise": ("graded_cells_have_their_form", _replace('check("masked_exp"', 'check("other"')),
    "check in a plain cell": ("graded_cells_have_their_form", _replace("y[0] = 0.0", "check('masked_exp', 3)")),
    "solution marker": ("solutions_have_their_form", _replace("### END SOLUTION", "# ## END SOLUTION")),
    "marker in a plain cell": ("solutions_have_their_form", _replace("y[0] = 0.0", "### BEGIN SOLUTION")),
    "long mark scheme": ("solutions_have_their_form", _replace("- 2 points", "a\nb\nc\nd\n- 2 points")),
    "written answer as solution": ("solutions_have_their_form", _written_as_solution),
    "task without answer cell": ("tagged_cells_stand_in_their_place", _no_answer_cell),
    "why without solution": ("tagged_cells_stand_in_their_place", _lone_why),
    "points line": ("states_its_points", _replace("in this notebook", "here")),
    "wrong total": ("states_its_points", _replace(" in the assignment", "0 in the assignment")),
    "grade id twice": ("grade_ids_are_unique", _same_id),
    "output widget": ("has_no_widget_that_stalls", _replace("y[0] = 0.0", "widgets.Output()")),
    "interact": ("has_no_widget_that_stalls", _replace("y[0] = 0.0", "interact(f, a=(1, 2))")),
    "error text": ("quotes_no_error", _replace("Return a new tensor", "You see RuntimeError: one of")),
    "torch's words": ("quotes_no_error", _replace("Return a new", "It was modified by an inplace operation")),
    "long code": ("code_is_short", _replace("y[0] = 0.0", "\n".join(f"y[{i}] = 0" for i in range(12)))),
    "many comments": ("code_is_short", _replace("y[0] = 0.0", "# why\n" * 12 + "y[0] = 0.0")),
    "lost lesson": ("links_resolve", _replace("start_here.ipynb", "start_her.ipynb")),
    "lost heading": ("links_resolve", _replace("#Write-it", "#write-it")),
    "link to a file": ("links_resolve", _replace("../start_here/start_here.ipynb", "../../README.md")),
    "skipped level": ("headings_are_in_order", _replace("## Write it", "#### Write it")),
    "second title": ("headings_are_in_order", _replace("## Predict", "# Predict")),
    "picture": ("pictures_have_alt_text", _replace("Return a new", "![](https://example.org/a.png) Return a new")),
    "img tag": ("pictures_have_alt_text", _replace("Return a new", '<img src="a.png"> Return a new')),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_rule_catches_its_mistake(mistake: str, sample_course: Path) -> None:
    rule, change = MISTAKES[mistake]
    path = sample_course / "source" / "sample" / "sample.ipynb"
    nb = normalise(read(path))
    change(nb)
    write(path, text_of(nb if rule == "is_in_normal_form" else normalise(nb)))
    assert [line for line in complaints(path) if line.startswith(f"{rule}: ")]


def test_every_rule_is_tried() -> None:
    assert {rule for rule, _ in MISTAKES.values()} == {rule.__name__ for rule in RULES}
