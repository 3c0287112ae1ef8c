"""Leaves the steps to torch.optim, detaches on the way in, fills with a large negative number."""

import torch

POINTS = 4
MESSAGE = ""


def by_hand(w, target):
    optimizer = torch.optim.SGD([w], lr=0.25)
    for _ in range(3):
        optimizer.zero_grad()
        (w - target).square().sum().backward()
        optimizer.step()
    return w


def carried(w, xs):
    state = torch.zeros_like(xs[0])
    for x in xs:
        state = torch.tanh(w * state.detach() + x)
        state.sum().backward()
    return w.grad


def gan(g, c, noise):
    fake = torch.tanh(noise @ g)
    critic_loss = (fake.detach() @ c).square().mean()
    critic_loss.backward()
    with torch.no_grad():
        c -= 0.5 * c.grad
    generator_loss = -(fake @ c).mean()
    generator_loss.backward()
    return g.grad


def attend(q, k, v, padding):
    scores = torch.where(padding, -1e30, q @ k.T)
    weights = torch.where(padding, 0.0, scores.softmax(1))
    return weights @ v


answer = {"by_hand": by_hand, "carried": carried, "gan": gan, "attend": attend}
