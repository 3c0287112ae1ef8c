"""Read the graph of a failed, or coming, backward: which nodes it has and what they keep.

The doctor's only module that looks into torch's graph, beside ``inplace_lab.graph``. That one reads through the checks
of torch, once, and in the simplest way; this one reads a changed tensor as well, runs no hook of the program, and is
called at each backward, so it is fast.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

_RAW = "_raw_saved_"

#: The slots of each class of node, looked up once: `dir` is slow.
_slots: dict[type, tuple[str, ...]] = {}


def roots_of(outputs: object) -> list[object]:
    """The nodes from which a backward call starts, from what it was given (tensors or ``GradientEdge`` values)."""
    given = outputs if isinstance(outputs, tuple | list) else (outputs,)
    nodes = [getattr(one, "node", None) or getattr(one, "grad_fn", None) for one in given]
    return [node for node in nodes if node is not None]


def walk(roots: list[object], without: str = "") -> list[object]:
    """All nodes that backward would visit from ``roots``; none at or behind a node named ``without``."""
    found = dict.fromkeys(roots)
    queue = list(found)
    while queue:
        for following, _ in queue.pop().next_functions:
            if following is not None and following not in found and not (without and following.name() == without):
                found[following] = None
                queue.append(following)
    return list(found)


def slots(node: object) -> tuple[str, ...]:
    """The names under which nodes of this class keep tensors ("result", "self"; a Function's are "tensors")."""
    known = _slots.get(type(node))
    if known is None:
        names = tuple(name.removeprefix(_RAW) for name in dir(type(node)) if name.startswith(_RAW))
        known = _slots[type(node)] = names
    return known


def kept(node: object) -> Iterator[tuple[str, torch.Tensor, object]]:
    """(slot, tensor, hook) for all that ``node`` keeps, changed or not, without running any hook.

    ``hook`` is the function that would turn what was put away into the tensor again, or None. With a hook, the tensor
    is what the hook put away, if that is a tensor or holds one; else the slot is left out.
    """
    for slot in slots(node):
        try:
            raw = getattr(node, _RAW + slot)
        except RuntimeError:
            continue  # freed
        for number, one in enumerate(raw if isinstance(raw, tuple | list) else (raw,)):
            if one is None:
                continue
            data, hook = one.data, one.unpack_hook
            name = f"{slot}[{number}]" if isinstance(raw, tuple | list) else slot
            if isinstance(data, torch.Tensor):
                yield name, data, hook
            elif isinstance(data, tuple | list):
                for part in data:
                    if isinstance(part, torch.Tensor):
                        yield name, part, hook


def refusal(node: object, slot: str) -> str:
    """Torch's message when ``node`` can no longer hand out what it keeps in ``slot``; "" when it can."""
    slot = slot.partition("[")[0]
    attribute = "saved_tensors" if slot == "tensors" else f"_saved_{slot}"
    try:
        getattr(node, attribute, None)
    except RuntimeError as error:
        return str(error)
    return ""


def maker(tensor: torch.Tensor) -> object | None:
    """The node that made ``tensor``, or None. Raises RuntimeError for a view that can no longer be used."""
    return tensor.grad_fn


def following(node: object) -> list[object]:
    """The nodes that ``node`` passes its gradient on to."""
    return [one for one, _ in node.next_functions if one is not None]


def noted(node: object, key: str) -> object:
    """What the doctor noted at ``node``, or None."""
    try:
        return node.metadata.get(key)
    except (AttributeError, RuntimeError):
        return None


def note(node: object, key: str, value: object) -> None:
    """Note something at ``node``; it goes when the node goes."""
    node.metadata[key] = value


def in_training(node: object) -> bool:
    """Whether the node of a normalisation computed its own statistics."""
    return bool(getattr(node, "_saved_training", getattr(node, "_saved_train", False)))


def version(tensor: torch.Tensor) -> int:
    """The tensor's version; 0 for an inference tensor, which has none."""
    try:
        return tensor._version
    except RuntimeError:
        return 0
