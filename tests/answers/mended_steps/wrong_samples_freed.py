"""Lets the critic's backward go through the samples."""

import torch

POINTS = 3
MESSAGE = "the critic learns from fake.detach()"


def by_hand(w, target):
    for _ in range(3):
        loss = ((w - target) ** 2).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.25 * w.grad
        w.grad = None
    return w


def carried(w, xs):
    state = torch.zeros_like(xs[0])
    for x in xs:
        state = torch.tanh(w * state + x)
        state.sum().backward()
        state = state.detach()
    return w.grad


def gan(g, c, noise):
    fake = torch.tanh(noise @ g)
    critic_loss = (fake @ c).square().mean()
    critic_loss.backward()
    with torch.no_grad():
        c -= 0.5 * c.grad
    generator_loss = -(fake @ c).mean()
    generator_loss.backward()
    return g.grad


def attend(q, k, v, padding):
    scores = (q @ k.T).masked_fill(padding, -torch.inf)
    weights = scores.softmax(1).masked_fill(padding, 0.0)
    return weights @ v


answer = {"by_hand": by_hand, "carried": carried, "gan": gan, "attend": attend}
