"""Where in the program a call of torch was made: the line a person wrote, not the lines of torch beneath it.

The place of a call is the innermost frame outside torch, outside Python's own library and outside the doctor, with
the frames of the program that led to it. A place holds file names and numbers only, never a frame: a frame would keep
the program's tensors alive.
"""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from dataclasses import dataclass
from types import CodeType, FrameType

import torch

_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STANDARD = os.path.abspath(sysconfig.get_path("stdlib")) + os.sep
_GENERATED = ("<frozen ", "<eval_with_key>", "<__array_function__", "<@")

#: How many frames of the program make one place, and how many frames in all are looked at: a matter of speed.
_PATH, _HOPS = 3, 40


@dataclass(frozen=True)
class Place:
    """A line of the program: ``file``, ``line`` and its text ``code`` ("" where the source cannot be read)."""

    file: str
    line: int
    code: str

    def as_dict(self) -> dict[str, object]:
        return {"file": self.file, "line": self.line, "code": self.code}


@dataclass(frozen=True)
class Site:
    """A place where torch was called.

    ``path``: the lines of the program that led here, outermost first, without the place itself. ``function``: the
    function of the place ("<module>" at the top). ``via``: what the line called, where that is not the torch function
    itself ("SGD.step", "Module.load_state_dict"). ``module``: the innermost ``nn.Module`` of torch in between.
    ``offset``: which instruction of the code it is, so that two calls on one line are told apart.
    """

    place: Place
    path: tuple[Place, ...]
    function: str
    via: str
    module: str
    offset: int


def place(file: str, line: int) -> Place:
    """The line ``line`` of ``file`` with its text."""
    return Place(file, line, linecache.getline(file, line).strip())


def is_inside(code: CodeType) -> bool:
    """Whether ``code`` is torch's, Python's own or the doctor's, and so not a line that a person can change."""
    file = code.co_filename
    if file.startswith((_TORCH, _HERE, *_GENERATED)):
        return True
    return file.startswith(_STANDARD) and "site-packages" not in file and "dist-packages" not in file


class Sites:
    """All places seen so far, each under a number. Finding a known place costs about a microsecond."""

    def __init__(self) -> None:
        self._inside: dict[int, bool] = {}
        self._codes: list[CodeType] = []  # kept, so that the id of a code object means one code object
        self._numbers: dict[tuple[int, ...], int] = {}
        self._sites: list[Site] = []
        #: The id of the frame that holds the block; from there upwards nothing is part of a path.
        self.base = 0

    def __getitem__(self, number: int) -> Site:
        return self._sites[number]

    def add(self, site: Site) -> int:
        """The number of a place that was found by other means."""
        self._sites.append(site)
        return len(self._sites) - 1

    def number(self, below: bool = False) -> int:
        """The number of the place from which torch was called; -1 when no frame of the program is above.

        ``below``: tell apart what the line called in torch, too (two modules of one ``Sequential``).
        """
        inside = self._inside
        frame = sys._getframe(1)
        key: list[int] = []
        hops = lines = 0
        while frame is not None and hops < _HOPS:
            code = frame.f_code
            known = inside.get(id(code))
            if known is None:
                known = self._learn(code)
            if not known:
                key.append(id(code))
                key.append(frame.f_lasti)
                lines += 1
                if lines == _PATH:
                    break
            elif below:
                key.append(id(code))
            frame = frame.f_back
            hops += 1
        number = self._numbers.get(tuple(key))
        if number is None:
            number = self._numbers[tuple(key)] = self._new(sys._getframe(1))
        return number

    def inside(self, code: CodeType) -> bool:
        """What ``is_inside`` says, looked up once for each piece of code."""
        known = self._inside.get(id(code))
        return self._learn(code) if known is None else known

    def _learn(self, code: CodeType) -> bool:
        self._codes.append(code)
        self._inside[id(code)] = known = is_inside(code)
        return known

    def _new(self, frame: FrameType | None) -> int:
        below: list[FrameType] = []
        while frame is not None and is_inside(frame.f_code):
            below.append(frame)
            frame = frame.f_back
        if frame is None:
            return -1
        here = place(frame.f_code.co_filename, frame.f_lineno)
        function, offset = frame.f_code.co_name, frame.f_lasti
        path = []
        frame = frame.f_back if id(frame) != self.base else None
        while frame is not None and id(frame) != self.base:
            if not is_inside(frame.f_code) and not _is_machinery(frame.f_code.co_filename):
                path.append(place(frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        via, module = _called(below)
        self._sites.append(Site(here, tuple(reversed(path)), function, via, module, offset))
        return len(self._sites) - 1


def _is_machinery(file: str) -> bool:
    """Whether a file belongs to what runs notebooks and tests: nobody looks for a training step there."""
    parts = file.replace("\\", "/").split("/")
    return any(part in ("IPython", "ipykernel", "_pytest", "pluggy", "xdist", "execnet") for part in parts)


def _called(below: list[FrameType]) -> tuple[str, str]:
    """What a line of the program called in torch, from the frames of torch below it (innermost first)."""
    modules = [type(owner).__name__ for frame in below if isinstance(owner := _self(frame), torch.nn.Module)]
    for frame in reversed(below):
        owner = _self(frame)
        if isinstance(owner, torch.optim.Optimizer):
            called = frame.f_code.co_name
            return f"{type(owner).__name__}.{called if called in ('zero_grad', 'load_state_dict') else 'step'}", ""
        if isinstance(owner, torch.optim.swa_utils.AveragedModel if "torch.optim.swa_utils" in sys.modules else ()):
            return f"{type(owner).__name__}.update_parameters", ""
        if frame.f_code.co_name == "load_state_dict":
            return "Module.load_state_dict", ""
    named = [frame for frame in below if _public(frame)]
    via = ""
    if named and not modules:
        outermost = named[-1].f_code
        owner = _self(named[-1])
        via = f"{type(owner).__name__}.{outermost.co_name}" if owner is not None else _dotted(named[-1])
        # Tensor.__iter__ and the like are how an operator works, not something that was called.
        via = "" if outermost.co_name.startswith("__") else via.removeprefix("Tensor.")
    return via, modules[0] if modules else ""


def _self(frame: FrameType) -> object:
    code = frame.f_code
    if code.co_argcount and code.co_varnames[0] == "self":
        return frame.f_locals.get("self")
    if code.co_name == "wrapper" and "args" in code.co_varnames:  # an optimizer's step is wrapped
        args = frame.f_locals.get("args")
        return args[0] if isinstance(args, tuple) and args else None
    return None


def _public(frame: FrameType) -> bool:
    code = frame.f_code
    file, name = code.co_filename, code.co_name
    hidden = name.startswith(("_", "<")) or name == "wrapped"  # `wrapped` stands around some operators
    return file.startswith(_TORCH) and not hidden and not file.endswith("overrides.py")


def _dotted(frame: FrameType) -> str:
    module = frame.f_globals.get("__name__", "")
    short = {"torch.nn.functional": "F", "torch.nn.init": "nn.init", "torch.nn.utils.clip_grad": "nn.utils"}
    return f"{short[module]}.{frame.f_code.co_name}" if module in short else frame.f_code.co_name
