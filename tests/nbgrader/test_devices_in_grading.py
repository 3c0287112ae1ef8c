"""Grading runs the checks on an accelerator too: a mask made on the CPU costs the points for devices, and no others."""

from __future__ import annotations

import pytest

from autograder.sandbox.values import SandboxUnavailable
from autograder.sandbox.warm import choose
from inplace_lab.devices import accelerator
from tests.nbgrader.course import Course, make_course
from tests.nbgrader.test_class import CHECK, LESSON, hand_in, points_of, report, run
from tests.tools import missing

STUDENTS = ("right_cpu_mask_as_index", "wrong_mask_on_the_cpu")


OPTIONS = {"bubblewrap": "--SandboxExecute.isolation=bubblewrap", "gpu": "--SandboxExecute.gpu=True"}


@pytest.fixture(scope="module", params=["grade", *OPTIONS])
def graded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of two, graded in the sandbox that comes first here and, by nbgrader's own command, in bubblewrap, and
    with a GPU where there is one."""
    course = make_course(tmp_path_factory.mktemp("devices") / "course", LESSON)
    for name in STUDENTS:
        hand_in(course, name, name)
    if request.param == "grade":
        run(course, "grade", LESSON)
        return course
    try:
        choose("bubblewrap")
    except SandboxUnavailable as error:
        missing(str(error))
    course.nbgrader("generate_assignment", LESSON)
    course.nbgrader("autograde", LESSON, OPTIONS[request.param])
    assert "isolated by bubblewrap" in course.logs[-1]
    return course


@pytest.mark.parametrize("name", STUDENTS)
def test_the_points_are_those_of_the_students_own_check(graded: Course, name: str) -> None:
    assert graded.points(name, LESSON, LESSON)[CHECK] == points_of(name)


def test_the_report_names_the_device_and_the_mistake(graded: Course) -> None:
    right, wrong = (report(graded, name) for name in STUDENTS)
    if accelerator().simulated:  # where there is a real GPU, its name is another on each machine
        assert "[simgpu (simulated; no GPU on this machine)]" in right and "CUDA device on this machine" in right
    said = " ".join(wrong.split())
    assert "your mask was made on the CPU: torch.arange(...) needs device=x.device." in said
    assert "Your line: mask = torch.arange(n) == zero_at % n" in said
    lost = [line for line in wrong.splitlines() if line.startswith("✗ failed     0 of")]
    assert len(lost) == 2 and all("on the input's device" in line for line in lost)
