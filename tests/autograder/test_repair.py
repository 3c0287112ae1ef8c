"""Reading and repairing submissions: the rules. tests/nbgrader/test_messy.py has them through nbgrader."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbconvert import HTMLExporter

from autograder import repair
from autograder.editions.notebook import grade_id
from autograder.repair import Known, Unreadable, choosing, finding, slimming
from tests.tools import ROOT

KNOWN = (
    Known("set_up", "code", "import torch", locked=True),
    Known("f_solution", "code", "def f():\n    # YOUR CODE HERE\n    pass", solution=True),
    Known("f_check", "code", '# grade id: f_check (keep this line)\ncheck("f", f)', True, locked=True, points=2.0),
    Known("g_solution", "code", "def g():\n    # YOUR CODE HERE\n    pass", solution=True),
    Known("g_check", "code", '# grade id: g_check (keep this line)\ncheck("g", g)', True, locked=True, points=3.0),
    Known("task", "markdown", "Why? Say it in two sentences.", locked=True, task=True, points=1.0),
)
BY_ID = {item.grade_id: item for item in KNOWN}


def notebook(*cells: dict | str) -> nbformat.NotebookNode:
    """A submission: a name is that cell of the assignment with its metadata, other text is code of the student's."""
    found = []
    for number, cell in enumerate(cells):
        if isinstance(cell, str) and cell in BY_ID:
            item = BY_ID[cell]
            cell = {"cell_type": item.cell_type, "source": item.source, "metadata": {"nbgrader": {"grade_id": cell}}}
        elif isinstance(cell, str):
            cell = {"cell_type": "code", "source": cell, "metadata": {}}
        found.append({"id": f"c{number}", **cell})
    nb, _ = repair.read(json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode())
    return nb


def restored(*cells: dict | str) -> list[str]:
    """The order after the repair: grade ids, and the text of the student's own cells."""
    nb, _ = repair.restore(notebook(*cells), KNOWN)
    nbformat.validate(nb)
    assert all(cell.metadata.nbgrader == BY_ID[grade_id(cell)].metadata() for cell in nb.cells if grade_id(cell))
    return [grade_id(cell) or cell.source for cell in nb.cells]


ORDER = [item.grade_id for item in KNOWN]


@pytest.mark.parametrize(
    "cells",
    [
        ORDER,
        ["f_check", *(name for name in ORDER if name != "f_check")],
        [*(name for name in ORDER if name != "set_up"), "set_up"],
        [name for name in ORDER if not name.endswith("_check")],
        [name for name in ORDER if name not in ("set_up", "task")],
        ["f_check", "set_up", "f_solution", "g_check", "g_solution", "task"],
    ],
)
def test_instructors_cells_come_to_stand_where_they_belong(cells: list[str]) -> None:
    assert restored(*cells) == ORDER


def test_a_students_own_cells_stay_where_they_are() -> None:
    own = ["set_up", "a = 1", "f_solution", "b = 2", "f_check", "c = 3", "g_solution", "g_check", "task", "d = 4"]
    assert restored(*own) == own


def test_a_check_is_put_behind_the_last_cell_that_defines_its_name() -> None:
    cells = ["set_up", "f_solution", "x = 1", "def f():\n    return 1", "y = 2", "g_solution", "g_check", "task"]
    assert restored(*cells) == [*cells[:4], "f_check", *cells[4:]]


def test_a_deleted_solution_stays_away() -> None:
    cells = ["set_up", "def f():\n    return 1", "f_check", "g_solution", "g_check", "task"]
    assert restored(*cells) == ["set_up", "f_solution", *cells[2:]]  # found by the name that it defines
    assert "g_solution" not in restored("set_up", "f_solution", "f_check", "g_check", "task")


def test_without_metadata_cells_are_found_by_their_text() -> None:
    cells = [{"cell_type": item.cell_type, "source": item.source + "\n", "metadata": {}} for item in KNOWN]
    assert restored(*cells) == ORDER


def test_of_copies_the_last_counts() -> None:
    cells = ["set_up", "f_check", "f_solution", "f_check", "g_solution", "g_check", "task"]
    assert restored(*cells) == ["set_up", BY_ID["f_check"].source, *cells[2:]]


def test_a_locked_cell_gets_the_instructors_text_and_a_note() -> None:
    changed = {"cell_type": "code", "source": "2.0", "metadata": {"nbgrader": {"grade_id": "f_check", "points": 99}}}
    nb, notes = repair.restore(notebook("set_up", "f_solution", changed, *ORDER[3:]), KNOWN)
    assert nb.cells[2].source == BY_ID["f_check"].source
    assert nb.cells[2].metadata.nbgrader.points == 2.0
    assert [(note.grade_id, note.text) for note in notes] == [
        ("f_check", "The cell's text had been changed; the instructor's own was put back.")
    ]


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a < b and c > d", "a < b and c > d"),
        ("**bold** <b>bold</b> <br/> <details><summary>x</summary></details>", None),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
        ("<b onclick=f()>x</b>", "&lt;b onclick=f()>x&lt;/b>"),
        ("<!-- x --><SCRIPT>1</SCRIPT>", "&lt;!-- x -->&lt;SCRIPT>1&lt;/SCRIPT>"),
    ],
)
def test_html_that_can_act_is_shown_as_text(text: str, shown: str | None) -> None:
    own = {"cell_type": "markdown", "source": text, "metadata": {}}
    assert restored(*ORDER, own)[-1] == (text if shown is None else shown)
    nb, _ = repair.restore(notebook(*ORDER, own), KNOWN, trusted=frozenset([text]))
    assert nb.cells[-1].source == text


@pytest.mark.parametrize(
    "source, names",
    [
        ("def f(): pass\nasync def g(): pass\nclass A: pass", {"f", "g", "A"}),
        ("x = 1\ny: int = 2\nz += 1\nd |= {}", {"x", "y", "z", "d"}),
        ("d['a'] = 1\nd2.update({})\no.a = 1", {"d", "d2", "o"}),
        ("    x = 1\nx == 2\nprint(x)\nf(a=1)", set()),
        ("def f(:\n  broken", {"f"}),
    ],
)
def test_the_names_that_a_cell_defines(source: str, names: set[str]) -> None:
    assert finding.bound(source) == names


@pytest.mark.parametrize(
    "stem, name",
    [
        ("masked_exp (1)", "masked_exp"),
        ("masked_exp-Copy1", "masked_exp"),
        ("masked_exp copy 2", "masked_exp"),
        ("masked_exp_final_2", "masked_exp"),
        ("pow - Kopie (3)", "pow"),
        ("a1x", "a1x"),
    ],
)
def test_the_name_without_the_marks_of_a_copy(stem: str, name: str) -> None:
    assert choosing.without_copy_marks(stem) == name


TIMED = """
import time
from autograder.repair import choosing, finding
text = {text}
began = time.process_time()
{function}(text)
assert time.process_time() - began < 5
"""


@pytest.mark.parametrize(
    "function, text",
    [
        ("choosing.without_copy_marks", '"1" * 250 + "x"'),
        ("choosing.without_copy_marks", '"copy 1" * 40 + "x"'),
        ("finding.bound", '"a" + " " * 900_000'),
        ("finding.bound", '"a" + "\\n" * 900_000'),
        ("finding.bound", '"def " + " " * 900_000'),
    ],
)
def test_a_text_made_to_keep_a_search_busy_does_not(function: str, text: str) -> None:
    """In a process of its own: a search that never ends cannot be interrupted."""
    program = TIMED.format(text=text, function=function)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr


HARMFUL = [
    "[a](javascript:alert(1))",
    "[a][x]\n\n[x]: JaVaScRiPt:alert(1)",
    "[a](java&#x73;cript:alert(1))",
    "[a](javascript&colon;alert(1))",
    "[a](javascript\\:alert(1))",
    "[a](java&Tab;script:alert(1))",
    "[a](javascript:\u200balert(1))",
    "![a](javascript:alert(1))",
    "[a](vbscript:x)",
    "[a](data:text/html,alert)",
    r"$\href{javascript:alert(1)}{a}$",
    r"$$\style{background:red}{x}$$",
    r"$\mmlToken{mi}[href=x]{a}$",
    r"\\(\hr&#101;f{x}{a}\\)",
    "![a](attachment\\:none.png)",
]


@pytest.mark.parametrize("kind", ["own", "answer"])
@pytest.mark.parametrize("text", HARMFUL)
def test_links_and_formulas_that_can_act_are_broken(text: str, kind: str) -> None:
    known = (*KNOWN, Known("answer", "markdown", "Write here.", grade=True, solution=True, points=1.0))
    meta = {"nbgrader": {"grade_id": "answer"}} if kind == "answer" else {}
    nb, notes = repair.restore(notebook(*ORDER, {"cell_type": "markdown", "source": text, "metadata": meta}), known)
    assert [note.text for note in notes if "can run a script" in note.text]
    page = HTMLExporter(template_name="basic").from_notebook_node(nb)[0]
    assert not re.search(r"(?i)(?:href|src)=.(?:java|vb|data:text)|\\(?:href|style|mmlToken)", page)
    again, notes = repair.restore(nb, known)
    assert [cell.source for cell in again.cells] == [cell.source for cell in nb.cells]
    assert notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "See [the page](https://example.org/a?b=1&c=2) and <b>that</b>: done.",
        r"$\frac{\partial y}{\partial x}$ and $\displaystyle y$",
        "![a](data:image/png;base64,AAAA)",
        "The data: a text",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert restored(*ORDER, {"cell_type": "markdown", "source": text, "metadata": {}})[-1] == text


def test_pictures_that_are_not_there_are_named_in_words() -> None:
    text = "![a](attachment:none.png) ![b](attachment:b.svg) ![c](attachment:c.png) [d](attachment:d) ![e][e]\n\n"
    cell = {
        "cell_type": "markdown",
        "source": text + "[e]: attachment:e.png",
        "metadata": {},
        "attachments": {
            "b.svg": {"image/svg+xml": "<svg/>"},
            "c.png": {"image/png": "AAAA"},
            "e.png": {"image/png": 'A" onerror="alert(1)'},
        },
    }
    nb, _ = repair.restore(notebook(*ORDER, cell), KNOWN)
    assert nb.cells[-1].source == (
        "(the picture none.png was left out) (the picture b.svg was left out) ![c](attachment:c.png) [d](left-out-d) "
        "![e][e]\n\n[e]: left-out-e.png"
    )
    assert "data:image/png;base64,AAAA" in HTMLExporter(template_name="basic").from_notebook_node(nb)[0]


def _submission(folder: Path, *names: str, **stamps: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        stamp = stamps.get(path.stem)
        metadata = {"inplace_lab": {"assignment": "a", "notebook": stamp}} if stamp else {}
        path.write_text(json.dumps({"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))


@pytest.mark.parametrize(
    "files, stamps, chosen",
    [
        (["one.ipynb", "two.ipynb"], {}, ["one.ipynb", "two.ipynb"]),
        (["one (1).ipynb", "one.ipynb"], {}, ["one.ipynb", None]),
        (["one (1).ipynb", "TWO-Copy3.ipynb"], {}, ["one (1).ipynb", "TWO-Copy3.ipynb"]),
        (["x.ipynb", "y.ipynb"], {"x": "two", "y": "one"}, ["y.ipynb", "x.ipynb"]),
        (["one.ipynb"], {"one": "two"}, ["one.ipynb", None]),
        (["deep/er/one.ipynb", "deep/two.ipynb"], {}, ["deep/er/one.ipynb", "deep/two.ipynb"]),
        (["deep/one.ipynb", "one.ipynb"], {}, ["one.ipynb", None]),
        (["three.ipynb"], {}, [None, None]),
        ([".hidden/one.ipynb", "__MACOSX/two.ipynb", ".two.ipynb"], {}, [None, None]),
    ],
)
def test_which_file_is_which_notebook(
    tmp_path: Path, files: list[str], stamps: dict[str, str], chosen: list[str | None]
) -> None:
    _submission(tmp_path, *files, **stamps)
    found = repair.choose(tmp_path, "a", {"one": KNOWN, "two": ()})
    assert list(found) == ["one", "two"]
    assert [choice.path and choice.path.relative_to(tmp_path).as_posix() for choice in found.values()] == chosen
    for choice in found.values():
        assert (choice.nb is None) == bool(choice.reason)


@pytest.mark.parametrize("link", ["submitted/bob/a", "submitted/bob"])
def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path, link: str) -> None:
    """It may lead to the instructor's own notebook, or to another student's."""
    _submission(tmp_path / "source" / "a", "one.ipynb")
    (tmp_path / link).parent.mkdir(parents=True)
    (tmp_path / link).symlink_to(tmp_path / "source" / ("a" if link.endswith("/a") else ""))
    assert (tmp_path / "submitted" / "bob" / "a" / "one.ipynb").exists()
    (choice,) = repair.choose(tmp_path / "submitted" / "bob" / "a", "a", {"one": KNOWN}).values()
    assert (choice.path, choice.nb) == (None, None)
    assert choice.reason == "The submission's folder is a link to another place, and links are not followed."


def test_a_large_file_is_read_without_its_outputs(tmp_path: Path) -> None:
    nb = notebook(*ORDER)
    nb.cells[0].outputs = [nbformat.v4.new_output("stream", text="x" * (slimming.LARGE_BYTES + 1))]
    nbformat.write(nb, tmp_path / "large.ipynb")
    found, notes = repair.read_file(tmp_path / "large.ipynb")
    assert [grade_id(cell) for cell in found.cells] == ORDER
    assert found.cells[0].outputs == []
    assert "outputs were left out" in notes[0].text


@pytest.mark.parametrize("text, reason", [("x", "not valid JSON"), ("[", "nested too deeply")])
def test_a_large_file_that_is_no_notebook(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "large.ipynb").write_text(text * (slimming.LARGE_BYTES + 1))
    with pytest.raises(Unreadable, match=reason):
        repair.read_file(tmp_path / "large.ipynb")


def test_code_that_is_too_long_is_refused(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": "x" * 900_000, "metadata": {}} for _ in range(10)]
    (tmp_path / "large.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    with pytest.raises(Unreadable, match="even without its outputs it is longer than 8 MB"):
        repair.read_file(tmp_path / "large.ipynb")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
        "source": st.text() | st.lists(st.text(), max_size=3) | st.sampled_from([item.source for item in KNOWN]) | JSON,
        "metadata": JSON
        | st.fixed_dictionaries({"nbgrader": st.fixed_dictionaries({"grade_id": st.sampled_from(ORDER) | JSON})}),
        "id": st.sampled_from(["a", "b"]) | JSON,
        "outputs": JSON,
        "attachments": JSON,
    },
)
NOTEBOOK = st.fixed_dictionaries(
    {"cells": st.lists(CELL | JSON, max_size=8)}, optional={"metadata": JSON, "nbformat": JSON, "nbformat_minor": JSON}
)


@given(st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_reading_anything_gives_a_notebook_or_a_reason(data: bytes) -> None:
    try:
        nb, _ = repair.read(data)
    except Unreadable as error:
        assert str(error)
    else:
        nbformat.validate(nb)


@given(NOTEBOOK)
def test_repairing_anything_gives_a_valid_notebook_with_every_graded_cell_once(raw: dict) -> None:
    nb, _ = repair.read(json.dumps(raw).encode())
    nb, _ = repair.restore(nb, KNOWN, "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(nb)
    ids = [grade_id(cell) for cell in nb.cells if grade_id(cell)]
    assert len(set(ids)) == len(ids)
    assert {item.grade_id for item in KNOWN if item.locked} <= set(ids)
    places = {name: place for place, name in enumerate(ids)}
    assert places["set_up"] < places["f_check"]
    nbformat.writes(nb).encode("utf-8")
    again, notes = repair.restore(nb, KNOWN, "1")
    assert [cell.source for cell in again.cells] == [cell.source for cell in nb.cells]
    assert notes == ()


def test_a_blank_notebook_holds_the_instructors_cells() -> None:
    nb = repair.blank(KNOWN)
    nbformat.validate(nb)
    assert [grade_id(cell) for cell in nb.cells] == ORDER
