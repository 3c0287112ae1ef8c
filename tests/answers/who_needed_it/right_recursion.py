"""The same by a function that calls itself."""

POINTS = 4
MESSAGE = ""


def refuses(node):
    for name in dir(node):
        if name.startswith("_saved_"):
            try:
                getattr(node, name)
            except RuntimeError as error:
                if "expected version" in str(error):
                    return True
    return False


def search(node, seen):
    if node is None or node in seen:
        return None
    seen.add(node)
    if refuses(node):
        return node.name()
    for following, _ in node.next_functions:
        found = search(following, seen)
        if found:
            return found
    return None


def who_needed_it(loss):
    return search(loss.grad_fn, set())


answer = who_needed_it
