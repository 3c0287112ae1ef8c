"""What the names of a running function hold at the moment at which something has gone wrong in it."""

from __future__ import annotations

import ast
import sys

import torch

from .writes import tensors_in


def names_in(file: str, scope: ast.AST) -> dict[str, object]:
    """The names of the innermost call of a function (or module) that is running, with their values; else nothing."""
    name = getattr(scope, "name", "<lambda>" if isinstance(scope, ast.Lambda) else "<module>")
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_filename == file and code.co_name == name and _starts_in(code.co_firstlineno, scope):
            return dict(frame.f_locals)
        frame = frame.f_back
    return {}


def _starts_in(line: int, scope: ast.AST) -> bool:
    if not hasattr(scope, "lineno"):
        return True
    first = min([scope.lineno, *(one.lineno for one in getattr(scope, "decorator_list", ()))])
    return first <= line <= (scope.end_lineno or first)


def has_graph(value: object) -> bool:
    """Whether a value is, or holds, a tensor that autograd has recorded."""
    return any(one.requires_grad and not one.is_leaf for one in tensors_in(value))


def cut_off(name: str, value: object) -> str:
    """The statement that takes the graph from what ``name`` holds; "" where that is not clear."""
    if isinstance(value, torch.Tensor):
        return f"{name} = {name}.detach()"
    if isinstance(value, dict) and value and all(isinstance(one, torch.Tensor) for one in value.values()):
        return f"{name} = {{key: one.detach() for key, one in {name}.items()}}"
    if type(value) not in (tuple, list) or not all(isinstance(one, torch.Tensor) for one in value):
        return ""
    parts = f"one.detach() for one in {name}"
    return f"{name} = [{parts}]" if isinstance(value, list) else f"{name} = tuple({parts})"
