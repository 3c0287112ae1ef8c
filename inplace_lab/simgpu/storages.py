"""Storages of the simulated device that torch makes itself: for ``copy.deepcopy``, ``torch.save`` and ``torch.load``.

``torch.UntypedStorage(n, device="simgpu")`` asks for an allocator, which a device written in Python cannot bring;
torch 2.13 then crashes the process. So such a request is answered with the storage of a tensor.
"""

from __future__ import annotations

import torch

from .rules import NAME


def support() -> None:
    """Teach torch to make storages on the device. Called once."""
    make = torch.UntypedStorage.__new__

    def made(cls: type, *args: object, **kwargs: object) -> torch.UntypedStorage:
        device = kwargs.get("device")
        if device is None or torch.device(device).type != NAME:
            return make(cls, *args, **kwargs)
        (size,) = args or (0,)
        if isinstance(size, int):
            return torch.empty(size, dtype=torch.uint8, device=device).untyped_storage()
        return torch.tensor(list(size), dtype=torch.uint8, device=device).untyped_storage()

    torch.UntypedStorage.__new__ = made
