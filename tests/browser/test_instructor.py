"""A whole assignment in JupyterLab, by buttons alone: an instructor, a student, and back to the instructor.

The steps build on each other, so they are one test; each leaves a picture in build/screenshots.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.utils import get_username
from playwright.sync_api import Browser, Page, expect

from autograder.editions import read
from autograder.editions.notebook import grade_id, is_task
from tests.autograder.test_answers import load
from tests.browser.assignments import assignment_list, close_window, validate, write
from tests.browser.formgrader import formgrader, opened
from tests.browser.jupyter import jupyterlab
from tests.nbgrader.course import Course, make_course
from tests.tools import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.xdist_group("instructor")]

LESSON = NOTEBOOK = "masked_exp"
MISTAKE = ROOT / "tests" / "answers" / "masked_exp" / "wrong_in_place.py"
ANSWER = (
    r"where makes a new tensor, so exp still has $e^{x_i}$, and the derivative of a constant is $\frac{dc}{dx} = 0$."
)
COMMENT = "Right. The write would raise the version of what exp saved: $0 \\to 1$."
POINTS_BY_HAND = 1.5
STUDENT = get_username()  # nbgrader takes this name for whoever submits


@dataclass(frozen=True)
class Place:
    """The course, the student's folder, and the address of a JupyterLab in each."""

    course: Course
    student: Path
    instructors: str
    students: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A course of one notebook, with a formula in its question, and a student who knows its name and its exchange."""
    folder = tmp_path_factory.mktemp("instructor")
    course = make_course(folder / "course", LESSON)
    for path in (course.root / "source" / LESSON).glob("*.ipynb"):
        if path.stem != NOTEBOOK:
            path.unlink()
    student = folder / "student"
    student.mkdir()
    exchange = str(course.root / "exchange")
    (student / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'in_place_lab'\nc.Exchange.root = {exchange!r}\n"
    )
    with (
        jupyterlab(course.root, folder / "instructors") as instructors,
        jupyterlab(student, folder / "students") as students,
    ):
        yield Place(course, student, instructors, students)


def test_from_generate_to_feedback_by_buttons(place: Place, browser: Browser, screenshots: Path) -> None:
    def picture(page: Page, name: str) -> None:
        page.screenshot(path=screenshots / f"instructor-{name}.png")

    with opened(browser, place.instructors) as page:
        grader = formgrader(page)
        assert grader.step(LESSON, "assign").title == "Success"
        assert grader.step(LESSON, "release").text == f"Successfully released '{LESSON}'."
        expect(grader.cell(LESSON, "status")).to_have_text("released")
        picture(page, "1-released")

    released = read(place.course.root / "release" / LESSON / f"{NOTEBOOK}.ipynb")
    task = next(grade_id(cell) for cell in released.cells if is_task(cell))
    mistake = load(MISTAKE)
    with opened(browser, place.students) as page:
        work = assignment_list(page)
        work.fetch(LESSON)
        work.open(LESSON, NOTEBOOK)
        write(page, "masked_exp_solution", f"{MISTAKE.read_text()}\n\nmasked_exp = answer")
        _write_answer(page, task)
        said = validate(page)
        assert "The following cell failed" in said
        assert _plain(mistake.MESSAGE) in _plain(said)  # the misconception is on the screen
        page.get_by_text(mistake.MESSAGE.split(":")[0][:40]).last.scroll_into_view_if_needed()
        picture(page, "2-validate")
        close_window(page)
        work.submit(LESSON)
        picture(page, "3-submitted")

    with opened(browser, place.instructors) as page:
        grader = formgrader(page)
        assert grader.step(LESSON, "collect").text == f"Successfully collected submissions of '{LESSON}'."
        grader.submissions(LESSON)
        graded = grader.step(STUDENT, "autograde")
        assert graded.text == f"Successfully autograded '{LESSON}' for student '{STUDENT}'."
        expect(grader.cell(STUDENT, "status")).to_have_text("needs manual grading")
        automatic = place.course.points(STUDENT, LESSON, NOTEBOOK)
        assert automatic["masked_exp_check"] == mistake.POINTS

        grader.by_hand(LESSON, NOTEBOOK)
        cell = grader.task(task)
        for text in ("In your own words", "BEGIN MARK SCHEME", "1 point"):
            expect(cell).to_contain_text(text)  # the mark scheme is in view where the points are given
        cell.locator("input.score").fill(str(POINTS_BY_HAND))
        cell.locator("input.score").press("Tab")
        expect(cell.locator(".score-saved")).to_be_visible()
        cell.locator("textarea.comment").fill(COMMENT)
        cell.locator("textarea.comment").press("Tab")
        expect(cell.locator(".comment-saved")).to_be_visible()
        cell.scroll_into_view_if_needed()
        picture(page, "4-by-hand")
        grader.leave()
        grader.show()
        for step in ("generate-feedback", "release-feedback"):
            assert grader.step(LESSON, step).title == "Success"
        picture(page, "5-feedback-released")

    with opened(browser, place.students) as page:
        assignment_list(page).fetch_feedback(LESSON)
        page.get_by_role("listitem", name=f"{NOTEBOOK}.html").or_(page.get_by_text(f"{NOTEBOOK}.html")).first.dblclick()
        viewer = page.frame_locator(".jp-HTMLViewer iframe")
        expect(viewer.get_by_text("Judged by the grader").first).to_be_visible()
        picture(page, "6-feedback-in-the-lab")

    [fetched] = place.student.glob(f"{LESSON}/feedback/*/{NOTEBOOK}.html")
    _look_at_the_page_without_a_network(browser, fetched, mistake.MESSAGE, screenshots)

    place.course.nbgrader("export")
    with (place.course.root / "grades.csv").open(encoding="utf-8", newline="") as file:
        [row] = [row for row in csv.DictReader(file) if row["assignment"] == LESSON]
    assert row["student_id"] == STUDENT
    assert float(row["score"]) == sum(value or 0.0 for value in automatic.values()) + POINTS_BY_HAND
    assert float(row["max_score"]) == sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in released.cells)


def _write_answer(page: Page, task: str) -> None:
    """Type into the cell after the question, which shows "Double-click here"."""
    index = page.evaluate(
        """id => window.jupyterapp.shell.currentWidget.content.widgets.findIndex(
            cell => cell.model.sharedModel.getMetadata('nbgrader')?.grade_id === id)""",
        task,
    )
    cell = page.locator(".jp-Notebook .jp-Cell").nth(index + 1)
    cell.scroll_into_view_if_needed()
    cell.locator(".jp-MarkdownOutput").dblclick()
    cell.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(ANSWER)
    page.keyboard.press("ControlOrMeta+s")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")


def _look_at_the_page_without_a_network(browser: Browser, path: Path, message: str, screenshots: Path) -> None:
    """Everything is on the page: points, comment, the misconception, and formulas that are drawn."""
    asked: list[str] = []
    context = browser.new_context(offline=True, viewport={"width": 1100, "height": 1000})
    try:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.route(re.compile(r"^(?!file:)"), lambda route: route.abort())
        page.goto(path.as_uri())
        text = _plain(page.locator("body").inner_text())
        assert _plain(message) in text
        assert f"(Score: {POINTS_BY_HAND} / 2.0)" in text
        assert _plain(COMMENT.partition(":")[0]) in text
        assert "Judged by the grader" in text
        formulas = page.locator("math")
        assert formulas.count() == 3  # two in the answer, one in the comment
        assert "$" not in page.locator("p", has=page.locator("math")).first.inner_text()
        drawn = page.locator("mfrac").bounding_box()
        assert drawn["height"] > 1.5 * page.locator("mfrac mi").first.bounding_box()["height"]  # one above the other
        formulas.first.scroll_into_view_if_needed()
        page.screenshot(path=screenshots / "instructor-7-feedback-offline.png")
        page.get_by_text("Judged by the grader").last.scroll_into_view_if_needed()
        page.screenshot(path=screenshots / "instructor-8-feedback-report.png")
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    finally:
        context.close()


def _plain(text: str) -> str:
    return " ".join(html.unescape(text).split())
