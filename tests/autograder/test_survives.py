"""The exercise `survives`: its pools hold what they say, guessing does not pay, and no payload makes verify raise."""

from __future__ import annotations

import json
import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exercises import get, survives
from autograder.exercises.survives import BOTH, GROUPS, INPUT, MODULES, OUTPUT, Pools, build, trial

TRUTH = {"argument": (False, True), "result": (True, False), "neither": (True, True), "both": (False, False)}
POOLS = {
    "arithmetic": survives.ARITHMETIC,
    "reductions": survives.REDUCTIONS,
    "views": survives.VIEWS,
    "modules": MODULES,
}


def _texts() -> list[tuple[str, str]]:
    """(callable's text, kind) of everything that a challenge may ask about, but for the compositions."""
    found = [
        (text if pools is MODULES else f"lambda x: {text}", kind)
        for pools in POOLS.values()
        for kind in TRUTH
        for text in getattr(pools, kind)
    ]
    singles = {"argument": survives.ARGUMENT, "result": survives.RESULT, "neither": survives.NEITHER}
    return found + [(f"torch.{name}", kind) for kind, names in singles.items() for name in names]


@pytest.mark.parametrize(("text", "kind"), _texts())
def test_a_pool_holds_what_it_says_and_a_survivor_keeps_its_gradient(text: str, kind: str) -> None:
    measured = {target: trial(text, target).survived for target in BOTH}
    assert (measured[INPUT], measured[OUTPUT]) == TRUTH[kind]
    for target in BOTH:
        if measured[target]:
            assert torch.equal(_gradient(text, target), _gradient(text, None)), "no silent change"


def _gradient(text: str, target: str | None) -> torch.Tensor:
    torch.manual_seed(0)  # parameters and dropout
    f = build(text)
    leaf = torch.linspace(0.2, 0.9, 6, requires_grad=True)
    given = leaf * 1
    result = f(given)
    if target:
        with torch.no_grad():
            (given if target == INPUT else result).add_(1)
    result.sum().backward()
    return leaf.grad


@pytest.mark.parametrize("seed", range(40))
def test_every_group_has_both_answers_and_needs_the_target(seed: int) -> None:
    challenge = survives.challenge(random.Random(seed))
    assert json.loads(json.dumps(challenge)) == challenge == survives.challenge(random.Random(seed))
    for group in GROUPS:
        asked = [question for question in challenge["questions"] if question["group"] == group.name]
        truths = [trial(question["f"], question["target"]).survived for question in asked]
        assert set(truths) == {True, False}
        if {question["target"] for question in asked} == set(BOTH):
            for value in (True, False):
                for target in BOTH:  # neither half may be constant
                    assert any(t is value for q, t in zip(asked, truths, strict=True) if q["target"] == target)


def test_a_guess_earns_next_to_nothing() -> None:
    challenge = survives.challenge(random.Random(1))
    sizes = [sum(question["group"] == group.name for question in challenge["questions"]) for group in GROUPS]
    assert sum(group.points * 2.0**-size for group, size in zip(GROUPS, sizes, strict=True)) < 0.1


def test_points() -> None:
    assert get("survives").maximum == 7 == sum(group.points for group in GROUPS)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.lists(st.dictionaries(st.sampled_from(["value", "type", "problem"]), JSON, max_size=2) | JSON, max_size=60)


@settings(max_examples=25)
@given(JSON | st.fixed_dictionaries({"answers": JSON | RECORDS}))
def test_no_payload_makes_it_raise(payload: object) -> None:
    challenge = survives.challenge(random.Random(2))
    cases = survives.verify(challenge, payload)
    assert [case.name for case in cases] == [group.name for group in GROUPS]
    assert sum(case.points for case in cases) == 7
    assert all(isinstance(note, str) for note in survives.notes(challenge, payload))


def test_pools_have_something_of_each_kind() -> None:
    assert all(getattr(pools, kind) for pools in POOLS.values() for kind in Pools.__annotations__)
