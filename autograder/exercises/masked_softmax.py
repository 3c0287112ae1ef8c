"""`masked_softmax(X, valid_lens)`: softmax over the keys, padded ones without any weight.

    masked_softmax(X: torch.Tensor, valid_lens: torch.Tensor) -> torch.Tensor

X has shape (batch, queries, keys) and is float32, float64 or bfloat16, on any device. valid_lens holds whole numbers
from 0 to keys, on the same device, in shape (batch,) or (batch, queries). The result is a new tensor like X.

Closed form, for each row x of scores with v valid keys: s_j = exp(x_j - m) / sum_{k<v} exp(x_k - m) for j < v, m the
largest of them, and 0 from v on; ds_i/dx_j = s_i (1 if i == j else 0) - s_i s_j. A row without a valid key is 0, and
so is its gradient. All of that is computed in float64 from the challenge's numbers.

In a trial the numbers of X lie flat in `x`, and its one argument says how they are arranged and what valid_lens holds:
{"shape": [2, 3, 4], "valid_lens": [2, 4]}. That the dtype was kept and that X was not written to are claims of the
student's process.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterator
from dataclasses import replace

import torch

from autograder.exercises import Exercise
from autograder.exercises.kit import demands, functions
from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import close
from autograder.exercises.kit.functions import numbers, trial

Rows = list[list[float]]


def rows(x: torch.Tensor, arrangement: dict) -> Iterator[tuple[int, int, list[float]]]:
    """Each row of scores: where it begins among the numbers, how many of its keys are valid, its numbers."""
    batch, queries, keys = arrangement["shape"]
    lens = arrangement["valid_lens"]
    for row in range(batch * queries):
        item, query = divmod(row, queries)
        valid = lens[item][query] if isinstance(lens[item], list) else lens[item]
        yield row * keys, valid, x[row * keys : (row + 1) * keys].tolist()


def weights_of(scores: list[float], valid: int) -> list[float]:
    """The softmax of the first `valid` scores, then zeros."""
    largest = max(scores[:valid], default=0.0)
    powers = [math.exp(score - largest) for score in scores[:valid]]
    return [power / sum(powers) for power in powers] + [0.0] * (len(scores) - valid)


def value(x: torch.Tensor, arrangement: dict) -> torch.Tensor:
    flat = [weight for _, valid, scores in rows(x, arrangement) for weight in weights_of(scores, valid)]
    return torch.tensor(flat, dtype=torch.float64).reshape(arrangement["shape"])


def jacobian(x: torch.Tensor, arrangement: dict) -> torch.Tensor:
    """The matrix: a block for each row of scores."""
    made = torch.zeros(len(x), len(x), dtype=torch.float64)
    for start, valid, scores in rows(x, arrangement):
        s = torch.tensor(weights_of(scores, valid), dtype=torch.float64)
        end = start + len(scores)
        made[start:end, start:end] = torch.diag(s) - torch.outer(s, s)
    return made


def draw(rng: random.Random) -> list[dict]:
    """Small batches: one length for each item, or one for each query; rows without a valid key in some."""

    def one(key: str, shape: tuple[int, int, int], lens: list, large: bool = False, **options: object) -> dict:
        x = numbers(rng, math.prod(shape), -2, 2)
        if large:  # exp of them overflows in float32, but not the softmax
            x = [number + 96 for number in x]
        arrangement = {"shape": list(shape), "valid_lens": lens}
        # X is a result, as scores are: torch lets a function write into it.
        return trial(key, x, arrangement, weights=numbers(rng, math.prod(shape), -2, 2), leaf=False, **options)

    def some(count: int, keys: int) -> list[int]:
        """`count` lengths: one shorter than the row, so that there is padding; one of 2 or more, since the weight of
        a single key is 1, whatever its score."""
        lens = [rng.randint(1, keys - 1), rng.randint(2, keys), *(rng.randint(1, keys) for _ in range(count - 2))]
        rng.shuffle(lens)
        return lens

    whole = {"want": ["jacobian"]}
    empty = [2, 0]
    rng.shuffle(empty)
    return [
        one("one", (1, 1, 4), [2], **whole),  # two of padding, so that one key too many is told from no mask
        one("batch 2", (2, 2, 3), some(2, 3), **whole),
        one("batch 3", (3, 2, 4), some(3, 4), want=["pull"]),
        one("whole rows", (2, 1, 3), [3, 3], **whole),
        one("queries", (2, 2, 3), [some(2, 3), some(2, 3)], **whole),
        one("queries of 3", (2, 3, 2), [some(3, 2), some(3, 2)], want=["pull"]),
        one("empty", (2, 1, 3), empty, **whole),
        one("empty query", (1, 2, 3), [empty], **whole),
        one("float32", (2, 2, 3), some(2, 3), dtype="float32", on_devices=True, **whole),
        one("large", (2, 1, 3), some(2, 3), large=True, dtype="float32", **whole),
        one("bfloat16", (2, 1, 3), some(2, 3), dtype="bfloat16"),
        one("twice", (2, 2, 2), some(2, 2), want=["twice"]),
        one("untouched plain", (2, 2, 3), some(2, 3), requires_grad=False),
        one("untouched middle", (2, 2, 3), some(2, 3)),
    ]


def collect(answer: object, challenge: dict) -> dict:
    """As for every function, with the numbers arranged before the call. Decides nothing."""
    return functions.collect(_arranged(answer) if callable(answer) else answer, challenge)


def _arranged(answer: object) -> object:
    @functools.wraps(answer, assigned=(), updated=())  # so that the signature that is looked at is the student's
    def call(x: torch.Tensor, arrangement: dict) -> object:
        lens = torch.tensor(arrangement["valid_lens"], dtype=torch.int64, device="cpu").to(x.device)
        return answer(x.view(arrangement["shape"]), lens)

    return call


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    (arrangement,) = arguments
    keys = arrangement["shape"][-1]
    given = list(rows(torch.tensor(x, dtype=torch.float64), arrangement))
    by_row: Rows = [got[start : start + keys] for start, _, _ in given]
    for row, (_, valid, scores) in zip(by_row, given, strict=True):
        padded = row[valid:]
        if not valid and all(map(math.isnan, row)):
            return "A row without a valid key is NaN: softmax of nothing but -inf. Such a row is 0."
        if not valid and all(close(number, 1 / keys, "float32") for number in row):
            return "A row without a valid key has equal weights: one score is as very negative as the other. It is 0."
        if any(map(math.isnan, row)):
            return "There is NaN in a row that has valid keys."
        if valid and valid + 1 < keys and _are(row, weights_of(scores, valid + 1)):
            return "The first padded key has weight: key j is valid where j < valid_len, not j <= valid_len."
        if valid and valid < keys and _are(row, weights_of(scores, keys)):
            return "The padding was not masked: this is the softmax of the whole row."
        if valid and valid < keys and _are(row, [*weights_of(scores, keys)[:valid], *[0.0] * (keys - valid)]):
            return "The weights do not sum to 1: the mask came after softmax, which had counted the padding in."
        if valid and any(padded) and _are(row, weights_of([*scores[:valid], *[0.0] * (keys - valid)], keys)):
            return "A score of 0 at the padding still has weight, for exp(0) is 1."
        if padded and not any(row[:valid]) and valid:
            return "The mask is the wrong way round: the valid keys got no weight."
    if any(not close(sum(row), 1.0, "float32", 4) for row, (_, valid, _) in zip(by_row, given, strict=True) if valid):
        return "The weights of a row do not sum to 1: softmax goes over the last dimension, the keys."
    return ""


def gradient_hint(x: list[float], arguments: list, got: Rows, expected: Rows) -> str:
    """The misconception behind a wrong gradient of right values."""
    if any(math.isnan(number) for row in got for number in row):
        return (
            "NaN: softmax of nothing but -inf, or an inf or a division by 0 on the way. What comes after it hides the "
            "NaN in forward; backward meets it all the same."
        )
    return ""


def _are(row: list[float], other: list[float]) -> bool:
    return all(close(a, b, "float32", 4) for a, b in zip(row, other, strict=True))


FORMULA = Formula("masked_softmax(X, valid_lens)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint)
BATCH = ("one", "batch 2", "batch 3", "whole rows")
QUERIES = ("queries", "queries of 3")
EMPTY = ("empty", "empty query")
DEMANDS = (
    demands.values((*BATCH, "float32"), 0.5),
    demands.values_and_gradient((*BATCH, "float32"), 1.25, "gradient"),
    demands.values_and_gradient(("large",), 0.5, "large scores"),
    demands.values_and_gradient(QUERIES, 1.0, "valid_lens of shape (batch, queries)"),
    demands.values_and_gradient(EMPTY, 1.25, "rows without a valid key"),
    demands.backward_twice(("twice",), 0.25),
    demands.input_untouched(("untouched plain", "untouched middle"), 0.5, "X not written to"),
    demands.dtype_kept(("batch 2", "float32", "bfloat16"), 0.25),
    replace(demands.values_and_gradient(("float32",), 0.5, "on the device of X"), on_devices=True),
)

EXERCISE = Exercise(
    "masked_softmax",
    math.fsum(demand.points for demand in DEMANDS),
    lambda rng: {"trials": draw(rng)},
    collect,
    functools.partial(demands.verify, FORMULA, DEMANDS),
    answer="masked_softmax",
)
