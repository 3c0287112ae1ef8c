"""`survives(f, target)`: may f's input or output be overwritten after the call, before backward?

    survives(f: Callable[[torch.Tensor], torch.Tensor], target: str) -> bool

f takes a float32 tensor of shape (6,) with numbers between 0 and 1, does not write into it, and returns one tensor that
depends on it. target is "input" or "output". The write is an `add_` under `no_grad`, which the version counter counts.
The answer is True if backward still runs.

What is right is measured: `trial` runs each f on the installed torch, writes, and calls backward. The payload holds the
student's answers and nothing else, so there is nothing to claim. Every group of questions must be right as a whole and
holds both answers, so that a constant, or a look at one target only, earns 0 in all groups that ask about both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import call, explain, type_name
from autograder.exercises.kit.words import clean, saved_as
from autograder.report import FAILED, PASSED, Case
from inplace_lab import graph

INPUT, OUTPUT = "input", "output"
BOTH = (INPUT, OUTPUT)
SIGNATURE = "survives(f, target)"
REFUSED = "modified by an inplace operation"  # torch's words

# Functions of one tensor as Python text. They stand in pools by what their derivative is made of, only so that every
# challenge holds functions of each kind; nothing is graded by the pool.
ARGUMENT = ("sin", "cos", "square", "log1p", "sinh", "cosh", "atan", "erf", "log", "abs")
RESULT = ("tanh", "sigmoid", "sqrt", "rsqrt", "reciprocal", "expm1", "exp2", "relu", "tan")
NEITHER = ("neg", "clone", "round", "floor", "sign")


@dataclass(frozen=True)
class Pools:
    """Texts of functions whose derivative needs the argument, the result, neither, both."""

    argument: tuple[str, ...]
    result: tuple[str, ...]
    neither: tuple[str, ...]
    both: tuple[str, ...]

    def draw(self, rng: random.Random) -> list[tuple[str, str]]:
        """One of each, asked about both targets, in random order."""
        chosen = [rng.choice(pool) for pool in (self.argument, self.result, self.neither, self.both)]
        questions = [(text, target) for text in chosen for target in BOTH]
        rng.shuffle(questions)
        return questions


ARITHMETIC = Pools(
    argument=("x * x", "x * x.detach()", "x * (x + 1)", "x / (1 + x)", "x ** 3", "torch.arange(6.0) * x.sin()"),
    result=("(x + 1).sqrt()", "(3 * x).exp()", "(1 - x).tanh()", "torch.relu(x - 0.5)"),
    neither=("7 - x", "x / 7", "3 / x", "x * torch.arange(6.0)", "x + torch.arange(6.0)", "x.exp() + 1", "-x.sqrt()"),
    both=("2 ** x", "(x * x).sqrt()", "(x ** 3).exp()", "torch.sigmoid(x * x + 1)"),
)
REDUCTIONS = Pools(
    argument=("x.square().sum()", "x.log().mean()", "x.cos().cumsum(0)", "x.atan().sort()[0]"),
    result=("x.softmax(0)", "x.log_softmax(0)", "x.cumsum(0).sqrt()"),
    neither=("x.sum()", "x.mean()", "x.cumsum(0)", "x.max(0)[0]", "x.sort()[0]", "x.exp().sum()", "x.softmax(0).sum()"),
    both=("x.prod()", "x.norm()", "x.std()", "x.max()", "x.logsumexp(0)", "x.cumprod(0)", "x.square().sum().sqrt()"),
)
VIEWS = Pools(
    argument=("x[::2].sin()", "x.view(2, 3).square()", "x.float().cos()", "x.reshape(3, 2).t().log1p()", "x.sin()[1:]"),
    result=("x.sqrt().view(2, 3)", "x.tanh()[1:]", "x[1:].exp()", "x.double().exp()", "x.sigmoid().reshape(3, 2).t()"),
    neither=("x", "x[1:]", "x.reshape(2, 3)", "x.double()", "x.double().sin()", "x[::2].clone().square()", "x.flip(0)"),
    both=("x[1:].cos().tanh()", "x.view(2, 3).log1p().sqrt()[0]", "x.view(-1).sin().exp()", "x.float().erf().exp2()"),
)
MODULES = Pools(
    argument=(
        "nn.Linear(6, 3)", "nn.GELU()", "nn.LayerNorm(6)", "nn.SiLU()",
        "nn.Sequential(nn.Linear(6, 4), nn.Linear(4, 2))",
    ),
    result=(
        "nn.Softmax(0)", "nn.Sigmoid()", "nn.Sequential(nn.Dropout(0.5), nn.Tanh())",
        "nn.Sequential(nn.Softmax(0), nn.Sigmoid())",
    ),
    neither=(
        "nn.Dropout(0.5)", "nn.Identity()", "nn.Linear(6, 3).requires_grad_(False)",
        "nn.Sequential(nn.Sigmoid(), nn.Linear(6, 2).requires_grad_(False))",
        "nn.Sequential(nn.Tanh(), nn.Dropout(0.5))",
    ),
    both=(
        "nn.Sequential(nn.Linear(6, 3), nn.Tanh())", "nn.Sequential(nn.GELU(), nn.Softmax(0))",
        "nn.Sequential(nn.Linear(6, 6), nn.Sigmoid())",
    ),
)  # fmt: skip


def _single(target: str) -> Callable[[random.Random], list[tuple[str, str]]]:
    def draw(rng: random.Random) -> list[tuple[str, str]]:
        chosen = [*rng.sample(ARGUMENT, 2), *rng.sample(RESULT, 2), rng.choice(NEITHER)]
        rng.shuffle(chosen)
        return [(f"torch.{name}", target) for name in chosen]

    return draw


def _compositions(rng: random.Random) -> list[tuple[str, str]]:
    """Three methods in a row: the first may keep the input, the last the output, the one between neither of them."""
    between = (*ARGUMENT, *RESULT)

    def chain(first: tuple[str, ...], last: tuple[str, ...]) -> str:
        return f"x.{rng.choice(first)}().{rng.choice(between)}().{rng.choice(last)}()"

    kinds = [(ARGUMENT, ARGUMENT), (RESULT, RESULT), (RESULT, ARGUMENT), (ARGUMENT, RESULT)]
    questions = [(text, target) for text in (chain(*kind) for kind in kinds) for target in BOTH]
    rng.shuffle(questions)
    return questions


@dataclass(frozen=True)
class Group:
    """One line of the report. `prefix` makes a callable's text of what the pools hold."""

    name: str
    points: float
    draw: Callable[[random.Random], list[tuple[str, str]]]
    prefix: str = "lambda x: "

    def questions(self, rng: random.Random) -> list[dict]:
        return [{"group": self.name, "f": self.prefix + text, "target": target} for text, target in self.draw(rng)]


GROUPS = (
    Group("inputs of single functions", 1, _single(INPUT), ""),
    Group("outputs of single functions", 1, _single(OUTPUT), ""),
    Group("compositions", 1, _compositions),
    Group("arithmetic", 1, ARITHMETIC.draw),
    Group("reductions", 1, REDUCTIONS.draw),
    Group("views and conversions", 1, VIEWS.draw),
    Group("modules", 1, MODULES.draw, ""),
)


def challenge(rng: random.Random) -> dict:
    """All questions: {"questions": [{"group", "f": Python text, "target"}]}."""
    return {"questions": [question for group in GROUPS for question in group.questions(rng)]}


def build(text: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """The callable that a challenge's text stands for. Only for texts of this module."""
    return eval(text, {"torch": torch, "nn": torch.nn})


def collect(answer: object, challenge: dict) -> dict:
    """What the student's function answers to each question: {"answers": [{"value"}, {"type"} or {"problem"}]}."""
    with torch.enable_grad():
        return {"answers": [_ask(answer, question) for question in challenge["questions"]]}


def _ask(answer: object, question: dict) -> dict:
    outcome = call(answer, build(question["f"]), question["target"])
    if outcome.problem is not None:
        return {"problem": outcome.problem}
    if outcome.value is None:
        return {"problem": {"kind": "none"}}
    return {"value": outcome.value} if type(outcome.value) is bool else {"type": type_name(outcome.value)}


@dataclass(frozen=True)
class Truth:
    """What came of one live run: whether backward ran, and what was measured about the written tensor."""

    survived: bool
    story: str


def trial(text: str, target: str) -> Truth:
    """Call f, overwrite its input or output, and let backward say whether it minds."""
    f = build(text)
    with torch.enable_grad():
        given = torch.linspace(0.2, 0.9, 6).requires_grad_() * 1
        result = f(given)
        last = result.grad_fn
        written = given if target == INPUT else result
        kept = any(graph.shares_memory(t, written) for node in graph.nodes(result) for _, t in graph.saved(node))
        with torch.no_grad():
            written.add_(1)
        broken = graph.broken(result)
        try:
            result.sum().backward()
        except RuntimeError as error:
            return Truth(False, _refusal(broken, last, error))
    reason = "" if kept else f": no node of the graph had kept that {target}"
    return Truth(True, f"backward runs after the write{reason}")


def _refusal(broken: tuple[graph.Broken, ...], last: object, error: RuntimeError) -> str:
    if not broken:
        return f"backward refuses after the write: {clean(str(error), 200)}"
    first = broken[0]
    deep = all(one.node != last.name() for one in broken)
    kept = saved_as(first.node, first.slot)
    return (
        f"backward refuses after the write: {first.node} kept that memory ({kept}) at version {first.expected} and "
        f"found version {first.found}" + (". That node lies deeper in the graph than result.grad_fn" if deep else "")
    )


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each group: all its questions right, or the first that is wrong in words. Never raises."""
    questions = challenge["questions"]
    records = _records(payload, len(questions))
    cases = []
    for group in GROUPS:
        own = [(q, r) for q, r in zip(questions, records, strict=True) if q["group"] == group.name]
        cases.append(_case(group, own))
    return tuple(cases)


def _case(group: Group, asked: list[tuple[dict, dict]]) -> Case:
    wrong: list[_Complaint] = []
    details: list[str] = []
    for question, record in asked:
        truth = trial(question["f"], question["target"])
        given = record.get("value")
        called = _called(question)
        right = given is truth.survived
        details.append(f"{'right' if right else 'WRONG'}: {called} gave {_given(record)}; {truth.story}")
        if not right:
            wrong.append(_complaint(called, record, truth))
    if not wrong:
        return Case(group.name, group.points, PASSED, detail="\n".join(details))
    more = f" ({len(wrong)} of {len(asked)} are wrong here.)" if len(wrong) > 1 and "value" in asked[0][1] else ""
    first = wrong[0]
    return Case(
        group.name,
        group.points,
        FAILED,
        first.message + more,
        detail="\n".join(details),
        reason=first.reason,
        brief=first.brief and first.brief + more,
    )


@dataclass(frozen=True)
class _Complaint:
    """The parts of a `Case` that say what is wrong."""

    message: str
    reason: str
    brief: str = ""


def _complaint(called: str, record: dict, truth: Truth) -> _Complaint:
    if "value" in record:
        gave = f"{called} gave {record['value']}"
        return _Complaint(f"{gave}, but {truth.story}.", truth.story, f"{gave}.")
    if "type" in record:
        said = f"returned a value of type {record['type']}, expected True or False."
        return _Complaint(f"{called} {said}", said)
    problem = record.get("problem")
    if isinstance(problem, dict) and REFUSED in clean(problem.get("text"), 300) and not truth.survived:
        said = "raised the error with which backward refuses. That error is the answer: catch it, and return False."
        return _Complaint(f"{called} {said}", said)
    general = isinstance(problem, dict) and problem.get("kind") in ("none", "signature", "not callable")
    message, reason = (
        explain(problem, SIGNATURE if general else text, SIGNATURE, expected="True or False") for text in (called, "it")
    )
    return _Complaint(message, reason)


def _called(question: dict) -> str:
    return f'survives({question["f"]}, "{question["target"]}")'


def _given(record: dict) -> str:
    return str(record["value"]) if "value" in record else "no answer"


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
    said = {
        target: {value for question, value in zip(questions, values, strict=True) if question["target"] == target}
        for target in BOTH
    }
    if said[INPUT] == said[OUTPUT] == {True}:
        return (
            "your function said True every time. Is the write in place (add_, not +)? Does it reach the tensor that f "
            "was given or returned? Does it come after the call? Does your function call backward after it?",
        )
    if said[INPUT] == said[OUTPUT] == {False}:
        return (
            "your function said False every time, so something fails even where nothing that backward needs was "
            "overwritten. Print the error that you catch: does the input require grad? Is backward called on a scalar?",
        )
    if said[INPUT] == {True}:
        return (
            "every input survives, says your function. Write into the very tensor that was handed to f: not into the "
            "leaf that it was made from, nor into a copy of it.",
        )
    if said[INPUT] == {False}:
        return (
            "no input survives, says your function. Print the error that you catch: torch refuses to write into a "
            "leaf that requires grad unless no_grad is on, and that refusal says nothing about f.",
        )
    vectors = {value for question, value in zip(questions, values, strict=True) if not _is_scalar(question["f"])}
    if vectors == {False}:
        return (
            "your function said False for every f whose result has more than one number: backward starts from a "
            "scalar, so sum the result first.",
        )
    answers: dict[str, set[bool]] = {}
    for question, value in zip(questions, values, strict=True):
        answers.setdefault(question["f"], set()).add(value)
    asked_twice = [q["f"] for q in questions if q["group"] not in (GROUPS[0].name, GROUPS[1].name)]
    if all(len(answers[f]) == 1 for f in asked_twice):
        return ('your function says the same for the input and the output of every f. Does it look at "target"?',)
    return ()


def _is_scalar(text: str) -> bool:
    return build(text)(torch.full((6,), 0.5)).dim() == 0


EXERCISE = Exercise("survives", sum(group.points for group in GROUPS), challenge, collect, verify, notes, "survives")
