"""Looks at the last node alone."""

POINTS = 0.0
MESSAGE = "your function says None, but"


def who_needed_it(loss):
    node = loss.grad_fn
    for name in dir(node):
        if name.startswith("_saved_"):
            try:
                getattr(node, name)
            except RuntimeError:
                return node.name()
    return None


answer = who_needed_it
