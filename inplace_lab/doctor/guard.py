"""The doctor must never break its patient: what fails in the doctor itself becomes a note in the report."""

from __future__ import annotations

import functools
from collections.abc import Callable


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
