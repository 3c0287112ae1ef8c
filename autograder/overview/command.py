"""`python -m autograder overview`: read what is graded, show it, write the page."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from autograder.batch.course import Course
from autograder.batch.records import FOLDER, read_record
from autograder.batch.values import BatchError
from autograder.editions import EditionError, read
from autograder.editions.notebook import TEACHING_NOTES, tags
from autograder.overview import table
from autograder.overview.page import page
from autograder.overview.reading import reports
from autograder.overview.summary import Graded, Overview, summarise

_ASK = re.compile(r"\*\*Ask the room\.?\*\*\s*(.+?)\s*(?:\n\s*\n|</details>|\Z)", re.DOTALL)


def overview(folder: Path, assignment: str) -> int:
    """Show a class's results in the terminal and write the page. Returns 0.

    Raises:
        BatchError: there is no such assignment (2), or nothing of it is graded (1).
    """
    course = Course(folder)
    found = look(course, assignment)
    path = course.root / FOLDER / f"{assignment}.html"
    path.parent.mkdir(exist_ok=True)
    _write(path, page(found))
    table.show(found, str(path.relative_to(course.root)))
    return 0


def look(course: Course, assignment: str) -> Overview:
    """What the gradebook and the graded notebooks of an assignment say."""
    known = course.assignments()
    if assignment not in known:
        raise BatchError(f"There is no assignment {assignment!r} in source/. Known: {', '.join(known) or 'none'}.", 2)
    students = sorted(course.graded_before(assignment))
    if not students:
        handed_in = len(course.submissions(assignment))
        have = f"{handed_in} handed it in" if handed_in else "nobody has handed it in"
        raise BatchError(
            f"Nothing of {assignment} is graded yet ({have}): run `python -m autograder grade {assignment}`."
        )
    scores = course.scores(assignment)
    graded = [_graded(course, assignment, student, scores[student]) for student in students if student in scores]
    with course.gradebook() as gradebook:
        everybody = {student.id for student in gradebook.students}
    return summarise(assignment, graded, sorted(everybody - set(students)), list(_asks(course, assignment)))


def _graded(course: Course, assignment: str, student: str, score: dict) -> Graded:
    coursedir = course.coursedir(assignment)
    folder = Path(coursedir.format_path(coursedir.autograded_directory, student, assignment))
    found = [(path.stem, report) for path in _notebooks(course, assignment, folder) for report in reports(_read(path))]
    record = read_record(course.root, assignment, student)
    notes = [note for _, report in found for note in report.notes] + list(record.notes if record else ())
    return Graded(
        student,
        float(score["score"]),
        float(score["max_score"]),
        bool(score["needs_manual_grade"]),
        tuple(found),
        record.seconds if record else None,
        tuple(dict.fromkeys(notes)),
    )


def _notebooks(course: Course, assignment: str, folder: Path) -> list[Path]:
    """The graded notebooks in the folder, by the names that source/ has."""
    coursedir = course.coursedir(assignment)
    source = Path(coursedir.format_path(coursedir.source_directory, ".", assignment))
    return [folder / path.name for path in sorted(source.glob("*.ipynb")) if (folder / path.name).is_file()]


def _read(path: Path) -> NotebookNode:
    try:
        return read(path)
    except (EditionError, OSError) as error:
        raise BatchError(f"{path} cannot be read ({error}): grade this submission again.") from None


def _asks(course: Course, assignment: str) -> Iterator[tuple[str, str]]:
    coursedir = course.coursedir(assignment)
    for path in sorted(Path(coursedir.format_path(coursedir.source_directory, ".", assignment)).glob("*.ipynb")):
        for cell in _read(path).cells:
            if TEACHING_NOTES in tags(cell) and (match := _ASK.search(cell.source)):
                yield path.stem, " ".join(match[1].replace("`", "").split())


def _write(path: Path, text: str) -> None:
    """Whole or not at all, and readable by its owner only: it holds names and grades."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)
