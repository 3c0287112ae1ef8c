"""The functions as they came."""

import torch

POINTS = 0
MESSAGE = "the state is carried over with its history"


def by_hand(w, target):
    for _ in range(3):
        loss = ((w - target) ** 2).sum()
        loss.backward()
        w -= 0.25 * w.grad
        w.grad = None
    return w


def carried(w, xs):
    state = torch.zeros_like(xs[0])
    for x in xs:
        state = torch.tanh(w * state + x)
        state.sum().backward()
    return w.grad


def gan(g, c, noise):
    fake = torch.tanh(noise @ g)
    critic_loss = (fake.detach() @ c).square().mean()
    generator_loss = -(fake @ c).mean()
    critic_loss.backward()
    with torch.no_grad():
        c -= 0.5 * c.grad
    generator_loss.backward()
    return g.grad


def attend(q, k, v, padding):
    bias = torch.zeros_like(q @ k.T).masked_fill(padding, -torch.inf)
    weights = (q @ k.T + bias).softmax(1)
    return weights.masked_fill(padding, 0.0) @ v


answer = {"by_hand": by_hand, "carried": carried, "gan": gan, "attend": attend}
