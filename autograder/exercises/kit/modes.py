"""The modes of torch in which a check runs, whatever the notebook around it has switched on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

# Nothing here imports torch before it is used: `import autograder` stays cheap.


@contextlib.contextmanager
def as_in_a_fresh_python() -> Iterator[None]:
    """Gradients on, no inference mode, no anomaly detection, float32 and CPU as defaults; all put back afterwards."""
    import torch

    dtype, device = torch.get_default_dtype(), _default_device()
    with contextlib.ExitStack() as modes:
        modes.callback(_put_back, dtype, device)
        modes.enter_context(torch.inference_mode(False))
        modes.enter_context(torch.enable_grad())
        modes.enter_context(torch.autograd.set_detect_anomaly(False))
        if device != "cpu":  # as a mode it slows every call down, so only where it changes something
            modes.enter_context(torch.device("cpu"))
        torch.set_default_dtype(torch.float32)
        yield


def _default_device() -> str:
    """Where new tensors are made; "" for a device that this torch does not have."""
    import torch

    try:
        return str(torch.get_default_device())
    except Exception:
        return ""


def _put_back(dtype: object, device: str) -> None:
    import torch

    torch.set_default_dtype(dtype)
    if device == "cpu" != _default_device():  # the student's function has chosen one
        torch.set_default_device(None)
