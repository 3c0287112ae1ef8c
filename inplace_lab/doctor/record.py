"""What the doctor remembers while a program runs: numbers and lines, and nothing that keeps a tensor alive."""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_right
from dataclasses import dataclass

import torch

from . import graph
from .places import Sites
from .writes import Book

#: The key under which a node carries its own line, where sequence numbers cannot tell it.
KEY = "inplace_lab.doctor"

#: A thread remembers the lines of this many calls that recorded something for backward; then the older half goes.
_ROWS = 1 << 19


@dataclass(frozen=True, slots=True)
class Origin:
    """Which call made a node: the number of its place, the name of the function, and when."""

    site: int
    name: str
    clock: int


#: Of so many freed nodes the numbers are remembered, to name the backward call that freed one.
_NUMBERS = 1 << 18


class Rows:
    """The calls of one thread that recorded nodes, by the nodes' sequence numbers.

    Autograd numbers the nodes of a thread upwards. So it is enough to note where the numbers stood before and after a
    call: no node is touched, and none is kept.
    """

    def __init__(self) -> None:
        self._begins, self._ends, self._sites, self._names, self._clocks = (array("q") for _ in range(5))

    def append(self, begin: int, end: int, site: int, name: int, clock: int) -> None:
        if len(self._begins) >= _ROWS:
            for column in (self._begins, self._ends, self._sites, self._names, self._clocks):
                del column[: _ROWS // 2]
        self._begins.append(begin)
        self._ends.append(end)
        self._sites.append(site)
        self._names.append(name)
        self._clocks.append(clock)

    def find(self, number: int, names: list[str]) -> Origin | None:
        """The call that made the node with this sequence number, or None when it is not, or no longer, known."""
        row = bisect_right(self._begins, number) - 1
        if row < 0 or number >= self._ends[row]:
            return None
        return Origin(self._sites[row], names[self._names[row]], self._clocks[row])

    def turn(self, number: int, many: bool) -> int:
        """The how-manieth time the line ran that made this node, as far as is remembered.

        ``many``: the line calls torch several times each time it runs, so that neighbouring calls count as one.
        """
        row = bisect_right(self._begins, number) - 1
        if row < 0:
            return 0
        kind, count, before = (self._sites[row], self._names[row]), 0, False
        for one in range(row + 1):
            here = self._sites[one] == kind[0] if many else (self._sites[one], self._names[one]) == kind
            count += here and not (many and before)
            before = here
        return count

    def clock(self, number: int) -> int:
        """When the node with this number was made; -1 where that is not known."""
        row = bisect_right(self._begins, number) - 1
        return self._clocks[row] if row >= 0 and number < self._ends[row] else -1


@dataclass(frozen=True, slots=True)
class Pass:
    """One backward call that freed its graph: when, where, and the sequence numbers of the nodes that it freed."""

    clock: int
    site: int
    numbers: array


@dataclass(frozen=True, slots=True)
class PutAway:
    """What a hook on saved tensors put out of sight: for which node, and whether it will compute it again.

    ``shares``: whether what was put away is the same memory (a NumPy array). ``region``: the number of the block in
    which the hook was in force. ``clock``: when.
    """

    number: int
    recomputes: bool
    shares: bool = False
    region: int = 0
    clock: int = 0


class Record:
    """All that was seen of one program, by all its threads."""

    def __init__(self) -> None:
        self.sites = Sites()
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self.clock = 0
        self.latest_write = -1
        self.writes = Book()  # of Write
        self.births = Book()  # of (clock, site): where a tensor was made
        self.views = Book()  # of (clock, site): where a tensor was split into views
        self.opaque = Book()  # of PutAway: what hooks on saved tensors put away
        # (number of a node, Write): a checkpoint will compute again what this node keeps, and then write into it again.
        self.written_again: list[tuple[int, object]] = []
        self.pending: dict[int, list[tuple[int, object]]] = {}  # the same, if the region keeps anything after the write
        self.rows: dict[int, Rows] = {}
        self.passes: list[Pass] = []
        self._numbers_kept = 0
        self.first_writes: dict[int, object] = {}  # the first that autograd recorded, by their places
        self.compiled_writes: list = []  # lines that write in place, in regions that were compiled
        self.held: dict[int, list] = {}  # by id of a tensor: (clock, reference, memory) before each assignment to .data
        self.exports: list = []
        self.prints = Book()  # of (clock, fingerprint): the bytes of a tensor when its .data was asked for
        self.silent: list = []  # findings that torch does not report, in the order in which they were made
        self.failures: list = []  # (id of the exception, its text, its finding)
        self.limits: list[str] = []  # what the doctor could not follow, in sentences

    def name(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def rows_here(self) -> Rows:
        return self.rows.setdefault(threading.get_ident(), Rows())

    def limit(self, sentence: str) -> None:
        if sentence not in self.limits:
            self.limits.append(sentence)

    def holds(self, tensor: torch.Tensor, note: tuple[int, object, object]) -> None:
        """Note which memory a tensor had before an assignment to its ``.data``; the oldest notes are forgotten."""
        if len(self.held) > 10_000:
            self.held = {key: notes for key, notes in self.held.items() if notes[-1][1]() is not None}
        notes = self.held.setdefault(id(tensor), [])
        notes.append(note)
        del notes[:-200]

    def freed(self, this: Pass) -> None:
        """Note a backward call that freed its graph; the oldest are forgotten when there are too many nodes."""
        self.passes.append(this)
        self._numbers_kept += len(this.numbers)
        while self._numbers_kept > _NUMBERS and len(self.passes) > 1:
            self._numbers_kept -= len(self.passes.pop(0).numbers)

    def origin(self, node: object) -> Origin | None:
        """Which call made ``node``; None when no call that was watched did, or when that was too long ago."""
        noted = graph.noted(node, KEY)
        if isinstance(noted, Origin):
            return noted
        number = node._sequence_nr()
        here = self.rows.get(threading.get_ident())
        for rows in [here, *(rows for rows in self.rows.values() if rows is not here)]:
            found = rows.find(number, self.names) if rows is not None else None
            if found is not None:
                return found
        return None

    def turn(self, node: object) -> int:
        """The how-manieth time the line that made ``node`` ran; 0 where that is not known."""
        origin, rows = self.origin(node), self.rows.get(threading.get_ident())
        if origin is None or origin.site < 0 or rows is None or isinstance(node, torch._C._FunctionBase):
            return 0
        site = self.sites[origin.site]
        return rows.turn(node._sequence_nr(), bool(site.module or site.via))
