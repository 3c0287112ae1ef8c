"""The doctor must never break its patient: what fails in the doctor itself becomes a note in the report."""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch


def guarded(function: Callable[..., object]) -> Callable[..., object]:
    """Let ``function(watch, ...)`` return None instead of raising, and say so in the report."""

    @functools.wraps(function)
    def wrapper(watch, *args: object, **kwargs: object) -> object:
        try:
            return function(watch, *args, **kwargs)
        except Exception as error:
            watch.record.limit(
                f"The doctor could not look at everything ({function.__name__}: {type(error).__name__}: {error})."
            )
            return None

    return wrapper


class Looking:
    """A block in which the doctor looks at tensors of the program.

    What a subclass of Tensor puts around torch is not called, and what fails becomes a note in the report.
    """

    __slots__ = ("_quiet", "_record")

    def __init__(self, record) -> None:
        self._record, self._quiet = record, torch._C.DisableTorchFunctionSubclass()

    def __enter__(self) -> None:
        self._quiet.__enter__()

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> bool:
        self._quiet.__exit__(kind, error, trace)
        if isinstance(error, Exception):
            self._record.limit(f"The doctor could not look at everything ({kind.__name__}: {error}).")
            return True
        return False
