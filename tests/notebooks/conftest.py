"""Running notebooks on fresh kernels, and the sample course."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

from autograder.editions import build
from tests.notebooks.sample import make_course
from tests.tools import ROOT


@pytest.fixture
def run_notebook(tmp_path: Path) -> Callable[[NotebookNode], NotebookNode]:
    """A function that runs a notebook from top to bottom on a fresh kernel of this Python, with real widgets.

    It raises nbclient's CellExecutionError, which quotes the cell, where a cell raises.
    """

    def run(nb: NotebookNode) -> NotebookNode:
        folders = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
        for name in ("INPLACE_LAB_SEED", "NBGRADER_EXECUTION", "NBGRADER_VALIDATING"):
            environment.pop(name, None)
        resources = {"metadata": {"path": str(tmp_path)}}
        config = Config(KernelManager={"transport_encryption": "auto"})  # no warning about TCP for each kernel
        client = NotebookClient(nb, timeout=120, kernel_name="python3", resources=resources, config=config)
        return client.execute(env=environment)

    return run


@pytest.fixture(scope="session")
def _built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    course = make_course(tmp_path_factory.mktemp("built") / "course")
    build(course)
    return course


@pytest.fixture
def built_course(_built_once: Path, tmp_path: Path) -> Path:
    """The same course, in normal form, with both editions built."""
    return Path(shutil.copytree(_built_once, tmp_path / "course"))


@pytest.fixture
def sample_course(tmp_path: Path) -> Path:
    """A course of two lessons, one graded and one not. Nothing is built yet."""
    return make_course(tmp_path / "course")
