"""The source of the program as a syntax tree."""

from __future__ import annotations

import ast
import functools
import linecache


def tree_of(file: str) -> ast.Module | None:
    """The tree of a file; None where it cannot be read as Python (a notebook's cell with commands of its own)."""
    return _parsed("".join(linecache.getlines(file)))


@functools.lru_cache(maxsize=64)
def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def covers(node: ast.AST, line: int) -> bool:
    """Whether a line is one of the node's."""
    return hasattr(node, "lineno") and node.lineno <= line <= (node.end_lineno or node.lineno)
