"""The answers that a learner can choose from before an experiment is shown, and which of them is right."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from . import verdict
from .observation import Observation


@dataclass(frozen=True)
class Answer:
    """A possible answer in words, and whether it is what torch did."""

    text: str
    right: bool


def answers(observation: Observation) -> tuple[Answer, ...]:
    """Fails; runs with one of the two reference gradients (or the one, where they agree); runs with another.

    Exactly one is right. A write that is refused counts as failing.
    """
    references = [observation.gradient_unmutated]
    if not verdict.same(observation.gradient_unmutated, observation.gradient_out_of_place):
        references.append(observation.gradient_out_of_place)
    hits = [observation.runs and verdict.same(observation.gradient, reference) for reference in references]
    return (
        Answer("fails", not observation.runs),
        *(
            Answer(f"runs, last gradient {_numbers(reference)}", hit and hits.index(True) == place)
            for place, (reference, hit) in enumerate(zip(references, hits, strict=True))
        ),
        Answer("runs, with another gradient", observation.runs and not any(hits)),
    )


def _numbers(gradient: torch.Tensor | None) -> str:
    if gradient is None:
        return "None"
    listed = gradient.flatten().tolist()
    return "[" + ", ".join(f"{value:.4g}" for value in listed[:8]) + (", ..." if len(listed) > 8 else "") + "]"
