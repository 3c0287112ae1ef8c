"""Exercises in which several small functions are mended and handed in together, as a dict.

A `Mend` is one of them: what it is called with, and what comes out when nothing is written in place. `collect` calls
each function once on float64 tensors and tells the result, the gradients and what became of the tensors that were
handed in; `verify` computes the same out of place and compares. Every function is worth one point, all or nothing:
a result without its gradient is what the broken ones have already.

A challenge is {"inputs": {key: [tensor data]}}, a payload {"records": {key: record}} with records

    {"problem": ..., "where": "call" or "backward", "has_grad": [bool], "returns": bool}
    {"result": encoded tensor, "gradients": [encoded tensor or None], "after": [encoded tensor]}
"""

from __future__ import annotations

import contextlib
import dis
import functools
import math
import random
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import attempt, call, explain, plain_tensor, type_name, wrong_type
from autograder.exercises.kit.encoding import decode_tensor, differing, encode_tensor
from autograder.exercises.kit.words import a_type, clean, show_list
from autograder.report import FAILED, PASSED, Case


@dataclass(frozen=True)
class Outcome:
    """What a function comes to: its result, and the gradient of each input that requires one (layers), or what each
    of these inputs holds afterwards (steps)."""

    result: torch.Tensor
    others: tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Raised:
    """What is said of an exception.

    Args:
        words: a part of its text.
        sentence: what is said then.
        has_grad: where not None, only said if the first input that requires grad has a `.grad` (True) or none (False).
    """

    words: str
    sentence: str
    has_grad: bool | None = None


INTO_AN_INPUT = Raised(
    "leaf Variable",
    "The write is refused at once: it goes into an input, a leaf that requires grad. Leave the inputs as they are, and "
    "make a new tensor.",
)


@dataclass(frozen=True)
class Mend:
    """One function to mend.

    Args:
        key: its name, and its key in the dict.
        signature: as it is called, "residual(x, w)".
        draw: makes the inputs (`tensor(...)`) from a random generator.
        reference: what comes out, in float64, written out of place.
        refused: why backward refuses the broken one; said when it still does.
        mistakes: (what comes out of a usual mistake, the sentence about it), tried in this order.
        step: True for a function that runs backward itself.
        nan: said where a result or a gradient is NaN, and should not be.
        raised: what is said of exceptions, in place of `refused` or of torch's words; the first that fits.
        none: said where the function has a `return` with something behind it, and None came back.
    """

    key: str
    signature: str
    draw: Callable[[random.Random], list[dict]]
    reference: Callable[..., Outcome]
    refused: str
    mistakes: tuple[tuple[Callable[..., Outcome], str], ...] = ()
    step: bool = False
    nan: str = ""
    raised: tuple[Raised, ...] = ()
    none: str = ""


def tensor(shape: Sequence[int], values: Sequence[float], *, grad: bool = True, dtype: str = "float64") -> dict:
    """An input as plain data."""
    return {"shape": list(shape), "values": list(values), "grad": grad, "dtype": dtype}


def layer(function: Callable[..., torch.Tensor]) -> Callable[..., Outcome]:
    """The outcome of a layer: its result, and the gradients of a weighted sum of it."""

    def outcome(*inputs: torch.Tensor) -> Outcome:
        result = function(*inputs)
        wanted = [one for one in inputs if one.requires_grad]
        gradients = torch.autograd.grad((result * _weights(result)).sum(), wanted, allow_unused=True)
        made = (torch.zeros_like(x) if g is None else g for x, g in zip(wanted, gradients, strict=True))
        return Outcome(result.detach(), tuple(made))

    return outcome


def mending_exercise(name: str, mends: Sequence[Mend]) -> Exercise:
    """An exercise worth one point for each function."""
    chosen = tuple(mends)
    return Exercise(
        name,
        len(chosen),
        lambda rng: {"inputs": {mend.key: mend.draw(rng) for mend in chosen}},
        functools.partial(collect, chosen),
        functools.partial(verify, chosen),
        answer=name,
    )


def _make(data: dict) -> torch.Tensor:
    made = torch.tensor(data["values"], dtype=getattr(torch, data["dtype"]), device="cpu").reshape(data["shape"])
    return made.clone().requires_grad_(data["grad"])


def _weights(result: torch.Tensor) -> torch.Tensor:
    """1, 1.5, 2 ...: no two places are worth the same, so a gradient of zero by symmetry is not taken for a fault."""
    return (torch.arange(result.numel(), dtype=result.dtype, device=result.device) / 2 + 1).reshape(result.shape)


# Beside the student's code


def collect(mends: Sequence[Mend], answer: object, challenge: dict) -> dict:
    """One record for each function; {"problem"} if there is no dict of functions."""
    if not issubclass(type(answer), dict):
        return {"problem": {"kind": "no dict", "type": type_name(answer)}}
    with torch.enable_grad():
        return {
            "records": {
                mend.key: _record(mend, dict.get(answer, mend.key), challenge["inputs"][mend.key])
                for mend in mends
                if dict.__contains__(answer, mend.key)
            }
        }


def _record(mend: Mend, function: object, data: list[dict]) -> dict:
    inputs = [_make(one) for one in data]
    wanted = [one for one in inputs if one.requires_grad]
    outcome = call(function, *inputs)
    problem = outcome.problem or wrong_type(outcome.value)
    if problem is not None:
        has_grad = [one.grad is not None for one in wanted]
        return {"problem": problem, "where": "call", "has_grad": has_grad, "returns": _returns(function)}
    plain = attempt(lambda: plain_tensor(outcome.value))
    if plain.problem is not None:
        return {"problem": plain.problem, "where": "call"}
    result: torch.Tensor = plain.value
    record = {"result": encode_tensor(result), "after": [encode_tensor(one) for one in wanted]}
    if mend.step:
        return record
    if not result.requires_grad:
        return record | {"problem": {"kind": "no grad"}, "where": "backward"}
    pulled = attempt(lambda: torch.autograd.grad((result * _weights(result)).sum(), wanted, allow_unused=True))
    if pulled.problem is not None:
        return record | {"problem": pulled.problem, "where": "backward"}
    return record | {"gradients": [None if g is None else encode_tensor(g) for g in pulled.value]}


def _returns(function: object) -> bool:
    """Whether a function has a `return` with something behind it: then a None is a gradient, and no empty body."""
    if type(function) is not types.FunctionType:
        return False
    before = None
    with contextlib.suppress(Exception):
        for step in dis.get_instructions(function):
            constant = step if step.opname == "RETURN_CONST" else before
            nothing = constant is not None and constant.opname.endswith("_CONST") and constant.argval is None
            if step.opname in ("RETURN_VALUE", "RETURN_CONST") and not nothing:
                return True
            before = step
    return False


# Where the points are decided


def verify(mends: Sequence[Mend], challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each function. Never raises."""
    payload = payload if isinstance(payload, dict) else {}
    records = payload.get("records")
    records = records if isinstance(records, dict) else None
    return tuple(_case(mend, challenge["inputs"][mend.key], payload, records) for mend in mends)


def _case(mend: Mend, data: list[dict], payload: dict, records: dict | None) -> Case:
    if records is None:
        problem = payload.get("problem")
        kind = clean(problem.get("type"), 60) if isinstance(problem, dict) else ""
        said = f"What you gave to the check is {a_type(kind)}, expected a dict of functions: run its cell."
        return Case(mend.key, 1, FAILED, said)
    if mend.key not in records:
        return Case(mend.key, 1, FAILED, f"The dict has no function under {mend.key!r}: leave its keys as they are.")
    record = records[mend.key]
    with torch.enable_grad():
        said = _wrong(mend, data, record if isinstance(record, dict) else {})
    return Case(mend.key, 1, FAILED if said else PASSED, said)


def _wrong(mend: Mend, data: list[dict], record: dict) -> str:
    """What is wrong with a record, in words; "" if nothing is."""
    problem = record.get("problem")
    if problem is not None:
        return _refused(mend, problem, record)
    given = _read(record.get("result"))
    others = record.get("after" if mend.step else "gradients")
    others = [_read(one) for one in others] if isinstance(others, list) else []
    if given is None:
        return f"The check got no usable record of {mend.signature}."
    right = mend.reference(*map(_make, data))
    if _same(given, others, right):
        return ""
    for mistake, sentence in mend.mistakes:
        if _same(given, others, mistake(*map(_make, data))):
            return sentence
    if mend.nan and any(math.isnan(value) for one in (given, *others) if one is not None for value in one[1]):
        return mend.nan
    if not _agree(given, right.result):
        return f"{mend.signature} returned {_shown(given)}, expected {_numbers(right.result)}."
    what = "After the call an input holds" if mend.step else "The result is right. A gradient is"
    for index, expected in enumerate(right.others):
        got = others[index] if index < len(others) else None
        if not _agree(got, expected):
            return f"{what} {_shown(got)}, expected {_numbers(expected)}."
    return f"The check got no usable record of {mend.signature}."


def _refused(mend: Mend, problem: object, record: dict) -> str:
    problem = problem if isinstance(problem, dict) else {}
    if problem.get("kind") == "no grad":
        return (
            "The result does not require grad: detach(), .data or no_grad cut it off from the inputs. The error is "
            "gone, and the gradient with it. Every step from the inputs to the result stays recorded."
        )
    if problem.get("kind") == "none" and mend.none and record.get("returns") is True:
        return mend.none
    text, line = clean(problem.get("text"), 300), clean(problem.get("line"), 100)
    yours = f" Your line: {line}" if line else ""
    for case in (*mend.raised, *(() if mend.step else (INTO_AN_INPUT,))):
        if case.words in text and case.has_grad in (None, _has_grad(record)):
            return f"{case.sentence}{yours}"
    named = ("modified by an inplace operation", "a second time", "leaf Variable", "is a view")
    if any(words in text for words in named):
        return f"{mend.refused}{yours}"
    called = f"backward of {mend.signature}" if record.get("where") == "backward" else mend.signature
    return explain(problem, called, mend.signature)


def _has_grad(record: dict) -> bool:
    """Whether the first input that requires grad had a `.grad` when the exception came."""
    told = record.get("has_grad")
    return isinstance(told, list) and bool(told) and told[0] is True


def _read(data: object) -> tuple[tuple[int, ...], tuple[float, ...]] | None:
    reading = decode_tensor(data)
    return None if reading is None or reading.values is None else (reading.shape, reading.values)


def _same(given: tuple, others: list, outcome: Outcome) -> bool:
    return (
        _agree(given, outcome.result)
        and len(others) == len(outcome.others)
        and all(_agree(got, expected) for got, expected in zip(others, outcome.others, strict=True))
    )


def _agree(given: tuple[tuple[int, ...], tuple[float, ...]] | None, expected: torch.Tensor) -> bool:
    """None, a gradient that is not there, counts as zeros."""
    values = expected.detach().reshape(-1).tolist()
    if given is None:
        return not any(values)
    return given[0] == tuple(expected.shape) and not differing(given[1], values, "float64", slack=10)


def _shown(given: tuple[tuple[int, ...], tuple[float, ...]] | None) -> str:
    return "missing" if given is None else f"{show_list(given[1])} of shape {list(given[0])}"


def _numbers(expected: torch.Tensor) -> str:
    return f"{show_list(expected.detach().reshape(-1).tolist())} of shape {list(expected.shape)}"
