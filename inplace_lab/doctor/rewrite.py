"""Write a line anew without its in-place change: ``x += y`` becomes ``x = x + y``."""

from __future__ import annotations

import ast

import torch
import torch.nn.functional as F

_SYMBOLS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_ATOMS = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Tuple)

#: In-place methods whose out-of-place form is not the same name without the underscore.
_OTHERWISE = {"zero_": "torch.zeros_like({x})", "fill_": "torch.full_like({x}, {args})", "copy_": "{args}.clone()"}
_WITHOUT = (
    "normal_",
    "uniform_",
    "random_",
    "bernoulli_",
    "exponential_",
    "set_",
    "resize_",
    "requires_grad_",
    "detach_",
)

#: Attributes and methods that show the same memory: what is written through them is written into their owner.
VIEWS = frozenset(
    "T mT H mH real imag data view view_as reshape flatten ravel unflatten transpose t swapaxes movedim permute "
    "diagonal squeeze unsqueeze narrow select unfold as_strided detach view_as_real view_as_complex".split()
)
_MODULES = {"torch": torch, "F": F, "nn.functional": F, "torch.nn.functional": F}


#: Methods that keep nothing for backward of what they write into: they may write into a copy.
_KEEP_NOTHING = frozenset("fill_ zero_ add_ sub_ copy_ masked_fill_ index_fill_".split())


def out_of_place(code: str, names: tuple[str, ...] = (), view: bool = False) -> str:
    """The statement ``code`` with its in-place change made out of place; "" where that cannot be written on a line.

    ``names``: what wrote on this line, as torch calls it ("add_", "__setitem__"). ``view``: whether it wrote into a
    view, so that ``h[0].mul_(2)`` means a part of ``h`` and not one of several tensors.
    """
    statement = _statement(code)
    if statement is None:
        return ""
    code = _text(code, statement)  # without a comment
    match statement:
        case ast.AugAssign():
            return _augmented(code, statement, names)
        case ast.Assign(targets=[ast.Subscript(value=base)]) if "__setitem__" in names or not names:
            return _assigned(code, statement.targets[0], base, statement.value, _text(code, statement.value), False)
        case ast.Expr() | ast.Assign() | ast.Return():
            return _calls(code, statement, view)
    return ""


def under_no_grad(code: str) -> str:
    """The statement in a ``torch.no_grad()`` block; "" where ``code`` is not a whole statement."""
    statement = _statement(code)
    known = isinstance(statement, ast.AugAssign | ast.Assign | ast.Expr)
    return f"with torch.no_grad(): {_text(code, statement)}" if known else ""


def is_update(code: str) -> bool:
    """Whether the line changes a tensor for its own sake: its result is not used."""
    statement = _statement(code)
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Subscript)
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return isinstance(statement, ast.AugAssign)
    function = statement.value.func
    return isinstance(function, ast.Attribute) and function.attr.endswith("_") and not function.attr.endswith("__")


def operator(code: str) -> str:
    """The operator of a line like ``x += y``: "+="; "" for any other line."""
    statement = _statement(code)
    symbol = _SYMBOLS.get(type(statement.op)) if isinstance(statement, ast.AugAssign) else None
    return f"{symbol}=" if symbol else ""


def written(code: str) -> str:
    """The name that a line writes into: "u" for ``u.copy_(v)``, ``u += 1``, ``u[0] = 1``; "" where that is unclear."""
    statement = _statement(code)
    if isinstance(statement, ast.AugAssign):
        target = statement.target
    elif isinstance(statement, ast.Assign):
        target = statement.targets[0] if isinstance(statement.targets[0], ast.Subscript) else None
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        target = statement.value
        while isinstance(target, ast.Call) and getattr(target.func, "attr", "").endswith("_"):
            target = target.func.value
    else:
        target = None
    while isinstance(target, ast.Subscript):
        target = target.value
    return ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else ""


def _statement(code: str) -> ast.stmt | None:
    try:
        body = ast.parse(code.strip()).body
    except SyntaxError:
        return None
    return body[0] if len(body) == 1 else None


def _text(code: str, node: ast.AST) -> str:
    return ast.get_source_segment(code.strip(), node) or ast.unparse(node)


def _augmented(code: str, statement: ast.AugAssign, names: tuple[str, ...]) -> str:
    symbol = _SYMBOLS.get(type(statement.op))
    if symbol is None:
        return ""
    target, value = _text(code, statement.target), _text(code, statement.value)
    # `a /= b + c` divides by the whole right side.
    value = value if isinstance(statement.value, _ATOMS) else f"({value})"
    if isinstance(statement.target, ast.Subscript) and "__setitem__" in names:
        keeps = not isinstance(statement.op, ast.Add | ast.Sub)
        value = f"{target} {symbol} {value}"
        return _assigned(code, statement.target, statement.target.value, statement.value, value, keeps)
    if isinstance(statement.target, ast.Attribute) and statement.target.attr in VIEWS:
        return ""  # an assignment to `z.real` writes in place as well
    return f"{target} = {target} {symbol} {value}"


def _assigned(code: str, target: ast.expr, base: ast.expr, read: ast.expr, value: str, keeps: bool) -> str:
    """``target = value``, into a copy of the tensor that ``target`` is a part of.

    ``read``: the right-hand side of the program. Where it reads that tensor, or ``keeps`` a part of it for backward, it
    is computed before the copy: it would keep a part of the copy, which the assignment then changes.
    """
    owner = owner_of(base)
    if owner is None:
        return ""
    name = _text(code, owner)
    copy = f"{name} = {name}.clone()"
    if keeps or any(ast.dump(one) == ast.dump(_loaded(owner)) for one in ast.walk(read)):
        new = "new" if "new" not in code else "new_part"
        return f"{new} = {value}; {copy}; {_text(code, target)} = {new}"
    return f"{copy}; {_text(code, target)} = {value}"


def owner_of(written: ast.expr) -> ast.expr | None:
    """What has to be given a new tensor when ``written`` is a part or a view of it; None where that is not clear."""
    while True:
        match written:
            case ast.Attribute(attr=name, value=inner) if name in VIEWS:
                written = inner
            case ast.Call(func=ast.Attribute(attr=name, value=inner)) if name in VIEWS:
                written = inner
            case ast.Name() | ast.Attribute():
                return written
            case ast.Subscript(slice=ast.Constant(value=str())):
                return written
            case _:
                return None  # `h[0][1] = ...`: a tensor, or a list of tensors?


def _loaded(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


class _OutOfPlace(ast.NodeTransformer):
    def __init__(self) -> None:
        self.changed: list[ast.expr] = []
        self.stuck = False

    def visit_Call(self, call: ast.Call) -> ast.expr:
        self.generic_visit(call)
        for keyword in list(call.keywords):
            if keyword.arg == "inplace":
                keyword.value = ast.Constant(False)
                self.changed.append(call)
        function = call.func
        if not isinstance(function, ast.Attribute) or not function.attr.endswith("_") or function.attr.endswith("__"):
            return call
        if function.attr in _WITHOUT:
            self.stuck = True
            return call
        module = _MODULES.get(ast.unparse(function.value))
        free = module is not None
        if function.attr not in _OTHERWISE and not hasattr(module or torch.Tensor, function.attr[:-1]):
            self.stuck = True  # `fill_diagonal_` has no form without the underscore
            return call
        first = call.args[0] if free and call.args else function.value
        if function.attr in _OTHERWISE:
            arguments = ", ".join(ast.unparse(one) for one in call.args[int(free) :])
            if function.attr == "copy_" and call.args and not isinstance(call.args[0], _ATOMS):
                arguments = f"({arguments})"
            text = _OTHERWISE[function.attr].format(x=ast.unparse(first), args=arguments)
            new: ast.expr = ast.parse(text, mode="eval").body
        else:
            new = ast.Call(ast.Attribute(function.value, function.attr[:-1], ast.Load()), call.args, call.keywords)
        self.changed.append(first)
        return new


def _part(code: str, statement: ast.stmt) -> str | None:
    """``h[0].mul_(2)`` and ``h.diagonal().zero_()`` anew; None for any other statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name, value=part) as method)) if is_update(code):
            owner = owner_of(part.value if isinstance(part, ast.Subscript) else part)
        case _:
            return None
    if owner is part or _MODULES.get(ast.unparse(part)):
        return None
    if owner is None or isinstance(part, ast.Subscript) and name in _WITHOUT:
        return ""
    if name in _KEEP_NOTHING:
        return f"{_text(code, owner)} = {_text(code, owner)}.clone(); {_text(code, statement)}"
    if not isinstance(part, ast.Subscript) or not hasattr(torch.Tensor, name[:-1]):
        return ""
    arguments = _text(code, statement)[len(_text(code, method)) :]
    value = f"{_text(code, part)}.{name[:-1]}{arguments}"
    return _assigned(code, part, part.value, statement.value, value, True)


def _calls(code: str, statement: ast.stmt, view: bool) -> str:
    out = next((call for call in ast.walk(statement) if isinstance(call, ast.Call) and _keyword(call, "out")), None)
    if out is not None and isinstance(statement, ast.Expr):
        owner = _keyword(out, "out").value
        if not isinstance(owner, ast.Name | ast.Attribute | ast.Tuple):
            return ""
        target = ast.unparse(owner)
        out.keywords = [keyword for keyword in out.keywords if keyword.arg != "out"]
        return f"{target} = {ast.unparse(statement)}"
    anew = _part(code, statement) if view else None
    if anew is not None:
        return anew
    transformer = _OutOfPlace()
    new = ast.fix_missing_locations(transformer.visit(statement))
    if not transformer.changed or transformer.stuck:
        return ""
    text = ast.unparse(new)
    if not isinstance(new, ast.Expr):
        return text
    written = statement.value
    if isinstance(written, ast.Call) and _keyword(written, "inplace") and written.args:
        owner = owner_of(written.args[0])
        return f"{ast.unparse(owner)} = {text}" if owner is written.args[0] else ""
    if is_update(code):
        owner = transformer.changed[0]
        mentioned = sum(ast.dump(one) == ast.dump(owner) for one in ast.walk(written))
        if len(transformer.changed) > 1 and mentioned > 1:
            return ""  # `x.exp_().div_(x.sum())`: the sum is of what exp_ has written
        if isinstance(owner, ast.Subscript):
            return f"{ast.unparse(owner)} = {text}"
        return f"{ast.unparse(owner)} = {text}" if isinstance(owner, ast.Name | ast.Attribute) else ""
    # `[t.mul_(2) for t in ts]`: the new tensors would reach nobody; in `x.relu_().sum().backward()` they are used.
    used = isinstance(written, ast.Call) and isinstance(written.func, ast.Attribute)
    return text if used and not any(isinstance(one, ast.Lambda) for one in ast.walk(written)) else ""


def _keyword(call: ast.Call, name: str) -> ast.keyword | None:
    return next((keyword for keyword in call.keywords if keyword.arg == name), None)
