"""Follows the first way of each node only."""

POINTS = 2.0
MESSAGE = ""


def who_needed_it(loss):
    node = loss.grad_fn
    while node is not None:
        for name in dir(node):
            if name.startswith("_saved_"):
                try:
                    getattr(node, name)
                except RuntimeError as error:
                    if "version" in str(error):
                        return node.name()
        node = node.next_functions[0][0] if node.next_functions else None
    return None


answer = who_needed_it
