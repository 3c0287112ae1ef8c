"""A second device on a machine without a GPU: ``torch.ones(3, device="simgpu")`` after ``enable()``.

It is no GPU, and nothing may call it one. Its tensors are ordinary ``torch.Tensor`` objects over CPU memory, computed
with the CPU's kernels, but on a device of their own, ``simgpu:0``. So torch itself treats them as it treats those of
a GPU: they do not mix with CPU tensors, autograd runs their backward in a thread of the device, ``.numpy()`` refuses.

The device takes torch's one private slot for a backend, through the set-up for backends written in Python (torch 2.10
and later, experimental there). One kernel serves every operator for which torch has none that suits all devices
(``kernels``): it checks the devices (``rules``), looks at the same memory as CPU tensors (``memory``) and computes.

What differs from CUDA (all that is known; whatever else the tests try is the same):

=====================  ==============================================  ==============================================
what                   CUDA                                            simgpu
=====================  ==============================================  ==============================================
two devices in one     "... on the same device, but got mat2 is on     the sentence of element-wise functions, "...
call, in functions     cpu, different from other tensors on cuda:0     found at least two devices, simgpu:0 and cpu!",
that are not           (when checking argument in method ...)"         then "(when checking argument for argument
element-wise                                                           mat2 in method wrapper_simgpu_mm)"
the same in            sentences of their own                          the sentence of element-wise functions
masked_fill, index_put
type in the in-place   [torch.cuda.FloatTensor [5]]                    [simgpuFloatType [5]]
error
``tensor.type()``      torch.cuda.FloatTensor                          torch.simgpu.FloatTensor
``Module.to(device)``  the same Parameters, moved                      new Parameters (make the optimizer afterwards);
                                                                       ``x.data = `` a CPU tensor is refused
results                CUDA's own rounding                             the CPU's
random numbers         CUDA's own algorithm and generator              the CPU's algorithm, a generator of its own;
                                                                       torch.Generator("simgpu") cannot be made
time                   asynchronous                                    synchronous; 10 to 90 microseconds more a call
an index out of range  the process cannot use the GPU any more         IndexError, as on the CPU
an interrupt (the      KeyboardInterrupt                               the same, but now and then the process ends: 1
stop button)                                                           time in 10 in a loop of tiny operations
an error in backward   the traceback inside backward and the caller's  the same, with a frame of ``engine`` between
memory                 the GPU's, limited, with statistics             the CPU's, without
streams, graphs        there                                           not there
pinned memory          page-locked                                     an ordinary copy
sparse, quantized and  there                                           NotImplementedError
nested tensors, LSTM,
GRU
autocast               casts                                           warns and casts nothing
a second device        "cuda:1", where there are two                   never
is_cuda, .cuda(),      True, works, True                               False, raises, False: as on any machine without
torch.cuda.is_...                                                      a GPU
torch.accelerator      "cuda"                                          "simgpu"
a tensor that grows    in place; views follow                          in new memory; views keep the old
DLPack, sharing with   there                                           refused
other processes
fork                   children cannot use CUDA                        they can, until backward ran in the parent
=====================  ==============================================  ==============================================
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.utils import backend_registration

from . import engine
from .rules import NAME

__all__ = ["NAME", "Availability", "available", "enable", "enabled"]

#: Kernels are registered for as long as their library lives.
_libraries: list[torch.library.Library] = []


@dataclass(frozen=True)
class Availability:
    """Whether torch can have the simulated device; ``reason`` says why not, without a full stop."""

    available: bool
    reason: str = ""


def available() -> Availability:
    """Whether this torch can have the simulated device, or has it already."""
    if _libraries:
        return Availability(True)
    if not hasattr(backend_registration, "_setup_privateuseone_for_python_backend"):
        return Availability(
            False, f"torch {torch.__version__} takes no device that is written in Python, torch 2.10 and later do"
        )
    name = torch._C._get_privateuse1_backend_name()
    if name != "privateuseone" or hasattr(torch, name):
        return Availability(False, f"torch has one place for such a device, and {name!r} has taken it")
    return Availability(True)


def enabled() -> bool:
    """Whether the device was enabled in this process and can be used."""
    return bool(_libraries) and not engine.refusal()


def enable() -> None:
    """Add the device ``simgpu`` to this process; call it before the first backward. Calling it again does nothing.

    A process that forks may enable the device and compute on it, and backward runs in its children, as long as none
    ran in the process itself. For that reason enabling runs a backward only where an operation was recorded before.

    Raises RuntimeError with one sentence when a backward ran before (it says to restart the kernel), when this torch
    cannot have the device, or when another backend has taken its place.
    """
    if engine.refusal():
        raise RuntimeError(engine.refusal())
    if _libraries:
        return
    found = available()
    if not found.available:
        raise RuntimeError(f"The simulated device cannot be used: {found.reason}.")
    _register()
    if engine.graph_was_built():
        engine.prove()


def _register() -> None:
    from . import kernels, namespace, storages

    backend_registration._setup_privateuseone_for_python_backend(
        NAME, backend_module=namespace, device_guard=engine.Guard()
    )
    backend_registration.generate_methods_for_privateuse1_backend(
        for_tensor=False, for_module=False, for_packed_sequence=False, for_storage=True
    )
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(kernels.fallback, "PrivateUse1")
    everything.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    aten = torch.library.Library("aten", "IMPL")
    for name, kernel in kernels.KERNELS.items():
        aten.impl(name, kernel, "PrivateUse1")
    # Elsewhere `copy_` sees to the lazy signs of conjugate and negative views; here `_copy_from` does.
    for key in ("Conjugate", "Negative"):
        aten.impl("_copy_from", torch.library.fallthrough_kernel, key)
    # With any accelerator torch pins memory through it, so also for a DataLoader on the CPU.
    aten.impl("_pin_memory", kernels.pin_memory, "CPU")
    _libraries.extend([everything, aten])
    storages.support()
    engine.install()
