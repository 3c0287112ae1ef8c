"""One assignment through nbgrader, with its own commands: released, fetched, submitted, graded, fed back, exported."""

from __future__ import annotations

import csv
import html
import re
import runpy
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.utils import get_username

from autograder import exercises
from autograder.editions import read, text_of
from autograder.editions.build import lessons
from autograder.editions.notebook import grade_id, is_check, is_task
from tests.nbgrader.course import Course, make_course, output_text, with_answer
from tests.tools import ROOT

pytestmark = pytest.mark.xdist_group("nbgrader round trip")  # the class is graded once, in one process

ANSWERS = ROOT / "tests" / "answers" / "masked_exp"
LESSON, CHECK, SOLUTION = "masked_exp", "masked_exp_check", "masked_exp_solution"
FULL = exercises.get(LESSON).maximum
UNTOUCHED = "untouched"
FETCHED = get_username()  # nbgrader takes this name for whoever calls it
CLASS = (
    "right_where",
    "right_clone",
    "right_multiply",
    "wrong_in_place",
    "wrong_element",
    "wrong_detached",
    "wrong_raises",
)
MISTAKE = "wrong_in_place"


@dataclass(frozen=True)
class Answer:
    """A file of tests/answers: its code, the points it deserves and what its report says."""

    code: str
    points: float
    message: str


def answer(name: str) -> Answer:
    path = ANSWERS / f"{name}.py"
    values = runpy.run_path(str(path))
    return Answer(path.read_text() + "\n\nmasked_exp = answer", values["POINTS"], values["MESSAGE"])


@dataclass(frozen=True)
class Graded:
    """The course after a whole round trip."""

    course: Course
    validated: str
    """What `nbgrader validate` said about the student's notebook with a mistake in it."""
    student: Path
    """The folder of the student who fetched and submitted."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    folder = tmp_path_factory.mktemp("round_trip")
    course = make_course(folder / "course", LESSON)
    course.nbgrader("generate_assignment", LESSON)
    course.nbgrader("release_assignment", LESSON)

    # A student who has nothing but the name of the course and the exchange.
    student = folder / "student"
    student.mkdir()
    config = f"c.CourseDirectory.course_id = 'in_place_lab'\nc.Exchange.root = {str(course.root / 'exchange')!r}\n"
    (student / "nbgrader_config.py").write_text(f"{config}c.KernelManager.transport_encryption = 'auto'\n")
    course.nbgrader("fetch_assignment", LESSON, folder=student)
    notebook = student / LESSON / f"{LESSON}.ipynb"
    fetched = read(notebook)
    notebook.write_text(text_of(with_answer(fetched, SOLUTION, answer(MISTAKE).code)))
    validating = course.start("validate", f"{LESSON}/{LESSON}.ipynb", folder=student)
    course.nbgrader("submit", LESSON, folder=student)
    course.nbgrader("collect", LESSON)

    # The others' submissions came another way, say by mail.
    for name in CLASS:
        course.submit(name, LESSON, LESSON, with_answer(fetched, SOLUTION, answer(name).code))
    course.submit(UNTOUCHED, LESSON, LESSON, fetched)
    course.nbgrader("autograde", LESSON)
    course.nbgrader("generate_feedback", LESSON)
    course.nbgrader("export")
    return Graded(course, course.finish(validating), student)


def test_the_class_has_right_and_wrong_answers() -> None:
    points = [answer(name).points for name in CLASS]
    assert points.count(FULL) == 3
    assert sum(value < FULL for value in points) == len(CLASS) - 3


def test_generate_assignment_gives_what_the_repository_holds(graded: Graded) -> None:
    made = (graded.course.root / "release" / LESSON / f"{LESSON}.ipynb").read_bytes()
    assert made == (ROOT / "release" / LESSON / f"{LESSON}.ipynb").read_bytes()


def test_nothing_is_warned_about_but_what_is_explained(graded: Graded) -> None:
    assert graded.course.warnings() == []


@pytest.mark.parametrize("name", CLASS)
def test_a_submission_gets_the_points_it_deserves(graded: Graded, name: str) -> None:
    assert graded.course.points(name, LESSON, LESSON)[CHECK] == answer(name).points


def test_an_untouched_notebook_gets_nothing(graded: Graded) -> None:
    points = graded.course.points(UNTOUCHED, LESSON, LESSON)
    assert {value for name, value in points.items() if name.endswith("_check")} == {0.0}


def test_a_submission_through_the_exchange_is_graded_like_any_other(graded: Graded) -> None:
    assert graded.course.points(FETCHED, LESSON, LESSON)[CHECK] == answer(MISTAKE).points


def test_validate_names_the_misconception(graded: Graded) -> None:
    assert "VALIDATION FAILED" in graded.validated
    assert _plain(answer(MISTAKE).message) in _plain(graded.validated)


@pytest.mark.parametrize("name", [name for name in CLASS if name.startswith("wrong")])
def test_the_feedback_names_the_misconception(graded: Graded, name: str) -> None:
    page = (graded.course.root / "feedback" / name / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    assert _plain(answer(name).message) in _plain(text)


def test_the_mark_scheme_is_there_for_grading_by_hand(graded: Graded) -> None:
    released = read(graded.student / LESSON / f"{LESSON}.ipynb")
    tasks = [cell for cell in released.cells if is_task(cell)]
    assert tasks
    for task in tasks:
        assert "MARK SCHEME" not in task.source
        for student in (UNTOUCHED, FETCHED):
            cells = graded.course.autograded(student, LESSON, LESSON).cells
            shown = next(cell for cell in cells if grade_id(cell) == grade_id(task))
            assert "=== BEGIN MARK SCHEME ===" in shown.source


def test_grading_again_gives_the_same_grade_on_the_same_numbers(graded: Graded) -> None:
    course = graded.course
    students = ("right_where", MISTAKE)  # those that the pattern below means
    before = {name: (course.points(name, LESSON, LESSON), _report(course, name)) for name in students}
    course.nbgrader("autograde", LESSON, "--student", "*_[wi]*", "--force")
    assert {name: (course.points(name, LESSON, LESSON), _report(course, name)) for name in students} == before


def test_each_student_has_other_numbers(graded: Graded) -> None:
    seeds = [re.search(r"seed ([0-9a-f]+)", _report(graded.course, name)) for name in (*CLASS, FETCHED)]
    assert all(seeds)
    assert len({found[1] for found in seeds if found}) == len(seeds)


def test_export_writes_every_student(graded: Graded) -> None:
    with (graded.course.root / "grades.csv").open(newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert set(rows) == {*CLASS, UNTOUCHED, FETCHED}
    cells = read(ROOT / "source" / LESSON / f"{LESSON}.ipynb").cells
    total = sum(cell.metadata.nbgrader.points for cell in cells if is_check(cell) or is_task(cell))
    for name in CLASS:
        assert float(rows[name]["raw_score"]) == answer(name).points
        assert float(rows[name]["max_score"]) == total


@pytest.mark.long
@pytest.mark.parametrize("assignment", sorted({lesson.assignment for lesson in lessons(ROOT)}))
def test_every_assignment_is_graded(assignment: str, tmp_path: Path) -> None:
    """The solutions get every automatic point, the untouched notebooks none."""
    course = make_course(tmp_path / "course", assignment)
    course.nbgrader("generate_assignment", assignment)
    for path in sorted((course.root / "source" / assignment).glob("*.ipynb")):
        course.submit("knows", assignment, path.stem, read(path))
        course.submit("fetched", assignment, path.stem, read(course.root / "release" / assignment / path.name))
    course.nbgrader("autograde", assignment)
    for path in sorted((course.root / "source" / assignment).glob("*.ipynb")):
        checks = {grade_id(cell): cell.metadata.nbgrader.points for cell in read(path).cells if is_check(cell)}
        for student, share in (("knows", 1.0), ("fetched", 0.0)):
            points = course.points(student, assignment, path.stem)
            assert {name: points[name] for name in checks} == {name: share * most for name, most in checks.items()}
    assert course.warnings() == []


def _report(course: Course, student: str) -> str:
    return output_text(course.autograded(student, LESSON, LESSON), CHECK)


def _plain(text: str) -> str:
    """One line of plain words, whatever the page did to line ends."""
    return re.sub(r"\s+", " ", text)
