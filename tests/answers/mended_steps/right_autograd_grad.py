"""Asks for gradients with torch.autograd.grad, and makes the samples anew."""

import torch

POINTS = 4
MESSAGE = ""


def by_hand(w, target):
    for _ in range(3):
        (slope,) = torch.autograd.grad((w - target).square().sum(), w)
        w.data -= 0.25 * slope
    return w


def carried(w, xs):
    state, total = torch.zeros_like(xs[0]), torch.zeros_like(w)
    for x in xs:
        new = torch.tanh(w * state + x)
        total = total + torch.autograd.grad(new.sum(), w)[0]
        state = new.detach()
    return total


def gan(g, c, noise):
    with torch.no_grad():
        samples = torch.tanh(noise @ g)
    (slope,) = torch.autograd.grad((samples @ c).square().mean(), c)
    with torch.no_grad():
        c.sub_(slope, alpha=0.5)
    return torch.autograd.grad(-(torch.tanh(noise @ g) @ c).mean(), g)[0]


def attend(q, k, v, padding):
    scores = (q @ k.T).masked_fill(padding, -torch.inf)
    weights = scores.softmax(1).masked_fill(padding, 0.0)
    return weights @ v


answer = {"by_hand": by_hand, "carried": carried, "gan": gan, "attend": attend}
