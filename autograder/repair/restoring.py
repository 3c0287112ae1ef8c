"""Put the instructor's cells of a submission right."""

from __future__ import annotations

from collections.abc import Sequence

import nbformat
from nbformat import NotebookNode

from autograder.editions.normal import KERNEL, LANGUAGE
from autograder.editions.notebook import grade_id, with_cells
from autograder.editions.release import EDITION
from autograder.repair.finding import owners_of, same
from autograder.repair.placing import fresh, put_back, put_in_order
from autograder.repair.reading import name_cells
from autograder.repair.texts import harmless, without_lost_pictures
from autograder.repair.values import Known, Note


def restore(
    nb: NotebookNode, known: Sequence[Known], version: str = "", trusted: frozenset[str] = frozenset()
) -> tuple[NotebookNode, tuple[Note, ...]]:
    """Put the instructor's cells in order: each of them there once, with its own metadata, text and kind.

    Args:
        nb: as `read` returned it.
        known: the cells of the gradebook, in the order of the source.
        version: of this course, to be held against the one in the submission's metadata.
        trusted: sources of the instructor's other cells, whose HTML may stay.
    """
    notes: list[Note] = []
    stamped = nb.metadata.get(EDITION, {}).get("version", "")
    if version and stamped and stamped != version:
        notes.append(Note(f"The notebook is from version {stamped} of the course; it is graded by version {version}."))
    cells = list(nb.cells)
    owners = owners_of(cells, known, notes)
    for cell in cells:
        cell.metadata.pop("nbgrader", None)
    by_id = {item.grade_id: item for item in known}
    for name, cell in owners.items():
        _put_right(cell, by_id[name], notes)
    put_back(cells, owners, known, notes)
    put_in_order(cells, owners, known, notes)
    for cell in cells:
        if cell.cell_type == "code":
            continue
        item = by_id.get(grade_id(cell))
        if not (item and cell.source == item.source) and cell.source not in trusted:
            cell.source = harmless(cell.source, notes)
        cell.source = without_lost_pictures(cell, notes)
    return with_cells(nb, cells), tuple(notes)


def blank(known: Sequence[Known]) -> NotebookNode:
    """A notebook that holds nothing but the instructor's cells, untouched."""
    cells = [fresh(item) for item in known]
    name_cells(cells, [])
    metadata = NotebookNode(kernelspec=NotebookNode(KERNEL), language_info=nbformat.from_dict(LANGUAGE))
    return NotebookNode(cells=cells, metadata=metadata, nbformat=4, nbformat_minor=5)


def _put_right(cell: NotebookNode, item: Known, notes: list[Note]) -> None:
    """Kind, text and metadata of one of the instructor's cells."""
    if cell.cell_type != item.cell_type:
        notes.append(
            Note(f"The cell had become a {cell.cell_type} cell; it is a {item.cell_type} cell.", item.grade_id)
        )
        cell.cell_type = item.cell_type
        if item.cell_type == "code":
            cell.pop("attachments", None)
            cell.execution_count, cell.outputs = None, []
        else:
            cell.pop("execution_count", None), cell.pop("outputs", None)
    if item.locked and cell.source != item.source:
        if not item.task and not same(cell.source, item.source):
            notes.append(Note("The cell's text had been changed; the instructor's own was put back.", item.grade_id))
        cell.source = item.source
    cell.metadata.nbgrader = item.metadata()
