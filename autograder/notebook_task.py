"""Run a notebook's cells in this process, in an IPython shell: what the confined child does for the grader.

`execute(request, send)` runs the cells in their order and tells what came of each as it goes, in plain JSON data, so
that the cells before a crash are not lost. It decides nothing. What a student's code does to this process (it may
patch anything here) can at most change what is told about the student's own notebook.

A request:

    {"cells": [{"id": str, "source": str}, ...],    code cells only, ids unique
     "seed": str,                                    of this student and assignment, hexadecimal
     "cell_seconds": float}                          time limit of one cell

Messages, each of them a dictionary with the cell's id under "cell":

    {"state": "started"}
    {"state": "payload", "exercise": str, "payload": str}    a check has collected; JSON text for the judge
    {"state": "done", "outputs": [...], "seconds": float}     nbformat outputs, bounded
    {"state": "time", "outputs": [...], "seconds": float}     the cell ran into its time limit; nothing runs after it

The time limit is kept by a thread that ends the process, so no code can catch it. What holds Python's lock for ever
(one endless call inside C) is left to the sandbox's own limits.
"""

from __future__ import annotations

import builtins
import contextlib
import getpass
import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from os import _exit, getpid  # our own names: a student's code may patch the module's
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from autograder import checking
from autograder.judge import MOST_CHARACTERS, SEED_VARIABLE

Send = Callable[[dict[str, Any]], None]

CELL_SECONDS = 30.0
TEXT_CHARACTERS = 100_000  # of text that one cell may show
RICH_CHARACTERS = 1_000_000  # of one picture, in base64
CELL_OUTPUTS = 200
NOTEBOOK_CHARACTERS = 6_000_000  # of everything that a notebook may show
PAYLOADS = 20  # that one cell may deliver

SHOWN = ("text/plain", "image/png", "image/jpeg")
"""Kinds of output that are kept. Widgets have no state after the run, and a student's HTML could act in the browser of
whoever grades."""


class Shown:
    """The outputs of one cell, bounded while they come."""

    def __init__(self, budget: int) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.text_left = min(TEXT_CHARACTERS, budget)
        self.left = budget
        self.dropped = 0

    def stream(self, name: str, text: str) -> None:
        kept = text[: self.text_left]
        self.dropped += len(text) - len(kept)
        if not kept:
            return
        self._spend(len(kept))
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"].append(kept)
        else:
            self._add({"output_type": "stream", "name": name, "text": [kept]})

    def rich(self, kind: str, data: dict[str, Any], count: int | None = None) -> None:
        kept: dict[str, str] = {}
        for mime, value in data.items():
            if mime not in SHOWN or not isinstance(value, str):
                continue
            limit = self.text_left if mime.startswith("text/") else min(RICH_CHARACTERS, self.left)
            if mime == "text/plain":
                self.dropped += max(0, len(value) - limit)
                value = value[:limit]
            elif len(value) > limit:  # half a picture is none
                self.dropped += len(value)
                continue
            kept[mime] = value
            self._spend(len(value), mime.startswith("text/"))
        if kept:
            output: dict[str, Any] = {"output_type": kind, "data": kept, "metadata": {}}
            self._add(output | {"execution_count": count} if kind == "execute_result" else output)

    def error(self, name: str, text: str, traceback: list[str]) -> None:
        lines = "\n".join(traceback)
        if len(lines) > 20_000:
            lines = f"{lines[:10_000]}\n... shortened ...\n{lines[-10_000:]}"
        self._add({"output_type": "error", "ename": name[:200], "evalue": text[:2000], "traceback": lines.split("\n")})

    def clear(self) -> None:
        self.outputs.clear()

    def plain(self) -> list[dict[str, Any]]:
        """The outputs as nbformat has them."""
        found = [
            {**output, "text": "".join(output["text"])} if output["output_type"] == "stream" else output
            for output in list(self.outputs)
        ]
        if self.dropped:
            note = f"\n... ({self.dropped:,} more characters are not kept)\n"
            found.append({"output_type": "stream", "name": "stdout", "text": note})
        return found

    def _add(self, output: dict[str, Any]) -> None:
        if len(self.outputs) < CELL_OUTPUTS:
            self.outputs.append(output)
        else:
            self.dropped += 1

    def _spend(self, characters: int, text: bool = True) -> None:
        self.left -= characters
        self.text_left = min(self.text_left - (characters if text else 0), self.left)


class Run:
    """One notebook on its way: which cell runs, what it has shown, when its time is up."""

    def __init__(self, send: Send, cell_seconds: float) -> None:
        self.send, self.cell_seconds = send, cell_seconds
        self.process = getpid()
        self.cell = ""
        self.budget = NOTEBOOK_CHARACTERS
        self.shown = Shown(self.budget)
        self.payloads = 0
        self.started = time.monotonic()
        self.deadline: float | None = None
        self.ticking = threading.Condition()
        threading.Thread(target=self._watch, daemon=True).start()

    def start(self, cell: str) -> None:
        self._only_here()
        self.cell, self.shown, self.payloads = cell, Shown(self.budget), 0
        self.send({"cell": cell, "state": "started"})
        self.started = time.monotonic()
        with self.ticking:
            self.deadline = self.started + self.cell_seconds
            self.ticking.notify()

    def finish(self) -> None:
        self._only_here()
        with self.ticking:
            self.deadline = None
        self._tell("done")
        self.budget = max(0, self.shown.left)

    def deliver(self, exercise: str, payload: str) -> None:
        """Hand on what a check collected, as part of the cell that runs.

        Raises:
            ValueError: it is too much.
        """
        self._only_here()
        self.payloads += 1
        if self.payloads > PAYLOADS:
            raise ValueError(f"this cell has handed on {PAYLOADS} answers already.")
        if len(payload) > MOST_CHARACTERS:
            raise ValueError(f"what the answer returned is too long ({len(payload):,} characters).")
        self.send({"cell": self.cell, "state": "payload", "exercise": exercise, "payload": payload})

    def _only_here(self) -> None:
        """A copy of this process that a cell has made (`os.fork`) ends here: only one goes on with the notebook."""
        while getpid() != self.process:
            _exit(0)

    def _tell(self, state: str) -> None:
        seconds = round(time.monotonic() - self.started, 3)
        self.send({"cell": self.cell, "state": state, "outputs": self.shown.plain(), "seconds": seconds})

    def _watch(self, now: Callable[[], float] = time.monotonic, end: Callable[[int], None] = _exit) -> None:
        with self.ticking:
            while True:
                self.ticking.wait(None if self.deadline is None else max(0.0, self.deadline - now()))
                if self.deadline is not None and now() >= self.deadline:
                    try:
                        self._tell("time")
                    finally:
                        end(0)


class Stream(io.TextIOBase):
    """Standard output or error of the cells."""

    encoding = "utf-8"

    def __init__(self, run: Run, name: str) -> None:
        super().__init__()
        self.run, self.name = run, name

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.run.shown.stream(self.name, text)
        return len(text)


class Publisher(DisplayPublisher):
    """Takes what `display` shows."""

    def publish(self, data: dict[str, Any], metadata: object = None, **named: object) -> None:
        self.shell.run_of_notebook.shown.rich("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.run_of_notebook.shown.clear()


class Hook(DisplayHook):
    """Takes the value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: object = None) -> None:
        self.shell.run_of_notebook.shown.rich("execute_result", format_dict, self.prompt_count)

    def finish_displayhook(self) -> None:
        self._is_active = False


class Shell(InteractiveShell):
    """An IPython shell without a kernel, a terminal, a history or a person in front of it."""

    display_pub_class = Type(Publisher)
    displayhook_class = Type(Hook)
    run_of_notebook: Run

    def _showtraceback(self, etype: type, evalue: object, stb: list[str]) -> None:
        name = type.__dict__["__name__"].__get__(etype) if isinstance(etype, type) else str(etype)
        self.run_of_notebook.shown.error(name, _words(evalue), [str(line) for line in stb])

    def system(self, command: str) -> None:
        """`!command`: run inside the sandbox like everything else; its output is the cell's."""
        done = subprocess.run(
            self.var_expand(command, depth=1),
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            errors="replace",
        )
        print(done.stdout, end="")
        self.user_ns["_exit_code"] = done.returncode

    def getoutput(self, command: str, split: bool = True, depth: int = 0) -> object:
        done = subprocess.run(
            self.var_expand(command, depth=depth + 1),
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            errors="replace",
        )
        return done.stdout.splitlines() if split else done.stdout

    def ask_exit(self) -> None:
        print("exit: the rest of the notebook runs all the same.")


def execute(request: dict[str, Any], send: Send) -> dict[str, Any]:
    """Run the cells of the request; see the module's docstring for what is told meanwhile.

    Returns:
        {"cells": how many cells ran}.
    """
    cells = request["cells"]
    os.environ[SEED_VARIABLE] = request.get("seed", "")
    os.environ["NBGRADER_EXECUTION"] = "autograde"
    run = Run(send, float(request.get("cell_seconds", CELL_SECONDS)))
    shell = _moved_in(Shell.instance() if Shell.initialized() else _shell(), run)
    with _nobody_there(run), checking.delivering(run.deliver):
        for cell in cells:
            run.start(cell["id"])
            try:
                _prepare_figures(shell, cell["source"])
                shell.run_cell(cell["source"], store_history=True)
            except BaseException as error:  # the student's code has bent the shell: go on with the next cell
                run.shown.error(type(error).__name__, _words(error), [])
            run.finish()
    return {"cells": len(cells)}


def prepare() -> None:
    """Make the shell now, once for all that are forked from this process: it takes longer than most notebooks' cells.

    A first one is tried out and thrown away. What its cells made Python import and compile stays.
    """
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in REHEARSAL:
            _shell().run_cell(cell, store_history=False)
    _shell()


REHEARSAL = ("import torch\nx = torch.ones(2, requires_grad=True).exp()\nprint(x)\nx", "1 / 0")
"""A value that is shown, and an error. No backward: autograd's threads would not live in a forked process."""


def _shell() -> Shell:
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autoindent = False
    Shell.clear_instance()
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell.instance(config=config, ipython_dir=folder)
    shell.run_of_notebook = SimpleNamespace(shown=Shown(0))
    return shell


def _moved_in(shell: Shell, run: Run) -> Shell:
    """The shell at home in this process's working directory, with its outputs going to the run."""
    shell.run_of_notebook = run
    shell.init_ipython_dir(str(Path.cwd() / ".ipython"))
    shell.init_profile_dir(None)
    shell.starting_dir = os.getcwd()
    shell.home_dir = os.path.expanduser("~")
    shell.user_ns["_dh"][:] = [Path.cwd()]
    return shell


@contextlib.contextmanager
def _nobody_there(run: Run):  # noqa: ANN202
    """Outputs go to the run; whoever asks a question is told that nobody answers."""
    kept = (sys.stdin, sys.stdout, sys.stderr, builtins.input, getpass.getpass)
    sys.stdin = io.StringIO("")
    sys.stdout, sys.stderr = Stream(run, "stdout"), Stream(run, "stderr")
    builtins.input = getpass.getpass = _no_input
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr, builtins.input, getpass.getpass = kept


def _no_input(prompt: object = "", *rest: object, **named: object) -> str:
    raise RuntimeError(
        f"input({str(prompt)[:60]!r}) waits for a person, and nobody is there while a notebook is graded. "
        "Write the value into the cell instead."
    )


def _prepare_figures(shell: Shell, source: str) -> None:
    """Show figures at the end of a cell, as a notebook does. Only where they are used: it takes its time."""
    if "matplotlib" not in source or getattr(shell, "figures_ready", False):
        return
    shell.figures_ready = True
    with contextlib.suppress(Exception):
        shell.run_line_magic("matplotlib", "inline")


def _words(error: object) -> str:
    try:
        return str(error)[:2000]
    except BaseException:
        return ""
