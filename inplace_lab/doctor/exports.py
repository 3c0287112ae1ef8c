"""Memory that was handed out of torch (to NumPy, to another library): nothing tells when it is written there.

So its bytes are compared, at each call of torch while the memory lives. A change lies between two calls, and the
statement between their lines that can have made it is looked up in the source.
"""

from __future__ import annotations

import ctypes
import sys
import zlib
from dataclasses import dataclass, field

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from . import between
from .guard import guarded
from .places import Site, is_inside, place
from .writes import Write, storage_of

#: At most so many bytes are compared, so many pieces of memory, and so often each: a matter of speed.
_BYTES, _PIECES, _LOOKS = 1 << 16, 16, 5_000


#: What wrote, as far as anybody can tell.
SHARED = "a write into shared memory (NumPy, DLPack, a storage)"


@dataclass
class Export:
    """A piece of memory that others can write: its fingerprint, its writes so far, and where the program was then."""

    reference: StorageWeakRef
    fingerprint: int
    writes: int
    position: between.Position
    looks: int = field(default=0)


@guarded
def note(watch, name: str, args: tuple, result: object, clock: int) -> None:
    """Remember the memory that the call ``name`` handed out, or took in."""
    if name in ("untyped_storage", "storage", "data_ptr") and _asked_by_torch():
        return
    taken_in = name in ("frombuffer", "from_dlpack", "from_numpy")
    tensor = result if taken_in else args[0] if args else None
    storage = storage_of(tensor) if isinstance(tensor, torch.Tensor) else None
    if storage is None or storage.device.type != "cpu" or not storage.nbytes():
        return
    record = watch.record
    known = any(one.reference.cdata == storage._cdata for one in record.exports)
    if not known and len(record.exports) < _PIECES:
        position, writes = between.position(sys._getframe(1), record.sites), len(record.writes.of(storage))
        record.exports.append(Export(StorageWeakRef(storage), _print_of(storage), writes, position))


@guarded
def asked_for_data(watch, tensor: torch.Tensor, clock: int) -> None:
    """Remember the bytes of a small tensor, so that it is noticed when what ``.data`` wrote there was put back."""
    storage = storage_of(tensor)
    if storage is None or storage.device.type != "cpu" or not 0 < storage.nbytes() <= _BYTES:
        return
    record = watch.record
    prints, writes = record.prints.of(storage), record.writes.of(storage)
    if not prints or writes and writes[-1].clock > prints[-1][0]:
        record.prints.add(storage, (clock, _print_of(storage)))


def put_back(record, storage: torch.UntypedStorage, writes: list[Write]) -> bool:
    """Whether the memory holds what it held before the first of ``writes``, as far as anybody looked then."""
    if any(one.tensor_only is not None for one in writes):
        return False  # the tensor was given other memory
    first = writes[0].clock
    before = [one for one in record.prints.of(storage) if one[0] < first]
    if not before:
        return False
    unseen = any(before[-1][0] < one.clock < first for one in record.writes.of(storage))
    return not unseen and before[-1][1] == _print_of(storage)


@guarded
def look(watch) -> None:
    """Compare the bytes of each exported piece; a change that no call of torch made is a write around the counter."""
    record = watch.record
    position = between.position(sys._getframe(1), record.sites)
    for export in list(record.exports):
        storage = None if export.reference.expired() else _storage(export.reference)
        if storage is None or export.looks >= _LOOKS:
            record.exports.remove(export)
            continue
        export.looks += 1
        now, writes = _print_of(storage), len(record.writes.of(storage))
        if now != export.fingerprint and writes == export.writes:
            site, by = _site(export.position, position)
            # The change was made before the call that is just beginning.
            record.latest_write = record.tick()
            number = record.sites.add(site)
            record.writes.add(storage, Write(record.clock, number, by, 0, 0))
            writes += 1
        export.fingerprint, export.writes, export.position = now, writes, position


def _storage(reference: StorageWeakRef) -> torch.UntypedStorage | None:
    return torch.UntypedStorage._new_with_weak_ptr(reference.cdata)


def _print_of(storage: torch.UntypedStorage) -> int:
    size = min(storage.nbytes(), _BYTES)
    return zlib.crc32((ctypes.c_char * size).from_address(storage.data_ptr()))


def _asked_by_torch() -> bool:
    frame = sys._getframe(1)
    here = __file__.rpartition("exports")[0]
    while frame is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back
    return frame is not None and is_inside(frame.f_code)


def _site(before: between.Position, now: between.Position) -> tuple[Site, str]:
    """The line that wrote between two positions of the program, and what is to be said of it."""
    found = between.writer(before, now)
    if found is not None:
        return Site(found[0], found[1], "", "", "", 0), SHARED
    file, line = now[-1][1:3] if now else ("", 0)
    return Site(place(file, line), (), "", "", "", 0), f"{SHARED}, here or before"
