"""What the simulated device computes with: a check of the devices, then the CPU's kernel on the same memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch

from . import engine
from .memory import on_device, on_host, on_host_together
from .rules import NAME, base_name, check

_CPU = torch.device("cpu")
_CPU_KERNEL = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)

#: Operators that take a number for a tensor, which counts for less than a 0-dim tensor in the dtype of the result.
_TAKE_NUMBERS = frozenset({"add", "div", "floor_divide", "mul", "sub"})

#: Numbers drawn on the device come from a generator of its own, as on a GPU; ``torch.manual_seed`` seeds it too.
generator = torch.Generator()


def is_simulated(value: object) -> bool:
    """Whether ``value`` is a tensor of the simulated device."""
    return isinstance(value, torch.Tensor) and value.device.type == NAME


@dataclass(frozen=True)
class _Plan:
    """What an operator's schema says about its arguments and results."""

    names: tuple[str, ...]  # of all arguments
    writes: tuple[str, ...]  # of those written
    returned: tuple[str | None, ...]  # for each result the written argument that it is, None for a new tensor
    is_view: bool
    draws: bool  # takes a generator
    tensors: tuple[str, ...]  # arguments that are one tensor


@cache
def _plan(op: torch._ops.OpOverload) -> _Plan:
    arguments = op._schema.arguments
    written = {
        frozenset(one.alias_info.before_set): one.name
        for one in arguments
        if one.alias_info and one.alias_info.is_write
    }
    results = [one.alias_info for one in op._schema.returns]
    return _Plan(
        names=tuple(one.name for one in arguments),
        writes=tuple(written.values()),
        returned=tuple(written.get(frozenset(info.before_set)) if info else None for info in results),
        is_view=any(info and not info.is_write for info in results),
        draws=any(one.name == "generator" for one in arguments),
        tensors=tuple(one.name for one in arguments if str(one.type) in ("Tensor", "Optional[Tensor]")),
    )


def fallback(op: torch._ops.OpOverload, *args: object, **kwargs: object) -> object:
    """Any operator for which torch has no kernel that suits every device.

    Raises RuntimeError with torch's sentence when the tensors are on two devices, and what the CPU's kernel raises.
    """
    __tracebackhide__ = True  # IPython leaves such frames out
    if engine.refusal():
        raise RuntimeError(engine.refusal())
    plan = _plan(op)
    given = dict(zip(plan.names, args, strict=False)) | kwargs
    check(op, given, plan.writes)
    # A TorchFunctionMode has seen the call already; it must not see what the device does inside.
    with torch._C.DisableTorchFunction():
        if plan.is_view:
            # View kernels touch no memory and keep the device of what they are given.
            return op.redispatch(_CPU_KERNEL, *args, **kwargs)
        return _compute(op, plan, given)


def _compute(op: torch._ops.OpOverload, plan: _Plan, given: dict[str, object]) -> object:
    __tracebackhide__ = True
    host = {name: _to_host(value) for name, value in given.items()}
    targets = [name for name in plan.writes if is_simulated(given.get(name))]
    if targets:
        _share_alike(plan, given, host)
    for name in plan.tensors:
        if isinstance(host.get(name), int | float | complex) and base_name(op) not in _TAKE_NUMBERS:
            host[name] = _number(host[name], host)
    if plan.draws:
        host["generator"] = _generator(given.get("generator"))
    # Memory that is shared cannot grow: where an ``out=`` may have to, an ordinary CPU tensor stands in.
    for name in targets:
        if given[name].numel() == 0:
            host[name] = host[name].clone()
    try:
        result = op(**host)
    except RuntimeError as error:
        if "storage that is not resizable" not in str(error):
            raise
        host |= {name: host[name].clone() for name in targets}
        result = op(**host)
    for name in targets:
        _adopt(given[name], host[name])
    return _handed_back(plan, given, result)


def _share_alike(plan: _Plan, given: dict[str, object], host: dict[str, object]) -> None:
    """Where single arguments share a storage, let what stands for them on the CPU share one too."""
    names = [name for name in plan.tensors if is_simulated(given.get(name))]
    if len({given[name].untyped_storage()._cdata for name in names}) < len(names):
        host.update(zip(names, on_host_together([given[name] for name in names]), strict=True))


def _number(number: complex, host: dict[str, object]) -> torch.Tensor:
    """A tensor for a number that torch had wrapped in one and unwrapped for Python; it promotes no other dtype."""
    others = [one for one in host.values() if isinstance(one, torch.Tensor)]
    flat = all(one.dim() == 0 for one in others)
    return torch.tensor(number, dtype=torch.result_type(others[0], number) if flat and others else None)


def _to_host(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return on_host(value) if value.device.type == NAME else value
    if isinstance(value, list | tuple):
        return [_to_host(one) for one in value]
    return _CPU if isinstance(value, torch.device) else value


def _to_device(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return on_device(value)
    return [_to_device(one) for one in value] if isinstance(value, list | tuple) else value


def _generator(given: torch.Generator | None) -> torch.Generator:
    if given is None or given is generator:
        return generator
    # The sentence with which CUDA refuses a CPU generator.
    raise RuntimeError(f"Expected a '{NAME}' device type for generator but found '{given.device.type}'")


def _adopt(tensor: torch.Tensor, host: torch.Tensor) -> None:
    """Give ``tensor`` the memory and the shape that the CPU's kernel gave to what stood in for it."""
    if host.data_ptr() != tensor.data_ptr():
        source = on_device(host)
        _set(tensor, source.untyped_storage(), 0, host.shape, host.stride())
    elif host.shape != tensor.shape:
        _set(tensor, tensor.untyped_storage(), tensor.storage_offset(), host.shape, host.stride())


def _set(
    tensor: torch.Tensor, storage: torch.UntypedStorage, offset: int, size: tuple[int, ...], stride: tuple[int, ...]
) -> None:
    torch.ops.aten.set_.source_Storage_storage_offset.redispatch(_CPU_KERNEL, tensor, storage, offset, size, stride)


def _handed_back(plan: _Plan, given: dict[str, object], result: object) -> object:
    if not plan.returned:
        return None
    if len(plan.returned) == 1:
        (name,) = plan.returned
        return _to_device(result) if name is None else given[name]
    pairs = zip(plan.returned, result, strict=True)
    return tuple(_to_device(one) if name is None else given[name] for name, one in pairs)


# --- kernels of their own: what makes memory, moves it or changes what a tensor points to


def _require(device: torch.device | None) -> None:
    if engine.refusal():
        raise RuntimeError(engine.refusal())
    if device is not None and device.type == NAME and device.index:
        raise RuntimeError(f"There is one simulated device, {NAME}:0, and no {device}.")


def empty(
    size: list[int],
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    _require(device)
    return on_device(torch.empty(size, dtype=dtype, layout=layout, device=_CPU, memory_format=memory_format))


def empty_strided(
    size: list[int],
    stride: list[int],
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
) -> torch.Tensor:
    _require(device)
    return on_device(torch.empty_strided(size, stride, dtype=dtype, layout=layout, device=_CPU))


def zero_tensor(
    size: list[int], *, dtype: torch.dtype | None = None, device: torch.device | None = None, **rest: object
) -> torch.Tensor:
    """``_efficientzerotensor``, which elsewhere has no memory at all."""
    _require(device)
    return on_device(torch.zeros(size, dtype=dtype, device=_CPU))


def copy_from(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Between any two devices, one of them simulated."""
    with torch._C.DisableTorchFunction():
        if source.device == target.device:
            source, host = on_host_together([source, target])
        else:
            source, host = _to_host(source), _to_host(target)
        host.copy_(source)
    return target


def to_copy(
    source: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    layout: torch.layout | None = None,
    device: torch.device | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """``_to_copy`` from the simulated device to any; elsewhere torch would want pinned memory with ``non_blocking``."""
    _require(device)
    stays = device is None or device.type == NAME
    with torch._C.DisableTorchFunction():
        copy = torch.ops.aten._to_copy(
            on_host(source), dtype=dtype, layout=layout, device=_CPU if stays else device, memory_format=memory_format
        )
    return on_device(copy) if stays else copy


def resize(tensor: torch.Tensor, size: list[int], *, memory_format: torch.memory_format | None = None) -> torch.Tensor:
    with torch._C.DisableTorchFunction():
        host = on_host(tensor)
        room = tensor.untyped_storage().nbytes()
        wanted = torch.empty(size, dtype=tensor.dtype, device="meta", memory_format=memory_format)
        if (tensor.storage_offset() + wanted.numel()) * tensor.itemsize <= room:
            _set(tensor, tensor.untyped_storage(), tensor.storage_offset(), size, wanted.stride())
        else:
            grown = torch.empty(size, dtype=tensor.dtype, device=_CPU, memory_format=memory_format)
            flat = torch.as_strided(host, (min(host.numel(), grown.numel()),), (1,))
            torch.as_strided(grown, flat.shape, (1,)).copy_(flat)
            _adopt(tensor, grown)
    return tensor


def set_offset(
    tensor: torch.Tensor, source: torch.UntypedStorage, offset: int, size: list[int], stride: list[int] | None = None
) -> torch.Tensor:
    if source.device.type != NAME:
        raise RuntimeError(
            f'Attempted to set the storage of a tensor on device "{NAME}:0" to a storage on different device '
            f'"{source.device}".  This is no longer allowed; the devices must match.'
        )
    _set(tensor, source, offset, size, stride or torch.empty(size, device="meta").stride())
    return tensor


def set_storage(tensor: torch.Tensor, source: torch.UntypedStorage) -> torch.Tensor:
    return set_offset(tensor, source, 0, [source.nbytes() // tensor.itemsize])


def set_tensor(tensor: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    return set_offset(tensor, source.untyped_storage(), source.storage_offset(), source.shape, source.stride())


def set_nothing(tensor: torch.Tensor) -> torch.Tensor:
    return set_tensor(tensor, torch.empty(0, dtype=tensor.dtype, device=NAME))


def pin_memory(tensor: torch.Tensor, device: torch.device | None = None) -> torch.Tensor:
    """For a CPU tensor: a copy, as on a GPU, but in ordinary memory."""
    return tensor.clone()


def convolution(*args: object) -> object:
    """``convolution_overrideable``, by which torch asks a device of this kind for all convolutions."""
    return fallback(torch.ops.aten.convolution.default, *args)


def convolution_backward(
    grad: torch.Tensor, input: torch.Tensor, weight: torch.Tensor, *rest: object
) -> tuple[torch.Tensor | None, ...]:
    """``rest``: stride, padding, dilation, transposed, output_padding, groups, and which of the three are wanted."""
    transposed, groups, wanted = rest[3], rest[5], rest[6]
    bias = [weight.shape[1] * groups if transposed else weight.shape[0]] if wanted[2] else None
    return fallback(torch.ops.aten.convolution_backward.default, grad, input, weight, bias, *rest)


def linalg_solve_ex(*args: object, **kwargs: object) -> object:
    """Torch's own way here would end in an INTERNAL ASSERT when the devices are mixed."""
    return fallback(torch.ops.aten._linalg_solve_ex.default, *args, **kwargs)


def fused_cell(*args: object) -> object:
    """The inner step of ``nn.LSTM`` and ``nn.GRU`` on any GPU; the CPU has no such kernel."""
    raise NotImplementedError("The simulated device has no LSTM and no GRU: use the CPU for them.")


KERNELS = {
    "empty.memory_format": empty,
    "empty_strided": empty_strided,
    "_efficientzerotensor": zero_tensor,
    "_copy_from": copy_from,
    "_to_copy": to_copy,
    "resize_": resize,
    "set_": set_nothing,
    "set_.source_Storage": set_storage,
    "set_.source_Storage_storage_offset": set_offset,
    "set_.source_Tensor": set_tensor,
    "_linalg_solve_ex": linalg_solve_ex,
    "_thnn_fused_lstm_cell": fused_cell,
    "_thnn_fused_gru_cell": fused_cell,
    "convolution_overrideable": convolution,
    "convolution_backward_overrideable": convolution_backward,
}
