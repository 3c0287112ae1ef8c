"""What a source notebook must be like: one function per rule, from a notebook to complaints (none is right)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from autograder import exercises
from autograder.editions import SET_UP, normalise, read, text_of
from autograder.editions.notebook import (
    ANSWER,
    BEGIN_MARK_SCHEME,
    BEGIN_SOLUTION,
    END_MARK_SCHEME,
    END_SOLUTION,
    WHY,
    exercise_of,
    grade_id,
    is_check,
    is_solution,
    is_task,
    split_region,
    tags,
)
from autograder.editions.self_study import LINK

CODE_LINES, ALL_LINES = 12, 14
"""A code cell that a student must read has at most so many lines of code, and so many in all."""

POINTS = re.compile(
    r"^\*\*Points:\*\* (\d+(?:\.\d+)?) in this notebook, (\d+(?:\.\d+)?) in the assignment", re.MULTILINE
)
"""How a graded notebook states its points, in its first cell."""

WIDGETS_THAT_STALL = re.compile(r"\b(Output|interact|interact_manual|interactive|interactive_output)\b")
"""Through an Output widget nbclient can lose the reply of a cell, which then waits for its whole time limit."""

ERROR_TEXT = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning): |modified by an inplace operation")
"""What torch or Python says in an error; it is shown by a cell that runs, since the words change with the version."""

Rule = Callable[[Path], Iterator[str]]


def is_in_normal_form(path: Path) -> Iterator[str]:
    if text_of(normalise(read(path))).encode() != path.read_bytes():
        yield "is not in normal form: run `make notebooks`"


def begins_with_the_set_up_cell(path: Path) -> Iterator[str]:
    nb = read(path)
    first = next((cell for cell in nb.cells if cell.cell_type == "code"), None)
    if first is None or first.source != SET_UP:
        yield "its first code cell is not the set-up cell"


def graded_cells_have_their_form(path: Path) -> Iterator[str]:
    nb = read(path)
    graded = any(map(is_check, nb.cells))
    for cell in nb.cells:
        if is_check(cell):
            name = grade_id(cell)
            exercise = name.removesuffix("_check")
            if name == exercise:
                yield f"{name}: the grade id of a check ends in _check"
            elif exercise not in exercises.names():
                yield f"{name}: there is no exercise {exercise!r}"
            elif cell.metadata.nbgrader.points != exercises.get(exercise).maximum:
                yield f"{name}: worth {cell.metadata.nbgrader.points}, not {exercises.get(exercise).maximum}"
            if cell.source.split("\n")[0] != f"# grade id: {name} (keep this line)":
                yield f"{name}: its first line is not the comment with its grade id"
            if not _ends_in_check(cell.source, exercise):
                yield f'{name}: its last expression is not check("{exercise}", ...)'
        elif graded and cell.cell_type == "code" and re.search(r"^check\(", cell.source, re.MULTILINE):
            yield f"calls check outside a graded cell: {cell.source[:40]!r}"


def solutions_have_their_form(path: Path) -> Iterator[str]:
    for cell in read(path).cells:
        name = grade_id(cell)
        if is_solution(cell):
            if exercise_of(name) == name:
                yield f"{name}: the grade id of a solution ends in _solution"
            yield from _region(cell, BEGIN_SOLUTION, END_SOLUTION, "### {}")
        elif is_task(cell):
            yield from _region(cell, BEGIN_MARK_SCHEME, END_MARK_SCHEME, "=== {} ===")
            _, scheme = split_region(cell.source, BEGIN_MARK_SCHEME, END_MARK_SCHEME)
            if not 1 <= len(scheme.strip().split("\n")) <= 4:
                yield f"{name}: a mark scheme has one to four lines"
        elif cell.metadata.get("nbgrader", {}).get("solution"):
            yield f"{name}: a written answer is a task cell, since nbgrader replaces a Markdown solution cell whole"
        elif any(marker in cell.source for marker in (BEGIN_SOLUTION, BEGIN_MARK_SCHEME)):
            yield f"a marker stands outside a solution or task cell: {cell.source[:40]!r}"


def tagged_cells_stand_in_their_place(path: Path) -> Iterator[str]:
    before: NotebookNode | None = None
    for cell in read(path).cells:
        if ANSWER in tags(cell) and not (before and is_task(before)):
            yield f"an answer cell does not follow a task: {cell.source[:40]!r}"
        if is_task(cell) and not grade_id(cell):
            yield "a task has no grade id"
        if before is not None and is_task(before) and ANSWER not in tags(cell):
            yield f"{grade_id(before)}: no answer cell follows the task"
        if WHY in tags(cell) and not (before and (is_solution(before) or is_check(before) or WHY in tags(before))):
            yield f"a why cell does not follow a solution: {cell.source[:40]!r}"
        before = cell


def states_its_points(path: Path) -> Iterator[str]:
    nb = read(path)
    stated = POINTS.search(nb.cells[0].source)
    here = points_of(nb)
    if stated is None:
        if here:
            yield "its first cell does not say '**Points:** A in this notebook, B in the assignment'"
        return
    if float(stated[1]) != here:
        yield f"its first cell says {stated[1]} points, its cells are worth {here:g}"
    total = sum(points_of(read(other)) for other in path.parent.glob("*.ipynb"))
    if float(stated[2]) != total:
        yield f"its first cell says {stated[2]} points for the assignment, whose cells are worth {total:g}"


def grade_ids_are_unique(path: Path) -> Iterator[str]:
    seen: set[str] = set()
    for other in sorted(path.parent.glob("*.ipynb")):
        for name in filter(None, map(grade_id, read(other).cells)):
            if name in seen and name != "set_up" and other == path:
                yield f"{name}: the assignment has this grade id twice"
            if len(name) > 60 and other == path:
                yield f"{name}: a grade id has at most 60 characters"
            seen.add(name)


def has_no_widget_that_stalls(path: Path) -> Iterator[str]:
    for cell in read(path).cells:
        if cell.cell_type == "code" and (found := WIDGETS_THAT_STALL.search(_names(cell.source))):
            yield f"uses {found[0]}, which can stall nbclient: {cell.source[:40]!r}"


def quotes_no_error(path: Path) -> Iterator[str]:
    for cell in read(path).cells:
        if cell.cell_type == "markdown" and (found := ERROR_TEXT.search(cell.source)):
            yield f"error text in Markdown: {found[0]!r}"


def code_is_short(path: Path) -> Iterator[str]:
    for cell in read(path).cells:
        if cell.cell_type == "code" and not is_solution(cell):
            lines = cell.source.split("\n")
            code = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
            if len(code) > CODE_LINES or len(lines) > ALL_LINES:
                yield f"a code cell has {len(code)} lines of code, {len(lines)} in all: {lines[0]!r}"


def links_resolve(path: Path) -> Iterator[str]:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for match in LINK.finditer(cell.source):
                yield from _link(path, match["target"])


def headings_are_in_order(path: Path) -> Iterator[str]:
    nb = read(path)
    levels = [(len(marks), text) for cell in nb.cells if cell.cell_type == "markdown" for marks, text in headings(cell)]
    if not levels or not nb.cells[0].source.startswith("# "):
        yield "its first cell does not begin with a title"
        return
    for (level, _), (next_level, text) in zip(levels, levels[1:], strict=False):
        if next_level == 1:
            yield f"a second title: {text!r}"
        elif next_level > level + 1:
            yield f"a heading skips a level: {text!r}"


def pictures_have_alt_text(path: Path) -> Iterator[str]:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for image in re.findall(r"!\[\s*\]\([^)]*\)|<img(?![^>]*\balt=[\"'][^\"'])[^>]*>", cell.source):
                yield f"a picture without alt text: {image[:60]!r}"


RULES: tuple[Rule, ...] = (
    is_in_normal_form,
    begins_with_the_set_up_cell,
    graded_cells_have_their_form,
    solutions_have_their_form,
    tagged_cells_stand_in_their_place,
    states_its_points,
    grade_ids_are_unique,
    has_no_widget_that_stalls,
    quotes_no_error,
    code_is_short,
    links_resolve,
    headings_are_in_order,
    pictures_have_alt_text,
)


def complaints(path: Path) -> list[str]:
    """All complaints about a source notebook, each with its rule."""
    return [f"{rule.__name__}: {complaint}" for rule in RULES for complaint in rule(path)]


def points_of(nb: NotebookNode) -> float:
    """The points of all checks and tasks."""
    return sum(cell.metadata.nbgrader.points for cell in nb.cells if is_check(cell) or is_task(cell))


def headings(cell: NotebookNode) -> list[tuple[str, str]]:
    """The Markdown headings of a cell (marks, text), less what looks like one inside a fenced block."""
    prose = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", cell.source, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^(#{1,6}) +(.+?) *$", prose, re.MULTILINE)


def anchors(nb: NotebookNode) -> set[str]:
    """What a link within Jupyter may name after '#': each heading's plain text with hyphens for spaces."""
    texts = (text for cell in nb.cells if cell.cell_type == "markdown" for _, text in headings(cell))
    return {re.sub(r"[`*]", "", text).replace(" ", "-") for text in texts}


def _link(path: Path, target: str) -> Iterator[str]:
    if target.startswith("https://"):
        return
    name, _, anchor = target.partition("#")
    if not re.fullmatch(r"((\.\./\w+/)?[\w-]+\.ipynb)?", name):
        yield f"link {target!r}: only other lessons, headings and https:// can be reached from every edition"
        return
    linked = path.parent / name if name else path
    if not linked.is_file():
        yield f"link {target!r}: there is no such lesson"
    elif anchor and anchor not in anchors(read(linked)):
        yield f"link {target!r}: there is no such heading"


def _ends_in_check(source: str, exercise: str) -> bool:
    try:
        last = ast.parse(source).body[-1]
    except (SyntaxError, IndexError):
        return False
    match last:
        case ast.Expr(ast.Call(ast.Name("check"), [ast.Constant(name), _], [])):
            return name == exercise
    return False


def _region(cell: NotebookNode, begin: str, end: str, form: str) -> Iterator[str]:
    lines = [line.strip() for line in cell.source.split("\n")]
    if lines.count(form.format(begin)) != 1 or lines.count(form.format(end)) != 1:
        yield f"{grade_id(cell)}: needs '{form.format(begin)}' and '{form.format(end)}' once each, alone on their lines"


def _names(source: str) -> str:
    """The names in a piece of code, without strings and comments; magics are left out."""
    code = "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n"))
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, IndentationError):
        return code
    return " ".join(token.string for token in tokens if token.type == tokenize.NAME)
