"""A class of hostile submissions, graded once: each gets what its real answers deserve, and nothing else happens.

All of them sit in one course with innocent students. They are graded by `nbgrader autograde` and, in a course of their
own, by `python -m autograder grade`. Each run ends in a table, printed and written to build/: what was tried, which
points were deserved, which came out.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import sysconfig
import textwrap
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.editions import read
from autograder.editions.notebook import grade_id, with_source
from tests.hostile import submissions
from tests.hostile.submissions import ANSWERS, CHECK, PREDICTIONS, PREDICTIONS_CHECK, SOLUTION, Submission
from tests.nbgrader.course import NBGRADER, Course, make_course, output_text
from tests.tools import ROOT

pytestmark = pytest.mark.xdist_group("hostile class")

LESSON = "masked_exp"
CORPUS = {submission.name: submission for submission in submissions.corpus()}
SELECTION = (  # always run; the others take minutes
    "daemon_that_outlives",
    "folder_is_a_link",
    "forge_execute_result",
    "forge_right_numbers",
    "gradebook",
    "hunt_in_proc",
    "input_transformer",
    "metadata_skip_execution",
    "os_exit",
    "patch_check",
    "right_with_warnings",
    "shadow_modules",
)
INNOCENT = ("a_first", "l_middle", "z_last")
EARLIER = "graded_before"
BY_HAND = 1.5
# Shorter than a course's, so that endless loops cost less; above what a check takes to stop one by itself.
LIMITS = "c.SandboxExecute.cell_seconds = 12.0\nc.SandboxExecute.notebook_seconds = 25.0\n"
GRADERS = {
    "nbgrader": [*NBGRADER, "autograde", LESSON],
    "batch": [sys.executable, "-m", "autograder", "grade", LESSON, "--jobs", "2"],
}


@dataclass(frozen=True)
class Surroundings:
    """What a hostile submission might read or change outside of its own notebook."""

    home: Path
    canary: Path
    port: int
    listener: int
    socket: Path
    tokens: dict[str, str]
    heard: list[str] = field(default_factory=list)

    def places(self, course: Course) -> dict[str, str]:
        return {
            "COURSE": str(course.root),
            "HOME": str(self.home),
            "TMP_CANARY": str(self.canary),
            "TMP_SOCKET": str(self.socket),
            "PORT": str(self.port),
            "LISTENER": str(self.listener),
        }


@dataclass(frozen=True)
class Graded:
    """A class after grading."""

    grader: str
    course: Course
    hostile: tuple[Submission, ...]
    surroundings: Surroundings
    code: int
    log: str
    left: dict[str, str]
    seconds: float
    before: dict[str, object]
    after: dict[str, object]

    def points(self, student: str) -> dict[str, float | None]:
        return self.course.points(student, LESSON, LESSON)

    def shown(self, student: str) -> NotebookNode:
        return self.course.autograded(student, LESSON, LESSON)


# ------------------------------------------------------------------------------------------------ around the course


@pytest.fixture(scope="module")
def listening() -> Iterator[tuple[int, Path, list[str]]]:
    """Servers on this machine that nobody from a submission may reach: (TCP port, Unix socket, who called)."""
    heard: list[str] = []
    place = Path(f"/tmp/inplace_lab_{secrets.token_hex(4)}.socket")
    servers = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)]
    servers[1].bind(str(place))
    servers[2].bind("\0inplace_lab_listener")

    def accept(server: socket.socket) -> None:
        while True:
            try:
                heard.append(str(server.accept()[1]))
            except OSError:
                return

    for server in servers:
        server.listen()
        threading.Thread(target=accept, args=(server,), daemon=True).start()
    yield servers[0].getsockname()[1], place, heard
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    place.unlink()


@pytest.fixture(scope="module")
def surroundings(
    listening: tuple[int, Path, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surroundings]:
    listener, place, heard = listening
    known = ("home", "tmp", "environment", "source", "other")
    tokens = {what: f"token-{what}-{secrets.token_hex(8)}" for what in known}
    home = tmp_path_factory.mktemp("home")
    (home / "canary").write_text(tokens["home"])
    canary = Path(f"/tmp/inplace_lab_canary_{secrets.token_hex(4)}")
    canary.write_text(tokens["tmp"])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    yield Surroundings(home, canary, port, listener, place, tokens, heard)
    canary.unlink(missing_ok=True)


def tree(folder: Path) -> dict[str, str]:
    """Everything below a folder: path to kind, mode and content."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = os.path.join(place, name)
            about = os.lstat(path)
            content = ""
            if stat.S_ISLNK(about.st_mode):
                content = os.readlink(path)
            elif stat.S_ISREG(about.st_mode):
                content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
            found[os.path.relpath(path, folder)] = f"{stat.filemode(about.st_mode)} {content}"
    return found


def rows(course: Course, student: str) -> list[str]:
    """Everything that the gradebook holds about one student, and about the assignment itself."""
    with sqlite3.connect(course.root / "gradebook.db") as base:
        queries = {
            "student": ("select * from student where id = ?", (student,)),
            "submission": ("select * from submitted_assignment where student_id = ?", (student,)),
            "grade": (
                "select grade.* from grade join submitted_notebook on grade.notebook_id = submitted_notebook.id join "
                "submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id "
                "where student_id = ? order by grade.id",
                (student,),
            ),
            "cells": ("select * from grade_cells order by id", ()),
            "sources": ("select * from source_cell order by id", ()),
            "assignment": ("select * from assignment order by id", ()),
        }
        return [f"{name}: {row}" for name, query in queries.items() for row in base.execute(*query).fetchall()]


def state(course: Course, around: Surroundings) -> dict[str, object]:
    """What must be the same before and after."""
    return {
        "source": tree(course.root / "source"),
        "submitted": tree(course.root / "submitted"),
        "release": tree(course.root / "release"),
        "configuration": (course.root / "nbgrader_config.py").read_text(),
        "secret": (course.root / ".course_secret").read_bytes(),
        "gradebook rows of a student graded before": rows(course, EARLIER),
        "work of a student graded before": tree(course.root / "autograded" / EARLIER),
        "home": {name: text for name, text in tree(around.home).items() if not name.startswith((".cache", ".config"))},
        "/tmp": around.canary.read_text(),
    }


# ------------------------------------------------------------------------------------------------------- one course


def grade(course: Course, around: Surroundings, command: list[str]) -> tuple[dict, str]:
    """Run a grader to its end: (what the keeper saw, its log)."""
    result = course.root.parent / "kept.json"
    environment = course.env | {"HOME": str(around.home), "OF_THE_GRADER": around.tokens["environment"]}
    keeper = [sys.executable, str(Path(__file__).with_name("keeper.py")), str(result)]
    done = subprocess.run(
        [*keeper, *command],
        cwd=course.root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return json.loads(result.read_text()), done.stdout


def innocent_notebook(released: NotebookNode, token: str) -> NotebookNode:
    code = f"# {token}\n" + (ANSWERS / "right_where.py").read_text() + "\n\nmasked_exp = answer"
    cells = [with_source(cell, code) if grade_id(cell) == SOLUTION else cell for cell in released.cells]
    return NotebookNode({**released, "cells": cells})


def hand_in(course: Course, given: Submission, released: NotebookNode, predicted: str, around: Surroundings) -> None:
    places = around.places(course)
    folder = course.root / "submitted" / given.name / LESSON
    folder.mkdir(parents=True)
    nb = submissions.notebook(given, released, predicted, places)
    (folder / f"{LESSON}.ipynb").write_text(json.dumps(nb))  # as it is: nbformat would mend it
    for name, text in submissions.files(given, places).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    submissions.place(given)(folder, course)


def grade_class(
    grader: str,
    hostile: tuple[Submission, ...],
    folder: Path,
    around: Surroundings,
    command: list[str],
    isolation: str = "auto",
) -> Graded:
    """A course with the innocent and the hostile, graded."""
    course = make_course(folder / "course", LESSON)
    shutil.copytree(around.home, folder / "home")  # links_to_secrets knows it by this place
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write(f"{LIMITS}c.SandboxExecute.isolation = {isolation!r}\n")
    source = course.root / "source" / LESSON / f"{LESSON}.ipynb"
    marked = source.read_text().replace("### BEGIN SOLUTION", f"### BEGIN SOLUTION\\n# {around.tokens['source']}")
    assert around.tokens["source"] in marked
    source.write_text(marked)
    course.nbgrader("generate_assignment", LESSON)
    released = read(course.root / "release" / LESSON / f"{LESSON}.ipynb")
    solved = read(ROOT / "source" / LESSON / f"{LESSON}.ipynb")
    predicted = next(cell.source for cell in solved.cells if grade_id(cell) == PREDICTIONS)

    course.submit(EARLIER, LESSON, LESSON, innocent_notebook(released, around.tokens["other"]))
    first, log = grade(course, around, [*NBGRADER, "autograde", LESSON])
    assert first["code"] == 0, log
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        for given in gradebook.find_submission_notebook(LESSON, LESSON, EARLIER).grades:
            if given.auto_score is None:
                given.manual_score, given.needs_manual_grade = BY_HAND, False
        gradebook.db.commit()

    for student in INNOCENT:
        course.submit(student, LESSON, LESSON, innocent_notebook(released, around.tokens["other"]))
    for given in hostile:
        hand_in(course, given, released, predicted, around)
    before = state(course, around)
    seen, log = grade(course, around, command)
    way = grader if isolation == "auto" else f"{grader} ({isolation})"
    return Graded(
        way, course, hostile, around, seen["code"], log, seen["left"], seen["seconds"], before, state(course, around)
    )


def table(graded: Graded) -> str:
    """What was tried, what was deserved, what came out."""
    lines = [f"{len(graded.hostile)} hostile submissions graded by {graded.grader} in {graded.seconds:.0f} s", ""]
    lines.append(f"{'submission':<30} {'deserved':>9} {'got':>9}  what it tries")
    for given in graded.hostile:
        deserved, got = wanted(given), points_of(graded, given.name)
        mark = " " if got == deserved else "!"
        words = textwrap.shorten(given.tries, 110, placeholder=" ...")
        lines.append(f"{given.name:<30} {_pair(deserved):>9} {_pair(got):>9}{mark} {words}")
    return "\n".join(lines)


def _pair(points: tuple[float | None, ...]) -> str:
    return " + ".join("none" if value is None else f"{value:g}" for value in points)


def wanted(given: Submission) -> tuple[float, float]:
    return given.predictions, given.points


def points_of(graded: Graded, student: str) -> tuple[float | None, float | None]:
    try:
        points = graded.points(student)
    except Exception:  # no such submission in the gradebook: shown in the table, and a test fails for it
        return None, None
    return points.get(PREDICTIONS_CHECK), points.get(CHECK)


def _show(graded: Graded, request: pytest.FixtureRequest) -> None:
    text = table(graded)
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    name = re.sub(r"\W+", "_", f"hostile {graded.grader} {len(graded.hostile)}")
    (folder / f"{name}.txt").write_text(text + "\n")
    (folder / f"{name}.log").write_text(graded.log)
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n{text}")


# ---------------------------------------------------------------------------------------------------------- classes

CLASSES = [
    pytest.param(("nbgrader", SELECTION, "auto"), id="nbgrader-selection"),
    pytest.param(("nbgrader", tuple(CORPUS), "auto"), id="nbgrader-all", marks=pytest.mark.long),
    pytest.param(("batch", tuple(CORPUS), "auto"), id="batch-all", marks=pytest.mark.long),
    pytest.param(("batch", SELECTION, "bubblewrap"), id="bubblewrap-selection", marks=pytest.mark.long),
]


@pytest.fixture(scope="module", params=CLASSES)
def graded(
    request: pytest.FixtureRequest, surroundings: Surroundings, tmp_path_factory: pytest.TempPathFactory
) -> Graded:
    grader, names, isolation = request.param
    chosen = tuple(CORPUS[name] for name in names)
    folder = tmp_path_factory.mktemp(f"hostile_{grader}")
    done = grade_class(grader, chosen, folder, surroundings, GRADERS[grader], isolation)
    _show(done, request)
    return done


def test_the_corpus_is_large_and_says_what_it_tries() -> None:
    assert len(CORPUS) >= 40
    assert len({given.tries for given in CORPUS.values()}) == len(CORPUS)
    assert set(SELECTION) <= set(CORPUS)
    assert not set(INNOCENT) & set(CORPUS)


def test_each_submission_gets_what_its_answers_deserve(graded: Graded) -> None:
    wrong = {
        given.name: f"deserved {_pair(wanted(given))}, got {_pair(points_of(graded, given.name))}"
        for given in graded.hostile
        if points_of(graded, given.name) != wanted(given)
    }
    assert wrong == {}, graded.log[-3000:]


def test_the_class_is_complete(graded: Graded) -> None:
    assert graded.code == 0, graded.log[-3000:]
    for student in INNOCENT:
        assert points_of(graded, student) == (0.0, 10.0)
    for given in graded.hostile:
        assert graded.shown(given.name).cells


def test_nothing_needs_a_person_that_did_not_before(graded: Graded) -> None:
    with Gradebook(f"sqlite:///{graded.course.root / 'gradebook.db'}") as gradebook:
        for student in [*INNOCENT, *(given.name for given in graded.hostile)]:
            grades = gradebook.find_submission_notebook(LESSON, LESSON, student).grades
            assert {g.name for g in grades if g.needs_manual_grade} <= {"masked_exp_written"}, student
            assert {g.name: g.max_score for g in grades} == {
                g.name: g.max_score for g in gradebook.find_submission_notebook(LESSON, LESSON, EARLIER).grades
            }
            assert all(g.manual_score is None for g in grades), student


def test_nothing_outside_changed(graded: Graded) -> None:
    changed = {}
    for what, before in graded.before.items():
        after = graded.after[what]
        if before != after:
            changed[what] = _difference(before, after)
    assert changed == {}


def _difference(before: object, after: object) -> object:
    if isinstance(before, dict) and isinstance(after, dict):
        names = [name for name in before | after if before.get(name) != after.get(name)]
        return {name: (before.get(name), after.get(name)) for name in names}
    return before, after


def test_nothing_was_put_where_it_would_run_later(graded: Graded) -> None:
    libraries = Path(sysconfig.get_path("purelib"))
    for name in ("usercustomize.py", "sitecustomize.py", "evil.pth"):
        assert not (libraries / name).exists()
    for path in [*(ROOT / "autograder").rglob("*.py"), *(ROOT / "inplace_lab").rglob("*.py")]:
        assert str(graded.surroundings.canary) not in path.read_text(encoding="utf-8"), path
    assert {path.name for path in graded.course.root.iterdir()} <= {
        "source", "release", "submitted", "autograded", "feedback", "exchange", "gradebook.db", "gradebook.db-journal",
        "nbgrader_config.py", ".course_secret", ".nbgrader.log", "__pycache__", "grades.csv", "grading",
    }  # fmt: skip


def test_no_process_is_left_and_nobody_listens(graded: Graded) -> None:
    assert graded.left == {}
    ours = f":{graded.surroundings.port:04X} "
    for table_of in ("tcp", "tcp6"):
        lines = Path("/proc/net", table_of).read_text().splitlines()[1:]
        assert not [line for line in lines if ours in line.split(None, 2)[1] + " "]
    assert "inplace_lab_hostile" not in Path("/proc/net/unix").read_text()


def test_nobody_called_a_server_outside(graded: Graded) -> None:
    assert graded.surroundings.heard == []


def test_no_secret_came_out(graded: Graded) -> None:
    tokens = dict(graded.surroundings.tokens)
    secret = (graded.course.root / ".course_secret").read_bytes()
    tokens |= {"secret": secret.hex(), "secret as text": repr(secret)[2:-1]}
    found = []
    for given in graded.hostile:
        folder = graded.course.root / "autograded" / given.name
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                text = path.read_bytes().decode("utf-8", errors="replace")
                found += [f"{given.name}: {path.name}: {what}" for what, token in tokens.items() if token in text]
                assert secret not in path.read_bytes(), path
            assert not path.is_symlink(), path
    assert found == []


def test_no_output_tells_of_success(graded: Graded) -> None:
    bad = {}
    for given in graded.hostile:
        nb = graded.shown(given.name)
        text = "\n".join(_shown(cell) for cell in nb.cells if cell.cell_type == "code")
        hits = [line for pattern in given.has.get("NEVER", ()) for line in re.findall(rf"(?m)^.*{pattern}.*$", text)]
        hits += given.has["harm"](nb) if "harm" in given.has else []
        if hits:
            bad[given.name] = hits[:10]
    assert bad == {}


def test_the_log_holds_nothing_that_acts_on_a_terminal(graded: Graded) -> None:
    for given in graded.hostile:
        for pattern in given.has.get("LOG_NEVER", ()):
            assert not re.findall(rf"(?m){pattern}", graded.log), f"{given.name}: {pattern}"


def _shown(cell: NotebookNode) -> str:
    parts = []
    for output in cell.outputs:
        parts.append(output.get("text", "") or output.get("evalue", "") or str(output.get("data", "")))
    return "\n".join(parts)


def test_the_report_says_why(graded: Graded) -> None:
    for given in graded.hostile:
        said = output_text(graded.shown(given.name), CHECK)
        assert given.has.get("SAYS", "") in said, f"{given.name}: {said[:500]}"
        assert said.strip(), given.name
