"""Write a line anew without its in-place change: ``x += y`` becomes ``x = x + y``."""

from __future__ import annotations

import ast

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


def out_of_place(code: str, names: tuple[str, ...] = ()) -> str:
    """The statement ``code`` with its in-place change made out of place; "" where that cannot be written on a line.

    ``names``: what wrote on this line, as torch calls it ("add_", "__setitem__").
    """
    statement = _statement(code)
    if statement is None:
        return ""
    code = _text(code, statement)  # without a comment
    match statement:
        case ast.AugAssign():
            return _augmented(code, statement, names)
        case ast.Assign(targets=[ast.Subscript(value=base)]) if "__setitem__" in names or not names:
            owner = _text(code, base)
            return f"{owner} = {owner}.clone(); {code.strip()}"
        case ast.Expr() | ast.Assign() | ast.Return():
            return _calls(code, statement)
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
        owner = _text(code, statement.target.value)
        return f"{owner} = {owner}.clone(); {target} = {target} {symbol} {value}"
    return f"{target} = {target} {symbol} {value}"


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
        free = isinstance(function.value, ast.Name) and function.value.id in ("torch", "F")
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


def _calls(code: str, statement: ast.stmt) -> str:
    out = next((call for call in ast.walk(statement) if isinstance(call, ast.Call) and _keyword(call, "out")), None)
    if out is not None and isinstance(statement, ast.Expr):
        target = ast.unparse(_keyword(out, "out").value)
        out.keywords = [keyword for keyword in out.keywords if keyword.arg != "out"]
        return f"{target} = {ast.unparse(statement)}"
    transformer = _OutOfPlace()
    new = ast.fix_missing_locations(transformer.visit(statement))
    if not transformer.changed or transformer.stuck:
        return ""
    text = ast.unparse(new)
    if isinstance(new, ast.Expr) and is_update(code):
        owner = transformer.changed[0]
        if isinstance(owner, ast.Subscript):
            return f"{ast.unparse(owner)} = {text}"
        return f"{ast.unparse(owner)} = {text}" if isinstance(owner, ast.Name | ast.Attribute) else ""
    return text


def _keyword(call: ast.Call, name: str) -> ast.keyword | None:
    return next((keyword for keyword in call.keywords if keyword.arg == name), None)
