"""Does not catch the refusal."""

POINTS = 0.0
MESSAGE = "your function raised the message with which a node refuses: catch it"


def who_needed_it(loss):
    todo, seen = [loss.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for name in dir(node):
            if name.startswith("_saved_"):
                getattr(node, name)
        todo.extend(following for following, _ in node.next_functions)
    return None


answer = who_needed_it
