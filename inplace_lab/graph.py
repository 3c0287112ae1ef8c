"""Read what autograd recorded: the only module that looks into torch's graph.

Everything here is read from torch at the moment of the call. Nothing is known in advance about which operation
saves what. The names are torch's own: a *node* (``ExpBackward0``) hangs on the ``grad_fn`` of a tensor, keeps saved
tensors in *slots* (``result``, ``self``, ``other``; as attributes ``_saved_result`` and so on), and refuses to hand a
saved tensor out again when its version counter has moved on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import torch

_PREFIX = "_saved_"
_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


@dataclass(frozen=True)
class Broken:
    """A saved tensor that its node can no longer hand to backward.

    ``expected`` is the version at which it was saved and ``found`` the version it has now; both are None when torch
    refuses for another reason (a graph that was freed). ``text`` is torch's own message.
    """

    node: str
    slot: str
    expected: int | None
    found: int | None
    text: str


def version(tensor: torch.Tensor) -> int:
    """The tensor's version counter: how many counted in-place writes its memory has seen."""
    return tensor._version


def nodes(tensor: torch.Tensor) -> list[object]:
    """All backward nodes that ``tensor.backward()`` would visit, nearest first.

    A leaf contributes its ``AccumulateGrad`` node only through the nodes that lead to it; a tensor without
    ``grad_fn`` has no nodes.
    """
    found: dict[object, None] = {}
    queue = [tensor.grad_fn] if tensor.grad_fn is not None else []
    while queue:
        node = queue.pop(0)
        if node in found:
            continue
        found[node] = None
        queue.extend(following for following, _ in node.next_functions if following is not None)
    return list(found)


def edges(node: object) -> list[object]:
    """The nodes that ``node`` passes its gradient on to."""
    return [following for following, _ in node.next_functions if following is not None]


def live_edges(node: object) -> tuple[bool, ...]:
    """For each differentiable argument of ``node``'s operation, whether it has a gradient to pass on to."""
    return tuple(following is not None for following, _ in node.next_functions)


def slots(node: object) -> list[str]:
    """The names under which ``node`` keeps saved values (tensors or not): ``result``, ``self``, ``exponent`` ..."""
    return [name.removeprefix(_PREFIX) for name in dir(node) if name.startswith(_PREFIX) and name != "_saved_tensors"]


def saved(node: object, *, skip_broken: bool = False) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield (slot, tensor) for each tensor that ``node`` keeps for backward.

    Raises torch's own RuntimeError when a saved tensor was changed, or when the graph was freed; with ``skip_broken``
    such slots are left out instead. A slot that holds a
    list of tensors (``cat``, ``index``) yields each; what an ``autograd.Function`` saved has the slots
    ``saved_tensors[0]`` and so on.
    """
    for slot in [*slots(node), None]:
        if skip_broken and _try_slot(node, slot):
            continue
        yield from _tensors(slot or "saved_tensors", getattr(node, _attribute(slot), None))


def _tensors(slot: str, value: object) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield slot, value
    elif isinstance(value, tuple | list):
        for number, item in enumerate(value):
            if isinstance(item, torch.Tensor):
                yield f"{slot}[{number}]", item


def broken(tensor: torch.Tensor) -> tuple[Broken, ...]:
    """Which saved tensors in the graph of ``tensor`` backward can no longer use, in the order backward meets them.

    Torch keeps the saved version to itself; it is read from the message with which the node refuses.
    """
    # Backward takes the youngest of the nodes that are ready first, and a node is younger than all that it leads to.
    met = sorted(nodes(tensor), key=lambda node: node._sequence_nr(), reverse=True)
    return tuple(failure for node in met for slot in [*slots(node), None] if (failure := _try_slot(node, slot)))


def _attribute(slot: str | None) -> str:
    return "saved_tensors" if slot is None else _PREFIX + slot


def _try_slot(node: object, slot: str | None) -> Broken | None:
    try:
        getattr(node, _attribute(slot), None)
    except RuntimeError as error:
        found, expected = versions_in(str(error))
        return Broken(node.name(), slot or "saved_tensors", expected, found, str(error))
    return None


def versions_in(text: str) -> tuple[int | None, int | None]:
    """(version now, version when saved) as torch's message about a changed saved tensor names them; else two None."""
    versions = _VERSIONS.search(text)
    return (int(versions[1]), int(versions[2])) if versions else (None, None)


def shares_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether both tensors look at the same storage: the same tensor, a view, or a ``detach()`` alias."""
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def attributes(node: object) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield (name, tensor) for what the forward of an ``autograd.Function`` put on its context by hand.

    Torch does not count versions for these: nobody notices when such a tensor is overwritten.
    """
    for name, value in getattr(node, "__dict__", {}).items():
        yield from _tensors(name, value)


def is_empty(node: object, slot: str) -> bool:
    """Whether the slot is there and holds None: the tensor was not given, or its derivative was not asked for."""
    try:
        return getattr(node, _PREFIX + slot) is None
    except RuntimeError:
        return False


def refuses_writes(tensor: torch.Tensor) -> bool:
    """Whether torch is known to refuse an in-place write here: overlapping memory, or one of several views."""
    if tensor.layout == torch.strided and torch._debug_has_internal_overlap(tensor) == 1:
        return True
    if tensor.requires_grad and tensor._is_view():
        made = torch._C._autograd._get_creation_meta(tensor)
        return made == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE
    return False
