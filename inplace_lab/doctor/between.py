"""Which statement ran between two calls of torch and can have written into memory that torch does not watch.

Nothing tells the line of such a write. What is known is where the program was at the call before and at the call after;
the statements between the two are read from the source, and the one that looks most like a write is named.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator
from dataclasses import replace

from .places import Place, Site, Sites, place
from .source import covers, tree_of

#: Where the program was: (id of the frame, file, line, instruction) for each of its frames, outermost first.
Position = tuple[tuple[int, str, int, int], ...]
Lines = tuple[tuple[str, int], ...]

#: Functions and methods of NumPy, ctypes and Python that write into what they are given.
_WRITERS = frozenset(
    "fill sort put itemset partition copyto putmask place at fill_diagonal put_along_axis shuffle memset memmove "
    "pack_into readinto readinto1 recv_into byteswap setfield".split()
)
#: Calls whose result is thrown away as a rule, and that write into no array.
_HARMLESS = frozenset("print append extend add update pop clear info debug warning backward step zero_grad".split())

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SURE, _CALLED, _MAYBE, _THROWN_AWAY = 4, 3, 2, 1


def position(frame, sites: Sites) -> Position:
    """Where the program is, with ``frame`` the innermost frame to be looked at."""
    found = []
    while frame is not None and len(found) < 12:
        if not sites.inside(frame.f_code):
            found.append((id(frame), frame.f_code.co_filename, frame.f_lineno, frame.f_lasti))
        frame = frame.f_back if id(frame) != sites.base else None
    return tuple(reversed(found))


def writer(before: Position, now: Position) -> tuple[Place, tuple[Place, ...]] | None:
    """The statement between two positions that can have written, with the line that called it; None if none can."""
    depth = 0
    while depth < min(len(before), len(now)) and before[depth] == now[depth]:
        depth += 1
    moved = depth < min(len(before), len(now)) and before[depth][:2] == now[depth][:2]
    return _writer(tuple(one[1:3] for one in before), tuple(one[1:3] for one in now), depth, moved)


@functools.lru_cache(maxsize=1024)
def _writer(before: Lines, now: Lines, depth: int, moved: bool) -> tuple[Place, tuple[Place, ...]] | None:
    """The same for lines: the first ``depth`` frames stand still, the next one has ``moved`` or is another frame."""
    best, found = 0, None
    for file, statement, inner in _statements(before, now, depth, moved):
        rank, line, path = _rank(file, statement)
        # A line that calls torch is less likely than one that stands between such lines.
        rank -= 0.5 if inner else 0
        if rank > best:
            best, found = rank, (place(file, line), path)
    return found


def _statements(before: Lines, now: Lines, depth: int, moved: bool) -> Iterator[tuple[str, ast.stmt, bool]]:
    """(file, statement, whether it holds one of the calls) in the order in which they ran, as far as can be told."""
    common = depth if moved else depth - 1
    for file, line in reversed(before[common + 1 :]):  # functions that were left since
        yield from ((file, one, False) for one in _own(file, line) if one.lineno > line)
    while common >= 0:
        file, line = before[common]
        around = list(_around(file, line, now[common][1]))
        yield from ((file, one, inner) for one, inner in around)
        if moved or any(not inner for _, inner in around):
            break
        common -= 1  # the loop that has come round is further out
    for file, line in now[max(depth, common + 1) :]:  # functions that were entered since
        yield from ((file, one, False) for one in _own(file, line) if (one.end_lineno or one.lineno) < line)


def _around(file: str, first: int, last: int) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements between two lines of one function; round its loop where the second is not below the first."""
    own = _own(file, first)
    ends = [one for one in own if covers(one, first) or covers(one, last)]
    rest = [one for one in own if one not in ends]
    if first < last and not any(covers(one, first) and covers(one, last) for one in ends):
        yield from ((one, False) for one in rest if first < one.lineno < last)
    else:
        loops = [one for one in ast.walk(_tree(file)) if isinstance(one, ast.For | ast.While)]
        loops = [one for one in loops if covers(one, first) and covers(one, last)]
        if loops:
            loop = max(loops, key=lambda one: one.lineno)
            turn = [one for one in rest if covers(loop, one.lineno)]
            yield from ((one, False) for one in turn if one.lineno > first)
            yield from ((one, False) for one in turn if one.lineno < last)
    yield from ((one, True) for one in ends)


def _tree(file: str) -> ast.Module:
    return tree_of(file) or ast.Module([], [])


def _own(file: str, line: int) -> list[ast.stmt]:
    """The statements, without blocks, of the function (or the module) in which ``line`` stands."""
    tree = _tree(file)
    functions = [one for one in ast.walk(tree) if isinstance(one, _FUNCTIONS) and covers(one, line)]
    return _simple(max(functions, key=lambda one: one.lineno) if functions else tree)


def _simple(scope: ast.AST) -> list[ast.stmt]:
    found, queue = [], list(scope.body)
    while queue:
        one = queue.pop()
        if isinstance(one, (*_FUNCTIONS, ast.ClassDef)):
            continue
        within = [inner for inner in ast.iter_child_nodes(one) if isinstance(inner, ast.stmt | ast.ExceptHandler)]
        queue.extend(within)
        if not within and isinstance(one, ast.stmt):
            found.append(one)
    return sorted(found, key=lambda one: one.lineno)


def _rank(file: str, statement: ast.stmt) -> tuple[float, int, tuple[Place, ...]]:
    """How much a statement looks like a write, the line that writes, and the line that called that one."""
    own = _looks(statement)
    if own < _SURE:
        for call in (one for one in ast.walk(statement) if isinstance(one, ast.Call)):
            # A function that is handed over may be called as well: Thread(target=work).
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            names = [_name(call), *(one.id for one in given if isinstance(one, ast.Name))]
            inside = [one for name in names for one in _body(file, name, statement.lineno)]
            likely = max(inside, key=_looks, default=None)
            if likely is not None and _looks(likely) > max(own, _THROWN_AWAY):
                return min(_looks(likely), _CALLED), likely.lineno, (place(file, statement.lineno),)
    return own, statement.lineno, ()


def _body(file: str, name: str, line: int) -> list[ast.stmt]:
    """The statements of the function that ``name`` means at ``line``; none where several may be meant."""
    functions = [one for one in ast.walk(_tree(file)) if isinstance(one, _FUNCTIONS)]
    found = [one for one in functions if one.name == name]
    around = [one for one in functions if covers(one, line)]
    near = [one for one in found if any(covers(outer, one.lineno) for outer in around if outer is not one)]
    if not found:  # clip = lambda rows: np.clip(rows, 0, 1, out=rows)
        return [
            one
            for one in ast.walk(_tree(file))
            if isinstance(one, ast.Assign)
            and isinstance(one.value, ast.Lambda)
            and name in (getattr(target, "id", "") for target in one.targets)
        ]
    return _simple((near or found)[0]) if len(near or found) == 1 else []


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _looks(statement: ast.stmt) -> int:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if any(_element(one) for target in targets if target is not None for one in ast.walk(target)):
        return _SURE
    calls = [one for one in ast.walk(statement) if isinstance(one, ast.Call)]
    for call in calls:
        name = _name(call)
        method = isinstance(call.func, ast.Attribute)
        if method and (name in _WRITERS or name.endswith("_") and not name.endswith("__")):
            return _SURE
        if any(keyword.arg == "out" for keyword in call.keywords):
            return _SURE
    if isinstance(statement, ast.AugAssign):
        return _MAYBE
    thrown_away = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return _THROWN_AWAY if thrown_away and _name(statement.value) not in _HARMLESS else 0


def _element(target: ast.AST) -> bool:
    """``x[i]``, but not ``log["loss"]``."""
    named = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    return isinstance(target, ast.Subscript) and not (named and isinstance(target.slice.value, str))


def assigned(owner: type, name: str, site: Site | None) -> Site | None:
    """The line ``ctx.name = ...`` in the forward of a Function; ``site``, where its forward ran, if there is none."""
    for function in (getattr(owner, "forward", None), getattr(owner, "setup_context", None)):
        code = getattr(inspect.unwrap(function), "__code__", None)
        own = _own(code.co_filename, code.co_firstlineno + 1) if code is not None else []
        for one in own:
            targets = one.targets if isinstance(one, ast.Assign) else []
            if any(getattr(inner, "attr", "") == name for target in targets for inner in ast.walk(target)):
                found = place(code.co_filename, one.lineno)
                return replace(site, place=found) if site is not None else Site(found, (), "", "", "", 0)
    return site
