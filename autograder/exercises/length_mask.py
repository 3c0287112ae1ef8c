"""`length_mask(valid_lens, n)`: True for the first places of each row, as many as its length says.

    length_mask(valid_lens: torch.Tensor, n: int) -> torch.Tensor

valid_lens holds whole numbers from 0 to n in one or two dimensions, on any device. The result is a tensor of booleans
on the same device with one more dimension, of n places: result[..., j] is True where j < valid_lens[...].

Nothing is differentiated. The values are recomputed from the challenge's numbers; dtype and device are what the
student's process says they are (a quarter and half a point).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import attempt, call, explain, plain_tensor, wrong_type
from autograder.exercises.kit.demands import device_rows, same_device
from autograder.exercises.kit.encoding import Reading, decode_tensor, encode_tensor
from autograder.report import FAILED, NOT_RUN, PASSED, Case
from inplace_lab.devices import devices

SIGNATURE = "length_mask(valid_lens, n)"
MIXED = "on the same device"  # torch's words
Lens = list  # of whole numbers, or of lists of them


def challenge(rng: random.Random) -> dict:
    """{"trials": [{"key", "valid_lens", "n"}]}"""

    def lens(count: int, n: int) -> Lens:
        """`count` lengths, one of them neither 0 nor n."""
        chosen = [rng.randint(1, n - 1), *(rng.randint(0, n) for _ in range(count - 1))]
        rng.shuffle(chosen)
        return chosen

    edges = [0, 4]
    rng.shuffle(edges)
    trials = [
        ("three", lens(3, 4), 4),
        ("square", lens(3, 3), 3),  # a mask of the wrong orientation has the right shape here
        ("one", lens(1, 5), 5),
        ("edges", edges, 4),
        ("queries", [lens(3, 4), lens(3, 4)], 4),
        ("one query", [lens(1, 3), lens(1, 3)], 3),
    ]
    return {"trials": [{"key": key, "valid_lens": given, "n": n} for key, given, n in trials]}


def collect(answer: object, challenge: dict) -> dict:
    """What the student's function returns, on every device that is here."""
    here = devices()
    records = {
        device.name: {trial["key"]: _run(answer, trial, device.name) for trial in challenge["trials"]}
        for device in here
        if device.available
    }
    told = [{"name": d.name, "label": d.label, "available": d.available, "reason": d.reason} for d in here]
    return {"devices": told, "records": records}


def _run(answer: object, trial: dict, device: str) -> dict:
    made = attempt(lambda: torch.tensor(trial["valid_lens"], dtype=torch.int64, device="cpu").to(device))
    if made.problem is not None:
        return {"problem": made.problem}
    outcome = call(answer, made.value, trial["n"])
    problem = outcome.problem or wrong_type(outcome.value)
    if problem is not None:
        return {"problem": problem}
    encoded = attempt(lambda: encode_tensor(plain_tensor(outcome.value)))
    return {"problem": encoded.problem} if encoded.problem else {"result": encoded.value}


def mask(valid_lens: Lens, n: int) -> list:
    """What is right, as nested lists of booleans."""
    if isinstance(valid_lens, list):
        return [mask(one, n) for one in valid_lens]
    return [place < valid_lens for place in range(n)]


@dataclass(frozen=True)
class Finding:
    """What is wrong with one trial: a sentence, and what came for the replay."""

    message: str
    got: str = ""


def find_values(trial: dict, record: dict) -> Finding | None:
    """Shape and truth of every place, whatever the dtype."""
    called = _called(trial)
    reading, problem = _result(trial, record)
    if problem is not None:
        return problem
    wanted = torch.tensor(mask(trial["valid_lens"], trial["n"]))
    if reading.shape != tuple(wanted.shape):
        return Finding(f"{called} has shape {list(reading.shape)}, expected {list(wanted.shape)}.")
    if reading.values is None:
        return Finding(f"{called} has dtype {reading.dtype}, expected bool.")
    got = torch.tensor([bool(number) for number in reading.values]).reshape(wanted.shape)
    if torch.equal(got, wanted):
        return None
    return Finding(f"{called} is wrong. {_hint(got, wanted, trial)}", str(got.int().tolist()))


def find_dtype(trial: dict, record: dict) -> Finding | None:
    wrong = find_values(trial, record)
    if wrong is not None:
        return wrong
    dtype = _result(trial, record)[0].dtype
    if dtype == "bool":
        return None
    advice = "a comparison gives booleans; 0 and 1 of another dtype pick places 0 and 1 when they are used as an index."
    return Finding(f"{_called(trial)} has dtype {dtype}, expected bool: {advice}", dtype)


def find_device(trial: dict, record: dict, device: str) -> Finding | None:
    wrong = find_values(trial, record)
    if wrong is not None:
        return wrong
    found = _result(trial, record)[0].device
    if same_device(found, device):
        return None
    return Finding(
        f"valid_lens is on {device}, the mask on {found}: number the places with device=valid_lens.device.", found
    )


def _hint(got: torch.Tensor, wanted: torch.Tensor, trial: dict) -> str:
    """The misconception behind wrong values of the right shape."""
    places = torch.arange(trial["n"])
    lens = torch.tensor(trial["valid_lens"])[..., None]
    if torch.equal(got, ~wanted):
        return "It is the wrong way round: True marks what is valid, not the padding."
    if torch.equal(got, places <= lens):
        return "Each row has one True too many: places count from 0, so place j is valid where j < length."
    if torch.equal(got, places == lens):
        return "One place of each row is True: a row has as many as its length says."
    if got.shape[0] == got.shape[-1] and torch.equal(got, wanted.transpose(0, -1)):
        return "Rows and columns are exchanged: the lengths need a new last dimension, valid_lens[..., None]."
    first = (got != wanted).nonzero()[0].tolist()
    return f"Place {first} is {got[tuple(first)].item()}, expected {wanted[tuple(first)].item()}."


def _result(trial: dict, record: dict) -> tuple[Reading | None, Finding | None]:
    if "problem" in record:
        said = explain(record["problem"], _called(trial), SIGNATURE)
        advice = " Number the places where the lengths are, with device=valid_lens.device." if MIXED in said else ""
        return None, Finding(said + advice)
    reading = decode_tensor(record.get("result"))
    if reading is None:
        return None, Finding(f"The check got no usable record of {_called(trial)}.")
    return reading, None


def _called(trial: dict) -> str:
    return f"length_mask({trial['valid_lens']}, {trial['n']})"


ONE, TWO = ("three", "square", "one", "edges"), ("queries", "one query")


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """The cases; the last one on the first accelerator that is here, else it waits for one. Never raises."""
    payload = payload if isinstance(payload, dict) else {}
    trials = {trial["key"]: trial for trial in challenge["trials"]}
    accelerators = device_rows(payload.get("devices"))
    here = [row for row in accelerators if row["available"]]

    def case(name: str, points: float, keys: tuple[str, ...], find: Callable, row: dict | None = None) -> Case:
        device, label = (row["name"], row["label"]) if row else ("cpu", "cpu")
        claim = find is not find_values
        for key in keys:
            record = _record(payload, device, key)
            more = (device,) if find is find_device else ()
            finding = find(trials[key], record, *more)
            if finding is not None:
                detail = f"call      {_called(trials[key])}" + (f"\ngot       {finding.got}" if finding.got else "")
                return Case(name, points, FAILED, finding.message, label, claim, detail, finding.message)
        return Case(name, points, PASSED, "", label, claim, f"call      {_called(trials[keys[0]])}")

    cases = [
        case("lengths of one dimension", 1.25, ONE, find_values),
        case("lengths of two dimensions", 1.0, TWO, find_values),
        case("booleans", 0.25, (ONE[0], TWO[0]), find_dtype),
    ]
    on_device, points = "on the device of valid_lens", 0.5
    for number, row in enumerate(here):
        cases.append(case(on_device, points if number == 0 else 0.0, (ONE[0], TWO[0]), find_device, row))
    if not here:
        why = "No GPU and no simulated one could be used here. Grading on a machine that has one will run this."
        return (*cases, Case(on_device, points, NOT_RUN, why, "no accelerator", True))
    for row in accelerators:
        if not row["available"]:
            reason = row["reason"] or "not on this machine"
            cases.append(Case("the same on another device", 0.0, NOT_RUN, reason, row["label"]))
    return tuple(cases)


def _record(payload: dict, device: str, key: str) -> dict:
    records = payload.get("records")
    records = records.get(device) if isinstance(records, dict) else None
    record = records.get(key) if isinstance(records, dict) else None
    return record if isinstance(record, dict) else {}


EXERCISE = Exercise("length_mask", 3.0, challenge, collect, verify, answer="length_mask")
