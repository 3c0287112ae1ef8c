"""Which files of the machine a submission may read: Python's own, the project's two packages, system libraries."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterable
from pathlib import Path

SCRATCH = "/scratch"
LINKS = {"/dev/fd": "/proc/self/fd", "/dev/shm": SCRATCH, "/tmp": SCRATCH, "/var/tmp": SCRATCH}
VISIBLE = "CUDA_VISIBLE_DEVICES"
DEVICES = ("null", "zero", "full", "random", "urandom")

_PACKAGES = Path(os.path.abspath(__file__)).parents[1]  # as it is named: modules keep that name, links and all
PROJECT = _PACKAGES.parent

# Whole prefixes are never shown: a course may lie below one (/usr/src/app, /usr/local/course).
_PARTS = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share", "pyvenv.cfg", "etc/fonts", "ssl")
_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
_SYSTEM = (
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/sys/devices/system/cpu",
)


def environment(scratch: str | None = None) -> dict[str, str]:
    """What a process here starts with: nothing of the grader's own. With a `scratch` folder, a student's."""
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "LC_CTYPE", "TZ", VISIBLE) if name in os.environ}
    set_here = {
        "PATH": os.pathsep.join([os.path.dirname(sys.executable), *_PATH]),
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",  # grading again meets the same order of sets
    }
    if scratch is None:
        # Large pages for large tensors: a megabyte is one page fault then, not 256, a sixth of a lesson's time.
        return kept | set_here | {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    return (
        kept
        | set_here
        | {
            "HOME": scratch,
            "TMPDIR": scratch,
            "USER": "student",
            "LOGNAME": "student",
            "MPLCONFIGDIR": os.path.join(scratch, ".matplotlib"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONSAFEPATH": "1",
        }
    )


def of_the_grader(cuda: bool) -> dict[str, str]:
    """What a process gets told after its start, of the grader's own environment: its children could read the rest.

    A GPU that is there and not to be used is hidden by CUDA's own variable, so that reports do not say that the machine
    has none.
    """
    told = {name: os.environ[name] for name in ("HOME", VISIBLE) if name in os.environ}
    return told if cuda or not os.path.exists("/dev/nvidiactl") else told | {VISIBLE: ""}


def readable() -> tuple[str, ...]:
    """Paths, each as it is named, that Python and torch need: absolute, existing, none below another.

    A symbolic link is listed beside what it leads to.
    """
    wanted = [str(_PACKAGES), str(PROJECT / "inplace_lab"), *_SYSTEM]
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, "/usr", "/usr/local"}:
        wanted += [os.path.join(prefix, part) for part in _PARTS]
    user_site = site.getusersitepackages()
    wanted += [entry for entry in sys.path if entry == user_site or _is_library(entry)]
    wanted.append(sys.executable)
    return _outermost(_with_targets(path for path in wanted if os.path.lexists(path)))


def checked(paths: Iterable[str | os.PathLike]) -> tuple[str, ...]:
    """Paths that one run may read beside these, resolved. Raises FileNotFoundError for one that does not exist."""
    return tuple(str(Path(path).resolve(strict=True)) for path in paths)


def passwd(user: int, group: int) -> str:
    """A list of users with the one that there is."""
    return f"student:x:{user}:{group}:student:{SCRATCH}:/bin/sh\n"


def group(number: int) -> str:
    """The same of groups."""
    return f"student:x:{number}:\n"


def _is_library(entry: str) -> bool:
    return os.path.basename(os.path.normpath(entry)) in ("site-packages", "dist-packages") and os.path.isdir(entry)


def _with_targets(paths: Iterable[str]) -> list[str]:
    """Each path spelled out: every symbolic link on the way to it, and where it really lies."""
    found: list[str] = []
    for path in paths:
        path = os.path.normpath(path)
        for _ in range(40):  # as many links as the kernel follows
            link = next((above for above in _from_the_top(path) if os.path.islink(above)), None)
            if link is None:
                break
            found.append(link)
            rest = path[len(link) :].lstrip("/")
            path = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link), rest))
        if os.path.exists(path):
            found.append(path)
    return found


def _from_the_top(path: str) -> list[str]:
    parts = path.strip("/").split("/")
    return ["/" + "/".join(parts[: count + 1]) for count in range(len(parts))]


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(above + "/") for above in kept if not os.path.islink(above)):
            kept.append(path)
    return tuple(kept)
