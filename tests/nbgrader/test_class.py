"""`python -m autograder grade`: a whole class in parallel, killed, started again, changed, appealed against."""

from __future__ import annotations

import contextlib
import csv
import functools
import os
import random
import re
import runpy
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from nbgrader.api import Gradebook

from autograder.editions import read, text_of
from autograder.editions.notebook import grade_id, with_source
from tests.nbgrader.course import Course, make_course, output_text, with_answer
from tests.tools import ROOT, missing

pytestmark = pytest.mark.xdist_group("class")

ANSWERS = ROOT / "tests" / "answers" / "masked_exp"
LESSON, CHECK, SOLUTION = "masked_exp", "masked_exp_check", "masked_exp_solution"
CLASS = ("right_where", "wrong_in_place", "wrong_element", "wrong_raises")
KILLS = 20


def command(course: Course, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "autograder", "--course", str(course.root), *arguments]


def start(course: Course, *arguments: str, **more: object) -> subprocess.Popen[str]:
    """Start `python -m autograder ...` for the course."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(course, *arguments), env=course.env, text=True, **pipes, **more)


def run(course: Course, *arguments: str, code: int = 0) -> str:
    """Run it to its end; it must end with `code`. Returns what it said, on stdout if that was right, else on stderr."""
    process = start(course, *arguments)
    out, err = process.communicate(timeout=600)
    assert process.returncode == code, f"{out}\n{err}"
    return out if code == 0 else err


def points_of(answer: str) -> float:
    return runpy.run_path(str(ANSWERS / f"{answer}.py"))["POINTS"]


def hand_in(course: Course, student: str, answer: str) -> None:
    released = read(ROOT / "release" / LESSON / f"{LESSON}.ipynb")
    code = (ANSWERS / f"{answer}.py").read_text() + "\n\nmasked_exp = answer"
    course.submit(student, LESSON, LESSON, with_answer(released, SOLUTION, code))


def table(course: Course) -> dict[str, dict[str, str]]:
    """The rows of the CSV, by student."""
    with (course.root / "grading" / f"{LESSON}.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def results(course: Course) -> dict[str, str]:
    return {student: row["result"] for student, row in table(course).items()}


def report(course: Course, student: str) -> str:
    return output_text(course.autograded(student, LESSON, LESSON), CHECK)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class, graded once, without generate_assignment before. Tests work on copies."""
    course = make_course(tmp_path_factory.mktemp("class") / "course", LESSON)
    for name in CLASS:
        hand_in(course, name, name)
    said = run(course, "grade", LESSON, "--jobs", "2")
    assert f"{len(CLASS)} graded in" in said
    return course


@pytest.fixture
def course(graded: Course, tmp_path: Path) -> Course:
    """The graded class, copied."""
    root = tmp_path / "course"
    shutil.copytree(graded.root, root)
    return Course(root)


@pytest.mark.parametrize("name", CLASS)
def test_everybody_gets_the_points_of_the_answer(graded: Course, name: str) -> None:
    assert graded.points(name, LESSON, LESSON)[CHECK] == points_of(name)
    row = table(graded)[name]
    assert float(row["points"]) == points_of(name)
    assert row["result"] == "graded"
    assert 0 < float(row["seconds"]) < 300


def test_the_gradebook_is_that_of_nbgrader_autograde(graded: Course, tmp_path: Path) -> None:
    """The same secret, the same submissions, nbgrader's own command: the same grades and graded notebooks."""
    other = make_course(tmp_path / "course", LESSON)
    shutil.copy(graded.root / ".course_secret", other.root)
    shutil.copytree(graded.root / "submitted", other.root / "submitted")
    other.nbgrader("generate_assignment", LESSON)
    other.nbgrader("autograde", LESSON)
    for name in CLASS:
        assert _grades(other, name) == _grades(graded, name)
        assert text_of(other.autograded(name, LESSON, LESSON)) == text_of(graded.autograded(name, LESSON, LESSON))


def test_feedback_is_made_of_it(course: Course) -> None:
    course.nbgrader("generate_feedback", LESSON, "--student", "wrong_in_place")
    page = (course.root / "feedback" / "wrong_in_place" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert "ExpBackward0" in page


def test_what_is_graded_and_unchanged_is_left_alone_and_force_grades_the_same(course: Course) -> None:
    before = {name: (_grades(course, name), report(course, name)) for name in CLASS}
    times = {name: _graded_at(course, name) for name in CLASS}
    run(course, "grade", LESSON)
    assert results(course) == dict.fromkeys(CLASS, "unchanged")
    assert {name: _graded_at(course, name) for name in CLASS} == times
    run(course, "grade", LESSON, "--student", "right_*", "--force")
    assert _graded_at(course, "right_where") > times["right_where"]
    assert {name: (_grades(course, name), report(course, name)) for name in CLASS} == before


def test_what_is_new_is_graded_and_nothing_else(course: Course) -> None:
    hand_in(course, "wrong_raises", "right_clone")
    hand_in(course, "late", "right_multiply")
    (course.root / "submitted" / "wrong_element" / LESSON / "timestamp.txt").write_text("2030-01-01 00:00:00 UTC")
    run(course, "grade", LESSON, "--jobs", "2")
    again = ("late", "wrong_element", "wrong_raises")
    assert results(course) == dict.fromkeys(CLASS, "unchanged") | dict.fromkeys(again, "graded")
    assert course.points("wrong_raises", LESSON, LESSON)[CHECK] == points_of("right_clone")
    assert course.points("late", LESSON, LESSON)[CHECK] == points_of("right_multiply")


@pytest.mark.long
def test_a_change_in_source_is_taken_over_and_grades_everybody_again(course: Course) -> None:
    path = course.root / "source" / LESSON / f"{LESSON}.ipynb"
    nb = read(path)
    cells = [with_source(cell, cell.source + "\n") if grade_id(cell) == CHECK else cell for cell in nb.cells]
    changed = [with_source(cell, cell.source.replace("check(", "check( ")) if grade_id(cell) == CHECK else cell
               for cell in cells]  # fmt: skip
    path.write_text(text_of(type(nb)({**nb, "cells": changed})), encoding="utf-8")
    run(course, "grade", LESSON, "--jobs", "2")
    assert results(course) == dict.fromkeys(CLASS, "graded")
    autograded = course.autograded("right_where", LESSON, LESSON)
    assert "check( " in next(cell.source for cell in autograded.cells if grade_id(cell) == CHECK)
    run(course, "grade", LESSON)
    assert results(course) == dict.fromkeys(CLASS, "unchanged")


@pytest.mark.long
def test_manual_grades_stay(course: Course) -> None:
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        for grade in gradebook.find_submission_notebook(LESSON, LESSON, "wrong_element").grades:
            if grade.auto_score is None:
                grade.manual_score, grade.needs_manual_grade = 2.0, False
        gradebook.find_grade(CHECK, LESSON, LESSON, "wrong_element").manual_score = 1.25
        gradebook.db.commit()
    manual = {name: grade["manual"] for name, grade in _grades(course, "wrong_element").items()}
    assert sorted(value for value in manual.values() if value is not None)[:2] == [1.25, 2.0]
    run(course, "grade", LESSON, "--force", "--student", "wrong_element")
    assert {name: grade["manual"] for name, grade in _grades(course, "wrong_element").items()} == manual
    assert float(table(course)["wrong_element"]["points"]) == sum(value for value in manual.values() if value)


@pytest.mark.long
def test_a_grade_that_is_gone_from_the_gradebook_is_made_again(course: Course) -> None:
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        gradebook.remove_submission(LESSON, "right_where")
    run(course, "grade", LESSON)
    assert results(course)["right_where"] == "graded"
    assert course.points("right_where", LESSON, LESSON)[CHECK] == points_of("right_where")


def test_wrong_use_gets_one_sentence(course: Course) -> None:
    assert run(course, "grade", "no_such", code=2) == f"There is no assignment 'no_such' in source/. Known: {LESSON}.\n"
    said = run(course, "grade", LESSON, "--student", "nobody", code=2)
    assert said.startswith(f"'nobody' has handed in nothing for {LESSON}. Those who have: right_where, ")
    assert "'0' is no number of processes" in run(course, "grade", LESSON, "--jobs", "0", code=2)
    shutil.rmtree(course.root / "submitted")
    said = run(course, "grade", LESSON, code=2)
    assert said.startswith(f"Nobody has handed in {LESSON}: a submission is a folder submitted/STUDENT/{LESSON}.")


@pytest.mark.long
def test_a_submission_without_a_result_is_said_and_the_others_are_graded(course: Course) -> None:
    """Its folder for the graded notebook cannot be written."""
    hand_in(course, "blocked", "right_clone")
    hand_in(course, "fine", "right_clone")
    (course.root / "autograded" / "blocked").write_text("a file in the folder's place")
    process = start(course, "grade", LESSON, "--jobs", "2")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 1, err
    assert "1 WITHOUT A RESULT" in out
    row = table(course)["blocked"]
    assert row["result"] == "failed" and row["points"] == "" and row["notes"]
    assert results(course)["fine"] == "graded"
    (course.root / "autograded" / "blocked").unlink()
    run(course, "grade", LESSON)
    assert results(course)["blocked"] == "graded"


@pytest.mark.long
def test_a_worker_that_is_killed_is_replaced(course: Course) -> None:
    for number in range(4):
        hand_in(course, f"more_{number}", "right_clone")
    process = start(course, "grade", LESSON, "--jobs", "2")
    _wait_for(lambda: list((course.root / "grading" / LESSON).glob("more_*.json")))
    os.kill(_workers(process.pid)[0], signal.SIGKILL)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    for number in range(4):
        assert course.points(f"more_{number}", LESSON, LESSON)[CHECK] == points_of("right_clone")


@pytest.mark.long
def test_workers_that_are_spawned_grade_the_same(course: Course, graded: Course) -> None:
    """Where processes do not fork (macOS, Windows), each worker starts anew."""
    (course.root / "spawned.py").write_text(
        "import multiprocessing, sys\n"
        "from pathlib import Path\n"
        "real = multiprocessing.get_context\n"
        "multiprocessing.get_context = lambda kind=None: real('spawn')\n"
        "from autograder.batch.command import grade\n"
        "if __name__ == '__main__':\n"
        f"    sys.exit(grade(Path.cwd(), {LESSON!r}, jobs=2, force=True))\n"
    )
    line = [sys.executable, "spawned.py"]
    done = subprocess.run(line, cwd=course.root, env=course.env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert set(results(course).values()) == {"graded"}
    for name in CLASS:
        assert course.points(name, LESSON, LESSON) == graded.points(name, LESSON, LESSON)


@pytest.mark.long
def test_ctrl_c_stops_with_one_sentence_and_leaves_nothing_behind(course: Course) -> None:
    times = {name: _graded_at(course, name) for name in CLASS}
    process = start(course, "grade", LESSON, "--force", "--jobs", "1", start_new_session=True)
    _wait_for(lambda: [name for name in CLASS if _graded_at(course, name) != times[name]])
    family = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    said = r"Stopped: [1-4] of 4 submissions are not graded; the same command grades them\."
    assert re.fullmatch(said, err.strip().splitlines()[-1])
    assert "Traceback" not in out + err
    assert _gone(family)


def test_replay_repeats_a_case_on_the_students_numbers(course: Course) -> None:
    submission = f"{course.root}/submitted/wrong_in_place/{LESSON}/{LESSON}.ipynb"
    seed = re.search(r"seed ([0-9a-f]+)", report(course, "wrong_in_place"))
    assert seed
    said = run(course, "replay", submission, "gradient")
    assert said.startswith("masked_exp: gradient: failed, 0 of 2.5 points")
    assert f"(seed {seed[1]})" in said
    assert "ExpBackward0" in said
    other = run(course, "replay", submission, "gradient", "--seed", "0123456789abcdef", "--exercise", "masked_exp")
    assert "(seed 0123456789abcdef)" in other


@pytest.mark.long
def test_replay_names_the_cases_and_exercises_that_there_are(course: Course) -> None:
    submission = f"{course.root}/submitted/right_where/{LESSON}/{LESSON}.ipynb"
    said = run(course, "replay", submission, "no such case", code=2)
    assert "There is no case 'no such case'." in said and "gradient" in said
    assert "There is no exercise 'nothing'" in run(course, "replay", submission, "gradient", "--exercise", "nothing",
                                                   code=2)  # fmt: skip
    elsewhere = course.root / "elsewhere.ipynb"
    shutil.copy(submission, elsewhere)
    assert "give the seed" in run(course, "replay", str(elsewhere), "gradient", code=2)
    assert "passed" in run(course, "replay", str(elsewhere), "gradient", "--seed", "0123456789abcdef")


@pytest.mark.long
def test_killed_at_random_moments_the_class_is_completed(graded: Course, tmp_path: Path) -> None:
    """SIGKILL of the leader at 20 random moments, then one run to the end: nothing is lost, nothing doubled."""
    course = make_course(tmp_path / "course", LESSON)
    shutil.copy(graded.root / ".course_secret", course.root)
    students: dict[str, str] = {}
    chance = random.Random(4)
    seen: dict[str, int] = {}
    amidst = 0
    for kill in range(KILLS):
        for name in CLASS:
            students[f"{name}_{kill}"] = name
            hand_in(course, f"{name}_{kill}", name)
        process = start(course, "grade", LESSON, "--jobs", "2")
        if kill % 3 == 0:  # anywhere, set-up included
            time.sleep(chance.uniform(0.1, 4.0))
        elif kill % 3 == 1:  # amid the grading
            _wait_for(functools.partial(_ended_or_grading, process))
            time.sleep(chance.uniform(0.0, 1.0))
        else:  # with the first results written, and the last not
            _wait_for(functools.partial(_ended_or_written, process, course, len(seen)))
            time.sleep(chance.uniform(0.0, 0.2))
        family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.kill()
        process.communicate()
        assert _gone(family), f"processes outlived their leader after kill {kill}"
        assert _sound(course), f"gradebook.db is corrupt after kill {kill}"
        now = {student: _graded_at(course, student) for student in students if _record(course, student).exists()}
        again = {student for student in seen.keys() & now.keys() if seen[student] != now[student]}
        assert not again, f"graded twice: {again}"
        assert seen.keys() <= now.keys()
        amidst += seen.keys() < now.keys() < students.keys()
        seen = now
    assert amidst >= 3  # some kills fell between two submissions of one run
    run(course, "grade", LESSON, "--jobs", "2")
    assert set(results(course).values()) <= {"graded", "unchanged"}
    assert {student: _graded_at(course, student) for student in seen} == seen
    for student, name in students.items():
        assert course.points(student, LESSON, LESSON)[CHECK] == points_of(name)
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        assert sorted(one.student_id for one in gradebook.assignment_submissions(LESSON)) == sorted(students)
        assert sorted(one.id for one in gradebook.students) == sorted(students)


@pytest.mark.long
def test_a_dask_cluster_of_two_workers_grades_the_class(course: Course) -> None:
    distributed = _distributed()
    before = {name: (_grades(course, name), report(course, name)) for name in CLASS}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        said = run(course, "grade", LESSON, "--force", "--scheduler", cluster.scheduler_address)
    assert f"{len(CLASS)} graded in" in said
    assert {name: (_grades(course, name), report(course, name)) for name in CLASS} == before


@pytest.mark.long
def test_a_scheduler_that_does_not_answer_gets_one_sentence(course: Course) -> None:
    _distributed()
    said = run(course, "grade", LESSON, "--force", "--scheduler", "tcp://127.0.0.1:9", code=2)
    assert said.strip().splitlines()[-1].startswith("No Dask scheduler answers at tcp://127.0.0.1:9")


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        missing('needs distributed: pip install -e ".[cluster]"')
    return distributed


def _grades(course: Course, student: str) -> dict[str, dict[str, float | bool | None]]:
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        return {
            grade.name: {
                "auto": grade.auto_score,
                "manual": grade.manual_score,
                "by hand": grade.needs_manual_grade,
                "most": grade.max_score,
            }
            for grade in gradebook.find_submission_notebook(LESSON, LESSON, student).grades
        }


def _record(course: Course, student: str) -> Path:
    return course.root / "grading" / LESSON / f"{student}.json"


def _graded_at(course: Course, student: str) -> int:
    return _record(course, student).stat().st_mtime_ns


def _workers(leader: int) -> list[int]:
    """Forked children of the leader: those that have its own command line."""
    family = psutil.Process(leader)
    line = family.cmdline()
    return [child.pid for child in family.children() if _line(child) == line]


def _ended_or_grading(process: subprocess.Popen[str]) -> bool:
    return process.poll() is not None or bool(_workers(process.pid))


def _ended_or_written(process: subprocess.Popen[str], course: Course, before: int) -> bool:
    return process.poll() is not None or len(list(_record(course, "").parent.glob("[!.]*.json"))) > before


def _line(process: psutil.Process) -> list[str]:
    with contextlib.suppress(psutil.Error):  # it ended meanwhile
        return process.cmdline()
    return []


def _wait_for(look: Callable[[], Any], seconds: float = 120.0) -> Any:
    """What `look` finds, as soon as it finds anything."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("nothing came in time")


def _gone(family: list[psutil.Process]) -> bool:
    """Whether all of them end within a few seconds."""
    _, alive = psutil.wait_procs(family, timeout=20)
    return not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def _sound(course: Course) -> bool:
    path = course.root / "gradebook.db"
    if not path.exists():
        return True
    with sqlite3.connect(path) as database:
        whole = database.execute("PRAGMA integrity_check").fetchall()
        loose = database.execute("PRAGMA foreign_key_check").fetchall()
    database.close()
    return whole == [("ok",)] and loose == []
