"""The doctor's cell magic in a real JupyterLab: the report stands under the cell, with both lines and their code."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import write_notebook
from tests.browser.jupyter import DARK, notebook

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SILENT = """%%diagnose
x = torch.ones(3, requires_grad=True)
y = x.sigmoid()
y.data[0] = 5
y.sum().backward()"""
REFUSED = SILENT.replace(".data", "")


def test_a_report_under_the_cell(lab: str, lessons: Path, browser: Browser, screenshots: Path) -> None:
    name = write_notebook(lessons / "doctor_magic.ipynb", "%load_ext inplace_lab", SILENT, REFUSED)
    with notebook(browser, lab, name) as opened:
        opened.run_all()
        reports = opened.page.locator(".jp-OutputArea-output .ipl")
        silent, refused = reports.nth(0).inner_text(), reports.nth(1).inner_text()
        for number in range(2):
            reports.nth(number).screenshot(path=screenshots / f"doctor-{number}.png")
        opened.theme(DARK)
        reports.nth(1).screenshot(path=screenshots / "doctor-1-dark.png")
        errors = opened.errors()
    assert "by luck" in silent and "y.data[0] = 5" in silent and "y = x.sigmoid()" in silent
    assert "y[0] = 5" in refused and "y = x.sigmoid()" in refused and "version 0" in refused
    assert [one.split(":")[0] for one in errors] == ["RuntimeError"], (
        "the second cell raises what torch raised, and the first raises nothing"
    )
