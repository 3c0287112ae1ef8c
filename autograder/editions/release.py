"""The release: the edition that students fetch, work in and submit.

nbgrader's own generate_assignment makes it, for `python -m autograder editions` and for an instructor alike. Before
nbgrader's preprocessors runs ours (`nbgrader_plugins.PrepareRelease`), which applies `RELEASE`.
"""

from __future__ import annotations

from nbformat import NotebookNode

from autograder.editions.measured import keep_text_only
from autograder.editions.normal import NORMALISE
from autograder.editions.notebook import TEACHING_NOTES, WHY, Transform, apply, tags, with_cells

EDITION = "inplace_lab"
"""Key of the notebook's metadata that says which edition of which lesson a file is, also after it was renamed."""


def drop_instructor_cells(nb: NotebookNode) -> NotebookNode:
    """Drop the teaching notes and the reasons of the solutions."""
    return with_cells(nb, (cell for cell in nb.cells if not {TEACHING_NOTES, WHY} & set(tags(cell))))


RELEASE: tuple[Transform, ...] = (*NORMALISE, keep_text_only, drop_instructor_cells)


def prepare_release(nb: NotebookNode, assignment: str, notebook: str) -> NotebookNode:
    """What nbgrader's generate_assignment starts from."""
    return stamp(apply(RELEASE, nb), "release", assignment, notebook)


def stamp(nb: NotebookNode, edition: str, assignment: str, notebook: str) -> NotebookNode:
    """Write into the notebook's metadata what it is, and of which version of the course."""
    from inplace_lab import __version__

    place = NotebookNode(edition=edition, assignment=assignment, notebook=notebook, version=__version__)
    return NotebookNode({**nb, "metadata": NotebookNode({**nb.metadata, EDITION: place})})
