"""A region that ``torch.compile`` compiled runs unwatched. What can be said of it is read from outside.

Its source tells which lines write in place; and where the same function also ran without the compiler and wrote into
memory from outside, a compiled call that leaves its arguments alone does something else.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType

import torch

from . import graph, mistakes, silent
from .finding import Change, change
from .guard import guarded
from .places import Place, place
from .writes import tensors_in


@dataclass
class Region:
    """One call of a compiled function, while it runs: its code, its tensors and their versions before."""

    function: object
    tensors: list[torch.Tensor]
    versions: list[int]


@guarded
def enter(watch, frame: FrameType) -> Region | None:
    """Look at the arguments of the compiled call whose frame in the compiler is ``frame``."""
    function = inspect.unwrap(frame.f_locals.get("fn"))
    if isinstance(function, torch.nn.Module):
        function = type(function).forward
    tensors = list(tensors_in((frame.f_locals.get("args", ()), frame.f_locals.get("kwargs", {}))))
    return Region(function, tensors, [graph.version(tensor) for tensor in tensors])


@guarded
def leave(watch, region: Region | None) -> None:
    """Note what the source of the region writes, and whether that has come about."""
    code = getattr(region and region.function, "__code__", None)
    if code is None:
        return
    record = watch.record
    for found in _writes(region.function):
        if found not in record.compiled_writes:
            record.compiled_writes.append(found)
    untouched = region.tensors and [graph.version(tensor) for tensor in region.tensors] == region.versions
    elsewhere = _written_from_outside(record, code) if untouched else None
    if elsewhere is not None:
        silent.report(record, mistakes.dropped(elsewhere))


def _written_from_outside(record, code: CodeType) -> Change | None:
    """A write by a line of ``code``, when it ran uncompiled, into memory that was made outside of it."""
    lines = {line for _, _, line in code.co_lines() if line is not None}

    def within(one: Place) -> bool:
        return one.file == code.co_filename and one.line in lines

    for storage, writes in record.writes.alive():
        births = record.births.of(storage)
        if not births or births[-1][1] < 0 or within(record.sites[births[-1][1]].place):
            continue
        for write in writes:
            if write.site >= 0 and within(record.sites[write.site].place):
                return change(record.sites[write.site], write.by, write.before, write.after)
    return None


def _writes(function: object) -> Iterator[Place]:
    """The lines of a function, and of the Functions that it names, that write in place."""
    for one in (function, *_named(function)):
        try:
            lines, first = inspect.getsourcelines(one)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, TypeError, SyntaxError, IndentationError):
            continue
        for node in ast.walk(tree):
            in_place = isinstance(node, ast.AugAssign) or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr.endswith("_")
                and not node.func.attr.endswith("__")
            )
            if in_place:
                yield place(inspect.getsourcefile(one) or "", first + node.lineno - 1)


def _named(function: object) -> Iterator[object]:
    known = getattr(function, "__globals__", {})
    for name in function.__code__.co_names:
        value = known.get(name)
        if isinstance(value, type) and issubclass(value, torch.autograd.Function):
            yield value.forward
