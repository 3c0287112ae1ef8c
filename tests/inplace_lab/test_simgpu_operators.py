"""Operators on the simulated device against the CPU: value, gradient and second gradient of every one named here.

The long tests do it for torch's own operator database (values and gradients), and put one tensor of each call on the
other device. They print how many pass, and those that do not, with the reason.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import pytest
import torch
from torch.nn import functional
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

from tests.inplace_lab.simulated import DEVICE, SENTENCE, difference, moved, needs_simgpu

pytestmark = needs_simgpu

Function = Callable[[torch.Tensor], torch.Tensor]


def mask(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.shape[0], device=x.device) == 2


def picks(x: torch.Tensor) -> torch.Tensor:
    return torch.tensor([2, 0], device=x.device)


def written(x: torch.Tensor, write: Callable[[torch.Tensor], object]) -> torch.Tensor:
    """A copy of x.exp() that was written to."""
    copy = x.exp().clone()
    write(copy)
    return copy


#: Of one argument, by torch's own names: functions, then methods that need nothing more.
UNARY = """
    abs acos acosh angle arccos arcsin arctan asin asinh atan atanh ceil conj_physical cos cosh deg2rad digamma erf erfc
    erfinv exp exp2 expm1 fix floor frac lgamma log log10 log1p log2 logit neg negative positive rad2deg reciprocal relu
    round rsqrt selu sgn sigmoid sign sin sinc sinh sqrt square tan tanh trunc nan_to_num
    special.erfcx special.i0 special.i1 special.ndtr special.log_ndtr special.entr special.expit
    nn.functional.celu nn.functional.elu nn.functional.gelu nn.functional.hardsigmoid nn.functional.hardswish
    nn.functional.hardtanh nn.functional.leaky_relu nn.functional.logsigmoid nn.functional.mish nn.functional.relu6
    nn.functional.silu nn.functional.softplus nn.functional.softsign nn.functional.tanhshrink
    cumsum:0 cumprod:0 logcumsumexp:0 softmax:0 log_softmax:0 logsumexp:0 flip:0 roll:1 diff sum mean prod std var
    amax amin max min median norm numel std_mean var_mean aminmax all any argmax argmin argsort sort msort clone detach
    diag diagflat trace:square tril:square triu:square diagonal:square rot90:square inverse:square det:square
    logdet:square matrix_exp:square slogdet:square linalg.pinv:square linalg.svdvals:square t:square
    isnan isinf isfinite isreal signbit count_nonzero nonzero unique bincount:whole
""".split()

#: Of two, with the other made from x.
BINARY = """
    add sub mul div true_divide floor_divide remainder fmod pow float_power atan2 hypot copysign maximum minimum fmax
    fmin eq ne lt le gt ge isclose logical_and logical_or logical_xor xlogy logaddexp logaddexp2 dot inner outer rsub
    heaviside ldexp nextafter vdot kron cross:3 dist bitwise_and:whole bitwise_or:whole bitwise_xor:whole gcd:whole
    lcm:whole bitwise_left_shift:whole matmul:square mm:square bmm:cube mv:mixed addmm:square nn.functional.mse_loss
    nn.functional.l1_loss nn.functional.smooth_l1_loss nn.functional.huber_loss nn.functional.kl_div
    nn.functional.cosine_similarity:square
""".split()

MORE: dict[str, Function] = {
    # what a solution of masked_exp may be made of
    "where number": lambda x: torch.where(mask(x), 0.0, x.exp()),
    "where 0-dim": lambda x: torch.where(mask(x), torch.tensor(0.0), x.exp()),
    "where zeros_like": lambda x: torch.where(mask(x), torch.zeros_like(x), x.exp()),
    "where method": lambda x: x.exp().where(~mask(x), 0.0),
    "masked_fill": lambda x: x.exp().masked_fill(mask(x), 0.0),
    "masked_fill_": lambda x: written(x, lambda y: y.masked_fill_(mask(x), 0.0)),
    "masked_fill -inf": lambda x: x.masked_fill(mask(x), float("-inf")).exp(),
    "index_fill": lambda x: x.exp().index_fill(0, picks(x), 0.0),
    "index_fill_": lambda x: written(x, lambda y: y.index_fill_(0, picks(x), 0.0)),
    "index assignment": lambda x: written(x, lambda y: y.__setitem__(2, 0.0)),
    "negative index assignment": lambda x: written(x, lambda y: y.__setitem__(-1, 0.0)),
    "slice assignment": lambda x: written(x, lambda y: y.__setitem__(slice(1, 3), 0.0)),
    "mask assignment": lambda x: written(x, lambda y: y.__setitem__(mask(x), 0.0)),
    "cpu mask assignment": lambda x: written(x, lambda y: y.__setitem__(torch.arange(5) == 2, 0.0)),
    "list assignment": lambda x: written(x, lambda y: y.__setitem__([0, 2], 0.0)),
    "tensor assignment": lambda x: written(x, lambda y: y.__setitem__(picks(x), x[:2])),
    "ellipsis assignment": lambda x: written(x, lambda y: y.__setitem__((..., 2), 0.0)),
    "mul_ of a view": lambda x: written(x, lambda y: y[2].mul_(0)),
    "zero_ of a view": lambda x: written(x, lambda y: y[1:3].zero_()),
    "fill_": lambda x: written(x, lambda y: y[2].fill_(0.0)),
    "copy_": lambda x: written(x, lambda y: y[2].copy_(torch.tensor(0.0))),
    "mul by mask": lambda x: x.exp() * ~mask(x),
    "mul by float mask": lambda x: x.exp() * (~mask(x)).to(x.dtype),
    "mul_ by mask": lambda x: written(x, lambda y: y.mul_(~mask(x))),
    "minus one_hot": lambda x: x.exp() * (1 - functional.one_hot(torch.tensor(2, device=x.device), x.shape[0])),
    "eye row": lambda x: x.exp() * (1 - torch.eye(5, device=x.device, dtype=x.dtype)[2]),
    "new_ones": lambda x: x.exp() * written(x.new_ones(5).log(), lambda y: y.__setitem__(2, 0.0)),
    "cat": lambda x: torch.cat([x[:2].exp(), x.new_zeros(1), x[3:].exp()]),
    "cat of views": lambda x: torch.cat([x[:2], x[2:3] * 0, x[3:]]).exp(),
    "stack": lambda x: torch.stack([x.new_zeros(()) if n == 2 else v.exp() for n, v in enumerate(x)]),
    "hstack": lambda x: torch.hstack([x, x]),
    "vstack": lambda x: torch.vstack([x, x]),
    "pad": lambda x: functional.pad(x.exp(), (1, 1)),
    "scatter number": lambda x: x.exp().scatter(0, picks(x), 0.0),
    "scatter_": lambda x: written(x, lambda y: y.scatter_(0, picks(x), 0.0)),
    "scatter source": lambda x: x.scatter(0, picks(x), x[:2] * 3),
    "scatter_add": lambda x: x.scatter_add(0, picks(x), x[:2]),
    "scatter_reduce": lambda x: x.scatter_reduce(0, picks(x), x[:2], "prod"),
    "index_add": lambda x: x.index_add(0, picks(x), x[:2]),
    "index_copy": lambda x: x.index_copy(0, picks(x), x[:2]),
    "index_put": lambda x: x.index_put((picks(x),), x[:2]),
    "index_put accumulate": lambda x: x.index_put((picks(x),), x[:2], accumulate=True),
    "select_scatter": lambda x: x.exp().select_scatter(x.new_zeros(()), 0, 2),
    "slice_scatter": lambda x: x.exp().slice_scatter(x[:2], 0, 1, 3),
    "masked_scatter": lambda x: x.masked_scatter(mask(x), x * 2),
    "masked_select": lambda x: x.masked_select(~mask(x)),
    "boolean index": lambda x: x[x > 0.35],
    "index_select": lambda x: x.index_select(0, picks(x)),
    "gather": lambda x: x.gather(0, picks(x)),
    "take": lambda x: x.take(picks(x)),
    "take_along_dim": lambda x: x.take_along_dim(picks(x), 0),
    "put": lambda x: x.put(picks(x), x[:2]),
    "narrow": lambda x: x.narrow(0, 1, 3),
    "select": lambda x: x.select(0, 2),
    "split": lambda x: x.split(2)[1],
    "chunk": lambda x: x.chunk(2)[0],
    "tensor_split": lambda x: x.tensor_split(2)[1],
    "unbind": lambda x: x.unbind()[2],
    "unfold": lambda x: x.unfold(0, 2, 1),
    "as_strided": lambda x: x.as_strided((2, 2), (2, 1), 1),
    "view": lambda x: x.view(1, 5),
    "view_as": lambda x: x.view_as(x),
    "reshape": lambda x: x.reshape(5, 1),
    "flatten": lambda x: x[None].flatten(),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x[None].squeeze(),
    "expand": lambda x: x.expand(3, 5),
    "repeat": lambda x: x.repeat(2),
    "tile": lambda x: x.tile(2),
    "repeat_interleave": lambda x: x.repeat_interleave(2),
    "permute": lambda x: x[None].permute(1, 0),
    "movedim": lambda x: x[None].movedim(0, 1),
    "swapaxes": lambda x: x[None].swapaxes(0, 1),
    "fliplr": lambda x: x[None].fliplr(),
    "meshgrid": lambda x: torch.meshgrid(x, x, indexing="ij")[0],
    "cartesian_prod": lambda x: torch.cartesian_prod(x, x),
    "combinations": lambda x: torch.combinations(x),
    "block_diag": lambda x: torch.block_diag(x, x),
    "diag_embed": lambda x: x.diag_embed(),
    "vander": lambda x: torch.vander(x),
    "einsum": lambda x: torch.einsum("i,j->ij", x, x),
    "tensordot": lambda x: torch.tensordot(x, x, 1),
    "matmul vector": lambda x: x.diag() @ x,
    "addcmul": lambda x: torch.addcmul(x, x, x, value=2),
    "addcdiv": lambda x: torch.addcdiv(x, x, x + 1, value=2),
    "lerp": lambda x: torch.lerp(x, x * 2, 0.3),
    "lerp tensor": lambda x: torch.lerp(x, x * 2, x),
    "clamp": lambda x: x.clamp(0.2, 0.5),
    "clamp tensor": lambda x: x.clamp(min=x * 0.5),
    "clip_": lambda x: written(x, lambda y: y.clip_(max=1.3)),
    "add_": lambda x: written(x, lambda y: y.add_(x, alpha=2)),
    "sub_": lambda x: written(x, lambda y: y.sub_(1)),
    "div_": lambda x: written(x, lambda y: y.div_(3)),
    "addcmul_": lambda x: written(x, lambda y: y.addcmul_(x, x)),
    "relu_": lambda x: written(x - 0.4, lambda y: y.relu_()),
    "exp_ of a copy": lambda x: x.clone().exp_(),
    "neg_": lambda x: written(x, lambda y: y.neg_()),
    "pow number": lambda x: x**3,
    "number to the power": lambda x: 2**x,
    "number minus": lambda x: 1 - x,
    "number over": lambda x: 1 / x,
    "remainder of a number": lambda x: torch.remainder(7.0, x),
    "pow zero": lambda x: x.pow(0),
    "topk": lambda x: x.topk(2)[0],
    "kthvalue": lambda x: x.kthvalue(2)[0],
    "sort descending": lambda x: x.sort(descending=True)[0],
    "cummax": lambda x: x.cummax(0)[0],
    "quantile": lambda x: x.quantile(0.4),
    "searchsorted": lambda x: torch.searchsorted(x.detach().sort()[0], x),
    "bucketize": lambda x: torch.bucketize(x, x.detach().sort()[0]),
    "histc": lambda x: torch.histc(x, 3),
    "cov": lambda x: torch.cov(x),
    "corrcoef": lambda x: torch.corrcoef(torch.stack([x, x.exp()])),
    "cdist": lambda x: torch.cdist(x[:, None], x[:, None] * 2),
    "renorm": lambda x: x[None].renorm(2, 0, 0.5),
    "linalg.norm": lambda x: torch.linalg.norm(x, 3),
    "linalg.solve": lambda x: torch.linalg.solve(x.diag() + 1, x),
    "linalg.cholesky": lambda x: torch.linalg.cholesky(x.diag()),
    "linalg.qr": lambda x: torch.linalg.qr(x.diag() + 1)[1],
    "fft": lambda x: torch.fft.fft(x).abs(),
    "complex": lambda x: torch.complex(x, x).exp().real,
    "polar": lambda x: torch.polar(x, x).imag,
    "view_as_real": lambda x: torch.view_as_real(torch.complex(x, x)),
    "layer_norm": lambda x: functional.layer_norm(x, (5,), x, x),
    "batch_norm": lambda x: functional.batch_norm(x[:, None], None, None, training=True),
    "group_norm": lambda x: functional.group_norm(x[:4].reshape(1, 4, 1), 2),
    "linear": lambda x: functional.linear(x, x.diag(), x),
    "conv1d": lambda x: functional.conv1d(x[None, None], x[None, None, :2]),
    "max_pool1d": lambda x: functional.max_pool1d(x[None, None], 2),
    "avg_pool1d": lambda x: functional.avg_pool1d(x[None, None], 2),
    "interpolate": lambda x: functional.interpolate(x[None, None], scale_factor=2.0, mode="linear"),
    "embedding": lambda x: functional.embedding(picks(x), x[:, None]),
    "cross_entropy": lambda x: functional.cross_entropy(x[None], picks(x)[:1]),
    "nll_loss": lambda x: functional.nll_loss(x[None].log_softmax(1), picks(x)[:1]),
    "bce": lambda x: functional.binary_cross_entropy(x, x.detach()),
    "bce with logits": lambda x: functional.binary_cross_entropy_with_logits(x, x),
    "attention": lambda x: functional.scaled_dot_product_attention(*[x.reshape(1, 1, 5, 1)] * 3),
    "normalize": lambda x: functional.normalize(x, dim=0),
    "prelu": lambda x: functional.prelu(x - 0.4, x[:1]),
    "glu": lambda x: functional.glu(x[:4]),
    "threshold": lambda x: functional.threshold(x, 0.3, 0.1),
    "softmin": lambda x: functional.softmin(x, 0),
    "to float32": lambda x: x.float() * 2,
    "to bfloat16": lambda x: (x.bfloat16() * 2).double(),
    "type_as": lambda x: x.type_as(x.float()),
    "contiguous": lambda x: x.flip(0).contiguous(),
    "new_tensor": lambda x: x * x.new_tensor([1, 2, 3, 4, 5]),
    "full_like": lambda x: x * torch.full_like(x, 3),
    "linspace": lambda x: x * torch.linspace(0, 1, 5, dtype=x.dtype, device=x.device),
    "item": lambda x: x * x[0].item(),
    "tolist": lambda x: x * torch.tensor(x.tolist(), dtype=x.dtype, device=x.device),
    "checkpoint": lambda x: torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False),
    "func.grad": lambda x: torch.func.grad(lambda y: y.exp().sum())(x),
    "func.vmap": lambda x: torch.func.vmap(torch.exp)(x),
}


def start(kind: str, device: torch.device | str) -> torch.Tensor:
    values = torch.tensor([0.3, 0.1, 0.7, 0.2, 0.9], dtype=torch.float64)
    values = {
        "square": values.outer(values) + torch.eye(5, dtype=torch.float64),
        "cube": values.outer(values)[None],
        "whole": torch.tensor([3, 1, 7, 2, 9]),
        "3": values[:3],
    }.get(kind, values)
    return values.to(device).requires_grad_(values.is_floating_point())


def named() -> Iterator[tuple[str, str, Function]]:
    """(name, kind of argument, function) of everything above."""

    def attribute(name: str) -> Callable:
        found: object = torch
        for part in name.split("."):
            # what torch has only as a method: numel, roll ...
            found = getattr(found, part) if hasattr(found, part) else getattr(torch.Tensor, part)
        return found

    for entry in UNARY:
        name, _, kind = entry.partition(":")
        function = attribute(name)
        more = (int(kind),) if kind.isdigit() else ()
        if name == "flip":
            more = ([0],)
        yield name, kind, lambda x, function=function, more=more: function(x, *more)
    for entry in BINARY:
        name, _, kind = entry.partition(":")
        function = attribute(name)
        if kind == "mixed":
            yield name, "square", lambda x, function=function: function(x, x[0])
        elif name == "addmm":
            yield name, kind, lambda x, function=function: function(x, x, x + 1)
        else:
            # An exact 0 or a tie would only test where a gradient jumps.
            yield name, kind, lambda x, function=function: function(x, x.flip(0) + 1)
    for name, function in MORE.items():
        yield name, "", function


def measured(function: Function, kind: str, device: torch.device | str) -> list[object]:
    """The value, and where there are such the gradient and the gradient of the gradient's sum of squares.

    For some torch has no gradient; then its sentence, which must be the same everywhere.
    """
    x = start(kind, device)
    values = tree_leaves(function(x))
    found = list(values)
    smooth = [one.abs().sum() for one in values if isinstance(one, torch.Tensor) and one.requires_grad]
    if smooth:
        try:
            (first,) = torch.autograd.grad(sum(smooth), x, create_graph=True)
            found.append(first)
            if first.requires_grad:
                found += torch.autograd.grad((first**2).sum(), x, allow_unused=True)
        except RuntimeError as error:
            found.append(str(error))
    return found


def compared(expected: list[object], found: list[object]) -> str:
    if expected and isinstance(expected[-1], str) and len(found) >= len(expected) and not isinstance(found[-1], str):
        # The CPU has a fast kernel without this derivative; here torch composes one that has it.
        expected, found = expected[:-1], found[: len(expected) - 1]
    if len(expected) != len(found):
        return f"{len(found)} results, not {len(expected)}"
    return next((why for pair in zip(expected, found, strict=True) if (why := difference(*pair))), "")


def tried(call: Callable[..., list[object]], *args: object) -> tuple[list[object], str]:
    try:
        return call(*args), ""
    except Exception as error:
        return [], f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def test_named_operators_agree_with_the_cpu_to_the_second_gradient(capsys: pytest.CaptureFixture[str]) -> None:
    all_of_them = list(named())
    assert len({name for name, _, _ in all_of_them}) == len(all_of_them) >= 250
    failed, gradients = {}, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, kind, function in all_of_them:
            expected = measured(function, kind, "cpu")
            gradients += len(expected) > 1
            found, why = tried(measured, function, kind, DEVICE)
            if why or (why := compared(expected, found)):
                failed[name] = why
    with capsys.disabled():
        passed = len(all_of_them) - len(failed)
        print(
            f"\nsimgpu: {passed} of {len(all_of_them)} named operators agree with the CPU, {gradients} with gradients"
        )
    assert failed == {}


# --- torch's own operator database

#: Entries that cannot pass, and why. Anything else that fails is a fault.
KNOWN = {
    **dict.fromkeys(
        ["empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"],
        "uninitialised memory has no value to compare",
    ),
    **dict.fromkeys(["sparse.sampled_addmm", "sparse.mm.reduce", "to_sparse"], "sparse tensors are not simulated"),
    "tensor_split": "torch wants the tensor of positions on the CPU, for every device",
}

#: What runs nowhere on a CPU, so is no comparison.
GPU_ONLY = "jiterator_ triton _flash_attention_forward _efficient_attention_forward".split()

SAMPLES = 6


def database() -> Iterator[tuple[str, object, list[object]]]:
    """(name, entry, samples on the CPU) of each entry of torch's database that runs on a CPU."""
    pytest.importorskip("expecttest", reason="torch's operator database needs expecttest")
    from torch.testing._internal.common_methods_invocations import op_db

    for entry in op_db:
        name = f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else entry.name
        if not entry.dtypes or any(part in name for part in GPU_ONLY):
            continue
        preferred = (torch.float64, torch.float32, torch.int64)
        dtype = next((one for one in preferred if one in entry.dtypes), None) or sorted(entry.dtypes, key=str)[0]
        differentiable = entry.supports_autograd and dtype.is_floating_point
        torch.manual_seed(1)
        yield name, entry, list(entry.sample_inputs("cpu", dtype, requires_grad=differentiable))


def fresh(value: object) -> object:
    """Copies of the tensors as leaves, so that a call may write to them."""
    leaves, shape = tree_flatten(value)
    copies = [
        one.detach().clone().requires_grad_(one.requires_grad) if isinstance(one, torch.Tensor) else one
        for one in leaves
    ]
    return tree_unflatten(copies, shape)


def elsewhere(value: object) -> object:
    leaves, shape = tree_flatten(value)
    return tree_unflatten([moved(one) for one in leaves], shape)


def called(entry: object, sample: object, place: Callable[[object], object]) -> list[object]:
    """The results of one call and the gradients of its arguments."""
    torch.manual_seed(7)
    first, args, kwargs = place((sample.input, sample.args, sample.kwargs))
    results = [one for one in tree_leaves(entry(first, *args, **kwargs)) if isinstance(one, torch.Tensor)]
    leaves = [one for one in tree_leaves((first, args, kwargs)) if isinstance(one, torch.Tensor) and one.requires_grad]
    roots = [one for one in results if one.requires_grad]
    if not (leaves and roots and entry.supports_autograd):
        return results
    return results + list(
        torch.autograd.grad(roots, leaves, [torch.ones_like(one) for one in roots], allow_unused=True)
    )


@pytest.mark.long
def test_torchs_operator_database_agrees_with_the_cpu(capsys: pytest.CaptureFixture[str]) -> None:
    failed, passed, calls = {}, 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, entry, samples in database():
            compared_here, why = 0, ""
            for sample in samples[:SAMPLES]:
                expected, here = tried(called, entry, sample, fresh)
                if here:
                    continue  # samples that the CPU refuses
                compared_here += 1
                found, why = tried(called, entry, sample, elsewhere)
                if why or (why := compared(expected, found)):
                    break
            calls += compared_here
            passed += bool(compared_here) and not why
            if why or not compared_here:
                failed[name] = why or "no sample ran on the CPU"
    with capsys.disabled():
        print(f"\nsimgpu: {passed} of {passed + len(failed)} entries agree with the CPU, {calls} calls compared")
        for name, why in failed.items():
            print(f"    {name}: {why[:120]} ({KNOWN.get(name, 'UNEXPECTED')})")
    assert set(failed) <= set(KNOWN)
    assert passed >= 675 and calls > 3000


#: Entries that take tensors of two devices on a GPU as well: torch only looks at the shape of one, copies it, or
#: treats each by itself.
MIXES = set(
    """
    broadcast_tensors expand_as reshape_as view_as resize_as_ atleast_1d atleast_2d atleast_3d index_put
    diagonal_scatter as_strided_scatter select_scatter slice_scatter nn.functional.ctc_loss
    _unsafe_masked_index _unsafe_masked_index_put_accumulate
    """.split()
)

#: Torch's other ways to say it, in functions that check by themselves on every device.
OTHER_WORDS = (
    "same device",  # block_diag, cholesky_solve, index_add, meshgrid, gradient, stft, multi_dot ...
    "indices should be either on cpu or",
    "to have the same device type",  # scaled_dot_product_attention
    "but got tensor with",  # inner, take_along_dim
)


@pytest.mark.long
def test_torchs_operator_database_refuses_two_devices(capsys: pytest.CaptureFixture[str]) -> None:
    refused, entries, other, failed = 0, set(), set(), {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, entry, samples in database():
            for sample in samples[:SAMPLES]:
                leaves, shape = tree_flatten((sample.input, sample.args, sample.kwargs))
                tensors = [one for one in leaves if isinstance(one, torch.Tensor)]
                places = [number for number, one in enumerate(leaves) if isinstance(one, torch.Tensor) and one.dim()]
                # An empty tensor may end the work before the devices matter.
                if len(places) < 2 or any(one.numel() < 2 for one in tensors if one.dim()):
                    continue
                if tried(called, entry, sample, elsewhere)[1]:
                    continue
                for odd in places:
                    for odd_one_out in (fresh, elsewhere):
                        rest = elsewhere if odd_one_out is fresh else fresh
                        mixed = [odd_one_out(one) if place == odd else rest(one) for place, one in enumerate(leaves)]
                        first, args, kwargs = tree_unflatten(mixed, shape)
                        _, why = tried(lambda a=first, b=args, c=kwargs, entry=entry: [entry(a, *b, **c)])
                        if why.startswith(f"RuntimeError: {SENTENCE}"):
                            refused += 1
                            entries.add(name)
                        elif why.startswith("RuntimeError") and any(words in why for words in OTHER_WORDS):
                            refused += 1
                            other.add(name)
                        elif name not in MIXES:
                            failed[name] = why or "accepted"
    with capsys.disabled():
        print(
            f"\nsimgpu: {refused} calls with a tensor on the wrong device refused, of {len(entries | other)} entries,"
        )
        print(f"    {len(entries)} with the sentence, in other words {' '.join(sorted(other))}")
        for name, why in failed.items():
            print(f"    {name}: {why[:200]}")
    assert failed == {}
    assert len(entries) >= 200 and refused > 3000
