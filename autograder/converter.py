"""nbgrader's converter for `autograde`, made fit for submissions of any kind.

`install` gives it to `nbgrader autograde` and to Formgrader's button. It is imported by nbgrader_config.py, which every
nbgrader command reads, so what is only needed for grading is imported where it is used.
"""

from __future__ import annotations

import contextlib
import fnmatch
import glob
import importlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute
from nbgrader.utils import setenv

from autograder.submitted_files import MOST_FILES, leads_elsewhere, plain_files

if TYPE_CHECKING:
    from autograder.repair import Choice, Known

NO_EXECUTE = (
    "--no-execute (Execute.enabled = False): this course cannot be graded without running the submissions. nbgrader "
    "would take points from the outputs that a student saved; here they come from what the checks hand on while they "
    "run, and saved outputs are not even read. Nothing was graded: leave it out."
)


class PlainCopies(BaseConverter):
    """Copies a submission's other files, but neither links (they may point anywhere) nor very large ones."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        source = self._format_source(assignment_id, student_id)
        dest = self._format_dest(assignment_id, student_id)
        if leads_elsewhere(Path(source)):
            self.log.warning("Nothing was copied from %s: it is a link to another place.", source)
            return
        found = plain_files(Path(source), [*self.coursedir.ignore, "*.ipynb"])
        left: list[tuple[str, Path]] = [("because it is no plain file", inside) for inside in found.others]
        for inside in found.files:
            given, path = Path(source, inside), Path(dest, inside)
            try:
                if given.stat().st_size > 1000 * self.coursedir.max_file_size:
                    left.append(("because it is larger than CourseDirectory.max_file_size", inside))
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)
                shutil.copy(given, path)
            except OSError as error:
                left.append((f"because of an error ({error.strerror})", inside))
        self._log_left(source, left)
        if found.more:
            self.log.warning("%s holds more than %s files or folders; the rest was not copied.", source, MOST_FILES)

    def _log_left(self, source: str, left: list[tuple[str, Path]], most: int = 20) -> None:
        from autograder.exercises.kit.words import clean  # here, since it imports torch, and not every command grades

        for reason, inside in left[:most]:
            self.log.warning("Not copied from %s, %s: %s", source, reason, clean(str(inside)))
        if len(left) > most:
            self.log.warning("Not copied from %s: %s more files.", source, len(left) - most)


class CourseAutograde(Autograde, PlainCopies):
    """nbgrader's Autograde for submissions of any kind: each one ends graded, and none stops the others.

    It differs in what comes before the preprocessors: which file is which notebook, and how files are read. submitted/
    is only read.
    """

    def __init__(self, coursedir: CourseDirectory | None = None, warm: Any = None, **named: Any) -> None:
        """`warm`: a running `autograder.sandbox.Warm` to use; by default one is started and ended here."""
        super().__init__(coursedir=coursedir, **named)
        self.warm = warm
        self._choices: dict[str, Choice] = {}
        self.known: dict[str, tuple[Known, ...]] = {}

    @property
    def is_ours(self) -> bool:
        """Whether the course that is graded uses this module; another course in the same server may not."""
        return any("SandboxExecute" in str(step) for step in self.autograde_preprocessors)

    def start(self) -> None:
        if not self.is_ours:
            super().start()
            return
        with self._lenient_timestamps():
            self._start()

    def _start(self) -> None:
        if not Execute(parent=self).enabled:
            self.log.error(NO_EXECUTE)
            raise NbGraderException(NO_EXECUTE)
        if self.warm is not None:
            super().start()
            return
        from autograder.nbgrader_plugins import SandboxExecute
        from autograder.sandbox import SandboxUnavailable, Warm, choose

        try:
            step = SandboxExecute(parent=self)
            way = choose(step.isolation, step.gpu)
        except SandboxUnavailable as error:
            self.log.error("%s", error)
            raise NbGraderException(str(error)) from None
        if way == "none":
            self.log.warning('Submissions run WITHOUT ISOLATION, as you, because c.SandboxExecute.isolation is "none".')
        else:
            self.log.info("Submissions are isolated by %s.", way)
        with Warm(way, cuda=step.gpu) as self.warm:
            try:
                super().start()
            finally:
                self.warm = None

    @contextlib.contextmanager
    def _lenient_timestamps(self) -> Iterator[None]:
        """A timestamp.txt that holds no time counts as none; nbgrader would drop the submission."""
        strict = self.coursedir.get_existing_timestamp

        def lenient(path: str) -> Any:
            try:
                return strict(path)
            except Exception:
                self.log.warning("%s/timestamp.txt holds no time; the submission is graded as if it had none.", path)
                return None

        self.coursedir.get_existing_timestamp = lenient
        try:
            yield
        finally:
            del self.coursedir.get_existing_timestamp

    def init_notebooks(self) -> None:
        if not self.is_ours:
            super().init_notebooks()
            return
        from autograder.nbgrader_plugins import known_cells

        assignment = self.coursedir.assignment_id
        with self._gradebook() as gradebook:
            try:
                names = [notebook.name for notebook in gradebook.find_assignment(assignment).notebooks]
            except MissingEntry:
                names = []
            self.known = {name: known_cells(gradebook, self.coursedir, assignment, name) for name in names}
        wanted = [name for name in names if fnmatch.fnmatch(name, self.coursedir.notebook_id)]
        matched = glob.glob(self._format_source(assignment, self.coursedir.student_id))
        folders = sorted(folder for folder in matched if os.path.isdir(folder))
        if not wanted or not folders:  # nbgrader knows what to say
            super().init_notebooks()
            return
        self.notebooks = []
        # The paths that nbgrader expects. Where a notebook was handed in under another name there is no such file.
        self.assignments = {folder: [os.path.join(folder, f"{name}.ipynb") for name in wanted] for folder in folders}

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        if not self.is_ours:
            super().init_assignment(assignment_id, student_id)
            return
        from autograder import repair

        folder = Path(self._format_source(assignment_id, student_id))
        chosen = repair.choose(folder, assignment_id, self.known)
        self._choices = {str(folder / f"{name}.ipynb"): choice for name, choice in chosen.items()}
        with self._by_hand(assignment_id, student_id, {name for name in chosen if chosen[name].nb is not None}):
            super().init_assignment(assignment_id, student_id)

    @contextlib.contextmanager
    def _by_hand(self, assignment_id: str, student_id: str, there: set[str]) -> Iterator[None]:
        """What is graded by hand stays as it was for notebooks that are there, and is 0 for those that are not.

        nbgrader gives 0 to every cell of a notebook that it does not find under its own name.
        """
        before: dict[tuple[str, str], tuple[float | None, bool]] = {}
        folder = Path(self._format_source(assignment_id, student_id))
        if not all((folder / f"{name}.ipynb").exists() for name in there):
            with self._gradebook() as gradebook, contextlib.suppress(MissingEntry):
                for notebook, grade in _grades(gradebook, assignment_id, student_id):
                    before[notebook, grade.name] = (grade.auto_score, grade.needs_manual_grade)
        yield
        with self._gradebook() as gradebook:
            for notebook, grade in _grades(gradebook, assignment_id, student_id):
                is_now = (grade.auto_score, grade.needs_manual_grade)
                if notebook not in there:
                    wanted = (0, False)
                else:
                    # A grade's name is a query of its own.
                    wanted = before.get((notebook, grade.name), (None, True)) if before else is_now
                    wanted = (None, True) if wanted == (0, False) else wanted  # it was not there the last time
                if wanted != is_now:
                    grade.auto_score, grade.needs_manual_grade = wanted
            gradebook.db.commit()

    def _gradebook(self) -> Gradebook:
        return Gradebook(self.coursedir.db_url, self.coursedir.course_id)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        choice = self._choices.get(notebook_filename)
        if choice is None:
            super().convert_single_notebook(notebook_filename)
            return
        from autograder.nbgrader_plugins import HandedIn

        self.exporter.optimistic_validation = True  # once, after all preprocessors, and not after each
        self.log.info("Sanitizing %s", notebook_filename)
        self._sanitizing = True
        self._init_preprocessors()
        resources = self.init_single_notebook_resources(notebook_filename)
        folder = os.path.dirname(notebook_filename)
        file = os.path.relpath(choice.path, folder) if choice.path else ""
        resources["nbgrader"]["handed_in"] = HandedIn(file, choice.notes, choice.reason)
        output, resources = self._sanitized(choice, resources)
        self.write_single_notebook(output, resources)

        graded = os.path.join(self.writer.build_directory, os.path.basename(notebook_filename))
        self.log.info("Autograding %s", graded)
        self._sanitizing = False
        self._init_preprocessors()
        try:
            with setenv(NBGRADER_EXECUTION="autograde"):
                BaseConverter.convert_single_notebook(self, graded)
        finally:
            self._sanitizing = True

    def _sanitized(self, choice: Choice, resources: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        from autograder import repair
        from autograder.nbgrader_plugins import HandedIn

        place = resources["nbgrader"]
        if choice.nb is not None:
            try:
                return self.exporter.from_notebook_node(choice.nb, resources)
            except Exception as error:  # a mess that nobody thought of: 0 points and a note, and on with the class
                student, notebook = place["student"], place["notebook"]
                self.log.exception("%s/%s: the submission could not be repaired.", student, notebook)
                reason = f"The notebook could not be put right ({type(error).__name__}: {error}). Please look at it."
                place["handed_in"] = HandedIn("", choice.notes, reason)
        return self.exporter.from_notebook_node(repair.blank(self.known[place["notebook"]]), resources)


def _grades(gradebook: Gradebook, assignment_id: str, student_id: str) -> Iterator[tuple[str, Any]]:
    for notebook in gradebook.find_submission(assignment_id, student_id).notebooks:
        for grade in notebook.grades:
            yield notebook.name, grade


def install() -> None:
    """Give nbgrader's command line and Formgrader the course's own converter.

    nbgrader has no setting for the converter's class, so its two users are handed ours by name.
    """
    for module in ("nbgrader.apps.autogradeapp", "nbgrader.apps.api"):
        importlib.import_module(module).Autograde = CourseAutograde
