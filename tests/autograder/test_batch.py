"""Grading a class, the parts: fingerprints, records, locks, the pool of processes, the CSV, the command line."""

from __future__ import annotations

import csv
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import jsonschema
import pytest

from autograder.batch import lean, pool, records, show
from autograder.batch.course import Course, Said
from autograder.batch.values import FAILED, GRADED, Order, Result
from tests.tools import ROOT

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the pool starts its processes another way")
RESULT = Result("zoë", GRADED, "f1", 1.5, 0.25, ("a note", "another"), "[INFO] line")


# ------------------------------------------------------------------------------------------------ fingerprints


def test_borders_of_the_parts_count() -> None:
    assert records.digest_of([b"ab", b"c"]) != records.digest_of([b"a", b"bc"])
    assert records.digest_of([b"ab", b"c"]) == records.digest_of(iter([b"ab", b"c"]))


def test_a_folders_digest_is_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("1")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "two").write_text("2")
    first = records.digest_of_folder(tmp_path)
    os.utime(tmp_path / "one", (1, 1))
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "one").write_text("anything")
    assert records.digest_of_folder(tmp_path) == first
    (tmp_path / "one").write_text("changed")
    second = records.digest_of_folder(tmp_path)
    (tmp_path / "one").rename(tmp_path / "renamed")
    assert len({first, second, records.digest_of_folder(tmp_path)}) == 3
    assert records.digest_of_folder(tmp_path, leave_out="renamed") not in (first, second)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders, and links need rights")
def test_whatever_lies_in_a_submission_is_passed(tmp_path: Path) -> None:
    """A pipe is not opened (that would wait for ever), a link not followed."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    os.mkfifo(inside / "pipe")
    (inside / "link").symlink_to(outside)
    (inside / "broken").symlink_to("nowhere")
    before = records.digest_of_folder(inside)
    (outside / "file").write_text("new")
    assert records.digest_of_folder(inside) == before
    (inside / "broken").unlink()
    assert records.digest_of_folder(inside) != before


# ------------------------------------------------------------------------------------------------ records and locks


def test_a_record_comes_back_without_its_log(tmp_path: Path) -> None:
    records.write_record(tmp_path, "exp", RESULT)
    records.write_log(tmp_path, "exp", RESULT)
    assert records.read_record(tmp_path, "exp", "zoë") == Result(**vars(RESULT) | {"log": ""})
    assert (tmp_path / "grading" / "exp" / "zoë.log").read_text(encoding="utf-8") == "[INFO] line\n"
    assert sorted(path.name for path in (tmp_path / "grading" / "exp").iterdir()) == ["zoë.json", "zoë.log"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"student": 1}', "\ud800"])
def test_a_record_that_cannot_be_read_counts_as_none(tmp_path: Path, text: str) -> None:
    path = records.record_path(tmp_path, "exp", "zoë")
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert records.read_record(tmp_path, "exp", "zoë") is None
    assert records.read_record(tmp_path, "exp", "nobody") is None


def test_one_submission_is_graded_by_one_process_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = Order(str(tmp_path), "exp", "zoë", "f")
    monkeypatch.setattr(records, "LOCK_SECONDS", 0.05)
    refused: list[str] = []

    def second() -> None:
        try:
            with records.locked(order):
                refused.append("entered")
        except TimeoutError:
            refused.append("refused")

    with records.locked(order):
        with records.locked(Order(str(tmp_path), "exp", "another", "f")):
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()
    second()
    assert refused == ["refused", "entered"]


# ------------------------------------------------------------------------------------------------ nbgrader, lean


def test_a_schema_that_is_kept_refuses_what_jsonschema_refuses() -> None:
    schema = {"type": "object", "properties": {"points": {"type": "number", "minimum": 0}}, "required": ["points"]}
    for value in ({"points": 1}, {"points": 0.5, "more": 1}):
        jsonschema.validate(value, schema)
        lean._validate(value, schema)
    for value in ({}, [], {"points": -1}, {"points": "1"}):
        with pytest.raises(jsonschema.ValidationError) as wanted:
            jsonschema.validate(value, schema)
        with pytest.raises(jsonschema.ValidationError) as found:
            lean._validate(value, schema)
        assert str(found.value) == str(wanted.value)
    with pytest.raises(jsonschema.SchemaError):
        lean._validate({}, {"type": "no such type"})


def test_lean_gradebooks_hold_what_others_hold_and_grades_at_once(tmp_path: Path) -> None:
    """Students stand for grades here: both are rows that a commit stores."""
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    program = f"""
import sqlite3
from nbgrader.api import Gradebook
from autograder.batch import lean
lean.make_lean()
lean.make_lean()

def stored():
    with sqlite3.connect({str(tmp_path / "gradebook.db")!r}) as database:
        return [row[0] for row in database.execute("select id from student order by id")]

with lean.one_connection():
    for name in ("ann", "bob"):
        with Gradebook({url!r}, "course") as gradebook:
            gradebook.add_student(name)
    print(stored())
    with lean.AtOnce({url!r}) as gradebook:
        gradebook.add_student("cid")
        print(stored())
        gradebook.add_student("dan")
    print(stored())
    try:
        with lean.AtOnce({url!r}) as gradebook:
            gradebook.add_student("eve")
            raise KeyError
    except KeyError:
        print(stored())
"""
    assert python(program).splitlines() == [
        "['ann', 'bob']",
        "['ann', 'bob']",
        "['ann', 'bob', 'cid', 'dan']",
        "['ann', 'bob', 'cid', 'dan']",
    ]
    plain = f"from nbgrader.api import Gradebook\nwith Gradebook({url!r}) as gradebook:\n"
    shown = "[one.id for one in gradebook.students], sorted(one.id for one in gradebook.db.query(Course))"
    found = python(f"from nbgrader.api import Course\n{plain}    print({shown})")
    assert found == "['ann', 'bob', 'cid', 'dan'] ['course', 'default_course']\n"


# ------------------------------------------------------------------------------------------------ the pool


class FakeGrader:
    """Grades by a word in the student's name; "dies" kills its own process."""

    def __init__(self, course: Course, origin: object = None) -> None:
        self.folder = course.root

    def __enter__(self) -> FakeGrader:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def warm_up(self) -> None:
        pass

    def grade(self, order: Order) -> Result:
        mark = self.folder / order.student
        if "dies" in order.student and not ("once" in order.student and mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Result(order.student, GRADED, order.fingerprint, 0.0, 0.0, (str(os.getpid()),))


@pytest.fixture
def fake_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    monkeypatch.setattr(pool, "Grader", FakeGrader)
    course = object.__new__(Course)
    course.root = tmp_path
    return course


def graded(course: Course, students: list[str], jobs: int) -> dict[str, Result]:
    with pool.Pool(course, jobs) as running:
        orders = [Order(str(course.root), "exp", student, "f") for student in students]
        results = [result for result in running.run(orders) if result is not None]
    assert len(results) == len(students)
    return {result.student: result for result in results}


@on_linux
def test_a_pool_grades_everybody_in_its_processes(fake_course: Course) -> None:
    students = [f"s{number}" for number in range(12)]
    results = graded(fake_course, students, 3)
    assert {result.status for result in results.values()} == {GRADED}
    workers = {result.notes[0] for result in results.values()}
    assert 1 <= len(workers) <= 3
    assert str(os.getpid()) not in workers


@on_linux
def test_a_process_that_dies_costs_nobody_else(fake_course: Course) -> None:
    results = graded(fake_course, ["a", "dies", "b", "dies_once", "c"], 2)
    assert {name for name, result in results.items() if result.status == GRADED} == {"a", "b", "c", "dies_once"}
    assert results["dies"].status == FAILED
    assert results["dies"].notes == ("The grading process was killed (signal 9), 2 times.",)


@on_linux
def test_no_process_is_left(fake_course: Course) -> None:
    results = graded(fake_course, ["a", "b"], 2)
    for result in results.values():
        with pytest.raises(ProcessLookupError):
            os.kill(int(result.notes[0]), 0)


# ------------------------------------------------------------------------------------------------ what is shown


def test_the_csv_has_everything_and_no_formulas(tmp_path: Path) -> None:
    path = tmp_path / "exp.csv"
    rows = [
        show.Row("=cmd()", 2.5, 16.0, 1.234, GRADED, ("one, two", 'three "four"')),
        show.Row("zoë", None, None, 0.0, FAILED, ("-1",)),
    ]
    show.write_csv(path, rows)
    with path.open(newline="", encoding="utf-8") as file:
        found = list(csv.reader(file))
    assert found == [
        ["student", "points", "maximum", "seconds", "result", "notes"],
        ["'=cmd()", "2.5", "16", "1.23", "graded", 'one, two | three "four"'],
        ["zoë", "", "", "0.00", "failed", "'-1"],
    ]
    assert [one.name for one in tmp_path.iterdir()] == ["exp.csv"]
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_table_shows_brackets_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show.show([show.Row("[red]zoë", 1.0, 2.0, 3.0, GRADED, ("a [b]", "c", "d", "e"))], "done [x]")
    out = capsys.readouterr().out
    assert "[red]zoë" in out and "a [b]" in out and "(2 more)" in out and "done [x]" in out


def test_the_reason_is_the_last_exception_that_was_logged() -> None:
    said = Said()
    assert said.reason() == "nbgrader gave no reason"
    said.errors = ["There was an error processing assignment: x", "Traceback ...\nKeyError: 'a'\nOSError: no room\n"]
    assert said.reason() == "OSError: no room"


# ------------------------------------------------------------------------------------------------ the command line


def python(code: str) -> str:
    # nbgrader calls alembic by its bare name.
    env = os.environ | {"PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_command_line_starts_without_torch() -> None:
    assert python("import sys, autograder.__main__; print('torch' in sys.modules)") == "False\n"


def test_jsonschema_is_imported_without_its_grammar_and_works() -> None:
    said = python(
        "import sys, autograder.light_imports, jsonschema, nbformat\n"
        "print('lark' in sys.modules, 'rfc3987_syntax' in sys.modules)\n"
        "print(type(next(jsonschema.Draft202012Validator({'type': 'string'}).iter_errors(1))).__name__)\n"
        "nbformat.validate(nbformat.v4.new_notebook())\n"
    )
    assert said == "False False\nValidationError\n"
