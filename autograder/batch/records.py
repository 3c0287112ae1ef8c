"""What was graded, and from what: grading/<assignment>/<student>.json in the course's folder.

A record is written after the grades are in the gradebook, by renaming a complete file into its place: there is either
the old one, or none, or the whole new one. Its fingerprint is of everything that the grade depends on: the files that
were handed in, the assignment in the gradebook, the files beside the source notebooks, the configuration and the code
of the checks. A record with another fingerprint means: grade again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from autograder.batch.values import Order, Result

FOLDER = "grading"
PASSED_OVER = {".ipynb_checkpoints", "__pycache__"}
LOCK_SECONDS = 600.0
_CHUNK = 1 << 20


def record_path(course: str | Path, assignment: str, student: str) -> Path:
    """Where the record of one submission is."""
    return Path(course, FOLDER, assignment, f"{student}.json")


def read_record(course: str | Path, assignment: str, student: str) -> Result | None:
    """The record of one submission; None where there is none that can be read."""
    try:
        text = record_path(course, assignment, student).read_text(encoding="utf-8")
        return Result.from_dict(json.loads(text))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_record(course: str | Path, assignment: str, result: Result) -> None:
    """Write the record of a graded submission, or nothing at all. The log is not part of it (see `write_log`)."""
    path = record_path(course, assignment, result.student)
    path.parent.mkdir(parents=True, exist_ok=True)
    result = replace(result, log="")
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(result.as_dict(), file, indent=1, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def write_log(course: str | Path, assignment: str, result: Result) -> None:
    """Keep what nbgrader logged about one submission beside its record."""
    path = record_path(course, assignment, result.student).with_name(f"{result.student}.log")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{result.log}\n", encoding="utf-8", errors="replace")


@contextlib.contextmanager
def locked(order: Order) -> Iterator[None]:
    """Only one process at a time grades a submission: two would create the same rows of the gradebook.

    The lock is the operating system's, so it ends with the process that holds it.

    Raises:
        TimeoutError: another process has held it for ten minutes.
    """
    from filelock import FileLock

    folder = Path(order.course, FOLDER, order.assignment, ".locks")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{order.student}.lock", timeout=LOCK_SECONDS):
        yield


def digest_of(parts: Iterable[bytes]) -> str:
    """SHA-256 of a sequence of texts; each counts with its length, so that their borders count too."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def digest_of_folder(folder: Path, leave_out: str = "") -> str:
    """SHA-256 of names and contents of the files below a folder, whatever lies there. Links are not followed.

    Args:
        leave_out: files whose names end like this do not count.
    """
    return digest_of(part for path in _walk(folder) for part in _described(path, folder, leave_out))


def _walk(folder: Path) -> Iterator[Path]:
    for top, folders, files in os.walk(folder, onerror=None, followlinks=False):
        folders[:] = sorted(set(folders) - PASSED_OVER)
        links = [name for name in folders if Path(top, name).is_symlink()]
        yield from sorted(Path(top, name) for name in [*files, *links])


def _described(path: Path, folder: Path, leave_out: str) -> Iterator[bytes]:
    name = os.fsencode(path.relative_to(folder))
    if leave_out and name.endswith(leave_out.encode()):
        return
    yield name
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            yield b"link " + os.fsencode(os.readlink(path))
        elif stat.S_ISREG(mode):
            yield _content(path)
        else:
            yield b"special"  # a pipe, say: to open it could wait for ever
    except OSError as error:
        yield f"unreadable {error.errno}".encode()


def _content(path: Path) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return b"file " + digest.digest()
