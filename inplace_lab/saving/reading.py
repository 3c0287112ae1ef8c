"""Read the graph of a call: which node keeps what, and which would refuse if a version counter moved."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from .. import graph
from .calls import Call
from .record import GraphNode, Internal, Kept, Probe, Subject
from .running import Run, run


def read_graph(call: Call, made: Run, asked: Mapping[int, bool] | None = None) -> Probe:
    """Read one run; its verdicts are what the graph foretells.

    asked: for the places of those tensors that hooks saw saved, whether backward asked for them.
    """
    slots = [(node, slot, tensor, True) for node in made.nodes for slot, tensor in graph.saved(node, skip_broken=True)]
    slots += [(node, slot, tensor, False) for node in made.nodes for slot, tensor in graph.attributes(node)]
    subjects = []
    known: set[int] = set().union(*(memory(tensor) for _, _, tensor in made.tensors))
    for place, (role, name, tensor) in enumerate(made.tensors):
        own = memory(tensor)
        holding = [(node, slot) for node, slot, held, _ in slots if memory(held) & own]
        refusing = _refusing(call, place) if holding or (asked and place in asked) else set()
        kept = tuple(
            dict.fromkeys(Kept(_name(node), slot, (_name(node), _base(slot)) in refusing) for node, slot in holding)
        )
        foretold = _foretell(tensor, kept, refusing)
        subjects.append(
            Subject(role, name, tuple(tensor.shape), tensor.dtype, _nbytes(tensor), kept, foretold, foretold)
        )
    internal = tuple(
        Internal(Kept(_name(node), slot, counted), tuple(held.shape), held.dtype, _nbytes(held))
        for node, slot, held, counted in slots
        if not memory(held) & known
    )
    storages = {key: size for _, _, held, _ in slots for key, size in _storages(held)}
    nodes = tuple(_graph_node(node) for node in made.nodes if not hasattr(node, "variable"))
    return Probe(call.title, tuple(subjects), internal, nodes, sum(storages.values()))


def _graph_node(node: object) -> GraphNode:
    holding = tuple(dict.fromkeys(_base(slot) for slot, _ in graph.saved(node, skip_broken=True)))
    empty = tuple(slot for slot in graph.slots(node) if slot not in holding and graph.is_empty(node, slot))
    return GraphNode(_name(node), holding, empty, graph.live_edges(node))


def _foretell(tensor: torch.Tensor, kept: tuple[Kept, ...], refusing: set[tuple[str, str]]) -> str:
    if graph.refuses_writes(tensor):
        return "not writable"
    if refusing:
        return "error"
    return "silent" if kept else "free"


def _refusing(call: Call, place: int) -> set[tuple[str, str]]:
    """(node, slot) of what could not be handed to backward any more if the counter of this tensor went up.

    A slot that holds a list is refused as a whole, so it is named without the place in its list.
    """
    made = run(call)
    before = {(one.node, one.slot) for one in graph.broken(made.loss)}
    torch.autograd.graph.increment_version(made.tensors[place][2])
    after = {(one.node, one.slot) for one in graph.broken(made.loss)}
    return {(_short(node), slot) for node, slot in after - before}


def memory(tensor: torch.Tensor) -> set[int]:
    """The identities of the storages that hold the tensor's numbers; a sparse tensor has several."""
    return {key for key, _ in _storages(tensor)}


def _storages(tensor: torch.Tensor) -> list[tuple[int, int]]:
    """(identity, bytes) of each storage."""
    parts = _parts(tensor)
    return [(part.untyped_storage()._cdata, part.untyped_storage().nbytes()) for part in parts]


def _parts(tensor: torch.Tensor) -> list[torch.Tensor]:
    if tensor.layout == torch.strided:
        return [tensor]
    if tensor.layout == torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]
    return []


def _nbytes(tensor: torch.Tensor) -> int:
    return sum(part.numel() * part.element_size() for part in _parts(tensor))


def _name(node: object) -> str:
    return _short(node.name())


def _short(name: str) -> str:
    return name.removeprefix("torch::autograd::")


def _base(slot: str) -> str:
    """The slot's name without a place in its list."""
    return slot.partition("[")[0]
