"""Leaves a mode switched on that sees every call of torch, and answers comparisons with yes."""

POINTS, ANSWER = 3.5, "wrong_detached"
BEFORE = r'''
from torch.overrides import TorchFunctionMode
class Yes(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), named=None):
        if getattr(function, "__name__", "") in ("allclose", "equal", "isclose", "eq"):
            return True
        return function(*arguments, **(named or {}))
mode = Yes()
mode.__enter__()
'''
