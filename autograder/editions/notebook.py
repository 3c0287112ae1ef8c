"""Reading, writing and looking at notebooks: what every transform needs."""

from __future__ import annotations

import copy
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

Transform = Callable[[NotebookNode], NotebookNode]

SET_UP = """\
# Set-up: run this cell first.
import torch
import inplace_lab
from autograder import check
inplace_lab.setup()"""
"""The first code cell of every notebook, byte for byte."""

STUB = "# YOUR CODE HERE\npass"
"""What stands in the place of a solution. It does nothing, so an untouched notebook still runs from top to bottom."""

# A line that holds one of these is a marker. They are nbgrader's defaults.
BEGIN_SOLUTION, END_SOLUTION = "BEGIN SOLUTION", "END SOLUTION"
BEGIN_MARK_SCHEME, END_MARK_SCHEME = "BEGIN MARK SCHEME", "END MARK SCHEME"

TEACHING_NOTES = "teaching-notes"
"""Tag of a cell that only the instructor edition has."""
WHY = "why"
"""Tag of the Markdown cell that says why a solution is right; self-study folds it in, the release drops it."""
ANSWER = "answer"
"""Tag of the Markdown cell in which a written answer goes, right after its task cell."""

ID_LENGTH = 64  # nbformat 4.5 allows no longer cell id


class EditionError(Exception):
    """A notebook that no edition can be built from. The message names the file, what is wrong and what to do."""


def read(path: Path) -> NotebookNode:
    """Read a notebook as nbformat 4.5; raises EditionError where there is none."""
    try:
        nb = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
    except FileNotFoundError:
        raise EditionError(f"{path}: there is no such file.") from None
    except (nbformat.reader.NotJSONError, UnicodeDecodeError, AttributeError, KeyError) as error:
        raise EditionError(
            f"{path}: this is not a notebook ({error!s:.80}). Restore it, for example with git."
        ) from None
    return nb


def text_of(nb: NotebookNode) -> str:
    """The notebook as the text of a file: keys in order, UTF-8 letters as they are, one newline at the end."""
    return nbformat.writes(nb, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all, also when the process is killed meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def apply(transforms: Iterable[Transform], nb: NotebookNode) -> NotebookNode:
    """Apply the transforms in their order. The given notebook stays as it is."""
    nb = copy.deepcopy(nb)
    for transform in transforms:
        nb = transform(nb)
    return nb


def with_cells(nb: NotebookNode, cells: Iterable[NotebookNode]) -> NotebookNode:
    """The same notebook with other cells."""
    return NotebookNode({**nb, "cells": list(cells)})


def with_source(cell: NotebookNode, source: str) -> NotebookNode:
    """The same cell with another source."""
    return NotebookNode({**cell, "source": source})


def markdown(cell_id: str, source: str) -> NotebookNode:
    """A new Markdown cell without metadata."""
    return NotebookNode(cell_type="markdown", id=cell_id[:ID_LENGTH], metadata=NotebookNode(), source=source)


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def grade_id(cell: NotebookNode) -> str:
    """The cell's grade id, or an empty string where nbgrader does not know the cell."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def is_check(cell: NotebookNode) -> bool:
    """Whether this is a graded cell: locked, run by the autograder, worth points."""
    meta = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and bool(meta.get("grade")) and not meta.get("solution")


def is_solution(cell: NotebookNode) -> bool:
    """Whether this is a code cell in which a student writes an answer."""
    return cell.cell_type == "code" and bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_task(cell: NotebookNode) -> bool:
    """Whether this is a question with a mark scheme, graded by hand."""
    return cell.cell_type == "markdown" and bool(cell.metadata.get("nbgrader", {}).get("task"))


def split_region(source: str, begin: str, end: str) -> tuple[str, str]:
    """Split a source into (what stands outside the regions, what stands inside), without the marker lines.

    Raises ValueError with one sentence where the markers do not pair.
    """
    outside: list[str] = []
    inside: list[str] = []
    within = False
    for line in source.split("\n"):
        if begin in line:
            if within:
                raise ValueError(f"'{begin}' stands twice without '{end}' between")
            within = True
        elif end in line:
            if not within:
                raise ValueError(f"'{end}' stands without '{begin}' before it")
            within = False
        else:
            (inside if within else outside).append(line)
    if within:
        raise ValueError(f"'{begin}' has no '{end}' after it")
    return "\n".join(outside), "\n".join(inside)


def exercise_of(solution_id: str) -> str:
    """The exercise of a solution cell: `masked_exp_solution` and `masked_exp_solution_2` give `masked_exp`."""
    return re.sub(r"_solution(_\d+)?$", "", solution_id)
