"""Visits a node once for each way that leads to it."""

POINTS = 3
MESSAGE = "their number doubles with each y + y"


def who_needed_it(loss):
    todo = [loss.grad_fn]
    while todo:
        node = todo.pop()
        if node is None:
            continue
        for name in dir(node):
            if name.startswith("_saved_"):
                try:
                    getattr(node, name)
                except RuntimeError as error:
                    if "version" in str(error):
                        return node.name()
        todo.extend(following for following, _ in node.next_functions)
    return None


answer = who_needed_it
