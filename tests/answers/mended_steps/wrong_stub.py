"""Functions without a body."""

POINTS = 0
MESSAGE = "returned None"


def nothing(*tensors):
    pass


answer = dict.fromkeys(("by_hand", "carried", "gan", "attend"), nothing)
