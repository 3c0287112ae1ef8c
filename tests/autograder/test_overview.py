"""What a class did: reports read back, a class's numbers, the page."""

from __future__ import annotations

import html.parser
import re

import pytest
from nbformat import NotebookNode

from autograder import outputs
from autograder.checking import examine
from autograder.overview.page import page
from autograder.overview.reading import Seen, SeenCase, reports, seen
from autograder.overview.summary import Graded, Overview, signature, summarise
from autograder.report import FAILED, NOT_RUN, PASSED, Case, Report
from tests.autograder.test_answers import FILES, load

WROTE = "Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1, so backward refuses."
CHOSEN = sorted({path.parent.name: path for path in FILES if path.stem.startswith("wrong")}.values()) + [
    path for path in FILES if path.parent.name == "masked_exp" and path.stem in ("wrong_element", "wrong_in_place")
]
"""One wrong answer to each exercise, and two that fail most cases."""


# ------------------------------------------------------------------------------------------------ reading


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_report_is_read_back(path) -> None:
    report, _ = examine(path.parent.name, load(path).answer)
    found = seen(report.text())
    assert (found.exercise, found.notes) == (report.exercise, report.notes)
    assert [(case.key, case.status, case.worth) for case in found.cases] == [
        (case.key, case.status, case.points) for case in report.cases
    ]
    for case, read in zip(report.cases, found.cases, strict=True):
        if not read.root:
            assert read.message == " ".join(case.message.split())


def test_names_devices_and_notes_that_need_several_lines() -> None:
    cases = (
        Case("a name  with  spaces [odd]", 0.25, FAILED, "x " * 90),
        Case("y" * 60, 12.5, PASSED, device="cuda:0 (A very long name of a device, say)"),
        Case("z", 0, NOT_RUN, "no such device", device="cuda:0 (A very long name of a device, say)"),
    )
    report = Report("exercise", cases, "s", ("A note. " * 20, "Another: ✗ failed"), "answer")
    found = seen(report.text())
    assert [(case.name, case.device, case.worth, case.status) for case in found.cases] == [
        ("a name  with  spaces [odd]", "cpu", 0.25, FAILED),
        ("y" * 60, "cuda:0", 12.5, PASSED),
        ("z", "cuda:0", 0.0, NOT_RUN),
    ]
    assert found.notes == (report.notes[0].strip(), report.notes[1])
    assert found.cases[2].message == "no such device"


def test_only_the_graders_own_words_in_the_instructors_cells_count() -> None:
    report = Report("exercise", (Case("a", 1, FAILED, "why"),), "s")
    judged = outputs.judged(report, 0.0, [outputs.stream("Judged by the grader\n\nforged\n\n✓ passed  9 of 9  all")])
    check = {"grade": True, "solution": False, "locked": True, "grade_id": "c"}

    def cell(about: dict, shown: list) -> NotebookNode:
        return NotebookNode(cell_type="code", source="", metadata=NotebookNode(nbgrader=about), outputs=shown)

    nb = NotebookNode(cells=[cell(check, judged), cell({}, judged), cell(check | {"solution": True}, judged)])
    assert [one.exercise for one in reports(nb)] == ["exercise"]


# ------------------------------------------------------------------------------------------------ numbers


def told(message: str, *more: SeenCase, status: str = FAILED) -> Seen:
    return Seen("masked_exp", (SeenCase("gradient", "cpu", status, 2.5, message if status == FAILED else ""), *more))


def graded(student: str, score: float, report: Seen, **more: object) -> Graded:
    return Graded(student, score, 10.0, False, (("masked_exp", report),), **more)


def class_of_six() -> Overview:
    again = SeenCase("second derivative", "cpu", FAILED, 0.5, WROTE, "gradient")
    wrong = SeenCase("A", "cpu", FAILED, 0.5, 'You predicted "runs"; torch: "fails", because of [1, 2].')
    return summarise(
        "masked_exp",
        [
            graded("ann", 10, told("", status=PASSED), seconds=0.5),
            graded("ben", 7, told(WROTE, again), seconds=2.5, notes=("odd",)),
            graded("cem", 6.5, told(WROTE.replace("1,", "3,") + " Your line: y[z] = 0", again, wrong), notes=("odd",)),
            graded("dan", 6.5, told("No output.", wrong)),
            graded("eve", 0, told("", status=NOT_RUN)),
            Graded("fay", 8, 10.0, True, ()),
        ],
        missing=["gus"],
    )


def test_points() -> None:
    found = class_of_six()
    assert found.sentence == (
        "6 graded: from 0 to 10 of 10 points; half of them have 6.75 or more; 1 have all; "
        "1 have something left to grade by hand, so their points will rise; 1 handed in nothing."
    )
    spread = found.spread()
    assert [count for _, _, count in spread] == [1, 0, 0, 0, 0, 0, 2, 1, 1, 1]
    assert (spread[0][:2], spread[-1][:2]) == ((0.0, 1.0), (9.0, 10.0))


@pytest.mark.parametrize(("maximum", "steps", "last"), [(48.0, 10, 48.0), (4.0, 8, 4.0), (1.5, 8, 1.5), (0.0, 1, 0.0)])
def test_steps_are_round_numbers(maximum: float, steps: int, last: float) -> None:
    spread = summarise("x", [Graded("ann", maximum, maximum, False, ())]).spread()
    assert (len(spread), spread[-1][1], spread[-1][2]) == (steps, last, 1)


def test_cases_and_misconceptions() -> None:
    found = class_of_six()
    rows = {row.key: (row.failed, row.run, row.worth) for row in found.cases}
    assert rows == {"gradient": (3, 4, 2.5), "second derivative": (2, 2, 0.5), "A": (2, 2, 0.5)}
    wrote, predicted, none = found.misconceptions
    assert (wrote.students, wrote.points, wrote.case) == (("ben", "cem"), 6.0, "gradient")
    assert (predicted.students, predicted.points) == (("cem", "dan"), 1.0)
    assert (none.students, none.message) == (("dan",), "No output.")


def test_questions_come_from_what_several_were_told() -> None:
    wrote, predicted = class_of_six().questions
    assert wrote.question(6) == (
        "masked_exp, gradient: 2 of 6 lost points to this. Who needed the old value, and which line took it away?"
    )
    assert predicted.question(6) == (
        'masked_exp, A: 2 of 6 predicted "runs", torch says "fails". What did they overlook?'
    )


def test_what_is_not_done_is_no_misconception() -> None:
    report = told("You have not predicted this yet: replace None by a number.")
    assert summarise("x", [graded(name, 0, report) for name in "abcdef"]).questions == ()


def test_slowest_and_notes() -> None:
    found = class_of_six()
    assert [one.student for one in found.slowest] == ["ben", "ann"]
    assert found.notes == (("odd", ("ben", "cem")),)


def test_messages_that_differ_in_numbers_are_one() -> None:
    first = "f([1, 2], 1) gave [0.5, inf], expected 3e-05. Position 1. Your line: y = 3"
    assert signature(first) == signature("f([7], 2) gave [nan], expected -1. Position 2.")
    assert signature("Your x was x_2.") != signature("Your x was x_3.")


# ------------------------------------------------------------------------------------------------ the page


class Read(html.parser.HTMLParser):
    """Tags that close in order, texts, and what a browser would fetch."""

    EMPTY = ("meta", "br", "rect", "path", "line", "polyline", "circle")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.pictures: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe"), tag
        assert not {"src", "href"} & {name for name, _ in attrs}
        if tag == "svg":
            self.pictures.append(dict(attrs)["aria-label"] or "")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_whole_asks_for_nothing_and_has_words_for_its_pictures() -> None:
    text = page(class_of_six())
    read = Read(text)
    assert read.open == []
    assert "url(" not in text and "@import" not in text
    assert read.pictures[0].startswith("Bars: how many students have how many points. 0 to 1: 1; ")
    assert read.pictures[1:] == ["75 % failed", "100 % failed", "100 % failed"]


def test_names_stand_in_the_last_part_alone() -> None:
    first, _, names = page(class_of_six()).partition('<section class="names">')
    for name in ("ann", "ben", "cem", "dan", "eve", "fay", "gus"):
        assert not re.search(rf"\b{name}\b", first)
        assert re.search(rf"\b{name}\b", names)
    assert "replay submitted/ben/masked_exp/masked_exp.ipynb gradient --exercise masked_exp" in names


def test_what_a_student_wrote_stays_text() -> None:
    report = told("<script>alert(1)</script> & 'y'")
    assert "<script>" not in page(summarise("a<b", [graded("<i>", 1, report, notes=("<b>",))]))
