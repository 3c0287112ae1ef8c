"""Each lesson as a self-learner meets it: opened in JupyterLab, run from top to bottom, every slider moved by keys."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser

from tests.browser.jupyter import DARK, LIGHT, notebook
from tests.tools import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
FIRST = "exp"  # the one that `make test` opens; `make test-all` opens all


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == FIRST else pytest.mark.long) for name in LESSONS]
)
def test_a_lesson_from_top_to_bottom(lab: str, browser: Browser, screenshots: Path, name: str) -> None:
    with notebook(browser, lab, f"{name}.ipynb") as opened:
        opened.run_all()
        assert opened.errors() == []
        source = "\n".join(cell.source for cell in nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4).cells)
        expected = len(re.findall(r"^Explorer\(", source, re.MULTILINE))
        explorers = opened.explorers() if expected else []
        assert len(explorers) == expected
        for number, explorer in enumerate(explorers):
            for label in explorer.sliders():
                explorer.slider(label).press("Home")
            # The mutation first: its Home is "no write", where the other sliders have nothing to change.
            for label in sorted(explorer.sliders(), key=lambda label: label != "mutation"):
                words, alts = explorer.verdict, explorer.alts
                explorer.press(label, "ArrowRight")
                assert explorer.verdict, "the verdict is text"
                assert (explorer.verdict, explorer.alts) != (words, alts)
            for theme in (LIGHT, DARK):
                opened.theme(theme)
                shade = "dark" if theme == DARK else "light"
                for width in (1400, 760):
                    opened.page.set_viewport_size({"width": width, "height": 1000})
                    explorer.root.scroll_into_view_if_needed()
                    explorer.root.screenshot(path=screenshots / f"{name}-explorer-{number}-{width}-{shade}.png")
        opened.theme(LIGHT)
        opened.page.set_viewport_size({"width": 1400, "height": 1000})
        opened.page.evaluate(
            "() => { document.querySelector('.jp-WindowedPanel-outer')?.scrollTo(0, 0);"
            " document.querySelector('.jp-Notebook').scrollTo(0, 0) }"
        )
        opened.page.screenshot(path=screenshots / f"{name}-top.png")
