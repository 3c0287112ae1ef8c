"""`mended_steps`: three training steps and an attention, mended.

    {"by_hand": by_hand(w, target), "carried": carried(w, xs), "gan": gan(g, c, noise),
     "attend": attend(q, k, v, padding)}

The first three run backward themselves. Everything is compared with the same maths out of place, in float64.
"""

from __future__ import annotations

import random

import torch

from autograder.exercises.kit.functions import numbers
from autograder.exercises.kit.mending import Mend, Outcome, Raised, layer, mending_exercise, tensor

LR = 0.25

ANOTHER_W = (
    "w is no longer the leaf that you were handed: w = w - ... makes another tensor, without .grad. Write into w, "
    "under torch.no_grad()."
)


def by_hand(w: torch.Tensor, target: torch.Tensor) -> Outcome:
    """Three steps on the sum of squares: each takes w half of the way to target."""
    now = w.detach()
    for _ in range(3):
        now = now - LR * 2 * (now - target)
    return Outcome(now, (now,))


def _accumulated(w: torch.Tensor, target: torch.Tensor) -> Outcome:
    now, slope = w.detach(), torch.zeros_like(target)
    for _ in range(3):
        slope = slope + 2 * (now - target)
        now = now - LR * slope
    return Outcome(now, (now,))


def _another_tensor(w: torch.Tensor, target: torch.Tensor) -> Outcome:
    return Outcome(by_hand(w, target).result, (w.detach(),))


def _untouched(w: torch.Tensor, target: torch.Tensor) -> Outcome:
    return Outcome(w.detach(), (w.detach(),))


def carried(w: torch.Tensor, xs: torch.Tensor) -> Outcome:
    """Each turn has a gradient of its own: d sum(tanh(w * state + x)) / dw = (1 - new^2) * state."""
    state, slope = torch.zeros_like(xs[0]), torch.zeros_like(xs[0])
    for x in xs:
        new = torch.tanh(w.detach() * state + x)
        slope, state = slope + (1 - new * new) * state, new
    return Outcome(slope, (w.detach(),))


def _through_all_turns(w: torch.Tensor, xs: torch.Tensor) -> Outcome:
    state, loss = torch.zeros_like(xs[0]), torch.zeros((), dtype=xs.dtype)
    for x in xs:
        state = torch.tanh(w * state + x)
        loss = loss + state.sum()
    return Outcome(torch.autograd.grad(loss, w)[0], (w.detach(),))


def _last_turn_only(w: torch.Tensor, xs: torch.Tensor) -> Outcome:
    state = torch.zeros_like(xs[0])
    for x in xs:
        before, state = state, torch.tanh(w.detach() * state + x)
    return Outcome((1 - state * state) * before, (w.detach(),))


def _no_state(w: torch.Tensor, xs: torch.Tensor) -> Outcome:
    return Outcome(torch.zeros_like(w), (w.detach(),))


def _gan(g: torch.Tensor, c: torch.Tensor, noise: torch.Tensor, asked: str) -> Outcome:
    """tanh(noise @ g) is scored by c; c takes a step on the mean square of the scores, g learns from -mean."""
    fake = torch.tanh(noise @ g.detach())
    old = c.detach()
    new = old - 0.5 * 2 * fake.T @ (fake @ old) / len(noise)
    critic = new if asked == "new" else old
    slope = -(noise.T @ ((1 - fake * fake) * critic.T)) / len(noise)
    return Outcome(slope, (g.detach(), old if asked == "no step" else new))


def _critic_of(asked: str):  # noqa: ANN202 - an outcome's function
    return lambda g, c, noise: _gan(g, c, noise, asked)


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, padding: torch.Tensor) -> torch.Tensor:
    """A row that is all padding gives zeros, and zeros for gradients."""
    scores = q @ k.T
    lowest = torch.where(padding, torch.full_like(scores, -1e30), scores)
    weights = torch.where(padding, torch.zeros_like(scores), lowest.softmax(1))
    return weights @ v


def _scores_cut(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, padding: torch.Tensor) -> torch.Tensor:
    return attend(q.detach(), k.detach(), v, padding)


def _empty_row_attends(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, padding: torch.Tensor) -> torch.Tensor:
    scores = q @ k.T
    return torch.where(padding, torch.full_like(scores, -1e30), scores).softmax(1) @ v


def _masked_late_only(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, padding: torch.Tensor) -> torch.Tensor:
    return (q @ k.T).softmax(1).masked_fill(padding, 0.0) @ v


def _square(rng: random.Random, rows: int, columns: int, *, grad: bool = True) -> dict:
    return tensor((rows, columns), [v / 4 for v in numbers(rng, rows * columns)], grad=grad)


def _vector(rng: random.Random, count: int, *, grad: bool = True) -> dict:
    return tensor((count,), numbers(rng, count), grad=grad)


def _attention(rng: random.Random) -> list[dict]:
    padding = [False, False, True, True, True, True, False, True, True]  # one row is all padding
    return [*(_square(rng, 3, 2) for _ in range(3)), tensor((3, 3), padding, grad=False, dtype="bool")]


EXERCISE = mending_exercise(
    "mended_steps",
    [
        Mend(
            "by_hand",
            "by_hand(w, target)",
            lambda rng: [_vector(rng, 3), _vector(rng, 3, grad=False)],
            by_hand,
            "Torch still refuses the write into the leaf w while it records. A step of training is not part of the "
            "computation: put the line under torch.no_grad().",
            (
                (
                    _another_tensor,
                    "The numbers are right, and w still holds its old ones: w = w - ... makes another tensor. The "
                    "model holds the old one, so write into it, under torch.no_grad().",
                ),
                (
                    _accumulated,
                    "backward adds to w.grad, and the gradients of the turns before were still there: clear it "
                    "(w.grad = None) after each step.",
                ),
                (_untouched, "w is as it was: nothing was trained."),
            ),
            step=True,
            raised=(
                Raised("NoneType", ANOTHER_W, has_grad=True),
                Raised(
                    "NoneType",
                    "w.grad is None where the step reads it: backward() comes before the step, and w.grad = None "
                    "after it.",
                ),
                Raised("does not require grad", ANOTHER_W, has_grad=True),
                Raised(
                    "does not require grad",
                    "The loss is cut off from w, by no_grad or detach(): only the write belongs under torch.no_grad().",
                ),
                Raised(
                    "a second time",
                    "The loss is computed once, and backward of it runs again: compute the loss anew in each step.",
                ),
            ),
        ),
        Mend(
            "carried",
            "carried(w, xs)",
            lambda rng: [_vector(rng, 3), tensor((3, 3), [v / 2 for v in numbers(rng, 9)], grad=False)],
            carried,
            "Backward of a later turn walks into the freed graph of an earlier one: the state is carried over with its "
            "history. detach() returns a new tensor: write state = state.detach().",
            (
                (
                    _through_all_turns,
                    "The error is gone, and the gradient is another one: with retain_graph=True, or one backward at "
                    "the end, each turn goes back through all the turns before. Cut it off after backward(): "
                    "state = state.detach().",
                ),
                (
                    _last_turn_only,
                    "Only the last turn has a gradient: backward belongs into the loop, and w.grad is not cleared "
                    "there, so that the gradients add up.",
                ),
                (
                    _no_state,
                    "The gradient is 0: the state is cut off before the loss, or never carried over. Detach it after "
                    "backward, at the end of a turn.",
                ),
            ),
            step=True,
            raised=(
                Raised("does not require grad", "Cut off too early: detach after backward(), at the end of the turn."),
            ),
            none="The gradient is None: nothing reached w, or .grad was cleared.",
        ),
        Mend(
            "gan",
            "gan(g, c, noise)",
            lambda rng: [_square(rng, 2, 2), _square(rng, 2, 1), _square(rng, 3, 2, grad=False)],
            _critic_of("new"),
            "Backward of the generator still needs c as it was, and the step wrote into it (detach() shares c's "
            "memory, so it does not help). Compute the generator's loss from the new c: after the step.",
            (
                (
                    _critic_of("old"),
                    "The error is gone, and this is the generator's gradient against the old critic: from a copy of "
                    "c, through .data, or by an earlier backward. The task asks for the critic after its step.",
                ),
                (_critic_of("no step"), "c is as it was: the critic's step is gone, or went into another tensor."),
            ),
            step=True,
            raised=(
                Raised(
                    "leaf Variable",
                    "The write into the leaf c is refused while torch records: the critic's step belongs under "
                    "torch.no_grad().",
                ),
                Raised(
                    "a second time",
                    "backward of the critic's loss freed the graph of the samples, and the generator still needs it: "
                    "the critic learns from fake.detach().",
                ),
            ),
            none="The gradient is None: nothing reached g, or .grad was cleared.",
        ),
        Mend(
            "attend",
            "attend(q, k, v, padding)",
            _attention,
            layer(attend),
            "Backward refuses: softmax keeps its result, and something writes into it. Use masked_fill.",
            nan="There is NaN in the result or in a gradient: a row that is all padding is all -inf, softmax makes NaN "
            "of it, and a mask behind it comes too late for backward. masked_fill on the scores stops the NaN on its "
            "way back, where an addition hands it on.",
            mistakes=(
                (
                    layer(_scores_cut),
                    "Right numbers, but detach() cut off the scores: q and k get no gradient.",
                ),
                (
                    layer(_empty_row_attends),
                    "The row that is all padding attends to padding: put zeros into the padding after softmax too.",
                ),
                (
                    layer(_masked_late_only),
                    "Padding takes part in the softmax, so the rows do not have the sum 1: fill the scores before "
                    "softmax, too.",
                ),
            ),
        ),
    ],
)
