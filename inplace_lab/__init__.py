"""In-Place Lab: which tensors may be changed in place, and which does backward still need?

``observe(Experiment(...))`` runs a few lines of PyTorch and records what torch did; ``Explorer()`` puts sliders on
it; ``cases()`` are the thirteen published cases. ``setup()`` is called by the first cell of every notebook.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from .catalogue import MUTATIONS, OPERATIONS, Mutation, Operation
from .experiment import Experiment, Write
from .matrix import Case, cases
from .observation import Backward, Failure, Node, Observation, Saved, Step, observe

if TYPE_CHECKING:
    from .explorer import Explorer
    from .picture import show

__version__ = "0.1.0"

__all__ = [
    "MUTATIONS",
    "OPERATIONS",
    "Backward",
    "Case",
    "Experiment",
    "Explorer",
    "Failure",
    "Mutation",
    "Node",
    "Observation",
    "Operation",
    "Saved",
    "Step",
    "Write",
    "cases",
    "observe",
    "setup",
    "show",
]

_OLDEST_TORCH = (2, 10)

#: Names whose modules import ipywidgets and Matplotlib: loaded when first asked for, since a grader never asks.
_LATER = {"Explorer": "explorer", "show": "picture"}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def setup() -> None:
    """Prepare this process for the lessons; call it before the first backward.

    Raises RuntimeError when the installed torch is older than the lessons support.
    """
    import torch

    installed = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if installed < _OLDEST_TORCH:
        wanted = ".".join(map(str, _OLDEST_TORCH))
        raise RuntimeError(
            f"These notebooks need torch {wanted} or newer, but torch {torch.__version__} is installed: "
            f'run  pip install "torch>={wanted}"  and restart the kernel.'
        )
