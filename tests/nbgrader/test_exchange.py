"""Collecting from a shared exchange: links are not followed, and one strange submission does not stop the others."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from autograder.editions import read, text_of
from tests.nbgrader.course import Course, make_course
from tests.tools import ROOT

pytestmark = [
    pytest.mark.xdist_group("exchange"),
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows"),
]
LESSON = "masked_exp"
FILE = f"{LESSON}.ipynb"
TIME = "2026-01-02 03:04:05.000000 UTC"


def hand_in(course: Course, student: str) -> Path:
    """A submission in the exchange, as `nbgrader submit` makes it."""
    folder = course.root / "exchange" / "in_place_lab" / "inbound" / f"{student}+{LESSON}+{TIME}+x"
    folder.mkdir(parents=True)
    (folder / FILE).write_text(text_of(read(ROOT / "release" / LESSON / FILE)), encoding="utf-8")
    (folder / "timestamp.txt").write_text(TIME)
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Four submissions: a plain one, one with links, one that is a link, one with a pipe in it."""
    made = make_course(tmp_path_factory.mktemp("exchange") / "course", LESSON)
    config = made.root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}c.ExchangeCollect.check_owner = False\n")  # all are made by one user here
    (made.root / "secret").write_text("the gradebook, say")
    hand_in(made, "ann")
    linked = hand_in(made, "ben")
    (linked / FILE).unlink()
    (linked / FILE).symlink_to(made.root / "source" / LESSON / FILE)
    (linked / "secret").symlink_to(made.root / "secret")
    (linked / "all").symlink_to(made.root / "source", target_is_directory=True)
    cem = hand_in(made, "cem")
    cem.symlink_to(cem.rename(made.root / "moved"), target_is_directory=True)
    os.mkfifo(hand_in(made, "dan") / "pipe")
    made.nbgrader("collect", LESSON)
    return made


def collected(course: Course, student: str) -> list[str]:
    folder = course.root / "submitted" / student / LESSON
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_plain_submission_comes_as_it_was(course: Course) -> None:
    assert collected(course, "ann") == [FILE, "timestamp.txt"]
    assert (course.root / "submitted" / "ann" / LESSON / "timestamp.txt").read_text() == TIME


def test_links_are_left_and_named(course: Course) -> None:
    assert collected(course, "ben") == ["timestamp.txt"]
    assert not (course.root / "submitted" / "cem" / LESSON).exists()
    log = course.logs[-1]
    for name in (FILE, "secret"):
        assert f"because it is no plain file: {name}" in log
    assert f"cem+{LESSON}+{TIME}+x is a link to another place." in log


def test_a_pipe_stops_nobody(course: Course) -> None:
    assert collected(course, "dan") == [FILE, "timestamp.txt"]
    assert "because it is no plain file: pipe" in course.logs[-1]


def test_feedback_is_released_to_those_who_used_the_exchange(course: Course) -> None:
    """Whoever handed in another way is named, and stops nobody."""
    for student in ("ann", "eve"):
        folder = course.root / "feedback" / student / LESSON
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.html").write_text(f"for {student}")
    (course.root / "feedback" / "ann" / LESSON / "timestamp.txt").write_text(TIME)
    (course.root / "feedback" / "ann" / LESSON / "submission_secret.txt").write_text("known to ann")
    course.nbgrader("release_feedback", LESSON)
    released = (course.root / "exchange" / "in_place_lab" / "feedback").iterdir()
    assert [path.read_text() for path in released] == ["for ann"]
    assert "Not released, because they were not submitted through the exchange: eve. Send them" in course.logs[-1]
