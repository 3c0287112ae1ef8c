"""nbgrader in a real JupyterLab, with the buttons that an instructor presses."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

GRADING_MS = 120_000  # the first submission that a server grades also imports torch


@dataclass(frozen=True)
class Finished:
    """What Formgrader says when a step is done: the title and the text of its window, and the log that it shows."""

    title: str
    text: str
    log: str


@dataclass(frozen=True)
class Formgrader:
    """Formgrader, which is a page of its own in a frame of JupyterLab."""

    page: Page

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("#formgrader-iframe iframe")

    def show(self, *links: str) -> None:
        """Follow links by their texts, from the list of assignments on."""
        for link in ("Manage Assignments", *links):
            self.frame.get_by_role("link", name=link, exact=True).first.click()

    def submissions(self, assignment: str) -> None:
        """Show the submissions of an assignment, by the link with their number."""
        self.show()
        self.press(assignment, "num-submissions")
        expect(self.frame.locator(".breadcrumb .active")).to_have_text(assignment)

    def row(self, name: str) -> Locator:
        """The row of the table that has this text in a cell: an assignment, a student."""
        cell = self.page.locator("td", has_text=re.compile(rf"^\s*{re.escape(name)}\s*$"))  # sought in each row
        return self.frame.locator("#main-table tr").filter(has=cell)

    def cell(self, name: str, column: str) -> Locator:
        """A cell of that row by its column: `status`, `score`, `num-submissions`, `autograde` and more."""
        return self.row(name).locator(f".{column}")

    def press(self, name: str, column: str) -> None:
        """Press the button in a cell: `assign` (generate), `autograde`, `generate-feedback` and more."""
        self.cell(name, column).locator("a").click()

    def step(self, name: str, column: str) -> Finished:
        """Press the button in a cell, wait until the step is done and close its window."""
        self.press(name, column)
        seen = self.finished()
        self.close_window()
        return seen

    def by_hand(self, assignment: str, notebook: str) -> None:
        """Open the first submission of a notebook for grading by hand."""
        self.show("Manual Grading")
        for name in (assignment, notebook):
            expect(self.frame.locator("#main-table")).to_contain_text(name)
            self.frame.locator("#main-table").get_by_role("link", name=name, exact=True).click()
        self.frame.locator("#main-table").get_by_role("link", name="Submission #1", exact=True).click()

    def task(self, grade_id: str) -> Locator:
        """A cell of that page by its grade id: the question, the mark scheme, fields for points and a comment."""
        return self.frame.locator(".nbgrader_cell", has=self.page.locator(f"input.score#{grade_id}"))

    def leave(self) -> None:
        """Go back from grading by hand to the lists."""
        self.frame.get_by_role("link", name="Manual Grading", exact=True).first.click()
        self.frame.locator("#main-table").wait_for()

    def finished(self) -> Finished:
        """Wait for the window that ends a step, with its log in view."""
        window = self.frame.locator(".modal.in")
        window.wait_for(timeout=GRADING_MS)
        log = window.locator("pre").first
        return Finished(
            window.locator(".modal-title").inner_text(),
            window.locator(".modal-body p").first.inner_text(),
            log.inner_text() if log.count() else "",
        )

    def close_window(self) -> None:
        """Press its button, and wait until it has faded away."""
        self.frame.locator(".modal.in").get_by_role("button", name="OK").click()
        expect(self.frame.locator(".modal, .modal-backdrop")).to_have_count(0)


@contextlib.contextmanager
def opened(browser: Browser, address: str, width: int = 1400, height: int = 1000) -> Iterator[Page]:
    """JupyterLab in a new page, ready to be used."""
    page = browser.new_page(viewport={"width": width, "height": height})
    try:
        page.goto(f"{address}/lab?reset")
        page.wait_for_function("() => window.jupyterapp?.shell !== undefined")
        page.evaluate("async () => { await window.jupyterapp.restored }")
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        yield page
    finally:
        page.close()


def choose(page: Page, menu: str, entry: str) -> None:
    """Choose an entry of JupyterLab's menu bar with the mouse."""
    page.get_by_role("menuitem", name=menu, exact=True).click()
    # By its whole label: a longer entry may begin with the same words, and be hidden.
    page.locator(".lm-Menu-item:visible").filter(has=page.get_by_text(entry, exact=True)).click()


def formgrader(page: Page) -> Formgrader:
    """Open Formgrader from the menu."""
    choose(page, "Nbgrader", "Formgrader")
    found = Formgrader(page)
    found.frame.locator("#main-table").wait_for(timeout=60_000)
    return found
