"""A leaf as the input: torch refuses to write into it, or into a view of it."""


def inplace_relu_is_safe(layer, x):
    leaf = x.detach().clone().requires_grad_()
    try:
        layer(leaf).relu_().sum().backward()
    except RuntimeError:
        return False
    return True


answer = inplace_relu_is_safe
POINTS = 3
MESSAGE = ""
