"""What this course puts into nbgrader's own lists of preprocessors (see nbgrader_config.py).

`autograder.converter` has found the notebooks of a submission and read them. `RepairSubmission` then puts the
instructor's cells right, and `SandboxExecute` takes the place of nbgrader's Execute: the cells run in a confined
process (`autograder.sandbox`), and what comes back is judged here, in a process in which no student code ever ran. A
judged cell's outputs are rewritten so that nbgrader's own SaveAutoGrades reads exactly the judged points.

Which exercise a cell checks is read from the instructor's gradebook, by grade id. A payload counts for the cell during
which it was handed on, and only if it is for that exercise; of several the last one counts. Graded cells without a
`check` (plain asserts) are graded by nbgrader's own rule, on outputs that the student's process made: they can be
fooled, and the log says so.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import hashlib
import hmac
import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import determine_grade, is_grade, is_solution, is_task
from traitlets import Bool, Enum, Float, Integer, Unicode

from autograder import exercises, outputs, repair
from autograder.editions import EditionError, normalise, prepare_release, read
from autograder.editions.notebook import grade_id
from autograder.exercises.kit.words import clean
from autograder.judge import SEED_VARIABLE, judge, refused, seed_for
from autograder.repair import Known, Note
from autograder.report import Report, number
from autograder.submitted_files import MOST_FILES, plain_files

SECRET_BYTES = 32
TASK = "autograder.notebook_task:execute"
GRADING = "inplace_lab_grading"
"""Key of a notebook's metadata in autograded/: what the repair has to tell the grading."""
FILES_BYTES = 64 * 2**20  # of the files beside a notebook
RESPONSE_BYTES = 12 * 2**20
"""Of all that a notebook tells: read as JSON it may take thirty times as much memory here."""


class PrepareRelease(NbGraderPreprocessor):
    """Runs first in generate_assignment: the source in normal form, without the instructor's cells."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        place = resources["nbgrader"]
        return prepare_release(nb, place["assignment"], place["notebook"]), resources


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


class RepairSubmission(NbGraderPreprocessor):
    """Runs first on a submission: the instructor's cells are put right, the rest is tidied; notes go to the log."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        from inplace_lab import __version__  # here, since it imports torch, and not every command grades

        place = resources["nbgrader"]
        coursedir = coursedir_of(self)
        known = known_of(self, place)
        handed_in: HandedIn = place.get("handed_in") or HandedIn()
        nb, found = repair.tidy(nb)
        trusted = frozenset(cell.source for cell in _source_cells(coursedir, place["assignment"], place["notebook"]))
        nb, restored = repair.restore(nb, known, __version__, trusted)
        notes = [*handed_in.notes, *(note for note in found if note not in handed_in.notes), *restored]
        notes = [_printable(note) for note in notes]
        for note in notes:
            self.log.warning("%s: %s", where(place, note.grade_id), note.text)
        if handed_in.reason:
            self.log.warning("%s: nothing can be graded. %s", where(place), clean(handed_in.reason, 1000))
        nb.metadata[GRADING] = NotebookNode(
            notes=[NotebookNode(text=note.text, grade_id=note.grade_id) for note in notes],
            reason=clean(handed_in.reason, 1000),
            file=handed_in.file,
        )
        return nb, resources


class SandboxExecute(NbGraderPreprocessor):
    """Runs a submission in a sandbox and judges what its checks hand on. Takes the place of nbgrader's Execute.

    Each student is graded on numbers that nobody could know, and on the same ones when graded again: the sandbox gets a
    seed of this student and assignment, never the secret that it is made from.
    """

    isolation = Enum(
        ("auto", "landlock", "bubblewrap", "none"),
        "auto",
        help="How a submission is confined. 'none' runs it as you, with all your files: every report says so.",
    ).tag(config=True)
    gpu = Bool(
        False,
        help="Whether submissions may use this machine's NVIDIA GPU. Each then starts cold, in bubblewrap (seconds).",
    ).tag(config=True)
    cell_seconds = Float(30.0, help="Time limit of one cell, in seconds.").tag(config=True)
    notebook_seconds = Float(120.0, help="Time limit of one notebook, in seconds, wall clock and CPU.").tag(config=True)
    memory = Integer(4096, help="Memory that one notebook may use, in MiB.").tag(config=True)
    secret_file = Unicode(
        ".course_secret", help="File of the course's random secret, relative to the course's root; made at first use."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        place = resources["nbgrader"]
        coursedir = coursedir_of(self)
        self._seed = seed(course_secret(Path(coursedir.root) / self.secret_file), place["assignment"], place["student"])
        known = known_of(self, place)
        grading = nb.metadata.pop(GRADING, NotebookNode())
        cells = [cell for cell in nb.cells if cell.cell_type == "code"]
        checked = {item.grade_id: name for item in known if item.grade and (name := exercise_of_check(item.source))}
        if grading.get("reason"):
            told, stopped, notes = outputs.told([], [cell.id for cell in cells]), grading.reason, []
        else:
            told, stopped, notes = self._run(cells, place, coursedir, grading.get("file", ""))
        notes += [_printable(Note(note.text, note.grade_id)) for note in grading.get("notes", [])]
        points = {item.grade_id: item.points or 0.0 for item in known}
        first = True
        for cell in cells:
            found, name = told[cell.id], grade_id(cell)
            if name in checked:
                said = [note.text for note in notes if note.grade_id == name]
                if first:  # what is about the notebook, or about a cell that has no report
                    said = _said([note for note in notes if note.grade_id not in checked]) + said
                    first = False
                report = self._judge(checked[name], found, stopped, said)
                cell.outputs = self._judged(report, points[name], found, place, name)
            elif is_grade(cell) and not is_solution(cell):
                cell.outputs = self._by_nbgraders_rule(cell, found, stopped, place)
            elif found.state == "done":
                cell.outputs = list(found.outputs)
            else:
                cell.outputs = outputs.not_run(_unfinished(found, stopped), found.outputs)
            cell.execution_count = None
        return nb, resources

    def _run(
        self, cells: Sequence[NotebookNode], place: dict[str, Any], coursedir: CourseDirectory, file: str
    ) -> tuple[dict[str, outputs.Told], str, list[Note]]:
        """What each cell told, why the run did not come to its end ("" if it did), and notes on the run."""
        from autograder.sandbox import Limits

        files, notes = beside(coursedir, place["assignment"], place["student"], file)
        request = {
            "cells": [{"id": cell.id, "source": cell.source} for cell in cells],
            "seed": self._seed,
            "cell_seconds": self.cell_seconds,
        }
        limits = Limits(
            wall=self.notebook_seconds, cpu=self.notebook_seconds, memory=self.memory * 2**20, response=RESPONSE_BYTES
        )
        with warm_of(self, self.isolation, self.gpu) as warm:
            outcome = warm.run(TASK, request, files=files, limits=limits)
        told = outputs.told(outcome.messages, [cell.id for cell in cells])
        stopped = ""
        late = next((cell for cell in cells if told[cell.id].state == "time"), None)
        if late is not None:
            stopped = f"{_named(late)} did not end within {number(self.cell_seconds)} s"
        elif outcome.status != "ok":
            at = next((cell for cell in cells if told[cell.id].state == "started"), None)
            reason = outcome.reason.strip().rstrip(".")
            within = f" in {_named(at)}" if at is not None else ""
            stopped = f"the run broke off{within}: {clean(reason[:1].lower() + reason[1:], 1000)}"
        if stopped:
            self.log.warning("%s: %s; what came after it was not run.", where(place), stopped)
        if outcome.way == "none":
            notes.append(Note('Graded without isolation, because the configuration says isolation = "none".'))
        self.log.info("%s: ran %.2f s (isolation: %s, %s)", where(place), outcome.seconds, outcome.way, outcome.status)
        return told, stopped, notes

    def _judge(self, exercise: str, found: outputs.Told, stopped: str, notes: Sequence[str]) -> Report:
        seed_of_check = seed_for(exercise, {SEED_VARIABLE: self._seed})
        payload = found.payload(exercise)
        if payload is not None:
            report = judge(exercise, seed_of_check, payload)
        else:
            refusal = refused(exercises.get(exercise), seed_of_check, _no_payload(exercise, found, stopped))
            report = dataclasses.replace(refusal, answer="")  # there is nothing to replay
        return dataclasses.replace(report, notes=(*report.notes, *notes))

    def _judged(
        self, report: Report, most: float, found: outputs.Told, place: dict[str, Any], name: str
    ) -> list[NotebookNode]:
        if report.maximum != most:
            self.log.error(
                "%s: the exercise %s has %s points and the cell has %s: write the exercise's into source/.",
                where(place, name),
                report.exercise,
                number(report.maximum),
                number(most),
            )
        return outputs.judged(report, min(report.points, most), found.outputs)

    def _by_nbgraders_rule(
        self, cell: NotebookNode, found: outputs.Told, stopped: str, place: dict[str, Any]
    ) -> list[NotebookNode]:
        cell_place = where(place, grade_id(cell))
        self.log.warning(
            "%s: this cell has no check, so nbgrader's own rule grades it on what the submission showed. "
            "That is not tamper-proof.",
            cell_place,
        )
        if found.state != "done":
            return outputs.not_run(_unfinished(found, stopped), found.outputs)
        shown = NotebookNode({**cell, "outputs": list(found.outputs)})
        try:
            determine_grade(shown, self.log)
        except (ValueError, KeyError) as error:  # nbgrader would drop the whole submission
            reason = f"nbgrader can make no points of what this cell returned ({clean(str(error))})."
            self.log.warning("%s: %s", cell_place, reason)
            return outputs.not_run(reason, found.outputs)
        return shown.outputs


@dataclass(frozen=True)
class HandedIn:
    """What is known about a notebook's file: its path in the submission, notes, and why it cannot be graded, if so."""

    file: str = ""
    notes: tuple[Note, ...] = ()
    reason: str = ""


def known_cells(gradebook: Gradebook, coursedir: CourseDirectory, assignment: str, notebook: str) -> tuple[Known, ...]:
    """The cells of a notebook that nbgrader knows, as the gradebook has them, in the order of the source.

    The gradebook itself keeps no order; without a source file that of its rows is taken.
    """
    found = gradebook.find_notebook(notebook, assignment)
    graded = {cell.name: cell for cell in found.grade_cells}
    tasks = {cell.name: cell for cell in found.task_cells}
    solutions = {cell.name for cell in found.solution_cells}
    order = {grade_id(cell): place for place, cell in enumerate(_source_cells(coursedir, assignment, notebook))}
    known = [
        Known(
            grade_id=cell.name,
            cell_type=cell.cell_type,
            source=cell.source or "",
            grade=cell.name in graded,
            solution=cell.name in solutions,
            locked=bool(cell.locked),
            task=cell.name in tasks,
            points=float((graded.get(cell.name) or tasks.get(cell.name)).max_score)
            if cell.name in graded or cell.name in tasks
            else None,
            checksum=cell.checksum or "",
        )
        for cell in found.source_cells
    ]
    return tuple(sorted(known, key=lambda item: order.get(item.grade_id, len(order))))


def known_of(step: Any, place: dict[str, Any]) -> tuple[Known, ...]:
    """`known_cells` for a preprocessor, from the converter that it works for where that has them."""
    above = step
    while above is not None:
        if place["notebook"] in getattr(above, "known", {}):
            return above.known[place["notebook"]]
        above = above.parent
    with Gradebook(place["db_url"]) as gradebook:
        return known_cells(gradebook, coursedir_of(step), place["assignment"], place["notebook"])


def exercise_of_check(source: str) -> str | None:
    """The exercise that an instructor's cell checks: the name in its last `check("...", ...)`; None without one."""
    try:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    except SyntaxError:  # magics, say
        return None
    found = [
        (call.lineno, call.col_offset, call.args[0].value)
        for call in calls
        if getattr(call.func, "id", getattr(call.func, "attr", "")) == "check"
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value in exercises.names()
    ]
    return max(found)[2] if found else None


def beside(coursedir: CourseDirectory, assignment: str, student: str, file: str) -> tuple[dict[str, bytes], list[Note]]:
    """The files that a notebook finds beside it: the submission's, with the instructor's over them; and notes.

    Args:
        file: the notebook's path in the submission; files beside it come to lie beside it, wherever that was.
    """
    submitted = Path(coursedir.format_path(coursedir.submitted_directory, student, assignment))
    source = Path(coursedir.format_path(coursedir.source_directory, ".", assignment))
    folders = [(submitted / file).parent] if file and (submitted / file).parent != submitted else []
    files: dict[str, bytes] = {}
    above: set[str] = set()  # the folders that they lie in
    missing: list[str] = []
    left, more = FILES_BYTES, False
    for folder in (source, *folders, submitted):  # what comes first wins
        found = plain_files(folder, [*coursedir.ignore, "*.ipynb"])
        more = more or found.more
        for inside in found.files:
            name = inside.as_posix()
            if name in files or name == "timestamp.txt":
                continue
            if len(files) == MOST_FILES:
                more = True
                break
            parents = {parent.as_posix() for parent in inside.parents} - {"."}
            if name in above or any(parent in files for parent in parents):
                missing.append(f"The file {clean(name)} has the name of a folder, or of one above it")
                continue
            try:
                large = (folder / inside).stat().st_size > left
                content = b"" if large else (folder / inside).read_bytes()
            except OSError as error:
                missing.append(f"The file {clean(name)} could not be read ({error.strerror})")
                continue
            if large:
                missing.append(f"The file {clean(name)} is too large")
                continue
            files[name] = content
            above |= parents
            left -= len(content)
    notes = [Note(f"{reason}, and was not there when the notebook ran.") for reason in missing[:5]]
    if more:
        notes.append(
            Note(f"There are more than {MOST_FILES} files or folders; the rest was not there when the notebook ran.")
        )
    return files, notes


@contextlib.contextmanager
def warm_of(step: Any, isolation: str, gpu: bool) -> Iterator[Any]:
    """The running sandbox of the converter that a preprocessor works for, or one of its own where there is none."""
    above = step
    while above is not None:
        if getattr(above, "warm", None) is not None:
            yield above.warm
            return
        above = above.parent
    from autograder.sandbox import Warm

    with Warm(isolation, cuda=gpu) as warm:
        yield warm


def coursedir_of(step: Any) -> CourseDirectory:
    """The course that a preprocessor works for."""
    above = step.parent
    while above is not None and not getattr(above, "coursedir", None):
        above = above.parent
    if above is None:
        raise RuntimeError(
            f"{type(step).__name__} runs only inside nbgrader autograde: no course directory is above it."
        )
    return above.coursedir


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


def _source_cells(coursedir: CourseDirectory, assignment: str, notebook: str) -> tuple[NotebookNode, ...]:
    """The cells of the instructor's own notebook in source/, none where it is not there."""
    path = Path(coursedir.format_path(coursedir.source_directory, ".", assignment), f"{notebook}.ipynb")
    try:
        return _cells_in(path, path.stat().st_mtime_ns)
    except (OSError, EditionError):
        return ()


@functools.lru_cache(maxsize=64)
def _cells_in(path: Path, changed: int) -> tuple[NotebookNode, ...]:
    return tuple(normalise(read(path)).cells)


def _said(notes: Sequence[Note]) -> list[str]:
    """The notes as sentences; what is said about several cells is said once."""
    cells: dict[str, list[str]] = {}
    for note in notes:
        cells.setdefault(note.text, []).extend([note.grade_id] if note.grade_id else [])
    return [f"{', '.join(names)}: {text}" if names else text for text, names in cells.items()]


def _no_payload(exercise: str, found: outputs.Told, stopped: str) -> str:
    if found.state != "done":
        return _unfinished(found, stopped)
    if found.error:
        return f"The cell stopped before its check had an answer: {found.error}"
    if found.payloads:
        return f"The cell handed on an answer for {found.payloads[-1][0][:60]}, and none for {exercise}."
    return "The check handed on no answer while this cell ran. What the cell printed may say why."


def _unfinished(found: outputs.Told, stopped: str) -> str:
    stopped = stopped or "the run ended early"
    if found.state == "not run":
        return stopped if stopped.endswith(".") else f"Not run: {stopped}."
    return f"This cell did not end: {stopped}."


def _named(cell: NotebookNode) -> str:
    if grade_id(cell):
        return f"the cell {grade_id(cell)}"
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    return f'the cell that begins with "{clean((lines or ["nothing"])[0], 60)}"'


def _printable(note: Note) -> Note:
    """A note that quotes names and texts of a submission, as one line that cannot act on a terminal."""
    return Note(clean(note.text, 1000), clean(note.grade_id))


def where(place: dict[str, Any], name: str = "") -> str:
    """A submitted notebook, or a cell of it, as the log names it."""
    return "/".join(part for part in (place["student"], place["assignment"], place["notebook"], name) if part)
