"""What this course puts into nbgrader's own lists of preprocessors (see nbgrader_config.py)."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_task
from traitlets import Unicode

from autograder.editions import prepare_release

SEED_VARIABLE = "INPLACE_LAB_SEED"
SECRET_BYTES = 32


class PrepareRelease(NbGraderPreprocessor):
    """Runs first in generate_assignment: the source in normal form, without the instructor's cells."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        place = resources["nbgrader"]
        return prepare_release(nb, place["assignment"], place["notebook"]), resources


class SeededExecute(Execute):
    """Runs a submission with the seed of this student and assignment in the kernel's environment.

    So each student is graded on numbers that nobody could know, and on the same ones when graded again. The kernel is
    never given the secret itself, only this one seed. It runs as the instructor's own process: nothing here stops a
    submission from reading the secret's file.
    """

    secret_file = Unicode(
        ".course_secret", help="File of the course's random secret, relative to the course's root; made at first use."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any], km: Any = None) -> tuple[NotebookNode, dict]:
        place = resources["nbgrader"]
        secret = course_secret(Path(self._coursedir().root) / self.secret_file)
        self._seed = seed(secret, place["assignment"], place["student"])
        return super().preprocess(nb, resources, km)

    def start_new_kernel(self, **kwargs: Any) -> None:
        super().start_new_kernel(**kwargs, env={**os.environ, SEED_VARIABLE: self._seed})

    def _coursedir(self) -> CourseDirectory:
        above = self.parent
        while above is not None and not getattr(above, "coursedir", None):
            above = above.parent
        if above is None:
            raise RuntimeError("SeededExecute runs only inside nbgrader autograde: no course directory is above it.")
        return above.coursedir


class RestoreCells(OverwriteCells):
    """OverwriteCells, less its warning about every task cell.

    The release hides the mark scheme, so a task cell always differs from the one in the gradebook. Stock nbgrader
    reports that as a change by the student.
    """

    def report_change(self, name: str, attr: str, old: Any, new: Any) -> None:
        if not (attr == "checksum" and self._task):
            super().report_change(name, attr, old, new)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        self._task = is_task(cell)
        return super().preprocess_cell(cell, resources, cell_index)


def seed(secret: bytes, assignment: str, student: str) -> str:
    """The seed of one student's assignment in hexadecimal: HMAC-SHA256 of "assignment/student" under the secret."""
    return hmac.new(secret, f"{assignment}/{student}".encode(), hashlib.sha256).hexdigest()


def course_secret(path: Path) -> bytes:
    """Read the course's secret (32 random bytes); make it at first use, readable by its owner only.

    Two processes that come at once get the same one.
    """
    if not path.exists():
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(SECRET_BYTES))
            with contextlib.suppress(FileExistsError):  # the other process was first
                os.link(temporary, path)
        finally:
            os.unlink(temporary)
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise ValueError(
            f"{path} holds {len(secret)} bytes, expected {SECRET_BYTES}. Put it back from a backup, or remove it to "
            "have a new one made (grading again then uses other numbers)."
        )
    return secret
