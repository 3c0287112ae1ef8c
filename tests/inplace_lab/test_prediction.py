"""The answers offered in predict mode: exactly one is right, and it is what torch did."""

from __future__ import annotations

import itertools

import pytest

from inplace_lab import OPERATIONS, Experiment, Write, observe
from inplace_lab.catalogue import TARGETS, TIMES, WAYS
from inplace_lab.prediction import answers


def right(experiment: Experiment) -> str:
    found = [answer.text for answer in answers(observe(experiment)) if answer.right]
    assert len(found) == 1
    return found[0]


def test_a_refused_backward_and_a_refused_write_fail() -> None:
    assert right(Experiment("exp", writes=(Write("root", "mul_", "after_root"),))) == "fails"
    assert right(Experiment("exp", writes=(Write("leaf", "mul_", "after_root"),))) == "fails"


def test_the_gradient_is_part_of_the_answer() -> None:
    assert right(Experiment("scale", writes=(Write("middle", "mul_", "before_root"),))).endswith("[6, 6, 6, 6, 6]")
    assert right(Experiment("scale", writes=(Write("middle", "mul_", "after_root"),))).endswith("[2, 2, 2, 2, 2]")


def test_a_silent_wrong_gradient_is_another() -> None:
    silent = Experiment("exp", writes=(Write("root", "mul_", "after_loss", through="data"),))
    assert right(silent) == "runs, with another gradient"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_exactly_one_answer_is_right_everywhere(operation: str) -> None:
    for target, when, through in itertools.product(TARGETS, TIMES, WAYS):
        if (target, when) != ("root", "before_root"):
            offered = answers(observe(Experiment(operation, writes=(Write(target, "mul_", when, through=through),))))
            assert sum(answer.right for answer in offered) == 1
            assert len({answer.text for answer in offered}) == len(offered)
