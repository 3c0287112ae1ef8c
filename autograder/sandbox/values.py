"""The values that cross the sandbox's border: how much a run may use, and how it ended."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

MIB = 1 << 20
GIB = 1 << 30

WAYS = ("landlock", "bubblewrap", "none")
SETTINGS = ("auto", *WAYS)

PRELOAD = (
    "torch",
    "torch.testing",
    "torch.fx.experimental.symbolic_shapes",  # autograd.grad with grad_outputs imports it, and sympy, at its first call
    "matplotlib.pyplot",
    "ipywidgets",
    "IPython.core.interactiveshell",
    "inplace_lab",
    "autograder.preload",
)
"""What helper processes import once, before anything runs."""


class SandboxUnavailable(Exception):
    """This machine cannot isolate a submission in the way that was asked for; one sentence says what to install."""


class SandboxError(Exception):
    """The sandbox itself failed (not the code in it): a process could not be confined, or would not start."""


@dataclass(frozen=True)
class Limits:
    """What one run may use.

    Args:
        wall: seconds from the moment at which the task may start.
        cpu: seconds of processor time, of all its processes together.
        memory: bytes, of all its processes together, beyond what the warm process already holds.
        processes: processes and threads together.
        file: bytes of one file.
        scratch: bytes in the scratch folder.
        response: bytes of everything that it sends.

    Raises:
        ValueError: a limit is not a number above zero.
    """

    wall: float = 60.0
    cpu: float = 60.0
    memory: int = 4 * GIB
    processes: int = 64
    file: int = 64 * MIB
    scratch: int = 128 * MIB
    response: int = 8 * MIB

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"the limit {field.name!r} must be a number above 0, not {value!r}.")


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and what came out of it until then.

    Args:
        response: what the task returned; None unless `status` is "ok". Untrusted.
        status: "ok", "failed" (the task raised), "wall time", "cpu time", "memory", "killed" (by a signal), "ended"
            (the process left before its task was done), "too much output" or "garbled" (not lines of JSON).
        reason: one sentence for a human, "" if all went well. It may quote the task's error, which is untrusted.
        seconds: wall time, the start included.
        cpu_seconds: processor time of all its processes, the start included.
        way: "landlock", "bubblewrap" or "none".
        messages: what the task sent meanwhile, in order. Untrusted.
    """

    response: dict | None
    status: str
    reason: str
    seconds: float
    cpu_seconds: float
    way: str
    messages: tuple[dict, ...] = ()


@dataclass(frozen=True)
class Way:
    """One way to isolate, whether this machine can do it, and if not, why not and what would help."""

    name: str
    available: bool
    reason: str
