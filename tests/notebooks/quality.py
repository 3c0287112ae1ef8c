"""What a graded lesson must offer its reader: one function per rule, from a notebook to complaints (none is right).

`rules.py` holds what every source notebook must be like; these are the demands on teaching.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from autograder.editions import read
from autograder.editions.measured import MEASURED, measure
from autograder.editions.notebook import (
    BEGIN_SOLUTION,
    END_SOLUTION,
    SET_UP,
    TEACHING_NOTES,
    WHY,
    exercise_of,
    grade_id,
    is_check,
    is_solution,
    is_task,
    split_region,
    tags,
)
from tests.notebooks.rules import headings

MOST_CELLS = 30
"""A student gets at most so many cells; teaching notes and reasons of solutions are not among them."""
SHORTEST, LONGEST = 20, 40
"""Minutes of a lesson."""
ROUNDS = 3
"""Predict - run - explain, at least so often."""
STEPS = ("Step 2", "Step 3")
"""The folds within a help: the first step stands open in it."""

MINUTES = re.compile(r"\*\*Time:\*\* (\d+) minutes")
CARD = re.compile(
    r"\*\*Difficulty:\*\* (?P<difficulty>easy|medium|hard)\. \*\*Minutes:\*\* (?P<minutes>\d+)\. "
    r"\*\*Points:\*\* (?P<points>\d+(?:\.\d+)?)"
)
"""How an exercise is announced, before its solution cell."""
HELP = re.compile(r"<summary>Help: (?P<symptom>[^<]+)</summary>")
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+|\[ *-?\d+(?:\.\d*)?(?: *,? +-?\d+(?:\.\d*)?)+ *\]")
"""A number with a point, or a list of numbers: in prose it comes from a run."""
COLOURS = re.compile(r"\b(red|green|blue|orange|yellow|purple|violet|grey|gray|pink|brown)\b", re.IGNORECASE)
NOTES = ("**Time.**", "**Usual mistakes.**", "**Ask the room.**")

Rule = Callable[[NotebookNode], Iterator[str]]


def is_of_bearable_length(nb: NotebookNode) -> Iterator[str]:
    handed_out = [cell for cell in nb.cells if not {WHY, TEACHING_NOTES} & set(tags(cell))]
    if len(handed_out) > MOST_CELLS:
        yield f"a student gets {len(handed_out)} cells, at most {MOST_CELLS} are asked for"
    minutes = MINUTES.search(nb.cells[0].source)
    if minutes is None or not SHORTEST <= int(minutes[1]) <= LONGEST:
        yield f"its first cell does not say '**Time:** N minutes', with N from {SHORTEST} to {LONGEST}"


def begins_with_something_to_run(nb: NotebookNode) -> Iterator[str]:
    if not any(cell.cell_type == "code" and cell.source != SET_UP for cell in nb.cells[:4]):
        yield "nothing is run within the first four cells"


def predicts_runs_and_explains(nb: NotebookNode) -> Iterator[str]:
    committed = False
    rounds = 0
    for cell in nb.cells:
        committed |= is_predictions(cell)
        if cell.cell_type == "markdown" and any(text.startswith("Round ") for _, text in headings(cell)):
            rounds += 1
            if not committed:
                yield "a round begins before the cell of predictions (grade id ..._predictions_solution)"
    if rounds < ROUNDS:
        yield f"has {rounds} rounds (headings that begin with 'Round '), at least {ROUNDS} are asked for"


def predictions_are_literals(nb: NotebookNode) -> Iterator[str]:
    for cell in filter(is_predictions, nb.cells):
        for part in split_region(cell.source, BEGIN_SOLUTION, END_SOLUTION):
            match ast.parse(part).body:
                case [ast.Assign(value=ast.Dict() as answers)]:
                    try:
                        ast.literal_eval(answers)
                    except ValueError:
                        yield f"{grade_id(cell)}: predictions are plain values, since a grader reads them"
                case _:
                    yield f"{grade_id(cell)}: needs one dict before the solution markers and one between them"


def has_exercises_of_two_difficulties(nb: NotebookNode) -> Iterator[str]:
    cards = [card for cell in nb.cells if cell.cell_type == "markdown" for card in CARD.finditer(cell.source)]
    if len({card["difficulty"] for card in cards}) < 2:
        yield "needs exercises of two difficulties: '**Difficulty:** easy. **Minutes:** 5. **Points:** 4'"
    checks = [cell for cell in nb.cells if is_check(cell)]
    worth = sorted(float(cell.metadata.nbgrader.points) for cell in checks if not is_of_predictions(cell))
    stated = sorted(float(card["points"]) for card in cards)
    if stated != worth:
        yield f"its cards say {stated} points, the checks of its exercises are worth {worth}"


def asks_for_one_written_answer(nb: NotebookNode) -> Iterator[str]:
    tasks = [cell for cell in nb.cells if is_task(cell)]
    if len(tasks) != 1:
        yield f"has {len(tasks)} written answers, one is asked for"


def explains_its_solutions(nb: NotebookNode) -> Iterator[str]:
    explained = {
        exercise_of(grade_id(before).removesuffix("_check"))
        for before, cell in zip(nb.cells, nb.cells[1:], strict=False)
        if WHY in tags(cell)
    }
    for cell in filter(is_solution, nb.cells):
        if exercise_of(grade_id(cell)) not in explained:
            yield f"{grade_id(cell)}: no cell with the tag 'why' follows it or its check"


def helps_in_three_steps(nb: NotebookNode) -> Iterator[str]:
    for index, cell in enumerate(nb.cells):
        name = grade_id(cell)
        if not is_check(cell) or is_of_predictions(cell):
            continue
        following = nb.cells[index + 1].source if index + 1 < len(nb.cells) else ""
        symptoms = HELP.findall(following)
        if not symptoms:
            yield f"{name}: no '<summary>Help: a symptom</summary>' follows it"
        for step in STEPS:
            if following.count(f"<summary>{step}</summary>") != len(symptoms):
                yield f"{name}: not every help has a fold '{step}'"


def has_teaching_notes(nb: NotebookNode) -> Iterator[str]:
    notes = [cell for cell in nb.cells if TEACHING_NOTES in tags(cell)]
    if len(notes) != 1 or not all(part in notes[0].source for part in NOTES) or "<details>" not in notes[0].source:
        yield f"needs one folded cell of teaching notes with {', '.join(NOTES)}"


def runs_on_a_gpu_too(nb: NotebookNode) -> Iterator[str]:
    titles = [text for cell in nb.cells if cell.cell_type == "markdown" for _, text in headings(cell)]
    if not any(title.startswith("The same on a GPU") for title in titles):
        yield "no heading begins with 'The same on a GPU'"


def names_its_sources(nb: NotebookNode) -> Iterator[str]:
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    named = re.split(r"\*\*Sources\.\*\*|^## Sources", text, maxsplit=1, flags=re.MULTILINE)
    if len(named) < 2 or "https://" not in named[1]:
        yield "names no sources with an address ('**Sources.** ...')"


def says_what_you_can_now_say(nb: NotebookNode) -> Iterator[str]:
    if not any("## What you can now say" in cell.source for cell in nb.cells):
        yield "has no 'What you can now say'"


GRADED: tuple[Rule, ...] = (
    is_of_bearable_length,
    begins_with_something_to_run,
    predicts_runs_and_explains,
    predictions_are_literals,
    has_exercises_of_two_difficulties,
    asks_for_one_written_answer,
    explains_its_solutions,
    helps_in_three_steps,
    has_teaching_notes,
    runs_on_a_gpu_too,
    names_its_sources,
    says_what_you_can_now_say,
)
"""For graded lessons."""


def numbers_are_measured(nb: NotebookNode) -> Iterator[str]:
    for cell in nb.cells:
        if cell.cell_type != "markdown":
            continue
        for match in MEASURED.finditer(cell.source):
            now = measure(match["code"])
            if now != match["text"]:
                yield f"says {match['text']!r} where torch gives {now!r} ({match['code']}): run `make notebooks`"
        if "measured:" in MEASURED.sub("", cell.source):
            yield "a comment that begins with 'measured:' does not end in '--> ... <!-- end -->'"
        if found := DECIMAL.search(_prose(cell.source)):
            yield f"a number typed into Markdown: {found[0]!r}; see autograder/editions/measured.py"


def nothing_is_said_by_colour_alone(nb: NotebookNode) -> Iterator[str]:
    for cell in nb.cells:
        if cell.cell_type == "markdown" and (found := COLOURS.search(_prose(cell.source))):
            yield f"names a colour, which not everybody can see: {found[0]!r}"


def tables_have_header_rows(nb: NotebookNode) -> Iterator[str]:
    for cell in nb.cells:
        if cell.cell_type != "markdown":
            continue
        lines = cell.source.split("\n")
        for above, line in zip(lines, lines[1:], strict=False):
            if re.fullmatch(r"\|( *:?-+:? *\|)+", line.strip()) and not re.search(r"\w", above):
                yield f"a table without header row: {line!r}"
        if "<table" in cell.source and "<th" not in cell.source:
            yield "a table without header cells"


EVERY: tuple[Rule, ...] = (numbers_are_measured, nothing_is_said_by_colour_alone, tables_have_header_rows)
"""For every lesson, the ungraded ones too."""


def shortcomings(path: Path) -> list[str]:
    """All complaints about a source notebook, each with its rule."""
    nb = read(path)
    rules = (*GRADED, *EVERY) if any(map(is_check, nb.cells)) else EVERY
    return [f"{rule.__name__}: {complaint}" for rule in rules for complaint in rule(nb)]


def is_predictions(cell: NotebookNode) -> bool:
    """Whether this is the cell in which a student commits to predictions."""
    return is_solution(cell) and is_of_predictions(cell)


def is_of_predictions(cell: NotebookNode) -> bool:
    return exercise_of(grade_id(cell).removesuffix("_check")).endswith("_predictions")


def repeated_code(paths: list[Path]) -> list[str]:
    """Code cells of some length that stand word for word in two lessons."""
    seen: dict[str, Path] = {}
    found = []
    for path in paths:
        for cell in read(path).cells:
            if cell.cell_type != "code" or cell.source == SET_UP or cell.source.count("\n") < 3:
                continue
            other = seen.setdefault(cell.source, path)
            if other != path:
                found.append(f"{path.stem} repeats a cell of {other.stem}: {cell.source[:60]!r}")
    return found


def _prose(source: str) -> str:
    """Markdown without measured texts, code, comments, addresses and the lines of points."""
    source = MEASURED.sub(" ", source)
    source = re.sub(r"^(`{3,}|~{3,}).*?^\1", " ", source, flags=re.MULTILINE | re.DOTALL)
    source = re.sub(r"(`+).+?\1|<!--.*?-->|<[^>]+>|\]\([^)]*\)|https?://\S+", " ", source, flags=re.DOTALL)
    return re.sub(r"\*\*Points:\*\*.*|\([\d.]+ points?\)", " ", source)
