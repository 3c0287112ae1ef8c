"""The explorer by the same code under Colab's ipywidgets 7.7, in the classic notebook."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import colab
from tests.browser.conftest import write_notebook
from tests.browser.jupyter import Explorer, serve
from tests.repository.lab import free_port
from tests.tools import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.xdist_group("colab")]


@pytest.fixture
def classic(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook with two explorers in a classic notebook server."""
    folder = tmp_path / "work"
    folder.mkdir()
    name = write_notebook(
        folder / "classic.ipynb",
        "from inplace_lab import Explorer",
        "Explorer(offer=('operation', 'target', 'mutation', 'when', 'through'))",
        "Explorer('scale', target='middle', mutation='mul_', when='before_root', predict=True)",
    )
    port = free_port()
    command = [str(colab.python()), "-m", "notebook", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--port-retries=0", "--allow-root", "--NotebookApp.token=", "--NotebookApp.password="]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    environment |= {"JUPYTER_DATA_DIR": str(tmp_path / "data"), "IPYTHONDIR": str(tmp_path / "ipython")}
    with serve(command, port, folder, environment, tmp_path / "server.log") as address:
        yield f"{address}/notebooks/{name}"


def test_the_explorer_works_in_the_classic_notebook(classic: str, browser: Browser, screenshots: Path) -> None:
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    # Widgets that are shown before their manager has asked the kernel for older ones are lost, so wait for that.
    with page.expect_console_message(lambda message: "jupyter.widget.control" in message.text, timeout=60_000):
        page.goto(classic)
    page.evaluate("() => Jupyter.notebook.execute_all_cells()")
    drawn = "() => document.querySelectorAll('.ipl-explorer .ipl-picture svg').length >= 5"
    page.wait_for_function(drawn, timeout=60_000)
    free, asking = (Explorer(root) for root in page.locator(".ipl-explorer").all())
    assert free.sliders() == ["operation", "write to", "mutation", "when", "through"]
    assert "Backward is refused" in free.verdict
    for label, key in [("operation", "ArrowRight"), ("write to", "ArrowLeft"), ("mutation", "ArrowLeft"),
                       ("when", "ArrowRight"), ("through", "ArrowRight")]:  # fmt: skip
        before = free.alts
        free.press(label, key)
        assert free.alts != before, label
    free.root.screenshot(path=screenshots / "classic-explorer.png")
    asking.root.get_by_role("button", name="fails").click()
    asking.root.get_by_text("Score: 0 of 1").wait_for()
    assert "Backward runs" in asking.picture.inner_text()
    page.close()
