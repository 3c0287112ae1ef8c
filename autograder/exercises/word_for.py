"""`word_for(with_write, without, out_of_place, values)`: which gradient does a program with a write give?

    word_for(with_write, without, out_of_place, values: list[float]) -> str

The first three are functions that take a leaf, a float32 tensor of one dimension that requires grad, and return the
loss: a program with an in-place write, the same without it, and the same maths out of place. The answer is
    "refused"   the program, or backward, raises RuntimeError
    "same"      the gradient at `values` is that of both other programs
    "changed"   it is that of the program out of place, and not that of the one without the write
    "wrong"     it is not that of the program out of place

What is right is measured: `truth` observes each experiment on the installed torch. The payload holds the student's
words and nothing else. Each group holds several of the words and must be right as a whole, so that a constant earns 0.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit.calling import call, explain, type_name
from autograder.exercises.kit.words import clean, show_list
from autograder.report import FAILED, PASSED, Case
from inplace_lab import Experiment, Write, observe, verdict

SIGNATURE = "word_for(with_write, without, out_of_place, values)"
REFUSED, SAME, CHANGED, WRONG = "refused", "same", "changed", "wrong"
WORDS = (REFUSED, SAME, CHANGED, WRONG)
GRADIENT = {"plain": SAME, "same": SAME, "right": CHANGED, "wrong": WRONG}
"""Outcome of an observation in which backward ran -> the word for it."""

# Operations in pools by what they keep, only so that every challenge holds programs of each kind.
INPUT = ("pow", "log", "sin", "square")
OUTPUT = ("exp", "sigmoid", "tanh", "sqrt")
NUMBER = ("scale",)

Spec = tuple[str, str, str, str, str]
"""operation, target, mutation, when, through"""


def _before(rng: random.Random) -> Iterator[Spec]:
    yield rng.choice(INPUT + OUTPUT), "middle", "mul_", "before_root", "plain"
    yield rng.choice(INPUT + OUTPUT), "middle", "setitem", "before_root", "view"
    yield rng.choice(NUMBER), "middle", "add_", "before_root", "plain"
    yield rng.choice(INPUT + OUTPUT), "leaf", "add_", "before_root", "plain"


def _after(rng: random.Random) -> Iterator[Spec]:
    yield rng.choice(INPUT), "middle", "mul_", "after_root", "plain"
    yield rng.choice(OUTPUT), "middle", "mul_", rng.choice(("after_root", "after_loss")), "plain"
    yield rng.choice(OUTPUT), "root", "setitem", "after_root", "plain"
    yield rng.choice(INPUT + NUMBER), "root", "mul_", "after_root", "plain"
    yield rng.choice(INPUT + NUMBER), "root", "mul_", "after_loss", "plain"
    yield rng.choice(INPUT + NUMBER), "root", "add_", "after_root", "plain"


def _around(rng: random.Random) -> Iterator[Spec]:
    yield rng.choice(("exp", "square")), "middle", "mul_", "before_root", rng.choice(("no_grad", "detach", "data"))
    yield rng.choice(OUTPUT), "root", "setitem", "after_root", "data"
    yield rng.choice(OUTPUT), "root", "setitem", "after_root", rng.choice(("detach", "no_grad"))
    yield rng.choice(NUMBER), "middle", "setitem", "after_root", rng.choice(("no_grad", "data"))


@dataclass(frozen=True)
class Group:
    """One line of the report."""

    name: str
    points: float
    draw: Callable[[random.Random], Iterator[Spec]]


GROUPS = (
    Group("writes before root", 1, _before),
    Group("writes after root", 1, _after),
    Group("writes that autograd does not see", 1, _around),
)


def challenge(rng: random.Random) -> dict:
    """{"questions": [{"group", "spec": [operation, target, mutation, when, through], "values": numbers}]}."""
    questions = []
    for group in GROUPS:
        drawn = [
            {"group": group.name, "spec": list(spec), "values": [rng.randrange(1, 17) / 8 for _ in range(3)]}
            for spec in group.draw(rng)
        ]
        rng.shuffle(drawn)
        questions += drawn
    return {"questions": questions}


def experiment(question: dict) -> Experiment:
    operation, target, mutation, when, through = question["spec"]
    write = Write(target, mutation, when, through=through)
    return Experiment(operation, writes=(write,), values=tuple(question["values"]))


def function(program: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """The program of an experiment as a function of its leaf that returns the loss."""
    lines = [line for line in program.split("\n") if not line.startswith(("import ", "leaf = ", "loss.backward"))]
    names: dict[str, object] = {"torch": torch}
    exec("\n    ".join(["def program(leaf):", *lines, "return loss"]), names)
    return names["program"]


def collect(answer: object, challenge: dict) -> dict:
    """What the student's function says of each program: {"answers": [{"value"}, {"type"} or {"problem"}]}."""
    with torch.enable_grad():
        return {"answers": [_ask(answer, question) for question in challenge["questions"]]}


def _ask(answer: object, question: dict) -> dict:
    asked = experiment(question)
    programs = (asked.program, asked.program_unmutated, asked.program_out_of_place)
    outcome = call(answer, *map(function, programs), list(question["values"]))
    if outcome.problem is not None:
        return {"problem": outcome.problem}
    if outcome.value is None:
        return {"problem": {"kind": "none"}}
    if not issubclass(type(outcome.value), str):
        return {"type": type_name(outcome.value)}
    return {"value": clean(str.__str__(outcome.value), 40)}


def truth(question: dict) -> tuple[str, str]:
    """(the word, what the live run showed)."""
    seen = observe(experiment(question))
    if seen.gradient is None:
        return REFUSED, f"torch refuses: {seen.reading or seen.error.text}"
    word = GRADIENT[verdict.outcome(seen)]
    own, without, other = (
        show_list(one.tolist()) for one in (seen.gradient, seen.gradient_unmutated, seen.gradient_out_of_place)
    )
    return word, f"its gradient is {own}, without the write {without}, out of place {other}"


def verify(challenge: dict, payload: object) -> tuple[Case, ...]:
    """One case for each group: all words right, or the first that is wrong. Never raises."""
    questions = challenge["questions"]
    answers = payload.get("answers") if isinstance(payload, dict) else None
    answers = answers[: len(questions)] if isinstance(answers, list) else []
    answers += [None] * (len(questions) - len(answers))
    pairs = list(zip(questions, answers, strict=True))
    return tuple(_case(group, [pair for pair in pairs if pair[0]["group"] == group.name]) for group in GROUPS)


def _case(group: Group, asked: list[tuple[dict, object]]) -> Case:
    wrong: list[tuple[str, str]] = []
    details: list[str] = []
    for question, answer in asked:
        word, story = truth(question)
        given = _given(answer)
        details.append(f"{'right' if given == word else 'WRONG'}: {_program(question)}: {given or '-'}; {story}")
        if given != word:
            wrong.append(_complaint(question, answer, word, story))
    if not wrong:
        return Case(group.name, group.points, PASSED, detail="\n".join(details))
    message, reason = wrong[0]
    more = f" ({len(wrong)} of {len(asked)} are wrong here.)" if len(wrong) > 1 else ""
    return Case(group.name, group.points, FAILED, message + more, detail="\n".join(details), reason=reason)


def _complaint(question: dict, answer: object, word: str, story: str) -> tuple[str, str]:
    """(the message, the same without what differs from program to program)."""
    program = _program(question)
    if isinstance(answer, dict) and isinstance(answer.get("value"), str):
        given = answer["value"]
        if given not in WORDS:
            said = f'gave "{clean(given, 40)}", which is none of the words {", ".join(WORDS)}.'
            return f"For {program} your function {said}", said
        return (
            f'For {program} your function says "{given}", but {story}: "{word}".{_hint(given, word)}',
            f'says "{given}" where "{word}" is right.{_hint(given, word)}',
        )
    if isinstance(answer, dict) and isinstance(answer.get("type"), str):
        said = f"returned a value of type {clean(answer['type'], 60)}, expected one of the words {', '.join(WORDS)}."
        return f"For {program} your function {said}", said
    problem = answer.get("problem") if isinstance(answer, dict) else None
    said = explain(problem, SIGNATURE, SIGNATURE, expected=f"one of the words {', '.join(WORDS)}")
    if word == REFUSED and isinstance(problem, dict) and problem.get("kind") == "raised":
        said = f'{SIGNATURE} raised what torch raises. That error is an answer: catch it, and return "{REFUSED}".'
    return f"For {program}: {said}", said


def _hint(given: str, word: str) -> str:
    """The misconception that leads from the right word to the given one."""
    return {
        (CHANGED, SAME): " Compare gradients, not losses, each with a leaf of its own: they add up in leaf.grad.",
        (WRONG, SAME): " Compare gradients, not losses, each with a leaf of its own: they add up in leaf.grad.",
        (WRONG, CHANGED): (
            " Hold it against the program out of place, and give each program a leaf of its own: gradients add up in "
            "leaf.grad."
        ),
        (CHANGED, WRONG): " Hold it against the program out of place, too.",
        (SAME, CHANGED): " Compare gradients, and with both programs.",
        (SAME, WRONG): " It must equal both gradients, also the one out of place.",
        (REFUSED, CHANGED): " Which error was caught? This program runs.",
    }.get((given, word), "")


def _given(answer: object) -> str:
    value = answer.get("value") if isinstance(answer, dict) else None
    return value if isinstance(value, str) else ""


def _program(question: dict) -> str:
    """The program in one line, without its first and its last."""
    asked = experiment(question)
    lines = [line for line in asked.program.split("\n")[3:] if not line.startswith("loss.backward")]
    return f"`{'; '.join(lines)}`"


EXERCISE = Exercise("word_for", sum(group.points for group in GROUPS), challenge, collect, verify, answer="word_for")
