"""A call to measure: its arguments with their names, and tensors in nested lists, tuples and dicts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import torch


@dataclass(frozen=True)
class Call:
    """A call to measure. finish turns its outputs into what the loss is made of (None: the outputs themselves)."""

    function: Callable
    arguments: tuple[object, ...]
    keywords: dict[str, object] = field(default_factory=dict)
    finish: Callable[[object], object] | None = None
    name: str = ""

    @property
    def title(self) -> str:
        """The name of what is called."""
        owner = _function_class(self.function)
        named = owner or self.function
        return self.name or getattr(named, "__name__", "") or type(self.function).__name__

    @cached_property
    def names(self) -> list[str]:
        """The name of each tensor among the arguments, in the order in which ``tensors_in`` meets them."""
        positional = zip(_parameter_names(self.function, len(self.arguments)), self.arguments, strict=True)
        return [name for top, value in (*positional, *self.keywords.items()) for name, _ in tensors_in(value, top)]

    @cached_property
    def differentiable(self) -> set[int]:
        """The ids of the tensors that get a gradient."""
        given = [tensor for _, tensor in tensors_in((self.arguments, self.keywords))]
        wanted = [tensor for tensor in given if tensor.requires_grad]
        return {id(t) for t in wanted or [t for t in given if t.is_floating_point() or t.is_complex()]}


def tensors_in(value: object, name: str = "") -> Iterator[tuple[str, torch.Tensor]]:
    """(name, tensor) for each tensor in nested lists, tuples and dicts."""
    if isinstance(value, torch.Tensor):
        yield name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from tensors_in(item, f"{name}[{key!r}]")
    elif isinstance(value, tuple | list):
        fields = _field_names(value)
        for number, item in enumerate(value):
            yield from tensors_in(item, fields[number] if fields else f"{name}[{number}]")


def _field_names(value: tuple | list) -> tuple[str, ...]:
    """The names of a named tuple's fields, torch's own return types among them."""
    kind = type(value)
    names = getattr(kind, "_fields", None) or (getattr(kind, "__match_args__", None) if kind is not tuple else None)
    return tuple(names) if names and len(names) == len(value) else ()


def mapped(value: object, change: Callable[[torch.Tensor], torch.Tensor]) -> object:
    """The same nested lists, tuples and dicts with ``change`` applied to each tensor."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, tuple):
        items = [mapped(item, change) for item in value]
        if type(value) is tuple:
            return tuple(items)
        if isinstance(value, torch.Size):
            return value
        return type(value)(*items) if hasattr(type(value), "_fields") else type(value)(items)
    return value


def _function_class(function: Callable) -> type | None:
    """The ``autograd.Function`` whose ``apply`` this is; None for anything else."""
    owner = getattr(function, "__self__", None)
    return owner if isinstance(owner, type) and issubclass(owner, torch.autograd.Function) else None


def _parameter_names(function: Callable, count: int) -> list[str]:
    """The names of the first ``count`` positional parameters, as far as Python or torch tell them."""
    target = function.forward if isinstance(function, torch.nn.Module) else function
    owner = _function_class(function)
    if owner is not None:
        own_context = owner.setup_context is torch.autograd.Function.setup_context  # then forward takes ctx first
        target = partial(owner.forward, None) if own_context else owner.forward
    names: list[str] = []
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        stand_in = torch.overrides.get_testing_overrides().get(target)  # torch's list of its functions' signatures
        signature = inspect.signature(stand_in) if stand_in is not None else None
    for parameter in signature.parameters.values() if signature else ():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
        elif parameter.kind == parameter.VAR_POSITIONAL:
            rest = count - len(names)
            names += [parameter.name] if rest == 1 else [f"{parameter.name}[{number}]" for number in range(rest)]
    if not signature:
        names = ["input"] if count == 1 else [f"input[{number}]" for number in range(count)]
    return (names + [f"argument {number}" for number in range(len(names), count)])[:count]
