"""Training loops in which the advice has to say which line goes where."""

from __future__ import annotations

import torch
from torch import nn

from tests.doctor_cases import program, repaired


def number(value: float) -> torch.Tensor:
    return torch.tensor(value, dtype=torch.double, requires_grad=True)


def linear(*weights: float) -> nn.Linear:
    layer = nn.Linear(len(weights), 1, bias=False).double()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([weights]))
    return layer


@program("saved")
def judge_learns_for_several_steps():
    maker, judge = linear(2.0), linear(3.0)
    optimizer = torch.optim.SGD(judge.parameters(), lr=0.5)
    made = maker(torch.ones(1, 1, dtype=torch.double))
    fooled = -judge(made).mean()  # saved
    for _ in range(2):
        optimizer.zero_grad()
        judge(made.detach()).mean().backward()
        optimizer.step()  # changed
    fooled.backward()
    return maker.weight.grad


@repaired(judge_learns_for_several_steps)
def _():
    maker, judge = linear(2.0), linear(3.0)
    optimizer = torch.optim.SGD(judge.parameters(), lr=0.5)
    made = maker(torch.ones(1, 1, dtype=torch.double))
    for _ in range(2):
        optimizer.zero_grad()
        judge(made.detach()).mean().backward()
        optimizer.step()
    (-judge(made).mean()).backward()
    return maker.weight.grad, torch.tensor([[-(3.0 - 2 * 0.5 * 2.0)]])


@program("saved")
def restored_and_then_wiped():
    layer, x = linear(1.0, 2.0), torch.tensor([[3.0, 1.0]], dtype=torch.double, requires_grad=True)
    kept = {name: value.clone() for name, value in layer.state_dict().items()}
    with torch.no_grad():
        layer.weight.mul_(2)
    risk = layer(x).sum()  # saved
    layer.load_state_dict(kept)  # changed
    layer.zero_grad()
    risk.backward()
    return torch.cat([layer.weight.grad, x.grad])


@repaired(restored_and_then_wiped)
def _():
    layer, x = linear(2.0, 4.0), torch.tensor([[3.0, 1.0]], dtype=torch.double, requires_grad=True)
    layer(x).sum().backward()
    return torch.cat([layer.weight.grad, x.grad]), torch.tensor([[3.0, 1.0], [2.0, 4.0]])


@program("saved")
def losses_added_up_over_the_turns():
    weight = number(2.0)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    total = 0.0
    for x in (1.0, 3.0):
        total = total + weight * weight * x  # saved
        optimizer.zero_grad()
        total.backward(retain_graph=True)
        optimizer.step()  # changed
    return weight.grad


@repaired(losses_added_up_over_the_turns)
def _():
    weight = number(2.0)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    for x in (1.0, 3.0):
        optimizer.zero_grad()
        (weight * weight * x).backward()
        optimizer.step()
    return weight.grad, torch.tensor(2 * 3.0 * (2.0 - 0.1 * 2 * 2.0))


@program("saved")
def two_states_carried_over():
    torch.manual_seed(0)
    cell = nn.LSTMCell(2, 3)
    optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
    hidden, memory = torch.zeros(1, 3), torch.zeros(1, 3)
    for x in torch.rand(4, 1, 2):
        hidden, memory = cell(x, (hidden, memory))  # saved
        optimizer.zero_grad()
        hidden.sum().backward(retain_graph=True)
        optimizer.step()  # changed


@program("freed")
def state_that_each_turn_goes_back_through():
    weight, state = number(0.5), torch.tensor(1.0, dtype=torch.double)
    for _ in range(2):
        state = torch.tanh(weight * state)  # saved
        state.backward()  # changed
    return weight.grad


@repaired(state_that_each_turn_goes_back_through)
def _():
    weight, state, expected = number(0.5), torch.tensor(1.0, dtype=torch.double), torch.tensor(0.0).double()
    for _ in range(2):
        before, state = state.detach(), torch.tanh(weight * state.detach())
        expected += before * (1 - state.detach() ** 2)
        state.backward()
    return weight.grad, expected


@program("freed")
def table_computed_once_and_used_each_turn():
    weight = number(0.5)
    table = weight.exp()  # saved
    for x in (1.0, 2.0):
        loss = table * x
        loss.backward()  # changed
    return weight.grad


@repaired(table_computed_once_and_used_each_turn)
def _():
    weight = number(0.5)
    for x in (1.0, 2.0):
        (weight.exp() * x).backward()
    return weight.grad, 3.0 * torch.tensor(0.5).double().exp()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))
        self.code = self.weight * self.weight  # saved

    def forward(self, x):
        return (self.code * x).sum()


@program("saved", also=(Encoder,))
def code_computed_when_the_module_was_made():
    encoder = Encoder()
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for x in torch.rand(3, 2):
        encoder(x).backward(retain_graph=True)
        optimizer.step()  # changed


class Agent:
    def __init__(self):
        self.cell = nn.RNNCell(2, 2)
        self.state = torch.zeros(1, 2)
        self.optimizer = torch.optim.SGD(self.cell.parameters(), lr=0.1)

    def learn(self, x):
        self.state = self.cell(x, self.state)  # saved
        self.state.sum().backward(retain_graph=True)
        self.optimizer.step()  # changed


@program("saved", also=(Agent,))
def state_kept_on_an_object():
    torch.manual_seed(0)
    agent = Agent()
    for x in torch.rand(3, 1, 2):
        agent.learn(x)


@program("saved")
def one_forward_for_two_steps():
    weight, policy = number(2.0), number(3.0)
    critic = torch.optim.SGD([weight], lr=0.1)
    value = weight * policy  # saved
    (value - 1).pow(2).backward(retain_graph=True)
    critic.step()  # changed
    policy.grad = None
    (-value).backward()
    return policy.grad


@repaired(one_forward_for_two_steps)
def _():
    weight, policy = number(2.0), number(3.0)
    critic = torch.optim.SGD([weight], lr=0.1)
    (weight * policy - 1).pow(2).backward()
    critic.step()
    policy.grad = None
    (-(weight * policy)).backward()
    return policy.grad, -torch.tensor(2.0 - 0.1 * 2 * (2 * 3.0 - 1) * 3.0)
