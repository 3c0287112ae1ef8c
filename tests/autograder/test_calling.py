"""A student's code is run with a time limit, its output is caught, and every failure has its sentence."""

from __future__ import annotations

import importlib
import json
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.exercises.kit import calling
from autograder.exercises.kit.calling import attempt, call, explain, plain_tensor, session, type_name, wrong_type

CALLED = "f([1], 0)"


def sentence(answer: object, *arguments: object, seconds: float = 5) -> str:
    with session(seconds, seconds):
        outcome = call(answer, *arguments)
    assert outcome.problem is not None
    return explain(json.loads(json.dumps(outcome.problem)), CALLED, "f(x, k)")


def test_a_value_comes_back() -> None:
    outcome = call(lambda a, b: a + b, 1, 2)
    assert outcome.value == 3 and outcome.problem is None


def test_not_callable() -> None:
    assert (
        sentence(3)
        == "What you gave to the check is an int, not a function. Define f(x, k), run that cell, then check again."
    )
    assert "is None, not a function" in sentence(None)


@pytest.mark.parametrize("answer", [lambda x: x, lambda x, y, z: x, lambda: 0, lambda *, x: x])
def test_wrong_signature(answer: Callable) -> None:
    text = sentence(answer, 1, 2)
    assert text.startswith("Your function takes (") and text.endswith(
        f"but it is called as {CALLED}. Begin it with: def f(x, k)."
    )


def test_builtins_without_a_signature_are_simply_called() -> None:
    assert call(max, 1, 2).value == 2
    assert call(torch.where, torch.tensor(True), torch.tensor(1.0), torch.tensor(2.0)).value == 1


def test_a_type_error_inside_is_no_signature_problem() -> None:
    assert "raised TypeError: " in sentence(lambda x, k: None + 1, 1, 2)


def test_a_lying_signature_does_not_stop_the_check() -> None:
    class Odd:
        @property
        def __signature__(self) -> None:
            raise SystemExit

        def __call__(self, x: int) -> int:
            return x + 1

    assert call(Odd(), 1).value == 2


def test_exceptions_are_named_with_the_line() -> None:
    def f(x: int, k: int) -> int:
        return [0][x]

    text = sentence(f, 7, 0)
    assert text == f"{CALLED} raised IndexError: list index out of range. Your line: return [0][x]"
    assert call(f, 7, 0).problem["index_error"] is True


def test_the_line_is_the_students_own_also_inside_torch() -> None:
    def f(x: torch.Tensor, k: int) -> torch.Tensor:
        return torch.nn.functional.softmax(x, dim=9)

    assert "Your line: return torch.nn.functional.softmax(x, dim=9)" in sentence(f, torch.ones(2), 0)


def raiser(error: BaseException) -> Callable:
    def f(x: int, k: int) -> None:
        raise error

    return f


def endless(x: int, k: int) -> None:
    return endless(x, k)


class Silent(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize(
    "answer, said",
    [
        (raiser(SystemExit(0)), "tried to end Python"),
        (raiser(KeyboardInterrupt()), "was interrupted"),
        (raiser(GeneratorExit()), "raised GeneratorExit."),
        (raiser(BaseException("all")), "raised BaseException: all."),
        (raiser(Silent()), "raised Silent. Your line"),
        (raiser(ValueError("Why?")), "raised ValueError: Why? Your line"),
        (endless, "calls itself without end"),
        (lambda x, k: sys.exit("bye"), "tried to end Python"),
        (lambda x, k: exit(), "tried to end Python"),
    ],
)
def test_whatever_is_raised_is_caught(answer: Callable, said: str) -> None:
    assert said in sentence(answer, 1, 2)


def test_an_interrupt_stops_the_later_calls_of_the_check_only() -> None:
    with session():
        call(raiser(KeyboardInterrupt()), 1, 2)
        later = call(lambda: 1)
        assert explain(later.problem, CALLED) == "Not tried, since the check was interrupted."
    assert call(lambda: 1).value == 1


# Time


def spin(x: int, k: int) -> None:
    while True:
        pass


def spin_and_catch(x: int, k: int) -> None:
    while True:
        try:
            x += 1
        except:  # noqa: E722
            pass


def spin_inside_and_catch(x: int, k: int) -> None:
    while True:
        try:
            while True:
                x += 1
        except BaseException:
            continue


def sleep_and_catch(x: int, k: int) -> None:
    while True:
        try:
            time.sleep(0.2)
        except BaseException:
            pass


def catch_twice(x: int, k: int) -> None:
    while True:
        try:
            while True:
                try:
                    time.sleep(0.01)
                except:  # noqa: E722
                    pass
        except:  # noqa: E722
            pass


def never_finally(x: int, k: int) -> None:
    try:
        spin(x, k)
    finally:
        spin(x, k)


def torch_loop(x: int, k: int) -> None:
    t = torch.ones(3)
    while True:
        try:
            t = t * 1.0
        except BaseException as error:
            print(error)


def print_loop(x: int, k: int) -> None:
    while True:
        print("more and more")


LOOPS = [spin, spin_and_catch, spin_inside_and_catch, sleep_and_catch, catch_twice, never_finally]


@pytest.mark.parametrize("loop", [*LOOPS, torch_loop, print_loop])
def test_endless_loops_end(loop: Callable) -> None:
    started = time.monotonic()
    assert "did not end within 0.3 s: look for a loop that never ends." in sentence(loop, 1, 2, seconds=0.3)
    assert time.monotonic() - started < 8
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def in_a_thread(work: Callable[[], object]) -> object:
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(work()), daemon=True)
    thread.start()
    thread.join(20)
    assert results, "the thread ended"
    return results[0]


@pytest.mark.parametrize("loop", [spin, spin_and_catch, never_finally])
def test_endless_loops_end_in_other_threads(loop: Callable) -> None:
    assert "did not end within 0.3 s" in in_a_thread(lambda: sentence(loop, 1, 2, seconds=0.3))


def test_a_thread_is_left_in_peace_after_the_call() -> None:
    def work() -> int:
        for _ in range(50):
            with session(0.001, 0.001):
                call(spin, 1, 2)
        return sum(range(200_000))

    assert in_a_thread(work) == sum(range(200_000))


def test_nothing_arrives_after_the_call() -> None:
    for _ in range(300):
        with session(0.0005, 0.0005):
            outcome = attempt(lambda: sum(range(10_000)))
            assert outcome.problem is None or outcome.problem["kind"] == "time"
    assert sum(range(100_000)) == 4999950000


def test_the_allowance_of_a_check_is_shared() -> None:
    with session(0.35, 0.2) as current:
        assert [call(spin, 1, 2).problem["kind"] for _ in range(4)] == ["time", "time", "time", "not tried"]
        text = explain(call(lambda: 1).problem, CALLED)
    assert text == "Not tried: earlier calls used up the 0.35 s of this check. Look for a loop that never ends."
    assert current.stopped == "time"


def test_one_endless_call_leaves_time_for_the_others() -> None:
    with session(10, 0.4) as current:
        for seconds in (0.4, 0.2, 0.1, 0.1):
            assert call(spin, 1, 2).problem == {"kind": "time", "seconds": seconds}
        assert call(lambda: 1).value == 1
    assert 0.8 <= current.used < 2


def test_the_alarm_of_somebody_else_is_put_back() -> None:
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        call(lambda: 1)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
        time.sleep(0.5)
        assert rung == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_works_without_sigalrm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    assert "did not end within" in sentence(spin_and_catch, 1, 2, seconds=0.2)


# Imports


def test_what_torch_imports_late_is_there_before_the_time_runs() -> None:
    code = """
import sys, torch
from autograder.exercises.kit.calling import attempt
x = torch.ones(2, requires_grad=True)
def late():
    before = set(sys.modules)
    torch.autograd.grad(x.exp(), x, torch.ones(2))
    return sorted(set(sys.modules) - before)
print(attempt(late).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]" and done.stderr == ""


def test_a_torch_without_that_module_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "IMPORTED_LATE", ("torch.no.such.module",))
    calling.prepare.cache_clear()
    assert call(lambda: 1).value == 1
    monkeypatch.undo()
    calling.prepare.cache_clear()
    calling.prepare()


SLOW_PACKAGE = {
    "__init__.py": "from .first import a\nfrom .second import b\n",
    "first.py": "import time\nfor _ in range(60): time.sleep(0.01)\na = 1\n",
    "second.py": "from . import first\nb = first.a\n",
}


@pytest.mark.parametrize("run", [lambda work: work(), lambda work: in_a_thread(work)], ids=["main thread", "other"])
def test_the_time_limit_never_leaves_a_module_half_imported(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    name = f"slow_{re.sub('[^a-z]', '_', request.node.callspec.id)}"
    (tmp_path / name).mkdir()
    for file, text in SLOW_PACKAGE.items():
        (tmp_path / name / file).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    def imports_and_hangs(x: int, k: int) -> None:
        importlib.import_module(name)
        spin(x, k)

    assert "did not end within 0.2 s" in run(lambda: sentence(imports_and_hangs, 1, 2, seconds=0.2))
    assert {name, f"{name}.first", f"{name}.second"} <= set(sys.modules)
    assert importlib.import_module(name).b == 1


def test_an_import_that_never_ends_is_stopped_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless_module.py").write_text("while True: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(calling, "IMPORT_PAUSES", 20)

    def imports_for_ever(x: int, k: int) -> None:
        importlib.import_module("endless_module")

    assert "did not end within 0.2 s" in sentence(imports_for_ever, 1, 2, seconds=0.2)


# Output


def test_output_is_caught_and_bounded(capfd: pytest.CaptureFixture[str]) -> None:
    def loud(n: int) -> int:
        print("first")
        print("x" * n)
        sys.stderr.write("error stream\n")
        warnings.warn("watch out", stacklevel=1)
        return n

    with session() as current:
        assert call(loud, 10).value == 10
    assert current.printed.text() == "first\nxxxxxxxxxx\nerror stream\nUserWarning: watch out\n"
    with session() as current:
        call(loud, 5_000_000)
    text = current.printed.text()
    assert len(text) < 2100 and text.endswith("more characters are not shown)")
    assert "Your code printed this while it was checked:\nfirst\n" in calling.printed_note(current)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("work", [lambda: [print() for _ in range(5000)], lambda: print("a\n" * 5000)])
def test_lines_are_bounded_too(work: Callable) -> None:
    with session() as current:
        call(work)
    note = calling.printed_note(current)
    assert note.count("\n") <= calling.PRINTED_LINES + 2
    assert re.search(r"\n\.\.\. \([0-9,]+ more characters are not shown\)$", note)


def test_torchs_hint_about_another_tool_is_left_out() -> None:
    def refused(x: int, k: int) -> None:
        leaf = torch.ones(2, requires_grad=True)
        y = leaf.exp()
        y.mul_(2)
        y.sum().backward()

    text = sentence(refused, 1, 2)
    assert "expected version 0 instead. Your line: y.sum().backward()" in text


def test_silence_has_no_note() -> None:
    with session() as current:
        call(lambda: 1)
    assert calling.printed_note(current) == ""


def test_streams_are_put_back_even_if_the_code_replaces_them() -> None:
    def thief() -> None:
        sys.stdout = sys.stderr = None

    out, err = sys.stdout, sys.stderr
    call(thief)
    assert sys.stdout is out and sys.stderr is err


def test_warnings_as_errors_elsewhere_stay_as_they_are() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert call(lambda: warnings.warn("no", stacklevel=1)).problem is None
        with pytest.raises(UserWarning):
            warnings.warn("yes", stacklevel=1)


# What comes back


def generator():
    yield 1


@pytest.mark.parametrize(
    "value, said",
    [
        (None, "f([1], 0) returned None: write the body and return a tensor."),
        ([1], "returned a list, expected a tensor: do not turn"),
        ((torch.ones(1),), "returned a tuple, expected a tensor: return one tensor"),
        (generator(), "returned a generator, expected a tensor: use return, not yield."),
        (numpy.ones(2), "returned a NumPy array, expected a tensor: stay with torch"),
        (1.5, "returned a float, expected a tensor: do not take .item()"),
        ("text", "returned a str, expected a tensor."),
        (True, "returned a bool, expected a tensor."),
    ],
)
def test_wrong_types(value: object, said: str) -> None:
    assert said in explain(wrong_type(value), CALLED)
    assert wrong_type(torch.ones(1)) is None


def test_advice_about_tensors_is_given_only_where_one_was_expected() -> None:
    text = explain({"kind": "type", "type": "list"}, CALLED, expected="True or False")
    assert text == "f([1], 0) returned a list, expected True or False."


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return "lie"


def test_subclasses_become_plain_tensors_with_their_graph() -> None:
    x = torch.ones(2, requires_grad=True)
    with torch._C.DisableTorchFunctionSubclass():
        lying = (x * 2).as_subclass(Liar)
    assert lying.shape == "lie"
    plain = plain_tensor(lying)
    assert type(plain) is torch.Tensor and plain.shape == (2,)
    assert torch.equal(torch.autograd.grad(plain.sum(), x)[0], torch.full((2,), 2.0))
    assert plain_tensor(x) is x


def test_class_names_cannot_lie() -> None:
    class Meta(type):
        __name__ = property(lambda cls: 1 / 0)

    class Odd(metaclass=Meta):
        __class__ = dict

    assert type_name(Odd()) == "Odd"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
KINDS = [
    "not callable",
    "signature",
    "none",
    "type",
    "exit",
    "interrupt",
    "recursion",
    "time",
    "not tried",
    "raised",
    "?",
]


@given(
    st.one_of(
        json_values,
        st.fixed_dictionaries(
            {"kind": st.sampled_from(KINDS)},
            optional={k: json_values for k in ("type", "given", "text", "line", "error", "seconds", "why")},
        ),
    )
)
def test_every_problem_has_one_line(problem: object) -> None:
    text = explain(problem, CALLED, "f(x)")
    assert text and text.isprintable() and len(text) < 700


def test_importing_the_package_imports_neither_torch_nor_nbgrader() -> None:
    code = "import sys, autograder; print(sorted({'torch', 'nbgrader', 'IPython', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_alarm_interrupts_the_students_code_only() -> None:
    """Between the end of the code and the end of the limit it must not ring, or the exception would leave `attempt`."""
    limit = calling._AlarmLimit(60)

    def frame_of(function: Callable) -> SimpleNamespace:
        return SimpleNamespace(f_code=function.__code__, f_back=None)

    limit._ring(signal.SIGALRM, frame_of(spin))  # not started: nothing
    limit.start()
    try:
        for own in (attempt, calling._AlarmLimit.stop, calling.BoundedText.write):
            limit._ring(signal.SIGALRM, frame_of(own))
        with pytest.raises(calling.OutOfTime):
            limit._ring(signal.SIGALRM, frame_of(spin))
    finally:
        limit.stop()
    limit._ring(signal.SIGALRM, frame_of(spin))  # stopped: nothing
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
