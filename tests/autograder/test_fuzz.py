"""Payloads that nobody thought of: verify and the judge decide, and never raise."""

from __future__ import annotations

import copy
import functools
import json
import math

import hypothesis
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder import exercises
from autograder.checking import collect_json
from autograder.judge import challenge_for, judge

SEED = "f00d"


def right(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y


def mixes_devices(x, zero_at):
    torch.cuda.is_available()
    return torch.where(torch.arange(len(x)) == zero_at, 0, x.detach().exp())


@functools.cache
def payloads_of(name: str) -> tuple[dict, ...]:
    """Real payloads to spoil. Which answer matters little: a function with other arguments gives a record too."""
    answers = [{}] if "predictions" in name else [right, mixes_devices]
    return tuple(json.loads(collect_json(name, answer, SEED)) for answer in answers)


WORDS = (
    "records devices cpu cuda:0 problem kind raised none time result graph broken input jacobian twice second pull "
    "values shape entries value list type nan inf name label available reason simgpu simgpu:0 story foreign cut by "
    "line told mask how moved asked if_cuda text"
).split()
words = st.sampled_from(WORDS) | st.text(max_size=4)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=5),
    max_leaves=25,
)


def spoil(data: object, draw: st.DataObject, depth: int = 0) -> object:
    """Replace, delete or keep something at a random depth."""
    action = draw.draw(st.sampled_from(["deeper"] * 6 + ["replace", "delete"])) if depth < 7 else "replace"
    if isinstance(data, dict) and data and action in ("deeper", "delete"):
        key = draw.draw(st.sampled_from(sorted(data)))
        if action == "delete":
            del data[key]
        else:
            data[key] = spoil(data[key], draw, depth + 1)
        return data
    if isinstance(data, list) and data and action == "deeper":
        place = draw.draw(st.integers(0, min(len(data) - 1, 5)))
        data[place] = spoil(data[place], draw, depth + 1)
        return data
    return draw.draw(json_values)


def decide(name: str, payload: object) -> None:
    exercise = exercises.get(name)
    challenge = challenge_for(exercise, SEED)
    cases = exercise.verify(challenge, payload)  # raises nothing
    exercise.notes(challenge, payload)
    assert math.isclose(sum(case.points for case in cases), exercise.maximum)
    report = judge(name, SEED, json.dumps(payload))
    assert type(report.points) is float and 0 <= report.points <= report.maximum == exercise.maximum
    assert report.cases == tuple(cases), "JSON changes nothing"
    report.text()


@pytest.mark.parametrize("name", exercises.names())
def test_any_json(name: str) -> None:
    @hypothesis.settings(max_examples=200 if name == "masked_exp" else 25)
    @given(json_values)
    def run(payload: object) -> None:
        decide(name, payload)

    run()


@pytest.mark.parametrize("name", exercises.names())
def test_spoilt_payloads(name: str) -> None:
    @hypothesis.settings(max_examples=300 if name == "masked_exp" else 25)
    @given(st.data())
    def run(draw: st.DataObject) -> None:
        payload = copy.deepcopy(draw.draw(st.sampled_from(payloads_of(name))))
        for _ in range(draw.draw(st.integers(1, 3))):
            payload = spoil(payload, draw)
        decide(name, payload)

    run()
