"""Formgrader in JupyterLab, as an instructor uses it: by its buttons, on submissions as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat import NotebookNode
from playwright.sync_api import Browser, expect

from autograder.editions import read
from autograder.editions.notebook import grade_id, is_check, is_solution
from tests.browser.formgrader import Formgrader, formgrader, opened
from tests.browser.jupyter import jupyterlab
from tests.nbgrader.course import Course, make_course, output_text, with_answer
from tests.tools import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.xdist_group("formgrader")]

LESSON = "masked_exp"
CHECK, SOLUTION = "masked_exp_check", "masked_exp_solution"
RIGHT, MESSY = "ann", "ben"


def right(released: NotebookNode, source: NotebookNode) -> NotebookNode:
    """The release with right answers in it."""
    for cell in source.cells:
        if is_solution(cell):
            released = with_answer(released, grade_id(cell), cell.source)
    return released


def full() -> dict[str, float]:
    """The points of each check of the notebook."""
    cells = read(ROOT / "source" / LESSON / f"{LESSON}.ipynb").cells
    return {grade_id(cell): float(cell.metadata.nbgrader.points) for cell in cells if is_check(cell)}


def messy(nb: NotebookNode) -> str:
    """The text of the same notebook after another editor and some copying: it stops stock nbgrader."""
    raw = json.loads(json.dumps(nb))
    checks = [cell for cell in raw["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == CHECK]
    raw["cells"].append(checks[0] | {"id": "copy"})  # first of all, a copied check
    for cell in raw["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == SOLUTION:
            cell["metadata"] = {}
    return "\ufeff" + json.dumps(raw)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """One right submission, and the same one in a mess, under the name that a second download gets."""
    made = make_course(tmp_path_factory.mktemp("formgrader") / "course", LESSON)
    made.nbgrader("generate_assignment", LESSON)
    released = read(made.root / "release" / LESSON / f"{LESSON}.ipynb")
    answered = right(released, read(ROOT / "source" / LESSON / f"{LESSON}.ipynb"))
    made.submit(RIGHT, LESSON, LESSON, answered)
    folder = made.root / "submitted" / MESSY / LESSON
    folder.mkdir(parents=True)
    (folder / f"{LESSON} (1).ipynb").write_text(messy(answered), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def grader(course: Course, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Formgrader]:
    """Formgrader, opened from JupyterLab's menu."""
    with jupyterlab(course.root, tmp_path_factory.mktemp("jupyter")) as address, opened(browser, address) as page:
        yield formgrader(page)


def most(course: Course) -> float:
    """The points of the assignment, those given by hand included."""
    cells = [cell for path in (course.root / "source" / LESSON).glob("*.ipynb") for cell in read(path).cells]
    return sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells)


def test_the_autograde_button_grades_a_right_and_a_messy_submission(
    course: Course, grader: Formgrader, screenshots: Path
) -> None:
    expect(grader.cell(LESSON, "num-submissions")).to_have_text("2")
    grader.submissions(LESSON)
    points = f"{sum(full().values()):g} / {most(course):g}"
    for student in (RIGHT, MESSY):
        expect(grader.cell(student, "status")).to_have_text("needs autograding")
        grader.press(student, "autograde")
        seen = grader.finished()
        grader.page.screenshot(path=screenshots / f"formgrader-autograded-{student}.png")
        assert (seen.title, seen.text) == ("Success", f"Successfully autograded '{LESSON}' for student '{student}'.")
        assert "Submissions are isolated by " in seen.log
        grader.close_window()
        expect(grader.cell(student, "score")).to_have_text(points)
        expect(grader.cell(student, "status")).to_have_text("needs manual grading")
    for said in (f'handed in as "{LESSON} (1).ipynb"', "was there 2 times, copied or split", "byte order mark"):
        assert said in seen.log  # the messy one
    grader.page.screenshot(path=screenshots / "formgrader-submissions.png")


def test_the_buttons_points_are_the_graders(course: Course, grader: Formgrader) -> None:
    for student in (RIGHT, MESSY):
        points = course.points(student, LESSON, LESSON)
        assert {name: points[name] for name in full()} == full()
        assert "Judged by the grader" in output_text(course.autograded(student, LESSON, LESSON), CHECK)
