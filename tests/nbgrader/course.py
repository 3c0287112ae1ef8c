"""A course in a temporary folder, and nbgrader's commands as a person types them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.editions import read, text_of
from autograder.editions.notebook import grade_id, with_source
from tests.tools import ROOT

NBGRADER = [sys.executable, "-m", "nbgrader"]

# Warnings that nbgrader prints by its own rules; README and INSTRUCTORS explain them.
EXPECTED_WARNINGS = (
    r"Removing existing assignment: ",  # generate_assignment replaces what release/ holds
    r"Permissions for exchange directory .* are invalid, changing them",  # the first release opens the exchange to all
)


@dataclass(frozen=True)
class Course:
    """A course folder with its own exchange, gradebook and Jupyter folders."""

    root: Path
    logs: list[str] = field(default_factory=list)

    @property
    def env(self) -> dict[str, str]:
        """What a command sees: nothing of this user's own Jupyter configuration and data."""
        outside = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("JUPYTER", "NBGRADER", "INPLACE_LAB", "PYTEST"))
        }
        folders = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        return outside | {
            "PYTHONPATH": os.pathsep.join(folders),
            "JUPYTER_CONFIG_DIR": str(self.root.parent / "jupyter_config"),
            "JUPYTER_DATA_DIR": str(self.root.parent / "jupyter_data"),
        }

    def start(self, *arguments: str, folder: Path | None = None) -> subprocess.Popen[str]:
        """Start `nbgrader ...` in the course (or another folder)."""
        return subprocess.Popen(
            [*NBGRADER, *arguments],
            cwd=folder or self.root,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def nbgrader(self, *arguments: str, folder: Path | None = None) -> str:
        """Run `nbgrader ...` to its end; it must not fail. Returns what it printed on stdout."""
        return self.finish(self.start(*arguments, folder=folder))

    def finish(self, process: subprocess.Popen[str]) -> str:
        out, log = process.communicate(timeout=300)
        assert process.returncode == 0, f"{process.args}\n{out}\n{log}"
        self.logs.append(log)
        return out

    def warnings(self) -> list[str]:
        """What the commands so far said beyond information, less what is expected of nbgrader."""
        lines = [line for log in self.logs for line in log.splitlines()]
        said = [line for line in lines if line.strip() and "| INFO]" not in line]
        return [line for line in said if not any(re.search(expected, line) for expected in EXPECTED_WARNINGS)]

    def submit(self, student: str, assignment: str, notebook: str, nb: NotebookNode) -> None:
        """Put a submission where `nbgrader collect` would."""
        folder = self.root / "submitted" / student / assignment
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{notebook}.ipynb").write_text(text_of(nb), encoding="utf-8")

    def points(self, student: str, assignment: str, notebook: str) -> dict[str, float | None]:
        """The gradebook's automatic points of one submitted notebook, by grade id."""
        with Gradebook(f"sqlite:///{self.root / 'gradebook.db'}") as gradebook:
            grades = gradebook.find_submission_notebook(notebook, assignment, student).grades
            return {grade.name: grade.auto_score for grade in grades}

    def autograded(self, student: str, assignment: str, notebook: str) -> NotebookNode:
        return read(self.root / "autograded" / student / assignment / f"{notebook}.ipynb")


def make_course(folder: Path, *assignments: str) -> Course:
    """The repository's configuration and the named assignments, in a new folder."""
    folder.mkdir()
    config = (ROOT / "nbgrader_config.py").read_text()
    exchange = folder / "exchange"
    exchange.mkdir()
    # A machine that runs the tests may have a shared exchange: stay out of it.
    (folder / "nbgrader_config.py").write_text(f"{config}\nc.Exchange.root = {str(exchange)!r}\n")
    for assignment in assignments:
        lesson = f"{assignment}.ipynb"
        alone = (ROOT / "source" / assignment / lesson).is_file()  # one notebook is enough, and quicker
        others = (lambda _, names, lesson=lesson: [name for name in names if name != lesson]) if alone else None
        shutil.copytree(ROOT / "source" / assignment, folder / "source" / assignment, ignore=others)
    return Course(folder)


def with_answer(nb: NotebookNode, solution_id: str, code: str) -> NotebookNode:
    """The notebook with other code in one solution cell."""
    assert solution_id in map(grade_id, nb.cells)
    cells = [with_source(cell, code) if grade_id(cell) == solution_id else cell for cell in nb.cells]
    return NotebookNode({**nb, "cells": cells})


def output_text(nb: NotebookNode, check_id: str) -> str:
    """What a graded cell printed."""
    cell = next(cell for cell in nb.cells if grade_id(cell) == check_id)
    return "".join(output.get("text", "") for output in cell.outputs)
