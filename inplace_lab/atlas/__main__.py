"""``python -m inplace_lab.atlas show exp``, ``... measure``, ``... compare``."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import torch

from . import DATA, Entry, entries, lookup
from .file import render


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when all went well, 2 for a bad argument or a missing package, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m inplace_lab.atlas", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    show = commands.add_parser("show", help="print what an operation keeps")
    show.add_argument("name", help="such as softmax, nn.functional.gelu, linalg.svd")
    show.set_defaults(run=lambda options: _show(options.name))
    measure = commands.add_parser("measure", help="measure every operation of the installed torch")
    measure.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one for each core)")
    measure.add_argument("--output", type=Path, default=DATA, help="the file to write (default: the one that is read)")
    measure.set_defaults(run=lambda options: _measure(options.jobs, options.output))
    compare = commands.add_parser("compare", help="hold the atlas against torch's derivatives.yaml")
    compare.set_defaults(run=lambda options: _compare(entries()))
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except (RuntimeError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


def _show(name: str) -> int:
    try:
        found = lookup(name)
    except KeyError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    others = [entry for entry in entries() if entry.name == found.name and entry != found]
    print("\n\n".join(map(str, [found, *others])))
    return 0


def _compare(measured: Collection[Entry]) -> int:
    from .derivatives import compare

    print(compare(measured))
    return 0


def _measure(jobs: int, output: Path) -> int:
    from . import measuring

    if jobs < 1:
        raise RuntimeError(f"--jobs must be at least 1, not {jobs}.")
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        raise RuntimeError("The progress bar needs the package rich: run  pip install rich") from None
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    began = time.monotonic()
    try:
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("reading torch's operator database", total=None)
            keys = list(measuring.database())
            progress.update(task, total=len(keys))
            measured = measuring.measure_all(
                keys, jobs, lambda name: progress.update(task, advance=1, description=name)
            )
    except KeyboardInterrupt:
        print(f"Stopped; {output} is as it was.", file=sys.stderr)
        return 130
    text = render(torch.__version__, measured)
    beside = output.with_name(output.name + ".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(output)
    print("\n".join(report(measured)))
    print(f"{output}: {len(text.encode()):,} bytes, {time.monotonic() - began:.0f} s.")
    return _compare(measured)


def report(measured: Collection[Entry]) -> Iterator[str]:
    """How many entries were measured, how reading and doing compare, and what is missing, as lines of text."""
    from .measuring import NO_GRADIENT

    differentiable = [entry for entry in measured if entry.reason != NO_GRADIENT]
    good = [entry for entry in differentiable if entry.samples]
    share = len(good) / max(len(differentiable), 1)
    yield f"{len(measured)} entries, {len(differentiable)} of them differentiable, {len(good)} ({share:.1%}) measured."
    for entry in differentiable:
        if not entry.samples:
            yield f"  not measured: {entry.title}: {entry.reason}"
    tensors = [(entry, sample, one) for entry in good for sample in entry.samples for one in sample.tensors]
    differing = [each for each in tensors if each[2].read]
    yield f"{len(tensors) - len(differing)} of {len(tensors)} tensors: reading the graph and doing it agree."
    for entry, sample, one in differing:
        why = one.note or "NOT EXPLAINED"
        yield f"  {entry.title}: {sample.call}: {one.name}: read {one.read}, did {one.verdict}: {why}"
    yield ", ".join(
        f"{verdict} {count}" for verdict, count in Counter(one.verdict for _, _, one in tensors).most_common()
    )
    for entry, sample, one in tensors:
        if one.verdict == "silent":
            yield f"  silent: {entry.title}: {sample.call}: {one.name}, kept by {', '.join(one.kept) or 'nobody'}"


if __name__ == "__main__":
    sys.exit(main())
