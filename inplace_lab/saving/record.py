"""The records of a probe, and the words for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch

#: verdict -> (symbol, what it means in a few words, whether it is bad news)
VERDICTS = {
    "free": ("✓", "free: backward gives the same gradient", False),
    "error": ("✗", "error: backward refuses", True),
    "silent": ("!", "silent: backward gives another gradient", True),
    "not writable": ("–", "not writable: torch refuses the write", False),
}
ROLES = ("input", "parameter", "buffer", "output")


@dataclass(frozen=True)
class Kept:
    """A slot in which a backward node keeps a tensor; ``counted`` is False where it is not guarded by a version."""

    node: str
    slot: str
    counted: bool = True

    def __str__(self) -> str:
        return f"{self.node}.{self.slot}"


@dataclass(frozen=True)
class Subject:
    """One tensor that went into the call or came out of it.

    role: one of ROLES; parameters and buffers are those of an ``nn.Module`` that was probed.
    kept: the slots that hold its memory. verdict: what came of overwriting it, one of VERDICTS, and text torch's own
    words where it refused. read: the verdict that the graph alone foretells.
    used: whether the gradient depends on the numbers kept (found by writing around the counter); None if not measured.
    note: where read and verdict differ, the measurement that explains it; otherwise "".
    """

    role: str
    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    nbytes: int
    kept: tuple[Kept, ...]
    read: str
    verdict: str
    text: str = field(default="", repr=False)
    used: bool | None = None
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether reading the graph foretold what happened."""
        return self.read == self.verdict


@dataclass(frozen=True)
class Internal:
    """A saved tensor that is neither input nor output: a mask, statistics, an intermediate result."""

    kept: Kept
    shape: tuple[int, ...]
    dtype: torch.dtype
    nbytes: int


@dataclass(frozen=True)
class GraphNode:
    """A backward node of the call: the slots that hold tensors, those that hold nothing, which edges lead anywhere."""

    name: str
    slots: tuple[str, ...]
    empty: tuple[str, ...]
    edges: tuple[bool, ...]


@dataclass(frozen=True, repr=False)
class Probe:
    """What ``probe`` measured. nbytes: the memory that the call keeps alive for backward, each storage counted once."""

    name: str
    subjects: tuple[Subject, ...]
    internal: tuple[Internal, ...]
    nodes: tuple[GraphNode, ...]
    nbytes: int

    @property
    def inputs(self) -> tuple[Subject, ...]:
        """What went in: inputs, then parameters and buffers of a module."""
        return tuple(one for one in self.subjects if one.role != "output")

    @property
    def outputs(self) -> tuple[Subject, ...]:
        return tuple(one for one in self.subjects if one.role == "output")

    def __getitem__(self, name: str) -> Subject:
        """The input or output with this name, as the table lists it. Raises KeyError with the names that there are."""
        found = next((one for one in self.subjects if one.name == name), None)
        if found is None:
            raise KeyError(f"There is no {name!r}; this call has {', '.join(one.name for one in self.subjects)}.")
        return found

    def __str__(self) -> str:
        return "\n".join(table(self.name, self.nbytes, rows(self)))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .. import saving_panel, svg

        drawn = saving_panel.panel(self.name, self.nbytes, rows(self))
        return f'{svg.style()}<div class="ipl" style="overflow-x:auto">{svg.render(drawn)}</div>'


def size(nbytes: int) -> str:
    """Bytes for a reader: ``12 bytes``, ``4.0 KiB``."""
    if nbytes < 1024:
        return f"{nbytes} byte{'' if nbytes == 1 else 's'}"
    power = min(3, (nbytes.bit_length() - 1) // 10)
    return f"{nbytes / 1024**power:.1f} {('KiB', 'MiB', 'GiB')[power - 1]}"


def kind(dtype: torch.dtype, shape: tuple[int, ...]) -> str:
    """dtype and shape: ``float32 [5, 5]``; a tensor with one number and no dimensions has ``[]``."""
    return f"{str(dtype).removeprefix('torch.')} {list(shape)}"


def title(role: str, name: str) -> str:
    """A tensor in a table: inputs by their name, anything else with its role in front."""
    return name if role == "input" or name.startswith(role) else f"{role} {name}"


def rows(result: Probe) -> tuple[Row, ...]:
    """What a table or picture of the probe shows."""
    listed = [
        Row(one.role, title(one.role, one.name), kind(one.dtype, one.shape), tuple(map(str, one.kept)), one.verdict,
            _remark(one.used, one.note))
        for one in result.subjects
    ]  # fmt: skip
    listed += [
        Row("internal", "internal", kind(one.dtype, one.shape), (str(one.kept),), "", size(one.nbytes))
        for one in result.internal
    ]
    return tuple(listed)


def _remark(used: bool | None, note: str) -> str:
    return "; ".join(text for text in ("its numbers are not used" if used is False else "", note) if text)


@dataclass(frozen=True)
class Row:
    """A line of a table: role is one of ROLES or "internal", verdict one of VERDICTS or "" for an internal tensor."""

    role: str
    title: str
    type: str
    kept: tuple[str, ...]
    verdict: str
    remark: str = ""


def table(name: str, nbytes: int, listed: tuple[Row, ...]) -> Iterator[str]:
    """The lines of a text table."""
    texts = [("tensor", "type", "kept by", "overwritten after the call")]
    for row in listed:
        symbol, meaning, _ = VERDICTS.get(row.verdict, ("", "", False))
        end = "; ".join(text for text in (f"{symbol} {meaning}".strip(), row.remark) if text)
        texts.append((row.title, row.type, ", ".join(row.kept) or "nobody", end))
    widths = [max(len(line[column]) for line in texts) for column in range(len(texts[0]))]
    yield f"{name} keeps {size(nbytes)} alive for backward"
    for line in texts:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
