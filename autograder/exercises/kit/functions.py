"""Exercises whose answer is a function of a tensor: what is tried, and the half that runs beside the student's code.

A *trial* is one call, plain JSON data made by `trial(...)`: the numbers of x, further arguments, dtype, layout, and
what is wanted of the result. A *record* is what came of it, plain JSON data again:

    {"problem": ...}                        the call failed (see `calling`), else
    {"result": encoded tensor,
     "graph": {"nodes": [names], "broken": [{"node", "slot", "expected", "found", "later": [names]}]},
     "input": {"version_before", "version_after", "requires_grad", "values"},     claims of the student's process
     "jacobian" | "pull" | "twice" | "second": encoded numbers or {"problem": ...}}

with what only messages are made of: "story" (see `watching`), after some failures; "asked", the line that asked
`torch.cuda.is_available()`; and, where that line was met on the simulated device, "if_cuda": the record of the same
call with the answer "yes", as on a machine with a GPU.

A payload is {"devices": [{"name", "label", "available", "reason"}], "records": {device name: {trial key: record}}}.
"""

from __future__ import annotations

import functools
import math
import random
import re
from collections.abc import Callable, Sequence

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit import demands as demanding
from autograder.exercises.kit.calling import Attempt, attempt, call, plain_tensor, unheard, wrong_type
from autograder.exercises.kit.encoding import encode_float, encode_tensor
from autograder.exercises.kit.watching import Watch, availability
from inplace_lab import graph
from inplace_lab.devices import Device, devices

Draw = Callable[[random.Random, int], tuple[list[float], list[object]]]
MOST_ENTRIES = 64  # the longest x, and the longest result, whose whole Jacobian is taken
OF_DEVICES = re.compile("device|cuda|nvidia|mps", re.IGNORECASE)  # in the text of an error that may be about devices


def numbers(rng: random.Random, count: int, low: float = -3.0, high: float = 3.0, step: float = 0.125) -> list[float]:
    """Random numbers from low to high, multiples of `step`, never 0, different ones where there are enough.

    A multiple of 1/8 below 16 is exact in bfloat16 and in every wider type, so all of them compute with the same x.
    """
    grid = [k * step for k in range(round(low / step), round(high / step) + 1) if k]
    return rng.sample(grid, count) if count <= len(grid) else [rng.choice(grid) for _ in range(count)]


def trial(
    key: str,
    x: Sequence[float],
    *arguments: object,
    dtype: str = "float64",
    layout: str = "contiguous",
    requires_grad: bool = True,
    leaf: bool = True,
    want: Sequence[str] = (),
    weights: Sequence[float] = (),
    directions: Sequence[float] = (),
    on_devices: bool = False,
) -> dict:
    """One call of the answer, as plain data.

    Args:
        key: names it within the exercise.
        x: the numbers of the first argument, a 1-D tensor.
        arguments: what follows x, plain numbers or text.
        dtype: "float64", "float32" or "bfloat16".
        layout: "contiguous", or "strided" for every other element of a longer tensor.
        requires_grad: whether x does.
        leaf: False makes x the result of an operation, so that torch lets a function write into it.
        want: any of "jacobian" (all of it, at most 64 rows), "pull" (weights times the Jacobian, for long x), "twice"
            (pull, two times on one graph), "second" (derivative of `directions` times pull).
        weights, directions: as long as the result and as x; for "pull", "twice", "second".
        on_devices: repeated on every accelerator that is present.
    """
    return {
        "key": key,
        "x": [encode_float(value) for value in x],
        "arguments": list(arguments),
        "dtype": dtype,
        "layout": layout,
        "requires_grad": requires_grad,
        "leaf": leaf,
        "want": list(want),
        "weights": list(weights),
        "directions": list(directions),
        "on_devices": on_devices,
    }


def collect(answer: object, challenge: dict) -> dict:
    """Run every trial on the CPU, and those for devices on each accelerator that is here. Decides nothing."""
    here = devices()
    records = {}
    for device in here:
        if device.available:
            chosen = [t for t in challenge["trials"] if device.name == "cpu" or t["on_devices"]]
            records[device.name] = {t["key"]: _record(answer, t, device) for t in chosen}
    return {
        "devices": [{"name": d.name, "label": d.label, "available": d.available, "reason": d.reason} for d in here],
        "records": records,
    }


def _record(answer: object, trial: dict, device: Device) -> dict:
    """What came of a trial, and after a failure that devices or a lost gradient may explain, its story."""
    with availability() as lines:
        record = _run(answer, trial, device.name)
    if lines:
        record["asked"] = lines[0]
        if device.simulated:
            with availability(True), unheard():
                other = _run(answer, trial, device.name)
                record["if_cuda"] = other | _story(answer, trial, device.name, other)
    return record | _story(answer, trial, device.name, record)


def _story(answer: object, trial: dict, device: str, record: dict) -> dict:
    if not _puzzling(record, device):
        return {}
    with unheard(), torch.enable_grad():
        made = attempt(lambda: _make_input(trial, device))
        if made.problem is not None:
            return {}
        _, x, _ = made.value
        watch = Watch(x)
        outcome = attempt(lambda: _watched(watch, answer, x, trial["arguments"]))
        return {"story": watch.story(outcome.value)}


def _watched(watch: Watch, answer: Callable, x: torch.Tensor, arguments: Sequence) -> object:
    with watch:
        return answer(x, *arguments)


def _puzzling(record: dict, device: str) -> bool:
    problem = record.get("problem")
    if problem is not None:
        return problem["kind"] == "raised" and bool(OF_DEVICES.search(problem["text"]))
    if torch.device(record["result"]["device"]).type != torch.device(device).type:
        return True
    derivatives = (record.get(kind) for kind in DERIVATIVES)
    return any(isinstance(one, dict) and one.get("problem") == {"kind": "no grad"} for one in derivatives)


class NoGradient(Exception):
    """The result does not depend on x, as far as autograd knows."""


def _run(answer: object, trial: dict, device: str) -> dict:
    with torch.enable_grad():
        made = attempt(lambda: _make_input(trial, device))
        if made.problem is not None:
            return {"problem": made.problem}
        source, x, whole = made.value
        version = graph.version(x)
        outcome = call(answer, x, *trial["arguments"])
        record = {"input": attempt(lambda: _input_after(x, whole, version)).value}
        problem = outcome.problem or wrong_type(outcome.value)
        if problem is None:
            plain = attempt(lambda: plain_tensor(outcome.value))
            encoded = attempt(lambda: encode_tensor(plain.value)) if plain.problem is None else plain
            problem = encoded.problem
        if problem is not None:
            return record | {"problem": problem}
        result: torch.Tensor = plain.value
        record |= {"result": encoded.value, "graph": attempt(lambda: _look(result)).value}
        for wanted in trial["want"]:
            record[wanted] = _derivative(wanted, result, source, trial)
    return record


def _make_input(trial: dict, device: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(the leaf that gradients are taken for, x itself, the memory that x lies in)."""
    data = torch.tensor([float(v) for v in trial["x"]], dtype=getattr(torch, trial["dtype"])).to(device)
    whole = data
    if trial["layout"] == "strided":
        whole = torch.full((2 * len(trial["x"]),), 0.5, dtype=data.dtype, device=device)
        whole[::2] = data
        data = whole[::2]
    source = data.requires_grad_(trial["requires_grad"])
    return source, source if trial["leaf"] else source.clone(), whole


def _input_after(x: torch.Tensor, whole: torch.Tensor, version: int) -> dict:
    gaps = whole.detach()[1::2] if whole.numel() != x.numel() else whole[:0]
    return {
        "version_before": version,
        "version_after": graph.version(x),
        "requires_grad": bool(x.requires_grad),
        "gaps": bool((gaps == 0.5).all()),
        "values": encode_tensor(x)["values"],
    }


def _look(result: torch.Tensor) -> dict:
    nodes = graph.nodes(result)
    return {
        "nodes": [node.name() for node in nodes][:20],
        "broken": [
            {"node": b.node, "slot": b.slot, "expected": b.expected, "found": b.found, "later": _later(nodes, b.node)}
            for b in graph.broken(result)[:5]
        ],
    }


def _later(nodes: Sequence, name: str) -> list[str]:
    """The names of the nodes that are younger than the (last) one called `name`: the write that broke it is among
    them, unless autograd does not know of it."""
    born = max(node._sequence_nr() for node in nodes if node.name() == name)
    return sorted({node.name() for node in nodes if node._sequence_nr() > born and graph.edges(node)})[:20]


def _derivative(wanted: str, result: torch.Tensor, source: torch.Tensor, trial: dict) -> dict:
    if not result.requires_grad:
        return {"problem": {"kind": "no grad"}}
    if result.numel() > MOST_ENTRIES if wanted == "jacobian" else result.numel() != len(trial["weights"]):
        return {"problem": {"kind": "shape"}}  # verify says so when it looks at the result
    outcome: Attempt = attempt(lambda: DERIVATIVES[wanted](result, source, trial))
    if outcome.problem is not None:
        kind = {"kind": "unconnected"} if outcome.problem.get("error") == NoGradient.__name__ else outcome.problem
        return {"problem": kind}
    return outcome.value


def _pull(result: torch.Tensor, source: torch.Tensor, weights: torch.Tensor, **options: bool) -> torch.Tensor:
    (gradient,) = torch.autograd.grad(result, source, weights, allow_unused=True, **options)
    if gradient is None:
        raise NoGradient
    return gradient


def _weights(values: Sequence[float], like: torch.Tensor) -> torch.Tensor:
    return torch.tensor(values, dtype=like.dtype).to(like.device).reshape(like.shape)


def _jacobian(result: torch.Tensor, source: torch.Tensor, trial: dict) -> dict:
    count = result.numel()
    rows = [
        _pull(result, source, _weights([float(i == j) for j in range(count)], result), retain_graph=True)
        for i in range(count)
    ]
    return encode_tensor(torch.stack(rows))


def _once(result: torch.Tensor, source: torch.Tensor, trial: dict) -> dict:
    return encode_tensor(_pull(result, source, _weights(trial["weights"], result)))


def _twice(result: torch.Tensor, source: torch.Tensor, trial: dict) -> dict:
    weights = _weights(trial["weights"], result)
    first = _pull(result, source, weights, retain_graph=True).clone()
    return encode_tensor(torch.stack([first, _pull(result, source, weights)]))


def _second(result: torch.Tensor, source: torch.Tensor, trial: dict) -> dict:
    gradient = _pull(result, source, _weights(trial["weights"], result), create_graph=True)
    if not gradient.requires_grad:  # a linear function: its second derivative is zero
        return encode_tensor(torch.zeros_like(source))
    (again,) = torch.autograd.grad(gradient, source, _weights(trial["directions"], source), allow_unused=True)
    return encode_tensor(torch.zeros_like(source) if again is None else again)


DERIVATIVES: dict[str, Callable[[torch.Tensor, torch.Tensor, dict], dict]] = {
    "jacobian": _jacobian,
    "pull": _once,
    "twice": _twice,
    "second": _second,
}


def function_exercise(
    name: str,
    formula: demanding.Formula,
    draw: Callable[[random.Random], list[dict]],
    demands: Sequence[demanding.Demand],
    *,
    notes: Callable[[dict, object], tuple[str, ...]] | None = None,
    answer: str | None = None,
) -> Exercise:
    """An exercise whose answer is a function `f(x, ...)` of a 1-D tensor.

    Args:
        name: the exercise's name (the module's).
        formula: closed form of value and derivatives, and the words of the messages.
        draw: the trials, from a random generator.
        demands: the lines of the report; their points sum to the maximum.
        notes: sentences without points.
        answer: the function's name in the notebook, if it is not the exercise's.
    """
    extra = {} if notes is None else {"notes": notes}
    return Exercise(
        name,
        round(math.fsum(demand.points for demand in demands), 9),
        lambda rng: {"trials": draw(rng)},
        collect,
        functools.partial(demanding.verify, formula, tuple(demands)),
        answer=name if answer is None else answer,
        **extra,
    )


def usual_trials(rng: random.Random, formula: demanding.Formula, draw: Draw) -> list[dict]:
    """The trials that the demands of `repair_exercise` look at; `draw(rng, n)` gives n numbers, further arguments."""
    made = []

    def add(key: str, n: int, **options: object) -> None:
        x, arguments = draw(rng, n)
        count = formula.value(torch.tensor(x, dtype=torch.float64), *arguments).numel()
        made.append(trial(key, x, *arguments, weights=numbers(rng, count), directions=numbers(rng, n), **options))

    for n in (2, 3, 5):
        add(f"gradient {n}", n, want=["jacobian"])
    add("float32", 4, dtype="float32", want=["jacobian"])
    for n in (2, 4):
        add(f"twice {n}", n, want=["twice"])
    add("bfloat16", 3, dtype="bfloat16")
    add("untouched plain", 3, requires_grad=False)
    add("untouched middle", 3, leaf=False)
    return made


def repair_exercise(
    name: str, formula: demanding.Formula, draw: Draw, points: dict[str, float], *, answer: str | None = None
) -> Exercise:
    """ "Repair this function": value, gradient against the closed form, backward twice, input untouched, dtype kept.

    Args:
        name, formula, answer: as for `function_exercise`.
        draw: (random generator, n) -> (n numbers for x, list of further arguments).
        points: what each of "values", "gradient", "backward twice", "input not written to", "dtype kept" is worth.
            Leave one out and it is not checked.

    Raises:
        ValueError: an unknown demand.
    """
    known = {
        "values": functools.partial(demanding.values, keys=("gradient 2", "gradient 3", "gradient 5", "float32")),
        "gradient": functools.partial(demanding.gradient, keys=("gradient 2", "gradient 3", "gradient 5", "float32")),
        "backward twice": functools.partial(demanding.backward_twice, keys=("twice 2", "twice 4")),
        "input not written to": functools.partial(
            demanding.input_untouched, keys=("untouched plain", "untouched middle")
        ),
        "dtype kept": functools.partial(demanding.dtype_kept, keys=("gradient 3", "float32", "bfloat16")),
    }
    for demand in points:
        if demand not in known:
            raise ValueError(f"{demand!r} is no demand of a repair exercise: use {', '.join(known)}.")
    chosen = [make(name=key, points=points[key]) for key, make in known.items() if key in points]
    return function_exercise(name, formula, lambda rng: usual_trials(rng, formula, draw), chosen, answer=answer)
