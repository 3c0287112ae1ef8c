"""A course as nbgrader sees it: its configuration, what was handed in, what the gradebook holds."""

from __future__ import annotations

import autograder.light_imports  # noqa: F401  # isort: skip

import fnmatch
import functools
import glob
import json
import logging
import os
import re
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps.autogradeapp import AutogradeApp
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearSolutions

import autograder
from autograder.batch.lean import make_lean
from autograder.batch.records import digest_of, digest_of_folder
from autograder.batch.values import BatchError
from autograder.converter import CourseAutograde
from autograder.editions import EditionError
from autograder.editions.build import CONFIG, course_root


class Course:
    """A course folder with its configuration loaded, once for a process and those forked from it.

    Raises:
        BatchError: there is no course, or its configuration cannot be loaded.
    """

    def __init__(self, root: Path) -> None:
        make_lean()
        try:
            self.root = course_root(root)
        except EditionError as error:
            raise BatchError(str(error), 2) from None
        os.chdir(self.root)  # as if nbgrader had been called here: its configuration is read from this folder
        self.app = AutogradeApp()
        try:
            self.app.initialize([])
        except (Exception, SystemExit) as error:
            raise BatchError(f"{self.root / CONFIG} could not be loaded ({type(error).__name__}: {error}).") from None
        self.log = self.app.log
        for handler in list(self.log.handlers):
            self.log.removeHandler(handler)
        self.log.setLevel(logging.INFO)
        self.log.propagate = False

    def coursedir(self, assignment: str, student: str = "*") -> CourseDirectory:
        """nbgrader's view of one assignment. `student` is a name, or "*"."""
        pattern = student if student == "*" else glob.escape(student)
        coursedir = CourseDirectory(parent=self.app)
        coursedir.assignment_id, coursedir.student_id = assignment, pattern
        return coursedir

    def gradebook(self) -> Gradebook:
        """The gradebook; to be used in a `with`."""
        coursedir = self.coursedir("")
        return Gradebook(coursedir.db_url, coursedir.course_id)

    @functools.cached_property
    def sandboxed(self) -> bool:
        """Whether the configuration uses the course's own sandbox."""
        return CourseAutograde(coursedir=self.coursedir(""), parent=self.app).is_ours

    @property
    def wanted_isolation(self) -> str:
        """What the configuration asks for, without a look whether this machine has it; "" without our sandbox."""
        return str(self.app.config.SandboxExecute.get("isolation", "auto")) if self.sandboxed else ""

    @property
    def gpu(self) -> bool:
        """Whether submissions may use a GPU."""
        return bool(self.app.config.SandboxExecute.get("gpu", False))

    @functools.cached_property
    def isolation(self) -> str:
        """How submissions are confined on this machine; "" where the configuration does not use the sandbox.

        Raises:
            BatchError: this machine cannot do what the configuration asks for.
        """
        from autograder.nbgrader_plugins import SandboxExecute
        from autograder.sandbox import SandboxUnavailable, choose

        if not self.sandboxed:
            return ""
        try:
            return choose(SandboxExecute(parent=self.app).isolation, self.gpu)
        except SandboxUnavailable as error:
            raise BatchError(str(error)) from None

    def assignments(self) -> tuple[str, ...]:
        """The names of all assignments in source/."""
        coursedir = self.coursedir("")
        found = glob.glob(coursedir.format_path(coursedir.source_directory, ".", "*"))
        return tuple(sorted(os.path.basename(path) for path in found if glob.glob(os.path.join(path, "*.ipynb"))))

    def submissions(self, assignment: str, student: str = "*") -> tuple[str, ...]:
        """The students who handed something in for an assignment; those whose names `student` (a pattern) means."""
        coursedir = self.coursedir(assignment)
        folder = coursedir.submitted_directory
        name = re.compile(coursedir.format_path(folder, "(?P<student>.*)", re.escape(assignment), escape=True))
        excluded = set(coursedir.student_id_exclude.split(",")) if coursedir.student_id_exclude else set()
        found = []
        for path in glob.glob(coursedir.format_path(folder, "*", glob.escape(assignment))):
            match = name.fullmatch(path)
            if match and os.path.isdir(path) and match["student"] not in excluded:
                found.append(match["student"])
        return tuple(sorted(one for one in found if one == student or fnmatch.fnmatchcase(one, student)))

    def graded_before(self, assignment: str) -> set[str]:
        """The students of whom both a row in the gradebook and a graded folder are there."""
        coursedir = self.coursedir(assignment)
        with self.gradebook() as gradebook:
            try:
                rows = {submission.student_id for submission in gradebook.find_assignment(assignment).submissions}
            except MissingEntry:
                return set()
        folder = coursedir.autograded_directory
        return {student for student in rows if os.path.isdir(coursedir.format_path(folder, student, assignment))}

    def scores(self, assignment: str) -> dict[str, dict[str, Any]]:
        """{student: the gradebook's summary of the submission}, manual grades included."""
        with self.gradebook() as gradebook:
            return {row["student"]: row for row in gradebook.submission_dicts(assignment)}

    def bring_up_to_date(self, assignment: str) -> str:
        """Run generate_assignment where source/ and the gradebook differ. Returns a sentence, or "" if they did not.

        Raises:
            BatchError: nbgrader cannot take the changes over.
        """
        with self.gradebook():  # the first one makes the database, and one process does so better than many
            pass
        reason = self._out_of_date(assignment)
        if not reason:
            return ""
        said = Said()
        with said.listening(self.log):
            try:
                GenerateAssignment(coursedir=self.coursedir(assignment), parent=self.app, force=True).start()
            except NbGraderException:
                raise BatchError(
                    f"source/{assignment} differs from the gradebook ({reason}), and generate_assignment failed: "
                    f"{said.reason()}"
                ) from None
        return f"source/{assignment}: {reason}, so its release was made again (nbgrader generate_assignment)."

    def fingerprint(self, assignment: str) -> str:
        """Of everything that all grades of an assignment depend on."""
        coursedir = self.coursedir(assignment)
        source = Path(coursedir.format_path(coursedir.source_directory, ".", assignment))
        code = Path(autograder.__file__).parent
        with self.gradebook() as gradebook:
            cells = json.dumps(_gradebook_cells(gradebook, assignment), sort_keys=True)
        return digest_of(
            [
                cells.encode(),
                digest_of_folder(source, leave_out=".ipynb").encode(),
                (self.root / CONFIG).read_bytes(),
                digest_of_folder(code / "exercises", leave_out=".pyc").encode(),
                (code / "judge.py").read_bytes(),
            ]
        )

    def submission_fingerprint(self, assignment: str, student: str, common: str) -> str:
        """Of everything that one grade depends on; `common` is `fingerprint(assignment)`."""
        coursedir = self.coursedir(assignment)
        folder = Path(coursedir.format_path(coursedir.submitted_directory, student, assignment))
        return digest_of([common.encode(), student.encode(), digest_of_folder(folder).encode()])

    def _out_of_date(self, assignment: str) -> str:
        coursedir = self.coursedir(assignment)
        folder = Path(coursedir.format_path(coursedir.source_directory, ".", assignment))
        with self.gradebook() as gradebook:
            there = _gradebook_cells(gradebook, assignment)
        if there is None:
            return "it is not in the gradebook yet"
        try:
            wanted = {path.stem: _source_cells(path, assignment, self.app) for path in sorted(folder.glob("*.ipynb"))}
        except EditionError as error:
            raise BatchError(str(error)) from None
        if set(wanted) != set(there):
            return "it has other notebooks than the gradebook"
        changed = [name for name in sorted(wanted) if wanted[name] != there[name]]
        return f"{', '.join(changed)} changed since generate_assignment" if changed else ""


def _gradebook_cells(gradebook: Gradebook, assignment: str) -> dict[str, dict[str, list]] | None:
    """{notebook: {grade id: [kind, locked, points, text]}} as generate_assignment saved them."""
    try:
        notebooks = gradebook.find_assignment(assignment).notebooks
    except MissingEntry:
        return None
    return {
        notebook.name: {
            cell.name: [cell.cell_type, bool(cell.locked), points.get(cell.name), cell.source]
            for cell in notebook.source_cells
        }
        for notebook in notebooks
        for points in [{cell.name: cell.max_score for cell in (*notebook.grade_cells, *notebook.task_cells)}]
    }


def _source_cells(path: Path, assignment: str, app: Any) -> dict[str, list]:
    """The same of a source notebook, as generate_assignment would save it."""
    from autograder.editions import normalise, prepare_release, read
    from autograder.editions.notebook import grade_id

    nb = prepare_release(normalise(read(path)), assignment, path.stem)
    nb, _ = ClearSolutions(parent=app).preprocess(nb, {})
    found = {}
    for cell in nb.cells:
        if grade_id(cell):
            about = cell.metadata.nbgrader
            points = float(about["points"]) if about.get("grade") or about.get("task") else None
            found[grade_id(cell)] = [cell.cell_type, bool(about.get("locked")), points, cell.source]
    return found


class Said(logging.Handler):
    """Collects what nbgrader logs."""

    EXPECTED = ("Removing existing assignment: ", "Updating existing assignment: ")

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []
        self.warnings: list[str] = []
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self.lines.append(f"[{record.levelname}] {text}")
        if record.exc_info:
            self.lines.append(logging.Formatter().formatException(record.exc_info))
        if record.levelno >= logging.ERROR:
            self.errors.append(text)
        elif record.levelno >= logging.WARNING and not text.startswith(self.EXPECTED):
            self.warnings.append(text)

    def listening(self, log: logging.Logger) -> _Listening:
        """A context in which everything that is logged comes here."""
        return _Listening(self, log)

    def reason(self) -> str:
        """The last exception that an error quotes, else the first error."""
        quoted = re.findall(r"^\s*((?:[\w.]+\.)?\w*(?:Error|Exception)\b: .+)$", "\n".join(self.errors), re.MULTILINE)
        return quoted[-1] if quoted else (self.errors or ["nbgrader gave no reason"])[0].strip().split("\n")[0]


class _Listening:
    def __init__(self, said: Said, log: logging.Logger) -> None:
        self._said, self._log = said, log

    def __enter__(self) -> Said:
        self._log.addHandler(self._said)
        return self._said

    def __exit__(self, *_: object) -> None:
        self._log.removeHandler(self._said)
