"""Small programs with a fault each, from practice, on which the doctor is tried.

A program is a function under ``@program(kind)``. Marks in comments say what the doctor must find: ``# saved`` the line
that keeps the tensor (or makes the leaf, the views, the NaN), ``# changed`` the line that writes first. A function
under ``@repaired(program)`` is the program without the fault; it returns what it computed and, by an independent
formula, what is right.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Program:
    """A faulty program: ``run`` it to see the fault; ``repair`` returns (got, right), where a repair is known."""

    name: str
    kind: str
    run: Callable[[], object]
    #: Whether the line that the doctor writes anew, put in place of the old one, makes the program right.
    rewritten: bool
    repair: Callable[[], tuple[object, object]] | None = None
    also: tuple[object, ...] = field(default=())

    def marked(self, mark: str) -> set[int]:
        """The lines of the program, and of what it uses, that bear a mark ("saved", "changed")."""
        found = set()
        for part in (self.run, *self.also):
            lines, first = inspect.getsourcelines(part)
            comments = ((number, line.partition("  # ")[2]) for number, line in enumerate(lines, max(first, 1)))
            found |= {number for number, comment in comments if mark in comment.split()}
        return found


PROGRAMS: dict[str, Program] = {}


def program(kind: str, *, rewritten: bool = False, also: tuple[object, ...] = ()):
    """Register a faulty program under its name."""

    def register(run: Callable[[], object]) -> Callable[[], object]:
        if run.__name__ in PROGRAMS:
            raise ValueError(f"Two programs are called {run.__name__!r}: rename one.")
        PROGRAMS[run.__name__] = Program(run.__name__, kind, run, rewritten, also=also)
        return run

    return register


def repaired(faulty: Callable[[], object]):
    """Register the repair of a program."""

    def register(repair: Callable[[], tuple[object, object]]) -> Callable[[], tuple[object, object]]:
        PROGRAMS[faulty.__name__].repair = repair
        return repair

    return register


def discover() -> dict[str, Program]:
    """All programs of this folder, by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return PROGRAMS
