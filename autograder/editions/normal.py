"""The normal form of a source notebook: what may differ between two saved files of the same lesson is fixed here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.editions.notebook import (
    ID_LENGTH,
    SET_UP,
    Transform,
    apply,
    grade_id,
    tags,
    with_cells,
    with_source,
)

NBFORMAT = (4, 5)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {  # as ipykernel writes it, less the version of whoever saved last
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
SET_UP_ID = "set_up"


def fix_notebook_metadata(nb: NotebookNode) -> NotebookNode:
    """Give every notebook the same kernel, language and format; widget state and what editors add goes away."""
    return NotebookNode(
        cells=nb.cells,
        metadata=NotebookNode(kernelspec=NotebookNode(KERNEL), language_info=_node(LANGUAGE)),
        nbformat=NBFORMAT[0],
        nbformat_minor=NBFORMAT[1],
    )


def trim_sources(nb: NotebookNode) -> NotebookNode:
    """Unix line ends, no empty lines at a cell's end, no empty cells."""
    trimmed = (with_source(cell, _lines(cell.source)) for cell in nb.cells)
    return with_cells(nb, (cell for cell in trimmed if cell.source))


def drop_outputs(nb: NotebookNode) -> NotebookNode:
    """No outputs and no execution counts."""
    empty = NotebookNode(outputs=[], execution_count=None)
    return with_cells(nb, (NotebookNode({**cell, **empty}) if cell.cell_type == "code" else cell for cell in nb.cells))


def lock_set_up_cell(nb: NotebookNode) -> NotebookNode:
    """Make the set-up cell read-only, so that nbgrader restores it in a submission that broke it."""
    locked = NotebookNode({"nbgrader": NotebookNode(grade_id=SET_UP_ID, locked=True)})
    return with_cells(
        nb, (NotebookNode({**cell, "metadata": locked}) if cell.source == SET_UP else cell for cell in nb.cells)
    )


def complete_cell_metadata(nb: NotebookNode) -> NotebookNode:
    """Keep nbgrader's metadata and the tags, and nothing else; fill in what nbgrader's schema (version 3) demands.

    So an author writes `{"grade_id": "exp_check", "grade": true, "points": 3}`. Checksums belong to the release.
    """
    return with_cells(nb, (NotebookNode({**cell, "metadata": _metadata(cell)}) for cell in nb.cells))


def name_cells(nb: NotebookNode) -> NotebookNode:
    """Cell ids: the grade id, or else the cell's kind and a hash of its text, so that an edit changes one id only."""
    return with_cells(nb, _named(nb.cells))


NORMALISE: tuple[Transform, ...] = (
    fix_notebook_metadata,
    trim_sources,
    drop_outputs,
    lock_set_up_cell,
    complete_cell_metadata,
    name_cells,
)


def normalise(nb: NotebookNode) -> NotebookNode:
    """The normal form of a source notebook. Applying it again changes nothing."""
    return apply(NORMALISE, nb)


def _lines(source: str) -> str:
    return source.replace("\r\n", "\n").replace("\r", "\n").rstrip()


def _node(value: object) -> object:
    return NotebookNode({key: _node(item) for key, item in value.items()}) if isinstance(value, dict) else value


def _metadata(cell: NotebookNode) -> NotebookNode:
    kept = NotebookNode()
    if tags(cell):
        kept.tags = list(dict.fromkeys(tags(cell)))
    given = cell.metadata.get("nbgrader")
    if given:
        grade, solution, task = (bool(given.get(key)) for key in ("grade", "solution", "task"))
        kept.nbgrader = NotebookNode(
            schema_version=3,
            grade=grade,
            grade_id=given.get("grade_id", ""),
            locked=bool(given.get("locked")) or task or (grade and not solution),
            solution=solution,
            task=task,
        )
        if grade or task:
            points = float(given.get("points", 0))
            kept.nbgrader.points = int(points) if points.is_integer() else points
    return kept


def _named(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    taken = {grade_id(cell) for cell in cells}
    given: set[str] = set()
    for cell in cells:
        name = grade_id(cell)[:ID_LENGTH]
        if not name or name in given:
            digest = hashlib.sha256(cell.source.encode()).hexdigest()[:10]
            stem = f"{cell.cell_type}-{digest}"
            names = [stem] + [f"{stem}-{number}" for number in range(2, len(cells) + 2)]
            name = next(free for free in names if free not in given | taken)
        given.add(name)
        yield NotebookNode({**cell, "id": name})
