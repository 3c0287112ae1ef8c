"""Measured by the student, who ran each program before answering, and made the dict from what came out."""

import torch

POINTS = 4
MESSAGE = "4 of 4 points"


def refused_call(operation, first, then):
    tensors = {"middle": torch.tensor([1.0, 2.0, 3.0], requires_grad=True) + 2}
    tensors["root"] = operation(tensors["middle"])
    loss = tensors["root"].sum()
    for call, target in enumerate((first, then, None), start=1):
        try:
            loss.backward(retain_graph=True)
        except RuntimeError:
            return call
        if target:
            tensors[target][2] = 10
    return 0


def stop(program):
    names = {"torch": torch, "leaf": torch.tensor([1.0, 2.0, 3.0], requires_grad=True)}
    try:
        exec(program, names)
    except RuntimeError:
        return "write"
    try:
        names["loss"].backward()
    except RuntimeError:
        return "backward"
    return "runs"


def square(x):
    return x.pow(2)


SQUARES = "loss = leaf.pow(2).sum()\n"
UNRECORDED = "with torch.no_grad():\n    leaf.add_(1)\n"

answer = {
    "A: middle[2] = 10 after pow": "fails" if refused_call(square, "middle", "root") == 2 else "runs",
    "B: pow, middle first, then root": refused_call(square, "middle", "root"),
    "B: pow, root first, then middle": refused_call(square, "root", "middle"),
    "B: exp, middle first, then root": refused_call(torch.exp, "middle", "root"),
    "B: exp, root first, then middle": refused_call(torch.exp, "root", "middle"),
    "C: leaf.add_(1)": stop("leaf.add_(1)\n" + SQUARES),
    "C: leaf.add_(1) under no_grad, before pow": stop(UNRECORDED + SQUARES),
    "C: leaf.add_(1) under no_grad, after pow": stop(SQUARES + UNRECORDED),
}
