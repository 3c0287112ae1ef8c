"""The thirteen published rows: kept as they were published, and put to the test on the installed torch."""

from __future__ import annotations

import math

import pytest
import torch

from inplace_lab import Case, cases, observe
from inplace_lab.observation import Observation
from tests.inplace_lab import closed_forms

LEAF = (1.0, 2.0, 3.0, 4.0, 5.0)
SAME = "gradients same as without inplace operation"
GONE = "Modified value removed from computation graph"

# Number, operation, element only?, before or after root, backward possible?, result: the published table, by eye.
PUBLISHED = [
    (2, "middle * 2", False, "after_root", True, SAME),
    (3, "middle * 2", True, "after_root", True, SAME),
    (4, "middle.pow(2)", False, "after_root", False, None),
    (5, "middle.pow(2)", True, "after_root", False, None),
    (6, "middle.exp()", False, "after_root", True, SAME),
    (7, "middle.exp()", True, "after_root", True, SAME),
    (8, "middle * 2", False, "before_root", True, SAME),
    (9, "middle * 2", True, "before_root", True, GONE),
    (10, "middle.pow(2)", False, "before_root", True, SAME),
    (11, "middle.pow(2)", True, "before_root", True, GONE),
    (12, "middle.exp()", False, "before_root", True, SAME),
    (13, "middle.exp()", True, "before_root", True, GONE),
]


def observed(number: int) -> list[tuple[str, Observation]]:
    """(mutation, observation) of each experiment of a row."""
    case = cases()[number - 1]
    assert case.number == number
    return [(e.writes[0].mutation if e.writes else "", observe(e)) for e in case.experiments]


def test_the_first_row_is_every_operation_without_a_write() -> None:
    case = cases()[0]
    assert (case.number, case.can_backward) == (1, True)
    assert [e.expression for e in case.experiments] == ["middle * 2", "middle.pow(2)", "middle.exp()"]
    for experiment in case.experiments:
        assert experiment.writes == () and experiment.values == LEAF
        assert observe(experiment).outcome == "plain"


def test_the_other_rows_are_the_published_ones() -> None:
    rows = cases()
    assert [case.number for case in rows] == list(range(1, 14))
    for case, (number, operation, element, when, can_backward, claim) in zip(rows[1:], PUBLISHED, strict=True):
        assert (case.number, case.operation, case.when) == (number, operation, when)
        assert (case.can_backward, case.claim) == (can_backward, claim)
        writes = [write for experiment in case.experiments for write in experiment.writes]
        assert {write.target for write in writes} == {"middle"}
        assert {write.when for write in writes} == {when}
        assert {write.through for write in writes} == {"plain"}
        assert all(e.expression == operation and e.values == LEAF and len(e.writes) == 1 for e in case.experiments)
        if element:
            assert [(write.mutation, write.index, write.value) for write in writes] == [("setitem", 2, 10)]
            assert case.experiments[0].program.count("middle[2] = 10") == 1
        else:
            assert len(writes) >= 2, "the row says etc."
            assert {"add_", "mul_"} <= {write.mutation for write in writes}
            assert next(write.value for write in writes if write.mutation == "mul_") == 3


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.number))
def test_the_published_answer_to_can_backward_run_is_right(case: Case) -> None:
    for experiment in case.experiments:
        assert observe(experiment).runs == case.can_backward


@pytest.mark.parametrize("number", [2, 3, 6, 7])
def test_after_root_the_gradient_is_the_one_without_the_write(number: int) -> None:
    for mutation, observation in observed(number):
        assert torch.equal(observation.gradient, observation.gradient_unmutated), mutation
        assert observation.outcome == "same", mutation


@pytest.mark.parametrize("number", [4, 5])
def test_pow_refuses_after_root(number: int) -> None:
    for mutation, observation in observed(number):
        assert observation.outcome == "backward refused", mutation
        assert observation.error.kind == "RuntimeError"
        assert observation.backwards[0].reached and observation.gradient is None


@pytest.mark.parametrize("number", [8, 9, 10, 11, 12, 13])
def test_before_root_the_gradient_is_always_that_of_the_out_of_place_program(number: int) -> None:
    operation = {"middle * 2": "scale", "middle.pow(2)": "pow", "middle.exp()": "exp"}[PUBLISHED[number - 2][1]]
    for mutation, observation in observed(number):
        value = observation.experiment.writes[0].value
        right = closed_forms.out_of_place(operation, LEAF, "middle", mutation, "before_root", value)
        assert closed_forms.close(observation.gradient.tolist(), right, 2e-6), mutation
        assert closed_forms.close(observation.gradient_out_of_place.tolist(), right, 2e-6), mutation


def test_against_the_program_without_the_write_the_published_claim_is_false_for_some() -> None:
    same = {number: {mutation: o.outcome == "same" for mutation, o in observed(number)} for number in (8, 10, 12)}
    assert same[8]["add_"] and not same[8]["mul_"], "scaling: 2 after add_, but 6 after mul_(3)"
    assert not same[10]["add_"] and not same[10]["mul_"]
    assert not same[12]["add_"] and not same[12]["mul_"]
    assert same[8]["relu_"] and same[10]["relu_"] and same[12]["relu_"], "middle is positive: relu_ changes nothing"
    by_name = dict(observed(8))
    assert by_name["mul_"].gradient.tolist() == [6.0] * 5
    assert by_name["mul_"].gradient_unmutated.tolist() == [2.0] * 5


@pytest.mark.parametrize(("number", "rest"), [(9, lambda m: 2.0), (11, lambda m: 2 * m), (13, math.exp)])
def test_removed_from_the_graph_means_zero_there_and_nothing_elsewhere(number: int, rest) -> None:
    ((_, observation),) = observed(number)
    expected = [0.0 if place == 2 else rest(value + 2) for place, value in enumerate(LEAF)]
    assert observation.gradient[2].item() == 0.0
    assert closed_forms.close(observation.gradient.tolist(), expected, 1e-6)
