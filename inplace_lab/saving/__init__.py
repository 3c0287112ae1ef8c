"""What a call keeps for backward, and which of its tensors may be overwritten afterwards: measured for any callable.

``probe(fn, *inputs)`` asks twice. It *reads* the graph: which node keeps which tensor in which slot, and which node
would refuse if the tensor's version counter moved. And it *does* it: it overwrites the tensor after the call, runs
backward, and compares the gradient with that of an untouched run. Every attempt is a fresh call on copies of the
inputs, with the same random numbers; nothing of the caller's is written to.
"""

from __future__ import annotations

from collections.abc import Callable

from .calls import Call, tensors_in
from .doing import WAYS, measure, other_numbers
from .reading import read_graph
from .record import ROLES, VERDICTS, GraphNode, Internal, Kept, Probe, Row, Subject, kind, rows, size, table, title
from .running import kept_random_state, run, seed, undisturbed

__all__ = [
    "ROLES",
    "VERDICTS",
    "WAYS",
    "Call",
    "GraphNode",
    "Internal",
    "Kept",
    "Probe",
    "Row",
    "Subject",
    "kept_random_state",
    "kind",
    "measure",
    "other_numbers",
    "probe",
    "read",
    "rows",
    "seed",
    "size",
    "table",
    "tensors_in",
    "title",
]


def probe(fn: Callable, *inputs: object, **kwargs: object) -> Probe:
    """Measure what ``fn(*inputs, **kwargs)`` keeps for backward and what may be overwritten after it.

    fn: a function, a lambda, an ``nn.Module`` (in the mode it is in), the ``apply`` of an ``autograd.Function``.
    inputs, kwargs: its arguments; tensors may stand in lists, tuples and dicts. Where no tensor requires grad, every
        floating one is made to. All are copied, with their strides; neither they nor the module are changed.

    Raises ValueError, in one sentence, where there is nothing to measure: no tensor goes in, none with a gradient comes
    out, backward fails before anything was overwritten, or two untouched runs give different gradients. What ``fn``
    itself raises is passed on.
    """
    if not callable(fn):
        raise ValueError(f"probe needs a callable and then its arguments, not {type(fn).__name__}.")
    return measure(Call(fn, inputs, kwargs))


def read(call: Call) -> Probe:
    """Only read the graph of a call: much faster, and ``verdict`` is what the graph foretells."""
    with undisturbed():
        return read_graph(call, run(call))
