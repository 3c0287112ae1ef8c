"""The words for what was observed."""

from __future__ import annotations

import math

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given

from inplace_lab import Experiment, Operation, Write, observe, verdict
from inplace_lab.observation import Observation


def observed(operation: str = "exp", *writes: Write, **options) -> Observation:
    return observe(Experiment(operation, writes=writes, **options))


def test_no_write() -> None:
    observation = observed("exp")
    assert observation.outcome == "plain"
    assert observation.verdict == "Backward runs. Nothing was overwritten."
    assert observation.reading == ""


def test_same_and_right() -> None:
    same = observed("exp", Write("middle", "mul_", "after_root"))
    assert same.outcome == "same"
    assert same.verdict == "Backward runs. The gradient is the same as without the write, and it is right."
    right = observed("exp", Write("middle", "mul_", "before_root"))
    assert right.outcome == "right"
    assert right.verdict.startswith(
        "Backward runs. The gradient differs from the one without the write, and it is right"
    )


def test_wrong_in_silence() -> None:
    observation = observed("exp", Write("root", "zero_", "after_loss", through="data"))
    assert observation.outcome == "wrong" and observation.runs
    assert observation.gradient.tolist() == [0.0] * 5
    assert "wrong" in observation.verdict and "no error says so" in observation.verdict


def test_one_wrong_share_among_right_ones_is_wrong() -> None:
    restored = [
        Write("root", "mul_", "between_backwards", value=2, through="data"),
        Write("root", "mul_", "between_backwards", value=0.5, through="data"),
    ]
    observation = observed("exp", *restored)
    assert torch.equal(observation.gradient, observation.gradient_unmutated), "the last call is right again"
    assert observation.outcome == "wrong", "the second was not"


def test_a_refusal_names_node_tensor_versions_and_lines() -> None:
    observation = observed("pow", Write("middle", "mul_", "before_root"), Write("middle", "setitem", "after_loss"))
    assert observation.program.splitlines()[6] == "middle[2] = 10"
    reading = "PowBackward0 (root = middle.pow(2)) saved middle at version 1; middle is at version 2 since line 7."
    assert observation.reading == reading
    assert observation.verdict == f"Backward is refused. {reading}"


def test_the_reading_counts_from_the_first_write_after_the_save() -> None:
    writes = [Write("root", "add_", "after_root"), Write("root", "mul_", "after_root")]
    assert observed("tanh", *writes).reading == (
        "TanhBackward0 (root = middle.tanh()) saved root at version 0; root is at version 2 since line 5."
    )


def test_the_reading_follows_torch_to_the_node_that_it_met_first() -> None:
    """exp_ is the younger node, so backward meets it before tanh; both of their tensors have changed."""
    writes = [Write("root", "exp_", "after_root"), Write("root", "add_", "after_root")]
    observation = observed("tanh", *writes)
    assert observation.reading.startswith("ExpBackward0 (root.exp_()) saved root at version 1; ")
    assert "is at version 2; expected version 1 instead" in observation.error.text


def test_a_node_hidden_behind_a_view_is_not_blamed_on_another() -> None:
    writes = [Write("root", "relu_", "after_root", through="view"), Write("root", "add_", "after_root")]
    observation = observed("exp", *writes)
    assert observation.outcome == "backward refused"
    assert "expected version 1 instead" in observation.error.text, "relu_ saved it at 1, exp at 0"
    assert observation.reading == ""
    assert observation.verdict == f"Backward is refused. Torch says: {observation.error.text}"


def test_a_refused_write() -> None:
    observation = observed("exp", Write("leaf", "mul_", "before_root"))
    assert observation.outcome == "write refused"
    assert observation.verdict == f"The write is refused. The program stops there. Torch says: {observation.error.text}"
    assert [(call.reached, call.gradient) for call in observation.backwards] == [(False, None)]


def test_a_write_refused_between_two_backwards_leaves_the_first_gradient() -> None:
    observation = observed("scale", Write("leaf", "mul_", "between_backwards"))
    assert observation.outcome == "write refused"
    first, second = observation.backwards
    assert first.reached and first.gradient.tolist() == [2.0] * 5
    assert not second.reached and second.error == observation.error
    assert "No backward call" not in observation.verdict


def test_an_operation_that_fails_is_not_blamed_on_the_write() -> None:
    write = Write("middle", "mul_", "before_root")
    observation = observe(Experiment(Operation("own", "middle.reshape(2, 2)", ""), writes=write))
    assert observation.outcome == "stopped"
    assert "No write is to blame" in observation.verdict


def test_a_backward_refused_for_another_reason_has_no_reading() -> None:
    observation = observe(
        Experiment(Operation("cut", "middle.detach()", ""), writes=Write("root", "mul_", "after_root"))
    )
    assert observation.outcome == "backward refused"
    assert observation.reading == ""
    assert observation.verdict.endswith(observation.error.text)


def test_luck_is_called_luck() -> None:
    lucky = observed("relu", Write("root", "mul_", "after_loss", through="data"))
    assert lucky.outcome == "same"
    assert "This is luck: ReluBackward0 saved root" in lucky.verdict
    assert verdict.luck(observed("relu")) == ""
    assert verdict.luck(observed("scale", Write("root", "mul_", "after_loss", through="data"))) == ""
    assert verdict.luck(observed("exp", Write("root", "add_", "after_root", through="data"))) == "", "wrong, not lucky"
    beside = [Write("root", "exp_", "after_loss"), Write("root", "mul_", "after_loss", through="data")]
    assert verdict.luck(observed("scale", *beside)) == "", "what exp_ saved after the loss is not on backward's way"
    matrix = observe(Experiment(Operation("row", "middle[None].relu()", ""), writes=lucky.experiment.writes))
    assert "This is luck" in matrix.verdict, "also when root is not a vector"


@pytest.mark.parametrize("name", verdict.OUTCOMES)
def test_each_outcome_has_words(name: str) -> None:
    entry = verdict.OUTCOMES[name]
    assert entry.symbol and entry.headline and not entry.headline.endswith(".")
    assert entry.meaning == "" or entry.meaning.endswith(".")
    assert entry.bad == (name in ("wrong", "backward refused", "write refused", "stopped"))


def test_writes_in_words() -> None:
    assert verdict.describe_writes(observed("exp")) == "no write"
    two = observed(
        "scale",
        Write("middle", "mul_", "before_root", through="data"),
        Write("root", "setitem", "between_backwards"),
        values=(1, 2, 3),
    )
    assert verdict.describe_writes(two) == (
        "middle.data.mul_(3) before root is computed and root[1] = 10 between two backward calls"
    )


# --- when two gradients are the same ----------------------------------------------------------------------------------


def test_same() -> None:
    one = torch.tensor([1.0, math.nan, math.inf, -math.inf])
    assert verdict.same(one, one.clone())
    assert not verdict.same(one, -one)
    assert verdict.same(None, None)
    assert not verdict.same(one, None) and not verdict.same(None, one)
    assert not verdict.same(torch.tensor([math.nan]), torch.tensor([0.0]))
    assert not verdict.same(torch.tensor([math.inf]), torch.tensor([3e38]))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_same_forgives_rounding_and_no_more(dtype: torch.dtype) -> None:
    eps = torch.finfo(dtype).eps
    one = torch.tensor([1.0, 3.0, 0.0], dtype=dtype)
    assert verdict.same(one, one * (1 + 2 * eps))
    assert verdict.same(one, one + torch.tensor([0, 0, eps / 2], dtype=dtype))
    assert not verdict.same(one, one * (1 + 32 * eps))
    assert not verdict.same(one, one + torch.tensor([0, 0, 4 * eps], dtype=dtype))


@given(st.floats(-100, 100), st.floats(-100, 100))
def test_same_is_symmetric(one: float, other: float) -> None:
    a, b = torch.tensor([one]), torch.tensor([other])
    assert verdict.same(a, b) == verdict.same(b, a) or abs(one - other) < 1e-4


def test_small_gradients_in_low_precision_are_told_apart() -> None:
    observation = observed("sigmoid", Write("middle", "add_", "before_root"), dtype=torch.bfloat16)
    assert observation.gradient.tolist() != observation.gradient_unmutated.tolist()
    assert observation.outcome == "right"
    changed = observed("sigmoid", Write("root", "zero_", "after_loss", through="data"), dtype=torch.bfloat16)
    assert changed.outcome == "wrong"


def test_rounding_around_zero_is_no_difference() -> None:
    """softmax's outputs sum to 1, so this gradient is 0 whatever is added to middle; torch gives some 1e-8."""
    for mutation in ("add_", "mul_", "exp_"):
        assert observed("softmax", Write("middle", mutation, "before_root"), values=(0.1, 0.2, 0.3)).outcome == "same"
