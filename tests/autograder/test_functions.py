"""The kit for exercises whose answer is a function of a tensor, on small exercises made here."""

from __future__ import annotations

import json
import random

import pytest
import torch

from autograder import exercises
from autograder.checking import examine
from autograder.exercises.kit import functions
from autograder.exercises.kit.calling import session
from autograder.exercises.kit.demands import Formula, explain_backward, explain_call, same_device, show_call
from autograder.exercises.kit.functions import (
    collect,
    function_exercise,
    numbers,
    repair_exercise,
    trial,
    usual_trials,
)
from autograder.report import FAILED, Report
from inplace_lab.devices import Device

POINTS = {"values": 1, "gradient": 1, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25}


def scaled(x: torch.Tensor, k: int) -> torch.Tensor:
    return k * x.exp()


def total(x: torch.Tensor, k: int) -> torch.Tensor:
    return (k * x.square()).sum()


SCALED = Formula("scaled(x, k)", scaled, scaled, value_hint=lambda x, a, got, want: "No factor." if got != want else "")
TOTAL = Formula("total(x, k)", total, lambda x, k: (2 * k * x)[None])


def judged(formula: Formula, answer: object, monkeypatch: pytest.MonkeyPatch, seed: str = "1") -> Report:
    made = repair_exercise("made", formula, lambda rng, n: (numbers(rng, n, 0.5, 3), [3]), POINTS, answer=formula.name)
    monkeypatch.setattr(exercises, "get", lambda name: made)
    report, _ = examine("made", answer, seed)
    assert report.maximum == 3
    return report


@pytest.mark.parametrize("formula", [SCALED, TOTAL])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_formula_itself_gets_full_points(formula: Formula, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(formula, formula.value, monkeypatch, seed).full


def in_place(x, k):
    y = x.exp()
    y.mul_(k)
    return y


def writes_x(x, k):
    with torch.no_grad():
        x.add_(0)
    return x.exp() * k


def writes_and_restores(x, k):
    x.data.add_(1)
    y = (x - 1).exp() * k
    x.data.sub_(1)
    return y


def one_shot(x, k):
    y = x.exp() * k
    torch.autograd.grad(y.sum(), x) if y.requires_grad else None
    return y


def needs_grad(x, k):
    x.requires_grad_()
    return x.exp() * k


@pytest.mark.parametrize(
    "answer, points, said",
    [
        (in_place, 1.5, "ExpBackward0 saved (its result): version 0 -> 1"),
        (writes_x, 2.75, "x went through an in-place write during scaled("),
        (writes_and_restores, 3, ""),
        (one_shot, 0.25 + 1 + 0.25, "raised RuntimeError: Trying to backward through the graph a second time"),
        (needs_grad, 2.75, "changed x.requires_grad: leave the input as it is."),
        (lambda x, k: x.exp(), 0, "gave ["),
        (lambda x, k: (x.exp() * k).double(), 2.75, "x is float32, the result is float64: another dtype took part."),
        (lambda x, k: (x.exp() * k).float(), 2.75, "x is float64, the result is float32"),
        (lambda x, k: (x.exp() * k).long(), 0, "has dtype int64, expected float64."),
        (lambda x, k: (x.exp() * k)[:, None], 0, "has shape [3, 1], expected [3]."),
        (lambda x, k: (x.exp() * k).sum(), 0, "has shape [], expected [3]. That is a single number"),
        (lambda x, k: torch.full((10**7,), 1.0), 0, "has shape [10000000], expected [3]."),
        (lambda x, k: x.detach().exp() * k, 1.5, "The output does not require grad"),
        (lambda x, k: x.exp().detach() * k + 0 * x, 1.5, "is wrong. The derivative of output 0 by x[0] is 0, expected"),
    ],
)
def test_wrong_answers(answer: object, points: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = judged(SCALED, answer, monkeypatch)
    text = " ".join(report.text().split())
    assert said in text, report.text()
    assert report.points == points, report.text()


def test_hints_follow_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No factor." in judged(SCALED, lambda x, k: x.exp(), monkeypatch).cases[0].message


def test_scalar_results(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(x, k):
        y = x.square()
        x.data.add_(1)
        return (y * k).sum()

    report = judged(TOTAL, wrong, monkeypatch)
    assert report.case("values").status == "passed" and report.case("gradient").status == FAILED
    assert "changed x to [" in report.case("input not written to").message


def test_an_endless_backward_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            return x.exp() * k

        @staticmethod
        def backward(ctx, gradient):
            while True:
                pass

    report = judged(SCALED, Stuck.apply, monkeypatch)
    assert report.points == 1.5
    assert report.case("gradient").message.startswith("backward of scaled([")
    assert "did not end within" in report.case("gradient").message


def test_unknown_demand() -> None:
    with pytest.raises(ValueError, match="'beauty' is no demand of a repair exercise: use values, gradient"):
        repair_exercise("made", SCALED, lambda rng, n: ([], []), {"beauty": 1})


def test_numbers_are_exact_and_different() -> None:
    rng = random.Random(1)
    made = numbers(rng, 48)
    assert len(set(made)) == 48 and 0 not in made and min(made) == -3 and max(made) == 3
    assert len(numbers(rng, 1000)) == 1000
    assert all(0.5 <= v <= 2 and v % 0.25 == 0 for v in numbers(rng, 7, 0.5, 2, 0.25))


def test_records_hold_facts_only() -> None:
    challenge = {
        "trials": [trial("a", [1.0, 2.0], 2, want=["jacobian"], layout="strided"), trial("b", [1.0], 2, leaf=False)]
    }
    payload = json.loads(json.dumps(collect(in_place, challenge), allow_nan=False))
    record = payload["records"]["cpu"]["a"]
    assert record["graph"]["broken"] == [
        {"node": "ExpBackward0", "slot": "result", "expected": 0, "found": 1, "later": ["MulBackward0"]}
    ]
    assert record["input"] == {
        "version_before": 1, "version_after": 1, "requires_grad": True, "gaps": True, "values": [1.0, 2.0],
    }  # fmt: skip
    assert record["jacobian"]["problem"]["error"] == "RuntimeError"
    assert set(payload["records"]["cpu"]) == {"a", "b"} and "jacobian" not in payload["records"]["cpu"]["b"]


def test_gaps_of_a_strided_input_are_watched() -> None:
    def spill(x, k):
        x.detach().as_strided((2,), (1,)).fill_(7.0)
        return x.exp() * k

    challenge = {"trials": [trial("a", [1.0, 2.0], 2, layout="strided", requires_grad=False)]}
    assert collect(spill, challenge)["records"]["cpu"]["a"]["input"]["gaps"] is False


def test_the_input_is_what_the_trial_says() -> None:
    seen = []

    def look(x, k):
        seen.append((x.dtype, x.is_contiguous(), x.requires_grad, x.is_leaf, x.tolist(), k))
        return x

    trials = [
        trial("a", [1.0, 2.0], 2, dtype="bfloat16"),
        trial("b", [1.0, 2.0], 3, layout="strided", requires_grad=False),
        trial("c", [1.0, 2.0], 4, leaf=False),
    ]
    collect(look, {"trials": trials})
    assert seen == [
        (torch.bfloat16, True, True, True, [1, 2], 2),
        (torch.float64, False, False, True, [1, 2], 3),
        (torch.float64, True, True, False, [1, 2], 4),
    ]


def test_show_call() -> None:
    short = trial("a", [0.5, 1.0], 1, layout="strided", leaf=False, requires_grad=False)
    assert show_call(SCALED, short) == "scaled([0.5, 1], 1)"
    assert show_call(SCALED, short, whole=True) == (
        "scaled([0.5, 1], 1)   x: float64, not contiguous, without requires_grad, not a leaf"
    )
    assert show_call(SCALED, trial("a", range(9), 1)) == "scaled([0, 1, 2, 3, 4, 5, ... 9 in all], 1)"


@pytest.mark.parametrize(
    "broken, said",
    [
        (
            [{"node": "PowBackward0", "slot": "self", "expected": 1, "found": 3}],
            "PowBackward0 saved (its input): version 1 -> 3",
        ),
        (
            [{"node": "MulBackward0", "slot": "other", "expected": 0, "found": 2}],
            "MulBackward0 saved (the other factor): version 0 -> 2",
        ),
        (
            [{"node": "X", "slot": "result", "expected": None, "found": None}],
            "backward of f() raised RuntimeError: freed.",
        ),
        ([], "backward of f() raised RuntimeError: freed."),
        (None, "backward of f() raised RuntimeError: freed."),
        ([3], "backward of f() raised RuntimeError: freed."),
    ],
)
def test_why_backward_refused(broken: object, said: str) -> None:
    problem = {"kind": "raised", "error": "RuntimeError", "text": "freed"}
    assert said in explain_backward(problem, {"graph": {"broken": broken}}, "f()")


@pytest.mark.parametrize(
    "write, said",
    [
        (
            lambda y, k: y.div_(k),
            "Put the result into a new tensor (y = y / s, not y /= s), or clone() before you write.",
        ),
        (lambda y, k: y.add_(k), "(y = y + s, not y += s)"),
        (lambda y, k: y.__setitem__(0, 0.0), "(torch.where, masked_fill, or clone() before you assign)"),
        (lambda y, k: y.masked_fill_(y > 0, 0.0), "(torch.where, masked_fill, or clone() before you assign)"),
        (lambda y, k: y.relu_(), "so backward refuses. Put the result into a new tensor, or clone() before you write."),
        (lambda y, k: y.div_(k).add_(1), "Put the result into a new tensor, or clone() before you write."),
    ],
)
def test_the_advice_fits_the_write(write: object, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(x, k):
        y = x.exp()
        write(y, k)
        return y

    assert said in judged(SCALED, answer, monkeypatch).case("gradient").message


def test_advice_for_a_write_that_autograd_does_not_know() -> None:
    for later in (None, [], 3, [3, None], ["SumBackward0"], {}):
        graph = {"broken": [{"node": "ExpBackward0", "slot": "result", "expected": 0, "found": 1, "later": later}]}
        text = explain_backward({"kind": "raised", "error": "RuntimeError", "text": ""}, {"graph": graph}, "f()")
        assert text.endswith("so backward refuses. Put the result into a new tensor, or clone() before you write.")


@pytest.mark.parametrize(
    "line, said",
    [
        ("x[k] = 0", "In f() you wrote into x, a leaf"),
        ("x -= x.mean()", "In f() you wrote into x, a leaf"),
        ("h = x.mul_(2)", "In f() you wrote into x, a leaf"),
        ("return x.exp_()", "In f() you wrote into x, a leaf"),
        ("y[0] = x[0].exp()", "In f() you wrote into a leaf that requires grad (x, or a tensor made with"),
        ("x1.mul_(2)", "In f() you wrote into a leaf that requires grad (x, or a tensor made with"),
        ("", "In f() you wrote into a leaf that requires grad (x, or a tensor made with"),
    ],
)
def test_a_write_into_a_leaf_is_named(line: str, said: str) -> None:
    text = "a leaf Variable that requires grad is being used in an in-place operation."
    problem = {"kind": "raised", "error": "RuntimeError", "text": text, "line": line}
    assert explain_call(problem, "f()", SCALED).startswith(said)
    assert f"Torch says: {text}" in explain_call(problem, "f()", SCALED)
    assert explain_call(problem | {"text": "no"}, "f()", SCALED).startswith("f() raised RuntimeError: no.")


def test_a_reason_that_differs_only_in_the_call_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(x, k):
        raise ValueError("torhc")

    text = judged(SCALED, broken, monkeypatch).text()
    assert text.count("torhc") == 1 + 1 and text.count('The same reason as for "values".') == 4  # error, line


def test_gradient_hints_are_given_for_right_values_only(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = Formula("scaled(x, k)", scaled, scaled, gradient_hint=lambda x, a, got, want: "Hidden.")
    assert "Hidden." in judged(formula, lambda x, k: x.exp().detach() * k + 0 * x, monkeypatch).text()
    assert "Hidden." not in judged(formula, lambda x, k: x.exp(), monkeypatch).text()


def test_device_names() -> None:
    assert same_device("cuda", "cuda:0") and not same_device("cuda:1", "cuda:0") and not same_device("cpu", "cuda:0")


def test_function_exercise_sums_its_points() -> None:
    made = function_exercise("made", SCALED, lambda rng: [], [])
    assert made.maximum == 0 and made.answer == "made"


def test_what_a_repair_tries_is_not_repeated_on_devices() -> None:
    made = usual_trials(random.Random(0), SCALED, lambda rng, n: ([0.5] * n, [2]))
    assert made and not any(one["on_devices"] for one in made), "no demand of a repair looks at a device"


def test_a_failure_that_devices_may_explain_has_a_story(monkeypatch: pytest.MonkeyPatch) -> None:
    here = (Device("cpu", "cpu", True), Device("simgpu", "simgpu (simulated)", True))
    monkeypatch.setattr(functions, "devices", lambda: here)
    challenge = {"trials": [trial("a", [1.0, 2.0], 2, want=["jacobian"], on_devices=True)]}

    def records(answer) -> tuple[dict, dict]:
        payload = collect(answer, challenge)
        return payload["records"]["cpu"]["a"], payload["records"]["simgpu"]["a"]

    assert not any("story" in record for record in records(scaled)), "what works is run once, and unwatched"
    assert not any("story" in record for record in records(lambda x, k: 1 / 0)), "nor what fails for other reasons"
    on_cpu, on_device = records(lambda x, k: x * torch.ones(2))
    assert "story" not in on_cpu and on_device["story"]["foreign"]["by"] == "torch.ones(...)"
    assert all(record["story"]["cut"]["by"] == ".detach()" for record in records(lambda x, k: x.detach()))


def test_what_a_second_run_prints_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def chatty(x, k):
        calls.append(x)
        print("hello")
        return x.detach()

    with session() as current:
        collect(chatty, {"trials": [trial("a", [1.0], 2, want=["jacobian"])]})
    assert len(calls) == 2 and current.printed.text() == "hello\n"


def test_other_devices_run_only_what_is_meant_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    here = (Device("cpu", "cpu", True), Device("meta", "meta", True), Device("cuda", "cuda", False, "none"))
    monkeypatch.setattr(functions, "devices", lambda: here)
    challenge = {"trials": [trial("a", [1.0], 2), trial("b", [1.0], 2, on_devices=True)]}
    payload = collect(scaled, challenge)
    assert {name: set(records) for name, records in payload["records"].items()} == {"cpu": {"a", "b"}, "meta": {"b"}}
    assert [row["available"] for row in payload["devices"]] == [True, True, False]
