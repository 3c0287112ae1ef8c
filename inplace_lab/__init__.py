"""In-Place Lab: which tensors may be changed in place, and which does backward still need?

``observe(Experiment(...))`` runs a few lines of PyTorch and records what torch did; ``Explorer()`` puts sliders on
it; ``cases()`` are the thirteen published cases. ``setup()`` is called by the first cell of every notebook, and
``accelerator()`` is the GPU of this machine, or the simulated device that stands in for one.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from .catalogue import MUTATIONS, OPERATIONS, Mutation, Operation
from .devices import accelerator
from .experiment import Experiment, Write
from .matrix import Case, cases
from .observation import Backward, Failure, Node, Observation, Saved, Step, observe

if TYPE_CHECKING:
    from .atlas.browser import AtlasBrowser
    from .doctor import diagnose
    from .explorer import Explorer
    from .picture import show
    from .saving import Probe, probe
    from .sheet import cheat_sheet

__version__ = "0.1.0"

__all__ = [
    "MUTATIONS",
    "OPERATIONS",
    "AtlasBrowser",
    "Backward",
    "Case",
    "Experiment",
    "Explorer",
    "Failure",
    "Mutation",
    "Node",
    "Observation",
    "Operation",
    "Probe",
    "Saved",
    "Step",
    "Write",
    "accelerator",
    "cases",
    "cheat_sheet",
    "diagnose",
    "observe",
    "probe",
    "setup",
    "show",
]

_OLDEST_TORCH = (2, 10)

#: Names of modules that a grader never asks for, most of which import ipywidgets or Matplotlib: loaded when asked for.
_LATER = {
    "AtlasBrowser": "atlas.browser",
    "Explorer": "explorer",
    "Probe": "saving",
    "cheat_sheet": "sheet",
    "diagnose": "doctor",
    "probe": "saving",
    "show": "picture",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: object) -> None:
    """``%load_ext inplace_lab``: a cell that begins with ``%%diagnose`` is run under the doctor."""
    from .doctor import magic

    magic.register(shell)


def setup() -> None:
    """Prepare this process for the lessons; call it before the first backward. Calling it again does nothing.

    Where there is no GPU this enables the simulated one (``simgpu``). Where this torch cannot have one either, the
    lessons run on the CPU, and ``devices.devices()`` says why.

    Raises RuntimeError when the installed torch is older than the lessons support, and when backward ran before: the
    sentence says to restart the kernel.
    """
    import torch

    installed = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if installed < _OLDEST_TORCH:
        wanted = ".".join(map(str, _OLDEST_TORCH))
        raise RuntimeError(
            f"These notebooks need torch {wanted} or newer, but torch {torch.__version__} is installed: "
            f'run  pip install "torch>={wanted}"  and restart the kernel.'
        )

    from . import simgpu

    # Torch takes a device of this kind for its one accelerator, and is not to do so beside a real one.
    real = torch.cuda.is_available() or torch.backends.mps.is_available()
    if not real and simgpu.available().available:
        simgpu.enable()
