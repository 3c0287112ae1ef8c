"""`python -m autograder devices`: which devices the checks use on this machine, each proved by one small computation.

The computation is the one that the checks are about: y = exp(x) with one element replaced, forward and backward, held
against Python's own `math.exp`. An accelerator has to refuse a mask made on the CPU as well, since that is what the
checks want it for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from inplace_lab.devices import CPU, Device, devices

NUMBERS = (0.5, -1.0, 2.0, 0.25)
REPLACED = 1
TOLERANCE = 1e-5  # relative; float32, the one type that every device has, holds seven digits


@dataclass(frozen=True)
class Proof:
    """A device, what the checks use it for, and what came of the computation; `right` is None where it is absent."""

    device: Device
    used_for: str
    right: bool | None
    said: str


def prove_all() -> tuple[Proof, ...]:
    """A proof for each device of the list, in its order."""
    listed = devices()  # before any backward: the simulated device must be set up by then
    first = next((device for device in listed[1:] if device.available), None)
    proofs = []
    for device in listed:
        if not device.available:
            proofs.append(Proof(device, "nothing", None, device.reason))
            continue
        used_for = (
            "every check" if device == CPU else "the points for devices" if device == first else "a row of its own"
        )
        right, said = prove(device.name)
        proofs.append(Proof(device, used_for, right, said))
    return tuple(proofs)


def prove(name: str) -> tuple[bool, str]:
    """(whether the device computes rightly, what was seen). Raises nothing that the device raises."""
    started = time.perf_counter()
    try:
        with torch.enable_grad():
            wrong = _computed_wrongly(name) or ("" if name == CPU.name else _mixes(name))
    except Exception as error:
        return False, f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0] or 'no message'}"
    milliseconds = 1000 * (time.perf_counter() - started)
    return not wrong, wrong or f"forward and backward are right ({milliseconds:.0f} ms)"


def _computed_wrongly(name: str) -> str:
    x = torch.tensor(NUMBERS, dtype=torch.float32, device=name, requires_grad=True)
    mask = torch.arange(len(NUMBERS), device=x.device) == REPLACED
    y = torch.where(mask, 0.0, x.exp())
    y.sum().backward()
    expected = [0.0 if place == REPLACED else math.exp(number) for place, number in enumerate(NUMBERS)]
    for what, tensor in (("result", y), ("gradient", x.grad)):
        if tensor.device != x.device:
            return f"the {what} is on {tensor.device}"
        got = tensor.detach().cpu().tolist()
        if not all(math.isclose(g, e, rel_tol=TOLERANCE) for g, e in zip(got, expected, strict=True)):
            return f"the {what} is {got}, expected {expected}"
    return ""


def _mixes(name: str) -> str:
    x = torch.tensor(NUMBERS, device=name)
    try:
        torch.where(torch.arange(len(NUMBERS)) == REPLACED, 0.0, x)
    except RuntimeError:
        return ""
    return "a mask made on the CPU is not refused"


def table(proofs: Iterable[Proof]) -> str:
    """The proofs as text, one line each under a line of headings."""
    signs = {True: "✓", False: "✗", None: "–"}
    rows = [("device", "used for", "one forward and one backward pass")]
    rows += [(proof.device.label, proof.used_for, f"{signs[proof.right]} {proof.said}") for proof in proofs]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{first:<{widths[0]}}  {second:<{widths[1]}}  {third}" for first, second, third in rows)


def command() -> int:
    """Print the table; the exit code is 0 when every device that is here computes rightly."""
    proofs = prove_all()
    print(table(proofs))
    return 0 if all(proof.right is not False for proof in proofs) else 1
