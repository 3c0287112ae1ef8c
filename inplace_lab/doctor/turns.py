"""How the line that saved, the one that changed and the backward call stand to each other: in which turn of a loop.

The same fault wants another repair where a value was computed once before a loop, in an earlier turn of it, or in this
turn. The source says which it is: the three lines are looked at in the innermost function that they share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .finding import Change
from .places import Place, Site
from .source import covers, tree_of

WHEN_MADE, BEFORE_THE_LOOP = "when the object was made", "before the loop"
EARLIER_TURN, EARLIER_CALL, THIS_TURN = "earlier turn", "earlier call", "this turn"

_Loop = ast.For | ast.While | ast.AsyncFor
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Standing:
    """When the value was computed: ``when``, one of the five above, and the three lines in one function.

    ``above`` and ``below``: the first and the last line of what ``changed`` stands in, without the others. ``loop``:
    the first line of the loop around changed and backward, 0 without one. ``carried``: names that hand a value on from
    turn to turn; ``summed``: those of them to which each turn only adds. ``reused``: whether what the saved line
    computes is read before the change as well. ``backward_of_it``: whether backward is called on that very value.
    ``retains``: whether the call says ``retain_graph``. ``wipes``: the line of a ``zero_grad()`` between the change and
    backward, 0 without one.
    """

    when: str
    saved: int
    changed: int
    backward: int
    above: int
    below: int
    loop: int
    carried: tuple[str, ...]
    summed: tuple[str, ...]
    reused: bool
    backward_of_it: bool
    retains: bool
    wipes: int


def standing(saved: Site, changed: Change, backward: Site) -> Standing | None:
    """How the three stand to each other; None where they share no function whose source can be read."""
    lines = _shared((*saved.path, saved.place), (*changed.path, changed.place), (*backward.path, backward.place))
    if lines is None:
        return None
    file, s, c, b = lines
    tree = tree_of(file)
    if tree is None:
        return None
    scope = _innermost(tree, c, _FUNCTIONS) or tree
    s, c, b = (_statement(scope, line) for line in (s, c, b))
    if None in (s, c, b):
        return None
    loop = next((one for one in _around(scope, c.lineno) if isinstance(one, _Loop) and covers(one, b.lineno)), None)
    # What the change stands in (a loop of its own, a branch, a block under no_grad) is passed as a whole.
    own = [one for one in _around(scope, c.lineno) if isinstance(one, ast.stmt) and not isinstance(one, _FUNCTIONS)]
    own = [one for one in own if not covers(one, b.lineno) and not covers(one, s.lineno)] or [c]
    if saved.function == "__init__" and saved.path:
        when = WHEN_MADE
    elif s.lineno < c.lineno < b.lineno and (loop is None or covers(loop, s.lineno)):
        when = THIS_TURN
    elif loop is None:
        when = EARLIER_CALL
    else:
        when = EARLIER_TURN if covers(loop, s.lineno) else BEFORE_THE_LOOP
    given = _stored(s)
    between = [one for one in _statements(scope) if s.lineno < one.lineno <= c.lineno and one is not b]
    return Standing(
        when,
        s.lineno,
        c.lineno,
        b.lineno,
        min(one.lineno for one in own),
        max(one.end_lineno or one.lineno for one in own),
        loop.lineno if loop is not None else 0,
        tuple(_carried(loop)) if loop is not None else (),
        tuple(_summed(loop)) if loop is not None else (),
        any(given & _loaded(one) for one in between),
        any(_calls_backward_of(b, name) for name in given),
        "retain_graph" in ast.unparse(b),
        next((one.lineno for one in _statements(scope) if c.lineno < one.lineno < b.lineno and _wipes(one)), 0),
    )


def _shared(*chains: tuple[Place, ...]) -> tuple[str, int, int, int] | None:
    """(file, line of each) in the innermost function through which all three were reached."""
    depth = 0
    while all(len(chain) > depth + 1 for chain in chains) and len({chain[depth] for chain in chains}) == 1:
        depth += 1
    here = [chain[depth] for chain in chains]
    return (here[0].file, *(one.line for one in here)) if len({one.file for one in here}) == 1 else None


def _around(scope: ast.AST, line: int) -> list[ast.AST]:
    """The nodes that a line stands in, innermost first."""
    return [node for node in ast.walk(scope) if covers(node, line)][::-1]


def _innermost(tree: ast.AST, line: int, kinds: tuple[type, ...]) -> ast.AST | None:
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and covers(node, line)]
    return found[-1] if found else None


def _statements(scope: ast.AST) -> Iterator[ast.stmt]:
    """The plain statements of a function, those in its loops and branches too, in the order of the source."""
    for node in getattr(scope, "body", []) if isinstance(getattr(scope, "body", None), list) else []:
        if isinstance(node, _FUNCTIONS):
            continue
        parts = [getattr(node, name, []) for name in ("body", "handlers", "orelse", "finalbody")]
        if any(parts):
            for part in parts:
                holder = ast.Module(part, [])
                yield from _statements(holder)
        else:
            yield node


def _statement(scope: ast.AST, line: int) -> ast.stmt | None:
    return next((one for one in _statements(scope) if covers(one, line)), None)


def _stored(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _loaded(node: ast.AST) -> set[str]:
    read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    return read | (_stored(node) if isinstance(node, ast.AugAssign) else set())


def _calls_backward_of(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(one, ast.Attribute) and one.attr == "backward" and ast.unparse(one.value) == name
        for one in ast.walk(statement)
    )


def _wipes(statement: ast.stmt) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == "zero_grad" for one in ast.walk(statement))


def _carried(loop: _Loop) -> Iterator[str]:
    """Names that a turn reads before it gives them a new value: what they hold comes from the turn before."""
    statements = list(_statements(loop))
    given: set[str] = set().union(*(_stored(one) for one in statements))
    known = _stored(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else set()
    said: set[str] = set()
    for one in statements:
        for name in sorted(_loaded(one) & given - known - said):
            if any(name in _stored(other) and not _plain(other) for other in statements):
                said.add(name)
                yield name
        known |= _stored(one)


def _summed(loop: _Loop) -> Iterator[str]:
    """Names like a sum of losses: a turn reads them where it adds to them, and where it calls backward on them."""
    statements = list(_statements(loop))
    for name in _carried(loop):
        given = [one for one in statements if name in _stored(one)]
        if len(given) == 1 and _adds_to(given[0], name):
            yield name


def _adds_to(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, ast.Add)
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return False
    sides = [isinstance(side, ast.Name) and side.id == name for side in (value.left, value.right)]
    reads = [one for one in ast.walk(value) if isinstance(one, ast.Name) and one.id == name]
    return any(sides) and len(reads) == 1


def _plain(statement: ast.stmt) -> bool:
    """Whether the value that a statement gives has no graph: a number, what was detached."""
    text = ast.unparse(statement)
    value = getattr(statement, "value", None)
    if any(part in text for part in (".item()", ".detach()", "float(", "int(", "len(")):
        return True
    names = [one for one in ast.walk(value)] if value is not None else []
    return isinstance(statement, ast.AugAssign) and all(isinstance(one, ast.Constant) for one in names)
