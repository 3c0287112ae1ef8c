"""A class, graded: `python -m autograder grade` beside stock `nbgrader autograde`, in one run.

The submissions are the answers of tests/answers/masked_exp, right and wrong ones, over and over, but for the endless
loop: that one measures its time limit, 5 s in both. Stock nbgrader is measured with its default preprocessors on every
fifth of the same 40 (it takes seconds for each), its start included as ours is. With few rounds (`--quick`) everything
is a tenth as large, and shows only that it runs: the start then counts for more than the grading.
"""

from __future__ import annotations

import functools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from autograder.editions import read
from tests.bench import Figure, benchmark
from tests.nbgrader.course import NBGRADER, Course, make_course, with_answer
from tests.tools import ROOT

LESSON, SOLUTION = "masked_exp", "masked_exp_solution"
SMALL, LARGE, SHARE = 40, 200, 5
JOBS = "2"
FULL_ROUNDS = 20
STOCK = """
c = get_config()
import os
c.CourseDirectory.course_id = "in_place_lab"
c.CourseDirectory.root = os.path.dirname(os.path.abspath(__file__))
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\\npass"}
c.Execute.timeout = 60
c.KernelManager.transport_encryption = "auto"
"""


@dataclass(frozen=True)
class Run:
    """One command: wall seconds, peak memory of its own process in MiB, and for ours each submission's seconds."""

    submissions: int
    seconds: float
    mebibytes: float
    each: tuple[float, ...] = ()
    cpu: tuple[float, ...] = ()

    @property
    def per_submission(self) -> float:
        return self.seconds / self.submissions


@contextmanager
def _class(submissions: int, every: int = 1, stock: bool = False) -> Iterator[Course]:
    found = sorted((ROOT / "tests" / "answers" / LESSON).glob("*.py"))
    answers = [path for path in found if "endless" not in path.name]
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder).resolve() / "course", LESSON)
        course.nbgrader("generate_assignment", LESSON)
        released = read(course.root / "release" / LESSON / f"{LESSON}.ipynb")
        for number in range(0, submissions, every):
            answer = answers[number % len(answers)]
            nb = with_answer(released, SOLUTION, answer.read_text() + "\n\nmasked_exp = answer")
            course.submit(f"s{number:03d}", LESSON, LESSON, nb)
        if stock:
            (course.root / "nbgrader_config.py").write_text(STOCK)
        yield course


def _timed(course: Course, *command: str) -> tuple[float, float]:
    """Wall seconds of a command, and the peak memory of its process (not of its children) in MiB."""
    started, peak = time.perf_counter(), 0
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=course.root, env=course.env, stdout=said, stderr=said)
        watched = psutil.Process(process.pid)
        while process.poll() is None:
            try:
                peak = max(peak, watched.memory_info().rss)
            except psutil.Error:  # it ended meanwhile
                break
            time.sleep(0.05)
        if process.wait():
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)} failed:\n{said.read().decode()[-3000:]}")
    return time.perf_counter() - started, peak / 2**20


@functools.cache
def ours(submissions: int) -> Run:
    """A class of that size through `python -m autograder grade`."""
    with _class(submissions) as course:
        line = (sys.executable, "-m", "autograder", "grade", LESSON, "--jobs", JOBS)
        seconds, mebibytes = _timed(course, *line)
        records = [json.loads(path.read_text()) for path in sorted((course.root / "grading" / LESSON).glob("*.json"))]
        assert len(records) == submissions
        each, cpu = ([record[name] for record in records] for name in ("seconds", "cpu_seconds"))
        return Run(submissions, seconds, mebibytes, tuple(each), tuple(cpu))


@functools.cache
def stock(submissions: int) -> Run:
    """Every fifth of a class of that size through `nbgrader autograde` as it comes."""
    with _class(submissions, every=SHARE, stock=True) as course:
        seconds, mebibytes = _timed(course, *NBGRADER, "autograde", LESSON)
        return Run(len(range(0, submissions, SHARE)), seconds, mebibytes)


def _size(full: int, rounds: int) -> int:
    return full if rounds >= FULL_ROUNDS else full // 10


@benchmark(
    "grade_submission",
    what=f"python -m autograder grade --jobs {JOBS}, {SMALL} submissions of masked_exp: one submission",
    against=f"nbgrader autograde, default preprocessors, on {SMALL // SHARE} of them",
)
def grade_submission(rounds: int) -> Figure:
    """Seconds for one submission, start included. The aim is a ratio of at most 0.05."""
    size = _size(SMALL, rounds)
    return Figure(ours(size).per_submission, stock(size).per_submission, "s")


@benchmark(
    "grade_overhead",
    what="median time that a submission takes above the processor time of its own process",
    against="the same of stock: all of its time above that",
)
def grade_overhead(rounds: int) -> Figure:
    """Seconds. The aim is at most 0.3."""
    size = _size(SMALL, rounds)
    run = ours(size)
    above = [wall - own for wall, own in zip(run.each, run.cpu, strict=True)]
    return Figure(statistics.median(above), stock(size).per_submission - statistics.median(run.cpu), "s")


@benchmark(
    "grade_large_class",
    what=f"python -m autograder grade --jobs {JOBS}, {LARGE} submissions",
    against=f"the same, {SMALL} submissions",
)
def grade_large_class(rounds: int) -> Figure:
    """Seconds. The aim is a ratio of at most 5.5."""
    return Figure(ours(_size(LARGE, rounds)).seconds, ours(_size(SMALL, rounds)).seconds, "s")


@benchmark(
    "grade_memory",
    what=f"peak memory of the leader, {LARGE} submissions",
    against=f"of nbgrader autograde, {SMALL // SHARE} submissions (without its kernels)",
)
def grade_memory(rounds: int) -> Figure:
    """MiB. The aim is below 1000."""
    return Figure(ours(_size(LARGE, rounds)).mebibytes, stock(_size(SMALL, rounds)).mebibytes, "MiB")
