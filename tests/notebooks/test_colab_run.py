"""The Colab edition by itself: in an environment with Colab's packages, without this project and without a network.

Each notebook installs the lab from its own set-up cell. With the reference solutions it earns every point, as it does
here (`test_a_source_notebook_earns_every_point`); untouched it runs as well, and earns none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

import inplace_lab
from autograder.editions import Publication, build_colab, read
from autograder.editions.build import Lesson, lessons
from autograder.editions.colab import set_up_from
from autograder.editions.notebook import is_check, is_solution, with_cells, with_source
from tests import colab
from tests.repository.conftest import copy_tree
from tests.tools import ROOT

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("colab")]

VERSIONS = [pytest.param("", id="this-python"), pytest.param("3.13", marks=pytest.mark.hardware, id="python-3.13")]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """dist/colab, built from this repository's lessons in another folder."""
    course = tmp_path_factory.mktemp("course")
    for name in ("nbgrader_config.py", "source", "notebooks"):
        (course / name).symlink_to(ROOT / name)
    build_colab(course)
    return course / "dist" / "colab"


def _solved(nb: NotebookNode, source: NotebookNode) -> NotebookNode:
    """The notebook with the source's solutions typed in."""
    solutions = {cell.id: cell.source for cell in source.cells if is_solution(cell)}
    return with_cells(nb, (with_source(cell, solutions.get(cell.id, cell.source)) for cell in nb.cells))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("lesson", lessons(ROOT), ids=lambda lesson: lesson.notebook)
def test_a_notebook_runs_on_its_own_and_earns_its_points(
    lesson: Lesson, version: str, built: Path, tmp_path: Path
) -> None:
    interpreter = colab.python(version)
    alone = colab.fresh(interpreter, tmp_path / "environment")
    source, untouched = read(lesson.path), read(built / f"{lesson.notebook}.ipynb")
    where = nbformat.v4.new_code_cell("print(inplace_lab.__file__)", id="where")
    paths = [tmp_path / "solved.ipynb", tmp_path / "untouched.ipynb"]
    for path, nb in zip(paths, (_solved(untouched, source), untouched), strict=True):
        nbformat.write(with_cells(nb, [*nb.cells, where]), path)

    told = colab.execute(alone, interpreter.parents[1], tmp_path, *paths)

    assert told["interfaces"] == ["lo"] or not shutil.which("bwrap"), "the network is cut off"
    assert "inplace-lab" not in told["before"]
    assert {**told["before"], "inplace-lab": inplace_lab.__version__} == told["after"], "it installed itself alone"
    most = {cell.id: float(cell.metadata.nbgrader.points) for cell in source.cells if is_check(cell)}
    for nb, expected in zip(told["notebooks"], (most, dict.fromkeys(most, 0.0)), strict=True):
        cells = {cell["id"]: cell for cell in nb["cells"] if cell["cell_type"] == "code"}
        outputs = [output for cell in cells.values() for output in cell["outputs"]]
        assert [output for output in outputs if output["output_type"] == "error"] == []
        assert [output["text"] for output in outputs if output.get("name") == "stderr"] == []
        assert cells["where"]["outputs"][0]["text"].startswith(str(tmp_path)), "the lab is the one that it brought"
        assert {name: _points(cells[name]) for name in most} == expected


def _points(cell: dict) -> float:
    [result] = [output for output in cell["outputs"] if output["output_type"] == "execute_result"]
    return float(result["data"]["text/plain"])


def test_the_set_up_cell_of_a_published_course_installs_the_tag(tmp_path: Path) -> None:
    """From a zip file like the one that GitHub makes of a tag. pip fetches what builds it, so the network stays on."""
    tree = copy_tree(ROOT, tmp_path / "archive" / "lab-0.1.0")
    archive = shutil.make_archive(str(tmp_path / "v0.1.0"), "zip", tree.parent, tree.name)
    place = Publication("jane/lab", "v0.1.0")
    cell = set_up_from(place).replace(place.archive, Path(archive).as_uri())
    alone = colab.fresh(colab.python(), tmp_path / "environment")
    hidden = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(source: str) -> str:
        command = [str(alone), "-W", "ignore", "-c", source]
        done = subprocess.run(command, cwd=tmp_path, env=hidden, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    packages = "import importlib.metadata as m\nprint(sorted((d.name, d.version) for d in m.distributions()))"
    before = run(packages)
    assert run(f"{cell}\nprint(inplace_lab.__file__)").startswith(str(tmp_path / "environment"))
    after = run(packages)
    assert after.replace(f"('inplace-lab', '{inplace_lab.__version__}'), ", "") == before, "nothing else was changed"
