"""Two devices in one call: what CUDA refuses is refused with torch's sentence, what CUDA allows is allowed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from importlib import resources

import pytest
import torch
import yaml

from inplace_lab.simgpu import rules
from tests.inplace_lab.simulated import DEVICE, SENTENCE, needs_simgpu

pytestmark = needs_simgpu

MANY = 5


def vector(device: object = DEVICE) -> torch.Tensor:
    return torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], device=device)


#: Functions of two float vectors.
BINARY = """
    add sub mul div true_divide floor_divide remainder fmod pow atan2 hypot copysign nextafter maximum minimum fmax fmin
    eq ne lt le gt ge isclose logical_and logical_or logical_xor xlogy heaviside logaddexp logaddexp2 ldexp
    float_power rsub dot vdot inner outer cdist allclose dist
""".split()

#: In-place forms, as methods.
IN_PLACE = """
    add_ sub_ mul_ div_ true_divide_ floor_divide_ remainder_ fmod_ pow_ atan2_ hypot_ copysign_ nextafter_ eq_ ne_ lt_
    le_ gt_ ge_ logical_and_ logical_or_ logical_xor_ xlogy_
""".split()

three = torch.arange(3.0) + 1
picks = torch.tensor([0, 2])
mask = torch.tensor([True, False, True, False, True])
square = torch.eye(MANY)

#: Calls with a device vector `x` and something from the CPU. All are refused.
REFUSED: dict[str, Callable[[torch.Tensor], object]] = {
    "x + cpu": lambda x: x + vector("cpu"),
    "cpu + x": lambda x: vector("cpu") + x,
    "x += cpu": lambda x: x.__iadd__(vector("cpu")),
    "cpu += x": lambda x: vector("cpu").__iadd__(x),
    "cpu vector * device number": lambda x: vector("cpu") * x[0],
    "cpu number += device number": lambda x: torch.tensor(1.0).add_(x[0]),
    "x * mask": lambda x: x * mask,
    "x * arange": lambda x: x * (torch.arange(MANY) != 2),
    "x - zeros": lambda x: x - torch.zeros(MANY),
    "where mask": lambda x: torch.where(mask, x, 0.0),
    "where zeros": lambda x: torch.where(x > 2, torch.zeros(MANY), x),
    "where zeros, last": lambda x: torch.where(x > 2, x, torch.zeros(MANY)),
    "where arange": lambda x: torch.where(torch.arange(MANY) == 2, 0.0, x),
    "x.where": lambda x: x.where(mask, 0.0),
    "cpu where device mask": lambda x: torch.where(x > 2, vector("cpu"), 0.0),
    "where, vector only from the cpu": lambda x: torch.where(x[0] > 0, vector("cpu"), x[0]),
    "masked_fill": lambda x: x.masked_fill(mask, 0.0),
    "masked_fill_": lambda x: x.masked_fill_(mask, 0.0),
    "masked_fill of the cpu": lambda x: vector("cpu").masked_fill(x > 2, 0.0),
    "masked_select": lambda x: x.masked_select(mask),
    "masked_scatter": lambda x: x.masked_scatter(x > 2, vector("cpu")),
    "masked_scatter mask": lambda x: x.masked_scatter(mask, x),
    "cat": lambda x: torch.cat([x, vector("cpu")]),
    "cat, cpu first": lambda x: torch.cat([vector("cpu"), x]),
    "stack": lambda x: torch.stack([x, vector("cpu")]),
    "hstack": lambda x: torch.hstack([x, vector("cpu")]),
    "vstack": lambda x: torch.vstack([x, vector("cpu")]),
    "scatter index": lambda x: x.scatter(0, picks, 0.0),
    "scatter source": lambda x: x.scatter(0, picks.to(DEVICE), torch.zeros(2)),
    "scatter_": lambda x: x.scatter_(0, picks, 0.0),
    "scatter_add": lambda x: x.scatter_add(0, picks.to(DEVICE), torch.zeros(2)),
    "scatter_reduce": lambda x: x.scatter_reduce(0, picks, x[:2], "sum"),
    "gather": lambda x: x.gather(0, picks),
    "take": lambda x: x.take(picks),
    "index_select": lambda x: x.index_select(0, picks),
    "index_fill index": lambda x: x.index_fill(0, picks, 0.0),
    "index_put values": lambda x: x.index_put((picks,), torch.zeros(2)),
    "x[mask] = vector": lambda x: x.__setitem__(mask, three),
    "x[picks] = vector": lambda x: x.__setitem__(picks, three[:2]),
    "mm": lambda x: x[None].mm(square),
    "matmul": lambda x: x @ square,
    "matmul, cpu first": lambda x: square @ x,
    "mv": lambda x: torch.mv(square, x),
    "bmm": lambda x: x.reshape(1, 1, MANY).bmm(square[None]),
    "addmm": lambda x: torch.addmm(x[None], x[None], square),
    "einsum": lambda x: torch.einsum("i,ij->j", x, square),
    "linear": lambda x: torch.nn.functional.linear(x, square),
    "out= on the cpu": lambda x: torch.exp(x, out=torch.empty(MANY)),
    "out= on the device": lambda x: torch.exp(vector("cpu"), out=x),
    "add out=": lambda x: torch.add(x, x, out=torch.empty(MANY)),
    "mul of cpu vectors, out= on the device": lambda x: torch.mul(vector("cpu"), vector("cpu"), out=x),
    "lerp": lambda x: torch.lerp(x, vector("cpu"), 0.5),
    "lerp weight": lambda x: torch.lerp(x, x, vector("cpu")),
    "lerp_": lambda x: x.lerp_(vector("cpu"), 0.5),
    "addcmul": lambda x: torch.addcmul(x, x, vector("cpu")),
    "addcmul_": lambda x: x.addcmul_(x, vector("cpu")),
    "addcdiv": lambda x: torch.addcdiv(x, x, vector("cpu")),
    "addcdiv number": lambda x: torch.addcdiv(x, x, torch.tensor(2.0)),
    "clamp": lambda x: x.clamp(min=vector("cpu")),
    "clamp number tensor": lambda x: x.clamp(min=torch.tensor(2.0)),
    "bitwise and": lambda x: (x > 2) & mask,
    "bitwise or": lambda x: (x > 2) | mask,
    "bitwise xor": lambda x: mask ^ (x > 2),
    "mse_loss": lambda x: torch.nn.functional.mse_loss(x, vector("cpu")),
    "layer_norm": lambda x: torch.nn.functional.layer_norm(x, (MANY,), torch.ones(MANY)),
    "embedding": lambda x: torch.nn.functional.embedding(picks, x[:, None]),
    "conv1d": lambda x: torch.nn.functional.conv1d(x[None, None], torch.ones(1, 1, 2)),
    "linalg.solve": lambda x: torch.linalg.solve(square, x),
    "cosine_similarity": lambda x: torch.cosine_similarity(x, vector("cpu"), dim=0),
    "cross": lambda x: torch.linalg.cross(x[:3], three),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_mixes_devices_is_refused(name: str) -> None:
    x = vector()
    with pytest.raises(RuntimeError) as caught:
        REFUSED[name](x)
    assert str(caught.value).startswith(SENTENCE)
    assert x.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", BINARY)
def test_binary_functions_refuse_in_either_order(name: str) -> None:
    function = getattr(torch, name)
    size = (MANY, 1) if name == "cdist" else (MANY,)
    here, there = vector().reshape(size), vector("cpu").reshape(size)
    for pair in ((here, there), (there, here)):
        with pytest.raises(RuntimeError) as caught:
            function(*pair)
        text = str(caught.value)
        # `inner` says it in words of its own, on CUDA as well.
        assert text.startswith("Expected tensor to have" if name == "inner" else SENTENCE), text


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_forms_refuse_in_either_order(name: str) -> None:
    for one, other in ((vector(), vector("cpu")), (vector("cpu"), vector())):
        with pytest.raises(RuntimeError, match=f"^{re.escape(SENTENCE)}"):
            getattr(one, name)(other)
        assert one.tolist() == [1, 2, 3, 4, 5]


def test_the_sentence_names_what_it_was_checking_where_cudas_does() -> None:
    with pytest.raises(RuntimeError) as caught:
        vector()[None].mm(square)
    assert str(caught.value) == f"{SENTENCE} (when checking argument for argument mat2 in method wrapper_simgpu_mm)"
    with pytest.raises(RuntimeError) as caught:
        vector() + vector("cpu")
    assert str(caught.value) == SENTENCE


def test_a_cpu_tensor_is_not_indexed_by_the_device() -> None:
    for index in (vector() > 2, torch.tensor([0, 1], device=DEVICE)):
        with pytest.raises(
            RuntimeError, match=r"^indices should be either on cpu or on the same device as the indexed"
        ):
            vector("cpu")[index]
        with pytest.raises(
            RuntimeError, match=r"^indices should be either on cpu or on the same device as the indexed"
        ):
            vector("cpu")[index] = 0.0


NUMBER = torch.tensor(2.0)

#: What CUDA allows, with the result.
ALLOWED: dict[str, tuple[Callable[[torch.Tensor], object], list[float]]] = {
    "x + cpu number": (lambda x: x + NUMBER, [3, 4, 5, 6, 7]),
    "cpu number - x": (lambda x: NUMBER - x, [1, 0, -1, -2, -3]),
    "x *= cpu number": (lambda x: x.mul_(NUMBER), [2, 4, 6, 8, 10]),
    "device number + cpu number": (lambda x: (x[0] + NUMBER)[None], [3]),
    "x ** cpu number": (lambda x: x**NUMBER, [1, 4, 9, 16, 25]),
    "x > cpu number": (lambda x: (x > NUMBER).float(), [0, 0, 1, 1, 1]),
    "add, out=": (lambda x: torch.add(x, NUMBER, out=torch.empty(0, device=DEVICE)), [3, 4, 5, 6, 7]),
    "where with cpu numbers": (lambda x: torch.where(x > 2, NUMBER, x), [1, 2, 2, 2, 2]),
    "where with two cpu numbers": (lambda x: torch.where(x > 2, NUMBER, torch.tensor(0.0)), [0, 0, 2, 2, 2]),
    "where with a cpu condition of one": (lambda x: torch.where(torch.tensor(True), x, x + 1), [1, 2, 3, 4, 5]),
    "where with python numbers": (lambda x: torch.where(x > 2, 0.0, x), [1, 2, 0, 0, 0]),
    "lerp with a cpu number": (lambda x: torch.lerp(x, x + 2, torch.tensor(0.5)), [2, 3, 4, 5, 6]),
    "addcmul with a cpu number": (lambda x: torch.addcmul(x, x, NUMBER), [3, 6, 9, 12, 15]),
    "maximum": (lambda x: torch.maximum(x, NUMBER), [2, 2, 3, 4, 5]),
    "fill_": (lambda x: x.fill_(NUMBER), [2, 2, 2, 2, 2]),
    "masked_fill value": (lambda x: x.masked_fill(x > 2, NUMBER), [1, 2, 2, 2, 2]),
    "index_fill value": (lambda x: x.index_fill(0, picks.to(DEVICE), NUMBER), [2, 2, 2, 4, 5]),
    "x[cpu mask]": (lambda x: x[mask], [1, 3, 5]),
    "x[cpu indices]": (lambda x: x[picks], [1, 3]),
    "x[list]": (lambda x: x[[0, 2]], [1, 3]),
    "x[cpu number]": (lambda x: x[torch.tensor(2)][None], [3]),
    "x[cpu mask] = number": (lambda x: x.__setitem__(mask, 0.0) or x, [0, 2, 0, 4, 0]),
    "x[cpu mask] = cpu number": (lambda x: x.__setitem__(mask, torch.tensor(0.0)) or x, [0, 2, 0, 4, 0]),
    "x[cpu mask] = device": (lambda x: x.__setitem__(mask, -x[:3]) or x, [-1, 2, -2, 4, -3]),
    "x[arange == 2] = 0": (lambda x: x.__setitem__(torch.arange(MANY) == 2, 0.0) or x, [1, 2, 0, 4, 5]),
    "x[cpu indices] = number": (lambda x: x.__setitem__(picks, 9.0) or x, [9, 2, 9, 4, 5]),
    "index_put, cpu indices": (lambda x: x.index_put((picks,), -x[:2]), [-1, 2, -2, 4, 5]),
    "index_put, accumulate": (lambda x: x.index_put((picks,), x[:2], accumulate=True), [2, 2, 5, 4, 5]),
    "x[device mask]": (lambda x: x[x > 2], [3, 4, 5]),
    "x[:2] = cpu vector": (lambda x: x.__setitem__(slice(2), torch.zeros(2)) or x, [0, 0, 3, 4, 5]),
    "x[1] = cpu number": (lambda x: x.__setitem__(1, NUMBER) or x, [1, 2, 3, 4, 5]),
    "copy_": (lambda x: x.copy_(torch.zeros(MANY)), [0, 0, 0, 0, 0]),
    "copy_ to the cpu": (lambda x: torch.zeros(MANY).copy_(x).to(DEVICE), [1, 2, 3, 4, 5]),
    "expand_as": (lambda x: x[:1].expand_as(torch.empty(3)), [1, 1, 1]),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_cuda_allows_is_allowed(name: str) -> None:
    function, expected = ALLOWED[name]
    result = function(vector())
    assert result.device == DEVICE
    assert result.tolist() == expected


def test_gradients_flow_through_what_is_allowed() -> None:
    leaf = vector().requires_grad_()
    scale = torch.tensor(2.0, requires_grad=True)
    out = leaf.clone()
    out[mask] = 0.0
    (out * scale).sum().backward()
    assert leaf.grad.tolist() == [0, 2, 0, 2, 0] and leaf.grad.device == DEVICE
    assert scale.grad.item() == 6 and scale.grad.device.type == "cpu"


def test_an_operator_that_cuda_checks_strictly_takes_no_cpu_number_either() -> None:
    for call in (torch.logaddexp, torch.nextafter, torch.cdist, torch.dot):
        with pytest.raises(RuntimeError):
            call(vector(), NUMBER)


def entries() -> dict[str, list[dict]]:
    """The operators of native_functions.yaml by the name that rules.py uses."""
    text = resources.files("torchgen").joinpath("packaged/ATen/native/native_functions.yaml").read_text()
    found: dict[str, list[dict]] = {}
    for entry in yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        name = entry["func"].partition("(")[0].partition(".")[0]
        found.setdefault(name if name.endswith("__") else name.rstrip("_"), []).append(entry)
    return found


def tensor_arguments(entry: dict) -> int:
    return len(re.findall(r"Tensor\??(?:\(\w!\))?\?? (?!out)\w+", entry["func"].partition("->")[0]))


def on_gpu(entry: dict) -> bool:
    """Whether CUDA has a kernel of its own for it, so that a check of devices is written for it."""
    return bool(entry.get("structured_delegate")) or any("CUDA" in keys for keys in entry.get("dispatch", {}))


def test_the_rules_are_those_that_torch_writes_for_cuda() -> None:
    found = entries()
    for name in {*rules.NUMBERS, *rules.NUMBER_ARGUMENT, "index", "_index_put_impl"}:
        checked = [one["func"] for one in found[name] if on_gpu(one) and one.get("device_check") != "NoCheck"]
        # The foreign tensors of these reach CUDA's kernels unchecked, and TensorIterator decides.
        assert [one for one in checked if tensor_arguments({"func": one}) > 1] == [], name
    lenient = {
        name
        for name, all_forms in found.items()
        for one in all_forms
        if one.get("structured_inherits_from") == "TensorIteratorBase" and one.get("device_check") == "NoCheck"
        if tensor_arguments(one) > 1 and not name.endswith("_backward")
    }
    # TensorIterator takes no numbers from the CPU for these, or the functional form is checked strictly.
    strict = {"addcdiv", "clamp_max", "clamp_min"}
    assert lenient - strict - rules.NUMBERS == set()


def test_torch_warns_of_nothing_when_devices_mix() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("x + cpu", "cat", "mm"):
            with pytest.raises(RuntimeError):
                REFUSED[name](vector())
