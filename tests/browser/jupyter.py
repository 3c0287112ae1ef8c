"""A real JupyterLab on a free port of this machine, and notebooks driven in it by Chromium."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.repository.lab import free_port
from tests.tools import ROOT

CHROMIUM_FLAGS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SETTINGS = {
    # The news pop-up covers the page; a notebook drawn in a window shows only some of its cells to a test.
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


@contextlib.contextmanager
def jupyterlab(folder: Path, home: Path) -> Iterator[str]:
    """Serve ``folder`` with a JupyterLab whose settings live in ``home``; yields its address and ends it afterwards."""
    port = free_port()
    (home / "settings").mkdir(parents=True, exist_ok=True)
    (home / "settings" / "overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password=", "--allow-root"]
    command += ["--LabApp.expose_app_in_browser=True", f"--LabServerApp.app_settings_dir={home / 'settings'}"]
    command += [f"--LabApp.app_settings_dir={home / 'settings'}", "--KernelManager.transport_encryption=auto"]
    with serve(command, port, folder, environment, home / "jupyterlab.log") as address:
        yield address


@contextlib.contextmanager
def serve(command: list[str], port: int, folder: Path, environment: dict[str, str], log: Path) -> Iterator[str]:
    """Run a server in a process group of its own until it answers; yields its address and ends it afterwards."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_up(address, process, log)
        yield address
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def _wait_until_up(address: str, process: subprocess.Popen, log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"{address}/api", timeout=5).close()
            return
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(f"The server did not come up:\n{log.read_text(errors='replace')[-3000:]}")
        time.sleep(0.1)  # polling a server that has no signal for "up"


@contextlib.contextmanager
def chromium(executable: str) -> Iterator[Browser]:
    """The system's Chromium, headless."""
    flags = CHROMIUM_FLAGS + (["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=flags)
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True)
class Notebook:
    """A notebook that is open in JupyterLab."""

    page: Page

    def run_all(self) -> None:
        """Run every cell and wait until the kernel is done."""
        self.page.evaluate("async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells') }")
        self.page.wait_for_function(
            """() => {
                const panel = window.jupyterapp.shell.currentWidget;
                const code = panel.content.widgets.filter(cell => cell.model.type === 'code');
                const idle = panel.sessionContext.session?.kernel?.status === 'idle';
                return idle && code.every(cell => cell.model.executionCount !== null
                                                  || cell.model.sharedModel.source.trim() === '');
            }""",
            timeout=120_000,
        )

    def errors(self) -> list[str]:
        """The names and words of all errors that cells raised, those out of sight included."""
        return self.page.evaluate(
            """() => window.jupyterapp.shell.currentWidget.content.widgets
                .filter(cell => cell.model.type === 'code')
                .flatMap(cell => cell.model.outputs.toJSON())
                .filter(output => output.output_type === 'error')
                .map(output => `${output.ename}: ${output.evalue}`)"""
        )

    def theme(self, name: str) -> None:
        """Switch JupyterLab to the theme ``name`` and wait until its style is in force."""
        self.page.evaluate("name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", name)
        self.page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")  # it fades away over the page

    def explorers(self) -> list[Explorer]:
        """The explorers on the page, in order."""
        self.page.wait_for_selector(".ipl-explorer .ipl-picture", timeout=60_000)
        return [Explorer(root) for root in self.page.locator(".ipl-explorer").all()]


@dataclass(frozen=True)
class Explorer:
    """An explorer in the page, as somebody with a keyboard and somebody with a screen reader meet it."""

    root: Locator

    @property
    def picture(self) -> Locator:
        return self.root.locator(".ipl-picture")

    @property
    def verdict(self) -> str:
        """What a screen reader is told."""
        return self.root.locator("[role=status]").last.inner_text()

    @property
    def alts(self) -> list[str]:
        """The alt texts of the pictures."""
        return [svg.get_attribute("aria-label") for svg in self.root.locator("svg[role=img]").all()]

    def slider(self, label: str) -> Locator:
        """The handle of the slider with this label."""
        return (
            self.root.locator(".widget-inline-hbox, .widget-hslider")
            .filter(has=self.root.page.get_by_text(label, exact=True))
            .locator(".noUi-handle, .ui-slider-handle")
            .first
        )

    def sliders(self) -> list[str]:
        """The labels of the sliders shown, but for the one that steps through the lines."""
        labels = self.root.locator(".widget-label:not(.widget-readout)").all_inner_texts()
        return [label for label in labels if label and label != "line"]

    def press(self, label: str, key: str) -> None:
        """Press a key on a slider, and wait until the picture is another one."""
        before = self.picture.inner_html()
        handle = self.slider(label)
        handle.focus()
        handle.press(key)
        self.root.page.wait_for_function(
            "([picture, before]) => picture.isConnected ? picture.innerHTML !== before : true",
            arg=[self.picture.element_handle(), before],
        )


@contextlib.contextmanager
def notebook(browser: Browser, address: str, path: str, width: int = 1400, height: int = 1000) -> Iterator[Notebook]:
    """Open a notebook in a new page."""
    page = browser.new_page(viewport={"width": width, "height": height})
    try:
        page.goto(f"{address}/lab/tree/{path}?reset")
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext !== undefined")
        page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.sessionContext.ready }")
        page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        yield Notebook(page)
    finally:
        page.close()
