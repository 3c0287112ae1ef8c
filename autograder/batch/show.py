"""What a person sees of a run: a bar, a table, and the same as CSV."""

from __future__ import annotations

import csv
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from autograder.report import number

COLUMNS = ("student", "points", "maximum", "seconds", "result", "notes")
WIDTH = 160  # of the table in a file or a pipe, which says no width of its own
NOTES_SHOWN = 2


@dataclass(frozen=True)
class Row:
    """One line of the table. `points` is None where there are none."""

    student: str
    points: float | None
    maximum: float | None
    seconds: float
    result: str
    notes: tuple[str, ...]

    def cells(self) -> tuple[str, ...]:
        """As text, for a person and for CSV alike."""
        points, maximum = ("" if value is None else number(value) for value in (self.points, self.maximum))
        return (self.student, points, maximum, f"{self.seconds:.2f}", self.result)


class _Rate(ProgressColumn):
    """Submissions a minute."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{60 * speed:.0f}/min" if speed else "", style="progress.data.speed")


def bar() -> Progress:
    """The bar, on standard error; nothing at all where that is no terminal. It is drawn by `refresh` only."""
    console = Console(stderr=True)
    left = TimeRemainingColumn(elapsed_when_finished=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TextColumn("left"), left,
        console=console, auto_refresh=False, disable=not console.is_terminal, transient=True,
    )  # fmt: skip


def show(rows: Sequence[Row], summary: str) -> None:
    """The table and one sentence, on standard output."""
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    table = Table(*COLUMNS, box=None, pad_edge=False)
    for index in (1, 2, 3):
        table.columns[index].justify = "right"
    for row in rows:
        notes = "\n".join(row.notes[:NOTES_SHOWN])
        if len(row.notes) > NOTES_SHOWN:
            notes += f"\n({len(row.notes) - NOTES_SHOWN} more)"
        table.add_row(*(escape(text) for text in (*row.cells(), notes)))
    console.print(table)
    console.print(summary, highlight=False, markup=False, soft_wrap=True)


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """The same as CSV, all notes in one field, whole or not at all."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([_safe(cell) for cell in (*row.cells(), " | ".join(row.notes))] for row in rows)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text.getvalue())
    os.chmod(temporary, 0o600)  # grades are for the instructor
    os.replace(temporary, path)


def _safe(cell: str) -> str:
    """A student's text must not become a formula in a spreadsheet."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
