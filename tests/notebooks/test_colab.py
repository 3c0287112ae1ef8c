"""Colab's set-up cells and its edition: what they hold, that they do nothing where the lab is there, what they say."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

import inplace_lab
from autograder.__main__ import main
from autograder.editions import SET_UP, Publication, read
from autograder.editions.colab import name_other_lessons, set_up_from, set_up_with
from autograder.editions.wheel import Wheel, build_wheel

IMPORTS = SET_UP.split("\n", 1)[1]
FROM_THE_TAG = set_up_from(Publication("jane/lab", "v0.1.0"))


@pytest.fixture(scope="module")
def wheel() -> Wheel:
    return build_wheel()


def _never(*arguments: object, **named: object) -> None:
    raise AssertionError(f"a process was started: {arguments}")


@pytest.mark.parametrize("kind", ["from the tag", "with the wheel"])
def test_a_set_up_cell_does_nothing_where_the_lab_is(kind: str, wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = FROM_THE_TAG if kind == "from the tag" else set_up_with(wheel)
    monkeypatch.setattr(subprocess, "run", _never)
    names: dict[str, object] = {}
    exec(cell, names)
    assert names["inplace_lab"] is inplace_lab
    assert callable(names["check"])
    assert cell.endswith(f"\n{IMPORTS}")


def test_the_set_up_cell_of_a_published_course_is_short() -> None:
    lines = FROM_THE_TAG.split("\n")
    assert len(lines) <= 14
    assert max(map(len, lines)) <= 120
    assert "--no-deps" in FROM_THE_TAG


@pytest.mark.parametrize("kind", ["from the tag", "with the wheel"])
def test_a_failed_installation_ends_in_one_sentence(kind: str, wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an environment without the lab, whose pip says no."""
    cell = FROM_THE_TAG if kind == "from the tag" else set_up_with(wheel)
    cell = cell.replace('find_spec("inplace_lab")', 'find_spec("not_there")').replace(f'!= "{wheel.version}"', '!= "0"')
    refused = subprocess.CompletedProcess([], 1, "", "WARNING: tried\nERROR: no such address\n")
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **named: refused)
    with pytest.raises(ImportError, match=r"^The lab could not be installed.*: .* pip: ERROR: no such address$"):
        exec(cell, {})


def test_the_wheel_holds_both_packages_and_is_the_same_every_time(wheel: Wheel) -> None:
    names = zipfile.ZipFile(BytesIO(wheel.content)).namelist()
    assert {"inplace_lab/explorer.py", "autograder/exercises/masked_exp.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name]
    assert wheel.version == inplace_lab.__version__
    mask = os.umask(0o077)
    try:
        assert build_wheel() == wheel
    finally:
        os.umask(mask)


def test_the_wheel_rides_in_the_cell(wheel: Wheel) -> None:
    cell = set_up_with(wheel)
    [text] = re.findall(r'^WHEEL = """\n(.*?)\n"""$', cell, re.MULTILINE | re.DOTALL)
    assert base64.b64decode(text) == wheel.content
    assert cell.startswith("#@title ")
    assert "http" not in cell.replace(text, "")


def test_links_to_other_lessons_become_file_names() -> None:
    text = "See [the start](start_here.ipynb), [a part](exp.ipynb#Round-B), [here](#Round-A), [torch](https://a.org/b.ipynb)."
    [cell] = name_other_lessons(new_notebook(cells=[new_markdown_cell(text)])).cells
    assert cell.source == (
        "See the start (`start_here.ipynb`), a part (`exp.ipynb`), [here](#Round-A), [torch](https://a.org/b.ipynb)."
    )


def test_make_colab_builds_one_file_for_each_lesson(sample_course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--course", str(sample_course), "colab"]
    assert main(command) == 0
    said = capsys.readouterr()
    assert re.search(r"^dist/colab/sample\.ipynb: \d+ kB$", said.out, re.MULTILINE)
    assert re.search(r"^Each of them holds the lab, version [\d.]+ \(\d+ kB\)\.$", said.out, re.MULTILINE)
    assert "building notebooks/sample.ipynb" in said.err
    folder = sample_course / "dist" / "colab"
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(first) == {"sample.ipynb", "start_here.ipynb"}
    for name in first:
        nb = read(folder / name)
        nbformat.validate(nb)
        set_up = next(cell for cell in nb.cells if cell.cell_type == "code")
        assert set_up.metadata == {"cellView": "form", "jupyter": {"source_hidden": True}}
        assert nb.metadata.inplace_lab.edition == "colab"
    assert not (sample_course / "notebooks").exists(), "the other editions are not built by the way"

    worked_in = read(folder / "sample.ipynb")
    worked_in.cells[1].execution_count = 1
    nbformat.write(worked_in, folder / "sample.ipynb")
    (sample_course / "source" / "start_here" / "start_here.ipynb").unlink()
    assert main(command) == 0
    assert "dist/colab/sample-mine-1.ipynb: your copy of sample.ipynb, which had been run" in capsys.readouterr().out
    assert {path.name for path in folder.iterdir()} == {"sample.ipynb", "sample-mine-1.ipynb"}
    assert (folder / "sample.ipynb").read_bytes() == first["sample.ipynb"]
