"""Takes a freed graph for a changed tensor."""

POINTS = 3.75
MESSAGE = "The message of a freed graph is another one: look for the word version."


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
                except RuntimeError:
                    return node.name()
        todo.extend(following for following, _ in node.next_functions)
    return None


answer = who_needed_it
