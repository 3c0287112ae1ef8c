"""Imported by the sandbox's helper process: what a notebook and its checks import late, so that no run waits for it.

Nothing here runs a backward: autograd's threads would not live in the processes that are forked from this one. Nothing
asks for a GPU either, which could not be used in them then.
"""

from __future__ import annotations

import contextlib

import torch
import torch._decomp.decompositions_for_jvp  # noqa: F401  # made by the first forward-mode derivative
import torch.fx.experimental.symbolic_shapes  # noqa: F401  # imported by clamp, with sympy

import inplace_lab.explorer
import inplace_lab.picture  # noqa: F401
from autograder import checking, exercises, notebook_task  # noqa: F401
from inplace_lab import simgpu


def _set_up_simulated_device() -> None:
    """First of all, since it must be there before the first backward; its first operations import what they need."""
    if simgpu.available().available:
        simgpu.enable()
        x = torch.ones(2, device=simgpu.NAME)  # with requires_grad it would prove itself here, by a backward
        torch.where(x > 0, x.exp(), 0.0).cpu()


_set_up_simulated_device()
for _name in exercises.names():
    with contextlib.suppress(Exception):  # a module that is broken stops its own check, not the whole class
        exercises.get(_name)
notebook_task.prepare()
