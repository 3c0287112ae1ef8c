"""What a hostile submission might try: tasks that run inside the sandbox. Each says what it reached."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import importlib
import mmap
import os
import re
import signal
import socket
import subprocess
import sys
import time

_libc = ctypes.CDLL(None, use_errno=True)


def _tried(action, *arguments):
    """What came of it: ["done", text] or ["refused", name of the error]."""
    try:
        return ["done", str(action(*arguments))[:300]]
    except OSError as error:
        return ["refused", errno.errorcode.get(error.errno, str(error))]
    except (MemoryError, RuntimeError) as error:
        return ["refused", type(error).__name__]


def _called(name, *arguments):
    result = getattr(_libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def _read(path):
    if os.path.isdir(path):
        return os.listdir(path)
    with open(path, "rb") as file:
        return file.read(200)


def _write(path):
    if os.path.isdir(path):
        path = os.path.join(path, "written-by-a-submission")
    with open(path, "ab") as file:
        file.write(b"x")
    return path


def _connect(family, address):
    with socket.socket(family) as client:
        client.settimeout(2)
        client.connect(address)
        return client.recv(100)


def survey(request, send):
    """Try every boundary that leaves the process alive."""
    outside = request["outside"]
    tried = {}
    for path in request["secret"]:
        tried[f"read {path}"] = _tried(_read, path)
        tried[f"write {path}"] = _tried(_write, path)
        tried[f"remove {path}"] = _tried(os.remove, path)
        tried[f"link {path}"] = _tried(os.link, path, "linked")
    for path in request["shown"]:
        tried[f"read {path}"] = _tried(_read, path)
        tried[f"write {path}"] = _tried(_write, path)
        tried[f"rename {path}"] = _tried(os.rename, path, path + "2")
    for path in ("/", "/etc/passwd", "/dev", "/usr", "/proc", "/proc/sys/kernel/hostname", "/etc"):
        tried[f"write {path}"] = _tried(_write, path)
    for path in ("/tmp", "/dev/shm", os.getcwd()):
        tried[f"write {path}"] = _tried(_write, path)
    tried["read /etc/passwd"] = _tried(_read, "/etc/passwd")
    tried["device node"] = _tried(os.mknod, "sda", 0o60600, os.makedev(8, 0))

    tried["IPv4"] = _tried(_connect, socket.AF_INET, ("127.0.0.1", outside["port4"]))
    tried["IPv6"] = _tried(_connect, socket.AF_INET6, ("::1", outside["port6"]))
    tried["UDP"] = _tried(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)
    tried["vsock"] = _tried(socket.socket, 40)
    tried["netlink"] = _tried(socket.socket, 16)
    tried["abstract Unix"] = _tried(_connect, socket.AF_UNIX, "\0" + outside["abstract"])
    tried["Unix"] = _tried(_connect, socket.AF_UNIX, outside["socket"])
    tried["pair of Unix"] = _tried(lambda: [end.close() for end in socket.socketpair()])
    with open("/proc/net/dev") as file:
        interfaces = re.findall(r"^\s*(\w+):", file.read(), re.MULTILINE)

    for name, pid in outside["pids"].items():
        tried[f"kill {name}"] = _tried(os.kill, pid, 0)
        tried[f"ptrace {name}"] = _tried(_called, "ptrace", 16, pid, 0, 0)
        tried[f"/proc of {name}"] = _tried(_read, f"/proc/{pid}/environ")
    tried["kill all"] = _tried(os.kill, -1, signal.SIGTERM)
    tried["ptrace"] = _tried(_called, "ptrace", 0, 0, 0, 0)

    tried["new namespaces"] = _tried(_called, "unshare", 0x10000000)
    tried["mount"] = _tried(_called, "mount", b"none", b"/scratch", b"tmpfs", 0, None)
    tried["chroot"] = _tried(os.chroot, ".")
    tried["become root"] = _tried(os.setuid, 0)
    tried["keys"] = _tried(_called, "syscall", 250 if os.uname().machine == "x86_64" else 219, 0, -3, 0, 0, 0)
    tried["memfd"] = _tried(os.memfd_create, "hidden")
    tried["large socket buffers"] = _tried(_enlarge)
    tried["shared memory of System V"] = _tried(_called, "shmget", 0, 1 << 20, 0o1600)

    tried["30 GB"] = _tried(lambda: len(bytearray(30 << 30)))
    tried["30 GB shared"] = _tried(lambda: len(mmap.mmap(-1, 30 << 30)))
    tried["10 GB file"] = _tried(_large_file, "large", 10 << 30)
    written = os.path.getsize("large")
    os.remove("large")
    tried["many files"] = _tried(lambda: [_large_file(f"part{number}", 60 << 20) for number in range(20)])
    scratch = sum(os.path.getsize(name) for name in os.listdir() if name.startswith("part"))
    for name in os.listdir():
        if name.startswith("part"):
            os.remove(name)
    tried["shell"] = _tried(lambda: subprocess.run(["/bin/sh", "-c", "echo $((6 * 7))"], capture_output=True).stdout)
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    return {
        "tried": tried,
        "interfaces": interfaces,
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()),
        "descriptors": _descriptors(),
        "environment": dict(os.environ),
        "environment of the process": _read("/proc/self/environ").decode().split("\0"),
        "large": written,
        "scratch": scratch,
        "status": {name: status.get(name, "") for name in ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp")},
        "path": sys.path,
        "folder": os.getcwd(),
    }


def _enlarge():
    one, other = socket.socketpair()
    with one, other:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)


def _large_file(name, size):
    piece = bytes(1 << 20)
    with open(name, "wb", buffering=0) as file:
        for _ in range(size >> 20):
            file.write(piece)


def _descriptors():
    found = {}
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found[name] = os.readlink(f"/proc/self/fd/{name}")
    return found


def echo(request, send):
    """Give back what came, and where."""
    for number in range(request.get("messages", 0)):
        send({"number": number})
    return {"got": request, "files": sorted(os.listdir())}


def fork_bomb(request, send):
    """Processes that make processes, until the kernel says no."""
    made = 0
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        try:
            if os.fork() != 0:
                made += 1
        except OSError as error:
            if os.getpid() == request.get("first", os.getpid()):
                send({"made": made, "error": errno.errorcode[error.errno]})
            time.sleep(0.2)
    return {}


def count_processes(request, send):
    """How many processes can live at once."""
    pids = []
    try:
        while len(pids) < 1000:
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            pids.append(pid)
    except OSError as error:
        return {"count": len(pids) + 1, "error": errno.errorcode[error.errno]}
    return {"count": len(pids)}


def fill_memory(request, send):
    """`bytes` of memory that is used, in each of `processes` processes."""
    for _ in range(request["processes"] - 1):
        if os.fork() == 0:
            break
    block = mmap.mmap(-1, request["bytes"])
    for start in range(0, request["bytes"], 4096):
        block[start] = 1
    time.sleep(30)


def share_memory(request, send):
    """The same memory seen by many processes: it is there once."""
    block = bytearray(request["bytes"])
    for start in range(0, request["bytes"], 4096):
        block[start] = 1
    pids = []
    for _ in range(request["processes"]):
        pid = os.fork()
        if pid == 0:
            sum(block[::4096])
            time.sleep(0.5)
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        os.waitpid(pid, 0)
    return {}


def sleep(request, send):
    """Nothing, for ever, whatever signal comes."""
    send({"state": "sleeping"})
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(60)


def burn(request, send):
    """Processor time, in several processes."""
    for _ in range(request.get("processes", 1) - 1):
        if os.fork() == 0:
            break
    while True:
        with contextlib.suppress(BaseException):
            while True:
                pass


def leave_daemons(request, send):
    """Processes that cut every tie and stay."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 256)
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(3600)
            os._exit(0)
    time.sleep(0.02)
    return {"processes": len([name for name in os.listdir("/proc") if name.isdecimal()])}


def _pipe():
    return max(int(name) for name, target in _descriptors().items() if target.startswith("pipe:"))


def abuse_pipe(request, send):
    """Write what is no message to the pipe."""
    send({"state": "before"})
    pipe = _pipe()
    how = request["how"]
    if how == "garbage":
        os.write(pipe, b"\xff\x00 no JSON\n")
    elif how == "nested":
        os.write(pipe, b"[" * 60_000 + b"\n")
    elif how == "not a message":
        os.write(pipe, b'{"message": {}, "response": {}}\n')
    elif how == "number":
        os.write(pipe, b'{"message": ' + b"9" * 60_000 + b"}\n")
    elif how == "infinite":
        os.write(pipe, b'{"message": {"x": Infinity}}\n')
    elif how == "confined":
        os.write(pipe, b'{"confined": "landlock"}\n')
    elif how == "refused":
        os.write(pipe, b'{"refused": "forged"}\n')
    elif how == "flood":
        while True:
            os.write(pipe, b"x" * 65536)
    elif how == "messages":
        while True:
            send({"text": "x" * 1000})
    elif how == "half":
        os.write(pipe, b'{"response": {"points"')
        os._exit(3)
    elif how == "close":
        os.closerange(0, 256)
    elif how == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
        ctypes.string_at(0)
    elif how == "abort":
        os.abort()
    elif how == "exit":
        os._exit(0)
    elif how == "SystemExit":
        raise SystemExit("enough")
    elif how == "surrogate":
        os.write(pipe, b'{"response": {"text": "\\ud800", "\\udfff": ["\\ud801"]}}\n')
    elif how == "forge":
        os.write(pipe, b'{"response": {"points": 100}}\n')
        time.sleep(60)
    elif how == "not JSON":
        return {"points": float("nan")}
    elif how == "not a dict":
        return ["points"]
    elif how == "patched exit":
        os._exit = sys.exit = lambda *arguments: None
    return {"how": how}


def imports(request, send):
    """Where modules come from, here and in a Python that is started here."""
    found = {}
    for name in request["modules"]:
        module = importlib.import_module(name)
        found[name] = module.__file__
    code = "; ".join(f"import {name}; print({name}.__file__)" for name in request["started"])
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return {"here": found, "started": started.stdout.split(), "error": started.stderr[-500:]}


def allocate(request, send):
    """More memory than there is, in torch; then something that must still work."""
    import torch

    error = ""
    try:
        torch.ones(request["bytes"], dtype=torch.uint8)
    except RuntimeError as caught:
        error = str(caught)
    return {"error": error, "sum": torch.ones(3).sum().item()}


def backward(request, send):
    """A backward, a second one, threads of autograd and a figure, as a notebook has them."""
    began = time.perf_counter()
    import torch

    x = torch.arange(1.0, 6.0, requires_grad=True)
    x.exp().sum().backward()
    (first,) = torch.autograd.grad(x.exp(), x, grad_outputs=torch.ones(5))
    torch.testing.assert_close(first, x.grad)
    passed = torch.autograd.gradcheck(torch.sin, torch.ones(3, dtype=torch.float64, requires_grad=True))
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    axes.plot([1, 2])
    figure.savefig("figure.png")
    return {
        "gradient": x.grad.tolist(),
        "gradcheck": passed,
        "threads": torch.get_num_threads(),
        "picture": os.path.getsize("figure.png"),
        "seconds": time.perf_counter() - began,
    }


def search_memory(request, send):
    """How often a text, given in two halves, lies in this process's memory as a whole."""
    first, second = request["first"].encode(), request["second"].encode()
    count = 0
    with open("/proc/self/maps") as file:
        maps = [line.split() for line in file]
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        for fields in maps:
            if not fields[1].startswith("rw"):
                continue
            start, end = (int(part, 16) for part in fields[0].split("-"))
            with contextlib.suppress(OSError, ValueError):
                memory.seek(start)
                data = memory.read(end - start)
                at = data.find(first)
                while at >= 0:
                    at += len(first)
                    count += data.startswith(second, at)
                    at = data.find(first, at)
    return {"count": count}
