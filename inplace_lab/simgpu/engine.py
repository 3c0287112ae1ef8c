"""Backward on the simulated device: the two places where torch's engine needs help.

Autograd sets up its device threads at a process's first backward, for the devices that are registered then. A device
that comes later makes its first backward end in an INTERNAL ASSERT. Nothing in torch tells beforehand whether a
backward ran, so one is tried, and the failure becomes one sentence. But a process in which backward ran with a device
registered cannot fork children that run backward; hence it is tried only where it may fail.

The engine asks a device written in Python for its type even while a Python exception passes through the device's
thread, and Python calls nothing while an exception is pending: the process would end. So the exception is taken out
of the way there, and raised again where backward was called.

The device's thread needs Python for a moment after backward has returned. Where the process ends in that moment,
Python ends the thread in the middle of torch's code, and that the whole process with "terminate called without an
active exception" (4 times in 100 for a script whose last line is a backward). So the exit waits until it rests.
"""

from __future__ import annotations

import _thread
import atexit
import ctypes
import threading
import time
from pathlib import Path

import torch
from torch.autograd import Variable

NAME = "simgpu"

LATE = (
    "The simulated device must be enabled before the first backward of a process, and here backward ran before: "
    "restart the kernel and run the set-up cell first."
)

_refusal = ""

#: Exceptions on their way from the device's thread to the caller of backward.
_travelling: list[BaseException] = []

#: Any function of Python's own that ctypes calls raises the exception that is pending.
_raise_pending = ctypes.pythonapi.PyErr_Occurred


def refusal() -> str:
    """Why the device cannot be used in this process, or ''."""
    return _refusal


def graph_was_built() -> bool:
    """Whether this thread has recorded any operation for backward.

    If not, no backward ran in it but on a leaf, which ``Engine`` finds out.
    """
    return torch._C._autograd._get_sequence_nr() > 0


def prove() -> None:
    """Run a backward of one number on the device. Raises RuntimeError with one sentence when it comes too late."""
    with torch.enable_grad():
        number = torch.zeros((), device=NAME, requires_grad=True)
        torch.autograd.grad(number * 2, number)


class Guard(torch._C._acc.DeviceGuard):
    """Tells torch what kind of device this is, whatever is going on."""

    def type_(self) -> torch._C._autograd.DeviceType:
        try:
            _raise_pending()
        except BaseException as error:
            if threading.get_ident() == threading.main_thread().ident:
                _thread.interrupt_main()  # a KeyboardInterrupt of just now: again, a moment later
            else:
                _travelling.append(error.with_traceback(error.__traceback__.tb_next))
        return torch._C._autograd.DeviceType.PrivateUse1


class Engine(torch._C._ImperativeEngine):
    """Torch's engine, with errors of the simulated device brought to the caller, in words that help."""

    def run_backward(self, *args: object, **kwargs: object) -> object:
        global _refusal
        __tracebackhide__ = True  # IPython leaves such frames out
        try:
            return super().run_backward(*args, **kwargs)
        except SystemError:
            if not _travelling:
                raise
            error = _travelling.pop()
        except RuntimeError as assertion:
            if "device_ready_queues_" not in str(assertion):
                raise
            _refusal = LATE
            error = RuntimeError(LATE)
        raise error


def install() -> None:
    """Let every backward of this process go through ``Engine``. Called once."""
    Variable._execution_engine = Engine()
    atexit.register(_let_threads_rest)


#: Seconds between two looks at autograd's threads, and the longest wait for them.
_LOOK, _PATIENCE = 0.002, 2.0


def _let_threads_rest() -> None:
    """Wait until autograd's threads sleep; while this thread does, none of them waits for Python."""
    before, until = None, time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        time.sleep(_LOOK)
        now = _work_of_threads()
        if now == before and all(state == "S" for state, _ in now.values()):
            return
        before = now


def _work_of_threads() -> dict[str, tuple[str, str]]:
    """(state, how often it went to sleep) of each of autograd's threads; empty where the system does not tell."""
    found = {}
    for task in Path("/proc/self/task").glob("*"):
        try:
            if (task / "comm").read_text().startswith("pt_autograd"):
                told = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines() if ":" in line)
                found[task.name] = told["State"].split()[0], told["voluntary_ctxt_switches"].strip()
        except OSError:  # it has just ended
            continue
    return found
