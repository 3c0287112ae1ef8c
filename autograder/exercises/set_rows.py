"""`set_rows(w, rows, value)`: write a number into some rows of a weight, which stays a leaf that requires grad.

    set_rows(w: torch.Tensor, rows: list[int], value: float) -> None

w is float32 of two dimensions, a leaf that requires grad: a tensor, or a parameter of a module. After the call the same
tensor holds `value` in those rows and what it held elsewhere; it is a leaf that requires grad, a loss made of it
reaches its `.grad` in every place, and backward of a loss that was computed before the call is refused, since the
version counter has counted the write.

What w and `.grad` hold and whether the old loss is refused are measured in the student's process: all of it is a
claim. The rows and numbers are the challenge's, and the gradient has a closed form (the coefficients of the loss).
"""

from __future__ import annotations

import random

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import attempt, call, explain, type_name
from autograder.exercises.kit.demands import LEAF_REFUSED
from autograder.exercises.kit.encoding import Reading, decode_tensor, encode_tensor
from autograder.exercises.kit.functions import numbers
from autograder.exercises.kit.words import clean, show, show_list
from autograder.report import FAILED, PASSED, Case

SIGNATURE = "set_rows(w, rows, value)"
REFUSED = "modified by an inplace operation"  # torch's words
KEYS = ("one row", "two rows", "last row", "parameter")
POINTS = {"rows hold the value": 1.0, "w stays a leaf with its gradient": 1.0, "the write is counted": 1.0}


def challenge(rng: random.Random) -> dict:
    """The trials: {"trials": [{"key", "w": rows of numbers, "rows", "value", "weights": rows of numbers}]}."""
    return {
        "trials": [
            _trial(rng, "one row", 2, [rng.randrange(2)]),
            _trial(rng, "two rows", 4, rng.sample(range(4), 2)),
            _trial(rng, "last row", 3, [-1]),
            _trial(rng, "parameter", 5, rng.sample(range(5), 3)),
        ]
    }


def _trial(rng: random.Random, key: str, height: int, rows: list[int]) -> dict:
    def table() -> list[list[float]]:
        flat = numbers(rng, height * 3)
        return [flat[3 * i : 3 * i + 3] for i in range(height)]

    value = rng.choice([-5.5, 4.25, 7.0])  # outside of what the table holds
    return {"key": key, "w": table(), "rows": rows, "value": value, "weights": table()}


def collect(answer: object, challenge: dict) -> dict:
    """What each call did: {"records": {key: record}}; see `_run`."""
    with torch.enable_grad():
        return {"records": {trial["key"]: _run(answer, trial) for trial in challenge["trials"]}}


def _run(answer: object, trial: dict) -> dict:
    """{"problem"}, or what became of w: "w", "leaf", "requires_grad", "returned", "grad", "old" and "new" (problems
    with backward of the loss from before the call, and of one from after it, or None)."""
    w = torch.tensor(trial["w"])
    if trial["key"] == "parameter":
        layer = torch.nn.Linear(3, len(trial["w"]), bias=False)
        with torch.no_grad():
            layer.weight.copy_(w)
        w = layer.weight
    else:
        w.requires_grad_()
    old = w.square().sum()
    outcome = call(answer, w, list(trial["rows"]), trial["value"])
    if outcome.problem is not None:
        return {"problem": outcome.problem}
    record = {
        "w": attempt(lambda: encode_tensor(w)).value,
        "leaf": bool(w.is_leaf),
        "requires_grad": bool(w.requires_grad),
        "returned": type_name(outcome.value),
        "old": attempt(old.backward).problem,
    }
    w.grad = None
    record["new"] = attempt(lambda: (w * torch.tensor(trial["weights"])).sum().backward()).problem
    return record | {"grad": None if w.grad is None else attempt(lambda: encode_tensor(w.grad)).value}


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """Three cases, each over all trials, or the first that fails in words. Never raises."""
    records = payload.get("records") if isinstance(payload, dict) else None
    records = records if isinstance(records, dict) else {}
    pairs = [(trial, _record(records.get(trial["key"]))) for trial in challenge["trials"]]
    tests = {"rows hold the value": _rows, "w stays a leaf with its gradient": _leaf, "the write is counted": _counted}
    cases = []
    for name, test in tests.items():
        found = next(((trial, said) for trial, record in pairs if (said := test(trial, record))), None)
        called = _called(found[0] if found else challenge["trials"][0])
        status, message = (FAILED, f"{called}: {found[1]}") if found else (PASSED, "")
        detail = f"call      {called}"
        cases.append(Case(name, POINTS[name], status, message, "cpu", True, detail, found[1] if found else ""))
    return tuple(cases)


def _rows(trial: dict, record: dict) -> str:
    if "problem" in record:
        return _problem(record["problem"])
    reading = _table(record.get("w"), trial)
    if reading is None:
        return "the check got no usable record of w."
    expected = _expected(trial)
    if reading.rows() == expected:
        return ""
    if reading.rows() == trial["w"]:
        if record.get("returned") not in ("NoneType", ""):
            return (
                "w is as it was: your function returned a new tensor. The caller keeps the old one. Write into the "
                "memory of w, and return nothing."
            )
        return (
            "w is as it was. Did the write go into another tensor? w[rows] with a list of rows is a copy: a method "
            "with _ writes into the copy, w[rows] = value into w. And w = ... only gives the name w to another tensor."
        )
    height = len(trial["w"])
    inside = {row % height for row in trial["rows"]}
    wrong = next(i for i in range(height) if reading.rows()[i] != expected[i])
    why = "one of the rows" if wrong in inside else "not one of the rows, so it should be as it was"
    return f"row {wrong} is {show_list(reading.rows()[wrong])}, expected {show_list(expected[wrong])} ({why})."


def _leaf(trial: dict, record: dict) -> str:
    if said := _rows(trial, record):
        return said
    if record.get("requires_grad") is not True:
        return "w does not require grad any more: it could not be trained. Switch it on again, or write under no_grad."
    if record.get("leaf") is not True:
        return "w is no leaf any more, so no gradient arrives in w.grad."
    if record.get("new") is not None:
        return f"backward of a loss made of w afterwards fails: {explain(record['new'], 'it')}"
    reading = _table(record.get("grad"), trial)
    if reading is None:
        return "a loss made of w afterwards left nothing in w.grad."
    if reading.rows() != trial["weights"]:
        return "a loss made of w afterwards left a wrong gradient in w.grad."
    return ""


def _counted(trial: dict, record: dict) -> str:
    if said := _rows(trial, record):
        return said
    problem = record.get("old")
    if isinstance(problem, dict) and REFUSED in clean(problem.get("text"), 400):
        return ""
    return (
        "the write went past the version counter (.data, NumPy). A loss (w ** 2).sum() had been computed before the "
        f"call, and its backward ran with the new numbers: for {show(trial['value'])} it takes the slope "
        f"{show(2 * trial['value'])}, which belongs to no loss that was computed, and no error says so."
    )


def _problem(problem: object) -> str:
    data = problem if isinstance(problem, dict) else {}
    text, line = clean(data.get("text"), 300), clean(data.get("line"), 100)
    if LEAF_REFUSED in text:
        return (
            "torch refuses the write, since w is a leaf that requires grad (or what you write into is a view of it). "
            f"Which block lifts that rule? Torch says: {text}{f' Your line: {line}' if line else ''}"
        )
    return explain(problem, "the call", SIGNATURE, expected="nothing")


def _table(data: object, trial: dict) -> Reading | None:
    reading = decode_tensor(data)
    shape = (len(trial["w"]), len(trial["w"][0]))
    return reading if reading is not None and reading.values is not None and reading.shape == shape else None


def _expected(trial: dict) -> list[list[float]]:
    made = [list(row) for row in trial["w"]]
    for row in trial["rows"]:
        made[row] = [trial["value"]] * len(made[row])
    return made


def _called(trial: dict) -> str:
    kind = "nn.Linear(...).weight" if trial["key"] == "parameter" else "w"
    return f"set_rows({kind} with {len(trial['w'])} rows, {trial['rows']}, {trial['value']:g})"


def _record(data: object) -> dict:
    """A record out of untrusted data; {} where there is none."""
    data = data if isinstance(data, dict) else {}
    return data if isinstance(data.get("returned", ""), str) else {}


EXERCISE = Exercise("set_rows", sum(POINTS.values()), challenge, collect, verify, answer="set_rows")
