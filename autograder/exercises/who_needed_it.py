"""`who_needed_it(loss)`: the name of the node whose saved tensor was written to.

    who_needed_it(loss: torch.Tensor) -> str | None

"PowBackward0", say: what `node.name()` gives for the node in the graph of loss that can no longer hand its saved tensor
to backward because of a version; None if there is no such node. No backward is called for it, and no gradient is left.

What is right is measured: `trial` runs each program on the installed torch and asks the graph. The payload holds the
student's answers; that nothing was left behind is a claim of the student's process (0.5 points, for right answers).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import attempt, call, explain, type_name
from autograder.exercises.kit.programs import run
from autograder.exercises.kit.words import a_type, clean, saved_as
from autograder.report import FAILED, PASSED, Case
from inplace_lab import graph

SIGNATURE = "who_needed_it(loss)"

# Programs as text. They stand in pools by what they ask of an answer; nothing is graded by the pool.
KEEP_INPUT = ("sin", "cos", "square", "log", "atan", "erf", "abs", "log1p", "sinh")
KEEP_RESULT = ("exp", "sigmoid", "tanh", "sqrt", "rsqrt", "reciprocal", "exp2")
RECORDED = ("mul_(2)", "add_(1)", "div_(3)", "copy_(x)", "zero_()")

BEGIN = "leaf = torch.linspace(0.2, 0.9, 6, requires_grad=True)\nx = leaf * 1\n"
UNRECORDED = "with torch.no_grad():\n    {name}.add_(1)"

NEAR = (
    "y = x.{keeps}()\nx.{write}\nloss = y.sum()",
    "y = x.{keeps}() + 1\nx.{write}\nloss = y.sum()",
    "y = x.{keeps}()\nx[2] = 10\nloss = (y * 2).mean()",
)
DEEP = (
    "y = x\nfor _ in range(40):\n    y = (y + y) / 2\nx.{write}\nloss = y.sum()",
    "y = x.{keeps}()\nfor _ in range(60):\n    y = -y\nx.{write}\nloss = y.sum()",
    "kept = x.{result}()\ny = kept\nfor _ in range(40):\n    y = (y + y) / 2\n"
    + UNRECORDED.format(name="kept")
    + "\nloss = y.sum()",
    "a = x.{keeps}()\nb = leaf.{result}()\nloss = (a * 2 - 1).sum() + (b * 3).mean()\n" + UNRECORDED.format(name="b"),
    "a = leaf.{keeps}()\nb = leaf + 1\nc = b.{other}()\nloss = (a / 2 + c * 3).sum()\n" + UNRECORDED.format(name="b"),
)
SLOTS = (
    "w = leaf + 1\nloss = (x * w).sum()\nw.{write}",
    "w = torch.ones(3, 2)\nloss = (x.view(2, 3) @ w).sum()\nw.zero_()",
    "places = torch.tensor([0, 2])\nloss = x[places].sum()\nplaces.add_(1)",
    "mask = x > 0.5\nloss = torch.where(mask, x, -x).sum()\nmask.logical_not_()",
    "w = torch.ones(6)\nloss = (w / x).sum()\nx.{write}",
    "w = torch.full((6,), 2.0)\nloss = torch.lerp(x, -x, w).sum()\nw.mul_(3)",
)
MODULES = (
    "layer = torch.nn.Linear(6, 2)\nloss = layer(x).sum()\n" + UNRECORDED.format(name="layer.weight"),
    "layer = torch.nn.LayerNorm(6)\nloss = layer(x).sum()\nx.{write}",
    "y = torch.nn.functional.silu(x)\nloss = torch.nn.functional.softmax(x, 0)[0] + y.sum()\nx.{write}",
)
SOUND = (
    "y = x.{result}()\nloss = y.sum()\nx.{write}",
    "y = x.{keeps}()\nloss = y.sum()\ny.{write}",
    "y = x.{result}()\nloss = y.sum()\ny.data.add_(1)",
    "loss = (x * 3 + 1).sum()\nx.{write}",
)  # fmt: skip
FREED = "loss = x.{keeps}().sum()\nloss.backward()"


@dataclass(frozen=True)
class Group:
    """One line of the report: all of its programs must be answered rightly."""

    name: str
    points: float
    draw: Callable[[random.Random], list[str]]


def _from(*pools: tuple[str, ...]) -> Callable[[random.Random], list[str]]:
    return lambda rng: [_filled(rng, text) for pool in pools for text in pool]


def _filled(rng: random.Random, text: str) -> str:
    keeps, other = rng.sample(KEEP_INPUT, 2)
    words = {"keeps": keeps, "other": other, "result": rng.choice(KEEP_RESULT), "write": rng.choice(RECORDED)}
    return BEGIN + text.format(**words)


GROUPS = (
    Group("the writer is another node", 1, _from(NEAR)),
    Group("deep in the graph", 1, _from(DEEP)),
    Group("every saved tensor", 1, _from(SLOTS, MODULES)),
    Group("nothing was changed", 0.25, lambda rng: [*_from(SOUND)(rng), _filled(rng, NEAR[0])]),
    Group("a graph that was freed", 0.25, lambda rng: [_filled(rng, FREED), _filled(rng, NEAR[1])]),
)
MOSTLY_NONE = ("nothing was changed", "a graph that was freed")
"""Groups whose right answer is None but for one program, which a function that never finds a node gets wrong."""
UNTOUCHED = "nothing is left behind"


def challenge(rng: random.Random) -> dict:
    """{"programs": {group: [Python text]}}; each makes `loss` from `leaf`."""
    return {"programs": {group.name: group.draw(rng) for group in GROUPS}}


# Beside the student's code


def collect(answer: object, challenge: dict) -> dict:
    """{"answers": {group: [{"value"}, {"type"} or {"problem"}]}, "left": [sentence about what was left behind]}."""
    answers = {name: [_ask(answer, text) for text in texts] for name, texts in challenge["programs"].items()}
    sound = challenge["programs"]["nothing was changed"][0]
    return {"answers": answers, "left": _left_behind(answer, sound)}


def _ask(answer: object, program: str) -> dict:
    outcome = call(answer, run(program).names["loss"])
    if outcome.problem is not None:
        return {"problem": outcome.problem}
    value = outcome.value
    if value is None or type(value) is str:
        return {"value": value if value is None else value[:200]}
    return {"type": type_name(value)}


def _left_behind(answer: object, program: str) -> dict:
    """After a call on a sound graph: {"gradient": is there one?, "backward": does it still run?}."""
    names = run(program).names
    call(answer, names["loss"])
    gradient = names["leaf"].grad is not None
    return {"gradient": gradient, "backward": attempt(lambda: names["loss"].backward()).problem is None}


# Where the points are decided


@dataclass(frozen=True)
class Truth:
    """The right answer to a program, and what the graph says about it."""

    name: str | None
    story: str
    writer: str = ""
    slot: str = ""


def trial(program: str) -> Truth:
    """Run a program and ask its graph which saved tensor backward can no longer use."""
    loss = run(program).names["loss"]
    broken = [one for one in graph.broken(loss) if one.expected is not None]
    if not broken:
        freed = bool(graph.broken(loss))
        return Truth(None, "the graph was freed, and no version moved" if freed else "no saved tensor has moved on")
    one = broken[0]
    _, _, writer = one.text.partition("which is output 0 of ")
    story = f"{one.node} kept {saved_as(one.node, one.slot)} at version {one.expected} and finds version {one.found}"
    return Truth(one.node, story, writer.partition(",")[0], one.slot)


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each group, and one for what was left behind. Never raises."""
    payload = payload if isinstance(payload, dict) else {}
    answers = payload.get("answers")
    answers = answers if isinstance(answers, dict) else {}
    cases = [_case(group, challenge["programs"][group.name], answers.get(group.name)) for group in GROUPS]
    nothing = next(case for case in cases if case.name == "nothing was changed")
    return (*cases, _untouched(payload.get("left"), nothing.status == PASSED))


def _case(group: Group, programs: list[str], data: object) -> Case:
    data = data if isinstance(data, list) else []
    records = [data[i] if i < len(data) and isinstance(data[i], dict) else {} for i in range(len(programs))]
    first, wrong, details = None, 0, []
    for program, record in zip(programs, records, strict=True):
        truth = trial(program)
        right = "value" in record and _same(record["value"], truth.name)
        details.append(f"{'right' if right else 'WRONG'}: {_one_line(program)} -- {truth.story}")
        if not right:
            wrong += 1
            first = first or _complaint(program, record, truth, group.name in MOSTLY_NONE)
    if first is None:
        return Case(group.name, group.points, PASSED, detail="\n".join(details))
    message, reason = first
    more = f" ({wrong} of {len(programs)} are wrong here.)" if wrong > 1 and not reason else ""
    return Case(group.name, group.points, FAILED, message + more, detail="\n".join(details), reason=reason)


def _complaint(program: str, record: dict, truth: Truth, mostly_none: bool) -> tuple[str, str]:
    """(the message, its reason where it is the same for every program)."""
    about = f"{_one_line(program)}: "
    if "value" in record and (record["value"] is None or isinstance(record["value"], str)):
        value = None if record["value"] is None else clean(record["value"], 80)
        gave = f"your function says {repr(value) if value is None else chr(34) + value + chr(34)}"
        said = f"{about}{gave}, but {truth.story}. {_idea(value, truth)}".strip()
        if mostly_none and value is None:
            said = f"Not judged before your function also finds a node: None is not the answer everywhere. {said}"
        return said, ""
    if isinstance(record.get("type"), str):
        kind = clean(record["type"], 60)
        hint = (
            " Take node.name(), not the node." if kind.endswith(("Backward0", "Backward1", "Node", "Backward")) else ""
        )
        said = f"Your function returned {a_type(kind)}, expected a text or None.{hint}"
        return said, said
    problem = record.get("problem")
    problem = problem if isinstance(problem, dict) else {}
    said = explain(problem, "who_needed_it", SIGNATURE, expected="a text or None")
    text = clean(problem.get("text"), 300)
    if "is at version" in text:
        return f"{about}your function raised the message with which a node refuses: catch it, its node is the one.", ""
    if "second time" in text:
        return (
            f"{about}nodes refuse for another reason: catch that too, and see whether the message is about a version.",
            "",
        )
    if problem.get("kind") == "time":
        said = (
            f"{about}{said} A node can be reached on many ways, and their number doubles with each y + y: remember the "
            "nodes that you have seen."
        )
        return said, ""
    return said, said


def _idea(value: str | None, truth: Truth) -> str:
    if value is None:
        return f"That node calls it _saved_{truth.slot}." if truth.slot not in ("self", "result") else ""
    if truth.writer and value.removesuffix("Backward0") == truth.writer.removesuffix("Backward0"):
        return "What you took is the name in the message: it made or wrote the tensor, and did not need it."
    if truth.name and value == truth.name.removesuffix("Backward0"):
        return "Give the node's whole name, node.name()."
    if truth.name is None and truth.story.startswith("the graph"):
        return "The message of a freed graph is another one: look for the word version."
    return ""


def _same(given: object, right: str | None) -> bool:
    return given is None if right is None else isinstance(given, str) and given == right


def _untouched(data: object, answered: bool) -> Case:
    data = data if isinstance(data, dict) else {}
    message = ""
    if not answered:
        message = 'Not judged before "nothing was changed" is right.'
    elif data.get("gradient") is not False:
        message = "Your function ran backward: a gradient is left in the leaf. Look into the graph instead."
    elif data.get("backward") is not True:
        message = "After your function backward no longer runs: it has used up the graph. Look into the nodes only."
    return Case(UNTOUCHED, 0.5, FAILED if message else PASSED, message, claim=True)


def _one_line(program: str) -> str:
    text = program.removeprefix(BEGIN).replace(":\n    ", ": ")
    return "; ".join(text.split("\n"))


EXERCISE = Exercise("who_needed_it", 4, challenge, collect, verify, answer="who_needed_it")
