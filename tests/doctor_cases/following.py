"""Follow the doctor's advice to the letter, as somebody does who is in a hurry: move the lines that it says to move.

Only advice that names lines can be followed by a machine; the rest is read (the repairs beside the programs show what
it means).
"""

from __future__ import annotations

import ast
import re
import textwrap

_BELOW = re.compile(r"Move line (\d+) below line (\d+)")
_ABOVE = re.compile(r"move line (\d+) above line (\d+)")
_SEVERAL_ABOVE = re.compile(r"move lines ([\d, and]+) above line (\d+)")
_WRITE_ABOVE = re.compile(r"write (.+?) above line (\d+)")
_ZERO_GRAD = re.compile(r"Move what resets \.grad \(line (\d+)\) above it too")
_INTO_THE_LOOP = re.compile(r"Line (\d+) ran once, before the loop.*Move it into the loop, below line (\d+)")
_AT_THE_START = re.compile(r"Write (.+?) at the start of each turn, below line (\d+)")


def followed(source: str, advice: str) -> str | None:
    """The program with its lines as the advice says; None where it names no lines. Lines count from 1 in ``source``."""
    lines = source.splitlines()
    if found := _BELOW.search(advice):
        moved, below = map(int, found.groups())
        return _moved(lines, _statement(source, moved), _statement(source, below)[1])
    if found := _ABOVE.search(advice):
        moved, above = map(int, found.groups())
        source = _moved(lines, _statement(source, moved), _statement(source, above)[0] - 1)
        if wiping := _ZERO_GRAD.search(advice):  # it stands one line lower by now, and goes above all
            first, last = _statement(source, int(wiping[1]) + 1)
            source = _moved(source.splitlines(), (first, last), above - 1)
        return source
    if found := _SEVERAL_ABOVE.search(advice):
        above = int(found[2])
        numbers = [*re.findall(r"\d+", found[1])] + ([wiping[1]] if (wiping := _ZERO_GRAD.search(advice)) else [])
        moved = sorted({_statement(source, int(one)) for one in numbers})
        gone = {one for first, last in moved for one in range(first, last + 1)}
        indent = _indent(lines[above - 1])
        part = [indent + lines[one - 1].lstrip() for one in sorted(gone)]
        rest = [line for one, line in enumerate(lines[above - 1 :], above) if one not in gone]
        return "\n".join([*lines[: above - 1], *part, *rest])
    if found := _WRITE_ABOVE.search(advice):
        written, above = found[1], int(found[2])
        return "\n".join([*lines[: above - 1], _indent(lines[above - 1]) + written, *lines[above - 1 :]])
    if found := _INTO_THE_LOOP.search(advice):
        moved, loop = map(int, found.groups())
        return _moved(lines, _statement(source, moved), loop, deeper=True)
    if found := _AT_THE_START.search(advice):
        written, loop = found[1], int(found[2])
        return "\n".join([*lines[:loop], _indent(lines[loop - 1]) + "    " + written, *lines[loop:]])
    return None


def _moved(lines: list[str], statement: tuple[int, int], below: int, deeper: bool = False) -> str:
    first, last = statement
    part = textwrap.dedent("\n".join(lines[first - 1 : last])).splitlines()
    indent = _indent(lines[below - 1] if below else lines[0]) + ("    " if deeper else "")
    if not deeper:
        indent = _indent(lines[first - 1])
    part = [indent + line for line in part]
    if below >= last:
        return "\n".join([*lines[: first - 1], *lines[last:below], *part, *lines[below:]])
    return "\n".join([*lines[:below], *part, *lines[below : first - 1], *lines[last:]])


def _statement(source: str, line: int) -> tuple[int, int]:
    """The first and the last line of the innermost statement at a line."""
    nodes = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.stmt)]
    around = [one for one in nodes if one.lineno <= line <= one.end_lineno]
    inner = min(around, key=lambda one: one.end_lineno - one.lineno)
    return inner.lineno, inner.end_lineno


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
