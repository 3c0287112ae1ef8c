"""Questions to short programs: what ran, what stopped it, and the reason from the run."""

from __future__ import annotations

import pytest

from autograder.exercises import exp_predictions, pow_predictions, scalar_mul_predictions
from autograder.exercises.kit.programs import STOPS, outcome, refused_call, run, stop
from inplace_lab import Experiment, Write

START = "leaf = torch.tensor([1., 2., 3.], requires_grad=True)\n"
END = "loss = root.sum()\nloss.backward()\n"


def test_a_program_that_runs_tells_its_gradient() -> None:
    live = outcome(START + "root = leaf * 4\n" + END)
    assert live.answer == "runs"
    assert "[4, 4, 4]" in live.because


def test_a_refused_backward_names_the_node_and_both_versions() -> None:
    live = outcome(START + "root = leaf.exp()\nroot.mul_(2)\nroot.mul_(2)\n" + END)
    assert live.answer == "fails"
    assert "loss.backward()" in live.because
    assert "ExpBackward0 saved its result at version 0; it is at version 2" in live.because


def test_another_error_is_told_in_torch_s_words() -> None:
    live = outcome(START + "root = leaf.add_(1)\n" + END)
    assert live.answer == "fails"
    assert run(START + "leaf.add_(1)").error is not None
    assert str(run(START + "leaf.add_(1)").error)[:60] in live.because


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("root = leaf.pow(2)\n", "runs"),
        ("leaf.add_(1)\nroot = leaf.pow(2)\n", "write"),
        ("root = leaf.pow(2)\nwith torch.no_grad():\n    leaf.add_(1)\n", "backward"),
    ],
)
def test_what_stops_a_program(lines: str, expected: str) -> None:
    assert expected in STOPS
    assert stop(START + lines + END).answer == expected


@pytest.mark.parametrize(("target", "expected"), [("middle", 0), ("root", 2)])
def test_the_refused_call_of_exp(target: str, expected: int) -> None:
    live = refused_call(Experiment("exp", writes=(Write(target, "mul_", "between_backwards", 2),)))
    assert live.answer == expected
    assert live.because


def test_programs_of_the_exercises_run_in_a_bare_namespace() -> None:
    texts = [
        text
        for module in (exp_predictions, pow_predictions, scalar_mul_predictions)
        for text in vars(module).values()
        if isinstance(text, str) and "requires_grad" in text
    ]
    assert len(texts) >= 9
    for text in texts:
        ran = run(text)
        assert ran.error is None or type(ran.error) is RuntimeError, text
