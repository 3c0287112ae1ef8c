"""Exercises whose answer is a dict of predictions, each held against a live run of the installed torch.

    def after() -> Live:
        return runs(Experiment("exp", writes=(Write("root", "mul_", "after_root", 3),)))

    EXERCISE = prediction_exercise("exp_predictions", [Question("exp, write root after", RUNS, 0.5, after), ...])

Nothing about torch is written down here: what is right comes from the run, and so does the reason in the feedback.
`collect` only copies the dict into plain data; the runs are made by `verify` (so it runs backward).
"""

from __future__ import annotations

import difflib
import functools
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import type_name
from autograder.exercises.kit.encoding import close, decode_float, encode_float
from autograder.exercises.kit.words import a_type, clean, show
from autograder.report import FAILED, PASSED, Case
from inplace_lab import Experiment, Observation, observe

RUNS = ("runs", "fails")
YES = (True, False)
MOST_ENTRIES = 200
MOST_TEXT = 200
MOST_ITEMS = 20

Plain = bool | int | float | str | None | list  # a list of plain values


@dataclass(frozen=True)
class Live:
    """What torch did: the right answer, and a sentence from the run that says why (it is printed after "because")."""

    answer: Plain
    because: str


@dataclass(frozen=True)
class Question:
    """One prediction.

    Args:
        key: the text under which it stands in the dict.
        allowed: the answers that one may give ("runs", "fails"; True, False; 0, 1, 2 ...; lists for several places),
            or `float` for any number, which is right within 0.1 % (so that a rounded number is).
        points: what it is worth.
        ask: makes the run, and says what came out.
    """

    key: str
    allowed: Sequence[Plain] | type[float]
    points: float
    ask: Callable[[], Live]


def prediction_exercise(name: str, questions: Sequence[Question], *, answer: str = "") -> Exercise:
    """An exercise whose answer is a dict with one prediction for each question.

    Raises:
        ValueError: two questions have the same key.
    """
    keys = [question.key for question in questions]
    if len(set(keys)) != len(keys):
        raise ValueError(f"two questions of {name} have the same key.")
    chosen = tuple(questions)
    return Exercise(
        name,
        round(math.fsum(question.points for question in chosen), 9),
        lambda rng: {"keys": keys},
        collect,
        functools.partial(verify, chosen),
        lambda challenge, payload: _notes(keys, payload),
        answer,
    )


# Beside the student's code


def collect(answer: object, challenge: dict) -> dict:
    """The student's dict as plain data; what is no plain value becomes its type's name. Calls none of their code."""
    if not issubclass(type(answer), dict):
        return {"problem": {"kind": "no dict", "type": type_name(answer)}}
    entries = {}
    others = []
    for key, value in list(dict.items(answer))[:MOST_ENTRIES]:
        if issubclass(type(key), str):
            entries[clean(_exact(key), MOST_TEXT)] = _copy(value)
        else:
            others.append(type_name(key))
    return {"entries": entries, "other_keys": others}


def _copy(value: object, depth: int = 0) -> dict:
    """{"value": plain} or {"type": name}; a list is {"list": [...]}."""
    if value is None or type(value) is bool:
        return {"value": value}
    if issubclass(type(value), str):
        return {"value": clean(_exact(value), MOST_TEXT)}
    if issubclass(type(value), int):
        number = int.__add__(value, 0)
        return {"value": number} if abs(number) < 2**53 else {"type": "int"}
    if issubclass(type(value), float):
        return {"float": encode_float(float.__add__(value, 0.0))}
    if type(value) in (list, tuple) and depth == 0 and len(value) <= MOST_ITEMS:
        return {"list": [_copy(item, 1) for item in value]}
    number = _number(value)
    return {"type": type_name(value)} if number is None else _copy(number, 1)


def _number(value: object) -> bool | int | float | None:
    """What a tensor without dimensions or a NumPy scalar holds; None for everything else."""
    numpy = sys.modules.get("numpy")
    number = None
    try:
        if type(value) in (torch.Tensor, torch.nn.Parameter) and value.dim() == 0:
            number = value.item()
        elif numpy is not None and issubclass(type(value), numpy.generic):
            number = numpy.generic.item(value)
    except Exception:  # a tensor without numbers (meta), say
        return None
    return number if type(number) in (bool, int, float) else None


def _exact(text: str) -> str:
    return str.__getitem__(text, slice(None))


# Where the points are decided


def verify(questions: tuple[Question, ...], challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each question. Never raises."""
    payload = payload if isinstance(payload, dict) else {}
    entries = payload.get("entries")
    entries = entries if isinstance(entries, dict) else None
    return tuple(_case(question, payload, entries) for question in questions)


def _case(question: Question, payload: dict, entries: dict | None) -> Case:
    def failed(message: str) -> Case:
        return Case(question.key, question.points, FAILED, message)

    if entries is None:
        problem = payload.get("problem")
        kind = clean(problem.get("type"), 60) if isinstance(problem, dict) else ""
        return failed(
            f"What you gave to the check is {a_type(kind)}, expected a dict of predictions: run the cell that makes it."
        )
    key = clean(question.key, MOST_TEXT)
    if key not in entries:
        return failed(f"There is no prediction under {question.key!r}: the key must be spelt like this.")
    given = _read(entries[key])
    if isinstance(given, _Odd):
        return failed(f"Your prediction is {a_type(given.type)}, expected {_said(question)}.")
    if given is None and not (question.allowed is not float and None in question.allowed):
        return failed(f"You have not predicted this yet: replace None by {_said(question)}.")
    chosen = _match(question, given)
    if chosen is _NOWHERE:
        bare = isinstance(given, str) and question.allowed is float or given in map(str, _others(question))
        quotes = ", without quotation marks" if bare else ""
        return failed(f"Your prediction {_show(given)} is none of the answers: write {_said(question)}{quotes}.")
    try:
        live = question.ask()
    except Exception as error:  # a fault of the lesson, which must not cost the other questions
        return failed(
            f"This check could not make its run ({type(error).__name__}: {error}). Please tell your instructor."
        )
    right = _agree(chosen, live.answer)
    if right:
        brief, joint, status = f"You predicted {_show(chosen)}, and so it is", ": ", PASSED
    else:
        brief, joint, status = f"You predicted {_show(chosen)}; torch: {_show(live.answer)}", ", because ", FAILED
    message = f"{brief}{joint}{live.because}"
    return Case(question.key, question.points, status, message, reason=live.because, brief=f"{brief}.")


def _notes(keys: list[str], payload: object) -> tuple[str, ...]:
    """One sentence for each key that is no question."""
    entries = payload.get("entries") if isinstance(payload, dict) else None
    others = payload.get("other_keys") if isinstance(payload, dict) else None
    known = {clean(key, MOST_TEXT) for key in keys}
    said = []
    for key in list(entries)[:MOST_ENTRIES] if isinstance(entries, dict) else ():
        if isinstance(key, str) and key not in known:
            near = difflib.get_close_matches(clean(key, MOST_TEXT), keys, 1)
            said.append(f"{clean(key, 80)!r} is no question here" + (f"; did you mean {near[0]!r}?" if near else "."))
    said += [
        f"a key of type {clean(kind, 60) or 'unknown'} is no question here: keys are texts."
        for kind in (others[:MOST_ENTRIES] if isinstance(others, list) else ())
    ]
    return tuple(said[:5])


@dataclass(frozen=True)
class _Odd:
    type: str


_NOWHERE = object()


def _read(data: object, depth: int = 0) -> object:
    """What `_copy` wrote, out of untrusted data: a plain value, a list of such, or `_Odd`."""
    data = data if isinstance(data, dict) else {}
    if "value" in data:
        value = data["value"]
        if value is None or isinstance(value, (bool, str)) or (isinstance(value, int) and abs(value) < 2**53):
            return clean(value, MOST_TEXT) if isinstance(value, str) else value
    elif "float" in data:
        number = decode_float(data["float"])
        if number is not None:
            return number
    elif isinstance(data.get("list"), list) and depth == 0 and len(data["list"]) <= MOST_ITEMS:
        items = [_read(item, 1) for item in data["list"]]
        odd = next((item for item in items if isinstance(item, _Odd)), None)
        return odd or items
    return _Odd(clean(data.get("type"), 60) or "unknown")


def _match(question: Question, given: object) -> object:
    """The allowed answer that was given, or _NOWHERE. Texts are compared without regard to capitals and blanks."""
    if question.allowed is float:
        return float(given) if isinstance(given, (int, float)) and not isinstance(given, bool) else _NOWHERE
    return next((answer for answer in question.allowed if _same(_plain(answer), given)), _NOWHERE)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _same(one: object, other: object) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.lower().split()) == " ".join(other.lower().split())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    return (
        isinstance(one, bool) == isinstance(other, bool)
        and isinstance(one, str) == isinstance(other, str)
        and one == other
    )


def _agree(given: object, right: object) -> bool:
    right = _plain(right)
    if isinstance(given, float) and isinstance(right, (int, float)) and not isinstance(right, bool):
        return close(given, float(right), "float64") or abs(given - right) <= 1e-3 * abs(right)
    return _same(_plain(given), right)


def _others(question: Question) -> list[Plain]:
    """The allowed answers that are no texts."""
    return [] if question.allowed is float else [a for a in question.allowed if not isinstance(a, str)]


def _said(question: Question) -> str:
    """The allowed answers, for a person."""
    if question.allowed is float:
        return "a number"
    shown = [_show(answer) for answer in question.allowed]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _show(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return show(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_show(item) for item in value) + "]"
    return repr(value)


# Ready-made questions to a live run


def runs(experiment: Experiment) -> Live:
    """ "runs" or "fails": does every backward call of the experiment's program go through?"""
    seen = observe(experiment)
    if seen.error is None:
        return Live("runs", f"every backward went through; the gradient is {_numbers(seen.gradient)}.")
    return Live("fails", f"line {seen.error.line_number}, {seen.error.line}, raised {seen.error.kind}. {_why(seen)}")


def same_gradient(experiment: Experiment, reference: str) -> Live:
    """True if the gradient equals that of `reference`: "unmutated" (the program without the write) or "out_of_place"
    (the same maths written out of place). False too if there is no gradient."""
    seen = observe(experiment)
    other = seen.gradient_unmutated if reference == "unmutated" else seen.gradient_out_of_place
    name = "without the write" if reference == "unmutated" else "out of place"
    if seen.gradient is None:
        return Live(
            False, f"there is no gradient: line {seen.error.line_number}, {seen.error.line}, raised {seen.error.kind}."
        )
    same = other is not None and torch.allclose(
        seen.gradient.double(), other.double(), rtol=1e-5, atol=1e-8, equal_nan=True
    )
    return Live(same, f"the gradient is {_numbers(seen.gradient)}, and {name} it is {_numbers(other)}.")


def zeros(experiment: Experiment) -> Live:
    """The places at which the gradient is zero, a list (empty: nowhere; None: there is no gradient)."""
    seen = observe(experiment)
    if seen.gradient is None:
        return Live(
            None, f"there is no gradient: line {seen.error.line_number}, {seen.error.line}, raised {seen.error.kind}."
        )
    return Live(
        [i for i, v in enumerate(seen.gradient.tolist()) if v == 0], f"the gradient is {_numbers(seen.gradient)}."
    )


def gradient_at(experiment: Experiment, place: int) -> Live:
    """The gradient at one place, a number (None: there is no gradient)."""
    seen = observe(experiment)
    if seen.gradient is None:
        return Live(
            None, f"there is no gradient: line {seen.error.line_number}, {seen.error.line}, raised {seen.error.kind}."
        )
    return Live(float(seen.gradient[place]), f"the gradient is {_numbers(seen.gradient)}.")


def _why(seen: Observation) -> str:
    """Which saved tensor changed, from the run; else torch's own first sentence."""
    return seen.reading or f"Torch says: {clean(seen.error.text, 250)}"


def _numbers(gradient: torch.Tensor | None) -> str:
    return "none" if gradient is None else "[" + ", ".join(show(v) for v in gradient.reshape(-1).tolist()[:8]) + "]"
