"""The one list of devices: what experiments, the explorer and the checks can use on this machine.

An *accelerator* is any device but the CPU: a real GPU ("cuda:0", "mps"), or the simulated one ("simgpu", see
``simgpu``), which holds its numbers in CPU memory and refuses what a GPU refuses. Only a real one is called a GPU.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch

from . import simgpu


@dataclass(frozen=True)
class Device:
    """A device by the name that torch takes (``name``), as a report calls it (``label``), and whether it is here.

    ``reason`` says why one is absent: the middle of a sentence, without a full stop.
    """

    name: str
    label: str
    available: bool
    reason: str = ""

    @property
    def simulated(self) -> bool:
        return self.name == simgpu.NAME


CPU = Device("cpu", "cpu", True)
HIDDEN = "CUDA_VISIBLE_DEVICES hides every GPU"


def devices() -> tuple[Device, ...]:
    """The CPU first, then the accelerators, present or not, in the order in which they are preferred.

    Apple's "mps" has a row only where torch was built for it. Where there is no GPU this sets the simulated one up,
    which takes milliseconds once; beside a real GPU it is listed as present only after ``simgpu.enable()``, since that
    makes it torch's current accelerator.
    """
    real = [_cuda(), *([_mps()] if torch.backends.mps.is_built() else [])]
    return (CPU, *real, _simulated(any(device.available for device in real)))


def accelerator() -> Device:
    """The device that stands for "a GPU" in the lessons and in the points of the checks.

    The real GPU where there is one, else the simulated one. Where not even that can be had (a backward pass ran before
    it was set up, another backend took its place, a torch without it) the CPU, with the reason in ``reason``.
    """
    listed = devices()
    found = next((device for device in listed[1:] if device.available), None)
    return found or Device(CPU.name, CPU.label, True, listed[-1].reason)


def require(name: str) -> None:
    """Raise ValueError with one sentence when ``name`` is no device of this machine ("cuda" is "cuda:0")."""
    if isinstance(name, str) and name == CPU.name:
        return
    known = devices()
    for device in known[1:]:
        kind = device.name.partition(":")[0]
        if isinstance(name, str) and name in (kind, f"{kind}:0"):
            if device.available:
                return
            raise ValueError(f"Device {name!r} cannot be used: {device.reason}.")
    names = ", ".join(device.name for device in known if device.available)
    raise ValueError(f"There is no device {name!r} on this machine; the known ones are {names}.")


def _cuda() -> Device:
    if not torch.cuda.is_available():
        return Device("cuda", "cuda", False, HIDDEN if _hidden() else "no CUDA device on this machine")
    why_not = _refusal("cuda:0")
    return Device("cuda:0", f"cuda:0 ({torch.cuda.get_device_name(0)})", not why_not, why_not)


def _hidden() -> bool:
    """Whether CUDA is told to see no GPU; then nobody can tell whether there is one."""
    return os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1")


def _mps() -> Device:
    if not torch.backends.mps.is_available():
        return Device("mps", "mps", False, "no Apple GPU on this machine, or macOS is too old")
    why_not = _refusal("mps")
    return Device("mps", "mps", not why_not, why_not)


def _refusal(name: str) -> str:
    """Why a GPU that is there cannot be used by this process (a forked one, one without access), or ""."""
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        said = str(error).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
        return f"the GPU cannot be used by this process ({said or type(error).__name__})"
    return ""


def _simulated(beside_a_gpu: bool) -> Device:
    label = f"{simgpu.NAME} (simulated)"
    if beside_a_gpu and not simgpu.enabled():
        reason = "not set up, since there is a real GPU; inplace_lab.simgpu.enable() before the first backward does it"
        return Device(simgpu.NAME, label, False, reason)
    try:
        simgpu.enable()
    except RuntimeError as error:
        return Device(simgpu.NAME, label, False, (simgpu.available().reason or str(error)).rstrip("."))
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        label = f"{simgpu.NAME} (simulated; {HIDDEN if _hidden() else 'no GPU on this machine'})"
    return Device(simgpu.NAME, label, True)
