"""What an experiment accepts, and the program that it amounts to."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given, settings

from inplace_lab import Experiment, Operation, Write, catalogue, devices

# --- the program's text -----------------------------------------------------------------------------------------------


def test_the_program_line_by_line() -> None:
    writes = [
        Write("leaf", "add_", "before_root", value=0.5, through="data"),
        Write("middle", "setitem", "before_root", value=-1, index=slice(0, None, 2), through="no_grad"),
        Write("root", "masked_fill_", "after_root", value=math.inf, index=-1, through="detach"),
        Write("root", "relu_", "after_loss", through="view"),
        Write("middle", "mul_", "between_backwards"),
    ]
    experiment = Experiment("pow", 0.5, writes, values=(1, -2.5, 1e-10, 1e20), dtype=torch.float64)
    assert experiment.program.splitlines() == [
        "import torch",
        "leaf = torch.tensor([1., -2.5, 1e-10, 1e+20], dtype=torch.float64, requires_grad=True)",
        "middle = leaf + 2",
        "leaf.data.add_(0.5)",
        "with torch.no_grad(): middle[0::2] = -1",
        "root = middle.pow(0.5)",
        'root.detach().masked_fill_(torch.arange(4) == 3, float("inf"))',
        "loss = root.sum()",
        "root.view(-1).relu_()",
        "loss.backward(retain_graph=True)",
        "middle.mul_(3)",
        "loss.backward()",
    ]
    assert experiment.program_out_of_place.splitlines() == [
        "import torch",
        "leaf = torch.tensor([1., -2.5, 1e-10, 1e+20], dtype=torch.float64, requires_grad=True)",
        "middle = leaf + 2",
        "changed_leaf = leaf + 0.5",
        "middle = torch.where(torch.tensor([True, False, True, False]), -1, middle)",
        "root = middle.pow(0.5)",
        'root = root.masked_fill(torch.arange(4) == 3, float("inf"))',
        "loss = root.sum()",
        "root = root.relu()",
        "loss.backward(retain_graph=True)",
        "middle = middle * 3",
        "loss.backward()",
    ]
    without = [line for line in experiment.program.splitlines() if not line.startswith(("leaf.", "with", "root."))]
    assert experiment.program_unmutated.splitlines() == [line for line in without if line != "middle.mul_(3)"]


def test_the_shortest_program() -> None:
    assert Experiment().program == (
        "import torch\n"
        "leaf = torch.tensor([1., 2., 3., 4., 5.], requires_grad=True)\n"
        "middle = leaf + 2\n"
        "root = middle.exp()\n"
        "loss = root.sum()\n"
        "loss.backward()"
    )


def test_writes_keep_their_order_within_a_moment() -> None:
    names = ["mul_", "add_", "relu_"]
    for order in (names, names[::-1]):
        experiment = Experiment(writes=[Write("middle", name, "before_root") for name in order])
        lines = experiment.program.splitlines()[3:6]
        assert [line.removeprefix("middle.").partition("(")[0] for line in lines] == order


def test_the_default_place_is_the_element_in_the_middle() -> None:
    write = Write("middle", "setitem", "before_root")
    for size, place in ((1, 0), (2, 1), (5, 2), (7, 3)):
        experiment = Experiment(values=range(size), writes=write)
        assert experiment.program.splitlines()[3] == f"middle[{place}] = 10"
        assert write.short(experiment) == f"middle[{place}] = 10"


@settings(max_examples=150)
@given(
    values=st.lists(st.floats(), min_size=1, max_size=5),
    dtype=st.sampled_from([torch.float64, torch.float32, torch.float16, torch.bfloat16]),
)
def test_leaf_holds_exactly_the_values(values: list[float], dtype: torch.dtype) -> None:
    namespace: dict[str, object] = {}
    exec("\n".join(Experiment(values=values, dtype=dtype).program.splitlines()[:2]), namespace)
    leaf = namespace["leaf"]
    assert leaf.dtype == dtype and leaf.requires_grad
    assert torch.equal(leaf.detach().nan_to_num(7.0, math.inf, -math.inf), torch.tensor(
        [7.0 if math.isnan(value) else value for value in values], dtype=dtype))  # fmt: skip


@settings(max_examples=150)
@given(
    size=st.integers(1, 6),
    index=st.one_of(st.slices(6), st.integers(-6, 5)),
    value=st.one_of(st.integers(-5, 5), st.floats(width=32)),
)
def test_setitem_and_its_mask_mean_the_same_places(size: int, index: int | slice, value: float) -> None:
    if isinstance(index, int) and not -size <= index < size:
        with pytest.raises(ValueError, match=rf"^Index {index} is out of range for {size} values\.$"):
            Experiment(values=range(size), writes=Write("middle", "setitem", "before_root", index=index))
        return
    expected = [float(v) + 2 for v in range(size)]
    for place in [range(size)[index]] if isinstance(index, int) else range(size)[index]:
        expected[place] = float(torch.tensor(value, dtype=torch.float32))
    experiment = Experiment(values=range(size), writes=Write("middle", "setitem", "before_root", value, index))
    programs = [experiment.program_out_of_place]
    if not isinstance(index, slice) or index.step is None or index.step > 0:  # torch knows no negative steps
        programs.append(experiment.program)
    for program in programs:
        namespace: dict[str, object] = {}
        exec("\n".join(program.splitlines()[:4]), namespace)
        assert torch.equal(namespace["middle"].nan_to_num(7.5), torch.tensor(expected).nan_to_num(7.5))


def test_every_tensor_of_the_program_is_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "require", lambda name: None)
    for index in (1, slice(1, 3)):
        experiment = Experiment(writes=Write("middle", "masked_fill_", "before_root", index=index), device="cuda:0")
        for program in (experiment.program, experiment.program_out_of_place):
            makers = [line for line in program.splitlines() if "torch.tensor(" in line or "torch.arange(" in line]
            assert len(makers) == 2
            assert all('device="cuda:0"' in line for line in makers)
    assert "device" not in Experiment(writes=Write("middle", "masked_fill_", "before_root")).program


def test_labels() -> None:
    assert Write("middle", "mul_", "before_root", value=0.5, through="data").label == "middle.mul_(0.5)"
    assert Write("root", "setitem", "after_root", index=slice(1, None)).label == "root[1:] = 10"
    assert Write("root", "masked_fill_", "after_root").label == "root.masked_fill_(mask, 0)"
    experiment = Experiment(values=(1, 2, 3))
    assert Write("root", "masked_fill_", "after_root", through="data").short(experiment) == (
        "root.data.masked_fill_(mask, 0)"
    )
    assert Write("middle", "zero_", "after_root", through="no_grad").short(experiment) == (
        "with torch.no_grad(): middle.zero_()"
    )


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        (1, 2),
        [1, 2],
        range(1, 3),
        np.array([1, 2]),
        np.array([1, 2], dtype=np.float32),
        torch.tensor([1, 2]),
        [np.int64(1), np.float32(2)],
    ],
)
def test_values_may_be_any_sequence_of_numbers(values: object) -> None:
    experiment = Experiment(values=values)
    assert experiment.values == (1.0, 2.0)
    assert all(type(value) is float for value in experiment.values)


def test_a_single_write_needs_no_tuple() -> None:
    write = Write("middle", "add_", "before_root")
    assert Experiment(writes=write) == Experiment(writes=[write]) == Experiment(writes=(write,))
    assert Experiment("pow").with_writes(write, write) == Experiment("pow", writes=(write, write))
    assert Experiment("pow", writes=write).with_writes() == Experiment("pow")


def test_experiments_are_values() -> None:
    def build() -> Experiment:
        return Experiment("pow", 3, Write("middle", "setitem", "before_root", index=slice(1, 3)), values=[1, 2, 3, 4])

    assert build() == build() and hash(build()) == hash(build())
    assert len({build(), build(), Experiment()}) == 2
    assert build() != build().with_writes(Write("middle", "setitem", "before_root", index=slice(1, 4)))
    assert pickle.loads(pickle.dumps(build())) == build()


def test_numpys_numbers_become_plain_ones() -> None:
    write = Write("middle", "setitem", "before_root", value=np.float64(2.5), index=np.int64(1))
    experiment = Experiment("pow", np.float64(3), [write])
    assert experiment.program.splitlines()[3:5] == ["middle[1] = 2.5", "root = middle.pow(3.0)"]
    assert (type(experiment.operand), type(write.value), type(write.index)) == (float, float, int)
    sliced = Write("middle", "setitem", "before_root", index=slice(np.int64(1), None, np.int64(2)))
    assert repr(sliced.index) == "slice(1, None, 2)"


# --- bad input --------------------------------------------------------------------------------------------------------

NOTE = Write("middle", "add_", "after_root")
KNOWN = {
    "target": "leaf, middle, root",
    "mutation": "add_, mul_, zero_, relu_, exp_, setitem, masked_fill_",
    "moment": "before_root, after_root, after_loss, between_backwards",
    "way to write": "plain, no_grad, data, detach, view",
    "operation": "exp, pow, scale, sigmoid, tanh, relu, sqrt, log, sin, square, softmax, product, add",
}


@pytest.mark.parametrize(
    ("build", "kind", "given_name"),
    [
        (lambda: Write("loss", "add_", "after_root"), "target", "'loss'"),
        (lambda: Write(None, "add_", "after_root"), "target", "None"),
        (lambda: Write("middle", "add", "after_root"), "mutation", "'add'"),
        (lambda: Write("middle", "add_", "later"), "moment", "'later'"),
        (lambda: Write("middle", "add_", "after_root", through="numpy"), "way to write", "'numpy'"),
        (lambda: Experiment("expp"), "operation", "'expp'"),
        (lambda: Experiment(None), "operation", "None"),
        (lambda: Experiment(["exp"]), "operation", "['exp']"),
    ],
)
def test_an_unknown_name_lists_the_known(build: Callable[[], object], kind: str, given_name: str) -> None:
    with pytest.raises(ValueError) as caught:
        build()
    assert str(caught.value) == f"There is no {kind} {given_name}; the known ones are {KNOWN[kind]}."


@pytest.mark.parametrize(
    ("build", "parts"),
    [
        (lambda: Write("root", "add_", "before_root"), ["root", "before it is computed", "after_root"]),
        (lambda: Write("middle", "zero_", "after_root", value=1), ["zero_", "value=1", "leave it out"]),
        (lambda: Write("middle", "add_", "after_root", value="3"), ["value to write", "int", "float", "'3'"]),
        (lambda: Write("middle", "add_", "after_root", value=True), ["value to write", "True"]),
        (lambda: Write("middle", "add_", "after_root", value=10**400), ["value to write", "64 bits"]),
        (lambda: Write("middle", "add_", "after_root", index=1), ["add_", "index=1"]),
        (lambda: Write("middle", "setitem", "after_root", index=True), ["index", "slice", "True"]),
        (lambda: Write("middle", "setitem", "after_root", index=1.0), ["index", "slice", "1.0"]),
        (lambda: Write("middle", "setitem", "after_root", index=(1, 2)), ["index", "slice", "(1, 2)"]),
        (lambda: Write("middle", "setitem", "after_root", index=slice("a", None)), ["index", "slice('a', None, None)"]),
        (lambda: Write("middle", "setitem", "after_root", index=slice(0, 3, 0)), ["index", "step", "slice(0, 3, 0)"]),
        (lambda: Experiment("exp", 2), ["exp takes no operand", "operand=2", "leave it out"]),
        (lambda: Experiment("pow", "2"), ["operand of pow", "'2'"]),
        (lambda: Experiment("pow", True), ["operand of pow", "True"]),
        (lambda: Experiment("pow", 2**63), ["operand of pow", "64 bits", str(2**63)]),
        (lambda: Experiment(Operation("own", "middle * {operand}", "")), ["own needs an operand", "operand="]),
        (lambda: Experiment(values=[]), ["values", "non-empty", "[]"]),
        (lambda: Experiment(values=3), ["values", "3"]),
        (lambda: Experiment(values="123"), ["values", "'123'"]),
        (lambda: Experiment(values=[1, True]), ["values", "True"]),
        (lambda: Experiment(values=[1, "2"]), ["values", "'2'"]),
        (lambda: Experiment(values=[10**400]), ["values"]),
        (lambda: Experiment(values=[[1, 2]]), ["values", "[[1, 2]]"]),
        (lambda: Experiment(values=np.ones((2, 0))), ["values", "array"]),
        (lambda: Experiment(values=np.float64(1)), ["values", "1.0"]),
        (lambda: Experiment(writes="add_"), ["writes", "Write", "'add_'"]),
        (lambda: Experiment(writes=[NOTE, "add_"]), ["writes", "Write", "'add_'"]),
        (lambda: Experiment(writes=None), ["writes", "None"]),
        (lambda: Experiment(dtype=torch.int64), ["dtype", "floating", "torch.int64"]),
        (lambda: Experiment(dtype=torch.complex64), ["dtype", "real", "torch.complex64"]),
        (lambda: Experiment(dtype="float32"), ["dtype", "'float32'"]),
        (lambda: Experiment(dtype=None), ["dtype", "None"]),
        (lambda: Experiment(device="tpu"), ["'tpu'", "cpu"]),
        (lambda: Experiment(device=None), ["None", "cpu"]),
        (lambda: Experiment(values=(1, 2), writes=Write("leaf", "setitem", "after_root", index=2)), ["Index 2", "2 v"]),
        (lambda: Experiment(writes=Write("middle", "masked_fill_", "after_root", index=-6)), ["Index -6", "5 values"]),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence(build: Callable[[], object], parts: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        build()
    text = str(caught.value)
    assert text.endswith(".") and ". " not in text and "\n" not in text
    for part in parts:
        assert part in text
    assert len(text) < 200


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3),
    st.binary(max_size=3), st.just(torch.ones(2)), st.just(np.ones(2)), st.just({}), st.just(object), st.slices(9),
)  # fmt: skip


@settings(max_examples=300)
@given(st.data())
def test_nothing_but_a_sentence_comes_of_nonsense(data: st.DataObject) -> None:
    """One argument of each call is anything at all; the rest is right. Made experiments always render."""
    write = {"target": "middle", "mutation": "setitem", "when": "after_root", "value": 1, "index": 1, "through": "data"}
    experiment = {
        "operation": "pow",
        "operand": 2,
        "writes": (),
        "values": (1, 2),
        "device": "cpu",
        "dtype": torch.float64,
    }
    kind, arguments = data.draw(st.sampled_from([(Write, write), (Experiment, experiment)]))
    name = data.draw(st.sampled_from([*arguments]))
    try:
        made = kind(**{**arguments, name: data.draw(ANYTHING)})
        (Experiment(writes=made) if kind is Write else made).program.encode()
    except ValueError as error:
        assert str(error).endswith(".")


def test_the_known_names_are_the_registries() -> None:
    assert KNOWN["operation"] == ", ".join(catalogue.OPERATIONS)
    assert KNOWN["mutation"] == ", ".join(catalogue.MUTATIONS)
