"""Where a student's tensors come from: looked up after a failure, so that the message can name the line to change.

A function that works is run plainly. One that mixed devices, returned a result on another device, asked for a device
that this machine does not have, or cut its result off from x is run once more under a `Watch`, which sees every call
of torch. It remembers of each tensor

    foreign   where it left x's device: the call that made it elsewhere, or moved it there
    cut       where it lost its way back to x

and hands on those of the tensors that matter as a *story*, plain JSON data:

    {"x": "simgpu:0", "foreign": {"how", "by", "line", "device", "told", "mask"}, "cut": {"by", "line"},
     "cuda": {"by", "line"}}

A story is a claim of the student's process and earns nothing: `explain_...` make sentences of it, on the other side.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Callable, Iterator

import torch
from torch.overrides import TorchFunctionMode

from autograder.exercises.kit.words import clean

LIBRARIES = ("torch", "autograder.", "inplace_lab.", "numpy", "contextlib")  # modules that are not the student's
MOST_TENSORS = 5000  # so many are remembered
LEAVES = ("numpy", "__array__", "tolist", "item", "__float__", "__int__")  # from a tensor to something that is none
NUMPY = (".numpy()", ".__array__()")
FACTORIES = (  # they take device=
    "arange as_tensor asarray empty eye full linspace logspace ones rand randint randn randperm tensor zeros".split()
)


def student_line() -> str:
    """The line of the student's that is running now, as text; "" if none is."""
    frame = sys._getframe(1)
    while frame is not None:
        if not str(frame.f_globals.get("__name__", "")).startswith(LIBRARIES):
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)
            return clean(line.strip(), 100)
        frame = frame.f_back
    return ""


class Watch(TorchFunctionMode):
    """Sees every call of torch in a `with` block, for a function that was given `x`."""

    def __init__(self, x: torch.Tensor) -> None:
        super().__init__()
        self._device = x.device
        self._kept: list[torch.Tensor] = []  # alive, so that an id stays that of its tensor
        self._foreign: dict[int, dict] = {}
        self._cut: dict[int, dict] = {}
        self._left: dict | None = None  # where the numbers last left torch
        self._refused: dict | None = None
        self._cuda: dict | None = None

    def __torch_function__(self, func: Callable, types: object, args: tuple = (), kwargs: dict | None = None) -> object:
        kwargs = kwargs or {}
        given = list(_tensors([args, kwargs]))
        try:
            result = func(*args, **kwargs)
        except Exception:
            known = [tensor for tensor in given if id(tensor) in self._foreign]
            known.sort(key=lambda tensor: tensor.dim() == 0)  # a single number may meet any device
            self._refused = self._foreign[id(known[0])] if known else None
            if _asks_for_cuda(func, args, kwargs):
                self._cuda = {"by": _spelled(func), "line": student_line()}
            raise
        if _name(func) in LEAVES and given:
            self._left = {"by": _spelled(func), "line": student_line()}
        for tensor in _tensors([result]):
            if len(self._kept) < MOST_TENSORS and all(tensor is not one for one in given):
                self._kept.append(tensor)
                self._note(tensor, func, given, kwargs)
        return result

    def _note(self, tensor: torch.Tensor, func: Callable, given: list[torch.Tensor], kwargs: dict) -> None:
        if tensor.device != self._device:
            before = [self._foreign[id(one)] for one in given if id(one) in self._foreign]
            moved = any(one.device == self._device for one in given)
            self._foreign[id(tensor)] = (before or [None])[0] or {
                "how": "moved" if moved else "made",
                "by": _spelled(func),
                "line": student_line(),
                "device": str(tensor.device),
                "told": "device" in kwargs,
            }
            self._foreign[id(tensor)] = self._foreign[id(tensor)] | {"mask": tensor.dtype == torch.bool}
        if tensor.requires_grad or not tensor.is_floating_point():
            return
        if any(one.requires_grad for one in given):
            by = _spelled(func) if torch.is_grad_enabled() else "torch.no_grad()"
            self._cut[id(tensor)] = {"by": by, "line": student_line()}
        elif before := [self._cut[id(one)] for one in given if id(one) in self._cut]:
            self._cut[id(tensor)] = before[0]
        elif not given and self._left is not None:
            self._cut[id(tensor)] = self._left

    def story(self, result: object) -> dict:
        """What is to be told of a call that returned `result`, or None for one that raised."""
        found: dict = {"x": str(self._device)}
        told = {
            "foreign": self._foreign.get(id(result)) or self._refused,
            "cut": self._cut.get(id(result)) or (self._left if isinstance(result, torch.Tensor) else None),
            "cuda": self._cuda,
        }
        return found | {key: value for key, value in told.items() if value is not None}


@contextlib.contextmanager
def availability(pretended: bool | None = None) -> Iterator[list[str]]:
    """Within, a student's code that asks `torch.cuda.is_available()` is told `pretended`; the first line is listed."""
    real, lines = torch.cuda.is_available, []

    def is_available() -> bool:
        caller = str(sys._getframe(1).f_globals.get("__name__", ""))
        if caller.startswith(LIBRARIES):
            return real()
        if not lines:
            lines.append(student_line())
        return real() if pretended is None else pretended

    torch.cuda.is_available = is_available
    try:
        yield lines
    finally:
        torch.cuda.is_available = real


def _tensors(values: object) -> Iterator[torch.Tensor]:
    for value in values.values() if isinstance(values, dict) else values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple, dict)):
            yield from _tensors(value)


def _asks_for_cuda(func: Callable, args: tuple, kwargs: dict) -> bool:
    devices = [value for value in (*args, *kwargs.values()) if isinstance(value, (str, torch.device))]
    return _name(func) == "cuda" or any(str(device).startswith("cuda") for device in devices)


def _name(func: Callable) -> str:
    """ "arange"; of an attribute, whose function is its getter, the attribute's name."""
    name = getattr(func, "__name__", "")
    return getattr(getattr(func, "__self__", None), "__name__", name) if name == "__get__" else name


def _spelled(func: Callable) -> str:
    """As a student writes it: torch.arange(...), .cpu(), .data."""
    name = _name(func)
    if getattr(func, "__name__", "") == "__get__":
        return f".{name}"
    if getattr(torch, name, None) is func:
        return f"torch.{name}(...)"
    return f".{name}()" if hasattr(torch.Tensor, name) else f"{name}(...)"


# Words, out of untrusted data


def explain_mixed(record: dict, called: str, text: str = "") -> str:
    """Why tensors of two devices met in a call that raised `text`; "" if the record tells nothing of it."""
    story = _part(record, "story")
    x, foreign = clean(story.get("x"), 30), _part(story, "foreign")
    if not x or not foreign:
        return ""
    said = f"In {called} two devices met: x is on {_the(x)}, and {_came(foreign)}"
    return _with_line(f"{said}{_hint_at_asking(record)}{_torch_says(text)}", foreign)


def explain_elsewhere(record: dict, device: str, found: str) -> str:
    """Why a result is on another device than the input."""
    said = f"The input is on {device}, the result is on {found}:"
    story = _part(record, "story")
    foreign, cut = _part(story, "foreign"), _part(story, "cut")
    if clean(cut.get("by"), 40) in NUMPY:
        numpy = "NumPy works on the CPU only, and an array carries no gradient. Stay with torch functions."
        return _with_line(f"{said} {numpy}", cut)
    if not foreign:
        return f"{said} make every new tensor on x.device."
    return _with_line(f"{said} {_came(foreign)}{_hint_at_asking(record)}", foreign)


def explain_cut(record: dict) -> str:
    """Why the result does not require grad."""
    cut = _part(_part(record, "story"), "cut")
    by = clean(cut.get("by"), 40)
    advice = "Let every step from x to the result be a torch operation."
    if not by:
        every = "detach(), .data, .item(), torch.tensor(...), NumPy or no_grad"
        return f"The output does not require grad: something cut it off from x ({every}). {advice}"
    if by in NUMPY:
        why = f"{by} made a NumPy array of it, which carries no gradient. {advice}"
    elif by == "torch.no_grad()":
        why = "it was computed under torch.no_grad(), where autograd does not look. Compute it outside."
    elif by in (".detach()", ".data"):
        why = (
            f"{by} cut it off from x, and a clone() of that stays cut off. "
            f"Leave {by} out, at least on one way from x to the result."
        )
    else:
        why = f"{by} cut it off from x: it copies numbers, not their history. {advice}"
    return _with_line(f"The output does not require grad: {why}", cut)


def explain_cuda(record: dict, called: str, text: str = "") -> str:
    """That a call asked for CUDA by name where there is none; "" if the record tells nothing of it."""
    cuda = _part(_part(record, "story"), "cuda")
    if not cuda:
        return ""
    said = (
        f"{called} asks for CUDA by name ({clean(cuda.get('by'), 40)}), and this machine has none. Whether x is on the "
        "CPU or on a GPU, x.device says where: make new tensors with device=x.device, and move none."
    )
    return _with_line(f"{said}{_hint_at_asking(record)}{_torch_says(text)}", cuda)


def asks(record: dict) -> bool:
    """Whether a call of torch's asked for a CUDA device and was refused."""
    return bool(_part(_part(record, "story"), "cuda"))


def _came(foreign: dict) -> str:
    """How a tensor came to be elsewhere, and what to do instead."""
    by, place = clean(foreign.get("by"), 40), _the(clean(foreign.get("device"), 30))
    thing = "mask" if foreign.get("mask") is True else "tensor"
    if foreign.get("how") == "moved":
        return f"{by} moved your {thing} to {place}. Leave that out: the result belongs where x is."
    if by.removeprefix("torch.").removesuffix("(...)") not in FACTORIES:
        return f"your {thing} was made on {place} by {by}. Make it on x.device, or move it there with .to(x.device)."
    if foreign.get("told") is True:
        return f"your {thing} was made on {place}: give {by} device=x.device, not a device of your choice."
    return f"your {thing} was made on {place}: {by} needs device=x.device."


def _hint_at_asking(record: dict) -> str:
    if not clean(record.get("asked"), 100):
        return ""
    return " torch.cuda.is_available() says what the machine has, not where x is."


def _torch_says(text: str) -> str:
    return f" Torch says: {text}{'' if text.endswith(('.', '!', '?')) else '.'}" if text else ""


def _with_line(said: str, part: dict) -> str:
    line = clean(part.get("line"), 100)
    return f"{said} Your line: {line}" if line else said


def _the(device: str) -> str:
    return "the CPU" if device == "cpu" else device or "another device"


def _part(data: object, key: str) -> dict:
    part = data.get(key) if isinstance(data, dict) else None
    return part if isinstance(part, dict) else {}
