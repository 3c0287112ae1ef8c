"""What the repair of a submission works on and says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode


class Unreadable(Exception):
    """A file that holds no notebook. The message is the reason, a sentence."""


@dataclass(frozen=True)
class Known:
    """A cell of the assignment as the instructor's gradebook has it."""

    grade_id: str
    cell_type: str
    source: str
    grade: bool = False
    solution: bool = False
    locked: bool = False
    task: bool = False
    points: float | None = None
    checksum: str = ""

    def metadata(self) -> NotebookNode:
        """What nbgrader's schema (version 3) wants to find at the cell."""
        found = NotebookNode(
            schema_version=3,
            grade_id=self.grade_id,
            grade=self.grade,
            solution=self.solution,
            locked=self.locked,
            task=self.task,
            cell_type=self.cell_type,
            checksum=self.checksum,
        )
        if self.points is not None:
            found.points = self.points
        return found


@dataclass(frozen=True)
class Note:
    """One sentence for the instructor. `grade_id` is the cell that it is about, "" for the whole notebook."""

    text: str
    grade_id: str = ""


@dataclass(frozen=True)
class Choice:
    """The file that is graded as one of the assignment's notebooks, and what there is to say about it.

    `nb` is None where nothing can be graded; then `reason` says why.
    """

    path: Path | None
    nb: NotebookNode | None
    notes: tuple[Note, ...] = ()
    reason: str = ""


def once(notes: list[Note], text: str) -> None:
    if Note(text) not in notes:
        notes.append(Note(text))
