"""`inplace_relu_is_safe(layer, x)`: may `torch.relu_(layer(x))` take the place of `torch.relu(layer(x))`?

    inplace_relu_is_safe(layer: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> bool

x is float32 of shape (4, 6), requires grad and is no leaf; it is made for this call and may be used up. The layer does
not write into it. The answer is True if backward still runs after the ReLU in place, and if that ReLU did not write
into x: a layer that hands its input on, or a view of it, lets it do so, and backward need not mind.

What is right is measured: `trial` runs each layer on the installed torch. The payload holds the student's answers and
nothing else, so there is nothing to claim. Every group of questions must be right as a whole and holds both answers.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import call, explain, type_name
from autograder.exercises.kit.words import clean, saved_as
from autograder.report import FAILED, PASSED, Case
from inplace_lab import graph

SHAPE = (4, 6)
SIGNATURE = "inplace_relu_is_safe(layer, x)"
REFUSED = "modified by an inplace operation"  # torch's words


@dataclass(frozen=True)
class Group:
    """One line of the report: layers as Python text, in two pools so that every challenge holds both answers; `again`
    of each are asked about. Nothing is graded by the pool."""

    name: str
    points: float
    safe: tuple[str, ...]
    unsafe: tuple[str, ...]
    again: int = 2

    def questions(self, rng: random.Random) -> list[dict]:
        chosen = rng.sample(self.safe, self.again) + rng.sample(self.unsafe, self.again)
        rng.shuffle(chosen)
        return [{"group": self.name, "layer": text} for text in chosen]


GROUPS = (
    Group(
        "single layers",
        1,
        safe=(
            "nn.Linear(6, 3)", "nn.LayerNorm(6)", "nn.BatchNorm1d(6)", "nn.GELU()", "nn.SiLU()", "nn.LeakyReLU()",
            "nn.ELU()", "nn.Hardtanh()", "nn.Softplus()", "nn.GLU()",
        ),
        unsafe=("nn.Sigmoid()", "nn.Tanh()", "nn.ReLU()", "nn.Softmax(1)", "nn.LogSoftmax(1)"),
        again=3,
    ),
    Group(
        "layers in a row",
        1,
        safe=(
            "nn.Sequential(nn.Sigmoid(), nn.Linear(6, 3))", "nn.Sequential(nn.Tanh(), nn.Dropout(0.5))",
            "nn.Sequential(nn.ReLU(), nn.LayerNorm(6))", "nn.Sequential(nn.Linear(6, 4), nn.Unflatten(1, (2, 2)))",
            "nn.Sequential(nn.Softmax(1), nn.Linear(6, 6), nn.Flatten())",
        ),
        unsafe=(  # the node that keeps the memory is never the last one
            "nn.Sequential(nn.Tanh(), nn.Unflatten(1, (2, 3)))", "nn.Sequential(nn.Sigmoid(), nn.Flatten(0))",
            "nn.Sequential(nn.Linear(6, 4), nn.ReLU(inplace=True), nn.Unflatten(1, (2, 2)))",
            "nn.Sequential(nn.Linear(6, 4), nn.ELU(inplace=True), nn.Flatten(0))",
            "nn.Sequential(nn.Softmax(1), nn.Identity(), nn.Unflatten(1, (3, 2)))",
        ),
    ),
    Group(
        "layers that may hand their input on",
        1,
        safe=(
            "nn.Dropout(0.5)", "nn.Sequential(nn.Identity(), nn.Linear(6, 2))",
            "nn.Sequential(nn.Flatten(), nn.Dropout(0.5))", "lambda x: x.clone()", "lambda x: x[[0, 1]]",
        ),
        unsafe=(
            "nn.Identity()", "nn.Flatten()", "nn.Dropout(0.5).eval()", "nn.Unflatten(1, (2, 3))",
            "nn.Sequential(nn.Identity(), nn.Flatten(0))", "lambda x: x[:2]", "lambda x: x.t()",
        ),
    ),
)  # fmt: skip


def challenge(rng: random.Random) -> dict:
    """All questions: {"questions": [{"group", "layer": Python text}]}."""
    return {"questions": [question for group in GROUPS for question in group.questions(rng)]}


def build(text: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """The layer that a challenge's text stands for. Only for texts of this module."""
    return eval(text, {"torch": torch, "nn": torch.nn})


def make_input() -> torch.Tensor:
    """What stands before the layer: the result of an operation that keeps nothing."""
    return torch.linspace(-1, 1, SHAPE[0] * SHAPE[1]).reshape(SHAPE).requires_grad_() * 1


def collect(answer: object, challenge: dict) -> dict:
    """What the student's function answers to each question: {"answers": [{"value"}, {"type"} or {"problem"}]}."""
    with torch.enable_grad():
        return {"answers": [_ask(answer, question) for question in challenge["questions"]]}


def _ask(answer: object, question: dict) -> dict:
    outcome = call(answer, build(question["layer"]), make_input())
    if outcome.problem is not None:
        return {"problem": outcome.problem}
    if outcome.value is None:
        return {"problem": {"kind": "none"}}
    return {"value": outcome.value} if type(outcome.value) is bool else {"type": type_name(outcome.value)}


@dataclass(frozen=True)
class Truth:
    """What came of one live run: whether backward ran, whether x was written, and both in words."""

    runs: bool
    wrote_x: bool
    story: str

    @property
    def safe(self) -> bool:
        return self.runs and not self.wrote_x


@functools.cache
def trial(text: str) -> Truth:
    """Run the layer and the ReLU in place, and let the counter of x and backward say whether they mind. The weights
    and what a dropout drops are random, and neither decides: one run for each text is enough."""
    layer = build(text)
    with torch.enable_grad():
        x = make_input()
        result = layer(x)
        before = x._version
        result = torch.relu_(result)
        wrote_x = x._version > before
        broken = graph.broken(result)
        try:
            result.sum().backward()
        except RuntimeError as error:
            return Truth(False, wrote_x, _refusal(broken, error))
    if wrote_x:
        return Truth(
            True,
            True,
            "the ReLU wrote into x itself: the layer hands on the memory of its input, and the counter of x moves from "
            f"{before} to {x._version}",
        )
    return Truth(True, False, "backward runs, and the counter of x has not moved")


def _refusal(broken: tuple[graph.Broken, ...], error: RuntimeError) -> str:
    if not broken:
        return f"backward refuses: {clean(str(error), 200)}"
    first = broken[0]
    return (
        f"backward refuses: {first.node} kept that memory ({saved_as(first.node, first.slot)}) at version "
        f"{first.expected} and found version {first.found}"
    )


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each group: all its questions right, or the first that is wrong in words. Never raises."""
    asked = list(zip(challenge["questions"], _records(payload, len(challenge["questions"])), strict=True))
    return tuple(_case(group, [pair for pair in asked if pair[0]["group"] == group.name]) for group in GROUPS)


def _case(group: Group, asked: list[tuple[dict, dict]]) -> Case:
    wrong, details = [], []
    for question, record in asked:
        truth = trial(question["layer"])
        called = _called(question)
        right = record.get("value") is truth.safe
        gave = record.get("value", "no answer")
        details.append(f"{'right' if right else 'WRONG'}: {called} gave {gave}; {truth.story}")
        if not right:
            wrong.append(_complaint(called, record, truth))
    if not wrong:
        return Case(group.name, group.points, PASSED, detail="\n".join(details))
    message, reason = wrong[0]
    if len(wrong) > 1 and "value" in asked[0][1]:
        message += f" ({len(wrong)} of {len(asked)} are wrong here.)"
    return Case(group.name, group.points, FAILED, message, detail="\n".join(details), reason=reason)


def _complaint(called: str, record: dict, truth: Truth) -> tuple[str, str]:
    """(message, reason) of a wrong answer."""
    if "value" in record:
        message = f"{called} gave {record['value']}, but {truth.story}."
        return message, message
    if "type" in record:
        said = f"returned a value of type {record['type']}, expected True or False."
        return f"{called} {said}", said
    problem = record.get("problem")
    if isinstance(problem, dict) and REFUSED in clean(problem.get("text"), 300) and not truth.runs:
        said = "raised the error with which backward refuses. That error is the answer: catch it, and return False."
        return f"{called} {said}", said
    general = isinstance(problem, dict) and problem.get("kind") in ("none", "signature", "not callable")
    message, reason = (
        explain(problem, SIGNATURE if general else text, SIGNATURE, expected="True or False") for text in (called, "it")
    )
    return message, reason


def _called(question: dict) -> str:
    return f"inplace_relu_is_safe({question['layer']}, x)"


def _records(payload: object, count: int) -> list[dict]:
    """One record for each question out of untrusted data; {} where there is none."""
    answers = payload.get("answers") if isinstance(payload, dict) else None
    answers = answers[:count] if isinstance(answers, list) else []
    read = [_record(answer) for answer in answers]
    return read + [{}] * (count - len(read))


def _record(data: object) -> dict:
    if not isinstance(data, dict):
        return {}
    if isinstance(data.get("value"), bool):
        return {"value": data["value"]}
    if isinstance(data.get("type"), str):
        return {"type": clean(data["type"], 60)}
    return {"problem": data["problem"]} if "problem" in data else {}


def notes(challenge: dict, payload: object) -> tuple[str, ...]:
    """What the answers have in common, and what may be behind it. Never raises."""
    questions = challenge["questions"]
    values = [record.get("value") for record in _records(payload, len(questions))]
    if None in values:
        return ()
    truths = [trial(question["layer"]) for question in questions]
    if set(values) == {True}:
        return (
            "your function said True every time. Backward is where torch compares versions: does your function call "
            "it, after the ReLU, and on what the ReLU returned?",
        )
    if set(values) == {False}:
        return (
            "your function said False every time, so something fails even where all is well. Print the error that you "
            "catch: backward starts from a single number, so sum the result first.",
        )
    if values == [truth.runs for truth in truths]:
        return (
            "your function asks backward, and not yet whether x was written: a layer may hand its input on. What does "
            "the counter of x say?",
        )
    if values == [not truth.wrote_x for truth in truths]:
        return ("your function asks the counter of x, and not yet backward: a layer may have kept its result.",)
    return ()


EXERCISE = Exercise(
    "inplace_relu_is_safe",
    sum(group.points for group in GROUPS),
    challenge,
    collect,
    verify,
    notes,
    "inplace_relu_is_safe",
)
