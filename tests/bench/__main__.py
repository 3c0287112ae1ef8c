"""`python -m tests.bench [--quick] [NAME ...]`: a table of figures, and the same in build/bench.json."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench import Benchmark, Figure, choose, discover

OUTPUT = Path("build/bench.json")
ROUNDS, QUICK_ROUNDS = 20, 2
WIDTH = 160  # of the table in a file or a pipe, which says no width of its own


def measure(benchmarks: Sequence[Benchmark], rounds: int, console: Console) -> dict[str, Figure]:
    """The figure of each benchmark by name; a bar on `console` says which one runs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    figures = {}
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(benchmarks))
        for one in benchmarks:
            progress.update(task, description=one.name)
            figures[one.name] = one.measure(rounds)
            progress.advance(task)
    return figures


def table(benchmarks: Sequence[Benchmark], figures: dict[str, Figure]) -> Table:
    """One row for each figure: ours, the rival's, their ratio."""
    result = Table("benchmark", "what is measured", "value", "rival", "rival's value", "ratio", box=None)
    for one in benchmarks:
        figure = figures[one.name]
        value, rival = (f"{number:.3g} {figure.unit}" for number in (figure.value, figure.rival))
        result.add_row(one.name, one.what, value, one.against, rival, f"{figure.ratio:.2f}")
    return result


def main(arguments: Sequence[str] | None = None, output: Path = OUTPUT) -> int:
    """Exit code 0 when everything was measured, 2 for a name that no benchmark has."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (default: all)")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds instead of {ROUNDS}")
    options = parser.parse_args(arguments)
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    try:
        chosen = choose(discover(), options.names)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    figures = measure(chosen, QUICK_ROUNDS if options.quick else ROUNDS, Console(stderr=True))
    console.print(table(chosen, figures))
    output.parent.mkdir(parents=True, exist_ok=True)
    entries = {name: figure.as_dict() for name, figure in figures.items()}
    output.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
