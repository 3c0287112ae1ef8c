"""Which operators take tensors of two devices, as CUDA has it.

Read in torch 2.13: ``native_functions.yaml`` names in ``device_check`` the operators whose CUDA kernels check their
arguments strictly, and those that leave it to ``TensorIterator``, which lets a 0-dim CPU tensor pass as a number. A
test holds the names here against that file. Operators that torch composes from others are never asked here; their
parts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch

NAME = "simgpu"

#: A 0-dim CPU tensor counts as a number, at any place but the result.
NUMBERS = frozenset(
    """
    add addcmul atan2 bernoulli binary_cross_entropy bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
    bitwise_xor copysign div eq fill floor_divide fmax fmin fmod ge gt heaviside hypot le lerp logical_and logical_or
    logical_xor lt maximum minimum mse_loss mul ne pow remainder rsub smooth_l1_loss special_chebyshev_polynomial_t
    special_chebyshev_polynomial_u special_chebyshev_polynomial_v special_chebyshev_polynomial_w
    special_hermite_polynomial_h special_hermite_polynomial_he special_laguerre_polynomial_l
    special_legendre_polynomial_p special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
    special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w special_xlog1py special_zeta sub
    where xlogy __lshift__ __rshift__ __ilshift__ __irshift__
    """.split()
)

#: A 0-dim CPU tensor counts as a number, but only as this argument.
NUMBER_ARGUMENT = {"masked_fill": "value", "index_fill": "value", "_index_put_impl": "values"}

#: CPU tensors are welcome in this list: they are copied to the device, being indices.
INDEX_ARGUMENT = {"index": "indices", "_index_put_impl": "indices", "_unsafe_index": "indices"}


def base_name(op: torch._ops.OpOverload) -> str:
    """``add`` for ``aten::add_.Tensor``: the name without namespace, overload and the mark of in-place forms."""
    name = op._schema.name.partition("::")[2]
    return name if name.endswith("__") else name.rstrip("_")


def tensors(value: object) -> Iterator[torch.Tensor]:
    """The tensors in one argument: itself, or those in a list."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from tensors(one)


def check(op: torch._ops.OpOverload, given: Mapping[str, object], writes: tuple[str, ...]) -> None:
    """Raise RuntimeError with torch's sentence about two devices where CUDA would refuse the arguments.

    ``given`` maps names to arguments, ``writes`` names those that are written.
    """
    __tracebackhide__ = True
    foreign = [
        (argument, one) for argument, value in given.items() for one in tensors(value) if one.device.type != NAME
    ]
    if not foreign:
        return
    name = base_name(op)
    if (
        name in INDEX_ARGUMENT
        and given["self"].device.type == "cpu"
        and any(map(_simulated, tensors(given["indices"])))
    ):
        raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
    for argument, tensor in foreign:
        if argument in writes or not _welcome(name, argument, tensor):
            raise RuntimeError(_sentence(name, argument, tensor.device))


def _simulated(tensor: torch.Tensor) -> bool:
    return tensor.device.type == NAME


def _welcome(name: str, argument: str, tensor: torch.Tensor) -> bool:
    if tensor.device.type != "cpu":
        return False
    if INDEX_ARGUMENT.get(name) == argument:
        return True
    return tensor.dim() == 0 and (name in NUMBERS or NUMBER_ARGUMENT.get(name) == argument)


def _sentence(name: str, argument: str, other: torch.device) -> str:
    text = f"Expected all tensors to be on the same device, but found at least two devices, {NAME}:0 and {other}!"
    if name in NUMBERS or name in NUMBER_ARGUMENT:
        return text
    return f"{text} (when checking argument for argument {argument} in method wrapper_{NAME}_{name})"
