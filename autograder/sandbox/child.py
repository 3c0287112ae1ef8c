"""What happens in the process that runs a submission: confine it for good, then run one task and report.

Order matters. What is trusted is read first (the request of this run only: an earlier submission's never passed
through this memory), then one wall after another is closed, each from a position that the next one takes away.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import os
import random
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import _exit  # our own name: a task may patch the module's
from pathlib import Path

from autograder.sandbox import filters, places, wire
from autograder.sandbox.values import Limits

OPEN_FILES = 128  # each may hold a socket's buffer in the kernel, which no limit of memory counts
SPARE_SECONDS = 2  # of processor time: the supervisor, which sees all processes, is to come first
SETUP_FAILED = 70


@dataclass(frozen=True)
class Stage:
    """How to confine a process here.

    Args:
        way: "landlock", "bubblewrap" or "none".
        root: the folder on which the tree is built that becomes "/", for landlock.
        readable: what every run may read.
        user: number of the user to become, or None to stay (an ordinary user has no choice).
        others: processes of that user that count towards its limit and are not the run's.
        filter: the seccomp filter, or None.
        scratch: the folder that the run may write to.
        cuda: whether a GPU may be used; then address space, of which CUDA reserves terabytes, is no measure of memory.
    """

    way: str
    root: str = ""
    readable: tuple[str, ...] = ()
    user: int | None = None
    others: int = 0
    filter: filters.Filter | None = None
    scratch: str = places.SCRATCH
    cuda: bool = False


def run(request_end: int, message_end: int, stage: Stage) -> None:
    """Read the request, confine this process, run the task. Never returns."""
    send = _sender(message_end)
    try:
        request = _read(request_end)
        limits = Limits(**request["limits"])
        _only_descriptors({message_end})
        _confine(stage, limits, request)
        _still_there()
    except BaseException as error:
        with contextlib.suppress(BaseException):
            send({"refused": f"{type(error).__name__}: {error}"})
        _exit(SETUP_FAILED)
    try:
        send({"confined": stage.way})
        module, _, name = request["task"].partition(":")
        task = getattr(importlib.import_module(module), name)
        response = task(request["request"], lambda message: send({"message": message}))
        send({"response": response})
    except BaseException as error:
        with contextlib.suppress(BaseException):
            send({"failed": _one_line(error)})
        with contextlib.suppress(BaseException):
            send({"failed": type(error).__name__})
    finally:
        while True:
            _exit(0)


def _read(request_end: int) -> dict:
    with os.fdopen(request_end, "rb") as stream:
        return json.loads(stream.read())


def _sender(descriptor: int) -> Callable[[dict], None]:
    lock = threading.Lock()

    def send(message: dict) -> None:
        data = memoryview(wire.encode(message))
        with lock:
            while data:
                data = data[os.write(descriptor, data) :]

    return send


def _one_line(error: BaseException) -> str:
    lines = traceback.format_exception_only(type(error), error)
    return " ".join(" ".join(lines).split())[:2000]


def _only_descriptors(kept: Iterable[int]) -> None:
    """Close every descriptor but these; standard input, output and error lead to nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard, inheritable=True)
    below = 3
    for descriptor in sorted(kept):
        os.closerange(below, descriptor)
        below = descriptor + 1
    os.closerange(below, 1 << 20)


def _confine(stage: Stage, limits: Limits, request: dict) -> None:
    if stage.way != "bubblewrap":  # which starts one of its own
        os.setsid()
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM):
        python_default = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
        signal.signal(number, python_default.get(number, signal.SIG_IGN))
    if os.path.exists("/proc/self/oom_score_adj"):  # if memory runs out anyway, this process goes first
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
    readable = places.checked(request["readable"])
    if stage.way == "landlock":
        _enter(stage, limits, readable)
    os.chdir(stage.scratch)
    os.umask(0o077)
    _limit(stage, limits)
    if stage.way != "none":
        _become(stage)
    _write(request["files"])
    _environment(stage.scratch)
    if stage.way != "none":
        from autograder.sandbox import landlock, system

        system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
        if stage.way == "landlock" or landlock.version():
            landlock.confine(
                [*stage.readable, *readable, "/proc", "/etc/passwd", "/etc/group"],
                [stage.scratch],
                [f"/dev/{name}" for name in places.DEVICES] + _gpus(stage),
            )
        if stage.filter is not None:
            stage.filter.load()


def _still_there() -> None:
    """What was imported must be readable still: where no check finds its exercise, everybody would get 0 points."""
    for name in ("autograder", "inplace_lab", "torch"):
        for folder in getattr(sys.modules.get(name), "__path__", ()):
            try:
                os.listdir(folder)
            except OSError as error:
                raise FileNotFoundError(
                    f"{name} was imported from {folder}, and a submission cannot read it there ({error.strerror}): "
                    f"install this project and torch into one environment, for example by `make install`."
                ) from None


def _enter(stage: Stage, limits: Limits, readable: Iterable[str]) -> None:
    """Build a tree of what this run may see, and make it all the files that there are."""
    from autograder.sandbox import namespaces, system

    system.unshare(
        system.CLONE_NEWNS | system.CLONE_NEWNET | system.CLONE_NEWIPC | system.CLONE_NEWUTS | system.CLONE_NEWCGROUP
    )
    user, group = (stage.user, stage.user) if stage.user is not None else (os.geteuid(), os.getegid())
    namespaces.build_tree(stage.root, (*stage.readable, *readable), int(limits.scratch), user, group)
    system.enter_root(stage.root)


def _limit(stage: Stage, limits: Limits) -> None:
    used = sum(os.times()[:2])
    cpu = int(used + limits.cpu + SPARE_SECONDS)
    bounds = {
        resource.RLIMIT_CPU: (cpu, cpu + 1),
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: int(limits.file),
        resource.RLIMIT_NOFILE: OPEN_FILES,
    }
    if sys.platform == "linux":
        bounds[resource.RLIMIT_MEMLOCK] = 64 << 10
        bounds[resource.RLIMIT_MSGQUEUE] = 0
        bounds[resource.RLIMIT_SIGPENDING] = 1024
        address_space, data = _mapped()
        if stage.cuda:
            bounds[resource.RLIMIT_DATA] = data + int(limits.memory)
        else:
            bounds[resource.RLIMIT_AS] = address_space + int(limits.memory)
        if stage.way != "none":  # there the user's other processes would count
            bounds[resource.RLIMIT_NPROC] = int(limits.processes) + stage.others
    for which, bound in bounds.items():
        soft, hard = bound if isinstance(bound, tuple) else (bound, bound)
        ceiling = resource.getrlimit(which)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(which, (soft, hard))


def _mapped() -> tuple[int, int]:
    """(bytes of address space, bytes of private writable mappings) of this process."""
    pages = Path("/proc/self/statm").read_text().split()
    size = os.sysconf("SC_PAGE_SIZE")
    return int(pages[0]) * size, int(pages[5]) * size


def _become(stage: Stage) -> None:
    from autograder.sandbox import system

    if stage.user is not None:
        os.setgroups([])
        os.setresgid(stage.user, stage.user, stage.user)
        # Capabilities are dropped from a bounding set that takes one to change, so they go with the user, not before.
        system.drop_bounding_set()
        os.setresuid(stage.user, stage.user, stage.user)
        system.prctl(system.PR_SET_DUMPABLE, 1)  # the change of user took its own /proc/self from it
    else:
        system.drop_bounding_set()
    system.drop_capabilities()


def _write(files: dict[str, str]) -> None:
    """Put the files where the run finds them. One that cannot be written (no room, a folder there) is missing then."""
    for name, content in files.items():
        path = Path(name)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(content))


def _environment(scratch: str) -> None:
    clean = places.environment(scratch)
    os.environ.clear()
    os.environ.update(clean)
    # Helper files may be imported; a torch.py among them never wins.
    sys.path[:] = [entry for entry in sys.path if entry not in ("", ".", scratch)] + [scratch]
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    if "tempfile" in sys.modules:
        sys.modules["tempfile"].tempdir = None
        sys.modules["tempfile"]._name_sequence = None
    if "matplotlib" in sys.modules:  # it remembers where the warm process keeps its files
        for name in ("get_configdir", "get_cachedir"):
            with contextlib.suppress(AttributeError):
                getattr(sys.modules["matplotlib"], name).cache_clear()
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
        sys.modules["torch"].manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    random.seed(0)


def _gpus(stage: Stage) -> list[str]:
    return [str(path) for path in Path("/dev").glob("nvidia*") if not path.is_dir()] if stage.cuda else []
