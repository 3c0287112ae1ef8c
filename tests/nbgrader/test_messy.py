"""Submissions as they come: each ends graded, with a note that says what was done, and none stops the class.

All of them are graded in one run of `nbgrader autograde`, one student for each kind of mess.
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
import runpy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder import exercises
from autograder.editions import read, self_study
from autograder.editions.notebook import grade_id
from tests.nbgrader.course import Course, make_course, output_text, with_answer
from tests.tools import ROOT

# The class is graded once, in one process; it takes two minutes.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("messy submissions")]

LESSON = "masked_exp"
CHECK, SOLUTION = "masked_exp_check", "masked_exp_solution"
PREDICTIONS, PREDICTED, TASK = "masked_exp_predictions_check", "masked_exp_predictions_solution", "masked_exp_written"
EXERCISE = ROOT / "tests" / "answers" / "masked_exp"
FULL = {PREDICTIONS: exercises.get("masked_exp_predictions").maximum, CHECK: exercises.get("masked_exp").maximum}
NOTHING = {PREDICTIONS: 0.0, CHECK: 0.0}

Notebook = dict  # as json.loads gives it


def _code(name: str) -> str:
    return (EXERCISE / f"{name}.py").read_text() + "\nmasked_exp = answer"


def _right() -> Notebook:
    """The release with right answers in it, as plain JSON data, with outputs."""
    nb = read(ROOT / "release" / LESSON / f"{LESSON}.ipynb")
    source = {grade_id(cell): cell.source for cell in read(ROOT / "source" / LESSON / f"{LESSON}.ipynb").cells}
    nb = with_answer(with_answer(nb, SOLUTION, _code("right_where")), PREDICTED, source[PREDICTED])
    return json.loads(json.dumps(nb))


RIGHT = _right()


def _cell(nb: Notebook, name: str) -> Notebook:
    return next(cell for cell in nb["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == name)


def _place(nb: Notebook, name: str) -> int:
    return nb["cells"].index(_cell(nb, name))


def _new(source: str, kind: str = "code", **more: object) -> Notebook:
    cell = {
        "cell_type": kind,
        "id": f"new-{random.Random(ascii(source)).getrandbits(40):x}",
        "metadata": {},
        "source": source,
    }
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {}) | more


def changed(change: Callable[[Notebook], object]) -> Notebook:
    nb = copy.deepcopy(RIGHT)
    change(nb)
    return nb


@dataclass(frozen=True)
class Mess:
    """A kind of mess: the files of the submission, the points it deserves, what the notes say about it."""

    files: dict[str, Notebook | bytes]
    notes: tuple[str, ...] = ()
    points: dict[str, float] = field(default_factory=lambda: FULL)


def one(nb: Notebook | bytes, *notes: str, points: dict[str, float] = FULL) -> Mess:
    return Mess({f"{LESSON}.ipynb": nb}, notes, points)


def _stripped(nb: Notebook) -> None:
    for cell in nb["cells"]:
        cell["metadata"] = {}
        cell.pop("id")
    nb["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nb["nbformat_minor"] = 0


def _flags(nb: Notebook) -> None:
    _cell(nb, CHECK)["metadata"]["nbgrader"].update(points=1000, grade=False, locked=False, solution=True)
    _cell(nb, PREDICTIONS)["metadata"]["nbgrader"].update(schema_version=1, points=-1, extra="x")
    _cell(nb, SOLUTION)["metadata"]["nbgrader"].update(grade=True, points=50, locked=True)
    _cell(nb, TASK)["metadata"]["nbgrader"] = {"grade_id": TASK}


def _moved(nb: Notebook, name: str, place: int) -> None:
    cell = _cell(nb, name)
    nb["cells"].remove(cell)
    nb["cells"].insert(place, cell)


def _split_check(nb: Notebook) -> None:
    place = _place(nb, CHECK)
    parts = [copy.deepcopy(nb["cells"][place]) for _ in range(2)]  # JupyterLab copies the metadata to both parts
    parts[0]["source"], parts[1]["source"] = _cell(nb, CHECK)["source"].split("\n")
    nb["cells"][place : place + 1] = parts


def _split_solution(nb: Notebook, metadata: bool) -> None:
    place = _place(nb, SOLUTION)
    imports, code = _code("right_where").split("def masked_exp")
    code, names = code.split("answer =", 1)
    parts = [imports, f"def masked_exp{code}", f"answer ={names}"]
    cells = [copy.deepcopy(nb["cells"][place]) for _ in parts]
    for number, (cell, part) in enumerate(zip(cells, parts, strict=True)):
        cell["source"] = part
        if number:
            cell["id"] = f"part-{number}"
            cell["metadata"] = cell["metadata"] if metadata else {}
    nb["cells"][place : place + 1] = cells


def _copied(nb: Notebook, name: str, place: int | None = None) -> None:
    """A copy as JupyterLab makes it: the same metadata under another cell id."""
    cell = copy.deepcopy(_cell(nb, name)) | {"id": f"copy-{len(nb['cells'])}"}
    nb["cells"].insert(len(nb["cells"]) if place is None else place, cell)


def _all_ids_the_same(nb: Notebook) -> None:
    for cell in nb["cells"]:
        cell["id"] = "a"


def _older_format(minor: int) -> Notebook:
    def change(nb: Notebook) -> None:
        nb["nbformat_minor"] = minor
        if minor < 5:
            for cell in nb["cells"]:
                cell.pop("id")

    return changed(change)


def _format_3() -> Notebook:
    cells = []
    for cell in RIGHT["cells"]:
        kept = {"cell_type": cell["cell_type"], "metadata": cell["metadata"], "source": cell["source"]}
        if cell["cell_type"] == "code":
            kept |= {"input": kept.pop("source"), "language": "python", "outputs": [], "collapsed": False}
        cells.append(kept)
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}


def _text(nb: Notebook = RIGHT) -> str:
    return json.dumps(nb, indent=1)


def _before(name: str, *sources: str, **more: object) -> Notebook:
    """The right notebook with more cells before a cell."""

    def change(nb: Notebook) -> None:
        place = _place(nb, name)
        nb["cells"][place:place] = [_new(source, **more) for source in sources]

    return changed(change)


def _self_study() -> Notebook:
    nb = self_study(read(ROOT / "source" / LESSON / f"{LESSON}.ipynb"), LESSON, LESSON)
    nb = json.loads(json.dumps(nb))
    answers = {_cell(RIGHT, name)["source"] for name in (SOLUTION, PREDICTED)}
    for cell in nb["cells"]:
        for answer in answers:
            if cell["cell_type"] == "code" and cell["source"].split("\n")[0] in answer:
                cell["source"] = answer
        if cell["source"].startswith("def masked_exp("):
            cell["source"] = _code("right_where")
    return nb


HUGE = "200 MB of outputs"

MESSES: dict[str, Mess] = {
    "nothing wrong": one(RIGHT),
    "check copied to the end": one(changed(lambda nb: _copied(nb, CHECK)), "was there 2 times"),
    "check copied to the top": one(changed(lambda nb: _copied(nb, CHECK, 1)), "was there 2 times"),
    "check copied ten times": one(
        changed(lambda nb: [_copied(nb, CHECK) for _ in range(10)]), "was there 11 times, copied or split"
    ),
    "check split": one(changed(_split_check), "was there 2 times, copied or split"),
    "check deleted": one(changed(lambda nb: nb["cells"].remove(_cell(nb, CHECK))), "had been deleted; it was put back"),
    "every check and set-up deleted": one(
        changed(lambda nb: [nb["cells"].remove(_cell(nb, name)) for name in ("set_up", CHECK, PREDICTIONS)]),
        "had been deleted",
    ),
    "solution and check deleted": one(
        changed(lambda nb: [nb["cells"].remove(_cell(nb, name)) for name in (SOLUTION, CHECK)]),
        "had been deleted",
        "NameError",
        points=FULL | {CHECK: 0.0},
    ),
    "written question deleted": one(changed(lambda nb: nb["cells"].remove(_cell(nb, TASK))), "had been deleted"),
    "check moved to the top": one(changed(lambda nb: _moved(nb, CHECK, 0)), "stood in another place"),
    "set-up moved to the end": one(changed(lambda nb: _moved(nb, "set_up", 99)), "stood in another place"),
    "solution moved behind its check": one(changed(lambda nb: _moved(nb, SOLUTION, 99)), "stood in another place"),
    "everything upside down": one(changed(lambda nb: nb["cells"].reverse()), "stood in another place"),
    "metadata stripped": one(changed(_stripped), "found by its text"),
    "self-study edition": one(_self_study(), "found by its text"),
    "check made a text cell": one(
        changed(
            lambda nb: (
                _cell(nb, CHECK).update(cell_type="markdown"),
                [_cell(nb, CHECK).pop(key) for key in ("outputs", "execution_count")],
            )
        ),
        "had become a markdown cell",
    ),
    "check edited": one(
        changed(lambda nb: _cell(nb, CHECK).update(source="10.0")),
        "had been changed; the instructor's own was put back",
    ),
    "flags changed": one(changed(_flags)),
    "unknown grade id": one(
        changed(lambda nb: nb["cells"].append(_new("1", metadata={"nbgrader": {"grade_id": "other", "grade": True}})))
    ),
    "nbgrader metadata empty": one(changed(lambda nb: _cell(nb, CHECK)["metadata"].update(nbgrader={})), "by its text"),
    "renamed": Mess({"my answers.ipynb": RIGHT}, ('handed in as "my answers.ipynb"',)),
    "renamed by the browser": Mess({f"{LESSON} (1).ipynb": RIGHT}, (f'handed in as "{LESSON} (1).ipynb"',)),
    "renamed and stripped": Mess({f"{LESSON}-Copy2.ipynb": changed(_stripped)}, ("handed in as", "by its text")),
    "wrong case": Mess({"Masked_Exp.IPYNB": RIGHT}, ('handed in as "Masked_Exp.IPYNB"',)),
    "in a subfolder": Mess(
        {f"work/{LESSON}.ipynb": _before(CHECK, "open('helper.txt').read()"), "work/helper.txt": b"here"},
        (f'handed in as "work/{LESSON}.ipynb"',),
    ),
    "extra notebooks": Mess(
        {f"{LESSON}.ipynb": RIGHT, "scratch.ipynb": RIGHT | {"cells": []}, ".ipynb_checkpoints/x.ipynb": b"{}"},
        ('Not graded, because only one notebook is asked for: "scratch.ipynb"',),
    ),
    "empty file beside a renamed copy": Mess(
        {f"{LESSON}.ipynb": b"", f"{LESSON} (1).ipynb": RIGHT}, (f'handed in as "{LESSON} (1).ipynb"', "Not graded")
    ),
    "other kernel": one(
        changed(lambda nb: nb["metadata"].update(kernelspec={"name": "ir", "display_name": "R", "language": "R"})),
        'saved for "R"',
    ),
    "unknown kernel": one(
        changed(lambda nb: nb["metadata"].update(kernelspec={"name": "my-env", "display_name": "x"}))
    ),
    "kernel of the wrong type": one(changed(lambda nb: nb["metadata"].update(kernelspec="python3"))),
    "the same cell id everywhere": one(changed(_all_ids_the_same), "had the same id"),
    **{f"format 4.{minor}": one(_older_format(minor)) for minor in range(6)},
    "format 4.5 without ids": one(changed(lambda nb: [cell.pop("id") for cell in nb["cells"]])),
    "format 4.9": one(changed(lambda nb: nb.update(nbformat_minor=9, later={"x": 1}))),
    "format 3": one(_format_3(), "format of before 2015"),
    "byte order mark": one(b"\xef\xbb\xbf" + _text().encode(), "byte order mark"),
    "UTF-16": one(_text().encode("utf-16"), "byte order mark"),
    "Windows line ends": one(_text().replace("\n", "\r\n").encode()),
    "Windows line ends in the cells": one(
        changed(lambda nb: [cell.update(source=cell["source"].replace("\n", "\r\n")) for cell in nb["cells"]])
    ),
    "source as lists of lines": one(
        changed(lambda nb: [cell.update(source=cell["source"].splitlines(keepends=True)) for cell in nb["cells"]])
    ),
    "NUL bytes at the end": one(_text().encode() + b"\0" * 4096, "NUL bytes"),
    "NUL characters in a cell": one(
        changed(lambda nb: _cell(nb, SOLUTION).update(source=_code("right_where") + "\0")), "NUL characters"
    ),
    "half a letter": one(
        changed(lambda nb: nb["cells"].insert(3, _new("print('\ud83d')"))),
    ),
    "not UTF-8": one(
        _text(changed(lambda nb: nb["cells"].append(_new("é", "markdown")))).replace("\\u00e9", "é").encode("cp1252"),
        "not saved as UTF-8",
    ),
    "text after the end": one(_text().encode() + b"\n}\n", "went on after the end"),
    "nothing but NUL bytes": one(b"\0" * 1000, "nothing but NUL bytes", points=NOTHING),
    "empty file": one(b"", "the file is empty", points=NOTHING),
    "half a file": one(_text().encode()[:5000], "not valid JSON", points=NOTHING),
    "merge conflict": one(
        _text().replace('"cells": [', '\n<<<<<<< HEAD\n"cells": [', 1).encode(),
        "marks of a merge that git could not finish",
        points=NOTHING,
    ),
    "nested too deeply": one(b"[" * 1_000_000, "nested too deeply", points=NOTHING),
    "a list": one(b"[1, 2]", "JSON, but no notebook", points=NOTHING),
    "no cells": one(b'{"metadata": {}}', "no list of cells", points=NOTHING),
    "a picture": one(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not valid JSON", points=NOTHING),
    "a folder of that name": Mess({f"{LESSON}.ipynb/inside.txt": b"x"}, ("holds no notebook",), NOTHING),
    "no notebook": Mess({"answers.py": b"x = 1\n"}, ("holds no notebook",), NOTHING),
    "cells of odd kinds": one(
        changed(
            lambda nb: nb["cells"].extend(
                [{"cell_type": "heading", "level": 1, "source": "x"}, {}, 5, None, {"cell_type": "code", "source": 3}]
            )
        ),
        "were no cells",
    ),
    "no metadata at all": one(changed(lambda nb: nb.pop("metadata"))),
    HUGE: one(RIGHT, "its outputs were left out"),
    "widget state": one(
        changed(
            lambda nb: nb["metadata"].update(
                widgets={"application/vnd.jupyter.widget-state+json": {"version_major": 2, "state": {"a": 1}}}
            )
        )
    ),
    "widget state without state": one(changed(lambda nb: nb["metadata"].update(widgets={"x": {}}))),
    "skip-execution everywhere": one(
        changed(lambda nb: [cell["metadata"].update(tags=["skip-execution"]) for cell in nb["cells"]]), "skip-execution"
    ),
    "skip-execution and a wrong answer": one(
        changed(
            lambda nb: (
                _cell(nb, SOLUTION).update(source=_code("wrong_raises")),
                [cell["metadata"].update(tags=["skip-execution"]) for cell in nb["cells"]],
            )
        ),
        "skip-execution",
        points=FULL | {CHECK: runpy.run_path(str(EXERCISE / "wrong_raises.py"))["POINTS"]},
    ),
    "solution split, metadata copied": one(changed(lambda nb: _split_solution(nb, True)), "was there 3 times"),
    "solution split, metadata lost": one(changed(lambda nb: _split_solution(nb, False))),
    "solution split, check deleted": one(
        changed(lambda nb: (_split_solution(nb, False), nb["cells"].remove(_cell(nb, CHECK)))), "had been deleted"
    ),
    "magics and shell": one(
        _before(CHECK, "%%time\n1 + 1", "!echo hello", "names = !ls", "%matplotlib inline", "%no_such_magic", "!exit 3")
    ),
    "pip install on top": one(changed(lambda nb: nb["cells"].insert(0, _new("%pip install torch")))),
    "waits for input": one(_before(CHECK, "name = input('Your name? ')")),
    "an endless loop before the last check": one(
        _before(SOLUTION, "while True:\n    pass"), "did not end within 5 s", points=FULL | {CHECK: 0.0}
    ),
    "ends Python before the last check": one(
        _before(SOLUTION, "import os\nos._exit(0)"), "the run broke off in the cell", points=FULL | {CHECK: 0.0}
    ),
    "exit()": one(_before(SOLUTION, "exit()", "import sys\nsys.exit()")),
    "an error in an earlier cell": one(_before(SOLUTION, "1 / 0", "this is no Python")),
    "older version of the course": one(
        changed(lambda nb: nb["metadata"]["inplace_lab"].update(version="0.0.1")), "from version 0.0.1 of the course"
    ),
    "newer version of the course": one(
        changed(lambda nb: nb["metadata"]["inplace_lab"].update(version="99.0")), "from version 99.0 of the course"
    ),
    "timestamp that is none": Mess({f"{LESSON}.ipynb": RIGHT, "timestamp.txt": b"yesterday, about noon \xff"}),
    "script in an answer": one(
        changed(lambda nb: nb["cells"].append(_new("My answer <script>alert(1)</script>", "markdown"))), "held HTML"
    ),
}


def _write(course: Course, student: str, mess: Mess) -> None:
    folder = course.root / "submitted" / student / LESSON
    folder.mkdir(parents=True)
    for name, content in mess.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else _text(content).encode())


def _write_huge(path: Path) -> None:
    """200 MB of outputs, written in pieces."""
    nb = changed(
        lambda nb: _cell(nb, CHECK)["outputs"].append({"output_type": "stream", "name": "stdout", "text": "@"})
    )
    before, after = _text(nb).split('"@"')
    with path.open("w") as file:
        file.write(before + '"')
        for _ in range(200):
            file.write("x" * 2**20)
        file.write('"' + after)


@dataclass(frozen=True)
class Graded:
    course: Course
    log: str
    submitted_before: dict[str, tuple[int, int]]


def _student(kind: str) -> str:
    return re.sub(r"\W+", "_", kind)


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    course = make_course(tmp_path_factory.mktemp("messy") / "course", LESSON)
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write("c.SandboxExecute.cell_seconds = 5\n")
    course.nbgrader("generate_assignment", LESSON)
    for kind, mess in MESSES.items():
        _write(course, _student(kind), mess)
    (course.root / "submitted" / "nothing_at_all" / LESSON).mkdir(parents=True)
    linked = course.root / "submitted" / "links" / LESSON
    linked.mkdir(parents=True)
    (linked / f"{LESSON}.ipynb").write_text(_text())
    os.symlink(course.root / "gradebook.db", linked / "stolen.db")
    os.symlink("nowhere", linked / "dangling")
    _write_huge(course.root / "submitted" / _student(HUGE) / LESSON / f"{LESSON}.ipynb")
    before = _state(course.root / "submitted")
    course.nbgrader("autograde", LESSON)
    (course.root / "submitted" / _student(HUGE) / LESSON / f"{LESSON}.ipynb").unlink()  # the disk is wanted back
    return Graded(course, course.logs[-1], before)


def test_every_kind_has_a_student() -> None:
    assert len({_student(kind) for kind in MESSES}) == len(MESSES)


@pytest.mark.parametrize("kind", MESSES)
def test_a_messy_submission_gets_the_points_it_deserves(graded: Graded, kind: str) -> None:
    points = graded.course.points(_student(kind), LESSON, LESSON)
    assert {name: points[name] for name in FULL} == MESSES[kind].points


@pytest.mark.parametrize("kind", [kind for kind, mess in MESSES.items() if mess.notes])
def test_a_note_says_what_was_done(graded: Graded, kind: str) -> None:
    student = _student(kind)
    nb = graded.course.autograded(student, LESSON, LESSON)
    report = _plain(" ".join(output_text(nb, name) for name in FULL))
    log = _plain("\n".join(line for line in graded.log.splitlines() if student in line))
    for note in MESSES[kind].notes:
        assert _plain(note) in report, report
        if note != "NameError":
            assert _plain(note) in log, log


@pytest.mark.parametrize("kind", [kind for kind, mess in MESSES.items() if not mess.notes])
def test_nothing_is_said_where_nothing_was_done(graded: Graded, kind: str) -> None:
    nb = graded.course.autograded(_student(kind), LESSON, LESSON)
    assert "Note: " not in " ".join(output_text(nb, name) for name in FULL)


@pytest.mark.parametrize("kind", [kind for kind, mess in MESSES.items() if mess.points is not NOTHING])
def test_the_written_answer_still_waits_for_a_person(graded: Graded, kind: str) -> None:
    assert _written(graded.course, _student(kind)) == (None, True)
    assert TASK in map(grade_id, graded.course.autograded(_student(kind), LESSON, LESSON).cells)


@pytest.mark.parametrize("kind", [kind for kind, mess in MESSES.items() if mess.points is NOTHING])
def test_where_there_is_nothing_to_grade_nobody_is_asked_to(graded: Graded, kind: str) -> None:
    assert _written(graded.course, _student(kind)) == (0, False)


def test_an_empty_submission_gets_0(graded: Graded) -> None:
    points = graded.course.points("nothing_at_all", LESSON, LESSON)
    assert {name: points[name] for name in FULL} == NOTHING
    assert "holds no notebook" in output_text(graded.course.autograded("nothing_at_all", LESSON, LESSON), PREDICTIONS)


def test_links_in_a_submission_are_not_followed(graded: Graded) -> None:
    points = graded.course.points("links", LESSON, LESSON)
    assert {name: points[name] for name in FULL} == FULL
    folder = graded.course.root / "autograded" / "links" / LESSON
    assert [path.name for path in folder.iterdir()] == [f"{LESSON}.ipynb"]


def test_a_script_of_a_student_does_not_reach_the_grader(graded: Graded) -> None:
    nb = graded.course.autograded("script_in_an_answer", LESSON, LESSON)
    assert "My answer &lt;script>alert(1)&lt;/script>" in [cell.source for cell in nb.cells]


def test_the_submissions_stay_as_they_were(graded: Graded) -> None:
    huge = f"{_student(HUGE)}/{LESSON}/{LESSON}.ipynb"
    before = {name: state for name, state in graded.submitted_before.items() if name != huge}
    assert _state(graded.course.root / "submitted") == before


def test_the_whole_class_is_there(graded: Graded) -> None:
    with Gradebook(f"sqlite:///{graded.course.root / 'gradebook.db'}") as gradebook:
        students = {submission.student.id for submission in gradebook.assignment_submissions(LESSON)}
    assert students == {*map(_student, MESSES), "nothing_at_all", "links"}
    assert "error processing" not in graded.log.lower()


def _written(course: Course, student: str) -> tuple[float | None, bool]:
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        grades = gradebook.find_submission_notebook(LESSON, LESSON, student).grades
        return next((grade.auto_score, grade.needs_manual_grade) for grade in grades if grade.name == TASK)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)
