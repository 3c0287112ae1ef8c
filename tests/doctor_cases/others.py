"""NaN gradients, related faults, and programs with nothing wrong."""

from __future__ import annotations

import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd.graph import allow_mutation_on_saved_tensors, saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


@program("nan")
def overflow_in_the_branch_not_taken():
    inputs = torch.tensor(100.0, requires_grad=True)
    torch.where(inputs <= 0, inputs.exp(), 1 + inputs).backward()  # saved


@repaired(overflow_in_the_branch_not_taken)
def _():
    inputs = torch.tensor(100.0, requires_grad=True)
    harmless = torch.where(inputs <= 0, inputs, torch.zeros(()))
    torch.where(inputs <= 0, harmless.exp(), 1 + inputs).backward()
    return inputs.grad, torch.tensor(1.0)


@program("nan")
def logarithm_masked_afterwards():
    inputs = leaf(0, 1, 2)
    known = inputs.log().masked_fill(inputs == 0, 0.0)  # saved
    known.sum().backward()


@program("nan")
def angle_of_equal_vectors():
    turn = torch.tensor(0.0, requires_grad=True)
    turn.cos().acos().backward()  # saved


@program("nan")
def distances_to_oneself():
    points = leaf(1, 2, 3)
    ((points[:, None] - points[None]) ** 2).sqrt().sum().backward()  # saved


@program("nan")
def sine_from_a_cosine_of_one():
    vectors = leaf(1, 0, 1, 1).reshape(2, 2)
    cosine = F.normalize(vectors) @ torch.tensor([[1.0], [0.0]], dtype=torch.double)
    (1 - cosine**2).clamp(0, 1).sqrt().sum().backward()  # saved


@program("nan")
def zero_over_zero():
    inputs = leaf(0, 1)
    torch.where(inputs > 0, inputs / inputs, torch.zeros(2, dtype=torch.double)).sum().backward()  # saved


@program("nan")
def infinity_times_zero_in_the_forward():
    inputs = leaf(0, 1)
    masked = inputs.log() * torch.tensor([0.0, 1.0])  # saved
    masked.sum().backward()


@program("other")
def zero_vector_normalised():
    F.normalize(torch.zeros(3, requires_grad=True), dim=0).sum().backward()


@program("other", rewritten=True)
def result_asked_into_out():
    inputs, result = leaf(1, 2), torch.empty(2, dtype=torch.double)
    torch.mul(inputs, 2, out=result)  # changed
    return result.detach()


@repaired(result_asked_into_out)
def _():
    return torch.mul(leaf(1, 2), 2).detach(), torch.tensor([2.0, 4.0])


@program("other")
def hooked_module_in_place():
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(inplace=True))
    net[1].register_full_backward_hook(lambda module, inward, outward: None)
    net(torch.rand(4, 3)).sum().backward()  # changed


@program("other")
def view_detached_in_place():
    part = (leaf() * 1)[:2]
    part.detach_()  # changed


@program("other", rewritten=True)
def expanded_and_written():
    rows = (leaf(1) * 1).expand(3)
    rows += 1  # changed
    return rows.detach()


@repaired(expanded_and_written)
def _():
    return ((leaf(1) * 1).expand(3) + 1).detach(), torch.full((3,), 2.0)


@program("other", rewritten=True)
def minus_its_own_first_column():
    table = leaf(1, 2, 3, 5).reshape(2, 2) * 1
    table -= table[:, :1]  # changed
    return table.detach()


@repaired(minus_its_own_first_column)
def _():
    table = leaf(1, 2, 3, 5).reshape(2, 2) * 1
    return (table - table[:, :1]).detach(), torch.tensor([[0.0, 1.0], [0.0, 2.0]])


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        inputs.mul_(3)  # changed
        ctx.mark_dirty(inputs)
        return inputs.clone()

    @staticmethod
    def backward(ctx, gradient):
        return 3 * gradient


@program("other", also=(Triple,))
def dirty_and_not_returned():
    Triple.apply(leaf() * 1).sum().backward()


class TripleAndSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        inputs.mul_(3)  # changed
        ctx.mark_dirty(inputs)
        return inputs, inputs.sum()

    @staticmethod
    def backward(ctx, gradient, of_sum):
        return 3 * (gradient + of_sum)


@program("other", also=(TripleAndSum,))
def dirty_view_and_two_results():
    TripleAndSum.apply((leaf() * 1)[:1])


def _louder(gradient: torch.Tensor) -> None:
    gradient.mul_(100)  # changed


@program("other", also=(_louder,))
def hook_changes_its_gradient():
    one, other = leaf() * 1, leaf() * 1
    one.register_hook(_louder)
    ((one + other) * leaf()).sum().backward()


@program("other")
def gradient_kept_of_the_later_value():
    middle = leaf() * 1
    middle.retain_grad()
    middle.mul_(5)  # changed
    middle.sum().backward()


@program("other")
def checkpoint_reads_newer_weights():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    wave = checkpoint(lambda one: (one * weight).sin(), inputs, use_reentrant=False)  # saved
    with torch.no_grad():
        weight.add_(1)  # changed
    wave.sum().backward()


@program("other")
def noise_copied_before_it_is_drawn():
    inputs = leaf(-1, -2)
    with saved_tensors_hooks(lambda tensor: tensor.clone(), lambda tensor: tensor):
        bent = F.rrelu(inputs, 0.1, 0.9, training=True)  # saved
    bent.sum().backward()


@program("other")
def compiled_function_leaves_its_argument():
    def double(numbers: torch.Tensor) -> torch.Tensor:
        same = F.dropout(numbers, 0.5, training=False)
        same += same  # changed
        return same

    torch._dynamo.reset()
    plain, compiled = torch.ones(2), torch.ones(2)
    double(plain)
    torch.compile(double, backend="aot_eager")(compiled)


@program("other")
def mutation_allowed_for_too_short():
    middle = leaf(1, 2) * 1
    with allow_mutation_on_saved_tensors():
        wave = middle.sin()  # saved
        middle.add_(1)  # changed
    wave.sum().backward()


@program("other")
def transformed_function_writes_outside():
    total = torch.zeros(2)
    torch.func.grad(lambda one: total.add_(one).pow(2).sum())(torch.ones(2))  # changed


@program("other", rewritten=True)
def leaky_with_negative_slope():
    inputs = leaf(-1, 2)
    F.leaky_relu(inputs * 1, -0.2, inplace=True).sum().backward()  # saved
    return inputs.grad


@repaired(leaky_with_negative_slope)
def _():
    inputs = leaf(-1, 2)
    F.leaky_relu(inputs * 1, -0.2).sum().backward()
    return inputs.grad, torch.tensor([-0.2, 1.0])


@program("other")
def nothing_to_do_with_gradients():
    raise ValueError("The file is empty.")


@program("none")
def a_sum_may_be_written():
    inputs = leaf(1, 2)
    doubled = inputs * 2
    doubled.add_(1)  # changed
    doubled.sum().backward()


@program("none")
def refused_and_caught():
    weight = leaf(1, 2)
    with contextlib.suppress(RuntimeError):
        weight.add_(1)  # changed


class TripleInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        inputs.mul_(3)  # changed
        ctx.mark_dirty(inputs)
        return inputs

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 3


def _tripled(weight: torch.Tensor) -> torch.Tensor:
    product = torch.ones(2, 2) @ weight
    TripleInPlace.apply(product)
    return product.sum()


@program("none", also=(TripleInPlace,))
def compiled_function_with_a_custom_one():
    torch._dynamo.reset()
    torch.compile(_tripled, backend="aot_eager", fullgraph=True)(torch.eye(2, requires_grad=True)).backward()


@program("none")
def ordinary_training():
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(8, 2))
    optimizer = torch.optim.AdamW(net.parameters(), fused=True)
    for _ in range(3):
        optimizer.zero_grad()
        F.cross_entropy(net(torch.randn(2, 1, 4, 4)), torch.tensor([0, 1])).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        for parameter in net.parameters():
            parameter.data.clamp_(-1, 1)


@program("none")
def checkpoints_and_then_a_step():
    layer, inputs = nn.Linear(3, 3), torch.ones(1, 3, requires_grad=True)
    for reentrant in (True, False):
        checkpoint(lambda one: torch.tanh(layer(one)), inputs, use_reentrant=reentrant).sum().backward()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()


@program("none")
def transforms():
    def grown(weight: torch.Tensor) -> torch.Tensor:
        return (weight.exp() ** 2).sum()

    torch.func.jacrev(grown)(torch.ones(3))
    torch.vmap(torch.func.grad(grown))(torch.ones(2, 3))


@program("none")
def gradient_read_by_numpy():
    inputs = leaf()
    (inputs * 2).sum().backward()
    inputs.grad.numpy()[0] = 3


@program("none")
def two_networks_in_turn():
    maker, judge = nn.Linear(1, 2), nn.Linear(2, 1)
    optimizers = [torch.optim.Adam(net.parameters()) for net in (maker, judge)]
    for _ in range(2):
        optimizers[1].zero_grad()
        judge(maker(torch.ones(1, 1)).detach()).mean().backward()
        optimizers[1].step()
        optimizers[0].zero_grad()
        (-judge(maker(torch.ones(1, 1))).mean()).backward()
        optimizers[0].step()


@program("none")
def attention_with_a_mask_of_infinities():
    layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    mask = torch.triu(torch.full((3, 3), float("-inf")), 1)
    layer(torch.randn(1, 3, 4), src_mask=mask).sum().backward()


@program("none")
def data_assigned_after_backward():
    weight = leaf()
    for _ in range(2):
        weight.grad = None
        (weight * weight).sum().backward()
        weight.data = weight.data - 0.1 * weight.grad
