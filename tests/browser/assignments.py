"""What a student does in JupyterLab: the Assignment List, a notebook, the Validate button."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.formgrader import choose

VALIDATING_MS = 120_000  # a kernel starts, imports torch and runs the whole notebook
FIND = """id => window.jupyterapp.shell.currentWidget.content.widgets.findIndex(
    cell => cell.model.sharedModel.getMetadata('nbgrader')?.grade_id === id)"""


@dataclass(frozen=True)
class AssignmentList:
    """The list of what is released, fetched and submitted."""

    page: Page

    def items(self, state: str) -> Locator:
        """The rows of a list: `released`, `fetched` or `submitted`."""
        return self.page.locator(f"#{state}_assignments_list > .list_item")

    def fetch(self, assignment: str) -> None:
        self.items("released").filter(has_text=assignment).get_by_role("button").click()
        self.items("fetched").filter(has_text=assignment).wait_for()
        self.page.wait_for_load_state("networkidle")  # the list is drawn anew

    def open(self, assignment: str, notebook: str) -> None:
        """Unfold a fetched assignment, and open a notebook of it."""
        row = self.items("fetched").filter(has_text=assignment)
        row.locator(".assignment-notebooks-link").click()
        row.locator(".nested_list_item").get_by_role("link", name=notebook, exact=True).click()
        self.page.wait_for_function("() => window.jupyterapp.shell.currentWidget?.content?.widgets?.length > 3")
        self.page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.sessionContext.ready }")

    def submit(self, assignment: str) -> None:
        self.page.get_by_role("tab", name="Assignments").click()
        row = self.items("fetched").filter(has_text=assignment)
        row.get_by_role("button", name="Submit", exact=True).click()
        self.items("submitted").filter(has_text=assignment).wait_for()

    def fetch_feedback(self, assignment: str) -> None:
        """Fetch what was released, and go to its folder by the link that then appears."""
        row = self.items("submitted").filter(has_text=assignment)
        row.get_by_role("button", name="Fetch Feedback").click()
        row.get_by_text("(view feedback)").click()


def assignment_list(page: Page) -> AssignmentList:
    """Open the list from the menu."""
    choose(page, "Nbgrader", "Assignment List")
    page.locator("#released_assignments_list_loading").wait_for(state="hidden")
    return AssignmentList(page)


def write(page: Page, grade_id: str, text: str) -> None:
    """Replace what a cell of the open notebook holds, as somebody does who selects all and types; then save."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(page.evaluate(FIND, grade_id))
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)
    page.keyboard.press("ControlOrMeta+s")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")


def validate(page: Page) -> str:
    """Press Validate in the open notebook; what the window that opens says."""
    page.get_by_role("button", name="Validate", exact=True).click()
    window = page.locator(".nbgrader-ErrorDialog, .nbgrader-SuccessDialog")
    window.wait_for(timeout=VALIDATING_MS)
    return window.inner_text()


def close_window(page: Page) -> None:
    page.locator(".jp-Dialog button").last.click()
    expect(page.locator(".jp-Dialog")).to_have_count(0)
