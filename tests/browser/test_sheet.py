"""The cheat sheet on paper."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from inplace_lab import cheat_sheet
from tests.tools import ROOT


def test_it_prints_on_one_page(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 1200})
    page.goto(cheat_sheet().save(tmp_path / "sheet.html").as_uri())
    page.screenshot(path=ROOT / "build" / "screenshots" / "cheat_sheet.png", full_page=True)
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    widest = page.evaluate(
        "Math.max(...[...document.querySelectorAll('td')].map(cell => cell.getBoundingClientRect().right))"
    )
    assert widest <= 900, "no table is wider than the page"
