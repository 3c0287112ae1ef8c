"""What was written into which memory: the doctor's record of writes, keyed by storage, and gone when it is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch.multiprocessing.reductions import StorageWeakRef

#: No more writes than these are remembered for one piece of memory: the first and the latest ones.
_FIRST, _LATEST = 64, 448

#: Python's in-place operators; `t[i] = v` is the method `__setitem__`.
OPERATORS = frozenset(
    f"__i{name}__" for name in "add sub mul div truediv floordiv mod pow and or xor lshift rshift matmul".split()
) | {"__setitem__"}


@dataclass(frozen=True, slots=True)
class Write:
    """One write: when (``clock``), where (``site``, a number), what wrote (``by``), the version before and after.

    ``before`` and ``after`` are those of the tensor that was written; equal for a write that no counter saw.
    ``tensor_only``: a weak reference to the one tensor that it concerns (``t.data = ...``), else None.
    ``recorded``: whether autograd recorded it. ``view``: whether the tensor was a view of another.
    ``cut``: whether the tensor is part of a graph that recorded nothing of the write (under ``torch.no_grad()``).
    """

    clock: int
    site: int
    by: str
    before: int
    after: int
    tensor_only: object = None
    recorded: bool = True
    view: bool = False
    cut: bool = False


class Book:
    """Things noted about storages. Nothing here keeps memory alive; an entry ends with its storage."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[StorageWeakRef, list]] = {}
        self._purge_at = 512

    def add(self, storage: torch.UntypedStorage, note: object) -> None:
        entry = self._entries.get(storage._cdata)
        if entry is None:
            if len(self._entries) >= self._purge_at:
                self.purge()
            entry = self._entries[storage._cdata] = (StorageWeakRef(storage), [])
        notes = entry[1]
        notes.append(note)
        if len(notes) > _FIRST + _LATEST:
            del notes[_FIRST : _FIRST + _LATEST // 2]

    def of(self, storage: torch.UntypedStorage | None) -> list:
        """The notes on ``storage``, oldest first."""
        entry = self._entries.get(storage._cdata) if storage is not None else None
        return entry[1] if entry is not None else []

    def alive(self) -> Iterator[tuple[torch.UntypedStorage, list]]:
        """Each storage that still exists, with its notes."""
        for reference, notes in list(self._entries.values()):
            storage = torch.UntypedStorage._new_with_weak_ptr(reference.cdata)
            if storage is not None:
                yield storage, notes

    def purge(self) -> None:
        """Forget the storages that are gone."""
        self._entries = {key: entry for key, entry in self._entries.items() if not entry[0].expired()}
        self._purge_at = 2 * len(self._entries) + 512

    def __len__(self) -> int:
        return len(self._entries)


def storage_of(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    """The tensor's memory, or None for a tensor that has none of its own (sparse, or not yet initialised)."""
    # Subclasses of Tensor may refuse with any exception, and must not be made to do what the program does not ask.
    with contextlib.suppress(Exception), torch._C.DisableTorchFunctionSubclass():
        while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            tensor = torch._C._functorch.get_unwrapped(tensor)
        return tensor.untyped_storage()
    return None


def memory_of(tensor: torch.Tensor) -> object:
    """Which elements of which memory the tensor has: to be compared."""
    storage = storage_of(tensor)
    with contextlib.suppress(RuntimeError):  # a parameter of a lazy module has no shape yet
        return storage and (storage._cdata, tensor.storage_offset(), tensor.shape, tensor.stride())
    return None


def tensors_in(values: object, depth: int = 3) -> Iterator[torch.Tensor]:
    """The tensors among a call's arguments, also within lists, tuples and dicts."""
    if isinstance(values, torch.Tensor):
        yield values
    elif depth and isinstance(values, list | tuple):
        for value in values:
            yield from tensors_in(value, depth - 1)
    elif depth and isinstance(values, dict):
        for value in values.values():
            yield from tensors_in(value, depth - 1)


def overlap_in_part(target: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors share some elements of their memory, but not as the same whole, element for element."""
    one, two = storage_of(target), storage_of(other)
    if one is None or two is None or one._cdata != two._cdata:
        return False
    same = target.storage_offset() == other.storage_offset() and target.shape == other.shape
    if same and target.stride() == other.stride() or target.numel() * other.numel() == 0:
        return False
    if max(target.numel(), other.numel()) > 1 << 20:
        return False  # too large to look at element by element
    return bool(torch.isin(_addresses(other), _addresses(target)).any())


def _addresses(tensor: torch.Tensor) -> torch.Tensor:
    places = torch.tensor(tensor.storage_offset())
    for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
        places = places[..., None] + torch.arange(size) * stride
    return places.flatten()
