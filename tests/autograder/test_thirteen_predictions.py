"""The thirteen rows as predictions: the word for what torch did, whatever it did."""

from __future__ import annotations

import pytest

from autograder.exercises import get
from autograder.exercises.thirteen_predictions import WORDS, ask, questions, word
from inplace_lab import Experiment, Write, observe


def _experiment(operation: str, mutation: str, when: str, target: str = "middle", through: str = "plain") -> Experiment:
    return Experiment(operation, writes=(Write(target, mutation, when, through=through),))


@pytest.mark.parametrize(
    ("said", "experiment"),
    [
        ("refused", _experiment("pow", "mul_", "after_root")),
        ("refused", _experiment("exp", "mul_", "before_root", target="leaf")),
        ("same", _experiment("exp", "mul_", "after_root")),
        ("same", _experiment("log", "mul_", "before_root")),
        ("changed", _experiment("scale", "mul_", "before_root")),
        ("zero", _experiment("exp", "setitem", "before_root")),
        ("zero", _experiment("scale", "zero_", "before_root")),
        ("wrong", _experiment("pow", "mul_", "before_root", through="no_grad")),
        ("wrong", _experiment("scale", "mul_", "after_root", target="root", through="data")),
    ],
)
def test_the_word_for_what_torch_did(said: str, experiment: Experiment) -> None:
    assert said in WORDS
    assert word(observe(experiment)) == said
    assert ask(experiment).answer == said


def test_a_row_is_asked_in_the_order_in_which_it_runs() -> None:
    keys = [question.key for question in questions()]
    assert [int(key.partition(":")[0]) for key in keys] == list(range(1, 14))
    assert keys[0] == "1: root = middle * 2"
    assert keys[3] == "4: root = middle.pow(2); middle.mul_(3)"
    assert keys[12] == "13: middle[2] = 10; root = middle.exp()"
    assert get("thirteen_predictions").maximum == 13


def test_the_reason_quotes_the_run() -> None:
    assert (
        "as out of place; without the write it is [2, 2, 2, 2, 2]"
        in ask(_experiment("scale", "mul_", "before_root")).because
    )
    assert "saved middle at version 0" in ask(_experiment("pow", "mul_", "after_root")).because
    assert "but out of place it is [54, 72" in ask(_experiment("pow", "mul_", "before_root", through="no_grad")).because
