"""Where the instructor's cells belong among a student's: deleted ones are put back, moved ones in order."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from nbformat import NotebookNode

from autograder.editions.notebook import ID_LENGTH
from autograder.repair.finding import bound, index_of
from autograder.repair.reading import name_cells
from autograder.repair.values import Known, Note


def put_back(
    cells: list[NotebookNode], owners: dict[str, NotebookNode], known: Sequence[Known], notes: list[Note]
) -> None:
    """Deleted cells. A solution that is not graded by itself stays away: the answer may stand in another cell."""
    for item in known:
        if item.grade_id in owners or not (item.locked or item.grade):
            continue
        cell = fresh(item)
        cells.insert(_place(cells, owners, known, item), cell)
        owners[item.grade_id] = cell
        notes.append(Note("The cell had been deleted; it was put back.", item.grade_id))
    name_cells(cells, [])


def put_in_order(
    cells: list[NotebookNode], owners: dict[str, NotebookNode], known: Sequence[Known], notes: list[Note]
) -> None:
    """A locked code cell stands after what it builds on and before the next solution."""
    for number, item in enumerate(known):
        if not (item.locked and item.cell_type == "code"):
            continue
        here = index_of(cells, owners[item.grade_id])
        before = _indices(cells, owners, known[:number])
        after = _indices(cells, owners, [other for other in known[number + 1 :] if number == 0 or other.solution])
        if max(before, default=-1) < here < min(after, default=len(cells)):
            continue
        cell = cells.pop(here)
        place = _place(cells, {name: other for name, other in owners.items() if other is not cell}, known, item)
        cells.insert(place, cell)
        if place != here:
            notes.append(Note("The cell stood in another place; it was put back to its own.", item.grade_id))


def _place(cells: list[NotebookNode], owners: dict[str, NotebookNode], known: Sequence[Known], item: Known) -> int:
    """Where the cell belongs: after the instructor's cells before it and the last cell that defines its names."""
    number = [other.grade_id for other in known].index(item.grade_id)
    first = max(_indices(cells, owners, known[:number]), default=-1)
    if first < 0 and number == 0:
        return next((place for place, cell in enumerate(cells) if cell.cell_type == "code"), len(cells))
    last = min(
        (index for index in _indices(cells, owners, known[number + 1 :]) if index > first),
        default=len(cells),
    )
    names = used(item.source) if item.cell_type == "code" else set()
    defining = [
        index
        for index in range(first + 1, last)
        if cells[index].cell_type == "code" and names & bound(cells[index].source)
    ]
    return max([first, *defining]) + 1


def _indices(cells: list[NotebookNode], owners: dict[str, NotebookNode], items: Iterable[Known]) -> list[int]:
    return [index_of(cells, owners[item.grade_id]) for item in items if item.grade_id in owners]


def fresh(item: Known) -> NotebookNode:
    source = item.source
    metadata = NotebookNode(nbgrader=item.metadata())
    cell = NotebookNode(cell_type=item.cell_type, id=item.grade_id[:ID_LENGTH], metadata=metadata, source=source)
    if item.cell_type == "code":
        cell.execution_count, cell.outputs = None, []
    return cell


def used(source: str) -> set[str]:
    """The names that an instructor's cell reads."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
