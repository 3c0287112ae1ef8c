"""Measured by the student, who ran each program before answering, and made the dict from what came out."""

import torch

POINTS = 4
MESSAGE = "4 of 4 points"


def tried(after="", before="", exp="root = middle.exp()"):
    names = {"torch": torch, "middle": torch.tensor([1.0, 2.0, 3.0], requires_grad=True) + 2}
    for line in (before, exp, after):
        exec(line, names)
    try:
        names["root"].sum().backward()
    except RuntimeError:
        return "fails"
    return "runs"


answer = {
    "A: middle[2] = 10 after exp": tried("middle[2] = 10"),
    "B: root.add_(0)": tried("root.add_(0)"),
    "B: root.mul_(2), then root.mul_(0.5)": tried("root.mul_(2); root.mul_(0.5)"),
    "B: root[0] = 0 under no_grad": tried("with torch.no_grad(): root[0] = 0"),
    "C: root = middle.exp().mul_(2)": tried(exp="root = middle.exp().mul_(2)"),
    "C: root = middle.exp().clone().mul_(2)": tried(exp="root = middle.exp().clone().mul_(2)"),
    "C: middle.relu_() before exp": tried(before="middle.relu_()"),
    "C: root.relu_()": tried("root.relu_()"),
}
