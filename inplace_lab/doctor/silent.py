"""Faults that are seen while the program runs: writes that torch refuses, and mistakes that it lets pass."""

from __future__ import annotations

import sys
import weakref

import torch

from . import graph, kinds, mistakes, refusals
from .finding import Finding, change
from .guard import guarded
from .places import is_inside
from .writes import OPERATORS, storage_of, tensors_in


def reference(tensor: torch.Tensor) -> object:
    """A weak reference to the tensor itself."""
    return weakref.ref(tensor)


def report(record, finding: Finding) -> None:
    """Keep a fault that torch does not report, once for each line."""
    same = [
        one
        for one in record.silent
        if (one.kind, one.saved_at, one.changed_at) == (finding.kind, finding.saved_at, finding.changed_at)
    ]
    if not same and len(record.silent) < 100:
        record.silent.append(finding)


@guarded
def overlap(watch, site: int, name: str) -> None:
    """``a -= a[:, :1]``: some elements are read after they were written."""
    here = watch.record.sites[site]
    report(
        watch.record,
        mistakes.overlap(change(here, name)),
    )


@guarded
def retained(watch, tensor: torch.Tensor, site: int, name: str) -> None:
    """``u.retain_grad()``, then a write into u: u.grad will be the gradient after the write."""
    try:
        if not tensor.retains_grad or tensor.is_leaf:
            return
    except RuntimeError:
        return
    report(watch.record, mistakes.retained(change(watch.record.sites[site], name)))


@guarded
def hook_argument(watch, tensor: torch.Tensor, storage: torch.UntypedStorage, site: int, name: str) -> None:
    """A hook, or the backward of a Function, writes into the gradient that it was given."""
    if tensor.is_leaf and tensor.requires_grad:
        return
    outermost = _called_by_engine()
    if outermost is None:
        return
    for given in _arguments(outermost):
        memory = storage_of(given)
        if memory is not None and memory._cdata == storage._cdata and not given.requires_grad:
            report(watch.record, mistakes.hook_argument(change(watch.record.sites[site], name)))
            return


def _called_by_engine():
    """The outermost frame that the backward engine called, or None."""
    frame, below, dispatched = sys._getframe(1), None, False
    while frame is not None:
        if frame.f_code.co_name == "_engine_run_backward":
            # What carries out operations in Python itself (FakeTensorMode) is no hook.
            own = below is not None and is_inside(below.f_code) and below.f_code.co_name != "apply"
            return None if dispatched and own else below
        dispatched = dispatched or frame.f_code.co_name == "__torch_dispatch__"
        if frame.f_code.co_name != "run_backward":  # an engine written in Python, as the simulated device's
            below = frame
        frame = frame.f_back
    return None


def _arguments(frame) -> list[torch.Tensor]:
    code = frame.f_code
    count = code.co_argcount + bool(code.co_flags & 0x04)
    given = [frame.f_locals.get(name) for name in code.co_varnames[:count]]
    return list(tensors_in(given))


@guarded
def refused(watch, func: object, args: tuple, kwargs: dict, error: BaseException) -> None:
    """A call raised: if it is a refused write, say what is known about the tensor now, while it is here."""
    record = watch.record
    text = kinds.text_of(error)
    kind = kinds.of_text(text)
    if not isinstance(error, RuntimeError) or any(one[0] == id(error) for one in record.failures):
        return
    if kind == "saved" or kind == "freed":
        return  # the backward call that raised it has seen to it
    number = record.sites.number(below=True)
    if number < 0:
        return
    site = record.sites[number]
    name = getattr(func, "__name__", "")
    tensors = [*tensors_in(kwargs.get("out")), *tensors_in(args), *tensors_in(kwargs)]
    target = tensors[0] if tensors else None
    changed = (change(site, name),)
    made, node, notes = None, "", ()
    if "A view was created in no_grad mode" in text and _leaf(tensors[:1]) is not None:
        kind = "leaf-view"
    if kind in ("leaf", "leaf-view") and target is not None:
        made = _latest(record, record.births, _leaf(tensors))
    elif kind == "inference":
        made = next((_latest(record, record.births, one) for one in tensors if one.is_inference()), None)
    elif target is not None and (kind == "multi-view" or target._base is not None):
        made, node, earlier = _views(record, tensors, text)
        # Torch may notice only at the next use of a view; the write is then further up.
        changed = earlier or changed
    in_place = name.endswith("_") and not name.endswith("__") and name != "requires_grad_"
    writes = in_place or name in OPERATORS or "out" in kwargs
    if kind == "other" and not (writes or "in-place" in text or "inplace" in text.lower()):
        return
    finding = refusals.refused(kind, error, node, made, changed, notes, _computes(tensors))
    remember(record, error, finding)


def remember(record, error: BaseException, finding: Finding) -> None:
    """Keep the finding for the case that the exception leaves the program."""
    record.failures.append((id(error), kinds.text_of(error), finding))
    del record.failures[:-50]


def _leaf(tensors: list[torch.Tensor]) -> torch.Tensor | None:
    for tensor in tensors:
        base = tensor._base if tensor._base is not None else tensor
        if base.is_leaf and base.requires_grad:
            return base
    return None


def _computes(tensors: list[torch.Tensor]) -> bool:
    """Whether what is written into the first of ``tensors`` was computed from leaves other than that tensor."""
    target = _leaf(tensors[:1])
    if target is None or isinstance(target, torch.nn.Parameter):
        return False  # into a Parameter one writes a new value, whatever it was computed from
    nodes = graph.walk(graph.roots_of(tensors[1:]))
    leaves = [getattr(node, "variable", None) for node in nodes]
    return any(leaf is not None and leaf is not target for leaf in leaves)


def _latest(record, book, tensor: torch.Tensor | None):
    notes = book.of(storage_of(tensor)) if tensor is not None else []
    return record.sites[notes[-1][1]] if notes and notes[-1][1] >= 0 else None


def _views(record, tensors: list[torch.Tensor], text: str):
    """(where the views were made, their node, the writes since) for a write that torch refuses on account of views."""
    for tensor in tensors:
        storage = storage_of(tensor)
        notes = record.views.of(storage)
        node = kinds.named_node(text)
        try:
            made_by = graph.maker(tensor)
            if made_by is not None and tensor._base is not None and not notes:
                origin = record.origin(made_by)
                if origin is not None and origin.site >= 0:
                    return record.sites[origin.site], node or made_by.name(), ()
        except RuntimeError:
            pass
        if notes:
            clock, number, _ = notes[-1]
            later = [write for write in record.writes.of(storage) if write.clock > clock and write.site >= 0]
            moved = "has been modified inplace" in text
            changes = (
                tuple(change(record.sites[one.site], one.by, one.before, one.after) for one in later) if moved else ()
            )
            return (record.sites[number] if number >= 0 else None), node, changes
    return None, kinds.named_node(text), ()
