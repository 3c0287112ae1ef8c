"""The helper process: it imports once what notebooks import, then starts one confined child for each run.

It takes orders from the grader over a socket (`run`, `started`, `kill`) and answers when a child has ended. It never
sees a request or a response: those pass between grader and child through two pipes, so that a forked child does not
find an earlier submission in the memory that it inherits.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.machinery
import importlib.util
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from types import ModuleType
from typing import IO, NoReturn

from autograder.sandbox import child, places, processes, wire
from autograder.sandbox.values import Limits

TICK = 0.025  # seconds between two looks at memory and time
START_SECONDS = 120.0  # for a child to be confined; a cold one imports torch in it
EXECUTABLE_MAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")


class _Gone(Exception):
    """The grader closed its end."""


class _Orders:
    """The server's end of the socket."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._lines = wire.Lines()
        self._waiting: list[dict] = []
        self._descriptors: list[int] = []

    def next(self) -> dict:
        """Wait for the next order; one to run carries the ends of its two pipes under "ends".

        Raises:
            _Gone: the grader has closed its end.
        """
        while not self._waiting:
            self._receive()
        order = self._waiting.pop(0)
        if "run" in order:
            order["ends"], self._descriptors = tuple(self._descriptors[:2]), self._descriptors[2:]
        return order

    def at_once(self) -> list[dict]:
        """The orders that are there, none of them one to run (the grader waits for an end first). Raises _Gone."""
        if select.select([self.connection], [], [], 0)[0]:
            self._receive()
        orders, self._waiting = self._waiting, []
        return orders

    def _receive(self) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(self.connection, 1 << 16, 4)
        except ConnectionError:
            raise _Gone from None
        if not data:
            raise _Gone
        self._descriptors += descriptors
        self._waiting += [wire.decode(line) for line in self._lines.feed(data)]

    def answer(self, message: dict) -> None:
        """Send one line."""
        try:
            self.connection.sendall(wire.encode(message))
        except OSError:
            raise _Gone from None


def launch(kind: str, control: socket.socket, errors: int | IO[bytes]) -> subprocess.Popen:
    """Start this package as a process with `control` as its standard input; `kind` is for its `__main__`."""
    return subprocess.Popen(
        [sys.executable, "-P", EXECUTABLE_MAIN, kind],
        stdin=control,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        env=places.environment(),
        cwd="/",
        start_new_session=True,
    )


def taken_from_standard_input() -> socket.socket:
    """The socket that `launch` gave this process; standard input and output lead to nowhere from now on."""
    control = socket.socket(fileno=os.dup(0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return control


def help_over(connection: socket.socket) -> NoReturn:
    """Be the helper process of the grader at the other end of a socket; the first line says what is wanted."""
    orders, number = _Orders(connection), os.getpid()
    try:
        wanted = orders.next()
        orders.answer({"helper": number})
        if wanted["way"] == "landlock":
            _stand_between(connection, wanted["grader"])
        stage = _prepare(wanted, orders, number)
        orders.answer({"ready": wanted["way"]})
        _serve(stage, orders, wanted)
    except (_Gone, KeyboardInterrupt):
        _end_all()
    os._exit(0)


def _own(name: str) -> ModuleType:
    """The package that lies beside this one, also where an installation has another copy of the project."""
    spec = importlib.machinery.PathFinder.find_spec(name, [str(places.PROJECT)])
    if name in sys.modules or spec is None:
        return importlib.import_module(name)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cold_child(arguments: list[str]) -> NoReturn:
    """What bubblewrap starts: imports, then runs one task. `arguments`: a JSON object and the ends of two pipes."""
    wanted = json.loads(arguments[0])
    warm_up(wanted["preload"])
    from autograder.sandbox import filters

    stage = child.Stage(
        "bubblewrap",
        readable=tuple(wanted["readable"]),
        user=wanted["user"],
        others=wanted["others"],
        filter=filters.Filter(),
        cuda=wanted["cuda"],
    )
    child.run(int(arguments[1]), int(arguments[2]), stage)


def warm_up(modules: list[str]) -> None:
    """Import what tasks will want, without a backward: autograd's threads would not live in a forked child."""
    if "inplace_lab" not in sys.modules and importlib.util.find_spec("inplace_lab") is None:
        sys.path.append(str(places.PROJECT))
    if not modules:
        return
    stand_in = sys.modules.pop("autograder", None)  # see __main__
    gc.disable()  # it would look through all that is imported again and again, a fifth of the time
    package = _own("autograder")
    _own("inplace_lab")
    if stand_in is not package:
        package.sandbox = sys.modules["autograder.sandbox"]
    for name in modules:
        importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    gc.freeze()  # children would copy every page that a collection marks
    gc.enable()


def _stand_between(connection: socket.socket, grader_number: int) -> None:
    """Go on in a child that is process 1 of a new namespace: when it ends, the kernel ends all that came from it.

    This process stays, and only waits: for that child, or for the grader to be gone.
    """
    from autograder.sandbox import namespaces, system

    orders = _Orders(connection)
    try:
        grader = os.pidfd_open(grader_number)
        namespaces.become_first()
    except OSError as error:
        orders.answer({"unavailable": _why_not(error)})
        os._exit(1)
    pid = os.fork()
    if pid == 0:
        os.close(grader)
        system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
        return
    connection.close()
    poller = select.poll()
    for descriptor in (grader, os.pidfd_open(pid)):
        poller.register(descriptor, select.POLLIN)
    with contextlib.suppress(KeyboardInterrupt):
        poller.poll()
    processes.kill([pid])
    os.waitpid(pid, 0)
    os._exit(0)


def _why_not(error: OSError) -> str:
    return (
        f"The kernel refuses new namespaces here ({error.strerror or error}): run the grader as root or allow them "
        f"(in a container --privileged or --security-opt seccomp=unconfined --cap-add SYS_ADMIN; on Ubuntu "
        f"sysctl kernel.apparmor_restrict_unprivileged_userns=0)."
    )


def _prepare(wanted: dict, orders: _Orders, number: int) -> child.Stage:
    way = wanted["way"]
    os.environ.update(wanted["environment"])
    warm_up([] if way == "bubblewrap" else wanted["preload"])
    user = _user(number) if os.geteuid() == 0 else None
    readable = places.readable()
    try:
        if way == "landlock":
            from autograder.sandbox import filters, namespaces

            namespaces.mount_proc("/proc")
            root = namespaces.ground(readable)
            # This process and the one before it are the only others of an ordinary user in this user namespace.
            stage = child.Stage(way, root, readable, user, 0 if user is not None else 2, filters.Filter())
        elif way == "bubblewrap":
            stage = child.Stage(way, "", readable, user, cuda=wanted["cuda"])
        else:
            stage = child.Stage(way)
    except (OSError, StopIteration) as error:
        orders.answer({"unavailable": f"A tree of files to confine a submission in could not be built ({error})."})
        os._exit(1)
    if sys.platform == "linux" and way != "landlock":
        from autograder.sandbox import system

        system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    return stage


def _user(number: int) -> int:
    """A user number that nobody else has, so that limits which count by user count this helper's children only."""
    with open("/proc/self/uid_map") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    wish = 1_900_000_000 + number
    if any(first <= wish < first + count for first, _, count in ranges):
        return wish
    first, _, count = max(ranges, key=lambda item: item[2])
    return first + count - 2 - number % max(1, min(1000, count // 2))


def _serve(stage: child.Stage, orders: _Orders, wanted: dict) -> NoReturn:
    if stage.way == "landlock":
        own_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    else:
        own_namespace = -1
    baseline = processes.resident([os.getpid()]) if stage.way != "bubblewrap" else 0
    while True:
        order = orders.next()
        if "run" not in order:
            continue  # about a run that has ended meanwhile
        limits = Limits(**order["limits"])
        started = time.monotonic()
        scratch = tempfile.mkdtemp(prefix="submission-") if stage.way == "none" else places.SCRATCH
        try:
            this = replace(stage, scratch=scratch)
            if stage.way == "bubblewrap":
                pid = _start_cold(this, limits, order, wanted)
            else:
                pid = _start_fork(this, order, own_namespace, orders)
            for end in order["ends"]:
                os.close(end)
            ending = _supervise(_Run(order["run"], pid, stage.way, limits, baseline), orders)
            _sweep(stage.way)
        finally:
            if stage.way == "none":
                shutil.rmtree(scratch, ignore_errors=True)
        orders.answer({"ended": order["run"], "seconds": time.monotonic() - started, **ending})


def _start_fork(stage: child.Stage, order: dict, own_namespace: int, orders: _Orders) -> int:
    from autograder.sandbox import system

    if stage.way == "landlock":
        system.unshare(system.CLONE_NEWPID)
    pid = os.fork()
    if pid == 0:
        child.run(*order["ends"], stage)
    if stage.way == "landlock":
        system.setns(own_namespace, system.CLONE_NEWPID)
    return pid


def _start_cold(stage: child.Stage, limits: Limits, order: dict, wanted: dict) -> int:
    from autograder.sandbox import bubblewrap

    told = json.dumps(
        {
            "preload": wanted["preload"],
            "readable": list(stage.readable),
            "user": stage.user,
            "others": 0 if stage.user is not None else 1,  # bubblewrap's process 1 of the namespace
            "cuda": stage.cuda,
        }
    )
    command = [sys.executable, "-P", EXECUTABLE_MAIN, "cold", told, *map(str, order["ends"])]
    line, more_ends = bubblewrap.command(
        wanted["bwrap"], command, (*stage.readable, *order["readable"]), int(limits.scratch), stage.user, stage.cuda
    )
    try:
        process = subprocess.Popen(
            line, pass_fds=(*order["ends"], *more_ends), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
    finally:
        for end in more_ends:
            os.close(end)
    process.returncode = 0  # waited for here, by number
    return process.pid


@dataclass
class _Run:
    number: int
    pid: int
    way: str
    limits: Limits
    baseline: int

    def processes(self) -> list[int]:
        """All processes of this run; in a namespace of their own, whatever they do to hide."""
        if self.way == "landlock":
            return processes.all_but(os.getpid())
        return [self.pid, *processes.descendants(self.pid)] if self.way == "none" else processes.descendants(self.pid)

    def kill(self) -> None:
        """End all of them."""
        if self.way == "bubblewrap":
            # Its child is process 1 of the namespace: the kernel ends the others with it. bubblewrap then ends itself.
            processes.kill(processes.descendants(self.pid)[:1] or [self.pid])
        elif self.way == "landlock":
            processes.kill([self.pid])
        else:
            processes.kill(self.processes())


def _supervise(run: _Run, orders: _Orders) -> dict:
    """Wait for the child's end, and bring it about when it is due. Returns what `ended` says."""
    limits, cause = run.limits, ""
    watched = os.pidfd_open(run.pid) if hasattr(os, "pidfd_open") else None
    waiting = [orders.connection] + ([watched] if watched is not None else [])
    clock, allowed, cpu_before, cpu_seen, killed_at = time.monotonic(), START_SECONDS, 0.0, 0.0, 0.0
    enough = int(limits.memory) + run.baseline
    try:
        while True:
            pid, status, used = os.wait4(run.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                return {"code": code, "cause": cause, "cpu": max(cpu_seen, used.ru_utime + used.ru_stime)}
            if select.select(waiting, [], [], TICK if watched is not None else TICK / 4)[0]:
                try:
                    told = orders.at_once()
                except _Gone:
                    run.kill()
                    raise
                if any(order.get("started") == run.number for order in told):
                    clock, allowed = time.monotonic(), limits.wall
                    cpu_before = processes.usage(run.processes(), sys.maxsize).cpu
                if any(order.get("kill") == run.number for order in told):
                    cause = cause or "told"
            if not cause:
                used_now = processes.usage(run.processes(), enough)
                cpu_seen = max(cpu_seen, used_now.cpu)
                if time.monotonic() - clock > allowed:
                    cause = "wall time"
                elif used_now.memory > enough:
                    cause = "memory"
                elif used_now.cpu - cpu_before > limits.cpu and allowed != START_SECONDS:
                    cause = "cpu time"
            if cause:
                if killed_at and time.monotonic() - killed_at > 5:
                    processes.kill([run.pid])
                killed_at = killed_at or time.monotonic()
                run.kill()
    finally:
        if watched is not None:
            os.close(watched)


def _end_all() -> None:
    """Before this process ends: what it leaves would stay, unless a namespace goes with it."""
    for _ in range(100):
        left = processes.descendants(os.getpid())
        processes.kill(left)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not left:
            return
        time.sleep(0.005)


def _sweep(way: str) -> None:
    """End and collect whatever the run left behind. In a namespace of its own the kernel has done so already."""
    for _ in range(1000):
        if way != "landlock":
            processes.kill(processes.descendants(os.getpid()))
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.001)
        except ChildProcessError:
            return
