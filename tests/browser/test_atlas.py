"""The atlas browser in a real JupyterLab, by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from inplace_lab.atlas import search
from tests.browser.conftest import write_notebook
from tests.browser.jupyter import DARK, notebook

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def wait_for(page: Page, *filters: str) -> None:
    """The kernel answers in its own time: until the count is that of "softmax" with these filters."""
    count = f"{len(search('softmax', filters))} operations"
    said = "document.querySelector('.ipl-atlas [role=status]').textContent"
    page.wait_for_function(f"() => {said}.trim().startsWith('{count}')")


def test_search_choose_and_explore_by_keyboard(lab: str, lessons: Path, browser: Browser, screenshots: Path) -> None:
    name = write_notebook(
        lessons / "atlas_browser.ipynb",
        "from inplace_lab import AtlasBrowser, probe\nAtlasBrowser()",
        "probe(torch.nn.LayerNorm(3), torch.rand(2, 3))",
    )
    with notebook(browser, lab, name) as opened:
        opened.run_all()
        page, root = opened.page, opened.page.locator(".ipl-atlas")
        field = root.get_by_label("search")
        field.focus()
        page.keyboard.type("softmax")
        root.get_by_text("SoftmaxBackward0").first.wait_for()
        root.screenshot(path=screenshots / "atlas-browser.png")
        wait_for(page)
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        wait_for(page, "input may be overwritten")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        wait_for(page, "input may be overwritten", "output may be overwritten")
        page.keyboard.press("Space")
        wait_for(page, "input may be overwritten")
        slider = root.get_by_role("slider")
        while not slider.evaluate("e => e === document.activeElement"):
            page.keyboard.press("Tab")
        first = root.locator(".ipl-entry").first.text_content()
        page.keyboard.press("ArrowRight")  # another variant of softmax
        page.wait_for_function(
            "before => document.querySelector('.ipl-atlas .ipl-entry').textContent !== before", arg=first
        )
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(
            "before => document.querySelector('.ipl-atlas .ipl-entry').textContent === before", arg=first
        )
        root.get_by_role("button", name="Open in the explorer").press("Enter")
        root.locator(".ipl-explorer .ipl-picture svg").first.wait_for()
        root.screenshot(path=screenshots / "atlas-explorer.png")
        assert "torch.softmax(middle" in root.locator(".ipl-explorer .ipl-picture").inner_text()
        page.locator("svg[role=img][aria-label*='LayerNorm keeps']").screenshot(path=screenshots / "probe.png")
        opened.theme(DARK)
        page.locator("svg[role=img][aria-label*='LayerNorm keeps']").screenshot(path=screenshots / "probe-dark.png")
        assert opened.errors() == []
