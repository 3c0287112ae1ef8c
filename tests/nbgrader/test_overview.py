"""`python -m autograder overview`, on a class that was graded."""

from __future__ import annotations

import stat

import pytest

from tests.nbgrader.course import Course, make_course
from tests.nbgrader.test_class import LESSON, hand_in, points_of, run

pytestmark = pytest.mark.xdist_group("overview")
CLASS = {"ann": "right_where", "ben": "wrong_in_place", "cem": "wrong_in_place", "dan": "wrong_no_negative"}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("overview") / "course", LESSON)


def test_what_cannot_be_shown_is_said(course: Course) -> None:
    assert (
        run(course, "overview", "nothing", code=2) == f"There is no assignment 'nothing' in source/. Known: {LESSON}.\n"
    )
    nothing = (
        f"Nothing of {LESSON} is graded yet (nobody has handed it in): run `python -m autograder grade {LESSON}`.\n"
    )
    assert run(course, "overview", LESSON, code=1) == nothing
    assert not (course.root / "grading" / f"{LESSON}.html").exists()


def test_a_class(course: Course) -> None:
    for student, answer in CLASS.items():
        hand_in(course, student, answer)
    assert f"({len(CLASS)} handed it in)" in run(course, "overview", LESSON, code=1)
    run(course, "grade", LESSON)
    shown = run(course, "overview", LESSON)
    assert shown.startswith(f"{len(CLASS)} graded: from ")
    assert "masked_exp, gradient: 2 of 4 lost points to this. Who needed the old value" in shown
    assert "Your function wrote into the tensor that ExpBackward0 saved (its result)" in shown
    row = next(
        line.split() for line in shown.splitlines() if line.endswith("negative zero_at") or " negative zero_at" in line
    )
    assert row[:2] == ["3", "4"]  # the two that write in place fail there as well
    path = course.root / "grading" / f"{LESSON}.html"
    assert shown.splitlines()[-1].endswith(f"grading/{LESSON}.html")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="utf-8")
    assert "ben, cem" in text and "The teaching notes of" in text
    assert points_of("right_where") > points_of("wrong_in_place")
