"""Training scripts as people report them: what a loop carries along, several losses, weights that are written by hand.

Each is small, and has the shape of a report: GAN, actor and critic, PPO, an LSTM, LoRA, MAML, a loss with a Function of
its own, normalisation in several processes, masks over what has no logarithm or root.
"""

from __future__ import annotations

import copy
import math

import torch
from torch import nn

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


class Cell:
    """A recurrent cell with a state of two tensors, h = w c and c = w c + x."""

    def __init__(self) -> None:
        self.weight = leaf(2)

    def __call__(self, x: torch.Tensor, state: tuple) -> tuple:
        _, c = state
        c = self.weight * c + x  # saved
        return self.weight * c, (self.weight * c, c)


@program("freed", also=(Cell,))
def pair_of_states_carried_over():
    cell, state = Cell(), (leaf(0).detach(), leaf(0).detach())
    for x in torch.ones(2, 1, dtype=torch.double):
        out, state = cell(x, state)
        out.sum().backward()  # changed
    return cell.weight.grad


@repaired(pair_of_states_carried_over)
def _():
    cell, state = Cell(), (leaf(0).detach(), leaf(0).detach())
    for x in torch.ones(2, 1, dtype=torch.double):
        state = tuple(one.detach() for one in state)
        out, state = cell(x, state)
        out.sum().backward()
    return cell.weight.grad, torch.tensor([1.0 + 5.0])


@program("freed", also=(Cell,))
def dict_of_states_carried_over():
    cell, state = Cell(), {"h": leaf(0).detach(), "c": leaf(0).detach()}
    for x in torch.ones(2, 1, dtype=torch.double):
        out, (h, c) = cell(x, tuple(state.values()))
        state = {"h": h, "c": c}
        out.sum().backward()  # changed
    return cell.weight.grad


@program("freed")
def losses_of_several_heads():
    weights = leaf(1, 2)
    features = weights.exp()  # saved
    losses = {"first": features.sum(), "second": 3 * features.sum()}
    for loss in losses.values():
        loss.backward()  # changed


@repaired(losses_of_several_heads)
def _():
    weights = leaf(1, 2)
    features = weights.exp()
    losses = {"first": features.sum(), "second": 3 * features.sum()}
    sum(losses.values()).backward()
    return weights.grad, 4 * torch.tensor([1.0, 2.0]).exp()


@program("saved")
def several_losses_with_a_step_after_each():
    weights = leaf(1, 2)
    step = torch.optim.SGD([weights], lr=1.0)
    losses = [weights.pow(2).sum(), weights.pow(3).sum()]  # saved
    for loss in losses:
        loss.backward()
        step.step()  # changed


@program("saved")
def old_log_probabilities_with_their_graph():
    weights, seen = leaf(1, 2), []
    step = torch.optim.SGD([weights], lr=0.5)
    for x in torch.tensor([[1.0, 2.0], [2.0, 1.0]], dtype=torch.double):
        policy = (weights.pow(2) * x).sum()  # saved
        seen.append(policy)
    old = torch.stack(seen)
    for _ in range(2):
        new = (weights.pow(2) * torch.ones(2, 2)).sum(dim=1)
        step.zero_grad()
        (new - old).exp().sum().backward(retain_graph=True)
        step.step()  # changed


@repaired(old_log_probabilities_with_their_graph)
def _():
    weights = leaf(1, 2)
    step = torch.optim.SGD([weights], lr=0.5)
    old = torch.stack([(weights.pow(2) * x).sum() for x in torch.tensor([[1.0, 2.0], [2.0, 1.0]])])
    old = old.detach()
    (torch.stack([weights.pow(2).sum()] * 2) - old).exp().sum().backward()
    step.step()
    slope = 2 * (math.exp(5 - 9) + math.exp(5 - 6))
    return weights.detach(), torch.tensor([1.0, 2.0]).double() * (1 - 0.5 * slope)


@program("saved")
def actor_and_critic_share_a_body():
    body, heads, seen = leaf(1, 2), leaf(3, 4), []
    step = torch.optim.SGD([body, heads], lr=0.1)
    for x in torch.ones(2, 1, dtype=torch.double):
        hidden = (body * x).exp() * heads  # saved
        seen.append(hidden)
    together = torch.stack(seen)
    actor, critic = together[:, 0].sum(), together[:, 1].pow(2).sum()
    step.zero_grad()
    actor.backward(retain_graph=True)
    step.step()  # changed
    critic.backward()
    step.step()


@repaired(actor_and_critic_share_a_body)
def _():
    body, heads = leaf(1, 2), leaf(3, 4)
    together = torch.stack([body.exp() * heads for _ in range(2)])
    actor, critic = together[:, 0].sum(), together[:, 1].pow(2).sum()
    actor.backward(retain_graph=True)
    critic.backward()
    return body.grad, torch.tensor([2 * 3 * math.e, 2 * 2 * 16 * math.exp(4)])


@program("bypass")
def judge_clipped_before_the_maker_learns():
    fake, judge = leaf(3), leaf(2)
    said = judge * fake  # saved
    said.sum().backward(retain_graph=True)
    for weight in [judge]:
        weight.data.clamp_(-1, 1)  # changed
    fake.grad = None
    error = -said.sum()
    error.backward()
    return fake.grad


@repaired(judge_clipped_before_the_maker_learns)
def _():
    fake, judge = leaf(3), leaf(2)
    said = judge * fake
    said.sum().backward(retain_graph=True)
    fake.grad = None
    error = -said.sum()
    error.backward()
    for weight in [judge]:
        weight.data.clamp_(-1, 1)
    return fake.grad, torch.tensor([-2.0])


@program("freed")
def list_of_states_carried_over_batches():
    weights, states = leaf(2, 3), [leaf(0).detach(), leaf(0).detach()]
    for batch in torch.ones(2, 2, 1, dtype=torch.double):
        for x in batch:
            new = []
            for weight, state in zip(weights, states, strict=True):
                x = weight * state + x  # saved
                new.append(x)
            states = new
        states[-1].sum().backward()  # changed
    return weights.grad


@repaired(list_of_states_carried_over_batches)
def _():
    weights, by_hand, states = leaf(2, 3), leaf(2, 3), [leaf(0).detach(), leaf(0).detach()]
    for batch in torch.ones(2, 2, 1, dtype=torch.double):
        states = [one.detach() for one in states]
        first, second = states
        for x in batch:
            states = [weights[0] * states[0] + x, weights[1] * states[1] + weights[0] * states[0] + x]
        states[-1].sum().backward()
        one = by_hand[0] * first + batch[0]
        (by_hand[1] * (by_hand[1] * second + one) + by_hand[0] * one + batch[1]).sum().backward()
    return weights.grad, by_hand.grad


class Kept:
    """A model that keeps its state."""

    def __init__(self) -> None:
        self.weight, self.state = leaf(2), leaf(0).detach()

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        out, self.state = self.weight * self.state, self.weight * self.state + x  # saved
        return out + self.state


@program("freed", also=(Kept,))
def state_kept_by_the_model():
    model = Kept()
    for x in torch.ones(2, 1, dtype=torch.double):
        model(x).sum().backward()  # changed


@repaired(state_kept_by_the_model)
def _():
    model = Kept()
    for x in torch.ones(2, 1, dtype=torch.double):
        model(x).sum().backward()
        model.state = model.state.detach()
    return model.weight.grad, torch.tensor([2.0])


def pulled(error: torch.Tensor, model: nn.Module, shared: nn.Module) -> None:
    model.load_state_dict(shared.state_dict())  # changed
    error.backward()


@program("saved", also=(pulled,))
def worker_pulls_before_its_backward():
    model, shared = (nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1)) for _ in range(2))
    for x in torch.ones(2, 1, 1):
        error = model(x).pow(2).sum()  # saved
        pulled(error, model, shared)


class Adapted(nn.Module):
    """A frozen layer with an addition of low rank, which can be merged into it."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(2, 1, bias=False)
        self.base.weight = nn.Parameter(torch.tensor([[1.0, 2.0]]), requires_grad=False)
        self.low = nn.Parameter(torch.tensor([[1.0]]))

    def merge(self) -> None:
        self.base.weight.data += self.low.data * torch.ones(1, 2)  # changed

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + x.sum() * self.low  # saved


@program("bypass", also=(Adapted,))
def merged_before_backward():
    first, second = leaf(1, 1).float(), Adapted()
    error = second(first[None]).sum()
    second.merge()
    error.backward()


@repaired(merged_before_backward)
def _():
    first, second = leaf(1, 1), Adapted().double()
    error = second(first[None]).sum()
    error.backward()
    second.merge()
    return first.grad, torch.tensor([1.0 + 1.0, 2.0 + 1.0])


class Learner:
    """One step of an inner loop, written through .data."""

    def __init__(self) -> None:
        self.weight = leaf(3)

    def adapt(self) -> torch.Tensor:
        error = self.weight.pow(2).sum()  # saved
        (slope,) = torch.autograd.grad(error, self.weight, create_graph=True)
        self.weight.data -= 0.25 * slope.data  # changed
        return error


@program("bypass", also=(Learner,))
def inner_step_through_data():
    learner = Learner()
    support = learner.adapt()
    (support + learner.weight.sum()).backward()


@repaired(inner_step_through_data)
def _():
    weight = leaf(3)
    support = weight.pow(2).sum()
    (slope,) = torch.autograd.grad(support, weight, create_graph=True)
    (support + (weight - 0.25 * slope).sum()).backward()
    return weight.grad, torch.tensor([6.0 + 0.5])


class Scored(torch.autograd.Function):
    """A loss that computes its gradient in forward, and scales it in backward where it lies."""

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(2 * x)  # saved
        return x.pow(2).sum()

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> torch.Tensor:
        (slope,) = ctx.saved_tensors
        slope *= grad  # changed
        return slope


@program("saved", also=(Scored,))
def loss_that_scales_what_it_has_kept():
    x = leaf(1, 2)
    error = 3 * Scored.apply(x)
    error.backward(retain_graph=True)
    error.backward()


class Synced(nn.Module):
    """A normalisation whose buffers are set to those of another process before each forward."""

    def __init__(self) -> None:
        super().__init__()
        self.module, self.first = nn.BatchNorm1d(2).double(), nn.BatchNorm1d(2).double()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for mine, its in zip(self.module.buffers(), self.first.buffers(), strict=True):
            mine.copy_(its)  # changed
        return self.module(x)  # saved


@program("saved", also=(Synced,))
def buffers_set_between_two_forwards():
    judge, real, fake = Synced(), torch.rand(4, 2).double(), torch.rand(4, 2).double()
    (judge(real).pow(3).sum() - judge(fake).pow(3).sum()).backward()


@repaired(buffers_set_between_two_forwards)
def _():
    judge, real = Synced(), torch.rand(4, 2).double()
    other = copy.deepcopy(judge.module)
    judge(real).pow(3).sum().backward()
    judge(real + 1).pow(3).sum().neg().backward()
    (other(real).pow(3).sum() - other(real + 1).pow(3).sum()).backward()
    return judge.module.weight.grad, other.weight.grad


@program("saved")
def sum_over_several_lines():
    levels = [leaf(1, 2).exp(), leaf(3).sigmoid()]  # saved
    levels[0] += nn.functional.pad(  # changed
        levels[1],
        (0, 1),
    )
    levels[0].sum().backward()


@program("nan")
def entropy_of_masked_logits():
    logits, legal = leaf(1, 2, 3), torch.tensor([True, True, False])
    log = logits.masked_fill(~legal, -math.inf).log_softmax(-1)
    (log.exp() * log).nan_to_num(0.0, 0.0, 0.0).sum().backward()  # saved


@repaired(entropy_of_masked_logits)
def _():
    logits, legal = leaf(1, 2, 3), torch.tensor([True, True, False])
    log = logits.masked_fill(~legal, -math.inf).log_softmax(-1).masked_fill(~legal, 0.0)
    (log.exp() * legal * log).sum().backward()
    share = 1 / (1 + math.e)
    slope = share * (1 - share) * math.log(share / (1 - share))
    return logits.grad, torch.tensor([slope, -slope, 0.0])


@program("nan")
def terms_of_an_entropy_chosen_by_where():
    shares = leaf(0.25, 0.75, 0.0)
    log = shares.detach().log() + shares - shares.detach()
    log = torch.where(shares > 0, log, -math.inf)
    torch.where(shares > 0, shares * log, 0.0).sum().backward()  # saved


@program("nan")
def profile_with_a_root_on_each_side():
    scale = leaf(1.0)
    x = torch.tensor([0.5, 2.0]).double() / scale
    below = torch.atan(x) / (1 - x * x).sqrt()  # saved
    torch.where(x < 1, below, x).sum().backward()


@repaired(profile_with_a_root_on_each_side)
def _():
    scale = leaf(1.0)
    x = torch.tensor([0.5, 2.0]).double() / scale
    below = torch.atan(x) / (1 - x * x).clamp(min=1e-12).sqrt()
    torch.where(x < 1, below, x).sum().backward()
    slope = 1 / (1.25 * math.sqrt(0.75)) + math.atan(0.5) * 0.5 * 0.75**-1.5
    return scale.grad, torch.tensor([-0.5 * slope - 2.0])
