"""One tensor of the simulated device: what torch does with it is what it does with a GPU's."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from collections.abc import Callable

import numpy
import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

import inplace_lab
from inplace_lab import graph, simgpu
from tests.inplace_lab.simulated import DEVICE, needs_simgpu

pytestmark = needs_simgpu

VALUES = [1.0, 2.0, 3.0]


def leaf(dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.tensor(VALUES, dtype=dtype, device=DEVICE, requires_grad=True)


# --- what it is


def test_it_is_a_plain_tensor_on_a_device_of_its_own() -> None:
    x = leaf()
    assert type(x) is torch.Tensor and type(x.exp()) is torch.Tensor and type(x.detach()) is torch.Tensor
    assert (x.device, x.device.type, x.device.index) == (torch.device("simgpu:0"), "simgpu", 0)
    assert (x.is_simgpu, x.is_cuda, x.is_cpu, x.is_mps, x.get_device()) == (True, False, False, False, 0)
    assert x.dtype == torch.float32 and x.layout == torch.strided and x.is_leaf


def test_printing_names_the_device() -> None:
    assert repr(leaf()) == "tensor([1., 2., 3.], device='simgpu:0', requires_grad=True)"
    assert str(leaf().exp() > 5) == "tensor([False,  True,  True], device='simgpu:0')"
    assert "grad_fn=<ExpBackward0>" in repr(leaf().exp())
    assert f"{leaf().detach()[1]:.2f}" == "2.00"
    assert repr(torch.empty(0, device=DEVICE)) == "tensor([], device='simgpu:0')"


def test_it_is_never_called_a_gpu() -> None:
    texts = [repr(leaf()), torch.simgpu.get_device_name(), str(simgpu.available()), str(DEVICE)]
    assert not [text for text in texts if "gpu" in text.lower().replace("simgpu", "")]
    assert not torch.cuda.is_available()


@pytest.mark.parametrize("call", [lambda x: x.cuda(), lambda x: x.to("cuda"), lambda x: torch.ones(1, device="cuda")])
def test_cuda_fails_as_on_any_machine_without_it(call: Callable) -> None:
    with pytest.raises((AssertionError, RuntimeError), match="CUDA|NVIDIA"):
        call(leaf())


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.ones(1, device="simgpu:1"),
        lambda x: torch.empty_strided((1,), (1,), device="simgpu:1"),
        lambda x: torch.ones(1).to("simgpu:1"),
        lambda x: x.to("simgpu:1"),
    ],
)
def test_there_is_one_of_it(call: Callable) -> None:
    with pytest.raises(RuntimeError, match=r"^There is one simulated device, simgpu:0, and no simgpu:1\.$"):
        call(leaf())


def test_setup_may_be_called_again_after_a_backward() -> None:
    leaf().sum().backward()
    inplace_lab.setup()
    simgpu.enable()
    assert simgpu.enabled() and simgpu.available() == simgpu.Availability(True, "")


# --- making, moving, reading

MADE: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "tensor": lambda x: torch.tensor(VALUES, device="simgpu"),
    "as_tensor": lambda x: torch.as_tensor(VALUES, device="simgpu"),
    "from_numpy": lambda x: torch.from_numpy(numpy.array(VALUES)).to("simgpu"),
    "empty": lambda x: torch.empty(3, device=DEVICE),
    "zeros": lambda x: torch.zeros(3, device="simgpu"),
    "ones": lambda x: torch.ones(3, device="simgpu:0"),
    "full": lambda x: torch.full((3,), 2.0, device=DEVICE),
    "arange": lambda x: torch.arange(3, device=DEVICE),
    "linspace": lambda x: torch.linspace(0, 1, 3, device=DEVICE),
    "eye": lambda x: torch.eye(3, device=DEVICE),
    "tril_indices": lambda x: torch.tril_indices(3, 3, device=DEVICE),
    "scalar_tensor": lambda x: torch.scalar_tensor(2.0, device=DEVICE),
    "rand": lambda x: torch.rand(3, device=DEVICE),
    "randn": lambda x: torch.randn(3, device=DEVICE),
    "randint": lambda x: torch.randint(0, 3, (3,), device=DEVICE),
    "randperm": lambda x: torch.randperm(3, device=DEVICE),
    "bernoulli": lambda x: torch.bernoulli(x.detach() / 3),
    "zeros_like": lambda x: torch.zeros_like(x),
    "ones_like": lambda x: torch.ones_like(x),
    "full_like": lambda x: torch.full_like(x, 2.0),
    "empty_like": lambda x: torch.empty_like(x),
    "rand_like": lambda x: torch.rand_like(x),
    "zeros_like of the cpu": lambda x: torch.zeros_like(x.cpu(), device=DEVICE),
    "new_tensor": lambda x: x.new_tensor(VALUES),
    "new_zeros": lambda x: x.new_zeros(3),
    "new_ones": lambda x: x.new_ones(3),
    "new_full": lambda x: x.new_full((3,), 2.0),
    "new_empty": lambda x: x.new_empty(3),
    "to another dtype": lambda x: x.to(torch.float64),
    "to as": lambda x: torch.ones(3).to(x),
    "type_as": lambda x: torch.ones(3).type_as(x),
    "x.simgpu": lambda x: torch.ones(3).simgpu(),
    "one_hot": lambda x: torch.nn.functional.one_hot(torch.tensor([0, 2], device=DEVICE), 3),
    "nonzero": lambda x: x.nonzero(),
    "meshgrid": lambda x: torch.meshgrid(x, x, indexing="ij")[0],
    "hann_window": lambda x: torch.hann_window(3, device=DEVICE),
    "clone": lambda x: x.clone(),
    "detach": lambda x: x.detach(),
    "data": lambda x: x.data,
}


@pytest.mark.parametrize("name", MADE)
def test_what_makes_a_tensor_makes_it_on_the_device(name: str) -> None:
    assert MADE[name](leaf()).device == DEVICE


def test_a_default_device_is_taken() -> None:
    with torch.device("simgpu"):
        assert torch.ones(2).device == torch.arange(3).device == torch.tensor([1]).device == DEVICE
    torch.set_default_device("simgpu")
    try:
        assert torch.zeros(2).device == DEVICE
    finally:
        torch.set_default_device(None)


def test_moving_copies_and_carries_the_gradient() -> None:
    start = torch.tensor(VALUES, requires_grad=True)
    there = start.to("simgpu")
    back = there.cpu()
    assert there.data_ptr() != start.data_ptr() != back.data_ptr() and back.device.type == "cpu"
    (back * 2).sum().backward()
    assert start.grad.tolist() == [2, 2, 2] and start.grad.device.type == "cpu"
    assert there.to(DEVICE) is there
    assert there.to("cpu", non_blocking=True).tolist() == there.to("cpu", torch.float64).tolist() == VALUES
    assert there.to("meta").shape == (3,)


def test_reading_numbers() -> None:
    x = leaf()
    assert x[1].item() == 2.0 and float(x.detach()[1]) == 2.0 and int(x.detach()[1]) == 2 and bool(x[0] == 1)
    assert x.tolist() == VALUES and torch.eye(2, device=DEVICE).tolist() == [[1, 0], [0, 1]]
    assert len(x) == 3 and [one.item() for one in x] == VALUES and 2.0 in x
    assert x.max().item() == 3 and x.sum().item() == 6 and x.equal(leaf())
    with pytest.raises(RuntimeError, match="ambiguous"):
        bool(x)


def test_numpy_is_refused_with_cudas_sentence() -> None:
    expected = (
        r"^can't convert simgpu:0 device type tensor to numpy. Use Tensor.cpu\(\) to copy the tensor to host memory"
    )
    for call in (lambda x: x.numpy(), numpy.asarray, lambda x: x.numpy(force=False)):
        with pytest.raises(TypeError, match=expected):
            call(leaf().detach())
    assert leaf().numpy(force=True).tolist() == leaf().detach().cpu().numpy().tolist() == VALUES


def test_memory_format_and_strides_are_kept() -> None:
    x = torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)
    there = x.to(DEVICE)
    assert there.stride() == x.stride() == there.exp().stride() == there.cpu().stride() == there.double().stride()
    assert there.contiguous().is_contiguous() and there.mT.stride() == x.mT.stride()


@pytest.mark.parametrize(
    "dtype",
    [torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.int8, torch.int64, torch.uint8, torch.bool],
)
def test_dtypes_travel(dtype: torch.dtype) -> None:
    x = torch.tensor([0, 1, 1], dtype=dtype)
    there = x.to(DEVICE)
    assert there.dtype == dtype and there.cpu().equal(x) and (there + there).cpu().equal(x + x)


def test_promotion_is_torchs() -> None:
    y = torch.ones(3, dtype=torch.bfloat16, device=DEVICE)
    mask = torch.tensor([True, False, True], device=DEVICE)
    assert torch.where(mask, torch.tensor(0.0), y).dtype == torch.bfloat16
    assert torch.where(mask, torch.zeros(3, device=DEVICE), y).dtype == torch.float32
    assert (y * 2.5).dtype == (y * torch.tensor(2.5)).dtype == torch.bfloat16
    assert (y * torch.ones(3, device=DEVICE)).dtype == torch.float32
    whole = torch.arange(3, device=DEVICE)
    assert (whole.remainder(2)).dtype == torch.int64 and whole.remainder(2.5).dtype == torch.float32
    assert torch.remainder(7, torch.tensor(2, dtype=torch.int32, device=DEVICE)).dtype == torch.int32
    assert (whole / 2).dtype == torch.float32 and whole.exp().dtype == torch.float32


def test_random_numbers_have_a_generator_of_their_own() -> None:
    torch.manual_seed(3)
    cpu = torch.rand(2)
    torch.manual_seed(3)
    first = torch.rand(2, device=DEVICE)
    assert torch.rand(2).equal(cpu)  # drawing on the device took nothing from the CPU's generator
    state = torch.simgpu.get_rng_state()
    second = torch.rand(2, device=DEVICE)
    torch.simgpu.set_rng_state(state)
    assert torch.rand(2, device=DEVICE).equal(second) and not first.equal(second)
    torch.simgpu.manual_seed(3)
    assert torch.rand(2, device=DEVICE).equal(first)
    with pytest.raises(RuntimeError, match="Expected a 'simgpu' device type for generator but found 'cpu'"):
        torch.rand(2, device=DEVICE, generator=torch.Generator())


# --- memory, views, versions


def test_views_share_memory_and_the_version_counter() -> None:
    base = torch.zeros(2, 3, device=DEVICE)
    views = [base[1], base.t(), base.view(6), base.reshape(3, 2), base.detach(), base[:, 1:], base.expand(2, 2, 3)]
    for view in views:
        assert graph.shares_memory(base, view)
    assert all(view._base is base for view in views if view._base is not None) and views[0]._base is base
    views[0][2] = 7.0
    assert base.tolist() == [[0, 0, 0], [0, 0, 7]]
    assert {graph.version(one) for one in [base, *views]} == {1}
    base.data.add_(1)
    assert graph.version(base) == 1 and base[0].tolist() == [1, 1, 1]
    assert (base[1].storage_offset(), base[1].data_ptr() - base.data_ptr()) == (3, 12)


def test_copies_share_neither() -> None:
    base = torch.zeros(3, device=DEVICE)
    for one in (base.clone(), base.cpu(), base + 0, base.cpu().to(DEVICE), base.double(), base.contiguous().clone()):
        assert not graph.shares_memory(base, one)
        one.add_(1)
    assert base.tolist() == [0, 0, 0] and graph.version(base) == 0


def test_memory_lives_as_long_as_a_view_of_it() -> None:
    views = [torch.full((1000,), float(number), device=DEVICE)[500:] for number in range(100)]
    assert [view[0].item() for view in views] == list(range(100))


def test_out_is_written_and_grown_as_elsewhere() -> None:
    x = leaf().detach()
    for size in (3, 0):
        out = torch.empty(size, device=DEVICE)
        assert torch.exp(x, out=out) is out and out.equal(x.exp())
        assert graph.version(out) == 1
    small = torch.empty(2, device=DEVICE)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        torch.exp(x, out=small)
    assert small.equal(x.exp())
    larger = torch.empty(2, 3, device=DEVICE)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        torch.exp(x, out=larger)
    assert larger.equal(x.exp())
    values, places = torch.empty(0, device=DEVICE), torch.empty(0, dtype=torch.int64, device=DEVICE)
    torch.sort(x, descending=True, out=(values, places))
    assert (values.tolist(), places.tolist()) == ([3, 2, 1], [2, 1, 0])
    # An argument may be the target as well.
    assert torch.add(x, x, out=x).tolist() == [2, 4, 6]


OVERLAPS: dict[str, Callable[[torch.Tensor], object]] = {
    "add_": lambda x: x[1:].add_(x[:-1]),
    "copy_": lambda x: x[1:].copy_(x[:-1]),
    "assignment": lambda x: x.__setitem__(slice(1, None), x[:-1]),
    "out=": lambda x: torch.exp(x[:-1], out=x[1:]),
    "index_put_": lambda x: x.index_put_((torch.tensor([0, 1]),), x[1:3]),
    "cumsum out=": lambda x: torch.cumsum(x[:-1], 0, out=x[1:]),
    "expanded": lambda x: x[:1].expand(3).add_(1),
}


@pytest.mark.parametrize("name", OVERLAPS)
def test_a_write_over_what_it_reads_is_refused(name: str) -> None:
    for device in ("cpu", DEVICE):
        x = torch.arange(5.0, device=device)
        with pytest.raises(RuntimeError, match="^unsupported operation: (some elements|more than one element)"):
            OVERLAPS[name](x)
        assert x.tolist() == [0, 1, 2, 3, 4]


def test_a_write_of_just_what_it_reads_is_allowed() -> None:
    x = torch.arange(4.0, device=DEVICE)
    assert x.add_(x).tolist() == [0, 2, 4, 6] and x[1:].mul_(x[1:]).tolist() == [4, 16, 36]
    x.copy_(x)
    x[:2] = x[2:]
    assert x.tolist() == [16, 36, 16, 36] and torch.exp(x.zero_(), out=x).tolist() == [1, 1, 1, 1]


def test_resizing_keeps_what_fits() -> None:
    x = leaf().detach()
    assert x.resize_(2).tolist() == [1, 2] and x.resize_(3).tolist() == VALUES
    assert x.resize_(2, 4)[0, :3].tolist() == VALUES
    assert x.resize_as_(torch.empty(1)).tolist() == [1.0]
    y = torch.ones(4, device=DEVICE)
    assert y.set_(torch.zeros(2, device=DEVICE)).tolist() == [0, 0] and y.set_().shape == (0,)
    with pytest.raises(RuntimeError, match="storage on different device"):
        y.set_(torch.zeros(2).untyped_storage(), 0, (2,), (1,))


# --- autograd


def test_gradient_of_the_published_program() -> None:
    x = leaf()
    middle = x + 2
    root = middle.exp()
    root.sum().backward()
    assert torch.allclose(x.grad, torch.exp(torch.tensor(VALUES, device=DEVICE) + 2)) and x.grad.device == DEVICE


def test_saved_tensors_are_the_very_tensors() -> None:
    middle = leaf() + 2
    root = middle.exp()
    ((slot, kept),) = graph.saved(root.grad_fn)
    assert slot == "result" and graph.shares_memory(kept, root) and kept.device == DEVICE
    ((slot, kept),) = graph.saved(middle.pow(3).grad_fn)
    assert slot == "self" and graph.shares_memory(kept, middle) and not graph.shares_memory(kept, root)


def test_a_write_into_a_saved_tensor_breaks_backward_with_torchs_text() -> None:
    root = (leaf() + 2).exp()
    root.mul_(3)
    assert [(one.slot, one.found, one.expected) for one in graph.broken(root)] == [("result", 1, 0)]
    with pytest.raises(RuntimeError) as caught:
        root.sum().backward()
    text = str(caught.value)
    assert text.startswith(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
    )
    assert "[3]], which is output 0 of Exp" in text and "is at version 1; expected version 0 instead." in text
    assert graph.versions_in(text) == (1, 0)


def test_writes_that_backward_can_follow() -> None:
    x = leaf()
    middle = x + 2
    middle[1] = 10
    middle[:1].mul_(3)
    middle.exp().sum().backward()
    expected = [3 * torch.e**9, 0.0, torch.e**5]
    assert torch.allclose(x.grad.cpu(), torch.tensor(expected), rtol=1e-5)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        x[0] = 1


def test_no_grad_detach_and_data() -> None:
    x = leaf()
    with torch.no_grad():
        x.add_(1)
        assert not (x * 2).requires_grad
    assert graph.version(x) == 1 and not x.detach().requires_grad and not x.data.requires_grad
    root = x.exp()
    root.data[0] = 0
    root.sum().backward()  # in silence, with a wrong gradient, as anywhere
    assert x.grad[0].item() == 0
    with torch.inference_mode():
        assert (x * 2).is_inference()


def test_two_backwards_and_accumulation() -> None:
    x = leaf()
    loss = x.exp().sum()
    loss.backward(retain_graph=True)
    once = x.grad.clone()
    loss.backward()
    assert x.grad.equal(2 * once)
    with pytest.raises(RuntimeError, match="second time"):
        loss.backward()


def test_double_backward_and_the_checks() -> None:
    x = leaf(torch.float64)

    def function(value: torch.Tensor) -> torch.Tensor:
        out = (value + 2).exp()
        out = out.clone()
        out[1] = 0.0
        return out * torch.where(value > 1.5, value, 0.5)

    assert torch.autograd.gradcheck(function, (x,), check_batched_grad=True)
    assert torch.autograd.gradgradcheck(function, (x,))
    (first,) = torch.autograd.grad(x.pow(3).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    assert second.tolist() == [6, 12, 18]


def test_whole_jacobians() -> None:
    x = leaf(torch.float64).detach()
    expected = torch.diag(x.exp())
    found = [
        torch.autograd.functional.jacobian(torch.exp, x),
        torch.autograd.functional.jacobian(torch.exp, x, vectorize=True),
        torch.autograd.functional.jacobian(torch.exp, x, vectorize=True, strategy="forward-mode"),
        torch.autograd.functional.hessian(lambda value: value.exp().sum(), x),
        torch.func.jacrev(torch.exp)(x),
        torch.func.jacfwd(torch.exp)(x),
        torch.func.hessian(lambda value: value.exp().sum())(x),
        torch.func.vmap(torch.func.grad(torch.exp))(x).diag(),
    ]
    assert all(one.device == DEVICE and torch.allclose(one, expected) for one in found)


def test_hooks_run() -> None:
    seen = []
    x = leaf()
    middle = x * 2
    middle.register_hook(lambda grad: seen.append(grad.device) or grad * 10)
    middle.grad_fn.register_hook(lambda *args: seen.append("node"))
    x.register_post_accumulate_grad_hook(lambda one: seen.append("leaf"))
    with torch.autograd.graph.saved_tensors_hooks(lambda one: one.cpu(), lambda one: one.to(DEVICE)):
        middle.exp().sum().backward()
    assert seen == [DEVICE, "node", "leaf"]
    assert torch.allclose(x.grad, 20 * torch.exp(2 * x.detach()))


def test_a_function_of_ones_own() -> None:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx: torch.autograd.function.FunctionCtx, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: torch.autograd.function.FunctionCtx, grad: torch.Tensor) -> torch.Tensor:
            (x,) = ctx.saved_tensors
            return 3 * x**2 * grad

    x = leaf()
    Cube.apply(x).sum().backward()
    assert x.grad.tolist() == [3, 12, 27]
    middle = leaf() + 0
    root = Cube.apply(middle)
    middle.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        root.sum().backward()


def test_exceptions_of_a_hook_reach_the_caller_whole() -> None:
    def complain(grad: torch.Tensor) -> None:
        raise KeyError("my own")

    for _ in range(3):
        middle = leaf() * 2
        middle.register_hook(complain)
        with pytest.raises(KeyError, match="my own") as caught:
            middle.sum().backward()
        assert "complain" in {entry.name for entry in caught.traceback}
    x = leaf()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_errors_inside_backward_reach_the_caller() -> None:
    x = leaf()
    middle = x * 2
    middle.register_hook(lambda grad: grad + torch.ones(3))
    with pytest.raises(RuntimeError, match="found at least two devices, simgpu:0 and cpu!"):
        middle.sum().backward()
    with pytest.raises(IndexError):
        x[7]
    with pytest.raises(IndexError, match="out of bounds"):
        x[torch.tensor([7], device=DEVICE)]


# --- modules, optimizers, files, modes


def test_a_module_moves_and_trains() -> None:
    torch.manual_seed(0)
    here = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LayerNorm(4), torch.nn.GELU(), torch.nn.Linear(4, 1))
    there = copy.deepcopy(here).to("simgpu")
    x = torch.randn(5, 3)
    for module, data in ((here, x), (there, x.to(DEVICE))):
        optimizer = torch.optim.Adam(module.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            module(data).pow(2).mean().backward()
            optimizer.step()
    for one, other in zip(here.parameters(), there.parameters(), strict=True):
        assert other.device == DEVICE and torch.allclose(one, other.cpu(), atol=1e-5)


@pytest.mark.parametrize("foreach", [False, True])
@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"])
def test_optimizers_step_as_on_the_cpu(name: str, foreach: bool) -> None:
    ends = []
    for device in ("cpu", DEVICE):
        weight = torch.nn.Parameter(torch.tensor(VALUES, device=device))
        optimizer = getattr(torch.optim, name)([weight], lr=0.1, foreach=foreach)
        for _ in range(3):
            optimizer.zero_grad()
            weight.pow(2).sum().backward()
            optimizer.step()
        ends.append(weight.detach().cpu())
    assert torch.allclose(*ends)


def test_convolution() -> None:
    grads = []
    for device in ("cpu", DEVICE):
        x = torch.arange(32.0, device=device).reshape(1, 2, 4, 4).requires_grad_()
        weights = [torch.ones(3, 2, 2, 2, device=device, requires_grad=True)]
        weights += [torch.ones(3, 2, 2, 2, device=device, requires_grad=True)]
        bias = torch.ones(3, device=device, requires_grad=True)
        out = torch.nn.functional.conv2d(x, weights[0], bias).relu()
        torch.nn.functional.conv_transpose2d(out, weights[1], stride=2).sum().backward()
        grads.append([one.grad.cpu() for one in (x, *weights, bias)])
    assert all(one.equal(other) for one, other in zip(*grads, strict=True))


def test_copies_and_files() -> None:
    x = leaf().detach()
    for again in (copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x))):
        assert again.equal(x) and again.device == DEVICE
    assert not graph.shares_memory(copy.deepcopy(x), x)
    file = io.BytesIO()
    torch.save({"x": x, "state": torch.nn.Linear(2, 2).to(DEVICE).state_dict()}, file)
    for place, expected in ((None, "simgpu"), ("cpu", "cpu"), ("simgpu", "simgpu")):
        file.seek(0)
        found = torch.load(file, map_location=place)
        assert found["x"].device.type == expected == found["state"]["weight"].device.type
        assert found["x"].tolist() == VALUES
    assert torch.UntypedStorage(4, device="simgpu").nbytes() == 4
    assert torch.UntypedStorage([1, 2], device="simgpu").tolist() == [1, 2]
    assert torch.UntypedStorage(4).device.type == "cpu" and torch.UntypedStorage([1, 2]).tolist() == [1, 2]


def test_modes_see_what_the_user_calls_and_no_more() -> None:
    class Calls(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):  # noqa: ANN001, ANN204
            names.append(function.__name__)
            return function(*args, **(kwargs or {}))

    class Operators(TorchDispatchMode):
        def __torch_dispatch__(self, operator, types, args=(), kwargs=None):  # noqa: ANN001, ANN204
            names.append(operator.name())
            return operator(*args, **(kwargs or {}))

    for mode in (Calls, Operators):
        runs = []
        for device in ("cpu", DEVICE):
            x = torch.tensor(VALUES, device=device, requires_grad=True)
            names: list[str] = []
            with mode():
                (x + 2).exp().cumsum(0)[1:].sum().backward()
            runs.append(names)
        assert runs[0] == runs[1] and len(runs[0]) >= 5


def test_conjugate_views() -> None:
    x = torch.tensor([1 + 1j, 2 - 1j], device=DEVICE)
    assert x.conj().is_conj() and x.conj().tolist() == [1 - 1j, 2 + 1j] == x.conj().cpu().tolist()
    assert x.conj().imag.tolist() == [-1, 1] and x.conj().imag.is_neg() and repr(x.conj()).count("j") == 2
    assert (x @ x.conj()).item() == 7
    target = torch.zeros(2, dtype=torch.complex64, device=DEVICE)
    target.conj().copy_(x)
    assert target.tolist() == [1 - 1j, 2 + 1j]


def test_what_it_has_not_says_so() -> None:
    with pytest.raises(NotImplementedError, match="dense tensors only, no torch.sparse_coo ones: use the CPU for them"):
        leaf().detach().to_sparse()
    with pytest.warns(UserWarning, match="In simgpu autocast"), torch.autocast("simgpu", dtype=torch.bfloat16):
        assert (torch.eye(2, device=DEVICE) @ torch.eye(2, device=DEVICE)).dtype == torch.float32


def test_a_module_that_moves_has_new_parameters() -> None:
    module = torch.nn.Linear(2, 2)
    before = module.weight
    assert module.to(DEVICE).weight is not before and module.weight.is_leaf and module.weight.requires_grad
    with pytest.raises(RuntimeError, match="incompatible tensor type"):
        before.data = torch.ones(2, 2, device=DEVICE)
    with pytest.raises(NotImplementedError, match=r"^The simulated device has no LSTM and no GRU: use the CPU"):
        torch.nn.LSTM(2, 2).to(DEVICE)(torch.ones(1, 1, 2, device=DEVICE))


def test_the_cpu_goes_on_as_before() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "The argument 'device' of Tensor", DeprecationWarning)  # torch 2.10
        x = torch.tensor(VALUES, requires_grad=True)
        x.exp().sum().backward()
        assert x.grad.device.type == "cpu" and x.pin_memory().tolist() == VALUES
        data = torch.utils.data.TensorDataset(torch.arange(4.0))
        batches = list(torch.utils.data.DataLoader(data, batch_size=2, pin_memory=True))
    assert [batch[0].tolist() for batch in batches] == [[0, 1], [2, 3]]


def test_torchs_module_of_the_device() -> None:
    assert torch.simgpu.is_available() and torch.simgpu.is_initialized() and torch.simgpu.device_count() == 1
    assert torch.simgpu.current_device() == 0 and torch.accelerator.current_accelerator() == torch.device("simgpu")
    torch.simgpu.set_device(0)
    torch.simgpu.synchronize()
    with torch.simgpu.device(0):
        assert torch.ones(1, device="simgpu").device == DEVICE
