"""One JupyterLab and one Chromium for all browser tests; screenshots are kept in build/screenshots."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser

from tests.browser.jupyter import chromium as run_chromium
from tests.browser.jupyter import jupyterlab
from tests.tools import ROOT

SETUP = "import torch\nimport inplace_lab\nfrom autograder import check\ninplace_lab.setup()"


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the self-study notebooks, and a place for notebooks of a test's own."""
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder)
    return folder


@pytest.fixture(scope="session")
def lab(lessons: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that serves ``lessons``."""
    with jupyterlab(lessons, tmp_path_factory.mktemp("jupyter")) as address:
        yield address


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with run_chromium(chromium) as running:
        yield running


@pytest.fixture(scope="session")
def screenshots() -> Path:
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_notebook(path: Path, *cells: str) -> str:
    """Write a notebook of code cells after the set-up cell; returns its file name."""
    nb = nbformat.v4.new_notebook()
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nb.cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *cells)]
    nbformat.write(nb, path)
    return path.name
