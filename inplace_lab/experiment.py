"""An experiment: one operation, the writes around it, and the few lines of plain PyTorch that they amount to.

``Experiment.program`` is the text that is run (see ``observation``); pasted into a bare Python it does the same.
"""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real

import torch

from . import catalogue, devices, simgpu
from .catalogue import Mutation, Number, Operation, number, plain


@dataclass(frozen=True)
class Write:
    """An in-place change of one tensor at one moment of the program.

    target: "leaf", "middle" or "root".
    mutation: a name of ``catalogue.MUTATIONS``: "add_", "mul_", "setitem" ...
    when: "before_root", "after_root", "after_loss" or "between_backwards". Each write between backwards is followed
        by one more backward call.
    value: the number written; None takes the mutation's default (1 for ``add_``, 3 for ``mul_``, 10 for "setitem").
    index: where "setitem" and "masked_fill_" write: an int or a slice; None is the element in the middle.
    through: "plain", "no_grad", "data", "detach" or "view": how the write reaches the memory.

    Raises ValueError, in one sentence, for an unknown name and for what makes no sense.
    """

    target: str
    mutation: str
    when: str
    value: Number | None = None
    index: int | slice | None = field(default=None, hash=False)  # before Python 3.12 a slice cannot be hashed
    through: str = "plain"

    def __post_init__(self) -> None:
        catalogue.find("target", dict.fromkeys(catalogue.TARGETS), self.target)
        mutation: Mutation = catalogue.find("mutation", catalogue.MUTATIONS, self.mutation)
        catalogue.find("moment", catalogue.TIMES, self.when)
        catalogue.find("way to write", catalogue.WAYS, self.through)
        if self.target == "root" and self.when == "before_root":
            raise ValueError("root cannot be written before it is computed: choose after_root or later.")
        if self.value is not None and not mutation.takes_value:
            raise ValueError(f"{self.mutation} takes no value, but value={self.value!r} was given: leave it out.")
        if self.value is not None:
            object.__setattr__(self, "value", plain(self.value, "The value to write"))
        if self.index is not None and not mutation.takes_index:
            raise ValueError(f"{self.mutation} writes everywhere, but index={self.index!r} was given: leave it out.")
        if self.index is not None:
            object.__setattr__(self, "index", _index(self.index))

    @property
    def label(self) -> str:
        """The write as code without the way: ``middle.mul_(3)``, ``root[2] = 10``."""
        return self._fill(catalogue.MUTATIONS[self.mutation].statement, self.target)

    def short(self, experiment: Experiment) -> str:
        """The write as code with its way, but with a mask called ``mask``: ``middle.data.masked_fill_(mask, 0)``."""
        way = catalogue.WAYS[self.through]
        target = way.target.replace("{target}", self.target)
        template = catalogue.MUTATIONS[self.mutation].statement.replace("{mask}", "mask")
        return way.prefix + self._fill(template, target, experiment)

    def statement(self, experiment: Experiment) -> str:
        """The line of the program that writes in place."""
        way = catalogue.WAYS[self.through]
        target = way.target.replace("{target}", self.target)
        return way.prefix + self._fill(catalogue.MUTATIONS[self.mutation].statement, target, experiment)

    def out_of_place(self, experiment: Experiment) -> str:
        """The same maths in a new tensor. The leaf keeps its name, since it is what the gradient is asked for."""
        result = "changed_leaf" if self.target == "leaf" else self.target
        return f"{result} = " + self._fill(catalogue.MUTATIONS[self.mutation].out_of_place, self.target, experiment)

    def _fill(self, template: str, target: str, experiment: Experiment | None = None) -> str:
        size = len(experiment.values) if experiment else len(Experiment.values)
        value = catalogue.MUTATIONS[self.mutation].value if self.value is None else self.value
        place = size // 2 if self.index is None else self.index
        text = template.replace("{target}", target).replace("{index}", _index_text(place))
        if "{mask}" in text:
            text = text.replace("{mask}", _mask_text(place, size, experiment.device) if experiment else "mask")
        return text if value is None else text.replace("{value}", number(value))


@dataclass(frozen=True)
class Experiment:
    """One run of ``leaf -> middle -> root -> loss -> backward`` with writes at chosen moments.

    operation: a name of ``catalogue.OPERATIONS``, or an ``Operation`` of your own.
    operand: the number that the operation takes (the exponent of "pow", the factor of "scale"); None: its default.
    writes: the in-place changes, carried out in this order at each moment.
    values: the numbers in leaf, a 1-D tensor.
    device: of leaf and of every tensor that the program makes: "cpu", "cuda:0", "mps" or "simgpu", as ``devices``
        lists them. For the simulated one the first line of the program sets it up; pasted into a bare Python it must
        run before the first backward there.
    dtype: of leaf; a real floating one.

    Raises ValueError, in one sentence, for an unknown name and for what makes no sense.
    """

    operation: str | Operation = "exp"
    operand: Number | None = None
    writes: tuple[Write, ...] = ()
    values: tuple[Number, ...] = (1, 2, 3, 4, 5)
    device: str = "cpu"
    dtype: torch.dtype = torch.float32

    def __post_init__(self) -> None:
        entry = self.entry
        if self.operand is not None and not entry.takes_operand:
            raise ValueError(f"{entry.name} takes no operand, but operand={self.operand!r} was given: leave it out.")
        if self.operand is not None:
            object.__setattr__(self, "operand", plain(self.operand, f"The operand of {entry.name}"))
        elif entry.takes_operand and entry.operand is None:
            raise ValueError(f"{entry.name} needs an operand and has no default: give operand=, an int or a float.")
        object.__setattr__(self, "writes", _writes(self.writes))
        object.__setattr__(self, "values", _numbers(self.values))
        devices.require(self.device)
        if not isinstance(self.dtype, torch.dtype) or not self.dtype.is_floating_point:
            raise ValueError(f"dtype must be a real floating dtype such as torch.float32, not {self.dtype!r}.")
        for write in self.writes:
            if isinstance(write.index, int) and not -len(self.values) <= write.index < len(self.values):
                raise ValueError(f"Index {write.index} is out of range for {len(self.values)} values.")

    @property
    def entry(self) -> Operation:
        """The operation's registry entry."""
        if isinstance(self.operation, Operation):
            return self.operation
        return catalogue.find("operation", catalogue.OPERATIONS, self.operation)

    @property
    def expression(self) -> str:
        """What makes root from middle, as the program shows it: ``middle.pow(2)``."""
        return self.entry.text(self.operand)

    @property
    def program(self) -> str:
        """The program with its in-place writes: the text that is run."""
        return "\n".join(_lines(self, Write.statement))

    @property
    def program_out_of_place(self) -> str:
        """The same maths with each write replaced by a new tensor of the same name."""
        return "\n".join(_lines(self, Write.out_of_place))

    @property
    def program_unmutated(self) -> str:
        """The same program without its writes; it makes as many backward calls."""
        return "\n".join(_lines(self, lambda write, experiment: None))

    def with_writes(self, *writes: Write) -> Experiment:
        """The same experiment with other writes."""
        return replace(self, writes=writes)


def _lines(experiment: Experiment, render) -> Iterator[str]:
    """The program's lines; ``render(write, experiment)`` gives the line of a write, or None to leave it out."""
    at = {moment: [write for write in experiment.writes if write.when == moment] for moment in catalogue.TIMES}

    def written(moment: str) -> Iterator[str]:
        rendered = (render(write, experiment) for write in at[moment])
        return (line for line in rendered if line is not None)

    yield "import torch" + _set_up_text(experiment.device)
    yield f"leaf = torch.tensor({_values_text(experiment)}, requires_grad=True)"
    yield "middle = leaf + 2"
    yield from written("before_root")
    yield f"root = {experiment.expression}"
    yield from written("after_root")
    yield "loss = root.sum()"
    yield from written("after_loss")
    for write in at["between_backwards"]:
        yield "loss.backward(retain_graph=True)"
        line = render(write, experiment)
        if line is not None:
            yield line
    yield "loss.backward()"


def _values_text(experiment: Experiment) -> str:
    # "3." for 3.0; the 0 of "1e+20" must stay
    texts = [number(value) for value in experiment.values]
    text = "[" + ", ".join(text[:-1] if text.endswith(".0") else text for text in texts) + "]"
    if experiment.dtype != torch.float32:
        text += f", dtype={experiment.dtype}"
    return text + _device_text(experiment.device)


def _set_up_text(device: str) -> str:
    """On the same line, so that a line has the same number on every device."""
    simulated = device.partition(":")[0] == simgpu.NAME
    return f"; from inplace_lab import {simgpu.NAME}; {simgpu.NAME}.enable()" if simulated else ""


def _device_text(device: str) -> str:
    return "" if device == "cpu" else f', device="{device}"'


def _mask_text(place: int | slice, size: int, device: str) -> str:
    if isinstance(place, int):
        return f"torch.arange({size}{_device_text(device)}) == {range(size)[place]}"
    chosen = range(size)[place]
    return f"torch.tensor({[position in chosen for position in range(size)]}{_device_text(device)})"


def _index_text(place: int | slice) -> str:
    if isinstance(place, int):
        return str(place)
    bounds = ["" if bound is None else str(bound) for bound in (place.start, place.stop)]
    return ":".join(bounds + ([] if place.step is None else [str(place.step)]))


def _index(index: object) -> int | slice:
    """The index with plain ints in it. Raises ValueError for anything but an int or a slice of ints."""
    try:
        if isinstance(index, slice) and index.step != 0:
            parts = (index.start, index.stop, index.step)
            return slice(*(None if part is None else operator.index(part) for part in parts))
        if not isinstance(index, bool):
            return operator.index(index)
    except TypeError:
        pass
    raise ValueError(f"The index must be an int or a slice of ints (its step not 0), not {index!r}.")


def _float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError
    return float(value)


def _numbers(values: object) -> tuple[float, ...]:
    listed = values.tolist() if hasattr(values, "tolist") else values
    try:
        if not isinstance(listed, Sequence) or not listed:
            raise TypeError
        return tuple(_float(value) for value in listed)
    except (TypeError, OverflowError):
        text = f"values must be a non-empty sequence of numbers such as (1, 2, 3), not {reprlib.repr(values)}."
        raise ValueError(text) from None


def _writes(writes: object) -> tuple[Write, ...]:
    listed = (writes,) if isinstance(writes, Write) else writes
    if not isinstance(listed, tuple | list) or not all(isinstance(write, Write) for write in listed):
        raise ValueError(f"writes must be a tuple of Write, not {writes!r}.")
    return tuple(listed)
