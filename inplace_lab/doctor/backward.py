"""Stand around each backward call: look at its graph before, follow what it calls, explain it when it fails."""

from __future__ import annotations

import threading
from array import array

import torch

from . import graph, kinds, reading, silent
from .guard import Looking, guarded
from .nan import anomaly, births, judge
from .record import Pass
from .watch import Watch

#: The watch of each thread.
watches = threading.local()


class Entrance:
    """Takes the place of torch's one function into the backward engine while a program is diagnosed."""

    def __init__(self) -> None:
        self._original = torch.autograd.graph._engine_run_backward

    def open(self) -> None:
        torch.autograd.graph._engine_run_backward = torch.autograd._engine_run_backward = self._run

    def close(self) -> None:
        torch.autograd.graph._engine_run_backward = torch.autograd._engine_run_backward = self._original

    def _run(self, outputs: object, *args: object, **kwargs: object) -> object:
        watch = getattr(watches, "current", None)
        if watch is None or watch.taken_out is not None:
            return self._original(outputs, *args, **kwargs)
        return _watched(watch, self._original, outputs, args, kwargs)


def _watched(watch: Watch, run: object, outputs: object, args: tuple, kwargs: dict) -> object:
    record = watch.record
    site = record.sites.number()
    watch.close(site)
    nodes, looking, grads = [], None, []
    with Looking(record):
        nodes = graph.walk(graph.roots_of(outputs))
        reading.look_for_bypass(watch, nodes, site)
        looking = births(watch, nodes, outputs)
        grads = _gradients(nodes)
    keep = bool(args[1]) if len(args) > 1 else False
    clock = record.tick()
    try:
        with watch.inside_backward(site):
            result = run(outputs, *args, **kwargs)
    except BaseException as error:
        with Looking(record):
            anomaly(watch, looking, error)
            reading.explain(watch, error, nodes, site)
        raise
    finally:
        watch.close(site)
        if looking is not None:
            looking.close()
    if not keep:
        record.freed(Pass(clock, site, array("Q", [node._sequence_nr() for node in nodes])))
    with Looking(record):
        _accumulated(watch, grads, site)
        judge(watch, looking, result, site)
    return result


def _gradients(nodes: list[object]) -> list[tuple[object, int]]:
    """Weak references to the gradients that are there before a backward over ``nodes``, with their versions."""
    leaves = [leaf for node in nodes if (leaf := getattr(node, "variable", None)) is not None]
    grads = [grad for leaf in leaves if (grad := leaf.grad) is not None]
    return [(silent.reference(grad), graph.version(grad)) for grad in grads]


@guarded
def _accumulated(watch: Watch, grads: list[tuple[object, int]], site: int) -> None:
    """Note the gradients to which backward has added in place: the engine does that below Python."""
    for reference, before in grads:
        grad = reference()
        after = graph.version(grad) if grad is not None else before
        if after != before and site >= 0:
            watch.wrote(grad, watch.record.tick(), site, kinds.ACCUMULATED, before, after)
