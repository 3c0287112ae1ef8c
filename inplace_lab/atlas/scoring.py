"""Hold a rule against the atlas: a function that claims to know which tensors may be overwritten."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from ..catalogue import OPERATIONS
from . import entries
from .entry import Entry, Tensor

TARGETS = ("input", "output")
SHOWN = 3


@dataclass(frozen=True)
class Question:
    """May this target of an operation be overwritten between the call and backward? right is the atlas's answer."""

    entry: Entry
    expression: str
    target: str
    right: bool
    kept: tuple[str, ...]

    def function(self) -> Callable[[torch.Tensor], torch.Tensor]:
        """The operation as a function of one tensor."""
        code = compile(self.expression, "<atlas>", "eval")
        return lambda x: eval(code, {"torch": torch, "middle": x})


@dataclass(frozen=True)
class Miss:
    """A question that the rule got wrong: what it said, and how often it is right on questions like this."""

    question: Question
    said: str
    surprise: float


@dataclass(frozen=True, repr=False)
class Score:
    """How a rule did. asked: questions; right: those answered rightly; answered: those with True or False at all.

    misses are the wrong ones, the most surprising first: where the rule is nearly always right on questions with the
    same target and answer, a miss is a surprise; among equals, operations of the lessons come first, then short names.
    """

    asked: int
    answered: int
    right: int
    misses: tuple[Miss, ...]

    def __str__(self) -> str:
        return "\n".join(_text(self))

    __repr__ = __str__


def questions() -> tuple[Question, ...]:
    """One for each target of each operation that maps six numbers to a tensor that can be overwritten."""
    return tuple(question for entry in entries() for question in _questions(entry))


def _questions(entry: Entry) -> Iterator[Question]:
    sample = next((sample for sample in entry.samples if sample.expression), None)
    if sample is None:
        return
    for target in TARGETS:
        (tensor, *others) = sample.of(target)
        if not others and tensor.verdict != "not writable":
            question = Question(entry, sample.expression, target, _survives(tensor), tensor.kept)
            if _runs(question):
                yield question


def _survives(tensor: Tensor) -> bool:
    return tensor.verdict != "error"


def _runs(question: Question) -> bool:
    """Whether the operation takes six numbers too: some were measured with a shape among their arguments."""
    with warnings.catch_warnings(), torch.random.fork_rng(()):
        warnings.simplefilter("ignore")
        try:
            return isinstance(question.function()(torch.linspace(0.2, 0.9, 6)), torch.Tensor)
        except Exception:
            return False


def score(rule: Callable[[Callable, str], object]) -> Score:
    """Ask ``rule(f, target)``, with target "input" or "output", about every operation of one tensor.

    What the rule raises counts as no answer. Raises TypeError where ``rule`` is not callable.
    """
    if not callable(rule):
        raise TypeError(f"score needs a function that takes f and a target, not {type(rule).__name__}.")
    asked = questions()
    said = [_ask(rule, question) for question in asked]
    right = [answer == str(question.right) for question, answer in zip(asked, said, strict=True)]
    misses = []
    for question, answer, good in zip(asked, said, right, strict=True):
        if not good:
            alike = [
                ok
                for other, ok in zip(asked, right, strict=True)
                if (other.target, other.right) == (question.target, question.right)
            ]
            misses.append(Miss(question, answer, sum(alike) / len(alike)))
    misses.sort(key=_order)
    return Score(len(asked), sum(answer in ("True", "False") for answer in said), sum(right), tuple(misses))


def _order(miss: Miss) -> tuple:
    entry = miss.question.entry
    short = entry.name.rpartition(".")[2]
    return -miss.surprise, short not in OPERATIONS, len(short), entry.title


def _ask(rule: Callable, question: Question) -> str:
    with warnings.catch_warnings(), torch.enable_grad():
        warnings.simplefilter("ignore")
        try:
            return str(rule(question.function(), question.target))
        except Exception as error:
            return f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"


def _text(result: Score) -> Iterator[str]:
    if all(miss.said == "None" for miss in result.misses) and not result.right:
        yield f"No answer to any of {result.asked} questions yet: write the function above, then run this cell again."
        return
    yield f"right in {result.right} of {result.asked} questions"
    if result.misses:
        yield "most surprisingly wrong:"
    shown: dict[str, Miss] = {}
    for miss in result.misses:
        shown.setdefault(miss.question.expression, miss)
    for miss in list(shown.values())[:SHOWN]:
        question = miss.question
        kept = f"kept by {', '.join(question.kept)}" if question.kept else "kept by nobody"
        yield (
            f"  {question.expression.replace('middle', 'x')}, {question.target}: your rule said {miss.said}, "
            f"torch says {question.right} ({kept})"
        )
