"""Shared by the tests of the simulated device: when they run, and how one is told from the CPU."""

from __future__ import annotations

import re

import pytest
import torch

from inplace_lab import simgpu

#: ``setup()`` leaves the simulation out where there is a GPU, and these tests with it.
needs_simgpu = [
    pytest.mark.hardware,
    pytest.mark.skipif(not simgpu.enabled(), reason="the simulated device is not enabled beside a real GPU"),
]

#: What every function that is given two devices says, in whole or followed by what it was checking.
SENTENCE = "Expected all tensors to be on the same device, but found at least two devices, simgpu:0 and cpu!"

DEVICE = torch.device("cpu") if not simgpu.enabled() else torch.device(simgpu.NAME, 0)


def moved(value: object) -> object:
    """The same on the simulated device: tensors (in lists and dictionaries too) as leaves, and for "cpu" its name."""
    if isinstance(value, torch.Tensor):
        return value.detach().to(DEVICE).requires_grad_(value.requires_grad)
    if isinstance(value, list | tuple):
        return type(value)(moved(one) for one in value)
    if isinstance(value, dict):
        return {name: moved(one) for name, one in value.items()}
    return DEVICE if isinstance(value, torch.device) or value == "cpu" else value


def difference(expected: object, found: object) -> str:
    """In what ``found`` (on the device) differs from ``expected`` (on the CPU) beyond rounding; '' if in nothing."""
    if not isinstance(expected, torch.Tensor):
        # In-place errors name the type of the tensor in C++'s words.
        words = re.sub(r"simgpu(\w+)Type", r"torch.\1Tensor", found) if isinstance(found, str) else found
        return "" if expected == words else f"{found!r}, not {expected!r}"
    if not isinstance(found, torch.Tensor):
        return f"{found!r}, not a tensor"
    if found.device != DEVICE:
        return f"on {found.device}"
    if (found.shape, found.dtype) != (expected.shape, expected.dtype):
        return f"{tuple(found.shape)} {found.dtype}, not {tuple(expected.shape)} {expected.dtype}"
    # The same kernel may sum in another order when the memory is aligned differently.
    tolerance = 1e-10 if expected.dtype in (torch.float64, torch.complex128) else 1e-5
    wide = torch.complex128 if expected.is_complex() else torch.float64
    pair = expected.detach().to(wide), found.detach().cpu().to(wide)
    return "" if torch.allclose(*pair, rtol=tolerance, atol=tolerance, equal_nan=True) else "another value"
