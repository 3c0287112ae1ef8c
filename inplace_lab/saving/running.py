"""One run of a call on fresh copies of its inputs, with the same random numbers each time."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

import torch

from .. import graph
from .calls import Call, mapped, tensors_in

_SEED = 20240229


@dataclass(frozen=True)
class Run:
    """One call on fresh copies: (role, name, tensor) of what went in and came out, and the loss that was made of it."""

    tensors: tuple[tuple[str, str, torch.Tensor], ...]
    nodes: tuple[object, ...]
    loss: torch.Tensor
    leaves: tuple[torch.Tensor, ...]
    held: tuple[torch.Tensor, ...]  # the function itself, and what else must outlive the graph

    def gradients(self) -> tuple[torch.Tensor | None, ...]:
        seed(_SEED + 1)
        return torch.autograd.grad(self.loss, self.leaves, allow_unused=True)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Leave the caller's random numbers and modes as they were."""
    with kept_random_state(), torch.inference_mode(False), torch.enable_grad():
        with torch.autograd.set_detect_anomaly(False):
            yield


def kept_random_state() -> AbstractContextManager[None]:
    """Afterwards torch draws the same random numbers as if nothing had been drawn in between."""
    return torch.random.fork_rng(range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ())


def seed(number: int) -> None:
    """``torch.manual_seed`` for the devices in use; that itself also prepares those that are not, which is slow."""
    torch.default_generator.manual_seed(number)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(number)


class _Copy(torch.autograd.Function):
    """A copy in memory of its own with the same strides, which saves nothing: a non-leaf that may be written to."""

    @staticmethod
    def forward(ctx, tensor):
        return _same_layout(tensor)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def _same_layout(tensor: torch.Tensor) -> torch.Tensor:
    """A copy whose elements overlap just as the original's do."""
    if tensor.layout != torch.strided or type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        return tensor.detach().clone()
    plain = tensor.detach().resolve_conj().resolve_neg()
    memory = plain.untyped_storage().clone()
    fresh = torch.empty(0, dtype=plain.dtype, device=plain.device)
    return fresh.set_(memory, plain.storage_offset(), plain.size(), plain.stride())


def run(call: Call, seen: Callable[[torch.Tensor], object] | None = None, asked: Callable | None = None) -> Run:
    """Call the function once on fresh copies. With ``seen`` every tensor that it saves is shown to it."""
    seed(_SEED)
    function = copy.deepcopy(call.function) if isinstance(call.function, torch.nn.Module) else call.function
    copies: dict[int, torch.Tensor] = {}

    def fresh(tensor: torch.Tensor) -> torch.Tensor:
        if id(tensor) not in copies:
            if id(tensor) in call.differentiable:
                copies[id(tensor)] = _Copy.apply(_same_layout(tensor).requires_grad_())
            else:
                copies[id(tensor)] = _same_layout(tensor)
        return copies[id(tensor)]

    arguments, keywords = mapped((call.arguments, call.keywords), fresh)
    given = list(zip(call.names, (t for _, t in tensors_in((arguments, keywords))), strict=True))
    if not given:
        raise ValueError(f"{call.title} was given no tensor, so it keeps none: hand its inputs to probe.")
    if seen is None:
        result = function(*arguments, **keywords)
    else:
        with torch.autograd.graph.saved_tensors_hooks(seen, asked):
            result = function(*arguments, **keywords)
    outputs = list(tensors_in(result, "output"))
    tensors = [*_unique(("input", name, tensor) for name, tensor in given)]
    if isinstance(function, torch.nn.Module):
        tensors += [("parameter", name, one) for name, one in function.named_parameters()]
        tensors += [("buffer", name, one) for name, one in function.named_buffers()]
    tensors += _unique(("output", name, tensor) for name, tensor in outputs)
    nodes = tuple(dict.fromkeys(node for _, tensor in outputs for node in graph.nodes(tensor)))
    loss = _loss(result, call)
    own = [node for node in nodes if node.name() != "_CopyBackward"]
    leaves = tuple(node.variable for node in graph.nodes(loss) if hasattr(node, "variable"))
    return Run(tuple(tensors), tuple(own), loss, leaves, (function, result))


def _unique(tensors: Iterable[tuple[str, str, torch.Tensor]]) -> list[tuple[str, str, torch.Tensor]]:
    """The same without the second mention of a tensor that was handed over twice."""
    return list({id(tensor): (role, name, tensor) for role, name, tensor in reversed(list(tensors))}.values())[::-1]


def _loss(result: object, call: Call) -> torch.Tensor:
    """A number that every output counts towards, with different weights; its own nodes keep none of the outputs."""
    if call.finish is not None:
        # What it saves are copies.
        result = call.finish(mapped(result, lambda tensor: tensor.clone() if tensor.requires_grad else tensor))
    parts = []
    for _, tensor in tensors_in(result):
        if tensor.requires_grad:
            numbers = dense(tensor)
            if numbers.dtype == torch.complex32:  # which cannot be summed
                numbers = numbers.to(torch.complex64)
            ramp = torch.arange(numbers.numel(), device=numbers.device) % 7 + 1
            total = (numbers * (ramp.reshape(numbers.shape) / 4).to(numbers.dtype)).sum()
            parts.append((total.real + total.imag if total.is_complex() else total).double())
    if not parts:
        raise ValueError(f"No output of {call.title} requires grad, so nothing is kept for a backward.")
    return torch.stack(parts).sum()


def dense(tensor: torch.Tensor) -> torch.Tensor:
    return tensor if tensor.layout == torch.strided else tensor.to_dense()
