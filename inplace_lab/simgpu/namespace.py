"""What ``torch.simgpu`` has: the functions that torch looks for in the module of a device."""

from __future__ import annotations

import torch

from .kernels import generator


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def device_count() -> int:
    return 1


def current_device() -> int:
    return 0


def set_device(device: object) -> None:
    """There is one device, which is always the current one."""


def synchronize(device: object = None) -> None:
    """Nothing runs asynchronously here."""


def get_device_name(device: object = None) -> str:
    return "simulated device (memory and kernels of the CPU)"


def _is_in_bad_fork() -> bool:
    return False


def manual_seed(seed: int) -> None:
    generator.manual_seed(seed)


#: One device: all of them.
manual_seed_all = manual_seed


def get_rng_state(device: object = None) -> torch.Tensor:
    """The state of the device's generator, as ``torch.get_rng_state`` gives that of the CPU's."""
    return generator.get_state()


def set_rng_state(state: torch.Tensor, device: object = None) -> None:
    generator.set_state(state)


def get_amp_supported_dtype() -> list[torch.dtype]:
    """None: ``torch.autocast("simgpu")`` warns and casts nothing."""
    return []


class device:
    """``with torch.simgpu.device(0):``, which changes nothing: there is one device."""

    def __init__(self, device: object) -> None:
        self.device = device

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None
