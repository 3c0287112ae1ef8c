"""Whether a name that is given a new tensor on one line hands it on to what uses the tensor later."""

from __future__ import annotations

import ast
import re

from . import rewrite
from .places import Place
from .source import covers, tree_of

_ALIAS = re.compile(r"\.(data|detach\(\))(?![\w.(])")  # and not .detach().clone()
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def hands_on(place: Place, line: str) -> bool:
    """Whether ``line`` may stand at ``place``: what it computes goes where the write in place went.

    A write in place reaches all that share the tensor; a name that is given a new tensor reaches only the code that
    reads this name later. So ``for p in params: p = p.clamp(0)`` loses the change, and so does a helper that gives its
    parameter a new tensor and does not return it.
    """
    name = _name_given(line)
    if name is None:
        return True
    tree = tree_of(place.file)
    if tree is None:
        return True
    around = [node for node in ast.walk(tree) if covers(node, place.line)]
    functions = [node for node in around if isinstance(node, _FUNCTIONS)]
    scope = functions[-1] if functions else tree
    if isinstance(scope, ast.Lambda):
        return False
    here = list(_within(scope))
    if any(isinstance(node, ast.Global | ast.Nonlocal) and name in node.names for node in here):
        return True
    if any(isinstance(node, ast.Attribute) and node.attr == "mark_dirty" for node in here):
        return False  # torch wants the very tensor back
    given = any(isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name for node in here)
    parameter = functions and any(one.arg == name for one in ast.walk(scope.args) if isinstance(one, ast.arg))
    if not given and not parameter:
        return scope is tree  # a name of an outer function: here it would be another name
    loops = [node for node in around if isinstance(node, ast.For | ast.While) and node in here]
    turns = [one for one in loops if isinstance(one, ast.For) and name in _names(one.target)]
    # What a loop hands out anew in each turn is read in the rest of the turn, or not at all.
    whole = loops[loops.index(turns[-1]) + 1 :] if turns else loops
    lines = {node.lineno for node in ast.walk(scope) if _reads(node, name) and node.lineno != place.line}
    last = turns[-1].end_lineno if turns else scope.body[-1].end_lineno
    if any(place.line < one <= last or any(loop.lineno <= one <= loop.end_lineno for loop in whole) for one in lines):
        return True
    return not turns and not parameter and not any(_alias(node, name) for node in here)


def made_as_alias(place: Place, name: str) -> int:
    """The line above ``place`` that makes ``name`` an alias, by detach() or .data; 0 without one."""
    tree = tree_of(place.file)
    if tree is None:
        return 0
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and node.lineno < place.line]
    made = [node for node in made if any(ast.unparse(target) == name for target in node.targets)]
    last = max(made, key=lambda node: node.lineno, default=None)
    text = ast.unparse(last.value) if last is not None else ""
    return last.lineno if _ALIAS.search(text) else 0


def handed_back(place: Place, name: str) -> int:
    """The line above ``place``, in the same function, that takes ``name`` from ctx.saved_tensors; 0 without one."""
    tree = tree_of(place.file)
    around = [one for one in ast.walk(tree) if isinstance(one, _FUNCTIONS) and covers(one, place.line)] if tree else []
    inside = ast.walk(around[-1]) if around else ()
    made = [node for node in inside if isinstance(node, ast.Assign) and node.lineno < place.line]
    made = [node for node in made if any(name in _names(target) for target in node.targets)]
    last = max(made, key=lambda node: node.lineno, default=None)
    return last.lineno if last is not None and ".saved_tensors" in ast.unparse(last.value) else 0


def under_no_grad(place: Place) -> bool:
    """Whether the line stands in a block in which autograd does not record."""
    tree = tree_of(place.file)
    if tree is None:
        return False
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.With) and covers(node, place.line)]
    said = [ast.unparse(item.context_expr) for block in blocks for item in block.items]
    return any(word in one for one in said for word in ("no_grad", "inference_mode", "set_grad_enabled(False)"))


def _name_given(line: str) -> str | None:
    """The name to which ``line`` gives a new tensor, or None."""
    try:
        first = ast.parse(line).body
    except SyntaxError:
        return None
    one = first[1 if len(first) == 3 else 0]  # `new = ...; x = x.clone(); x[0] = new`
    named = isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    return one.targets[0].id if named else None


def _within(scope: ast.AST):
    """The nodes of a function without those of the functions in it."""
    queue = list(scope.body)
    while queue:
        node = queue.pop()
        yield node
        if not isinstance(node, _FUNCTIONS):
            queue.extend(ast.iter_child_nodes(node))


def _names(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _reads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _alias(node: ast.AST, name: str) -> bool:
    """Whether ``node`` gives ``name`` a tensor that others hold as well: ``flat = y.view(-1)``."""
    named = [one for one in node.targets if isinstance(one, ast.Name)] if isinstance(node, ast.Assign) else []
    if not any(one.id == name for one in named):
        return False
    value = node.value
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Attribute) and value.func.attr in rewrite.VIEWS
    return isinstance(value, ast.Name | ast.Attribute | ast.Subscript)
