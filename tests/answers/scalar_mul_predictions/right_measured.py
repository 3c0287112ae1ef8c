"""Measured by the student, who ran each program before answering, and made the dict from what came out."""

import torch

POINTS = 4
MESSAGE = "4 of 4 points"


def gradient(lines):
    leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    names = {"torch": torch, "leaf": leaf, "middle": leaf + 2, "c": 2.0, "w": torch.tensor(2.0)}
    exec(lines, names)
    try:
        names.get("loss", names["root"].sum()).backward()
    except RuntimeError:
        return None
    return leaf.grad[0]


def runs(lines):
    return "fails" if gradient(lines) is None else "runs"


def refused_call():
    middle = torch.tensor([1.0, 2.0, 3.0], requires_grad=True) + 2
    root = middle * 2
    loss = root.sum()
    for call, target in enumerate((middle, root, root), start=1):
        try:
            loss.backward(retain_graph=True)
        except RuntimeError:
            return call
        target[2] = 10
    return 0


answer = {
    "A: root = middle * w, then middle += 1": runs("root = middle * w; middle += 1"),
    "A: root = middle * middle, then middle += 1": runs("root = middle * middle; middle += 1"),
    "B: call that is refused": refused_call(),
    "C: root = middle * c, then c += 3: gradient": gradient("root = middle * c; c += 3"),
    "C: root = middle * w, then w += 3": runs("root = middle * w; w += 3"),
    "D: root.mul_(3) before the loss: gradient": gradient("root = middle * 2; root.mul_(3); loss = root.sum()"),
    "D: root.mul_(3) after the loss: gradient": gradient("root = middle * 2; loss = root.sum(); root.mul_(3)"),
    "D: middle.mul_(3) after root: gradient": gradient("root = middle * 2; middle.mul_(3); loss = root.sum()"),
}
