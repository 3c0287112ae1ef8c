"""Memory that was handed out of torch (to NumPy, to another library): nothing tells when it is written there.

So its bytes are compared, at each call of torch while the memory lives. A change lies between two calls, and the
statement between their lines that can have made it is looked up in the source.
"""

from __future__ import annotations

import ast
import ctypes
import linecache
import sys
import zlib
from dataclasses import dataclass, field

import torch
from torch.multiprocessing.reductions import StorageWeakRef

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
    file: str
    line: int
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
        file, line = _where()
        export = Export(StorageWeakRef(storage), _print_of(storage), len(record.writes.of(storage)), file, line)
        record.exports.append(export)


@guarded
def look(watch) -> None:
    """Compare the bytes of each exported piece; a change that no call of torch made is a write around the counter."""
    record = watch.record
    file, line = _where()
    for export in list(record.exports):
        storage = None if export.reference.expired() else _storage(export.reference)
        if storage is None or export.looks >= _LOOKS:
            record.exports.remove(export)
            continue
        export.looks += 1
        now, writes = _print_of(storage), len(record.writes.of(storage))
        if now != export.fingerprint and writes == export.writes:
            site = _site(export, file, line)
            # The change was made before the call that is just beginning.
            record.latest_write = record.tick()
            number = record.sites.add(site)
            record.writes.add(storage, Write(record.clock, number, SHARED, 0, 0))
            writes += 1
        export.fingerprint, export.writes, export.file, export.line = now, writes, file, line


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


def _where() -> tuple[str, int]:
    frame = sys._getframe(1)
    while frame is not None and is_inside(frame.f_code):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)


def _site(export: Export, file: str, line: int) -> Site:
    """The statement between the two calls that looks most like a write; else the later call's line."""
    if file == export.file and export.line <= line:
        for number in range(export.line, line + 1):
            if number not in (export.line, line) and _writes(linecache.getline(file, number)):
                return Site(place(file, number), (), "", "", "", 0)
        for number in range(export.line, line + 1):
            if _writes(linecache.getline(file, number)):
                return Site(place(file, number), (), "", "", "", 0)
    return Site(place(file, line), (), "", "", "", 0)


def _writes(code: str) -> bool:
    try:
        statements = ast.parse(code.strip()).body
    except SyntaxError:
        return False
    for node in (inner for statement in statements for inner in ast.walk(statement)):
        if isinstance(node, ast.AugAssign):
            return True
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Subscript) for target in node.targets):
            return True
        if isinstance(node, ast.keyword) and node.arg == "out":
            return True
        if isinstance(node, ast.Attribute) and node.attr.endswith("_") and not node.attr.endswith("__"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("fill", "sort", "put", "itemset", "partition", "copyto"):
            return True
    return False
