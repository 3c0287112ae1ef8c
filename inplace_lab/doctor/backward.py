"""Stand around each backward call: look at its graph before, follow what it calls, explain it when it fails."""

from __future__ import annotations

import threading
from array import array

import torch

from . import graph, reading
from .nan import births, judge
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
    nodes = graph.walk(graph.roots_of(outputs))
    reading.look_for_bypass(watch, nodes, site)
    looking = births(watch, nodes, outputs)
    keep = bool(args[1]) if len(args) > 1 else False
    clock = record.tick()
    try:
        with watch.inside_backward(site):
            result = run(outputs, *args, **kwargs)
    except BaseException as error:
        reading.explain(watch, error, nodes, site)
        raise
    finally:
        watch.close(site)
        if looking is not None:
            looking.close()
    if not keep:
        record.freed(Pass(clock, site, array("Q", [node._sequence_nr() for node in nodes])))
    judge(watch, looking, result, site)
    return result
