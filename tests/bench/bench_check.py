"""A student's check: how long one press of the button takes."""

from __future__ import annotations

import contextlib
import io

import torch

from autograder import check
from tests.bench import Figure, benchmark, side_by_side


def masked_exp(x: torch.Tensor, zero_at: int) -> torch.Tensor:
    """A right answer, so that every case of the check runs to its end."""
    if not -len(x) <= zero_at < len(x):
        raise IndexError(f"zero_at={zero_at} is out of range for a tensor of length {len(x)}")
    mask = torch.arange(len(x), device=x.device) == zero_at % len(x)
    return torch.where(mask, torch.zeros((), dtype=x.dtype, device=x.device), x.exp())


def gradients_agree() -> None:
    """What torch offers by itself: first and second derivatives against finite differences, one input."""
    x = torch.linspace(-1, 1, 7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda leaf: masked_exp(leaf, 3), x)
    assert torch.autograd.gradgradcheck(lambda leaf: masked_exp(leaf, 3), x)


def press() -> None:
    """One check, its report thrown away."""
    with contextlib.redirect_stdout(io.StringIO()):
        check("masked_exp", masked_exp)


@benchmark(
    "check_masked_exp",
    what='check("masked_exp", ...): every case, judged, with its report',
    against="torch.autograd.gradcheck and gradgradcheck of the same function on 7 numbers",
)
def check_masked_exp(rounds: int) -> Figure:
    """Milliseconds for one whole check of a right answer."""
    return side_by_side(press, gradients_agree, rounds)
