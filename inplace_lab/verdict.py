"""Say in words what an observation shows. Everything is derived from the run; no operation is named here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from . import graph
from .catalogue import TIMES

if TYPE_CHECKING:
    from .observation import Observation, Saved


@dataclass(frozen=True)
class Outcome:
    """What can come of an experiment: a symbol, a headline, what it means, and whether it is bad news."""

    symbol: str
    headline: str
    meaning: str
    bad: bool


OUTCOMES = {
    "plain": Outcome("✓", "Backward runs", "Nothing was overwritten.", False),
    "same": Outcome("✓", "Backward runs", "The gradient is the same as without the write, and it is right.", False),
    "right": Outcome(
        "✓",
        "Backward runs",
        "The gradient differs from the one without the write, and it is right: "
        "it equals the gradient of the same maths written out of place.",
        False,
    ),
    "wrong": Outcome(
        "!",
        "Backward runs, and the gradient is wrong",
        "It is not the gradient of the same maths written out of place, and no error says so.",
        True,
    ),
    "backward refused": Outcome("✕", "Backward is refused", "", True),
    "write refused": Outcome("✕", "The write is refused", "The program stops there.", True),
    "stopped": Outcome("✕", "The program stops before backward", "No write is to blame.", True),
}


def outcome(observation: Observation) -> str:
    """Which of OUTCOMES the observation is."""
    if observation.error is not None:
        return _refusal(observation)
    if not observation.experiment.writes:
        return "plain"
    shares = [backward.gradient for backward in observation.backwards]
    if all(same(share, observation.gradient_unmutated) for share in shares):
        return "same" if same(observation.gradient, observation.gradient_out_of_place) else "wrong"
    return "right" if all(same(share, observation.gradient_out_of_place) for share in shares) else "wrong"


def _refusal(observation: Observation) -> str:
    experiment, line = observation.experiment, observation.error.line
    if line.startswith("loss.backward("):
        return "backward refused"
    return "write refused" if line in [write.statement(experiment) for write in experiment.writes] else "stopped"


def sentence(observation: Observation) -> str:
    """The outcome in words; a refusal is followed by its reading."""
    return f"{OUTCOMES[outcome(observation)].headline}. {explanation(observation)}"


def explanation(observation: Observation) -> str:
    """What the headline means here: the reading of a refusal, or what the gradient is worth."""
    meaning = OUTCOMES[outcome(observation)].meaning
    more = reading(observation) or luck(observation)
    if not more and observation.error is not None:
        more = f"Torch says: {observation.error.text}"
    return f"{meaning} {more}".strip()


def luck(observation: Observation) -> str:
    """A warning for a gradient that is right although backward computed with overwritten numbers; otherwise ""."""
    if outcome(observation) not in ("same", "right"):
        return ""
    last = len(observation.steps) - 1
    for saved in observation.saved:
        if saved.needed and stale(observation, saved, last) == "values":
            return (
                f"This is luck: {saved.node} saved {saved.tensor}, whose numbers were changed around the version "
                f"counter, and backward computed with the changed ones."
            )
    return ""


def reading(observation: Observation) -> str:
    """Which node wanted which tensor at which version, and since which line the tensor is newer."""
    broken = broken_save(observation)
    if broken is None:
        return ""
    now, line_number = _changed(observation, broken)
    return (
        f"{broken.node} ({observation.steps[broken.step].line}) saved {broken.tensor} at version {broken.version}; "
        f"{broken.tensor} is at version {now} since line {line_number}."
    )


def broken_save(observation: Observation) -> Saved | None:
    """The first saved tensor on the way back from the loss whose version is no longer the saved one.

    None when no backward call was refused, or when it was refused for another reason, or on account of a node that
    Python cannot see (a write through a view hides its own node, and with it what that node saved).
    """
    if outcome(observation) != "backward refused":
        return None
    last = len(observation.steps) - 1
    candidates = [saved for saved in observation.saved if saved.needed and stale(observation, saved, last) == "version"]
    _, wanted = graph.versions_in(observation.error.text)
    if wanted is not None:
        candidates = [saved for saved in candidates if saved.version == wanted]
    return max(candidates, key=lambda saved: saved.step, default=None)


def stale(observation: Observation, saved: Saved, step: int) -> str:
    """Whether a saved tensor is no longer as saved after ``step``: "" for no, else what tells.

    "version": its counter has moved on, so torch refuses. "values": only its numbers differ; torch does not notice.
    """
    if saved.tensor == "internal":
        return ""
    now = observation.steps[step]
    if now.versions[saved.tensor] != saved.version:
        return "version"
    before, kept = torch.tensor(now.values[saved.tensor], dtype=saved.value.dtype), saved.value.flatten()
    unchanged = before.shape != kept.shape or torch.equal(before.nan_to_num(), kept.nan_to_num())
    return "" if unchanged else "values"


def _changed(observation: Observation, saved: Saved) -> tuple[int, int]:
    """(version now, line number of the first write after the save)."""
    later = (step for step in observation.steps[saved.step + 1 :] if step.versions[saved.tensor] != saved.version)
    return observation.steps[-1].versions[saved.tensor], next(later).line_number


def same(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    """Whether two gradients agree to the rounding of their dtype (both None agrees; NaN agrees with NaN).

    Differences below the dtype's eps count as rounding: softmax's gradient here is 0, and torch gives some 1e-8.
    """
    if one is None or other is None:
        return one is other
    eps = torch.finfo(one.dtype).eps
    return torch.allclose(one.double(), other.double(), rtol=8 * eps, atol=eps, equal_nan=True)


def describe_writes(observation: Observation) -> str:
    """The writes in words: "middle.mul_(3) after root is computed"; "no write" where there is none."""
    experiment = observation.experiment
    phrases = [f"{write.short(experiment)} {TIMES[write.when]}" for write in experiment.writes]
    return " and ".join(phrases) or "no write"
