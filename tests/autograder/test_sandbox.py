"""Each wall of the sandbox, by trying it: in both ways, as the user who runs the tests and, for root, as nobody."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inplace_lab
from autograder.sandbox import (
    Limits,
    Origin,
    Outcome,
    SandboxError,
    SandboxUnavailable,
    Warm,
    child,
    choose,
    places,
    processes,
    warm,
    wire,
)
from autograder.sandbox.values import MIB
from tests import tools

if sys.platform != "linux":
    pytest.skip("submissions are isolated on Linux only", allow_module_level=True)

ATTEMPTS = Path(__file__).with_name("sandbox_attempts.py")
AS_NOBODY = Path(__file__).with_name("sandbox_as_nobody.py")
SECRET = "a-secret-of-the-grader"

SMALL = Limits(wall=20, cpu=20, memory=1 << 30, processes=20)


def attempt(helper: Warm, name: str, request: dict | None = None, **given: object) -> Outcome:
    """Run one function of sandbox_attempts.py."""
    files = {"sandbox_attempts.py": ATTEMPTS.read_bytes(), **given.pop("files", {})}
    given.setdefault("limits", SMALL)
    return helper.run(f"sandbox_attempts:{name}", request or {}, files=files, **given)


def available(way: str) -> str:
    """`way`, or the end of the test where this machine does not have it."""
    if way == "bubblewrap":
        tools.require("bwrap")
    try:
        return choose(way)
    except SandboxUnavailable as error:
        tools.missing(str(error))


@pytest.fixture(scope="module")
def forked() -> Iterator[Warm]:
    """The way landlock with all that a notebook wants imported, as graders have it."""
    with Warm(available("landlock")) as helper:
        yield helper


@pytest.fixture(scope="module", params=["landlock", "bubblewrap"])
def bare(request: pytest.FixtureRequest) -> Iterator[Warm]:
    """Both ways, with nothing imported: a cold start with torch takes seconds."""
    with Warm(available(request.param), preload=()) as helper:
        yield helper


class Outside:
    """What a submission is after: files, sockets and processes of this machine, all reachable for every user."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.gradebook = folder / "gradebook.db"
        self.other = folder / "submitted" / "another" / "exp.ipynb"
        for path in (self.gradebook, self.other):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("hands off")
            path.chmod(0o666)
        self.before = self.state()
        self.abstract = f"inplace-lab-{secrets.token_hex(4)}"
        self.sockets = [self._listen(socket.AF_INET, ("127.0.0.1", 0))]
        with contextlib.suppress(OSError):  # a machine without IPv6
            self.sockets.append(self._listen(socket.AF_INET6, ("::1", 0)))
        self.sockets.append(self._listen(socket.AF_UNIX, "\0" + self.abstract))
        self.path = folder / "socket"
        here = os.open(folder, os.O_RDONLY)
        # Its own path may be longer than an address can be.
        self.sockets.append(self._listen(socket.AF_UNIX, f"/proc/self/fd/{here}/socket"))
        os.close(here)
        self.path.chmod(0o777)
        self.folder = folder

    @staticmethod
    def _listen(family: int, address: object) -> socket.socket:
        listening = socket.socket(family)
        listening.bind(address)
        listening.listen()
        return listening

    def state(self) -> tuple[str, str]:
        return self.gradebook.read_text(), self.other.read_text()

    def request(self) -> dict:
        """For the task `survey`."""
        home = Path.home()
        secret = [self.gradebook, self.other, self.folder, home, tools.ROOT, tools.ROOT / "source"]
        secret += [tools.ROOT / "tests", "/etc/shadow", "/etc/hosts", "/var", "/home", "/proc/1/root/var"]
        return {
            "secret": [str(path) for path in secret],
            "shown": [json.__file__, str(tools.ROOT / "autograder" / "judge.py"), pytest.__file__],
            "outside": {
                "port4": self.sockets[0].getsockname()[1],
                "port6": self.sockets[1].getsockname()[1] if len(self.sockets) == 4 else 9,
                "abstract": self.abstract,
                "socket": str(self.path),
                "pids": {"grader": os.getpid(), "parent": os.getppid()},
            },
        }


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    # Not in /tmp: in the sandbox that is the scratch folder, where anything may be written.
    (tools.ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="outside-", dir=tools.ROOT / "build") as folder:
        there = Outside(Path(folder))
        yield there
        for listening in there.sockets:
            listening.close()


def as_this_user(way: str, outside: Outside, origin: Origin | None = None) -> dict:
    request = outside.request()
    with Warm(available(way), preload=(), origin=origin) as helper:
        helper.start()
        request["outside"]["pids"]["helper"] = helper._process.pid
        outcome = attempt(helper, "survey", request, limits=Limits(wall=30, cpu=30))
        assert outcome.status == "ok", outcome.reason
        count = attempt(helper, "count_processes").response["count"]
    return outcome.response | {"count": count}


def from_an_origin(way: str, outside: Outside) -> dict:
    with Origin(preload=()) as origin:
        return as_this_user(way, outside, origin)


def as_nobody(way: str, outside: Outside) -> dict:
    if os.geteuid() != 0:
        pytest.skip("the other tests run as an ordinary user already")
    available(way)
    unshare = tools.require("unshare")
    command = [unshare, "--mount", sys.executable, str(AS_NOBODY), way, json.dumps(outside.request())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(
    scope="module",
    params=[
        *((way, user) for user in (as_this_user, as_nobody) for way in ("landlock", "bubblewrap")),
        ("landlock", from_an_origin),
    ],
    ids=lambda param: f"{param[0]}-{param[1].__name__}",
)
def survey(request: pytest.FixtureRequest, outside: Outside) -> dict:
    """What came of every attempt that leaves the process alive."""
    way, user = request.param
    previous = os.environ.get("INPLACE_LAB_TOKEN")
    os.environ["INPLACE_LAB_TOKEN"] = SECRET
    try:
        return user(way, outside)
    finally:
        os.environ.pop("INPLACE_LAB_TOKEN")
        if previous is not None:
            os.environ["INPLACE_LAB_TOKEN"] = previous


def test_files_outside_can_be_neither_read_nor_changed(survey: dict, outside: Outside) -> None:
    for path in outside.request()["secret"]:
        for action in ("read", "write", "remove", "link"):
            result, detail = survey["tried"][f"{action} {path}"]
            assert result == "refused", f"{action} {path}: {detail}"
    assert outside.state() == outside.before


def test_python_and_the_project_are_read_only(survey: dict, outside: Outside) -> None:
    for path in outside.request()["shown"]:
        assert survey["tried"][f"read {path}"][0] == "done"
        assert survey["tried"][f"write {path}"][0] == "refused"
        assert survey["tried"][f"rename {path}"][0] == "refused"
    for path in ("/", "/etc", "/etc/passwd", "/dev", "/usr", "/proc", "/proc/sys/kernel/hostname"):
        assert survey["tried"][f"write {path}"][0] == "refused", path
    assert survey["tried"]["device node"][0] == "refused"


def test_the_user_list_holds_nobody_of_this_machine(survey: dict) -> None:
    result, text = survey["tried"]["read /etc/passwd"]
    assert result == "done" and "student" in text and "root" not in text


def test_the_scratch_folder_is_home_and_working_directory_and_has_a_size(survey: dict) -> None:
    home = survey["environment"]["HOME"]
    assert survey["folder"] == home == survey["environment"]["TMPDIR"]
    for path in ("/tmp", "/dev/shm", home):
        if tools.ROOT.is_relative_to(path) or Path(sys.prefix).is_relative_to(path):
            continue  # a project below /tmp is seen there, read-only; TMPDIR is the scratch folder all the same
        assert survey["tried"][f"write {path}"][0] == "done"
    assert survey["tried"]["10 GB file"] == ["refused", "EFBIG"] and survey["large"] == Limits().file
    assert survey["tried"]["many files"] == ["refused", "ENOSPC"] and survey["scratch"] <= Limits().scratch


def test_there_is_no_network(survey: dict) -> None:
    for name in ("IPv4", "IPv6", "UDP", "vsock", "netlink", "abstract Unix", "Unix"):
        assert survey["tried"][name][0] == "refused", name
    assert survey["interfaces"] == ["lo"]
    assert survey["tried"]["pair of Unix"][0] == "done"  # what asyncio and multiprocessing need


def test_other_processes_cannot_be_seen_signalled_or_traced(survey: dict) -> None:
    for who in ("grader", "parent"):
        for action in ("kill", "ptrace", "/proc of"):
            assert survey["tried"][f"{action} {who}"][0] == "refused", f"{action} {who}"
    assert survey["tried"]["kill all"][0] == "refused"  # there is nobody
    assert survey["tried"]["ptrace"] == ["refused", "EPERM"]
    assert set(survey["processes"]) <= {1, 2}  # itself, and bubblewrap's own first process


def test_the_kernel_offers_no_way_around(survey: dict) -> None:
    names = ["new namespaces", "mount", "chroot", "become root", "keys", "memfd", "shared memory of System V"]
    for name in (*names, "large socket buffers"):
        assert survey["tried"][name][0] == "refused", name
    status = survey["status"]
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0
    assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"


def test_large_allocations_fail_where_they_are_made(survey: dict) -> None:
    assert survey["tried"]["30 GB"] == ["refused", "MemoryError"]
    assert survey["tried"]["30 GB shared"] == ["refused", "ENOMEM"]


def test_the_environment_is_clean(survey: dict) -> None:
    assert SECRET not in json.dumps(survey)
    known = {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR", "USER", "LOGNAME", "MPLBACKEND"}
    known |= {"MPLCONFIGDIR", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE"}
    assert set(survey["environment"]) - known - {"PYTHONSAFEPATH", "PWD"} == set()
    assert not any(str(Path.home()) == value for value in survey["environment"].values())


def test_the_only_inherited_descriptor_is_its_pipe(survey: dict) -> None:
    found = dict(survey["descriptors"])
    assert [found.pop(name) for name in "012"] == ["/dev/null"] * 3
    assert len(found) == 1 and next(iter(found.values())).startswith("pipe:")


def test_the_number_of_processes_is_bounded(survey: dict) -> None:
    assert 15 <= survey["count"] <= 20


def test_a_shell_can_be_started_and_is_as_confined(survey: dict) -> None:
    assert survey["tried"]["shell"] == ["done", "b'42\\n'"]


def test_files_in_the_scratch_folder_never_shadow_a_library(bare: Warm) -> None:
    fakes = {name: b"raise ImportError('a fake')" for name in ("torch.py", "mailbox.py", "inplace_lab.py")}
    outcome = attempt(
        bare,
        "imports",
        {"modules": ["mailbox", "helper"], "started": ["mailbox"]},
        files={**fakes, "helper.py": b"", "torch/__init__.py": b""},
    )
    assert outcome.status == "ok", outcome.reason
    assert outcome.response["here"] == {"mailbox": __import__("mailbox").__file__, "helper": "/scratch/helper.py"}
    assert outcome.response["started"] == [__import__("mailbox").__file__], outcome.response["error"]


def test_an_honest_torch_wins_over_one_beside_the_notebook(forked: Warm) -> None:
    fakes = {"torch.py": b"raise ImportError('a fake')", "matplotlib.py": b"", "mailbox.py": b"", "numpy.py": b""}
    names = ["torch", "matplotlib", "numpy", "mailbox"]
    outcome = attempt(forked, "imports", {"modules": names, "started": ["mailbox", "numpy"]}, files=fakes)
    found = [*outcome.response["here"].values(), *outcome.response["started"]]
    assert len(found) == 6 and not any(path.startswith("/scratch") for path in found)


def test_an_allocation_of_30_gb_costs_its_own_cell_only(forked: Warm) -> None:
    outcome = attempt(forked, "allocate", {"bytes": 30 << 30}, limits=Limits())
    assert outcome.status == "ok", outcome.reason
    assert "allocate" in outcome.response["error"] and outcome.response["sum"] == 3.0


def test_messages_arrive_in_order_and_files_are_there(bare: Warm) -> None:
    request = {"messages": 200, "text": "Zwölf Boxkämpfer \n \u2028", "list": [1, 2.5, None, True]}
    outcome = attempt(bare, "echo", request, files={"data/numbers.csv": b"1,2\n"})
    assert outcome.status == "ok" and outcome.reason == "" and outcome.way == bare.way
    assert outcome.response["got"] == request
    assert outcome.response["files"] == ["data", "sandbox_attempts.py"]
    assert [message["number"] for message in outcome.messages] == list(range(200))


def test_a_file_that_cannot_be_written_is_missing_and_costs_nothing_else(bare: Warm) -> None:
    outcome = attempt(bare, "echo", files={"data/x": b"1", "data": b"2", "last": b"3"})
    assert outcome.status == "ok", outcome.reason
    assert outcome.response["files"] == ["data", "last", "sandbox_attempts.py"]


def test_a_large_request_and_response_pass(bare: Warm) -> None:
    text = "x" * (3 * MIB)
    assert attempt(bare, "echo", {"text": text}).response["got"] == {"text": text}


def test_more_files_can_be_shown(bare: Warm, outside: Outside) -> None:
    request = outside.request()
    shown = str(outside.gradebook)
    outcome = attempt(bare, "survey", request, readable=[shown], limits=Limits(wall=30, cpu=30))
    assert outcome.response["tried"][f"read {shown}"] == ["done", "b'hands off'"]
    assert outcome.response["tried"][f"write {shown}"][0] == "refused"
    assert outcome.response["tried"][f"read {outside.other}"][0] == "refused"


@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        ("garbage", "garbled", "something else than messages"),
        ("nested", "garbled", "something else than messages"),
        ("not a message", "garbled", "something else than messages"),
        ("number", "garbled", "something else than messages"),
        ("infinite", "garbled", "something else than messages"),
        ("confined", "garbled", "something else than messages"),
        ("refused", "garbled", "something else than messages"),
        ("flood", "too much output", "more than 1 MiB"),
        ("messages", "too much output", "more than 1 MiB"),
        ("half", "ended", "exit status 3), in the middle of a message"),
        ("close", "ended", "before it was done"),
        ("signal", "killed", "SIGSEGV"),
        ("abort", "killed", "SIG"),
        ("exit", "ended", "exit status 0"),
        ("SystemExit", "failed", "SystemExit: enough"),
        ("not JSON", "failed", "ValueError"),
        ("not a dict", "failed", "returned list"),
        ("surrogate", "ok", ""),
        ("forge", "ok", ""),
        ("patched exit", "ok", ""),
    ],
)
def test_a_bad_end_is_told_and_harms_no_later_run(forked: Warm, how: str, status: str, said: str) -> None:
    started = time.monotonic()
    outcome = attempt(forked, "abuse_pipe", {"how": how}, limits=Limits(wall=20, cpu=20, response=MIB))
    assert (outcome.status, said in outcome.reason) == (status, True), outcome.reason
    assert time.monotonic() - started < 10
    assert outcome.messages[0] == {"state": "before"}  # what came before is kept
    assert (outcome.response is None) == (status != "ok")
    json.dumps(outcome.response, ensure_ascii=False).encode()  # no lone surrogate is left
    assert attempt(forked, "echo", {"n": 1}).response["got"] == {"n": 1}
    assert only_the_helper_lives(forked)


def only_the_helper_lives(helper: Warm) -> bool:
    """Whether no process of a run is left. In the way landlock the helper's process is two, one for its namespace."""
    deadline = time.monotonic() + 2
    expected = 1 if helper.way == "landlock" else 0
    while time.monotonic() < deadline:
        if len(processes.descendants(helper._process.pid)) == expected:
            return True
        time.sleep(0.02)
    return False


def test_nothing_outlives_its_run(bare: Warm) -> None:
    outcome = attempt(bare, "leave_daemons")
    assert outcome.status == "ok" and outcome.response["processes"] >= 4
    assert only_the_helper_lives(bare)


def test_an_endless_sleep_ends_at_the_wall_time(bare: Warm) -> None:
    outcome = attempt(bare, "sleep", limits=Limits(wall=0.7, cpu=20))
    assert (outcome.status, outcome.reason) == ("wall time", "It was not done after 0.7 s, and was ended.")
    assert 0.6 < outcome.seconds < 5 and outcome.messages == ({"state": "sleeping"},)
    assert only_the_helper_lives(bare)


@pytest.mark.parametrize("count", [1, 4])
def test_a_busy_loop_ends_at_its_processor_time(bare: Warm, count: int) -> None:
    outcome = attempt(bare, "burn", {"processes": count}, limits=Limits(wall=30, cpu=0.8))
    assert (outcome.status, "0.8 s of processor time" in outcome.reason) == ("cpu time", True)
    assert 0.7 < outcome.cpu_seconds < 3
    assert only_the_helper_lives(bare)


def test_a_fork_bomb_goes_off_in_a_box(bare: Warm) -> None:
    outcome = attempt(bare, "fork_bomb", limits=Limits(wall=6, cpu=6, processes=30))
    assert outcome.status in ("ok", "wall time", "cpu time", "ended"), outcome.reason
    assert only_the_helper_lives(bare)
    assert attempt(bare, "echo", {"n": 1}).status == "ok"


def test_memory_of_several_processes_together_is_bounded(bare: Warm) -> None:
    request = {"processes": 6, "bytes": 200 * MIB}
    outcome = attempt(bare, "fill_memory", request, limits=Limits(wall=20, cpu=20, memory=512 * MIB))
    assert (outcome.status, "512 MiB of memory" in outcome.reason) == ("memory", True)
    assert only_the_helper_lives(bare)


def test_memory_that_processes_share_is_counted_once(bare: Warm) -> None:
    request = {"processes": 6, "bytes": 200 * MIB}
    outcome = attempt(bare, "share_memory", request, limits=Limits(wall=20, cpu=20, memory=512 * MIB))
    assert outcome.status == "ok", outcome.reason


def test_a_run_finds_nothing_of_an_earlier_one_in_its_memory(forked: Warm) -> None:
    first, second = secrets.token_hex(8), secrets.token_hex(8)
    assert attempt(forked, "echo", {"whole": first + second}).status == "ok"
    found = attempt(forked, "search_memory", {"first": first, "second": second, "whole": first + second})
    assert found.response["count"] >= 1  # its own request; the search works
    found = attempt(forked, "search_memory", {"first": first, "second": second})
    assert found.response["count"] == 0


def test_backward_works_in_a_forked_child(forked: Warm) -> None:
    import math

    outcome = attempt(forked, "backward", limits=Limits())
    assert outcome.status == "ok", outcome.reason
    assert outcome.response["gradient"] == pytest.approx([math.exp(value) for value in range(1, 6)], rel=1e-6)
    assert outcome.response["gradcheck"] is True and outcome.response["threads"] == 1
    assert outcome.response["picture"] > 1000
    print(f"backward, gradcheck and a figure in the child: {outcome.response['seconds']:.2f} s")


def test_backward_works_from_a_cold_start() -> None:
    with Warm(available("bubblewrap")) as helper:
        outcome = attempt(helper, "backward", limits=Limits(), files={"torch.py": b"raise ImportError('a fake')"})
    assert outcome.status == "ok", outcome.reason
    assert outcome.response["gradcheck"] is True
    print(f"bubblewrap, cold: {outcome.seconds:.2f} s")


@pytest.mark.cuda
def test_a_gpu_can_be_used_from_a_cold_start() -> None:
    available("bubblewrap")
    code = b"import torch\n\ndef task(request, send):\n    return {'sum': torch.ones(3, device='cuda').sum().item()}\n"
    with Warm("bubblewrap", cuda=True) as helper:
        outcome = helper.run("on_a_gpu:task", {}, files={"on_a_gpu.py": code})
    assert (outcome.status, outcome.response) == ("ok", {"sum": 3.0}), outcome.reason


def test_200_runs_leak_nothing() -> None:
    with Warm(available("landlock"), preload=()) as helper:
        assert attempt(helper, "leave_daemons").status == "ok"
        (inner,) = processes.descendants(helper._process.pid)
        before = _held(inner), _held(os.getpid())
        for number in range(200):
            task, request = [("echo", {}), ("abuse_pipe", {"how": "garbage"}), ("leave_daemons", {})][number % 3]
            assert attempt(helper, task, request).status in ("ok", "garbled")
        assert (_held(inner), _held(os.getpid())) == before
        assert only_the_helper_lives(helper)


def test_a_run_starts_fast(forked: Warm) -> None:
    found = [attempt(forked, "echo") for _ in range(30)]
    wall = sorted(outcome.seconds for outcome in found)
    cpu = sorted(outcome.cpu_seconds for outcome in found)
    print(f"a run, start to end: median {wall[15] * 1000:.0f} ms, of which {cpu[15] * 1000:.0f} ms of processor time")
    assert cpu[15] < 0.15  # wall time says more about the other tests that run now


def _held(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.parametrize("which", ["outer", "inner"])
def test_a_helper_that_died_is_started_again(which: str) -> None:
    with Warm(available("landlock"), preload=()) as helper:
        assert attempt(helper, "echo").status == "ok"
        old = helper._process.pid
        (inner,) = processes.descendants(old)
        os.kill(old if which == "outer" else inner, signal.SIGKILL)
        assert attempt(helper, "echo").status == "ok"
        assert helper._process.pid != old
        assert _gone(inner)


def _gone(pid: int, seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("way", ["landlock", "bubblewrap"])
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "Ctrl-C"])
def test_everything_ends_with_the_grader(way: str, ending: int) -> None:
    code = (
        f"import sys; sys.path.append({str(tools.ROOT)!r})\n"
        "from pathlib import Path\n"
        "from autograder.sandbox import Warm\n"
        f"with Warm({available(way)!r}, preload=()) as helper:\n"
        "    helper.start(); print(helper._process.pid, flush=True)\n"
        f"    helper.run('sandbox_attempts:sleep', {{}}, files={{'sandbox_attempts.py': "
        f"Path({str(ATTEMPTS)!r}).read_bytes()}})\n"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    helper = int(grader.stdout.readline())
    deadline = time.monotonic() + 20
    while len(processes.descendants(helper)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    everyone = [helper, *processes.descendants(helper)]
    assert len(everyone) >= 3
    grader.send_signal(ending)
    _, errors = grader.communicate(timeout=20)
    assert grader.returncode != 0 and ("KeyboardInterrupt" in errors) == (ending == signal.SIGINT)
    assert all(_gone(pid) for pid in everyone)


def test_a_forked_grader_has_a_helper_of_its_own() -> None:
    with Warm(available("landlock"), preload=()) as helper:
        assert attempt(helper, "echo").status == "ok"
        pid = os.fork()
        if pid == 0:
            status = 1
            with contextlib.suppress(BaseException):
                first = helper._process.pid
                if attempt(helper, "echo").status == "ok" and helper._process.pid != first:
                    status = 0
                helper.close()
            os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert attempt(helper, "echo").status == "ok"


def test_helpers_that_come_from_one_origin_are_warm_and_replaced() -> None:
    with Origin() as origin, Warm(available("landlock"), origin=origin) as one, Warm("none", origin=origin) as two:
        one.begin()
        found = attempt(one, "backward", limits=Limits())
        assert (found.status, found.response["gradcheck"]) == ("ok", True), found.reason
        outer = one._process.pid
        assert _parent(outer) == origin._process.pid
        (inner,) = processes.descendants(outer)
        assert attempt(two, "echo", {"n": 1}).response["got"] == {"n": 1}
        os.kill(inner, signal.SIGKILL)
        assert attempt(one, "echo").status == "ok" and one._process.pid != outer
        last = one._process.pid
    assert _gone(last) and _gone(inner)


def test_an_origin_that_died_costs_only_the_time_that_it_saves() -> None:
    with Origin(preload=()) as origin, Warm(available("landlock"), preload=(), origin=origin) as helper:
        os.kill(origin._process.pid, signal.SIGKILL)
        origin._process.wait()
        assert attempt(helper, "echo").status == "ok"
    with Origin(preload=["no_such_module"]) as origin, Warm("none", preload=(), origin=origin) as helper:
        assert attempt(helper, "echo").status == "ok"


def test_an_origin_serves_forked_processes_and_ends_with_its_own(tmp_path: Path) -> None:
    code = (
        f"import os, sys, time; sys.path.append({str(tools.ROOT)!r})\n"
        "from autograder.sandbox import Origin, Warm\n"
        "origin = Origin(preload=())\n"
        f"helper = Warm({available('landlock')!r}, preload=(), origin=origin)\n"
        "helper.way\n"
        "if os.fork() == 0:\n"
        "    helper.start()\n"
        "    print(origin._process.pid, helper._process.pid, flush=True)\n"
        "    time.sleep(60)\n"
        "time.sleep(60)\n"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    everyone = [int(word) for word in grader.stdout.readline().split()]
    (worker,) = [pid for pid in processes.descendants(grader.pid) if pid not in everyone and _parent(pid) == grader.pid]
    everyone += processes.descendants(everyone[1])
    assert len(everyone) == 3 and not any(_gone(pid, 0.1) for pid in everyone)
    grader.kill()
    grader.wait()
    assert _gone(everyone[0])
    assert not _gone(everyone[1], 0.2)  # it belongs to the forked process
    os.kill(worker, signal.SIGKILL)
    assert all(_gone(pid) for pid in everyone)


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.parametrize("way", ["landlock", "bubblewrap"])
def test_a_project_that_is_reached_by_a_link_is_seen_within(way: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tools.ROOT)
    program = f"from autograder.sandbox import Warm; warm = Warm({way!r}, preload=())\n"
    program += "with warm: print(warm.run('autograder.sandbox.probe:hello', {}).status)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "link")}
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "ok", done.stderr


def test_a_package_that_cannot_be_read_within_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks would find no exercise there, and everybody would have 0 points."""
    child._still_there()
    monkeypatch.setattr(inplace_lab, "__path__", ["/nowhere/inplace_lab"])
    with pytest.raises(FileNotFoundError, match="from /nowhere/inplace_lab, and a submission cannot read it there"):
        child._still_there()


def test_without_isolation_limits_still_hold_and_the_folder_is_removed(tmp_path: Path) -> None:
    with Warm("none", preload=()) as helper:
        outcome = attempt(helper, "echo", {"n": 1})
        assert (outcome.status, outcome.way, outcome.response["got"]) == ("ok", "none", {"n": 1})
        assert attempt(helper, "sleep", limits=Limits(wall=0.5)).status == "wall time"
        assert attempt(helper, "burn", {"processes": 2}, limits=Limits(cpu=0.5)).status == "cpu time"
        assert attempt(helper, "leave_daemons").status == "ok"
        assert only_the_helper_lives(helper)
    assert not list(Path(tempfile.gettempdir()).glob("submission-*/sandbox_attempts.py"))


def test_auto_never_means_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "reason_against", lambda name: "" if name == "none" else f"No {name} here.")
    with pytest.raises(SandboxUnavailable, match="No landlock here.*apt install bubblewrap"):
        choose("auto")
    with pytest.raises(SandboxUnavailable, match="No bubblewrap here"):
        choose("bubblewrap")
    with pytest.raises(SandboxUnavailable):
        Warm("auto").run("sandbox_attempts:echo", {})
    assert choose("none") == "none"
    monkeypatch.setattr(warm.sys, "platform", "darwin")
    with pytest.raises(SandboxUnavailable, match="Linux only"):
        choose("auto")


def test_the_first_way_that_works_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "reason_against", lambda name: "An old kernel." if name == "landlock" else "")
    assert choose() == "bubblewrap" and Warm().way == "bubblewrap"
    found = {way.name: way.available for way in warm.ways()}
    assert found == {"landlock": False, "bubblewrap": True, "none": True}


@pytest.mark.parametrize("name", ["landlock", "bubblewrap"])
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    warm.reason_against.cache_clear()
    try:
        monkeypatch.setattr(warm.filters, "_library", lambda: ctypes.CDLL("libno_such_library.so"))
        assert "apt install libseccomp2" in warm.reason_against(name)
        monkeypatch.undo()
        warm.reason_against.cache_clear()
        if name == "landlock":
            monkeypatch.setattr(warm.landlock, "version", lambda: 0)
            assert "no Landlock" in warm.reason_against(name)
        else:
            monkeypatch.setenv("PATH", "/nowhere")
            assert "apt install bubblewrap" in warm.reason_against(name)
    finally:
        warm.reason_against.cache_clear()


def test_landlock_holds_by_itself(outside: Outside) -> None:
    available("landlock")
    code = (
        f"import sys; sys.path.append({str(tools.ROOT)!r})\n"
        "import os, socket, tempfile\n"
        "from autograder.sandbox import landlock, system\n"
        "folder = tempfile.mkdtemp()\n"
        "system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)\n"
        f"landlock.confine([os.path.dirname(os.__file__)], [folder], ['/dev/null'])\n"
        "def tried(action, *arguments):\n"
        "    try:\n"
        "        action(*arguments)\n"
        "        return 'done'\n"
        "    except PermissionError:\n"
        "        return 'refused'\n"
        f"print(tried(open, {str(outside.gradebook)!r}), tried(open, {str(outside.gradebook)!r}, 'a'),\n"
        f"      tried(os.listdir, {str(outside.folder)!r}), tried(os.listdir, '/'), tried(open, os.__file__),\n"
        "      tried(open, os.__file__, 'a'), tried(open, folder + '/x', 'w'), tried(open, '/dev/null', 'w'),\n"
        "      tried(os.mknod, folder + '/node', 0o60600, 0))\n"
        "os.remove(folder + '/x'); print(tried(os.rmdir, folder))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    expected = ["refused"] * 4 + ["done", "refused", "done", "done", "refused", "refused"]
    assert done.stdout.split() == expected, done.stderr


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Limits(memory=0), "'memory' must be a number above 0"),
        (lambda: Limits(wall=float("inf")), "'wall' must be a number above 0"),
        (lambda: Limits(cpu="1"), "'cpu' must be a number above 0"),
        (lambda: choose("docker"), "isolation must be one of auto, landlock, bubblewrap, none"),
        (lambda: Warm("docker"), "isolation must be one of auto, landlock, bubblewrap, none"),
        (lambda: Warm("none").run("a:b", {}, files={"../x": b""}), "relative path without"),
        (lambda: Warm("none").run("a:b", {}, files={"/x": b""}), "relative path without"),
        (lambda: Warm("none").run("a:b", {"x": float("nan")}), "not JSON compliant"),
    ],
)
def test_wrong_use_gets_a_sentence(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wrong()


def test_a_gpu_needs_a_cold_start() -> None:
    for wrong in (lambda: Warm("landlock", cuda=True), lambda: choose("landlock", cuda=True)):
        with pytest.raises(SandboxUnavailable, match='A GPU cannot follow a fork: isolation must be "auto" or "bubb'):
            wrong()
    assert choose("auto", cuda=True) == available("bubblewrap")


@pytest.mark.parametrize("gpu", [False, True])
def test_a_gpu_that_is_there_and_not_to_be_used_is_hidden_and_not_denied(
    monkeypatch: pytest.MonkeyPatch, gpu: bool
) -> None:
    """So that no report says that there is none."""
    monkeypatch.delenv(places.VISIBLE, raising=False)
    monkeypatch.setattr(places.os.path, "exists", lambda path: gpu)
    assert places.of_the_grader(cuda=True).get(places.VISIBLE) is None
    assert places.of_the_grader(cuda=False).get(places.VISIBLE) == ("" if gpu else None)


def test_a_path_to_show_must_exist() -> None:
    with pytest.raises(FileNotFoundError):
        Warm("none").run("a:b", {}, readable=["/no/such/file"])


def test_an_unknown_task_fails_with_its_reason(bare: Warm) -> None:
    outcome = bare.run("no_such_module:task", {})
    assert (outcome.status, "no_such_module" in outcome.reason) == ("failed", True)


def test_a_helper_that_cannot_start_says_why() -> None:
    with pytest.raises(SandboxError, match="no_such_module"):
        Warm("none", preload=["no_such_module"]).run("a:b", {})


def test_the_helper_needs_nothing_that_only_an_editable_installation_imports() -> None:
    """-S: without the path files of an installation, some of which import modules that everybody finds then."""
    stand_in = f"package = types.ModuleType('autograder', ''); package.__path__ = [{str(tools.ROOT / 'autograder')!r}]"
    program = f"import sys, types; {stand_in}; sys.modules['autograder'] = package\n"
    program += "from autograder.sandbox import server; server.warm_up([]); print(sys.path[-1])"
    command = [sys.executable, "-S", "-P", "-c", program]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, str(tools.ROOT)), done.stderr


@given(st.binary(max_size=200) | st.text(max_size=50).map(lambda text: json.dumps({"x": text}).encode()))
def test_any_line_is_an_object_or_garbled(line: bytes) -> None:
    try:
        value = wire.decode(line)
    except wire.Garbled:
        return
    json.dumps(value, ensure_ascii=False).encode()


@given(st.lists(st.binary(max_size=30)), st.data())
def test_lines_come_out_however_they_are_cut(lines: list[bytes], data: st.DataObject) -> None:
    lines = [line.replace(b"\n", b"") for line in lines]
    stream = b"".join(line + b"\n" for line in lines)
    cutter, found = wire.Lines(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += cutter.feed(stream[:size])
        stream = stream[size:]
    assert found == lines and not cutter.unfinished
