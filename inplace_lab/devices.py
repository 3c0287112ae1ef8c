"""The devices that experiments and checks can use on this machine."""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Device:
    """A device by the name that torch takes (``name``), as a report calls it (``label``), and whether it is here."""

    name: str
    label: str
    available: bool
    reason: str = ""


def devices() -> tuple[Device, ...]:
    """The CPU first, then the CUDA device, present or not; ``reason`` says why one is absent."""
    return (Device("cpu", "cpu", True), _cuda())


def _cuda() -> Device:
    if not torch.cuda.is_available():
        return Device("cuda", "cuda", False, "no CUDA device on this machine")
    return Device("cuda:0", f"cuda:0 ({torch.cuda.get_device_name(0)})", True)


def require(name: str) -> None:
    """Raise ValueError with one sentence when ``name`` is no device of this machine."""
    known = devices()
    for device in known:
        if isinstance(name, str) and name in (device.name, device.name.partition(":")[0]):
            if device.available:
                return
            raise ValueError(f"Device {name!r} cannot be used: {device.reason}.")
    names = ", ".join(device.name for device in known if device.available)
    raise ValueError(f"There is no device {name!r} on this machine; the known ones are {names}.")
