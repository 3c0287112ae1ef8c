"""The corpus: one file for each submission that tries to gain points or to do harm (and some that only look like it).

A file is Python that the test reads, not the submission itself:

    docstring        what it tries, one line
    POINTS           what its real answers deserve in the cell masked_exp_check; PREDICTIONS, in the other one (0)
    ANSWER           a file of tests/answers/masked_exp whose code becomes the solution; SOLUTION, the code itself.
                     Without both the solution stays untouched.
    PREDICTED        True: the predictions are the right ones
    FIRST            code of a new cell after the set-up cell; BEFORE_PREDICTIONS and BEFORE, before the graded cells;
                     AFTER, after the last of them; LAST, at the end
    CHECK            text that replaces the graded cell's
    edit(cells), edit_notebook(nb)    change cells and metadata in place
    FILES            files that are handed in beside the notebook: path to text
    place(folder, course)             changes the submission's folder
    NEVER, LOG_NEVER patterns that its outputs and the grader's log must not hold
    harm(nb)         returns what is bad in the graded notebook
    SAYS             words that the report must hold

In all of its code COURSE, HOME, TMP_CANARY, TMP_SOCKET, PORT and LISTENER stand for places of the machine that grades.
"""

from __future__ import annotations

import copy
import re
import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.editions.notebook import grade_id
from tests.tools import ROOT

CORPUS = Path(__file__).parent / "corpus"
ANSWERS = ROOT / "tests" / "answers" / "masked_exp"
SOLUTION, CHECK = "masked_exp_solution", "masked_exp_check"
PREDICTIONS, PREDICTIONS_CHECK = "masked_exp_predictions_solution", "masked_exp_predictions_check"


@dataclass(frozen=True)
class Submission:
    """One file of the corpus. `has` holds its global names."""

    name: str
    tries: str
    points: float
    predictions: float
    has: Mapping[str, Any]


def corpus() -> tuple[Submission, ...]:
    """Every submission, sorted by name."""
    return tuple(_read(path) for path in sorted(CORPUS.glob("*.py")))


def _read(path: Path) -> Submission:
    has = runpy.run_path(str(path))
    tries = (has["__doc__"] or "").strip()
    assert tries and "\n" not in tries, f"{path}: the docstring is one line that says what it tries."
    return Submission(path.stem, tries, float(has["POINTS"]), float(has.get("PREDICTIONS", 0)), has)


def notebook(given: Submission, released: NotebookNode, predicted: str, places: Mapping[str, str]) -> NotebookNode:
    """The submitted notebook.

    Args:
        released: what students get.
        predicted: code of the right predictions.
        places: what stands for COURSE and so on.
    """
    nb, has = copy.deepcopy(released), given.has
    texts = {}
    if "ANSWER" in has:
        texts[SOLUTION] = (ANSWERS / f"{has['ANSWER']}.py").read_text() + "\n\nmasked_exp = answer\n"
    if "SOLUTION" in has:
        texts[SOLUTION] = has["SOLUTION"].strip("\n")
    if "CHECK" in has:
        texts[CHECK] = has["CHECK"]
    if has.get("PREDICTED"):
        texts[PREDICTIONS] = predicted
    for cell in nb.cells:
        cell.source = texts.get(grade_id(cell), cell.source)
    for name, beside, after in (
        ("FIRST", "set_up", 1),
        ("BEFORE_PREDICTIONS", PREDICTIONS_CHECK, 0),
        ("BEFORE", CHECK, 0),
        ("AFTER", CHECK, 1),
    ):
        if name in has:
            place = next(index for index, cell in enumerate(nb.cells) if grade_id(cell) == beside)
            nb.cells.insert(place + after, new_code_cell(has[name].strip("\n"), id=name.lower().replace("_", "-")))
    if "LAST" in has:
        nb.cells.append(new_code_cell(has["LAST"].strip("\n"), id="last"))
    for cell in nb.cells:
        cell.source = filled(cell.source, places)
    if "edit" in has:
        has["edit"](nb.cells)
    if "edit_notebook" in has:
        has["edit_notebook"](nb)
    return nb


def files(given: Submission, places: Mapping[str, str]) -> dict[str, str]:
    """What is handed in beside the notebook."""
    return {name: filled(text, places) for name, text in given.has.get("FILES", {}).items()}


def place(given: Submission) -> Callable[..., None]:
    """Its own change of the submission's folder."""
    return given.has.get("place", lambda folder, course: None)


def filled(text: str, places: Mapping[str, str]) -> str:
    """The text with the machine's own places in it."""
    return re.sub(rf"\b({'|'.join(places)})\b", lambda found: places[found[0]], text)
