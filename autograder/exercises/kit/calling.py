"""Run a student's code safely, and say in one sentence what went wrong with it.

`attempt(thunk)` runs anything that may reach a student's code (the function itself, the backward of its result) with a
time limit, with what it prints caught and bounded, and with every exception caught, SystemExit and KeyboardInterrupt
included. `call(answer, ...)` is the same for a call, after a look at the signature. Both return an `Attempt`, whose
`problem` is plain JSON data. `explain(problem, ...)` makes the sentence from that data, on the other side, where
nothing in it is trusted.

The time limit: in the main thread of a system that has SIGALRM an interval timer interrupts the code, also in the
middle of a sleep, and comes again until the code has ended, at last every few microseconds, since a loop that catches
everything (`while True: try: ... except: pass`) can only be left in the moment between two tries. Elsewhere (Windows,
other threads) a watching thread does the same with asynchronous exceptions, which cannot interrupt a sleep and hit such
a loop more rarely. Neither stops one long call inside torch, nor a tree of calls that catch everything and call again;
that takes a process that can be ended from outside. An import is not interrupted (a module that is half imported stays
broken in that process), unless imports take ten seconds more.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import inspect
import io
import linecache
import random
import signal
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from autograder.exercises.kit.words import a_type, clean

CHECK_SECONDS = 10.0  # for all calls of one check together
CALL_SECONDS = 3.0  # for one call; half of it after each call that ran out of time, so that the others get their turn
LEAST_SECONDS = 0.1
IMPORT_PAUSE, IMPORT_PAUSES = 0.01, 1000  # seconds: an alarm that falls into an import waits, so many times at most
PRINTED_CHARACTERS, PRINTED_LINES = 2000, 30  # how much of what the student's code prints is kept
PATIENT_ALARMS = 4  # so many polite interruptions before the storm
IMPORTED_LATE = ("torch.fx.experimental.symbolic_shapes",)  # by the first torch.autograd.grad with grad_outputs
_jitter = random.Random()  # our own: the student's random numbers are not disturbed


class OutOfTime(BaseException):
    """Raised inside the student's code when its time is up. A BaseException, so that `except Exception` lets it go."""


class BoundedText(io.TextIOBase):
    """A text stream that keeps the first characters and lines and counts the rest."""

    def __init__(self, limit: int = PRINTED_CHARACTERS, lines: int = PRINTED_LINES) -> None:
        super().__init__()
        self.limit, self.lines, self.kept, self.dropped = limit, lines, "", 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        part = text[: max(0, self.limit - len(self.kept))]
        part = "".join(part.splitlines(keepends=True)[: self.lines - self.kept.count("\n")])
        self.kept += part
        self.dropped += len(text) - len(part)
        return len(text)

    def text(self) -> str:
        if not self.dropped:
            return self.kept
        return f"{self.kept.rstrip()}\n... ({self.dropped:,} more characters are not shown)".lstrip("\n")


@dataclass
class Session:
    """One check: how much time its calls may take together, and what they printed and warned of."""

    seconds: float = CHECK_SECONDS
    call_seconds: float = CALL_SECONDS
    printed: BoundedText = field(default_factory=BoundedText)
    used: float = 0.0
    stopped: str = ""  # why later calls are not tried

    def allowance(self) -> float:
        return min(self.call_seconds, self.seconds - self.used)


_sessions: list[Session] = []


@contextlib.contextmanager
def session(seconds: float = CHECK_SECONDS, call_seconds: float = CALL_SECONDS) -> Iterator[Session]:
    """All calls within share one allowance of time."""
    current = Session(seconds, call_seconds)
    _sessions.append(current)
    try:
        yield current
    finally:
        _sessions.remove(current)


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Within, calls share the time of their session, but what they print is dropped: it has been printed before."""
    current = _sessions[-1] if _sessions else Session()
    kept, current.printed = current.printed, BoundedText(0)
    try:
        yield
    finally:
        current.printed = kept


@dataclass(frozen=True)
class Attempt:
    """What came of running something: its value, or the problem as plain JSON data (`explain` puts it in words)."""

    value: object = None
    problem: dict | None = None


@functools.cache
def prepare() -> None:
    """Import what torch would import in the middle of a student's time (some 0.5 s, once in a process)."""
    for name in IMPORTED_LATE:
        with quiet(), contextlib.suppress(Exception):  # another torch may have it elsewhere, or need it no more
            importlib.import_module(name)


def attempt(thunk: Callable[[], object]) -> Attempt:
    """Run `thunk`, which may reach a student's code. Never raises."""
    current = _sessions[-1] if _sessions else Session()
    if not current.stopped and current.allowance() <= 0:
        current.stopped = "time"
    if current.stopped:
        return Attempt(problem={"kind": "not tried", "why": current.stopped, "seconds": current.seconds})
    seconds = current.allowance()
    started = time.monotonic()
    limit = _limit(seconds)
    try:
        prepare()
        started = time.monotonic()
        with _caught(current.printed):
            try:
                limit.start()
                value = thunk()
            finally:
                limit.stop()
        return Attempt(value)
    except OutOfTime:
        current.call_seconds = max(current.call_seconds / 2, min(LEAST_SECONDS, current.call_seconds))
        return Attempt(problem={"kind": "time", "seconds": round(seconds, 1)})
    except BaseException as error:
        if type(error) is KeyboardInterrupt:  # a person pressed stop: the other calls would only make them wait
            current.stopped = "interrupt"
        return Attempt(problem=_problem(error))
    finally:
        limit.stop()
        current.used += time.monotonic() - started


def call(answer: object, *arguments: object) -> Attempt:
    """Call `answer(*arguments)`; a wrong signature is told apart from a TypeError inside. Never raises."""
    if not callable(answer):
        return Attempt(problem={"kind": "not callable", "type": type_name(answer)})
    binding = attempt(lambda: _binds(answer, arguments))
    if binding.problem is None and binding.value is not None:
        return Attempt(problem={"kind": "signature", "given": binding.value, "count": len(arguments)})
    return attempt(lambda: answer(*arguments))


def type_name(value: object) -> str:
    """The name of a value's real class, whatever the class says about itself."""
    return clean(type.__dict__["__name__"].__get__(type(value)), 60)


def _binds(answer: Callable, arguments: tuple) -> str | None:
    """None if the arguments fit, else the signature as text."""
    try:
        signature = inspect.signature(answer)
    except ValueError:  # builtins tell no signature: the call itself will show
        return None
    try:
        signature.bind(*arguments)
    except TypeError:
        return clean(str(signature), 120)
    return None


def _problem(error: BaseException) -> dict:
    if isinstance(error, SystemExit):
        return {"kind": "exit"}
    if isinstance(error, KeyboardInterrupt):
        return {"kind": "interrupt"}
    if isinstance(error, RecursionError):
        return {"kind": "recursion"}
    try:
        text = str(error)
    except BaseException:
        text = ""
    if isinstance(error, RuntimeError):
        text = text.partition(" Hint: ")[0]  # torch's advice is long, and about another tool
    return {
        "kind": "raised",
        "error": type_name(error),
        "text": clean(text, 300),
        "line": _line_of(error),
        "index_error": isinstance(error, IndexError),
    }


def _line_of(error: BaseException) -> str:
    """The student's line that raised: the last one that lies neither in a library nor in this package."""
    line, step = "", error.__traceback__
    with contextlib.suppress(Exception):
        for _ in range(1000):
            if step is None:
                break
            module = step.tb_frame.f_globals.get("__name__", "")
            if not str(module).startswith(("torch", "autograder.", "inplace_lab.", "numpy", "contextlib")):
                line = (
                    linecache.getline(step.tb_frame.f_code.co_filename, step.tb_lineno, step.tb_frame.f_globals).strip()
                    or line
                )
            step = step.tb_next
    return clean(line, 100)


@contextlib.contextmanager
def _caught(printed: BoundedText) -> Iterator[None]:
    """Standard output, standard error and warnings go to `printed`: a word on stderr costs a whole nbgrader cell."""

    def show_warning(message, category, *rest: object, **named: object) -> None:
        printed.write(f"{category.__name__}: {clean(str(message), 300)}\n")

    with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        warnings.simplefilter("default")
        warnings.showwarning = show_warning
        yield


def _limit(seconds: float) -> _AlarmLimit | _ThreadLimit:
    main = threading.current_thread() is threading.main_thread()
    return _AlarmLimit(seconds) if main and hasattr(signal, "setitimer") else _ThreadLimit(seconds)


def _importing(frame: types.FrameType | None) -> bool:
    """Whether the student's code, of which `frame` is the innermost, is in the middle of an import."""
    while frame is not None and frame.f_code is not attempt.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


class _AlarmLimit:
    """The time limit by SIGALRM. An alarm of somebody else is put back afterwards."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.alarms, self.running, self.put_off = seconds, 0, False, 0
        self.other_handler: object = None
        self.other_timer = (0.0, 0.0)

    def start(self) -> None:
        self.other_handler = signal.signal(signal.SIGALRM, self._ring)
        self.running = True
        self.other_timer = signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def _ring(self, number: int, frame: types.FrameType | None) -> None:
        if not self.running:
            return
        signal.setitimer(signal.ITIMER_REAL, 0.05)  # first of all: what follows may hit the limit of recursion
        if frame is None or frame.f_code in _GUARDS:  # the student's code has just ended, or prints: ring again
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            return
        if self.put_off < IMPORT_PAUSES and _importing(frame):
            self.put_off += 1
            signal.setitimer(signal.ITIMER_REAL, IMPORT_PAUSE)
            return
        self.alarms += 1
        storm = self.alarms > PATIENT_ALARMS
        if storm:
            signal.setitimer(signal.ITIMER_REAL, _jitter.uniform(2e-6, 4e-5))
        raise OutOfTime

    def stop(self) -> None:
        if not self.running:
            return
        self.running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if self.other_handler is None else self.other_handler)
        if self.other_timer[0]:
            signal.setitimer(signal.ITIMER_REAL, *self.other_timer)


class _ThreadLimit:
    """The time limit by a watching thread, where there is no SIGALRM."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.target = ctypes.c_ulong(threading.get_ident())
        self.lock, self.done = threading.Lock(), threading.Event()
        self.watcher = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self.watcher.start()

    def _watch(self) -> None:
        pause, alarms, put_off, switch = self.seconds, 0, 0, sys.getswitchinterval()
        while not self.done.wait(pause):
            if put_off < IMPORT_PAUSES and _importing(sys._current_frames().get(self.target.value)):
                put_off += 1
                pause = IMPORT_PAUSE
                continue
            with self.lock:
                if not self.done.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(self.target, ctypes.py_object(OutOfTime))
            alarms += 1
            if alarms == PATIENT_ALARMS:
                sys.setswitchinterval(1e-6)  # so that this thread gets its turn at any instruction of the other
            pause = 0.05 if alarms <= PATIENT_ALARMS else _jitter.uniform(0, 5e-5)
        sys.setswitchinterval(switch)

    def stop(self) -> None:
        self.done.set()
        with self.lock:  # nothing may arrive after the student's code has ended
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self.target, None)


WRONG_TYPES = {
    "ndarray": "stay with torch functions, since a NumPy array carries no gradient",
    "list": "do not turn the tensor into a list",
    "tuple": "return one tensor, without a comma after it",
    "generator": "use return, not yield",
    "float": "do not take .item() of it",
    "int": "do not take .item() of it",
}


def wrong_type(value: object) -> dict | None:
    """The problem with a returned value that is no tensor, or None if it is a tensor."""
    import torch

    if value is None:
        return {"kind": "none"}
    if not issubclass(type(value), torch.Tensor):
        return {"kind": "type", "type": type_name(value)}
    return None


def plain_tensor(value: object) -> object:
    """The same tensor without the methods of a subclass; call it within `attempt`."""
    import torch

    with torch._C.DisableTorchFunctionSubclass():
        return (
            value
            if type(value) in (torch.Tensor, torch.nn.Parameter)
            else torch.Tensor.as_subclass(value, torch.Tensor)
        )


def explain(problem: object, called: str, signature: str = "", expected: str = "a tensor") -> str:
    """One sentence or two for a problem, out of untrusted JSON data. Never raises.

    Args:
        problem: what an `Attempt` carried.
        called: the call as text, "masked_exp([0.5, 1], 1)".
        signature: what the student should have defined, "masked_exp(x, zero_at)".
        expected: what should have come back, with its article.
    """
    problem = problem if isinstance(problem, dict) else {}
    kind = problem.get("kind")
    kind = kind if isinstance(kind, str) else ""
    type_said = clean(problem.get("type"), 60)
    if kind == "not callable":
        return (
            f"What you gave to the check is {a_type(type_said)}, not a function. Define "
            f"{signature or 'the function'}, run that cell, then check again."
        )
    if kind == "signature":
        return (
            f"Your function takes {clean(problem.get('given'), 120) or 'other arguments'}, but it is called as "
            f"{called}. Begin it with: def {signature}."
        )
    if kind == "none":
        return f"{called} returned None: write the body and return {expected}."
    if kind == "type":
        advice = f": {WRONG_TYPES[type_said]}" if "tensor" in expected and type_said in WRONG_TYPES else ""
        return f"{called} returned {a_type(type_said)}, expected {expected}{advice}."
    if kind == "exit":
        return f"{called} tried to end Python (exit(), quit() or SystemExit): return the answer instead."
    if kind == "interrupt":
        return f"{called} was interrupted (KeyboardInterrupt)."
    if kind == "recursion":
        return f"{called} raised RecursionError: the function calls itself without end."
    if kind == "time":
        return f"{called} did not end within {_seconds(problem)}: look for a loop that never ends."
    if kind == "not tried":
        if problem.get("why") == "interrupt":
            return "Not tried, since the check was interrupted."
        return (
            f"Not tried: earlier calls used up the {_seconds(problem)} of this check. Look for a loop that never ends."
        )
    if kind == "raised":
        text, line = clean(problem.get("text"), 300), clean(problem.get("line"), 100)
        said = f"{called} raised {clean(problem.get('error'), 60) or 'an exception'}{': ' + text if text else ''}"
        return (said if said.endswith((".", "!", "?")) else said + ".") + (f" Your line: {line}" if line else "")
    return f"The check got no usable record of {called}."


def _seconds(problem: dict) -> str:
    seconds = problem.get("seconds")
    usable = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 <= seconds <= 3600
    return f"{seconds:g} s" if usable else "time"


def printed_note(current: Session) -> str:
    """What the student's code printed, for the end of a report; "" if nothing."""
    text = current.printed.text().rstrip()
    return f"Your code printed this while it was checked:\n{text}" if text else ""


def quiet() -> contextlib.AbstractContextManager[None]:
    """Keeps standard error empty while the check's own code runs (warnings of torch, say); what came is dropped."""
    return _caught(BoundedText(0))


# Code that must not be left by OutOfTime: `attempt` around the thunk (which is therefore always a Python function), and
# what it calls before and after.
_GUARDS = frozenset(
    function.__code__
    for function in (attempt, BoundedText.write, _AlarmLimit.__init__, _AlarmLimit.start, _AlarmLimit.stop)
)
