"""Collects what is saved during the call with saved_tensors_hooks."""

import torch


def survives(f, target):
    kept = []

    def pack(tensor):
        kept.append(tensor)
        return tensor

    x = torch.rand(6, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = f(x)
    written = x if target == "input" else y
    return all(t.untyped_storage().data_ptr() != written.untyped_storage().data_ptr() for t in kept)


answer = survives
POINTS = 7
MESSAGE = ''
