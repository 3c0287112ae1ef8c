"""`read_message(text)`: the parts of torch's message about a saved tensor that was written to.

    read_message(text: str) -> dict | None

{"type": "torch.FloatTensor", "shape": (2, 3), "producer": "Mul" or None, "found": 1, "expected": 0}; None for any
other message. Every text is torch's own: both halves run the same programs and take what torch says; the payload holds
the student's answers and nothing else, so there is nothing to claim.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import call, explain, type_name
from autograder.exercises.kit.programs import run
from autograder.exercises.kit.words import a_type, clean
from autograder.report import FAILED, PASSED, Case

SIGNATURE = "read_message(text)"
KEYS = ("type", "shape", "producer", "found", "expected")
DTYPES = ("torch.float32", "torch.float64", "torch.bfloat16", "torch.float16")
SHAPES = ((), (4,), (2, 3), (2, 1, 5), (12, 10))
SAVERS = ("pow(2)", "sin()", "log()", "square()")
KNOWN_TO_AUTOGRAD = ("middle.mul_(2)", "middle.add_(1)", "middle.copy_(leaf)", "middle.exp_()")
UNKNOWN_TO_AUTOGRAD = ("middle.detach().zero_()", "middle.detach().add_(1)")

OTHERS = (
    "leaf = torch.ones(3, requires_grad=True)\nleaf.add_(1)",
    "leaf = torch.ones(3, requires_grad=True)\nleaf[:2].zero_()",
    "loss = torch.ones(3, requires_grad=True).exp().sum()\nloss.backward()\nloss.backward()",
    "middle = torch.ones(2, 3, requires_grad=True) * 1\nfor row in middle:\n    row.mul_(2)",
    "torch.ones(3).sum().backward()",
    "torch.ones(3, requires_grad=True).exp().backward()",
    "torch.ones(3, requires_grad=True).exp().numpy()",
    "torch.ones(2, 3) @ torch.ones(2, 3)",
)


def challenge(rng: random.Random) -> dict:
    """{"programs": [Python text that torch stops because of a version], "others": [stopped for another reason]}.

    Every challenge has each dtype, each shape, versions of one and of two digits, and each kind of producer.
    """
    dtypes = [*DTYPES, *rng.choices(DTYPES, k=2)]
    shapes = [*SHAPES, rng.choice(SHAPES)]
    rng.shuffle(dtypes)
    rng.shuffle(shapes)
    begin = [_leaf(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
    programs = [
        begin[0] + _middle(rng, KNOWN_TO_AUTOGRAD),
        begin[1] + _middle(rng, UNKNOWN_TO_AUTOGRAD),
        begin[2] + _result(rng),
        begin[3] + _leaf_kept(rng, rng.randrange(1, 6)),
        begin[4] + _leaf_kept(rng, rng.randrange(10, 30)),
        begin[5] + _middle(rng, KNOWN_TO_AUTOGRAD),
        _leaf(rng.choice(SHAPES[1:]), rng.choice(DTYPES)) + _assignment(rng),
    ]
    rng.shuffle(programs)
    return {"programs": programs, "others": rng.sample(OTHERS, 4)}


def _leaf(shape: tuple[int, ...], dtype: str) -> str:
    return f"leaf = torch.ones({shape}, dtype={dtype}, requires_grad=True)\n"


def _often(statement: str, times: int) -> str:
    return f"for _ in range({times}):\n    {statement}\n"


def _middle(rng: random.Random, writes: tuple[str, ...]) -> str:
    """`middle` is written, kept, and written again."""
    before, after = _often("middle.add_(0)", rng.randrange(12)), _often(rng.choice(writes), rng.randrange(1, 13))
    return f"middle = leaf * 1\n{before}loss = middle.{rng.choice(SAVERS)}.sum()\n{after}loss.backward()"


def _result(rng: random.Random) -> str:
    made = rng.choice(("exp()", "sigmoid()", "tanh()", "sqrt()", "rsqrt()"))
    return f"root = leaf.{made}\nroot.mul_({rng.randrange(2, 9)})\nroot.sum().backward()"


def _assignment(rng: random.Random) -> str:
    return f"middle = leaf + 1\nloss = middle.{rng.choice(SAVERS)}.sum()\nmiddle[0] = 5\nloss.backward()"


def _leaf_kept(rng: random.Random, times: int) -> str:
    return f"loss = leaf.{rng.choice(SAVERS)}.sum()\n{_often('leaf.detach().add_(1)', times)}loss.backward()"


def message(program: str) -> str:
    """What torch says to a program; "" if it runs to its end."""
    error = run(program).error
    return "" if error is None else str(error)


@dataclass(frozen=True)
class Parts:
    """What a message says, in the order in which it says it."""

    type: str
    shape: tuple[int, ...]
    producer: str | None
    found: int
    expected: int


_FORM = re.compile(
    r"\[(?P<type>\S+) \[(?P<shape>[\d, ]*)\]\](?:, which is output \d+ of (?P<producer>.+?),)? "
    r"is at version (?P<found>\d+); expected version (?P<expected>\d+)"
)


def parts(text: str) -> Parts | None:
    """The parts of a message about a version, None for any other text."""
    found = _FORM.search(text)
    if found is None:
        return None
    shape = tuple(int(size) for size in found["shape"].split(",") if size.strip())
    return Parts(found["type"], shape, found["producer"], int(found["found"]), int(found["expected"]))


# Beside the student's code


def collect(answer: object, challenge: dict) -> dict:
    """{"programs": [record], "others": [record]}: {"parts": {...}}, {"none": true}, {"type"} or {"problem"}."""
    return {
        kind: [_ask(answer, message(program), kind == "others") for program in challenge[kind]]
        for kind in ("programs", "others")
    }


def _ask(answer: object, text: str, none_is_right: bool) -> dict:
    outcome = call(answer, text)
    if outcome.problem is not None:
        return {"problem": outcome.problem}
    value = outcome.value
    if value is None:
        return {"none": True}
    if not issubclass(type(value), dict):
        return {"type": type_name(value)}
    return {"parts": {key: _plain(dict.get(value, key, _MISSING)) for key in KEYS}}


_MISSING = object()


def _plain(value: object) -> dict:
    """{"value": text, whole number, None or list of whole numbers}, {"type": name} or {"missing": true}."""
    if value is _MISSING:
        return {"missing": True}
    if value is None or type(value) is int and abs(value) < 2**53:
        return {"value": value}
    if type(value) is str:
        return {"value": value[:200]}
    if issubclass(type(value), (list, tuple)) and len(value) <= 20:
        items = list.__iter__(value) if issubclass(type(value), list) else tuple.__iter__(value)
        sizes = list(items)
        if all(type(size) is int and abs(size) < 2**53 for size in sizes):
            return {"value": sizes}
    return {"type": type_name(value)}


# Where the points are decided


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each part of the message, over all messages, and one for the other messages. Never raises."""
    payload = payload if isinstance(payload, dict) else {}
    records = {kind: _records(payload.get(kind), len(challenge[kind])) for kind in ("programs", "others")}
    texts = [message(program) for program in challenge["programs"]]
    asked = list(zip(texts, records["programs"], strict=True))
    others = list(zip(map(message, challenge["others"]), records["others"], strict=True))
    silent = all(record.get("none") is True for record in records["programs"])
    return (
        _case("type and shape", 1, [_wrong(text, record, ("type", "shape"), silent) for text, record in asked]),
        _case("producer", 0.75, [_wrong(text, record, ("producer",), silent) for text, record in asked]),
        _case("versions", 0.75, [_wrong(text, record, ("found", "expected"), silent) for text, record in asked]),
        _case("other messages", 0.5, [_wrong_other(text, record, silent) for text, record in others]),
    )


@dataclass(frozen=True)
class _Complaint:
    said: str
    text: str
    reason: str = ""


def _case(name: str, points: float, complaints: list[_Complaint | None]) -> Case:
    wrong = [complaint for complaint in complaints if complaint is not None]
    if not wrong:
        return Case(name, points, PASSED)
    first = wrong[0]
    about = f'The text: "{_short(first.text)}" ' if first.text else ""
    return Case(name, points, FAILED, about + first.said, detail=f"text  {clean(first.text, 600)}", reason=first.reason)


def _wrong(text: str, record: dict, keys: tuple[str, ...], silent: bool) -> _Complaint | None:
    truth = parts(text)
    if truth is None:  # a fault of the check: torch words its message in another way
        return _Complaint("This check cannot read that message itself. Please tell your instructor.", text)
    told = _no_parts(text, record, silent)
    if told is not None:
        return told
    given = record["parts"]
    for key in keys:
        entry = given.get(key)
        entry = entry if isinstance(entry, dict) else {}
        right = getattr(truth, key)
        right = list(right) if isinstance(right, tuple) else right
        if "value" in entry and _same(entry["value"], right):
            continue
        return _Complaint(
            f'Your dict says "{key}": {_show(entry)}, expected {_python(right)}. {_idea(key, given, truth)}', text
        )
    return None


def _same(given: object, right: object) -> bool:
    return type(given) is type(right) and given == right


def _idea(key: str, given: dict, truth: Parts) -> str:
    entry = given.get(key)
    entry = entry if isinstance(entry, dict) else {}
    value = entry.get("value")
    if entry.get("missing") is True:
        return f"The dict needs the keys {', '.join(KEYS)}."
    if key == "shape":
        if isinstance(value, str):
            return "Make whole numbers of the text, in a tuple."
        if not truth.shape:
            return "The brackets of a tensor without dimensions are empty: its shape is ()."
        return "There may be any number of sizes between the brackets, each of any number of digits."
    if key == "type":
        return "The type is what stands before the shape, up to the blank."
    if key == "producer":
        if truth.producer is None:
            return (
                "Where the tensor was made by no operation (a leaf), the words after the shape are missing: say None."
            )
        return 'The producer is all that stands between "output 0 of " and the comma.'
    if isinstance(value, str):
        return "Make a whole number of the text: int(...)."
    versions = [one.get("value") for one in (given.get("found"), given.get("expected")) if isinstance(one, dict)]
    if versions == [truth.expected, truth.found]:
        return '"found" is the version that the tensor is at, "expected" the one at which it was saved.'
    return "A version may have several digits."


def _wrong_other(text: str, record: dict, silent: bool) -> _Complaint | None:
    if silent:
        said = "Not judged: your function returned None for every message, so for this one too."
        return _Complaint(said, "", "says nothing")
    if record.get("none") is True:
        return None
    if "parts" in record:
        said = "This message is about something else than a version: expected None."
        return _Complaint(said, text, said)
    return _no_parts(text, record, silent)


def _no_parts(text: str, record: dict, silent: bool) -> _Complaint | None:
    """What is to be said where no dict came back, else None."""
    if "parts" in record:
        return None
    if record.get("none") is True:
        if silent:
            said = f"{SIGNATURE} returned None: write the body and return a dict of the parts."
            return _Complaint(said, "", said)
        said = "Your function returned None for it, and it is about a version: expected a dict. " + _unread(parts(text))
        return _Complaint(said, text, said)
    if "type" in record:
        said = f"Your function returned {a_type(record['type'])}, expected a dict (or None)."
        return _Complaint(said, "", said)
    problem = record.get("problem")
    said = explain(problem, SIGNATURE, SIGNATURE, expected="a dict")
    known = isinstance(problem, dict) and problem.get("kind") in ("signature", "not callable", "not tried")
    if not known and "'NoneType' object" in said:
        said += " A search that finds nothing gives None: look at that before you take groups out of it."
    return _Complaint(said, "" if known else text, said)


def _unread(truth: Parts | None) -> str:
    """What may be new to a function that other messages did not surprise."""
    if truth is None or not truth.type.startswith("torch"):
        return "Not every type begins with torch."
    if truth.producer is None:
        return "Of a leaf no producer is named: the words between the shape and the version are missing."
    if not truth.shape:
        return "A tensor without dimensions has nothing between the brackets."
    return "Shapes, names and versions have other lengths in other messages."


def _short(text: str) -> str:
    """The part of a message that differs from message to message."""
    said = clean(text, 600).partition(" Hint: ")[0]
    place = said.find("[")
    said = "... " + said[place:] if place > 0 and parts(text) else said
    return said if len(said) <= 160 else said[:157] + "..."


def _show(entry: dict) -> str:
    if "value" in entry:
        return _python(entry["value"])
    return "nothing" if entry.get("missing") is True else a_type(clean(entry.get("type"), 60))


def _python(value: object) -> str:
    if isinstance(value, list):
        return "(" + ", ".join(map(str, value)) + ("," if len(value) == 1 else "") + ")"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _records(data: object, count: int) -> list[dict]:
    """One record for each text out of untrusted data; {} where there is none."""
    data = data[:count] if isinstance(data, list) else []
    read = [_record(one) for one in data]
    return read + [{}] * (count - len(read))


def _record(data: object) -> dict:
    if not isinstance(data, dict):
        return {}
    if data.get("none") is True:
        return {"none": True}
    given = data.get("parts")
    if isinstance(given, dict):
        return {"parts": {key: _entry(given.get(key)) for key in KEYS}}
    if isinstance(data.get("type"), str):
        return {"type": clean(data["type"], 60)}
    return {"problem": data["problem"]} if "problem" in data else {}


def _entry(data: object) -> dict:
    data = data if isinstance(data, dict) else {}
    if "value" in data:
        value = data["value"]
        if isinstance(value, list) and len(value) <= 20 and all(_is_size(size) for size in value):
            return {"value": list(value)}
        if isinstance(value, str):
            return {"value": clean(value, 200)}
        if value is None or _is_size(value):
            return {"value": value}
    if data.get("missing") is True:
        return {"missing": True}
    return {"type": clean(data.get("type"), 60)}


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


EXERCISE = Exercise("read_message", 3, challenge, collect, verify, answer="read_message")
