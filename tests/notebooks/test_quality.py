"""The lessons teach as they should, and each rule catches what it is for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from autograder import exercises
from autograder.editions import EditionError, build, read, text_of, write
from autograder.editions.build import lessons
from autograder.editions.measured import keep_text_only, measure, refresh
from autograder.editions.notebook import markdown
from tests.notebooks.quality import EVERY, GRADED, repeated_code, shortcomings
from tests.tools import ROOT

SOURCES = [lesson.path for lesson in lessons(ROOT)]
EXAMPLE = ROOT / "source" / "saved_tensors" / "exp.ipynb"
ANSWERS = ROOT / "tests" / "answers"
FEWEST_RIGHT, FEWEST_WRONG = 3, 5


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_lesson_teaches_as_it_should(path: Path) -> None:
    found = shortcomings(path)
    assert not found, "\n".join(["", *found])


def test_no_lesson_repeats_another() -> None:
    assert repeated_code(SOURCES) == []


@pytest.mark.parametrize("exercise", exercises.names())
def test_answers_that_students_give_are_foreseen(exercise: str) -> None:
    names = [path.stem for path in (ANSWERS / exercise).glob("*.py")]
    assert sum(name.startswith("right_") for name in names) >= FEWEST_RIGHT, names
    assert sum(name.startswith("wrong_") for name in names) >= FEWEST_WRONG, names


Change = Callable[[NotebookNode], None]


def _replace(old: str, new: str) -> Change:
    def change(nb: NotebookNode) -> None:
        changed = [cell for cell in nb.cells if old in cell.source]
        assert changed, f"the example has no {old!r}"
        for cell in changed:
            cell.source = cell.source.replace(old, new)

    return change


def _add(text: str, copies: int = 1) -> Change:
    def change(nb: NotebookNode) -> None:
        nb.cells += [markdown(f"added-{number}", text) for number in range(copies)]

    return change


def _untag(tag: str) -> Change:
    def change(nb: NotebookNode) -> None:
        for cell in nb.cells:
            if tag in cell.metadata.get("tags", []):
                cell.metadata.tags = ["other"]

    return change


def _one_predicted_late(nb: NotebookNode) -> None:
    nb.cells.insert(2, markdown("early", "## Round 0: too early"))


def _nothing_to_run(nb: NotebookNode) -> None:
    nb.cells[2:2] = [markdown(f"prose-{number}", "Words.") for number in range(2)]


def _task_twice(nb: NotebookNode) -> None:
    task = next(cell for cell in nb.cells if cell.metadata.get("nbgrader", {}).get("task"))
    nb.cells.append(NotebookNode({**task, "id": "second"}))


MISTAKES: dict[str, tuple[str, Change]] = {
    "too many cells": ("is_of_bearable_length", _add("More.", 31)),
    "too long": ("is_of_bearable_length", _replace("**Time:** ", "**Time:** 1")),
    "words first": ("begins_with_something_to_run", _nothing_to_run),
    "two rounds": ("predicts_runs_and_explains", _replace("## Round ", "## Part ")),
    "run before the prediction": ("predicts_runs_and_explains", _one_predicted_late),
    "computed prediction": ("predictions_are_literals", _replace('exp": "runs"', 'exp": str("runs")')),
    "no predictions": ("predictions_are_literals", _replace("predictions = {", "predictions = {} | {")),
    "one difficulty": ("has_exercises_of_two_difficulties", _replace("**Difficulty:** easy", "**Difficulty:** medium")),
    "card and check differ": ("has_exercises_of_two_difficulties", _replace("**Points:** ", "**Points:** 1")),
    "two tasks": ("asks_for_one_written_answer", _task_twice),
    "no reason": ("explains_its_solutions", _untag("why")),
    "no help": ("helps_in_three_steps", _replace("<summary>Help: ", "<summary>Hint: ")),
    "help in two steps": ("helps_in_three_steps", _replace("<summary>Step 3</summary>", "<summary>More</summary>")),
    "no notes": ("has_teaching_notes", _untag("teaching-notes")),
    "notes without a question": ("has_teaching_notes", _replace("**Ask the room.**", "**Also.**")),
    "CPU alone": ("runs_on_a_gpu_too", _replace("The same on a GPU", "On the CPU")),
    "no sources": ("names_its_sources", _replace("**Sources.**", "**See.**")),
    "no end": ("says_what_you_can_now_say", _replace("## What you can now say", "## The end")),
    "typed number": ("numbers_are_measured", _add("The gradient is 7.39 there.")),
    "typed list": ("numbers_are_measured", _add("It is [2, 2, 0, 2].")),
    "stale number": ("numbers_are_measured", _add("It is <!-- measured: 1 + 1 -->3<!-- end -->.")),
    "number without an end": ("numbers_are_measured", _add("It is <!-- measured: 1 + 1 -->2.")),
    "colour": ("nothing_is_said_by_colour_alone", _add("See the red tag.")),
    "table without header": ("tables_have_header_rows", _add("| | |\n|---|---|\n| a | b |")),
    "HTML table without header": ("tables_have_header_rows", _add("<table><tr><td>a</td></tr></table>")),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_rule_catches_its_mistake(mistake: str, tmp_path: Path) -> None:
    rule, change = MISTAKES[mistake]
    nb = read(EXAMPLE)
    change(nb)
    path = tmp_path / "exp.ipynb"
    write(path, text_of(nb))
    assert [line for line in shortcomings(path) if line.startswith(f"{rule}: ")]


def test_every_rule_is_tried() -> None:
    assert {rule for rule, _ in MISTAKES.values()} == {rule.__name__ for rule in (*GRADED, *EVERY)}


def test_code_that_stands_in_two_lessons_is_found(tmp_path: Path) -> None:
    paths = [tmp_path / "one.ipynb", tmp_path / "two.ipynb"]
    for path in paths:
        write(path, text_of(read(EXAMPLE)))
    assert "two repeats a cell of one" in repeated_code(paths)[0]


def test_a_number_is_measured_again(sample_course: Path) -> None:
    path = sample_course / "source" / "start_here" / "start_here.ipynb"
    nb = read(path)
    code = "x = torch.tensor(3.0, requires_grad=True)\nx.pow(2).backward()\nf'{x.grad:g}'"
    nb.cells[0].source += f"\n\nThe slope is <!-- measured: {code} -->5<!-- end --> there."
    write(path, text_of(nb))

    assert "source/start_here/start_here.ipynb: brought into normal form" in build(sample_course)
    assert f"<!-- measured: {code} -->6<!-- end -->" in read(path).cells[0].source
    for built in ("release/start_here/start_here.ipynb", "notebooks/start_here.ipynb"):
        assert "The slope is 6 there." in read(sample_course / built).cells[0].source


def test_what_cannot_be_measured_is_said_with_its_reason() -> None:
    with pytest.raises(EditionError, match="must end in an expression"):
        measure("x = 1")
    with pytest.raises(EditionError, match="could not be measured: '1 / 0' raises ZeroDivisionError"):
        measure("1 / 0")


def test_code_cells_and_other_comments_are_left_alone() -> None:
    nb = read(EXAMPLE)
    nb.cells[2].source = "x = '<!-- measured: 1 -->2<!-- end -->'"
    nb.cells.append(markdown("plain", "<!-- a comment -->text<!-- end -->"))
    assert refresh(nb).cells[2].source == keep_text_only(nb).cells[2].source == nb.cells[2].source
    assert keep_text_only(nb).cells[-1].source == nb.cells[-1].source
