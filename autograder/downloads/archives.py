"""Opening archives that strangers made: plain files only, inside the folder, within limits, whatever is wrong.

nbgrader's own way gives up on the whole class at the first archive that cannot be read, and reads names of an archive
without the sign for UTF-8 (Canvas writes such) as if they were of 1981.
"""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
UNKNOWN = (".7z", ".rar", ".tar.bz2", ".tar.xz")
INSIDE = 3  # archives in archives
MOST_FILES = 2000  # of one student's archive
MOST_BYTES = 500 * 2**20  # of one student's archive
LEFT_OUT = ("__MACOSX", ".ipynb_checkpoints", "__pycache__")
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class _Member:
    name: str
    size: int
    open: Callable[[], BinaryIO]


def open_all(folder: Path, dest: Path, most_file_bytes: int) -> tuple[str, ...]:
    """Bring everything below a folder into another one: files as they are, archives as folders named after them.

    Args:
        folder: what was downloaded.
        dest: where it goes.
        most_file_bytes: larger files are left out.

    Returns:
        A sentence for each file that was left out or could not be opened.
    """
    said: list[str] = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        for name in sorted(names):
            path = Path(where, name)
            inside = path.relative_to(folder)
            if path.is_symlink() or not path.is_file():
                said.append(f"{inside}: left out, because it is no plain file.")
            elif is_archive(name):
                target = dest / _composed(str(inside.parent)) / folder_name(_composed(name))
                _open(path, target, str(inside), most_file_bytes, INSIDE, None, said)
            elif not name.startswith("."):
                with path.open("rb") as file:
                    _write(file, dest / _composed(str(inside)), most_file_bytes, str(inside), said)
    return tuple(said)


def is_archive(name: str) -> bool:
    return name.lower().endswith(ENDINGS)


def folder_name(name: str) -> str:
    """The name of an archive without its ending."""
    ending = max((ending for ending in ENDINGS if name.lower().endswith(ending)), key=len)
    return name[: -len(ending)] or name


@dataclass
class _Budget:
    files: int
    left: int


def _open(
    archive: Path, dest: Path, called: str, most: int, deeper: int, budget: _Budget | None, said: list[str]
) -> None:
    """Open one archive; `budget` is None for the instructor's own, which may hold any number of files."""
    within: list[Path] = []
    try:
        for member in _members(archive, said, called):
            target = dest / member.name
            if budget is not None:
                budget.files -= 1
                budget.left -= member.size
                if budget.files < 0 or budget.left < 0:
                    said.append(f"{called}: holds too much; the rest of it was left out.")
                    break
            with member.open() as file:
                if _write(file, target, most, f"{called}/{member.name}", said) and is_archive(target.name):
                    within.append(target)
    except _BROKEN as error:
        said.append(f"{called}: cannot be opened ({error or type(error).__name__}).")
    except OSError as error:
        said.append(f"{called}: cannot be opened ({error.strerror or error}).")
    for path in within:
        name = f"{called}/{path.relative_to(dest)}"
        if deeper == 1:
            said.append(f"{name}: an archive in an archive in an archive is not opened.")
            continue
        _open(
            path,
            path.parent / folder_name(path.name),
            name,
            most,
            deeper - 1,
            budget or _Budget(MOST_FILES, MOST_BYTES),
            said,
        )
        path.unlink()


def _members(archive: Path, said: list[str], called: str) -> Iterator[_Member]:
    opened = _zip_members if archive.name.lower().endswith(".zip") else _tar_members
    for member in opened(archive):
        parts = PurePosixPath(member.name.replace("\\", "/")).parts
        if any(part in LEFT_OUT for part in parts) or not parts or parts[-1].startswith("."):
            continue
        if member.name.startswith("/") or ".." in parts or ":" in parts[0]:
            said.append(f"{called}: the file {member.name!r} was left out, because it points out of the archive.")
            continue
        yield _Member("/".join(parts), member.size, member.open)


def _zip_members(archive: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.is_dir() or kind not in (0, stat.S_IFREG):
                continue
            yield _Member(_composed(_decoded(info)), info.file_size, lambda info=info: opened.open(info))


def _tar_members(archive: Path) -> Iterator[_Member]:
    with tarfile.open(archive) as opened:
        for info in opened:
            if info.isreg():
                yield _Member(_composed(info.name), info.size, lambda info=info: opened.extractfile(info))


def _decoded(info: zipfile.ZipInfo) -> str:
    """A name without the sign for UTF-8 is read as code page 437 by the standard; mostly it is UTF-8 all the same."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _composed(name: str) -> str:
    """macOS writes "e" and an accent where others write one letter."""
    return unicodedata.normalize("NFC", name)


def _write(file: BinaryIO, target: Path, most: int, called: str, said: list[str]) -> bool:
    """Write a file; False, and a sentence, where that cannot be done or the file is too large."""
    if target.name.lower().endswith(UNKNOWN):
        said.append(f"{called}: archives of this kind are not opened; ask for .ipynb or .zip.")
        return False
    if target.exists():
        said.append(f"{called}: left out, because there is another file of that name.")
        return False
    written = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            while chunk := file.read(_CHUNK):
                written += len(chunk)
                if written > most:
                    break
                out.write(chunk)
    except (OSError, gzip.BadGzipFile) as error:
        said.append(f"{called}: could not be written ({error.strerror or error}).")
        target.unlink(missing_ok=True)
        return False
    if written > most:
        target.unlink()
        said.append(f"{called}: left out, because it is larger than {most:,} bytes.")
        return False
    return True
