"""How the line that saved, the one that changed and the backward call stand to each other: in which turn of a loop.

The same fault wants another repair where a value was computed once before a loop, in an earlier turn of it, or in this
turn. The source says which it is: the three lines are looked at in the innermost function that they share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from . import held
from .finding import Change
from .places import Place, Site
from .source import covers, tree_of

WHEN_MADE, BEFORE_THE_LOOP = "when the object was made", "before the loop"
EARLIER_TURN, EARLIER_CALL, THIS_TURN = "earlier turn", "earlier call", "this turn"
IN_ONE_CALL = "in one call"  # one line has computed the value and then changed what it was computed with
PASSED_IN = "passed in"  # the change and backward stand in one function, and the value came into it from outside

_Loop = ast.For | ast.While | ast.AsyncFor
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Standing:
    """When the value was computed: ``when``, one of the seven above, and the three lines in one function.

    ``above`` and ``below``: the first and the last line of what ``changed`` stands in, without the others. ``loop``:
    the first line of the loop around changed and backward, 0 without one. ``carried``: names that hand a value on from
    turn to turn; ``summed``: those of them to which each turn only adds; ``cuts``: the statements that take the graph
    from them, "" where that is not clear. ``brought``: such statements for names that the loop reads and gives no
    values to. ``ready``: whether the loop goes through losses that are there before it. ``often``: whether the saved
    line stands in an earlier loop of its own. ``needs``: lines below the change that compute what backward is called
    on. ``attribute``: one that the saved line reads and sets, by name, or "". ``steps_again``: whether the line that
    changed comes once more below backward. ``reused``: whether what the saved line computes is read before the change
    as well. ``backward_of_it``: whether backward is called on that very value. ``retains``: whether the call says
    ``retain_graph``. ``wipes``: the line that resets gradients between the change and backward, 0 without one.
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
    cuts: tuple[str, ...]
    brought: tuple[str, ...]
    ready: bool
    often: bool
    needs: tuple[int, ...]
    attribute: str
    steps_again: bool
    reused: bool
    backward_of_it: bool
    retains: bool
    wipes: int


def standing(saved: Site, changed: Change, backward: Site) -> Standing | None:
    """How the three stand to each other; None where they share no function whose source can be read."""
    by = (*saved.path, saved.place), (*changed.path, changed.place)
    lines = _shared(*by, (*backward.path, backward.place))
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
    passed = s.lineno < c.lineno and c is b and (loop is None or covers(loop, s.lineno))
    if passed and (inner := _inner(by[1], (*backward.path, backward.place))) is not None:
        scope, c, b = inner
    # What the change stands in (a loop of its own, a branch, a block under no_grad) is passed as a whole.
    own = [one for one in _around(scope, c.lineno) if isinstance(one, ast.stmt) and not isinstance(one, _FUNCTIONS)]
    own = [one for one in own if not covers(one, b.lineno) and not covers(one, s.lineno)] or [c]
    if saved.function == "__init__" and saved.path:
        when = WHEN_MADE
    elif passed and c is not b:
        when = PASSED_IN
    elif s.lineno < c.lineno < b.lineno and (loop is None or covers(loop, s.lineno)):
        when = THIS_TURN
    elif s is c and c.lineno < b.lineno and (loop is None or covers(loop, s.lineno)) and _in_order(*by):
        when = IN_ONE_CALL
    elif loop is None:
        when = EARLIER_CALL
    else:
        when = EARLIER_TURN if covers(loop, s.lineno) else BEFORE_THE_LOOP
    given = _stored(s)
    between = [one for one in _statements(scope) if s.lineno < one.lineno <= c.lineno and one is not b]
    values = held.names_in(file, scope)
    carried = _with_graph(_carried(loop), values) if loop is not None else ()
    summed = tuple(_summed(loop)) if loop is not None else ()
    return Standing(
        when,
        s.lineno,
        c.lineno,
        b.lineno,
        min(one.lineno for one in own),
        max(one.end_lineno or one.lineno for one in own),
        loop.lineno if loop is not None else 0,
        carried,
        summed,
        tuple(f"{name} = 0" if name in summed else held.cut_off(name, values.get(name)) for name in carried),
        tuple(_brought(loop, given, values)) if loop is not None else (),
        isinstance(loop, ast.For) and any(_calls_backward_of(b, name) for name in _stored(loop.target)),
        any(isinstance(one, _Loop) and not covers(one, b.lineno) for one in _around(scope, s.lineno)),
        tuple(_needed(scope, max(one.end_lineno or one.lineno for one in own), b)),
        _attribute(saved.place),
        any(ast.dump(one) == ast.dump(c) for one in _statements(scope) if one.lineno > b.lineno),
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


def _inner(changed: tuple[Place, ...], backward: tuple[Place, ...]) -> tuple[ast.AST, ast.stmt, ast.stmt] | None:
    """The function in which the change comes before backward, and both statements; None where it does not."""
    lines = _shared(changed, backward)
    tree = tree_of(lines[0]) if lines is not None and lines[1] < lines[2] else None
    scope = _innermost(tree, lines[1], _FUNCTIONS) if tree is not None else None
    c, b = (_statement(scope, line) if scope is not None else None for line in lines[1:]) if lines else (None, None)
    return (scope, c, b) if c is not None and b is not None and c is not b else None


def _attribute(place: Place) -> str:
    """ "self.state" where the line reads and sets it (``out, self.state = self.cell(x, self.state)``), else ""."""
    tree = tree_of(place.file)
    scope = _innermost(tree, place.line, _FUNCTIONS) if tree is not None else None
    line = _statement(scope, place.line) if scope is not None else None
    found = [one for one in ast.walk(line) if isinstance(one, ast.Attribute)] if line is not None else []
    read = {ast.unparse(one) for one in found if isinstance(one.ctx, ast.Load)}
    return next((name for one in found if isinstance(one.ctx, ast.Store) and (name := ast.unparse(one)) in read), "")


def _in_order(saved: tuple[Place, ...], changed: tuple[Place, ...]) -> bool:
    """Whether the saved line comes before the changed one in the innermost function that both were reached through."""
    lines = _shared(saved, changed)
    return lines is not None and lines[1] < lines[2]


def _with_graph(names: Iterator[str], values: dict[str, object]) -> tuple[str, ...]:
    """The names that hold a graph, as far as one sees; all of them, where none is seen to."""
    all_of_them = tuple(names)
    return tuple(one for one in all_of_them if held.has_graph(values.get(one))) or all_of_them


def _brought(loop: _Loop, given: set[str], values: dict[str, object]) -> Iterator[str]:
    """The statements that cut off what the loop reads, where it does not read what the saved line itself has given."""
    read = {one.id for one in ast.walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    if not given & read:
        names = (name for name in sorted(read - _stored(loop)) if held.has_graph(values.get(name)))
        yield from filter(None, (held.cut_off(name, values[name]) for name in names))


def _needed(scope: ast.AST, below: int, backward: ast.stmt) -> Iterator[int]:
    """The lines between the line ``below`` and backward that compute what backward is called on."""
    between = [one for one in _statements(scope) if below < one.lineno < backward.lineno]
    names, lines = _loaded(backward), []
    for one in reversed(between):
        if _stored(one) & names:
            names |= _loaded(one)
            lines.append(one.lineno)
    yield from reversed(lines)


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


def _heads(loop: _Loop) -> Iterator[ast.stmt]:
    """What the loops in a loop go through, as assignments: ``for a in b`` is ``a = b``."""
    for one in ast.walk(loop):
        if isinstance(one, ast.For | ast.AsyncFor) and one is not loop:
            yield ast.copy_location(ast.Assign([one.target], one.iter), one)


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
    """Whether a statement resets gradients: ``zero_grad()``, ``w.grad = None``, ``w.grad.zero_()``."""
    attributes = [one for one in ast.walk(statement) if isinstance(one, ast.Attribute)]
    grads = [one for one in attributes if one.attr == "grad"]
    given = isinstance(statement, ast.Assign) and any(isinstance(one.ctx, ast.Store) for one in grads)
    return given or any(one.attr == "zero_grad" or one.attr == "zero_" and one.value in grads for one in attributes)


def _carried(loop: _Loop) -> Iterator[str]:
    """Names that a turn reads before it gives them a new value: what they hold comes from the turn before."""
    statements = sorted([*_statements(loop), *_heads(loop)], key=lambda one: one.lineno)
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
