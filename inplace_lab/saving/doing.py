"""Overwrite each tensor of a call after it, run backward, and compare with an untouched run."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from .calls import Call
from .reading import memory, read_graph
from .record import Probe, Subject
from .running import dense, run, undisturbed

#: ways to overwrite a tensor, see ``other_numbers``
WAYS = (0, 1, 2, 3)


def measure(call: Call) -> Probe:
    """Measure a call; see ``probe``."""
    with undisturbed():
        return _measure(call)


def _measure(call: Call) -> Probe:
    reference, hidden = _reference(call)
    reading = read_graph(call, run(call), hidden.saved)
    subjects = tuple(_do(call, place, one, reference, hidden) for place, one in enumerate(reading.subjects))
    return replace(reading, subjects=subjects)


@dataclass(frozen=True)
class _Hidden:
    """What torch handed to the hooks of saved tensors: memory, and whether backward asked for it."""

    saved: dict[int, bool]  # place of a subject -> whether backward asked for what was saved of it


def _reference(call: Call) -> tuple[tuple[torch.Tensor | None, ...], _Hidden]:
    """The gradient of an untouched run, and what the hooks saw of the same run."""
    made = run(call)
    try:
        gradient = made.gradients()
        again = run(call).gradients()
    except RuntimeError as error:
        text = f"Backward of {call.title} fails before anything is overwritten: {_first_sentence(error)}"
        raise ValueError(text) from error
    if (unknown := _nan(gradient)) and all(unknown):
        raise ValueError(f"The gradient of {call.title} is NaN on these inputs, which hides every change: try others.")
    if not _same(gradient, again):
        raise ValueError(f"Two untouched runs of {call.title} give different gradients, so none can be compared.")
    return gradient, _watch(call)


def _watch(call: Call) -> _Hidden:
    packed: list[torch.Tensor] = []
    asked: set[int] = set()

    def pack(tensor: torch.Tensor) -> int:
        packed.append(tensor.detach())
        return len(packed) - 1

    def unpack(number: int) -> torch.Tensor:
        asked.add(number)
        return packed[number]

    made = run(call, pack, unpack)
    try:
        made.gradients()
    except Exception:  # a formula may not stand hooks; then the graph alone is read
        return _Hidden({})
    saved = {}
    for place, (_, _, tensor) in enumerate(made.tensors):
        numbers = [n for n, one in enumerate(packed) if memory(one) & memory(tensor)]
        if numbers:
            saved[place] = any(n in asked for n in numbers)
    return _Hidden(saved)


def _do(call: Call, place: int, subject: Subject, reference: tuple, hidden: _Hidden) -> Subject:
    """The subject with what came of overwriting it."""
    verdict, text = _try(call, place, reference)
    used = None
    if subject.kept and verdict == "error" and (subject.dtype.is_floating_point or subject.dtype.is_complex):
        used = _used(call, place, reference)
    return replace(subject, verdict=verdict, text=text, used=used, note=_note(subject, verdict, place, hidden))


def _try(call: Call, place: int, reference: tuple) -> tuple[str, str]:
    """(verdict, torch's words) of overwriting one tensor after the call, each of two ways."""
    refusal = _write_refused(call, place)
    if refusal:
        return "not writable", refusal
    for way in WAYS:
        made = run(call)
        tensor = made.tensors[place][2]
        with torch.no_grad():
            _overwrite(tensor, way)
        try:
            gradient = made.gradients()
        except RuntimeError as error:
            return "error", str(error)
        if not _same(gradient, reference):
            return "silent", ""
    return "free", ""


def _write_refused(call: Call, place: int) -> str:
    """Torch's words where it refuses an ordinary write, as a program would do it; leaves are written under no_grad."""
    made = run(call)
    tensor = made.tensors[place][2]
    try:
        with torch.set_grad_enabled(not (tensor.is_leaf and tensor.requires_grad)):
            _overwrite(tensor, 0)
    except (RuntimeError, NotImplementedError) as error:
        return str(error)
    return ""


def _used(call: Call, place: int, reference: tuple) -> bool | None:
    """Whether the gradient depends on the numbers kept: they are overwritten around the version counter.

    None where the gradient has NaN in it, which might hide that it does.
    """
    if any(_nan(reference)):
        return None
    for way in WAYS:
        made = run(call)
        tensor = made.tensors[place][2]
        _overwrite(tensor.data, way)
        try:
            gradient = made.gradients()
        except RuntimeError:  # the formula choked on the other numbers, so it looked at them
            return True
        if not _same(gradient, reference):
            return True
    return False


def _overwrite(tensor: torch.Tensor, way: int) -> None:
    if tensor.layout == torch.strided:
        tensor.copy_(other_numbers(tensor, way))
    else:
        tensor.mul_((-1.75, 0.5, torch.nan, 0)[way])  # a sparse tensor takes no dense numbers


def other_numbers(tensor: torch.Tensor, way: int) -> torch.Tensor:
    """Numbers to overwrite ``tensor`` with: other ones everywhere, of any dtype, and of its own range for integers.

    Integers may be indices, so they are taken from those that are there. The first two ways differ in sign and size.
    The others are NaN and 0 everywhere (for integers and bools the first again): what only compares numbers with others
    gives something else for one of them.
    """
    here = tensor.detach()
    if here.dtype == torch.bool:
        return torch.zeros_like(here) if way == 1 else ~here
    if here.dtype == torch.complex32:  # torch can store these, and not reckon with them
        return other_numbers(here.to(torch.complex64), way).to(here.dtype)
    if here.is_floating_point() or here.is_complex():
        if way > 1:
            return torch.full_like(here, torch.nan if way == 2 else 0)
        finite = torch.nan_to_num(here, nan=0.5, posinf=2.0, neginf=-2.0)
        return finite * 0.5 + 0.75 if way == 0 else finite * -1.75 - 0.375
    if here.numel() == 0:
        return here.clone()
    low, high = here.min(), here.max()
    if bool(low == high):
        return torch.zeros_like(here) if bool(low != 0) else torch.ones_like(here)
    return torch.full_like(here, int(low)) if way == 1 else (low + high) - here


def _note(subject: Subject, verdict: str, place: int, hidden: _Hidden) -> str:
    """What was measured that explains a difference between reading and doing."""
    if subject.read == verdict:
        return ""
    asked = hidden.saved.get(place)
    if verdict == "not writable":
        return "the write itself was refused, which the graph does not show"
    if subject.read == "error" and verdict == "free" and asked is False:
        return "kept, but backward of this loss never asked for it"
    if subject.read == "silent" and verdict == "free":
        return "kept without a version, but the gradient does not depend on its numbers"
    if subject.read == "free" and asked is not None:
        return "saved by a node that Python cannot look into; the hooks of saved tensors saw it"
    if verdict == "silent":
        return "some code of the call holds on to this memory outside of the graph"
    return ""


def _same(one: tuple, other: tuple) -> bool:
    """Whether two runs gave the same gradients, to the rounding of their dtype; NaN equals NaN."""
    for left, right in zip(one, other, strict=True):
        if left is None or right is None:
            if left is not right:
                return False
            continue
        left, right = dense(left), dense(right)
        eps = torch.finfo(left.dtype).eps
        if left.shape != right.shape or not torch.allclose(left, right, rtol=8 * eps, atol=eps, equal_nan=True):
            return False
    return True


def _nan(gradients: tuple[torch.Tensor | None, ...]) -> list[bool]:
    """For each number of all gradients whether it is NaN."""
    given = [dense(one) for one in gradients if one is not None]
    return [nan for one in given for nan in torch.isnan(one).flatten().tolist()]


def _first_sentence(error: BaseException) -> str:
    return str(error).strip().splitlines()[0].split(". ")[0].rstrip(".") + "."
