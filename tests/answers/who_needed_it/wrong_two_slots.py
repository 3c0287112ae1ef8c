"""Knows only self and result."""

POINTS = 3
MESSAGE = "That node calls it _saved_"


def who_needed_it(loss):
    todo, seen = [loss.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        try:
            getattr(node, "_saved_self", None)
            getattr(node, "_saved_result", None)
        except RuntimeError as error:
            if "version" in str(error):
                return node.name()
        todo.extend(following for following, _ in node.next_functions)
    return None


answer = who_needed_it
