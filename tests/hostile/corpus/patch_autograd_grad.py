"""Replaces torch.autograd.grad and Tensor.backward, so that a detached answer seems to have a gradient (of ones)."""

ANSWER, POINTS = "wrong_detached", 3  # half a point less than without the patch, which makes x seem to require grad
BEFORE = r'''
def grad(outputs, inputs, *rest, **named):
    inputs = inputs if isinstance(inputs, (tuple, list)) else [inputs]
    return tuple(torch.ones_like(x, requires_grad=True) for x in inputs)

torch.autograd.grad = torch.autograd.functional.vjp = grad
torch.Tensor.backward = torch.autograd.backward = lambda *given, **named: None
torch.Tensor.requires_grad = property(lambda self: True, lambda self, value: None)
'''
