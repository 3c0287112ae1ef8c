"""The overview in a terminal."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.overview.summary import Overview
from autograder.report import number

WIDTH = 120  # in a file or a pipe, which says no width of its own
BAR = 30
LISTED = 15


def show(overview: Overview, page: str) -> None:
    """Print it on standard output.

    Args:
        page: where the page was written, as the last line says it.
    """
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)

    def say(text: str = "") -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    say(overview.sentence)
    say()
    spread = overview.spread()
    most = max(count for _, _, count in spread)
    for low, high, count in spread:
        bar = "█" * max(round(BAR * count / most), count > 0)
        say(f"{number(low):>6} to {number(high):<6} {bar} {count}")
    failed = sorted((row for row in overview.cases if row.failed and row.worth), key=lambda row: -row.rate)
    if failed:
        say()
        table = Table("failed", "of", "points", "exercise", "case", box=None, pad_edge=False)
        for row in failed[:LISTED]:
            table.add_row(str(row.failed), str(row.run), number(row.worth), *map(escape, (row.exercise, row.key)))
        console.print(table)
        if len(failed) > LISTED:
            say(f"{len(failed) - LISTED} more cases failed, less often.")
    if overview.questions:
        say()
        say("Worth raising in class:")
        for one in overview.questions:
            say(f"- {one.question(len(overview.graded))}")
            say(f"  {one.message}")
    say()
    say(f"The same with pictures, notes and names: {page}")
