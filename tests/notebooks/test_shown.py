"""What a self-study notebook shows before it is run: a still for each explorer, picture and table, kept by its state.

That the committed stills show what torch does now is part of `test_committed_editions_equal_a_fresh_build`.
"""

from __future__ import annotations

import ast
import base64
import copy
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.__main__ import main
from autograder.editions import SET_UP, EditionError, read, shown, text_of, write
from autograder.editions.build import lessons
from autograder.editions.release import EDITION
from autograder.editions.shown import STATE, illustrate, states
from tests.tools import ROOT

NOTEBOOKS = [ROOT / "notebooks" / f"{lesson.notebook}.ipynb" for lesson in lessons(ROOT)]
MOST = 60_000  # characters of a picture in base64: about 45 kB

EXPLORER = "inplace_lab.Explorer('exp', mutation='mul_')"


def notebook(*cells: str) -> NotebookNode:
    made = [new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(cells, start=1)]
    return new_notebook(cells=[new_code_cell(SET_UP, id="set_up"), *made])


def stills(nb: NotebookNode, before: NotebookNode | None = None) -> dict[str, list[NotebookNode]]:
    [shown_now] = illustrate({"a lesson": nb}, {"a lesson": before} if before else {}).values()
    return {cell.id: cell.outputs for cell in shown_now.cells if cell.outputs}


# The committed notebooks


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_can_be_read_without_running_it(path: Path) -> None:
    nb = read(path)
    nbformat.validate(nb)
    assert "widgets" not in nb.metadata
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        assert cell.execution_count is None
        if _shows(cell.source):
            assert cell.outputs, f"{cell.id} shows nothing: run `make notebooks`"
        for output in cell.outputs:
            assert output.output_type == "display_data"
            assert output.metadata[EDITION][STATE]
            assert set(output.data) in ({"image/png", "text/plain"}, {"text/html", "text/plain"})
            if "image/png" in output.data:
                assert base64.b64decode(output.data["image/png"]).startswith(b"\x89PNG")
                assert len(output.data["image/png"]) < MOST
                assert len(output.metadata["image/png"].alt) > 100
                assert output.metadata["image/png"].alt in output.data["text/plain"]


def _shows(source: str) -> bool:
    """Whether a cell ends in an explorer, a picture or a table that its own text names."""
    try:
        last = ast.parse(source).body[-1]
    except (SyntaxError, IndexError):
        return False
    call = last.value if isinstance(last, ast.Expr) else None
    name = getattr(getattr(call, "func", None), "id", "")
    return name in ("Explorer", "show", "table")


def test_the_page_that_nbconvert_makes_has_the_picture_and_its_alt_text() -> None:
    nb = read(ROOT / "notebooks" / "start_here.ipynb")
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(nb)
    [picture] = re.findall(r"<img [^>]*>", page)
    assert 'src="data:image/png;base64,' in picture
    assert 'alt="The program after line' in picture


# One lesson


def test_explorers_pictures_tables_and_sheets_get_a_still() -> None:
    nb = notebook(
        f"print('words')\n{EXPLORER}",
        "from inplace_lab import Experiment, show\nshow(Experiment('pow'))",
        "from inplace_lab.table import table\ntable(inplace_lab.cases()[:3])",
        "sheet = inplace_lab.cheat_sheet()\nsheet",
        f"for _ in range(2):\n    display({EXPLORER})",
        "torch.ones(3)",
        "'text'",
        f"{EXPLORER};",
    )
    found = stills(nb)
    kinds = {cell: [set(output.data) for output in outputs] for cell, outputs in found.items()}
    picture, page = {"image/png", "text/plain"}, {"text/html", "text/plain"}
    expected = {"cell-1": [picture], "cell-2": [picture], "cell-3": [page], "cell-4": [page], "cell-5": [picture] * 2}
    assert kinds == expected, "other outputs, and those that a semicolon hides, are not shown"
    [explorer] = found["cell-1"]
    assert explorer.data["text/plain"].startswith(" 1  import torch")
    assert "Backward is refused" in explorer.metadata["image/png"].alt
    assert explorer.metadata[EDITION] == found["cell-5"][0].metadata[EDITION] != found["cell-2"][0].metadata[EDITION]
    assert "Which tensors may I change in place?" in found["cell-4"][0].data["text/plain"]


def test_a_still_is_kept_while_its_state_is_the_same() -> None:
    nb = notebook(EXPLORER)
    [first] = illustrate({"a lesson": nb}, {}).values()
    first.cells[1].outputs[0].data["image/png"] = "drawn elsewhere"
    again = stills(nb, before=first)["cell-1"][0]
    assert again.data["image/png"] == "drawn elsewhere"
    other = stills(notebook(EXPLORER.replace("mul_", "add_")), before=first)["cell-1"][0]
    assert other.data["image/png"] != "drawn elsewhere"
    assert other.metadata[EDITION] != again.metadata[EDITION]


def test_the_same_lesson_gives_the_same_bytes_twice() -> None:
    nb = notebook(EXPLORER)
    assert stills(nb) == stills(nb)


def test_the_version_of_torch_is_no_part_of_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from inplace_lab import cheat_sheet

    before = shown._output(cheat_sheet(), {})
    monkeypatch.setattr(torch, "__version__", "99.0")
    after = shown._output(cheat_sheet(), {})
    assert before["data"] != after["data"]
    assert before["metadata"] == after["metadata"]


def test_a_lesson_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stills(notebook("inplace_lab.cheat_sheet().save('sheet.html')"))
    assert list(tmp_path.iterdir()) == []


def test_a_check_is_not_run_for_a_reader() -> None:
    assert stills(notebook("# grade id: x_check (keep this line)\ncheck('no such exercise', 1)")) == {}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\nx / 0", r"^a lesson: cell 'cell-1' \('x = 1'\) raises ZeroDivisionError: division by zero$"),
        ("for", r"^a lesson: cell 'cell-1' \('for'\) raises SyntaxError"),
        ("import os\nos._exit(0)", r"^a lesson: a cell has ended the process that ran it"),
        ("while True: pass", r"^a lesson: its cells ran for more than 6 seconds"),
    ],
)
def test_a_lesson_that_cannot_be_run_is_named(source: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "SECONDS", 6)
    stills(notebook())  # the process that others are forked from is up
    with pytest.raises(EditionError, match=said):
        stills(notebook(source))


# A course


def test_what_a_notebook_shows_is_held_against_torch(
    sample_course: Path, run_notebook: Callable[[NotebookNode], NotebookNode], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("sample", "start_here"):
        source = sample_course / "source" / name / f"{name}.ipynb"
        nb = read(source)
        write(source, text_of(NotebookNode({**nb, "cells": [*nb.cells, new_code_cell(EXPLORER)]})))
    command = ["--course", str(sample_course), "editions"]
    assert main(command) == 0
    fresh = {name: read(sample_course / "notebooks" / f"{name}.ipynb") for name in ("sample", "start_here")}

    # Other pixels of the same state are nobody's business. Another state is, and the command that is named mends it.
    drawn_elsewhere, stale = copy.deepcopy(fresh["sample"]), copy.deepcopy(fresh["start_here"])
    _output_of(drawn_elsewhere).data["image/png"] = "iVBORw0KGgo="
    _output_of(stale).metadata[EDITION][STATE] = "0" * 16
    write(sample_course / "notebooks" / "sample.ipynb", text_of(drawn_elsewhere))
    write(sample_course / "notebooks" / "start_here.ipynb", text_of(stale))
    capsys.readouterr()
    assert main([*command, "--check"]) == 1
    assert capsys.readouterr().out == (
        "notebooks/start_here.ipynb shows pictures or tables that are out of date\nRun `make notebooks` to mend this.\n"
    )
    assert main(command) == 0
    assert read(sample_course / "notebooks" / "start_here.ipynb") == fresh["start_here"]
    assert read(sample_course / "notebooks" / "sample.ipynb") == drawn_elsewhere
    assert not list(sample_course.glob("notebooks/*-mine-*")), "a notebook with stills alone was not run by anybody"

    # Who runs the cell gets the widget in the place of the still.
    [cell] = states(fresh["start_here"])
    ran = run_notebook(copy.deepcopy(fresh["start_here"]))
    [output] = next(one for one in ran.cells if one.id == cell).outputs
    assert "application/vnd.jupyter.widget-view+json" in output.data and EDITION not in output.metadata


def _output_of(nb: NotebookNode) -> NotebookNode:
    [cell] = states(nb)
    return next(one for one in nb.cells if one.id == cell).outputs[0]
