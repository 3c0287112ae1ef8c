"""Say which saved tensor a failed backward could not use, who had made the node, and who wrote since."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator
from dataclasses import replace

import torch

from ..graph import versions_in
from . import between, exports, graph, kinds, refusals, saved, silent
from .finding import Change, change
from .guard import guarded
from .places import Site
from .record import Origin
from .writes import Write, memory_of, storage_of, tensors_in

# A normalisation in training mode keeps its running statistics, and does not use them in backward.
_UNUSED_IN_TRAINING = ("running_mean", "running_var")

_SPOKEN_OF = re.compile(r"\[torch\.(\w+) \[([\d, ]*)\]\]")


@guarded
def explain(watch, error: BaseException, nodes: list[object], site: int) -> None:
    """Keep what is known about ``error``, which a backward call over ``nodes`` raised."""
    record, text = watch.record, kinds.text_of(error)
    if any(one[0] == id(error) for one in record.failures) or not isinstance(error, Exception):
        return
    kind = kinds.of_text(text)
    ordered = sorted(nodes, key=lambda node: node._sequence_nr(), reverse=True)
    if kind == "saved":
        finding = _saved(watch, error, text, ordered, site)
    elif kind == "freed":
        finding = _freed(watch, error, ordered, site)
    else:
        finding = _other(watch, error, text, ordered)
    if finding is not None:
        silent.remember(record, error, finding)


def _saved(watch, error: Exception, text: str, ordered: list[object], at: int):
    record = watch.record
    found, expected = versions_in(text)
    node, slot, tensor = _broken(ordered, text, found)
    writes = []
    if node is None:
        node, writes = _kept_by_checkpoint(record, ordered, expected, found)
    if node is None:
        node, slot, tensor = _hidden(watch, ordered, found)
    origin = record.origin(node) if node is not None else None
    if not writes:
        known = tensor is not None
        writes = record.writes.of(storage_of(tensor)) if known else _by_versions(record, text, expected, found)
    changes = _changes(record, after(writes, origin.clock if origin else -1, expected, found))
    finding = saved.saved(
        error,
        node.name() if node is not None else "",
        slot,
        tensor,
        _site(record, origin),
        changes,
        expected,
        found,
        record.sites[at] if at >= 0 else None,
    )
    return finding.with_words(saved_turn=record.turn(node)) if node is not None else finding


def _broken(ordered: list[object], text: str, found: int | None):
    """(node, slot, tensor) of the first saved tensor, in the order of backward, that torch refuses in these words."""
    for node in ordered:
        candidates = [(slot, tensor) for slot, tensor, hook in graph.kept(node) if hook is None]
        for slot, tensor in candidates:
            if graph.refusal(node, slot) == text and graph.version(tensor) == found:
                return node, slot, tensor
    return None, "", None


def _hidden(watch, ordered: list[object], found: int | None):
    """A write through a view hides the node that kept the tensor; only the one that stands in its place is seen."""
    for node in ordered:
        if node.name().endswith("CopySlices") and watch.record.origin(node) is not None:
            return node, "result", None
    return None, "", None


def _kept_by_checkpoint(record, ordered: list[object], expected: int | None, found: int | None):
    """(node, writes) for an input of a checkpoint that was changed: the checkpoint asks for it to compute again."""
    for node, writes in _put_away(record, ordered, only_recomputed=True):
        origin = record.origin(node)
        later = [one for one in writes if origin is not None and one.clock > origin.clock]
        if later and after(later, -1, expected, found):
            return node, later
    return None, []


def _by_versions(record, text: str, expected: int | None, found: int | None) -> list[Write]:
    """The writes into the piece of memory whose version went from ``expected`` to ``found``, where one did.

    Of several, the one whose size is that of the tensor in torch's message; none that is too small for it.
    """
    size, best = _size(text), []
    for storage, writes in record.writes.alive():
        if not writes or writes[-1].after != found or not any(write.before == expected for write in writes):
            continue
        if storage.nbytes() == size or (storage.nbytes() > size and not best):
            best = writes
            if storage.nbytes() == size:
                break
    return best


def _size(text: str) -> int:
    """The bytes of the tensor that torch's message speaks of ("[torch.FloatTensor [2, 3]]"); 0 where not known."""
    said = _SPOKEN_OF.search(text)
    kind = getattr(torch, said[1], None) if said else None
    if kind is None or not hasattr(kind, "dtype"):
        return 0
    return math.prod(int(one) for one in said[2].split(",") if one.strip()) * kind.dtype.itemsize


def after(writes: list[Write], clock: int, expected: int | None, found: int | None) -> list[Write]:
    """The counted writes that took a tensor from version ``expected`` to ``found`` after it was saved at ``clock``."""
    for later in ([one for one in writes if one.clock > clock], writes):
        chain, version = [], expected
        for write in later:
            if write.before != write.after and version is not None and version <= write.before < found:
                chain.append(write)
                version = write.after
        if chain:
            return chain
    return []


def _changes(record, writes: list[Write]) -> tuple[Change, ...]:
    """The writes as changes, one for each line, in the order of the first write."""
    merged: dict[object, Change] = {}
    for write in writes:
        if write.site < 0:
            continue
        one = change(record.sites[write.site], write.by, write.before, write.after, write.recorded)
        one = replace(one, view=write.view, cut=write.cut)
        key = (one.place, one.path, record.sites[write.site].via or one.by)
        known = merged.get(key)
        if known is None:
            merged[key] = one
        else:
            merged[key] = replace(known, after=write.after, times=known.times + 1, names=(*known.names, write.by)[:8])
    return tuple(merged.values())


def _site(record, origin: Origin | None):
    return record.sites[origin.site] if origin is not None and origin.site >= 0 else None


def _freed(watch, error: Exception, ordered: list[object], site: int):
    record, text = watch.record, kinds.text_of(error)
    freed = [node for node in ordered if any(graph.refusal(node, slot) == text for slot in graph.slots(node)[:1])]
    # What this call has gone through itself is freed as well by now: only nodes that an earlier call freed count.
    node = first = origin = None
    for candidate in freed:
        number = candidate._sequence_nr()
        origin = record.origin(candidate)
        since = origin.clock if origin else -1
        first = next((one for one in record.passes if one.clock > since and number in one.numbers), None)
        if first is not None:
            node = candidate
            break
    changes = (change(record.sites[first.site], "backward"),) if first is not None and first.site >= 0 else ()
    again = record.sites[site] if site >= 0 else None
    name = node.name() if node is not None else ""
    return saved.freed(error, name, _site(record, origin), changes, again)


def _other(watch, error: Exception, text: str, ordered: list[object]):
    """A backward that failed for another reason: the node that the message speaks of, and what hooks had put away."""
    record = watch.record
    for node, notes in _put_away(record, ordered):
        origin = record.origin(node)
        changes = _changes(record, [one for one in notes if origin is not None and one.clock > origin.clock])
        if changes:
            return refusals.other(error, node.name(), _site(record, origin), changes)
    speaks_of = kinds.spoken_of(text, [node.name() for node in ordered])
    for node in ordered:
        if node.name() == speaks_of:
            origin = record.origin(node)
            return refusals.other(error, speaks_of, _site(record, origin))
    return None


@guarded
def look_for_bypass(watch, nodes: list[object], site: int) -> None:
    """Before a backward: are there writes that its nodes will not notice, into memory that they keep?"""
    record = watch.record
    if record.latest_write < 0 or not nodes:
        return
    here = record.sites[site] if site >= 0 else None
    rows = watch.rows
    for node in nodes:
        # A Function carries the line of its save_for_backward, which is later than the node itself.
        by_itself = watch.tags or isinstance(node, torch._C._FunctionBase)
        made = -1 if by_itself else rows.clock(node._sequence_nr())
        if made < 0:
            origin = record.origin(node)
            made = origin.clock if origin else -1
        if made < 0 or made >= record.latest_write:
            continue
        for slot, tensor, hook in graph.kept(node):
            writes = [one for one in record.writes.of(storage_of(tensor)) if one.clock > made]
            writes = [one for one in writes if one.tensor_only is None or _assigned_to(record, one, tensor, made)]
            if not writes or _unused(node, slot):
                continue
            if hook is None and graph.refusal(node, slot):
                continue  # torch will say so
            if exports.put_back(record, storage_of(tensor), writes):
                continue
            origin = record.origin(node)
            silent.report(
                record,
                saved.bypass(
                    node.name(), slot, tensor, _site(record, origin), _changes(record, writes), hook is not None, here
                ),
            )
    _kept_by_functions(record, nodes, here)
    _packed(record, nodes, here)
    _recomputed(watch, nodes, here)
    _written_again(record, nodes)


def _assigned_to(record, write: Write, tensor: torch.Tensor, made: int) -> bool:
    """Whether ``write`` was an assignment to ``tensor.data`` that has left it other memory than it had at ``made``."""
    if write.tensor_only() is not tensor:
        return False
    earlier = (held for clock, owner, held in record.held.get(id(tensor), ()) if clock > made and owner() is tensor)
    return next(earlier, None) != memory_of(tensor)


def _kept_by_functions(record, nodes: list[object], here: Site | None) -> None:
    """``ctx.x = x`` in the forward of a Function: torch does not check whether x was written since."""
    for node in nodes:
        owner = getattr(type(node), "_forward_cls", None) if isinstance(node, torch._C._FunctionBase) else None
        if owner is None or owner.__module__.startswith("torch.") or not vars(node):
            continue
        backward = getattr(inspect.unwrap(owner.backward), "__code__", None)
        origin = record.origin(node)
        for name, value in vars(node).items():
            if origin is None or backward is None or name not in backward.co_names:
                continue
            for tensor in tensors_in(value):
                writes = [one for one in record.writes.of(storage_of(tensor)) if one.clock > origin.clock]
                if writes:
                    site = between.assigned(owner, name, _site(record, origin))
                    changes = _changes(record, writes)
                    silent.report(record, saved.bypass(node.name(), f"ctx.{name}", tensor, site, changes, False, here))


def _unused(node: object, slot: str) -> bool:
    return slot in _UNUSED_IN_TRAINING and graph.in_training(node)


def _recomputed(watch, nodes: list[object], here: Site | None) -> None:
    """A checkpoint computes its part of the forward again: with other numbers, where these were written since."""
    record = watch.record
    for node, writes in _put_away(record, nodes, only_recomputed=True):
        origin = record.origin(node)
        later = [one for one in writes if origin is not None and one.clock > origin.clock]
        if later:
            silent.report(record, saved.recomputed(_site(record, origin), _changes(record, later), here))


def _packed(record, nodes: list[object], here: Site | None) -> None:
    """A hook on saved tensors keeps them as an array of NumPy, which is the same memory."""
    for node, writes in _put_away(record, nodes, only_shared=True):
        origin = record.origin(node)
        later = [one for one in writes if origin is not None and one.clock > origin.clock]
        if later:
            site, changes = _site(record, origin), _changes(record, later)
            silent.report(record, saved.bypass(node.name(), "", None, site, changes, True, here))


def _written_again(record, nodes: list[object]) -> None:
    """A write inside a checkpoint, into what the checkpoint computes again: without a check, unlike outside of one."""
    by_number = {node._sequence_nr(): node for node in nodes} if record.written_again else {}
    for number, write in record.written_again:
        node = by_number.get(number)
        if node is not None:
            origin = record.origin(node)
            changes = _changes(record, [write])
            silent.report(record, saved.written_again(node.name(), _site(record, origin), changes))


def _put_away(
    record, nodes: list[object], only_recomputed: bool = False, only_shared: bool = False
) -> Iterator[tuple[object, list[Write]]]:
    """Each node whose saved tensors a hook put away, with the writes into their memory."""
    if not len(record.opaque):
        return
    by_number = {node._sequence_nr(): node for node in nodes}
    for storage, notes in record.opaque.alive():
        writes = record.writes.of(storage)
        for note in notes if writes else ():
            node = by_number.get(note.number)
            wanted = (note.recomputes or not only_recomputed) and (note.shares or not only_shared)
            if node is not None and wanted:
                yield node, writes
