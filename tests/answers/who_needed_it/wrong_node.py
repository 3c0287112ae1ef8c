"""Returns the node."""

POINTS = 0
MESSAGE = "expected a text or None. Take node.name(), not the node."


def who_needed_it(loss):
    todo, seen = [loss.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for name in dir(node):
            if name.startswith("_saved_"):
                try:
                    getattr(node, name)
                except RuntimeError as error:
                    if "version" in str(error):
                        return node
        todo.extend(following for following, _ in node.next_functions)
    return None


answer = who_needed_it
