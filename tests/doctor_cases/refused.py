"""Torch refuses the write itself, or a second backward."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


@program("leaf", rewritten=True)
def step_by_hand():
    weight = torch.tensor([1.0, 2.0], requires_grad=True)  # saved
    (weight * weight).sum().backward()
    weight -= 0.25 * weight.grad  # changed
    return weight.detach()


@repaired(step_by_hand)
def _():
    weight = leaf(1, 2)
    (weight * weight).sum().backward()
    with torch.no_grad():
        weight -= 0.25 * weight.grad
    return weight.detach(), torch.tensor([0.5, 1.0])


@program("leaf", rewritten=True)
def input_rectified_in_place():
    image = torch.tensor([-1.0, 2.0], requires_grad=True)  # saved
    F.relu(image, inplace=True).sum().backward()  # changed
    return image.grad


@repaired(input_rectified_in_place)
def _():
    image = leaf(-1, 2)
    F.relu(image.clone(), inplace=True).sum().backward()
    return image.grad, torch.tensor([0.0, 1.0])


@program("leaf")
def parameter_filled():
    bias = nn.Parameter(torch.zeros(2))  # saved
    bias.fill_(1.0)  # changed


@program("leaf-view", rewritten=True)
def column_of_a_weight():
    torch.manual_seed(1)
    layer = nn.Linear(3, 2)  # saved
    layer.weight[:, 1] -= layer.weight[:, 1]  # changed
    return layer.weight.detach()[:, 1]


@repaired(column_of_a_weight)
def _():
    layer = nn.Linear(3, 2)
    with torch.no_grad():
        layer.weight[:, 1] -= layer.weight[:, 1]
    return layer.weight.detach()[:, 1], torch.zeros(2)


@program("leaf-view")
def table_written_into_a_weight():
    table = nn.Embedding(3, 4).weight  # saved
    table[:, 0::2] = torch.zeros(3, 2)  # changed


@program("leaf-view")
def all_of_a_leaf():
    noise = torch.rand(3, requires_grad=True)  # saved
    noise[:] += 1  # changed


@program("multi-view")
def channels_one_by_one():
    image = leaf(1, 2, 3, 4).reshape(2, 2) * 1
    for channel, scale in zip(image, (0.5, 0.25), strict=True):  # saved
        channel.mul_(scale).add_(1)  # changed
    image.sum().backward()


@program("multi-view")
def one_half_clamped_under_no_grad():
    stacked = leaf(1, 5) * 1
    mean, spread = stacked.chunk(2)  # saved
    with torch.no_grad():
        spread.clamp_(-20, 2)  # changed
    (mean + spread).sum().backward()


@repaired(one_half_clamped_under_no_grad)
def _():
    inputs = leaf(1, 5)
    mean, spread = (inputs * 1).chunk(2)
    (mean + spread.clamp(-20, 2)).sum().backward()
    return inputs.grad, torch.tensor([1.0, 0.0])


@program("multi-view", rewritten=True)
def squeezed_in_place():
    states = leaf(1, 2).reshape(2, 1, 1) * 1
    rows = [state.squeeze_(0) for state in states]  # saved changed
    return torch.stack(rows).detach().flatten()


@repaired(squeezed_in_place)
def _():
    states = leaf(1, 2).reshape(2, 1, 1) * 1
    return torch.stack([state.squeeze(0) for state in states]).detach().flatten(), torch.tensor([1.0, 2.0])


@program("multi-view")
def part_zeroed():
    parts = (leaf() * 2).split(1)  # saved
    parts[0].zero_()  # changed


@program("inference", rewritten=True)
def average_outside_the_block():
    with torch.inference_mode():
        loss = torch.tensor([1.0, 3.0]).sum()
    loss /= 2  # changed
    return loss


@repaired(average_outside_the_block)
def _():
    with torch.inference_mode():
        loss = torch.tensor([1.0, 3.0]).sum()
    return loss / 2, torch.tensor(2.0)


@program("inference")
def features_of_inference_mode_trained_on():
    with torch.inference_mode():
        features = torch.ones(2)
    (leaf(1, 2).float() * features).sum().backward()  # changed


@program("freed")
def state_never_cut():
    weight, state = leaf(0.5), torch.ones(1, dtype=torch.double)
    for _ in range(2):
        state = torch.tanh(weight * state)  # saved
        state.backward()  # changed


@program("freed")
def two_losses_on_one_trunk():
    trunk = leaf().exp()  # saved
    first, second = trunk.sum(), (trunk * trunk).sum()
    first.backward()  # changed
    second.backward()


@program("freed")
def backward_twice():
    loss = leaf().exp().sum()  # saved
    loss.backward()  # changed
    loss.backward()
