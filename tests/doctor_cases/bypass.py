"""A saved tensor is changed around its version counter: no error, and a wrong gradient."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


@program("bypass")
def zeroed_through_data():
    inputs = leaf()
    gate = inputs.sigmoid()  # saved
    gate.data.zero_()  # changed
    gate.sum().backward()


@repaired(zeroed_through_data)
def _():
    inputs = leaf()
    gate = inputs.sigmoid()
    gate.detach().clone().zero_()
    gate.sum().backward()
    value = 1 / (1 + (-inputs.detach()).exp())
    return inputs.grad, value * (1 - value)


@program("bypass")
def data_assigned():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()  # saved
    weight.data = torch.tensor([9.0, 9.0], dtype=torch.double)  # changed
    product.backward()


@repaired(data_assigned)
def _():
    layer, inputs = nn.Linear(2, 1, bias=False).double(), leaf(3, 4)
    before = layer.weight.detach().clone()
    result = layer(inputs).sum()
    # Backward kept a view of the old memory, which nobody writes: this assignment is harmless.
    layer.weight.data = torch.full((1, 2), 9.0, dtype=torch.double)
    result.backward()
    return inputs.grad, before[0]


def _judged(kind: type[torch.optim.Optimizer]) -> None:
    torch.manual_seed(1)
    maker, judge = nn.Linear(1, 2), nn.Linear(2, 1)
    optimizer = kind(judge.parameters(), lr=0.5, fused=True)
    made = maker(torch.ones(1, 1))
    fooled = -judge(made).mean()  # saved
    judge(made.detach()).mean().backward()
    optimizer.step()  # changed
    fooled.backward()


@program("bypass", also=(_judged,))
def fused_adam():
    _judged(torch.optim.Adam)


@program("bypass", also=(_judged,))
def fused_sgd():
    _judged(torch.optim.SGD)


@program("bypass")
def saved_on_the_cpu():
    inputs = leaf(1, 2)
    middle = inputs * 1
    with torch.autograd.graph.save_on_cpu():
        wave = middle.sin()  # saved
    middle.add_(1)  # changed
    wave.sum().backward()


@program("bypass")
def hook_that_keeps_the_tensor():
    inputs = leaf()
    middle = inputs * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        squared = middle**2  # saved
    middle.mul_(3)  # changed
    squared.sum().backward()


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        slope = (logits.softmax(-1) - F.one_hot(target, logits.shape[1])) / len(target)
        memory = logits.data
        memory.copy_(slope)  # changed
        ctx.save_for_backward(memory)
        return slope.sum()

    @staticmethod
    def backward(ctx, gradient):
        return ctx.saved_tensors[0] * gradient, None


@program("bypass", also=(Loss,))
def kernel_reuses_the_memory_of_its_input():
    inputs = torch.rand(2, 3, dtype=torch.double, requires_grad=True)
    shares = inputs.softmax(-1)  # saved
    Loss.apply(shares, torch.tensor([0, 2])).backward()


@program("bypass")
def written_by_numpy():
    inputs = leaf()
    grown = inputs.exp()  # saved
    numbers = grown.detach().numpy()
    numbers[0] = 100  # changed
    grown.sum().backward()


@program("bypass")
def buffer_of_numpy_reused():
    buffer = np.ones(3)
    factor, inputs = torch.from_numpy(buffer), leaf()
    product = inputs * factor  # saved
    buffer[:] = 5  # changed
    product.sum().backward()


@program("bypass")
def shared_by_dlpack():
    inputs, factor = leaf(), torch.ones(3, dtype=torch.double)
    alias = torch.from_dlpack(factor)
    product = inputs * factor  # saved
    alias.zero_()  # changed
    product.sum().backward()


@program("bypass")
def storage_filled():
    inputs = leaf()
    grown = inputs.exp()  # saved
    grown.untyped_storage().fill_(0)  # changed
    grown.sum().backward()


@program("bypass")
def added_to_data():
    inputs = leaf()
    bent = inputs.tanh()  # saved
    bent.data += 1  # changed
    bent.sum().backward()


@program("bypass")
def statistics_change_between():
    torch.manual_seed(1)
    norm, inputs = nn.BatchNorm1d(2), torch.randn(4, 2, requires_grad=True)
    norm.eval()
    result = norm(inputs).pow(2).sum()  # saved
    norm.train()
    norm(torch.randn(4, 2) + 5)  # changed
    result.backward()


@program("bypass")
def part_of_data_set():
    inputs = leaf()
    grown = inputs.exp()  # saved
    grown.data[0] = 9.0  # changed
    grown.sum().backward()


@program("bypass")
def numpy_writes_its_result_into_it():
    factor, inputs = torch.ones(3, dtype=torch.double), leaf()
    product = inputs * factor  # saved
    numbers = factor.numpy()
    np.multiply(numbers, 2, out=numbers)  # changed
    product.sum().backward()
