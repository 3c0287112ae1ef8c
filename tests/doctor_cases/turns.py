"""What is computed once and used in each turn, and what was made in inference mode and is used outside."""

from __future__ import annotations

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


@program("freed")
def penalty_computed_before_the_loop():
    weights = leaf(1, 2)
    penalty = weights.pow(2).sum()  # saved
    for inputs in torch.ones(2, 2, dtype=torch.double):
        ((weights * inputs).sum() + penalty).backward()  # changed


@repaired(penalty_computed_before_the_loop)
def _():
    weights = leaf(1, 2)
    for inputs in torch.ones(2, 2, dtype=torch.double):
        penalty = weights.pow(2).sum()
        ((weights * inputs).sum() + penalty).backward()
    return weights.grad, torch.tensor([6.0, 10.0])


@program("inference")
def features_from_inference_mode():
    body, head = nn.Linear(2, 2), nn.Linear(2, 1)
    with torch.inference_mode():
        features = body(torch.ones(1, 2))  # saved
    head(features).sum().backward()  # changed


@repaired(features_from_inference_mode)
def _():
    body, head = nn.Linear(2, 2), nn.Linear(2, 1)
    with torch.inference_mode():
        features = body(torch.ones(1, 2))
    head(features.clone()).sum().backward()
    return head.weight.grad, body.weight.detach() @ torch.ones(2) + body.bias.detach()[None]


@torch.inference_mode()
def _table(length: int) -> torch.Tensor:
    return torch.arange(length).float().sqrt()  # saved


@program("inference", also=(_table,))
def table_from_a_decorated_function():
    scale = torch.ones(3, requires_grad=True)
    (scale * _table(3)).sum().backward()  # changed


@program("inference")
def first_step_in_inference_mode():
    weights = leaf(1, 2)
    optimizer = torch.optim.Adam([weights])
    weights.pow(2).sum().backward()
    with torch.inference_mode():
        optimizer.step()  # saved
    optimizer.step()  # changed


class Silent(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise ValueError("nothing to say")


@program("other")
def exception_without_words():
    leaf(1).exp().sum().backward()
    raise Silent


@program("other")
def words_of_torch_in_an_error_of_the_program():
    leaf(1).exp().sum().backward()
    raise RuntimeError("the cache has been modified by an inplace operation")


@program("other")
def integers_asked_for_gradients():
    torch.arange(3).requires_grad_()


@program("none")
def tensors_without_numbers():
    with FakeTensorMode():
        leaf(1, 2).exp().sum().backward()
