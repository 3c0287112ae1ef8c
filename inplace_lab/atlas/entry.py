"""The records of the atlas: an operation, its samples, and what each sample's tensors did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch

from ..catalogue import Operation
from ..saving import Row, size, table, title

#: filter -> what it asks for
FILTERS = {
    "input may be overwritten": "In every sample, backward gives the same gradient after any input was overwritten.",
    "output may be overwritten": "In every sample, backward gives the same gradient after any output was overwritten.",
    "saves nothing": "In every sample, no backward node keeps any tensor.",
}
_ANSWERS = {"free": "may be overwritten", "kept": "must not be overwritten", "depends": "depends on the sample"}


@dataclass(frozen=True)
class Tensor:
    """A tensor that went into or came out of a sample: what keeps it, and what came of overwriting it.

    kept: such as "ExpBackward0.result". verdict: as in ``saving.VERDICTS``. used: whether the gradient depends on the
    numbers kept (None: not asked). read: what the graph foretold where that was something else, and note the
    measurement that explains the difference.
    """

    role: str
    name: str
    type: str
    kept: tuple[str, ...]
    verdict: str
    used: bool | None = None
    read: str = ""
    note: str = ""


@dataclass(frozen=True)
class Internal:
    """A saved tensor that is neither input nor output."""

    kept: str
    type: str
    nbytes: int


@dataclass(frozen=True)
class Node:
    """A backward node: the slots that hold tensors, the slots that are empty, and its edges ("1" leads on, "-" not)."""

    name: str
    slots: tuple[str, ...]
    empty: tuple[str, ...]
    edges: str


@dataclass(frozen=True)
class Sample:
    """One call that was measured. expression: the same call on ``middle`` of an experiment, or "" if it is none."""

    call: str
    nbytes: int
    tensors: tuple[Tensor, ...]
    internal: tuple[Internal, ...]
    nodes: tuple[Node, ...]
    expression: str = ""

    def of(self, role: str) -> tuple[Tensor, ...]:
        """The tensors with this role."""
        return tuple(one for one in self.tensors if one.role == role)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What a table or picture shows, as for a probe."""
        listed = [Row(t.role, title(t.role, t.name), t.type, t.kept, t.verdict, _remark(t)) for t in self.tensors]
        listed += [Row("internal", "internal", one.type, (one.kept,), "", size(one.nbytes)) for one in self.internal]
        return tuple(listed)


def _remark(tensor: Tensor) -> str:
    unused = "its numbers are not used" if tensor.used is False else ""
    return "; ".join(text for text in (unused, tensor.note) if text)


@dataclass(frozen=True, repr=False)
class Entry:
    """An operation of torch's operator database. torch: the version that was measured.

    seen: how many calls were looked at; samples: those of them that differ in what is kept, each measured.
    reason: why there are no measurements; otherwise "".
    """

    name: str
    variant: str
    aliases: tuple[str, ...]
    seen: int
    samples: tuple[Sample, ...]
    reason: str = ""
    torch: str = ""

    @property
    def title(self) -> str:
        """The name, with the variant of the test database where there are several."""
        return f"{self.name} ({self.variant})" if self.variant else self.name

    @cached_property
    def words(self) -> str:
        """What a search looks at, in small letters."""
        return " ".join((self.name, self.variant, *self.aliases)).lower()

    def answer(self, role: str) -> str:
        """Whether tensors of this role ("input", "output") may be overwritten: "free", "kept" or "depends".

        "free" holds for all of them in all samples, "kept" for none; "" where nothing was measured. A tensor that
        cannot be written to counts for neither.
        """
        verdicts = {one.verdict for sample in self.samples for one in sample.of(role)} - {"not writable"}
        if not verdicts:
            return ""
        if verdicts == {"free"}:
            return "free"
        return "depends" if "free" in verdicts else "kept"

    @cached_property
    def saves_nothing(self) -> bool:
        """Whether no sample keeps any tensor."""
        kept = any(sample.internal or any(one.kept for one in sample.tensors) for sample in self.samples)
        return bool(self.samples) and not kept

    def passes(self, name: str) -> bool:
        """Whether the entry passes one of FILTERS. Raises ValueError for an unknown one."""
        if name not in FILTERS:
            raise ValueError(f"There is no filter {name!r}; the known ones are {', '.join(FILTERS)}.")
        return self.saves_nothing if name == "saves nothing" else self.answer(name.split()[0]) == "free"

    def operation(self) -> Operation | None:
        """The operation for an experiment or the explorer; None where it does not map one tensor to one tensor."""
        sample = next((sample for sample in self.samples if sample.expression), None)
        # "torch.": the catalogue has an exp of its own, and an explorer that offers both needs two names.
        name = f"torch.{self.title.removeprefix('torch.')}"
        return sample and Operation(name, sample.expression, f"On torch {self.torch}, {_kept(sample)}")

    @property
    def summary(self) -> str:
        """One or two sentences."""
        if not self.samples:
            return f"Not measured: {self.reason}."
        if self.saves_nothing:
            return "Keeps no tensor for backward."
        said = {role: self.answer(role) for role in ("input", "output")}
        return " ".join(f"The {role} {_ANSWERS[answer]}." for role, answer in said.items() if answer)

    @property
    def stamp(self) -> str:
        """Which torch was measured, and a warning where another one is installed."""
        if plain(self.torch) == plain(torch.__version__):
            return f"Measured on torch {self.torch}."
        return (
            f"Measured on torch {self.torch}, but torch {torch.__version__} is installed here and may keep other "
            f"tensors: ask it with inplace_lab.probe, or measure anew with  python -m inplace_lab.atlas measure"
        )

    def __str__(self) -> str:
        return "\n".join(_text(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from . import page

        return page.html(self)


def plain(version: str) -> str:
    """A version of torch without its build: "2.13.0+cpu" is "2.13.0"."""
    return version.partition("+")[0]


def _kept(sample: Sample) -> str:
    """What a sample keeps, as the end of a sentence."""
    roles = dict.fromkeys(one.role for one in sample.tensors if one.kept)
    parts = [f"its {role}" for role in roles] + (["internal tensors"] if sample.internal else [])
    return f"it keeps {' and '.join(parts)}." if parts else "it keeps no tensor."


def _text(entry: Entry) -> Iterator[str]:
    yield entry.title + (f", also {', '.join(entry.aliases)}" if entry.aliases else "")
    yield entry.summary
    for sample in entry.samples:
        yield ""
        yield from table(sample.call, sample.nbytes, sample.rows)
    yield ""
    yield counted(entry) + entry.stamp


def counted(entry: Entry) -> str:
    """How many calls were looked at and measured."""
    if not entry.samples:
        return ""
    kinds = "1 kind" if len(entry.samples) == 1 else f"{len(entry.samples)} kinds"
    return f"{kinds} among {entry.seen} calls. "
