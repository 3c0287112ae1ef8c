"""Measured: each program is run, and what came of it is written down."""

import torch


def backward(program):
    leaf = torch.arange(1.0, 5.0, requires_grad=True)
    try:
        program(leaf).sum().backward()
    except RuntimeError:
        return "fails", None
    return "runs", leaf.grad[0].item()


def scan(a):
    def program(leaf):
        y = torch.zeros(3)
        y[0] = leaf[0]
        for t in (1, 2):
            y[t] = a * y[t - 1] + leaf[t]
        return y

    return program


def through(write, of_base):
    def program(leaf):
        base = leaf + leaf
        view = base[:2]
        (view if write == "view" else base).mul_(3)
        return base if of_base else view

    return program


def zeroed(make):
    def program(leaf):
        w = make(leaf)
        w[:2].zero_()
        return w

    return program


def rows(leaf):
    m = (leaf * 1).view(2, 2)
    for row in m:
        row.mul_(2)
    return m


def numbered(leaf):
    m = (leaf * 1).view(2, 2)
    for i in (0, 1):
        m[i].mul_(2)
    return m


POINTS = 4
MESSAGE = ""


answer = {
    "A: a is a number": backward(scan(0.5))[0],
    "A: a is trained": backward(scan(torch.tensor(0.5, requires_grad=True)))[0],
    "B: view.mul_(3), loss of base": backward(through("view", True))[1],
    "B: base.mul_(3), loss of view": backward(through("base", False))[1],
    "C: w[:2].zero_()": backward(zeroed(lambda leaf: leaf))[0],
    "C: (w * 1)[:2].zero_()": backward(zeroed(lambda leaf: leaf * 1))[0],
    "D: for row in m: row.mul_(2)": backward(rows)[0],
    "D: for i in (0, 1): m[i].mul_(2)": backward(numbered)[0],
}
