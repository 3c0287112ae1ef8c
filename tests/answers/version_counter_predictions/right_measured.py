"""Measured: each program is run, and what came of it is written down."""

import torch


def counter(write):
    x = torch.ones(4)
    write(x)
    return x._version


def one(x):
    x[0] += 1


def backward(make):
    middle = torch.tensor([1.0, -2.0, 3.0], requires_grad=True) * 1
    try:
        make(middle).sum().backward()
    except RuntimeError:
        return "fails"
    return "runs"


def power(middle):
    root = middle.pow(0)
    middle.add_(1)
    return root


def squares(middle):
    middle.square()
    middle.add_(1)
    return middle.square()


def shortcut():
    h = torch.tensor([-2.0])
    return (torch.relu_(h) + h).item()


POINTS = 4
MESSAGE = ""


answer = {
    "A: x[0] += 1": counter(one),
    "A: x.flatten().add_(1)": counter(lambda x: x.flatten().add_(1)),
    "A: x[[0, 1]].add_(1)": counter(lambda x: x[[0, 1]].add_(1)),
    "B: middle.relu().relu_()": backward(lambda middle: middle.relu().relu_()),
    "B: middle.pow(0), then middle.add_(1)": backward(power),
    "C: torch.relu_(linear(x))": backward(lambda middle: torch.relu_(torch.nn.Linear(3, 3)(middle))),
    "C: torch.relu_(h) + h, where h is -2": shortcut(),
    "D: backward of the second square": backward(squares),
}
