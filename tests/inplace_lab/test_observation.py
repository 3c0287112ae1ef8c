"""What ``observe`` reports, held against torch itself and against closed forms in Python floats."""

from __future__ import annotations

import itertools
import math
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given, settings

from inplace_lab import Experiment, Operation, Write, catalogue, observe, verdict
from inplace_lab.observation import Observation
from tests.inplace_lab import closed_forms

LEAF = (1, 2, 3, 4, 5)
VERSIONS = re.compile(r"is at version (\d+); expected version (\d+) instead")


def gradients(observation: Observation) -> list[list[float] | None]:
    return [None if call.gradient is None else call.gradient.tolist() for call in observation.backwards]


def run_bare(program: str) -> tuple[dict[str, object], Exception | None]:
    """Run a program's text in an empty namespace, in one go, as pasting it would."""
    namespace: dict[str, object] = {}
    try:
        exec(program, namespace)
    except Exception as error:
        return namespace, error
    return namespace, None


def line_of(error: Exception) -> int:
    """The line of the program's text (compiled as "<string>") that raised."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<string>":
            return trace.tb_lineno
        trace = trace.tb_next
    raise AssertionError("the error was not raised by the program's text")


def agrees_with_bare_python(observation: Observation) -> None:
    namespace, error = run_bare(observation.program)
    failure = observation.error
    if error is None:
        assert failure is None
    else:
        assert (failure.kind, failure.text) == (type(error).__name__, str(error))
        assert failure.line_number == line_of(error)
        assert failure.line == observation.program.splitlines()[failure.line_number - 1]
    shares = [call.gradient for call in observation.backwards if call.gradient is not None]
    total = namespace["leaf"].grad
    if not shares:
        assert total is None
    else:
        assert torch.allclose(total, sum(shares), rtol=1e-12 if total.dtype == torch.float64 else 1e-6, equal_nan=True)


# --- the table of the design, number by number -----------------------------------------------------------------------

E = [math.exp(n) for n in range(3, 8)]
E3 = [3 * math.exp(3 * n) for n in range(3, 8)]
TABLE = {
    "scale": (
        [2, 2, 2, 2, 2],
        {"mul_": ([6, 6, 6, 6, 6], [2, 2, 2, 2, 2]), "setitem": ([2, 2, 0, 2, 2], [2, 2, 2, 2, 2])},
    ),
    "pow": (
        [6, 8, 10, 12, 14],
        {"mul_": ([54, 72, 90, 108, 126], None), "setitem": ([6, 8, 0, 12, 14], None)},
    ),
    "exp": (E, {"mul_": (E3, E), "setitem": ([E[0], E[1], 0, E[3], E[4]], E)}),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("operation", TABLE)
def test_every_row_of_the_designs_table(operation: str, dtype: torch.dtype) -> None:
    without, with_write = TABLE[operation]
    relative = 1e-6 if dtype == torch.float32 else 1e-13
    bare = observe(Experiment(operation, dtype=dtype))
    assert bare.gradient.dtype == dtype
    assert closed_forms.close(bare.gradient.tolist(), without, relative)
    for mutation, (before, after) in with_write.items():
        options = {"value": 3} if mutation == "mul_" else {"value": 10, "index": 2}
        early = observe(Experiment(operation, writes=Write("middle", mutation, "before_root", **options), dtype=dtype))
        late = observe(Experiment(operation, writes=Write("middle", mutation, "after_root", **options), dtype=dtype))
        assert closed_forms.close(early.gradient.tolist(), before, relative)
        assert closed_forms.close(early.gradient_unmutated.tolist(), without, relative)
        assert closed_forms.close(early.gradient_out_of_place.tolist(), before, relative)
        if after is None:
            assert late.error.kind == "RuntimeError" and late.error.line == "loss.backward()"
            assert late.gradient is None
        else:
            assert late.error is None
            assert closed_forms.close(late.gradient.tolist(), after, relative)


def test_after_root_and_after_loss_differ() -> None:
    after_root = observe(Experiment("scale", writes=Write("root", "mul_", "after_root", value=3)))
    after_loss = observe(Experiment("scale", writes=Write("root", "mul_", "after_loss", value=3)))
    assert gradients(after_root) == [[6.0] * 5]
    assert gradients(after_loss) == [[2.0] * 5]


# --- the forum answer: one backward, change one, second backward, change the other, third ---------------------------


@pytest.mark.parametrize(
    ("operation", "operand", "first", "fails"),
    [
        ("exp", None, "middle", 3),
        ("exp", None, "root", 2),
        ("pow", 2, "middle", 2),
        ("pow", 2, "root", 3),
        ("scale", 10, "middle", None),
        ("scale", 10, "root", None),
    ],
)
def test_forum_sequences_fail_at_the_backward_that_needs_the_changed_tensor(
    operation: str, operand: int | None, first: str, fails: int | None
) -> None:
    second = "root" if first == "middle" else "middle"
    writes = [Write(target, "setitem", "between_backwards", value=666, index=0) for target in (first, second)]
    observation = observe(Experiment(operation, operand, writes, values=(-2, 0, 2)))  # middle = 2 * arange(3)
    lines = observation.program.splitlines()
    assert lines[-5:] == [
        "loss.backward(retain_graph=True)",
        f"{first}[0] = 666",
        "loss.backward(retain_graph=True)",
        f"{second}[0] = 666",
        "loss.backward()",
    ]
    right = {"exp": [1.0, math.exp(2), math.exp(4)], "pow": [0.0, 4.0, 8.0], "scale": [10.0] * 3}[operation]
    calls = observation.backwards
    assert [call.line_number for call in calls] == [len(lines) - 4, len(lines) - 2, len(lines)]
    for number, call in enumerate(calls, start=1):
        if fails is None or number < fails:
            assert call.reached and call.error is None
            assert closed_forms.close(call.gradient.tolist(), right, 1e-6)
        else:
            assert call.gradient is None
            assert call.error == observation.error
            assert call.reached == (number == fails)
    if fails is None:
        assert observation.error is None and observation.runs
    else:
        assert observation.error.line_number == calls[fails - 1].line_number
        assert observation.error.kind == "RuntimeError"
        assert VERSIONS.search(observation.error.text).groups() == ("1", "0")
        assert not observation.runs
        assert observation.gradient is None
        assert {"exp": "root", "pow": "middle"}[operation] in observation.reading
    agrees_with_bare_python(observation)


def test_each_backward_calls_gradient_is_its_own_share() -> None:
    writes = [Write("middle", "add_", "between_backwards", through="data") for _ in range(2)]
    observation = observe(Experiment("square", writes=writes, values=(1, 2)))
    assert gradients(observation) == [[6.0, 8.0], [8.0, 10.0], [10.0, 12.0]]
    assert observation.gradient.tolist() == [10.0, 12.0]
    namespace, error = run_bare(observation.program)
    assert error is None
    assert namespace["leaf"].grad.tolist() == [24.0, 30.0]


def test_leaf_grad_is_the_sum_so_far_to_what_the_program_does_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = catalogue.Mutation("add_grad_", "{target}.add_(leaf.grad)", "{target} + leaf.grad", "adds leaf.grad")
    monkeypatch.setitem(catalogue.MUTATIONS, "add_grad_", entry)
    writes = [Write("middle", "add_grad_", "between_backwards", through="data") for _ in range(2)]
    observation = observe(Experiment("square", writes=writes, values=(1, 2)))
    # middle 3, 3 + 6 = 9, 9 + (6 + 18) = 33, and 4, 12, 44; the share is 2 middle
    assert gradients(observation) == [[6.0, 8.0], [18.0, 24.0], [66.0, 88.0]]
    agrees_with_bare_python(observation)


# --- every combination of the registries ------------------------------------------------------------------------------


def packed(operation: str) -> set[str]:
    """Which of middle and root the operation keeps, seen through torch's hooks instead of its graph."""
    storages: list[int] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storages.append(tensor.untyped_storage().data_ptr())
        return tensor

    middle = torch.tensor([3.0, 4.0], requires_grad=True) + 2
    namespace = {"middle": middle, "torch": torch}
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        exec(f"root = {catalogue.OPERATIONS[operation].text()}", namespace)
    tensors = {"middle": middle, "root": namespace["root"]}
    return {name for name, tensor in tensors.items() if tensor.untyped_storage().data_ptr() in storages}


def combinations() -> Iterator[tuple[str, str, str, str]]:
    return itertools.product(catalogue.TARGETS, catalogue.MUTATIONS, catalogue.TIMES, catalogue.WAYS)


def expected_outcome(prediction: closed_forms.Prediction, unmutated: list[float], right: list[float]) -> str:
    if prediction.refused:
        return f"{prediction.refused} refused"
    as_without = all(closed_forms.close(share, unmutated) for share in prediction.shares)
    as_out_of_place = all(closed_forms.close(share, right) for share in prediction.shares)
    return ("same" if as_without else "right") if as_out_of_place else "wrong"


@pytest.mark.parametrize("operation", catalogue.OPERATIONS)
def test_every_combination_runs_or_raises_the_documented_error(operation: str) -> None:
    """In float64: error or gradient, both references, versions, reading and outcome, each predicted by hand."""
    leaf = (-1.5, -0.5, 0.5, 1.0, 2.5)  # middle is positive, and exp(exp(middle)) is finite
    saved = packed(operation)
    unmutated = closed_forms.unmutated(operation, leaf)
    for target, mutation, when, through in combinations():
        name = f"{operation} {target} {mutation} {when} {through}"
        if (target, when) == ("root", "before_root"):
            with pytest.raises(ValueError, match=r"^root cannot be written before it is computed: .+\.$"):
                Write(target, mutation, when, through=through)
            continue
        write = Write(target, mutation, when, through=through)
        observation = observe(Experiment(operation, writes=write, values=leaf, dtype=torch.float64))
        prediction = closed_forms.predict(operation, leaf, target, mutation, when, through, saved)
        right = closed_forms.out_of_place(operation, leaf, target, mutation, when)

        shares = [share for share in gradients(observation) if share is not None]
        assert len(shares) == len(prediction.shares), name
        assert all(map(closed_forms.close, shares, prediction.shares)), name
        assert closed_forms.close(observation.gradient_unmutated.tolist(), unmutated), name
        assert closed_forms.close(observation.gradient_out_of_place.tolist(), right), name
        assert observation.outcome == expected_outcome(prediction, unmutated, right), name
        assert len(observation.backwards) == (2 if when == "between_backwards" else 1), name

        statement = write.statement(observation.experiment)
        assert [step.line for step in observation.steps] == observation.program.splitlines()[: len(observation.steps)]
        after = next(step for step in observation.steps if step.line == statement)
        counted = prediction.refused != "write" and through != "data"
        assert after.versions[target] == int(counted), name
        assert (observation.reading != "") == (prediction.refused == "backward"), name
        if prediction.refused == "backward":
            found, wanted = VERSIONS.search(observation.error.text).groups()
            assert f"saved {target} at version {wanted}; {target} is at version {found} since" in observation.reading
            assert observation.reading.endswith(f" since line {after.line_number}."), name
        if prediction.refused == "write":
            assert observation.error.line == statement and after.error == observation.error, name
        agrees_with_bare_python(observation)


@settings(max_examples=60)
@given(
    values=st.lists(st.floats(-3, 3), min_size=1, max_size=6),
    operation=st.sampled_from([*catalogue.OPERATIONS]),
    writes=st.lists(
        st.tuples(
            st.sampled_from(
                [(t, w) for t in catalogue.TARGETS for w in catalogue.TIMES if (t, w) != ("root", "before_root")]
            ),
            st.sampled_from([*catalogue.MUTATIONS]),
            st.sampled_from([*catalogue.WAYS]),
        ),
        max_size=4,
    ),
)
def test_several_writes_in_any_order_do_what_a_bare_python_does(values, operation, writes) -> None:
    made = [Write(target, mutation, when, through=through) for (target, when), mutation, through in writes]
    observation = observe(Experiment(operation, writes=made, values=values, dtype=torch.float64))
    agrees_with_bare_python(observation)
    assert observation.outcome in verdict.OUTCOMES
    assert observation.verdict.endswith(".") or observation.error is not None
    if observation.reading:
        found, wanted = VERSIONS.search(observation.error.text).groups()
        assert f"at version {wanted}; " in observation.reading
        assert f"is at version {found} since" in observation.reading


# --- closed forms of the operations themselves ------------------------------------------------------------------------


@pytest.mark.parametrize("operation", catalogue.OPERATIONS)
def test_gradient_without_writes_is_the_closed_form(operation: str) -> None:
    leaf = (-1.75, -0.5, 0.25, 1.0, 3.5)
    observation = observe(Experiment(operation, values=leaf, dtype=torch.float64))
    right = closed_forms.unmutated(operation, leaf)
    assert observation.outcome == "plain"
    for gradient in (observation.gradient, observation.gradient_unmutated, observation.gradient_out_of_place):
        assert gradient.dtype == torch.float64
        assert closed_forms.close(gradient.tolist(), right)


@settings(max_examples=80)
@given(
    operand=st.one_of(st.integers(-4, 4), st.floats(-4, 4)),
    values=st.lists(st.floats(-1.5, 4), min_size=1, max_size=4),
    operation=st.sampled_from(["pow", "scale", "add"]),
)
def test_any_operand(operand: float, values: list[float], operation: str) -> None:
    observation = observe(Experiment(operation, operand, values=values, dtype=torch.float64))
    right = closed_forms.unmutated(operation, values, operand)
    assert closed_forms.close(observation.gradient.tolist(), right, 1e-11)


def central_difference(program: str, leaf: tuple[float, ...], step: float = 1e-6) -> list[float]:
    """d sum(root) / d leaf by moving each element: the forward lines of the program's text, run at shifted leaves."""
    lines = [line for line in program.splitlines() if not line.startswith(("leaf =", "loss"))]

    def root(position: int, shift: float) -> torch.Tensor:
        moved = [value + shift if place == position else value for place, value in enumerate(leaf)]
        namespace: dict[str, object] = {"leaf": torch.tensor(moved, dtype=torch.float64)}
        exec("\n".join(lines), namespace)
        return namespace["root"]

    # Differences first, then the sum: one huge element must not drown the others.
    return [((root(place, step) - root(place, -step)).sum() / (2 * step)).item() for place in range(len(leaf))]


@pytest.mark.parametrize("operation", catalogue.OPERATIONS)
def test_out_of_place_gradient_is_the_slope_of_the_in_place_program(operation: str) -> None:
    """The maths that is meant is what the in-place program computes forward; its slope needs no autograd at all."""
    leaf = (-1.4, -1.2, -0.9)
    options = {
        "add_": {"value": 0.25},
        "mul_": {"value": 0.5},
        "setitem": {"value": 0.75},
        "masked_fill_": {"value": 1},
    }
    for early, late in itertools.product((None, *catalogue.MUTATIONS), repeat=2):
        if early == "zero_" and operation in ("sqrt", "log"):
            continue  # neither has a slope at 0
        writes = [Write("middle", early, "before_root", **options.get(early, {}))] if early else []
        writes += [Write("root", late, "after_root", **options.get(late, {}))] if late else []
        observation = observe(Experiment(operation, writes=writes, values=leaf, dtype=torch.float64))
        slope = central_difference(observation.program, leaf)
        assert closed_forms.close(observation.gradient_out_of_place.tolist(), slope, 1e-6, 1e-8), (early, late)


# --- the program is plain PyTorch, anywhere ---------------------------------------------------------------------------


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


def test_a_bare_python_gives_the_same_sum_of_gradients() -> None:
    writes = (
        Write("middle", "masked_fill_", "before_root", value=0.5, index=slice(1, None, 2)),
        Write("root", "exp_", "after_root", through="view"),
        Write("middle", "mul_", "between_backwards", value=-2.5),
    )
    observation = observe(Experiment("tanh", writes=writes, values=(1e-10, 0.5, -1, 7)))
    assert observation.outcome == "backward refused", "exp_ overwrote what tanh saved"
    observation = observe(Experiment("scale", 0.5, writes, values=(1e-10, 0.5, -1, 7)))
    assert observation.runs
    done = python(observation.program + "\nprint(leaf.grad.tolist())")
    assert done.stderr == "" and done.returncode == 0
    total = sum(call.gradient for call in observation.backwards)
    assert done.stdout.strip() == str(total.tolist())


def test_a_bare_python_stops_with_the_same_error() -> None:
    observation = observe(Experiment("exp", writes=Write("root", "setitem", "between_backwards", value=0, index=0)))
    done = python(observation.program)
    assert done.returncode == 1
    assert done.stderr.strip().endswith(f"{observation.error.kind}: {observation.error.text}")
    assert f'File "<string>", line {observation.error.line_number}, in <module>' in done.stderr


def test_nothing_around_the_call_reaches_the_program() -> None:
    experiment = Experiment("exp", writes=Write("root", "mul_", "after_root"))
    outside = observe(experiment)
    default = torch.get_default_dtype()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns when anomaly detection is switched on, here by the test
        with torch.no_grad(), torch.autograd.set_detect_anomaly(True):
            muted = observe(experiment)
            assert not torch.is_grad_enabled() and torch.is_anomaly_enabled()
    with torch.inference_mode():
        in_inference = observe(experiment)
        assert torch.is_inference_mode_enabled()
    torch.set_default_dtype(torch.float64)
    try:
        double = observe(experiment)
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(default)
    for other in (muted, in_inference, double):
        assert other.error == outside.error
        assert other.steps == outside.steps
        assert other.saved == outside.saved
        assert torch.equal(other.gradient_out_of_place, outside.gradient_out_of_place)
        assert other.gradient_out_of_place.dtype == torch.float32


def test_observing_is_silent_and_repeatable(capfd: pytest.CaptureFixture[str]) -> None:
    experiment = Experiment("exp", writes=Write("middle", "mul_", "between_backwards", through="data"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, two = observe(experiment), observe(experiment)
    assert capfd.readouterr() == ("", "")
    assert one.steps == two.steps and one.saved == two.saved and one.nodes == two.nodes
    assert gradients(one) == gradients(two)


# --- errors are torch's own -------------------------------------------------------------------------------------------


def test_error_texts_are_torchs_own() -> None:
    def raised(action) -> str:
        with pytest.raises(RuntimeError) as caught:
            action()
        return str(caught.value)

    leaf = torch.ones(5, requires_grad=True)
    in_place = raised(lambda: leaf.add_(1))
    view = raised(lambda: leaf.view(-1).add_(1))
    middle = leaf + 2
    root = middle.exp()
    root.mul_(3)
    saved = raised(lambda: root.sum().backward())
    through_nothing = raised(lambda: torch.ones(5).sum().backward())

    assert observe(Experiment(writes=Write("leaf", "add_", "after_root"))).error.text == in_place
    assert observe(Experiment(writes=Write("leaf", "add_", "after_root", through="view"))).error.text == view
    assert observe(Experiment(writes=Write("root", "mul_", "after_root"))).error.text == saved
    assert observe(Experiment(Operation("cut", "middle.detach()", ""))).error.text == through_nothing


# --- what was saved, and when -----------------------------------------------------------------------------------------


def saves(observation: Observation) -> list[tuple[str, str, str, int]]:
    return [(entry.node, entry.slot, entry.tensor, entry.version) for entry in observation.saved]


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("exp", [("ExpBackward0", "result", "root", 0)]),
        ("pow", [("PowBackward0", "self", "middle", 0)]),
        ("square", [("PowBackward0", "self", "middle", 0)]),
        ("scale", [("MulBackward0", "other", "internal", 0)]),
        ("product", [("MulBackward0", "other", "middle", 0), ("MulBackward0", "self", "middle", 0)]),
        ("add", []),
        ("softmax", [("SoftmaxBackward0", "result", "root", 0)]),
        ("relu", [("ReluBackward0", "result", "root", 0)]),
    ],
)
def test_what_an_operation_saved(operation: str, expected: list[tuple[str, str, str, int]]) -> None:
    observation = observe(Experiment(operation))
    assert saves(observation) == expected
    for entry in observation.saved:
        assert observation.steps[entry.step].line.startswith("root = ")
        assert observation.nodes[entry.node_index].name == entry.node
        assert entry.needed


@pytest.mark.parametrize("operation", catalogue.OPERATIONS)
def test_saved_tensors_are_those_that_torchs_hooks_see(operation: str) -> None:
    observation = observe(Experiment(operation))
    assert {entry.tensor for entry in observation.saved} - {"internal"} == packed(operation)
    values = {"middle": [v + 2.0 for v in LEAF], "root": list(observation.steps[3].values["root"])}
    for entry in observation.saved:
        if entry.tensor != "internal":
            assert entry.value.tolist() == values[entry.tensor]


def test_the_factor_of_a_scaling_is_an_internal_tensor() -> None:
    (entry,) = observe(Experiment("scale", 7)).saved
    assert (entry.tensor, entry.value.item(), entry.version) == ("internal", 7, 0)


def test_a_write_before_root_raises_the_version_that_is_saved() -> None:
    writes = [Write("middle", "mul_", "before_root"), Write("middle", "add_", "before_root", through="detach")]
    observation = observe(Experiment("pow", writes=writes))
    assert ("PowBackward0", "self", "middle", 2) in saves(observation)
    assert [step.versions["middle"] for step in observation.steps] == [None, None, 0, 1, 2, 2, 2, 2]
    assert observation.runs


def test_a_write_may_save_a_tensor_of_its_own() -> None:
    observation = observe(Experiment("scale", writes=Write("root", "exp_", "after_root")))
    entry = next(entry for entry in observation.saved if entry.node == "ExpBackward0")
    assert (entry.slot, entry.tensor, entry.version) == ("result", "root", 1)
    assert observation.steps[entry.step].line == "root.exp_()"
    assert entry.value.tolist() == pytest.approx([math.exp(2 * (v + 2)) for v in LEAF], rel=1e-6)
    assert observation.runs and entry.needed
    twice = observe(
        Experiment("scale", writes=[Write("root", "exp_", "after_root"), Write("root", "add_", "after_root")])
    )
    assert twice.reading == ("ExpBackward0 (root.exp_()) saved root at version 1; root is at version 2 since line 6.")


def test_a_node_beside_the_losss_way_is_not_needed() -> None:
    observation = observe(Experiment("scale", writes=Write("root", "exp_", "after_loss")))
    needed = {node.name.removeprefix("torch::autograd::"): node.needed for node in observation.nodes}
    assert needed == {
        "SumBackward0": True,
        "MulBackward0": True,
        "AddBackward0": True,
        "AccumulateGrad": True,
        "ExpBackward0": False,
    }
    assert {entry.node: entry.needed for entry in observation.saved} == {"MulBackward0": True, "ExpBackward0": False}


def test_what_root_needs_is_needed_when_the_program_never_came_to_a_loss() -> None:
    observation = observe(Experiment("exp", writes=Write("leaf", "add_", "after_root")))
    assert observation.outcome == "write refused"
    assert {node.name: node.needed for node in observation.nodes}["ExpBackward0"] is True


def test_nodes_lead_from_the_loss_to_the_leaf() -> None:
    nodes = observe(Experiment("exp")).nodes
    at = next(index for index, node in enumerate(nodes) if node.name == "SumBackward0")
    way = []
    while True:
        way.append((nodes[at].name.removeprefix("torch::autograd::"), nodes[at].step))
        if not nodes[at].following:
            break
        (at,) = nodes[at].following
    assert way == [("SumBackward0", 4), ("ExpBackward0", 3), ("AddBackward0", 2), ("AccumulateGrad", 2)]


def test_a_product_leads_to_its_one_input_once() -> None:
    nodes = observe(Experiment("product")).nodes
    (product,) = [node for node in nodes if node.name == "MulBackward0"]
    assert [nodes[index].name for index in product.following] == ["AddBackward0"]


def test_steps_show_versions_and_values() -> None:
    observation = observe(Experiment("scale", writes=Write("middle", "setitem", "after_root", index=0), values=(1, 2)))
    table = [(step.line_number, step.versions, step.values) for step in observation.steps]
    none = {"leaf": None, "middle": None, "root": None}
    first = {"leaf": 0, "middle": None, "root": None}
    assert table[0] == (1, none, none)
    assert table[1] == (2, first, {"leaf": (1.0, 2.0), "middle": None, "root": None})
    assert table[4][1:] == (
        {"leaf": 0, "middle": 1, "root": 0},
        {"leaf": (1.0, 2.0), "middle": (10.0, 4.0), "root": (6.0, 8.0)},
    )
    assert [step.line_number for step in observation.steps] == [1, 2, 3, 4, 5, 6, 7]


# --- writes around the counter ----------------------------------------------------------------------------------------


def test_writes_around_the_counter_are_wrong_in_silence() -> None:
    def outcome(operation: str, target: str, mutation: str, when: str) -> str:
        write = Write(target, mutation, when, through="data")
        observation = observe(Experiment(operation, writes=write))
        assert observation.error is None
        assert observation.steps[-1].versions[target] == 0
        return observation.outcome

    assert outcome("exp", "root", "add_", "after_root") == "wrong"
    assert outcome("exp", "root", "mul_", "after_loss") == "wrong"
    assert outcome("exp", "root", "mul_", "between_backwards") == "wrong"
    assert outcome("pow", "middle", "mul_", "after_root") == "wrong"
    assert outcome("scale", "middle", "mul_", "after_root") == "same"
    # exp(x) * 3 has the derivative 3 exp(x), which is just what the overwritten memory holds: right by luck.
    assert outcome("exp", "root", "mul_", "after_root") == "right"
    luck = observe(Experiment("exp", writes=Write("root", "mul_", "after_root", through="data")))
    assert "luck" in luck.verdict and "ExpBackward0 saved root" in luck.verdict


@pytest.mark.parametrize("through", ["no_grad", "detach"])
def test_an_unrecorded_write_before_root_is_left_out_of_the_gradient(through: str) -> None:
    observation = observe(Experiment("pow", writes=Write("middle", "mul_", "before_root", through=through)))
    assert gradients(observation) == [[18.0, 24.0, 30.0, 36.0, 42.0]]  # 2 (3 x), without the factor 3 of the write
    assert observation.gradient_out_of_place.tolist() == [54.0, 72.0, 90.0, 108.0, 126.0]
    assert observation.outcome == "wrong"


# --- operations of the caller's ---------------------------------------------------------------------------------------


def test_one_entry_adds_an_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Operation("cosh", "middle.cosh()", "The derivative of cosh(x) is sinh(x): it needs the input.")
    monkeypatch.setitem(catalogue.OPERATIONS, "cosh", entry)
    observation = observe(Experiment("cosh", values=(-3, -2, 0.5), dtype=torch.float64))
    assert observation.program.splitlines()[3] == "root = middle.cosh()"
    assert closed_forms.close(observation.gradient.tolist(), [math.sinh(-1), 0.0, math.sinh(2.5)])
    assert saves(observation) == [("CoshBackward0", "self", "middle", 0)]
    assert observe(Experiment("cosh", writes=Write("middle", "zero_", "after_root"))).outcome == "backward refused"
    with pytest.raises(ValueError, match=r"the known ones are exp, .*, cosh\.$"):
        Experiment("sech")


def test_one_entry_adds_a_mutation(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = catalogue.Mutation("neg_", "{target}.neg_()", "-{target}", "changes every element's sign")
    monkeypatch.setitem(catalogue.MUTATIONS, "neg_", entry)
    observation = observe(Experiment("square", writes=Write("middle", "neg_", "before_root"), values=(1, 2)))
    assert observation.program_out_of_place.splitlines()[3] == "middle = -middle"
    assert gradients(observation) == [[6.0, 8.0]]
    assert observation.outcome == "same"


def test_an_operation_of_the_callers_needs_no_registry() -> None:
    entry = Operation("shifted", "torch.special.expit(middle - {operand})", "s (1 - s)", 1.5)
    observation = observe(Experiment(entry, 0.5, values=(0, 1), dtype=torch.float64))
    assert observation.program.splitlines()[3] == "root = torch.special.expit(middle - 0.5)"
    assert closed_forms.close(observation.gradient.tolist(), closed_forms.unmutated("sigmoid", (-0.5, 0.5)))


@pytest.mark.parametrize(
    ("expression", "kind", "line_number"),
    [
        ("middle.no_such_method()", "AttributeError", 4),
        ("1 / 0", "ZeroDivisionError", 4),
        ("undefined(middle)", "NameError", 4),
        ("middle.exp(), 1", "AttributeError", 5),
        ("'text'", "AttributeError", 5),
    ],
)
def test_an_operation_that_fails_is_an_observation(expression: str, kind: str, line_number: int) -> None:
    observation = observe(Experiment(Operation("broken", expression, "")))
    assert (observation.error.kind, observation.error.line_number) == (kind, line_number)
    assert observation.outcome == "stopped"
    assert observation.gradient is observation.gradient_unmutated is observation.gradient_out_of_place is None
    assert [(call.reached, call.error) for call in observation.backwards] == [(False, observation.error)]
    assert observation.verdict.startswith("The program stops before backward. No write is to blame. ")
    assert observation.error.text in observation.verdict
    agrees_with_bare_python(observation)


@pytest.mark.parametrize(
    ("expression", "root"),
    [("middle.sum()", (12.0,)), ("torch.stack([middle, middle])", (3, 4, 5, 3, 4, 5)), ("middle[:2]", (3, 4))],
)
def test_root_may_have_any_shape(expression: str, root: tuple[float, ...]) -> None:
    observation = observe(Experiment(Operation("shape", expression, ""), values=(1, 2, 3)))
    assert observation.steps[3].values["root"] == root
    assert observation.runs
    agrees_with_bare_python(observation)


def test_an_operation_that_overwrites_its_own_saved_tensor() -> None:
    observation = observe(Experiment(Operation("hasty", "middle.exp().mul_(2)", "")))
    assert observation.outcome == "backward refused"
    assert "ExpBackward0" not in [entry.node for entry in observation.saved], "its tensor cannot be read any more"
    assert observation.reading == ""
    assert observation.error.text in observation.verdict


def test_overflow_and_nan_are_reported_as_they_are() -> None:
    observation = observe(Experiment("exp", values=(math.nan, math.inf, 1000, -math.inf)))
    gradient = observation.gradient.tolist()
    assert math.isnan(gradient[0]) and gradient[1:] == [math.inf, math.inf, 0.0]
    agrees_with_bare_python(observation)
    zeroed = observe(Experiment("log", values=(-2, 1), writes=Write("middle", "mul_", "before_root", value=math.nan)))
    assert all(map(math.isnan, gradients(zeroed)[0]))
    assert zeroed.outcome == "right"


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_gradients_have_the_dtype_of_leaf(dtype: torch.dtype) -> None:
    writes = [Write("middle", "setitem", "before_root"), Write("root", "masked_fill_", "after_root", index=-1)]
    observation = observe(Experiment("scale", 4, writes, dtype=dtype))
    for gradient in (observation.gradient, observation.gradient_unmutated, observation.gradient_out_of_place):
        assert gradient.dtype == dtype
    assert gradients(observation) == [[4.0, 4.0, 0.0, 4.0, 0.0]]
    assert observation.outcome == "right"


@pytest.mark.parametrize("operation", catalogue.OPERATIONS)
def test_a_single_value(operation: str) -> None:
    observation = observe(Experiment(operation, values=(1.5,), dtype=torch.float64))
    assert closed_forms.close(observation.gradient.tolist(), closed_forms.unmutated(operation, (1.5,)))
    written = observe(Experiment(operation, values=(1.5,), writes=Write("middle", "setitem", "before_root")))
    assert gradients(written) == [[0.0]]
