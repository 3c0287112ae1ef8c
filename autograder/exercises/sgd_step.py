"""`sgd_step(weights, lr)`: one step of gradient descent, written into the weights.

    sgd_step(weights: list[torch.Tensor], lr: float) -> None

Each weight is a leaf that requires grad. One with a gradient becomes w - lr * w.grad, in place, and its gradient is
cleared (None or zeros); one without stays as it is. Closed form: the losses are sum(c * w), so the gradient is c.

The numbers are recomputed by verify. That a weight is still the leaf that it was, and that its version counter moved,
only the student's process can tell: 1 point of 3, and it needs right numbers too.
"""

from __future__ import annotations

import random

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import attempt, call, explain
from autograder.exercises.kit.encoding import Reading, decode_tensor, differing, encode_tensor
from autograder.exercises.kit.functions import numbers
from autograder.exercises.kit.words import clean, show, show_list
from autograder.report import FAILED, PASSED, Case
from inplace_lab import graph

SIGNATURE = "sgd_step(weights, lr)"
LEAF_REFUSED = "leaf Variable that requires grad"  # torch's words
SHAPES = ((3,), (2, 2), (4,), (1, 3), ())
ONE_STEP, TWO_STEPS, WITHOUT, LEAVES, COUNTED = (
    "one step",
    "two steps",
    "a weight without gradient",
    "the same leaves as before",
    "the write is counted",
)


def challenge(rng: random.Random) -> dict:
    """{"trials": {name: {"weights": [{"shape", "values", "slopes"}], "lr", "steps"}}}; slopes null: no gradient."""
    return {
        "trials": {
            ONE_STEP: _trial(rng, 3, steps=1),
            TWO_STEPS: _trial(rng, 2, steps=2),
            WITHOUT: _trial(rng, 3, steps=1, without=rng.randrange(2)),
        }
    }


def _trial(rng: random.Random, count: int, steps: int, without: int | None = None) -> dict:
    weights = []
    for number, shape in enumerate(rng.sample(SHAPES, count)):
        size = int(torch.Size(shape).numel())
        slopes = None if number == without else numbers(rng, size)
        weights.append({"shape": list(shape), "values": numbers(rng, size), "slopes": slopes})
    return {"weights": weights, "lr": rng.choice([0.25, 0.5, 0.125]), "steps": steps}


# Beside the student's code


def collect(answer: object, challenge: dict) -> dict:
    """{"records": {trial: record}}; a record holds the weights after the calls, or the problem of one of them."""
    with torch.enable_grad():
        return {"records": {name: _patient(answer, trial) for name, trial in challenge["trials"].items()}}


def _patient(answer: object, trial: dict) -> dict:
    """A second try after one that took too long: the first step of a torch.optim optimizer imports for seconds."""
    record = _run(answer, trial)
    return _run(answer, trial) if record.get("problem", {}).get("kind") == "time" else record


def _run(answer: object, trial: dict) -> dict:
    weights = [_tensor(weight["values"], weight["shape"]).requires_grad_() for weight in trial["weights"]]
    kept = [weight.square().sum() for weight in weights]  # each keeps its weight, as a loss would
    memory = [weight.data_ptr() for weight in weights]
    handed = list(weights)
    for _ in range(trial["steps"]):
        backward = attempt(lambda: _fill_gradients(weights, trial))
        if backward.problem is not None:
            return {"problem": backward.problem, "in_backward": True}
        outcome = call(answer, handed, trial["lr"])
        if outcome.problem is not None:
            return {"problem": outcome.problem}
    looked = attempt(lambda: [_look(*parts) for parts in zip(weights, handed, memory, kept, strict=True)])
    return {"problem": looked.problem} if looked.problem is not None else {"weights": looked.value}


def _fill_gradients(weights: list[torch.Tensor], trial: dict) -> None:
    for weight, given in zip(weights, trial["weights"], strict=True):
        if given["slopes"] is not None:
            (weight * _tensor(given["slopes"], given["shape"])).sum().backward()


def _look(weight: torch.Tensor, handed: object, memory: int, kept: torch.Tensor) -> dict:
    return {
        "after": encode_tensor(weight),
        "leaf": bool(weight.is_leaf and weight.requires_grad),
        "replaced": handed is not weight,
        "memory": weight.data_ptr() == memory,
        "counted": bool(graph.broken(kept)),
        "cleared": weight.grad is None or not bool(weight.grad.any()),
    }


def _tensor(values: list[float], shape: list[int]) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32, device="cpu").reshape(shape).clone()  # no view


# Where the points are decided


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """Never raises."""
    records = payload.get("records") if isinstance(payload, dict) else None
    records = records if isinstance(records, dict) else {}
    found = {name: _Found(trial, records.get(name)) for name, trial in challenge["trials"].items()}
    first = found[ONE_STEP]
    return (
        _case(ONE_STEP, 1, *first.wrong_numbers()),
        _case(TWO_STEPS, 0.5, *found[TWO_STEPS].wrong_numbers()),
        _case(WITHOUT, 0.5, *found[WITHOUT].wrong_numbers()),
        _case(LEAVES, 0.5, first.not_yet() or first.no_leaves(), claim=True),
        _case(COUNTED, 0.5, first.not_yet() or first.not_counted(), claim=True),
    )


def _case(name: str, points: float, wrong: str, idea: str = "", claim: bool = False) -> Case:
    """`wrong` is what came out, `idea` what may be behind it: the same for several cases, and said once."""
    message = f"{wrong} {idea}".strip()
    return Case(name, points, FAILED if wrong else PASSED, message, claim=claim, reason=idea, brief=idea and wrong)


class _Found:
    """What a record tells about a trial; each method returns a sentence, or "" if all is well."""

    def __init__(self, trial: dict, record: object) -> None:
        self.trial = trial
        self.record = record if isinstance(record, dict) else {}
        weights = self.record.get("weights")
        usable = isinstance(weights, list) and len(weights) == len(trial["weights"])
        self.weights = [weight if isinstance(weight, dict) else {} for weight in weights] if usable else []

    def wrong_numbers(self) -> tuple[str, str]:
        """(what came out, what may be behind it), both empty if the numbers are right."""
        if not self.weights:
            return _explain(self.record), ""
        for weight, given in zip(self.weights, self.trial["weights"], strict=True):
            reading = decode_tensor(weight.get("after"))
            if reading is None or reading.values is None or reading.shape != tuple(given["shape"]):
                return "The check got no usable record of the weights after the step.", ""
            if differing(reading.values, self._after(given), "float32", slack=4):
                return self._told(given, reading), self._idea(given, reading, weight)
        return "", ""

    def not_yet(self) -> str:
        return "Not judged before the numbers of one step are right." if self.wrong_numbers()[0] else ""

    def _after(self, given: dict, factor: float | None = None) -> list[float]:
        factor = -self.trial["lr"] * self.trial["steps"] if factor is None else factor
        slopes = given["slopes"] or [0.0] * len(given["values"])
        return [value + factor * slope for value, slope in zip(given["values"], slopes, strict=True)]

    def _told(self, given: dict, reading: Reading) -> str:
        gradient = "no gradient" if given["slopes"] is None else f"the gradient {show_list(given['slopes'])}"
        steps = self.trial["steps"]
        return (
            f"A weight {show_list(given['values'])} with {gradient} is {show_list(reading.values)} after "
            f"{'two steps' if steps == 2 else 'a step'} with lr = {show(self.trial['lr'])}, expected "
            f"{show_list(self._after(given))}."
        )

    def _idea(self, given: dict, reading: Reading, weight: dict) -> str:
        lr, steps = self.trial["lr"], self.trial["steps"]

        def alike(factor: float) -> bool:
            return not differing(reading.values, self._after(given, factor), "float32", slack=4)

        if alike(0):
            if weight.get("replaced") is True:
                return (
                    "You put a new tensor into the list. The model still holds the old one, which nobody wrote to: "
                    "write into the weight itself (w -= ..., under no_grad)."
                )
            return (
                "The weight was not written to. w = w - ... makes a new tensor and binds the name w to it: write into "
                "the weight itself (w -= ..., under no_grad)."
            )
        if alike(lr * steps):
            return "The step goes uphill: subtract lr times the gradient."
        if alike(-1.0 * steps):
            return "lr is missing: subtract lr times the gradient."
        if steps == 2 and alike(-3 * lr):
            return (
                "backward adds to w.grad, and the gradient of the first step was still there in the second: clear it "
                "(w.grad = None) at the end of the step."
            )
        if steps == 2 and alike(-lr):
            return "Only one of the two steps arrived: is the weight still the tensor that backward fills?"
        return ""

    def no_leaves(self) -> str:
        if any(weight.get("memory") is not True for weight in self.weights):
            return (
                "A weight lies in other memory than before (w.data = ..., set_()): views of it still see the old "
                "numbers. Write into it."
            )
        if any(weight.get("replaced") is True for weight in self.weights):
            return "The list holds other tensors than before: write into the weights, and leave the list as it is."
        if any(weight.get("leaf") is not True for weight in self.weights):
            return (
                "A weight is no leaf that requires grad any more: if you switch requires_grad off for the write, "
                "nothing will be trained afterwards. Write under no_grad instead."
            )
        if any(weight.get("cleared") is not True for weight in self.weights):
            return "A weight still holds its gradient: clear it (w.grad = None) at the end of the step."
        return ""

    def not_counted(self) -> str:
        if all(weight.get("counted") is True for weight in self.weights):
            return ""
        return (
            "The numbers are right, but the version counter did not move: the write went through .data (or NumPy). A "
            "loss that had kept this weight would now give a wrong gradient in silence. Under no_grad the write is "
            "counted, and backward would refuse."
        )


def _explain(record: dict) -> str:
    problem = record.get("problem")
    text = clean(problem.get("text"), 300) if isinstance(problem, dict) else ""
    line = clean(problem.get("line"), 100) if isinstance(problem, dict) else ""
    if LEAF_REFUSED in text:
        return (
            "Torch refuses to write into a leaf that requires grad while it records. A step of training is not to be "
            f"recorded: do it under torch.no_grad(). Torch says: {text}{f' Your line: {line}' if line else ''}"
        )
    if "NoneType" in text:
        return (
            "A weight that the loss does not depend on has no gradient: its grad is None. Leave such a weight as it "
            f"is. Python says: {text}{'' if text.endswith('.') else '.'}{f' Your line: {line}' if line else ''}"
        )
    if record.get("in_backward") is True:
        return f"After one step backward of the next loss fails. {explain(problem, 'backward', SIGNATURE)}"
    return explain(problem, SIGNATURE, SIGNATURE, expected="nothing")


EXERCISE = Exercise("sgd_step", 3, challenge, collect, verify, answer="sgd_step")
