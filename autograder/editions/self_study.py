"""The self-study edition: one flat folder, no nbgrader, the same checks, each solution folded in after its exercise."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.editions.measured import keep_text_only
from autograder.editions.normal import NORMALISE
from autograder.editions.notebook import (
    ANSWER,
    BEGIN_MARK_SCHEME,
    BEGIN_SOLUTION,
    END_MARK_SCHEME,
    END_SOLUTION,
    SET_UP,
    STUB,
    TEACHING_NOTES,
    WHY,
    EditionError,
    Transform,
    apply,
    exercise_of,
    grade_id,
    is_check,
    is_solution,
    is_task,
    markdown,
    split_region,
    tags,
    with_cells,
    with_source,
)
from autograder.editions.release import stamp

LINK = re.compile(r"""(?P<before>\]\(|\bhref=["'])(?P<target>[^)"'\s]+)""")
"""A link in Markdown, either way of writing one."""

KEEP_YOUR_WORK = """\
## Keep your work

- **Colab:** *File > Save a copy in Drive*. Without a copy your changes are gone when you close the page.
- **JupyterLab:** this file holds your work; save it with *File > Save Notebook*. To keep a clean copy as well,
  duplicate the file in the file browser before you begin."""


def put_set_up_cell(nb: NotebookNode, text: str = SET_UP) -> NotebookNode:
    """Put the edition's set-up cell in the place of the first code cell. Colab's edition has another text here."""
    first = next((cell for cell in nb.cells if cell.cell_type == "code"), None)
    return with_cells(nb, (with_source(cell, text) if cell is first else cell for cell in nb.cells))


def drop_teaching_notes(nb: NotebookNode) -> NotebookNode:
    """Drop what is meant for the instructor."""
    return with_cells(nb, (cell for cell in nb.cells if TEACHING_NOTES not in tags(cell)))


def fold_worked_solutions(nb: NotebookNode) -> NotebookNode:
    """Fold the code of each solution, and the `why` cells after it, into a cell behind its exercise.

    That is behind the check cell of the same exercise and the folded help that follows it; behind the solution itself
    where nothing checks it. The `why` cells go away.
    """
    folds: dict[str, list[str]] = {}  # exercise -> parts of its fold
    ends: dict[str, int] = {}  # exercise -> index of the cell that the fold follows
    exercise = ""
    for index, cell in enumerate(nb.cells):
        if is_solution(cell):
            exercise = exercise_of(grade_id(cell))
            folds.setdefault(exercise, []).append(_fence(_solution(cell)))
            ends[exercise] = index
        elif WHY in tags(cell):
            if not exercise:
                raise EditionError(f"a cell with the tag '{WHY}' stands before any solution cell: {cell.source[:50]!r}")
            folds[exercise].append(cell.source)
        elif is_check(cell) and (checked := grade_id(cell).removesuffix("_check")) in folds:
            ends[checked] = _after_help(nb.cells, index)

    behind = {end: exercise for exercise, end in ends.items()}

    def cells() -> Iterator[NotebookNode]:
        for index, cell in enumerate(nb.cells):
            if WHY not in tags(cell):
                yield cell
            if index in behind:
                exercise = behind[index]
                yield markdown(f"{exercise}-worked", _details("Worked solution", "\n\n".join(folds[exercise])))

    return with_cells(nb, cells())


def fold_mark_schemes(nb: NotebookNode) -> NotebookNode:
    """Take the mark scheme out of each task and fold it in behind the cell for the answer."""

    def cells() -> Iterator[NotebookNode]:
        waiting: NotebookNode | None = None
        for cell in nb.cells:
            if waiting and ANSWER not in tags(cell):
                yield waiting
                waiting = None
            if is_task(cell):
                question, scheme = _split(cell, BEGIN_MARK_SCHEME, END_MARK_SCHEME)
                yield with_source(cell, question.rstrip())
                if scheme.strip():
                    waiting = markdown(f"{grade_id(cell)}-scheme", _details("What a good answer says", scheme.strip()))
            else:
                yield cell
        if waiting:
            yield waiting

    return with_cells(nb, cells())


def clear_solutions(nb: NotebookNode) -> NotebookNode:
    """Put the stub in the place of each solution, as nbgrader does in the release."""
    return with_cells(nb, (with_source(cell, _cleared(cell)) if is_solution(cell) else cell for cell in nb.cells))


def flatten_links(nb: NotebookNode) -> NotebookNode:
    """All notebooks stand in one folder: a link to a notebook keeps its file name and its heading only."""

    def flat(match: re.Match[str]) -> str:
        path, hash_sign, heading = match["target"].partition("#")
        if path.endswith(".ipynb") and "://" not in path:
            path = posixpath.basename(path)
        return match["before"] + path + hash_sign + heading

    return with_cells(
        nb,
        (with_source(cell, LINK.sub(flat, cell.source)) if cell.cell_type == "markdown" else cell for cell in nb.cells),
    )


def drop_nbgrader_metadata(nb: NotebookNode) -> NotebookNode:
    """No grading here: nbgrader's metadata and the tags that steer the editions go away.

    The line with the grade id in each check cell stays: by it, a student who hands in this edition by mistake can
    still be graded.
    """

    def plain(cell: NotebookNode) -> NotebookNode:
        kept = [tag for tag in tags(cell) if tag != ANSWER]
        return NotebookNode({**cell, "metadata": NotebookNode(tags=kept) if kept else NotebookNode()})

    return with_cells(nb, map(plain, nb.cells))


def say_how_to_keep_work(nb: NotebookNode) -> NotebookNode:
    """The last cell says it, since nobody collects this edition."""
    return with_cells(nb, [*nb.cells, markdown("keep_your_work", KEEP_YOUR_WORK)])


SELF_STUDY: tuple[Transform, ...] = (
    *NORMALISE,
    keep_text_only,
    put_set_up_cell,
    drop_teaching_notes,
    fold_worked_solutions,
    fold_mark_schemes,
    clear_solutions,
    flatten_links,
    drop_nbgrader_metadata,
    say_how_to_keep_work,
)


def self_study(nb: NotebookNode, assignment: str, notebook: str) -> NotebookNode:
    """The self-study edition of a source notebook."""
    return stamp(apply(SELF_STUDY, nb), "self-study", assignment, notebook)


def _split(cell: NotebookNode, begin: str, end: str) -> tuple[str, str]:
    try:
        return split_region(cell.source, begin, end)
    except ValueError as error:
        raise EditionError(f"cell '{grade_id(cell)}': {error}.") from None


def _solution(cell: NotebookNode) -> str:
    """The code to show: the whole cell where the region is part of a function, else the region alone."""
    outside, region = _split(cell, BEGIN_SOLUTION, END_SOLUTION)
    if not region:
        return outside
    lines = cell.source.split("\n")
    if any(BEGIN_SOLUTION in line and not line[0].isspace() for line in lines):
        return region
    return "\n".join(line for line in lines if BEGIN_SOLUTION not in line and END_SOLUTION not in line)


def _cleared(cell: NotebookNode) -> str:
    _split(cell, BEGIN_SOLUTION, END_SOLUTION)  # complains where the markers do not pair
    if BEGIN_SOLUTION not in cell.source:
        return STUB
    lines: list[str] = []
    within = False
    for line in cell.source.split("\n"):
        if BEGIN_SOLUTION in line:
            within = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub_line for stub_line in STUB.split("\n")]
        elif END_SOLUTION in line:
            within = False
        elif not within:
            lines.append(line)
    return "\n".join(lines)


def _after_help(cells: list[NotebookNode], index: int) -> int:
    """The index of the last cell of folded help that follows the given cell, or the given index."""
    while index + 1 < len(cells) and _is_help(cells[index + 1]):
        index += 1
    return index


def _is_help(cell: NotebookNode) -> bool:
    return WHY in tags(cell) or (cell.cell_type == "markdown" and cell.source.lstrip().startswith("<details"))


def _fence(code: str) -> str:
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
    return f"{ticks}python\n{code.strip(chr(10))}\n{ticks}"


def _details(summary: str, body: str) -> str:
    # The empty lines make Markdown render what stands between the tags.
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"
