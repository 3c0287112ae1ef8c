"""Take the doctor's own frames out of a traceback, so that it reads as without the doctor."""

from __future__ import annotations

import os
import types

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def clean(error: BaseException) -> None:
    """Clean the traceback of ``error`` and of those that it came from."""
    seen: set[int] = set()
    queue: list[BaseException | None] = [error]
    while queue:
        one = queue.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = cleaned(one.__traceback__)
        queue += [one.__cause__, one.__context__]


def cleaned(trace: types.TracebackType | None) -> types.TracebackType | None:
    """The traceback without the doctor's frames.

    A function of torch that the watch has seen is called twice: by the program, whence it asks the watch, and by the
    watch. The first call and the question go with the watch's frame.
    """
    kept: list[types.TracebackType] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(_HERE):
            if (
                code.co_name == "__torch_function__"
                and kept
                and kept[-1].tb_frame.f_code.co_name == "handle_torch_function"
            ):
                del kept[-2:]
        else:
            kept.append(trace)
        trace = trace.tb_next
    following = None
    for one in reversed(kept):
        one.tb_next = following
        following = one
    return following


def without(trace: types.TracebackType | None, file: str) -> types.TracebackType | None:
    """The traceback from where ``file`` is left."""
    while trace is not None and trace.tb_frame.f_code.co_filename == file:
        trace = trace.tb_next
    return trace
