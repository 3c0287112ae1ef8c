"""Walks the graph and looks whether a saved tensor lies in the memory of the target."""

import torch


def survives(f, target):
    x = torch.linspace(0.1, 0.9, 6, requires_grad=True) * 1
    y = f(x)
    memory = (x if target == "input" else y).untyped_storage().data_ptr()
    todo, seen = [y.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for name in dir(node):
            value = getattr(node, name) if name.startswith("_saved_") else None
            if isinstance(value, torch.Tensor) and value.untyped_storage().data_ptr() == memory:
                return False
        todo.extend(following for following, _ in node.next_functions)
    return True


answer = survives
POINTS = 7
MESSAGE = ''
