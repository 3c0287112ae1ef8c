"""`check` and `replay` in a notebook, and nbgrader's rule for the output of a graded cell."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import torch
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

import autograder
from autograder import CheckFailed, check, checking, exercises, replay
from autograder.exercises.kit import calling
from tests.autograder.test_answers import FILES, load


def right(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y


def in_place(x, zero_at):
    y = x.exp()
    y[zero_at] = 0
    return y


def noisy(x, zero_at):
    print("hello from inside")
    print("and to stderr", file=sys.stderr)
    warnings.warn("a warning", stacklevel=1)
    return right(x, zero_at)


@pytest.fixture(autouse=True)
def no_execution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.delenv("INPLACE_LAB_SEED", raising=False)


def test_prints_the_report_to_stdout_and_returns_a_plain_float(capfd: pytest.CaptureFixture[str]) -> None:
    points = check("masked_exp", right)
    out, err = capfd.readouterr()
    assert type(points) is float and points == 10.0
    assert err == ""
    assert re.search(r"10 of 10 points   \(seed [0-9a-f]{16}\)\n$", out)


def test_part_of_the_points(capfd: pytest.CaptureFixture[str]) -> None:
    assert check("masked_exp", in_place) == 3.5
    assert "3.5 of 10 points" in capfd.readouterr().out


def test_noise_of_the_answer_costs_nothing_and_never_reaches_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    assert check("masked_exp", noisy) == 10.0
    out, err = capfd.readouterr()
    assert err == ""
    assert out.startswith(
        "Your code printed this while it was checked:\nhello from inside\nand to stderr\nUserWarning: a warning\n"
    )
    assert len(out) < 5000
    assert re.fullmatch(r"10 of 10 points   \(seed [0-9a-f]{16}\)", out.rstrip().splitlines()[-1])


@pytest.mark.parametrize(
    "answer", [None, 3, "text", torch.ones(2), print, len, [], object(), type, lambda: 1, torch.exp]
)
@pytest.mark.parametrize("name", exercises.names())
def test_any_answer_gets_a_float_within_range(name: str, answer: object, capfd: pytest.CaptureFixture[str]) -> None:
    points = check(name, answer)
    assert type(points) is float and 0 <= points < exercises.get(name).maximum
    assert capfd.readouterr().err == ""


def test_same_seed_same_report(capsys: pytest.CaptureFixture[str]) -> None:
    check("masked_exp", in_place, seed="1")
    first = capsys.readouterr().out
    check("masked_exp", in_place, seed="1")
    assert capsys.readouterr().out == first
    check("masked_exp", lambda x, zero_at: x, seed="2")
    assert capsys.readouterr().out != first


def test_graded_seed_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INPLACE_LAB_SEED", "0123")
    check("masked_exp", in_place)
    first = capsys.readouterr().out
    check("masked_exp", in_place)
    assert capsys.readouterr().out == first


def test_validate_raises_with_the_report_unless_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    assert check("masked_exp", right) == 10.0
    capsys.readouterr()
    with pytest.raises(CheckFailed, match="ExpBackward0 saved") as caught:
        check("masked_exp", in_place)
    assert isinstance(caught.value, AssertionError) and "3.5 of 10 points" in str(caught.value)
    assert capsys.readouterr().out == ""
    with pytest.raises(CheckFailed, match="there is no exercise"):
        check("typo", in_place)


def test_autograde_does_not_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check("masked_exp", in_place) == 3.5


def test_an_unknown_exercise_is_said_and_worth_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert check("masked_expp", right) == 0.0
    out, err = capfd.readouterr()
    assert "there is no exercise 'masked_expp': the exercises are" in out and err == ""
    replay("masked_expp", right, "1", "values")
    assert "there is no exercise 'masked_expp'" in capfd.readouterr().out


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("boom"), calling.OutOfTime()])
def test_a_fault_of_the_check_itself_is_no_exception(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> str:
        raise error

    monkeypatch.setattr(checking, "collect_json", broken)
    assert check("masked_exp", right) == 0.0
    assert ("interrupted" if isinstance(error, KeyboardInterrupt) else "could not run") in capsys.readouterr().out


def test_replay_shows_one_case_with_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    def wrong(x, zero_at):
        y = x.exp().clone()
        y[zero_at - 1] = 0
        return y

    check("masked_exp", wrong, seed="5")
    report = capsys.readouterr().out
    replay("masked_exp", wrong, "5", "values")
    shown = capsys.readouterr().out
    assert shown.startswith("values: failed, 0 of 1.5 points (seed 5)\n")
    call = re.search(r"masked_exp\(\[.*?\], \d\)", report).group()
    assert f"call      {call}   x: float64" in shown
    assert re.search(r"^    got       \[.*\]$", shown, re.M) and re.search(r"^    expected  \[.*\]$", shown, re.M)


def test_replay_of_a_passed_and_of_an_unknown_case(capsys: pytest.CaptureFixture[str]) -> None:
    replay("masked_exp", noisy, "5", "gradient")
    out = capsys.readouterr().out
    assert "hello from inside" in out and "gradient: passed, 2.5 of 2.5 points (seed 5)" in out
    replay("masked_exp", right, "5", "gradiant")
    assert 'There is no case "gradiant" in masked_exp; the cases are: values, gradient' in capsys.readouterr().out


def test_the_replay_line_of_a_report_works(capsys: pytest.CaptureFixture[str]) -> None:
    check("masked_exp", in_place)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    start = lines.index("from autograder import replay")
    program = "\n".join(lines[start : lines.index("", start)])
    exec(program, {"masked_exp": in_place})
    assert capsys.readouterr().out.startswith("gradient: failed")


def test_global_state_of_torch_is_left_as_it_was() -> None:
    def careless(x, zero_at):
        torch.set_grad_enabled(False)
        return right(x, zero_at)

    check("masked_exp", careless)
    assert torch.is_grad_enabled()
    with torch.no_grad():
        assert check("masked_exp", right) == 10.0
        assert not torch.is_grad_enabled()


@contextlib.contextmanager
def default_device(name: str) -> Iterator[None]:
    torch.set_default_device(name)
    try:
        yield
    finally:
        torch.set_default_device(None)


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(torch.float32)


def state() -> tuple:
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.is_anomaly_enabled(),
        torch.get_default_dtype(),
        torch.ones(1).device.type,
    )


AROUND = {
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "anomaly": lambda: torch.autograd.set_detect_anomaly(True, check_nan=False),
    "set_default_device": lambda: default_device("meta"),
    "with device": lambda: torch.device("meta"),
    "float64": lambda: default_dtype(torch.float64),
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", exercises.names())
@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_modes_of_the_notebook_cost_nothing(name: str, around: str) -> None:
    path = next(path for path in FILES if path.parent.name == name and path.stem.startswith("right_"))
    answer = load(path).answer
    before = state()
    with AROUND[around]():
        inside = state()
        assert inside != before
        assert check(name, answer) == exercises.get(name).maximum
        assert state() == inside
    assert state() == before


def test_defaults_that_an_answer_sets_end_with_the_check() -> None:
    def careless(x, zero_at):
        torch.set_default_dtype(torch.float64)
        torch.set_default_device("meta")
        return x

    try:
        check("masked_exp", careless)
        assert torch.get_default_dtype() == torch.float32 and torch.ones(1).device.type == "cpu"
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)


def test_works_without_nbgrader() -> None:
    code = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("nbgrader", "nbclient", "nbconvert", "jupyterlab"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
from autograder import check
print(repr(check("masked_exp", lambda x, zero_at: x.exp().index_fill(0, __import__("torch").tensor([zero_at]), 0))))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "" and re.fullmatch(r"\d+(\.\d+)?", done.stdout.splitlines()[-1])


CELLS = {
    "right": ("def masked_exp(x, zero_at):\n    y = x.exp().clone()\n    y[zero_at] = 0\n    return y", 10.0),
    "noisy": (
        "import warnings, sys\ndef masked_exp(x, zero_at):\n    warnings.warn('w'); print('p', file=sys.stderr)\n"
        "    y = x.exp().clone()\n    y[zero_at] = 0\n    return y",
        10.0,
    ),
    "in place": ("def masked_exp(x, zero_at):\n    y = x.exp()\n    y[zero_at] = 0\n    return y", 3.5),
    "stub": ("def masked_exp(x, zero_at):\n    # YOUR CODE HERE\n    pass", 0.0),
    "interrupted": ("def masked_exp(x, zero_at):\n    raise KeyboardInterrupt", 0.0),
    # The last, since IPython's exit ends the kernel a moment later.
    "exits": ("def masked_exp(x, zero_at):\n    exit()", 0.0),
}


def test_nbgrader_gives_exactly_these_points(tmp_path: Path) -> None:
    """One kernel runs all answers; nbgrader's own rule reads each graded cell's outputs."""
    from nbgrader.utils import determine_grade

    metadata = {
        "nbgrader": {
            "grade": True,
            "solution": False,
            "points": 10,
            "grade_id": "masked_exp_check",
            "schema_version": 3,
        }
    }
    nb = new_notebook(cells=[new_code_cell("import torch\nfrom autograder import check")])
    for source, _ in CELLS.values():
        nb.cells += [new_code_cell(source), new_code_cell('check("masked_exp", masked_exp)', metadata=metadata)]
    root = Path(autograder.__file__).resolve().parent.parent
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(root)
    try:
        NotebookClient(
            nb, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)
    nbformat.validate(nb)
    checks = [cell for cell in nb.cells if cell.source.startswith("check(")]
    for (name, (_, points)), cell in zip(CELLS.items(), checks, strict=True):
        assert not [o for o in cell.outputs if o.output_type == "error" or o.get("name") == "stderr"], name
        assert determine_grade(cell) == (points, 10), name


def test_what_the_check_itself_writes_to_stderr_stays_there(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def loud(*_: object) -> str:
        print("from the check", file=sys.stderr)
        warnings.warn("from torch", stacklevel=1)
        return "{}"

    monkeypatch.setattr(checking, "collect_json", loud)
    assert check("masked_exp", right) == 0.0
    assert capfd.readouterr().err == ""
