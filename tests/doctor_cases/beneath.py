"""Writes that no line spells out: backward's own, a module's into its weight, one inside a transform or a checkpoint.

And lines whose change only reaches the rest of the program when it is written anew in the right way.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from tests.doctor_cases import program, repaired


def leaf(*values: float) -> torch.Tensor:
    return torch.tensor(values or (1.0, 2.0, 3.0), dtype=torch.double, requires_grad=True)


def _influence(copy: bool):
    weight, probe = leaf(1, -2), leaf(3, 5)
    (weight**2).sum().backward()
    gradient = weight.grad.clone() if copy else weight.grad
    influence = (probe * gradient).sum()  # saved
    (weight**3).sum().backward()  # changed
    influence.backward()
    return probe.grad, 2 * weight.detach()


@program("saved", also=(_influence,))
def second_backward_adds_to_a_gradient_in_use():
    return _influence(False)[0]


@repaired(second_backward_adds_to_a_gradient_in_use)
def _():
    return _influence(True)


@program("saved")
def zero_grad_empties_a_gradient_in_use():
    weight, probe = leaf(1, -2), leaf(3, 5)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    (weight**2).sum().backward()
    influence = (probe * weight.grad).sum()  # saved
    optimizer.zero_grad(set_to_none=False)  # changed
    influence.backward()
    return probe.grad


@repaired(zero_grad_empties_a_gradient_in_use)
def _():
    weight, probe = leaf(1, -2), leaf(3, 5)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    (weight**2).sum().backward()
    influence = (probe * weight.grad).sum()
    optimizer.zero_grad()  # to None: the old gradient stays as it is
    influence.backward()
    return probe.grad, 2 * weight.detach()


@program("saved")
def write_inside_a_function_that_grad_transforms():
    def objective(x):
        y = torch.sigmoid(x)  # saved
        y.mul_(2)  # changed
        return y.sum()

    return torch.func.grad(objective)(leaf().detach())


@repaired(write_inside_a_function_that_grad_transforms)
def _():
    x = leaf().detach()
    value = 1 / (1 + (-x).exp())
    return torch.func.grad(lambda x: (torch.sigmoid(x) * 2).sum())(x), 2 * value * (1 - value)


def _checkpointed(fresh: bool):
    weight, batch = leaf(1, -2), torch.tensor([3.0, 5.0], dtype=torch.double)
    given = batch.clone() if fresh else batch
    out = checkpoint(lambda batch: (weight * batch).exp(), given, use_reentrant=False)  # saved
    batch.zero_()  # changed
    out.sum().backward()
    return weight.grad, (weight.detach() * torch.tensor([3.0, 5.0])).exp() * torch.tensor([3.0, 5.0])


@program("saved", also=(_checkpointed,))
def input_of_a_checkpoint_is_emptied():
    return _checkpointed(False)[0]


@repaired(input_of_a_checkpoint_is_emptied)
def _():
    return _checkpointed(True)


def _squashed(inplace: bool):
    weight = leaf(1, -2)

    def body(weight):
        gate = torch.sigmoid(weight)  # saved
        gate = gate.mul_(2) if inplace else gate * 2  # changed
        return gate.exp()

    checkpoint(body, weight, use_reentrant=False).sum().backward()
    value = 1 / (1 + (-weight.detach()).exp())
    return weight.grad, (2 * value).exp() * 2 * value * (1 - value)


@program("bypass", also=(_squashed,))
def write_inside_a_checkpoint():
    return _squashed(True)[0]


@repaired(write_inside_a_checkpoint)
def _():
    return _squashed(False)


@program("none")
def checkpoint_writes_what_nothing_needs():
    weight = leaf(1, -2)
    norm = nn.BatchNorm1d(2, dtype=torch.double)

    def body(weight):
        hidden = norm(torch.stack([weight, 2 * weight, weight + 1])) * 1
        return hidden.add_(1).relu_().exp()

    checkpoint(body, weight, use_reentrant=False).sum().backward()


def _embedded(first: bool):
    table = nn.Embedding(3, 2, max_norm=1.0, dtype=torch.double)
    with torch.no_grad():
        table.weight.copy_(torch.tensor([[3.0, 4.0], [0.5, 0.0], [0.0, 2.0]]))
    project = torch.eye(2, dtype=torch.double, requires_grad=True)
    rows = table(torch.tensor([0, 2])) if first else None
    scores = project @ table.weight.t()  # saved
    rows = rows if first else table(torch.tensor([0, 2]))  # changed
    (scores.sum() + rows.sum()).backward()
    scaled = torch.tensor([[0.6, 0.8], [0.5, 0.0], [0.0, 1.0]], dtype=torch.double)
    return project.grad, scaled.sum(0).expand(2, 2)


@program("saved", also=(_embedded,))
def embedding_scales_rows_of_its_weight():
    return _embedded(False)[0]


@repaired(embedding_scales_rows_of_its_weight)
def _():
    got, right = _embedded(True)
    return got.round(decimals=5), right  # max_norm divides by the norm plus a small number


@program("leaf-view")
def view_made_without_recording():
    weight = torch.tensor([1.0, -2.0, 4.0], requires_grad=True)  # saved
    with torch.no_grad():
        head = weight[:2]
    head.mul_(2)  # changed


@repaired(view_made_without_recording)
def _():
    weight = leaf(1, -2, 4)
    with torch.no_grad():
        weight[:2].mul_(2)
    (weight**2).sum().backward()
    return weight.grad, torch.tensor([4.0, -8.0, 8.0])


@program("saved", rewritten=True)
def each_step_from_the_step_before():
    decay = leaf(0.5)
    path = torch.zeros(4, dtype=torch.double)
    path[0] = 1.0
    for step in range(1, 4):
        path[step] = (decay * path[step - 1]).sum()  # saved changed
    path.sum().backward()
    return decay.grad


@repaired(each_step_from_the_step_before)
def _():
    decay = leaf(0.5)
    path = [torch.ones((), dtype=torch.double)]
    for _ in range(3):
        path.append((decay * path[-1]).sum())
    torch.stack(path).sum().backward()
    return decay.grad, torch.tensor([1 + 2 * 0.5 + 3 * 0.25])


@program("saved", rewritten=True)
def diagonal_set_to_zero():
    points = leaf(1, 2, 4)
    kernel = (-(points[:, None] - points).square()).exp()  # saved
    kernel.diagonal().zero_()  # changed
    kernel.sum().backward()
    return points.grad


@repaired(diagonal_set_to_zero)
def _():
    points = leaf(1, 2, 4)
    kernel = (-(points[:, None] - points).square()).exp()
    (kernel * (1 - torch.eye(3))).sum().backward()
    apart = points.detach()[:, None] - points.detach()
    return points.grad, (-4 * apart * (-apart.square()).exp()).sum(1)


@program("saved", rewritten=True)
def one_row_scaled_by_a_weight():
    inputs, scale = leaf(1, 2), leaf(3)
    hidden = inputs.exp()  # saved
    hidden[0] *= scale[0]  # changed
    hidden.sum().backward()
    return torch.cat([inputs.grad, scale.grad])


@repaired(one_row_scaled_by_a_weight)
def _():
    inputs, scale = leaf(1, 2), leaf(3)
    (inputs.exp() * torch.cat([scale, torch.ones(1)])).sum().backward()
    e, e2 = leaf(1, 2).detach().exp()
    return torch.cat([inputs.grad, scale.grad]), torch.stack([3 * e, e2, e])


@program("leaf", rewritten=True)
def losses_added_up_in_a_leaf():
    weight = leaf(1, -2)
    total = torch.zeros((), dtype=torch.double, requires_grad=True)  # saved
    total += weight.square().sum()  # changed
    total.backward()
    return weight.grad


@repaired(losses_added_up_in_a_leaf)
def _():
    weight = leaf(1, -2)
    weight.square().sum().backward()
    return weight.grad, torch.tensor([2.0, -4.0])


@program("none")
def lazy_modules_take_their_shapes():
    net = nn.Sequential(nn.LazyLinear(3), nn.LazyBatchNorm1d(), nn.ReLU(inplace=True), nn.LazyLinear(1))
    net(torch.randn(4, 2)).sum().backward()


class Logged(torch.Tensor):
    """A tensor that notes what is done with it, and refuses to be looked into."""

    seen: list[str]

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func.__name__ in ("untyped_storage", "__get__", "storage_offset"):
            raise NotImplementedError(func.__name__)
        Logged.seen.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


@program("none")
def tensor_class_that_notes_every_call():
    Logged.seen = []
    weight = leaf()
    scaled = torch.ones(3, dtype=torch.double).as_subclass(Logged) * weight
    scaled.add_(1)
    scaled.sum().backward()
    if Logged.seen[:3] != ["mul", "add_", "sum"] or len(Logged.seen) > 4:
        raise AssertionError(Logged.seen)
