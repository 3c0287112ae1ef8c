"""One memory, two tensors: as the CPU sees it and as the simulated device does.

A DLPack capsule (https://dmlc.github.io/dlpack/latest/c_api.html) carries an address, sizes, strides, a data type and
a device. Changing the device in the capsule before torch takes it back gives a second tensor over the same memory,
which keeps the first alive: an ordinary ``torch.Tensor``, with a storage and a version counter of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import torch
from torch.utils.dlpack import DLDeviceType, to_dlpack

#: A DLManagedTensor begins with ``void* data``, then ``int32_t device_type`` and ``int32_t device_id``.
_DEVICE_TYPE = ctypes.sizeof(ctypes.c_void_p)

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

_HOST = int(DLDeviceType.kDLCPU)
_DEVICE = int(DLDeviceType.kDLExtDev)


def on_host(tensor: torch.Tensor) -> torch.Tensor:
    """A CPU tensor over the memory of a simulated one; it requires no gradient."""
    return _signed(tensor, _relabelled(tensor, _HOST))


def on_host_together(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """CPU tensors over the memory of simulated ones, of which those that share a storage share one again.

    Only so do the CPU's kernels notice that they would read what they write.
    """
    storages: dict[int, torch.UntypedStorage] = {}
    hosts = []
    for tensor in tensors:
        storage = tensor.untyped_storage()
        if storage._cdata not in storages:
            whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
            storages[storage._cdata] = _relabelled(whole, _HOST).untyped_storage()
        host = torch.empty(0, dtype=tensor.dtype, device="cpu")
        view = storages[storage._cdata], tensor.storage_offset(), tensor.shape, tensor.stride()
        hosts.append(_signed(tensor, torch.ops.aten.set_.source_Storage_storage_offset(host, *view)))
    return hosts


def _signed(tensor: torch.Tensor, host: torch.Tensor) -> torch.Tensor:
    """``host`` with the two lazy signs that a tensor carries beside its memory, and a capsule does not."""
    if tensor.is_conj():
        host = host.conj()
    return torch._neg_view(host) if tensor.is_neg() else host


def on_device(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of the simulated device over the memory of a CPU one.

    Raises NotImplementedError for a sparse or quantized tensor: the simulated device has none.
    """
    if tensor.layout is not torch.strided or tensor.is_quantized:
        kind = "quantized" if tensor.is_quantized else tensor.layout
        raise NotImplementedError(f"The simulated device has dense tensors only, no {kind} ones: use the CPU for them.")
    return _relabelled(tensor, _DEVICE)


def _relabelled(tensor: torch.Tensor, kind: int) -> torch.Tensor:
    capsule = to_dlpack(tensor)
    ctypes.c_int32.from_address(_pointer(capsule, b"dltensor") + _DEVICE_TYPE).value = kind
    return torch._C._from_dlpack(capsule)
