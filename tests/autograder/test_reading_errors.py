"""The exercises of the lessons on reading errors and on no_grad: their programs are what they are taken for."""

from __future__ import annotations

import ast
import json
import random
import re

import pytest
import torch

from autograder import exercises
from autograder.checking import examine
from autograder.editions import read
from autograder.exercises import read_message, sgd_step, who_needed_it
from autograder.exercises.kit import messages
from autograder.exercises.kit.programs import run
from autograder.report import PASSED
from inplace_lab import graph
from tests.tools import ROOT

SEEDS = range(20)


# Which program gave which message


def test_the_lessons_messages_can_be_told_apart() -> None:
    texts = [messages.message(program) for program in messages.PROGRAMS.values()]
    assert all(texts) and len(set(texts)) == len(texts)
    assert [text for text in texts if "Hint" in text] == []
    assert sorted(messages.lettered().values()) == sorted(messages.PROGRAMS)
    assert sum("expected version" in text for text in texts) == 5


def test_a_program_that_runs_has_no_message() -> None:
    assert messages.stopped("loss = middle.sum()") == ("", "")
    assert messages.stopped("leaf.mul_(3); loss = leaf.sum()")[0] == "leaf.mul_(3)"


def test_letters_in_the_lesson_are_those_of_the_check() -> None:
    """The lesson sorts the messages itself; a student's letters must mean what the check takes them for."""
    source = "\n".join(cell.source for cell in read(ROOT / "source" / "reading_errors" / "reading_errors.ipynb").cells)
    assert 'zip("ABCDEFGH", sorted(map(message, PROGRAMS.values())))' in source
    in_order = sorted(map(messages.message, messages.PROGRAMS.values()))
    assert [messages.message(messages.PROGRAMS[n]) for n in messages.lettered().values()] == in_order


# read_message


@pytest.mark.parametrize("seed", SEEDS)
def test_every_challenge_holds_every_difficulty(seed: int) -> None:
    challenge = read_message.challenge(random.Random(seed))
    assert json.loads(json.dumps(challenge)) == challenge == read_message.challenge(random.Random(seed))
    found = [read_message.parts(read_message.message(program)) for program in challenge["programs"]]
    assert None not in found
    assert any(parts.producer is None for parts in found)
    assert any("::" in (parts.producer or "") for parts in found)
    assert any(not parts.type.startswith("torch.") for parts in found)
    assert any(parts.shape == () for parts in found) and any(len(parts.shape) == 3 for parts in found)
    assert any(parts.found > 9 for parts in found) and any(parts.found < 10 for parts in found)
    for program in challenge["others"]:
        text = read_message.message(program)
        assert text and read_message.parts(text) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_are_those_of_the_tensors(seed: int) -> None:
    """The reference reads a message; the tensors of the program say the same."""
    for program in read_message.challenge(random.Random(seed))["programs"]:
        ran = run(program)
        parts = read_message.parts(str(ran.error))
        written = ran.names.get("root", ran.names.get("middle", ran.names["leaf"]))
        assert parts.shape == tuple(written.shape)
        assert parts.found == graph.version(written)
        assert parts.found > parts.expected >= 0
        if written.dtype in (torch.float32, torch.float64):
            assert parts.type == written.type()


# who_needed_it


@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_has_one_needer_at_most_and_the_pools_hold_what_they_say(seed: int) -> None:
    challenge = who_needed_it.challenge(random.Random(seed))
    assert json.loads(json.dumps(challenge)) == challenge == who_needed_it.challenge(random.Random(seed))
    for group, programs in challenge["programs"].items():
        truths = []
        for program in programs:
            ran = run(program)
            assert ran.error is None, (program, ran.error)
            found = [one.node for one in graph.broken(ran.names["loss"]) if one.expected is not None]
            assert len(set(found)) <= 1, program
            truths.append(who_needed_it.trial(program).name)
            assert truths[-1] == (found[0] if found else None)
        assert any(truths), f"{group}: a function that says None always must not pass"


def test_backward_agrees_with_the_truth() -> None:
    """What `trial` calls sound, backward accepts; what it calls broken, backward refuses."""
    challenge = who_needed_it.challenge(random.Random(1))
    for group, programs in challenge["programs"].items():
        for program in programs:
            if group == "a graph that was freed" and who_needed_it.trial(program).name is None:
                continue
            loss = run(program).names["loss"]
            refused = ""
            try:
                loss.backward()
            except RuntimeError as error:
                refused = str(error)
            assert bool(re.search("expected version", refused)) == (who_needed_it.trial(program).name is not None)


# sgd_step


def test_a_step_is_torchs_own() -> None:
    """The closed form, against the optimizer that everybody uses."""
    trial = sgd_step.challenge(random.Random(3))["trials"][sgd_step.ONE_STEP]
    weights = [torch.tensor(weight["values"], requires_grad=True) for weight in trial["weights"]]
    for weight, given in zip(weights, trial["weights"], strict=True):
        (weight * torch.tensor(given["slopes"])).sum().backward()
    torch.optim.SGD(weights, lr=trial["lr"]).step()
    for weight, given in zip(weights, trial["weights"], strict=True):
        expected = [v - trial["lr"] * s for v, s in zip(given["values"], given["slopes"], strict=True)]
        assert weight.tolist() == pytest.approx(expected)


def test_a_weight_that_was_kept_by_a_loss_is_protected() -> None:
    def through_data(weights: list, lr: float) -> None:
        for weight in weights:
            if weight.grad is not None:
                weight.data -= lr * weight.grad
                weight.grad = None

    report, _ = examine("sgd_step", through_data)
    assert [case.name for case in report.cases if case.status != PASSED] == [sgd_step.COUNTED]


# The literals of the solution cells


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [
        ("reading_errors/reading_errors", "reading_errors_predictions"),
        ("rules_of_mutation/no_grad_detach_data", "no_grad_detach_data_predictions"),
    ],
)
def test_the_solution_has_a_key_for_every_question(lesson: str, exercise: str) -> None:
    nb = read(ROOT / "source" / f"{lesson}.ipynb")
    cell = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == f"{exercise}_solution")
    stub, solution = (ast.literal_eval(statement.value) for statement in ast.parse(cell.source).body)
    keys = [question.key for question in exercises.get(exercise).verify.args[0]]
    assert list(stub) == list(solution) == keys
    assert set(stub.values()) == {None}
