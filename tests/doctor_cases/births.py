"""Where a NaN comes from: data, weights, too few elements, a row that is masked as a whole, a Function of one's own."""

from __future__ import annotations

import torch
from torch import nn

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


@program("nan")
def hole_in_the_data():
    layers = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
    rows = torch.ones(3, 2)
    rows[1, 0] = float("nan")  # saved
    layers(rows).pow(2).mean().backward()


@repaired(hole_in_the_data)
def _():
    layer, rows = nn.Linear(2, 1), torch.ones(3, 2)
    rows[1, 0] = float("nan")
    layer(rows[~rows.isnan().any(dim=1)]).sum().backward()
    return layer.weight.grad, torch.full((1, 2), 2.0)


@program("nan")
def hole_in_the_target():
    target = torch.tensor([[1.0], [float("nan")]])  # saved
    nn.functional.mse_loss(nn.Linear(2, 1)(torch.ones(2, 2)), target).backward()


@program("nan")
def weights_loaded_with_a_nan():
    layers = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
    state = layers.state_dict()
    layers.load_state_dict({name: value * float("nan") for name, value in state.items()})  # saved
    layers(torch.ones(1, 2)).sum().backward()


@program("nan")
def learning_rate_too_high():
    weight = leaf(1)
    optimizer = torch.optim.SGD([weight], lr=1e6)
    for _ in range(20):
        optimizer.zero_grad()
        (weight**4 - weight).sum().backward()  # saved
        optimizer.step()


@program("nan")
def mean_of_what_is_left():
    inputs = leaf(1, 2)
    largest = inputs[inputs.detach() > 1].mean().nan_to_num()
    nothing = inputs[inputs.detach() > 9].mean()  # saved
    (inputs * nothing + largest).sum().backward()


@repaired(mean_of_what_is_left)
def _():
    inputs = leaf(1, 2)
    left = inputs[inputs.detach() > 9]
    (inputs * (left.sum() / max(left.numel(), 1)) + 3 * inputs).sum().backward()
    return inputs.grad, torch.full((2,), 3.0)


@program("nan")
def deviation_of_one_element():
    inputs = leaf(4)
    spread = inputs.std()  # saved
    (inputs / (spread.nan_to_num() + 1)).sum().backward()


@repaired(deviation_of_one_element)
def _():
    inputs = leaf(4)
    (inputs / (inputs.std(correction=0) + 1)).sum().backward()
    return inputs.grad, torch.ones(1)


@program("nan")
def sequence_of_padding_only():
    attention = nn.MultiheadAttention(2, 1, batch_first=True)
    words = torch.ones(2, 3, 2)
    padding = torch.tensor([[False, False, True], [True, True, True]])
    mixed, _ = attention(words, words, words, key_padding_mask=padding)  # saved
    mixed[0].sum().backward()


@program("nan")
def found_by_torch_itself():
    with torch.autograd.detect_anomaly(check_nan=True):
        inputs = leaf(0)
        root = inputs.sqrt() * 0  # saved
        root.sum().backward()


class Reciprocal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        ctx.save_for_backward(inputs)
        return torch.where(inputs == 0, 0, 1 / inputs)

    @staticmethod
    def backward(ctx, gradient):
        (inputs,) = ctx.saved_tensors
        return -gradient * inputs.pow(-2) * (inputs != 0)


@program("nan")
def function_that_masks_too_late():
    inverse = Reciprocal.apply(leaf(0, 2))  # saved
    inverse.sum().backward()


@repaired(function_that_masks_too_late)
def _():
    inputs = leaf(0, 2)
    wanted = inputs.detach() != 0
    torch.where(wanted, Reciprocal.apply(torch.where(wanted, inputs, 1)), 0).sum().backward()
    return inputs.grad, torch.tensor([0.0, -0.25])


@program("nan")
def hole_in_a_factor_masked_afterwards():
    inputs, factor = leaf(1, 2), torch.tensor([3.0, float("nan")], dtype=torch.double)
    product = inputs * factor  # saved
    torch.where(factor.isnan(), 0, product).sum().backward()


@repaired(hole_in_a_factor_masked_afterwards)
def _():
    inputs, factor = leaf(1, 2), torch.tensor([3.0, float("nan")], dtype=torch.double)
    (inputs * torch.where(factor.isnan(), 0, factor)).sum().backward()
    return inputs.grad, torch.tensor([3.0, 0.0])


@program("nan")
def target_masked_after_the_loss():
    target = torch.tensor([[1.0], [float("nan")]])
    errors = nn.functional.mse_loss(nn.Linear(2, 1)(torch.ones(2, 2)), target, reduction="none")  # saved
    errors[~target.isnan()].mean().backward()


@program("nan")
def row_of_which_nothing_is_left():
    scores = leaf(1, 2, 3, 4).view(2, 2) * 1
    wanted = torch.tensor([[True, True], [False, False]])
    shares = (scores.masked_fill(~wanted, float("-inf")) * 1).softmax(1)  # saved
    (shares @ scores)[0].sum().backward()


@repaired(row_of_which_nothing_is_left)
def _():
    inputs = leaf(1, 2, 3, 4)
    scores = inputs.view(2, 2) * 1
    shares = scores[:1].softmax(1)
    (shares @ scores)[0].sum().backward()
    first, second = torch.tensor([1.0, 2.0], dtype=torch.double).softmax(0)
    slope = first * second * (3 - 7)
    return inputs.grad, torch.stack([first + slope, first - slope, second, second])
