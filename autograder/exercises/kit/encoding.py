"""Floats and tensors as plain JSON data, and back without trusting what comes back.

JSON knows no nan and no infinity, so a float is a number or one of "nan", "inf", "-inf". A tensor is
{"dtype": "float32", "shape": [2], "device": "cpu", "requires_grad": true, "node": "ExpBackward0",
"values": [1.0, "nan"]} with its values flat in float64, which holds every value of the narrower types exactly; Python
writes and reads a float64 in JSON without loss. `values` is null for a tensor too large to be a sensible answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from autograder.exercises.kit.words import clean

MOST_VALUES = 5000  # the longest tensor whose values travel
MOST_DIMENSIONS = 8
TOLERANCES = {  # dtype -> (relative, absolute): some thirty roundings of the type for one elementwise formula
    "float64": (1e-10, 1e-11),
    "float32": (1e-5, 1e-6),
    "float16": (2.0**-7, 2.0**-10),
    "bfloat16": (2.0**-5, 2.0**-8),
}


def encode_float(value: float) -> float | str:
    value = float(value)
    return value if math.isfinite(value) else "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def decode_float(data: object) -> float | None:
    """The float, or None if the data is none."""
    if isinstance(data, str):
        return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}.get(data)
    if isinstance(data, bool) or not isinstance(data, (int, float)):
        return None
    try:
        return float(data)
    except OverflowError:
        return None


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def encode_tensor(tensor: torch.Tensor) -> dict:
    """A plain tensor of any dtype, shape and device as JSON data (see the module's docstring)."""
    values = None
    if tensor.numel() <= MOST_VALUES and not tensor.is_complex():
        plain = tensor.detach()
        if plain.layout != torch.strided:
            plain = plain.to_dense()
        values = [encode_float(v) for v in plain.to("cpu").to(torch.float64).reshape(-1).tolist()]
    node = tensor.grad_fn
    return {
        "dtype": dtype_name(tensor.dtype),
        "shape": list(tensor.shape),
        "device": str(tensor.device),
        "requires_grad": bool(tensor.requires_grad),
        "node": node.name() if node is not None else "",
        "values": values,
    }


@dataclass(frozen=True)
class Reading:
    """A tensor as a payload tells it. `values` are float64 numbers, flat; None if too many to travel."""

    dtype: str
    shape: tuple[int, ...]
    device: str
    requires_grad: bool
    node: str
    values: tuple[float, ...] | None

    def rows(self) -> list[list[float]]:
        """The values of a matrix, row by row (the whole as one row, if it is no matrix)."""
        values = list(self.values or ())
        if len(self.shape) != 2:
            return [values]
        width = self.shape[1]
        return [values[i * width : (i + 1) * width] for i in range(self.shape[0])]


def decode_tensor(data: object) -> Reading | None:
    """What `encode_tensor` wrote, or None for anything else. Never raises."""
    if not isinstance(data, dict):
        return None
    shape, values = data.get("shape"), data.get("values")
    texts = [data.get("dtype"), data.get("device"), data.get("node")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(data.get("requires_grad"), bool):
        return None
    if not isinstance(shape, list) or len(shape) > MOST_DIMENSIONS:
        return None
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 10**12 for n in shape):
        return None
    if values is not None:
        if not isinstance(values, list) or len(values) > MOST_VALUES or len(values) != math.prod(shape):
            return None
        values = tuple(decode_float(value) for value in values)
        if None in values:
            return None
    return Reading(
        clean(texts[0], 30), tuple(shape), clean(texts[1], 30), data["requires_grad"], clean(texts[2], 60), values
    )


def close(got: float, expected: float, dtype: str, slack: float = 1.0) -> bool:
    """Whether two numbers agree as well as `dtype` can tell (`TOLERANCES`, times `slack`); nan equals nan."""
    if math.isnan(expected) or math.isnan(got):
        return math.isnan(expected) and math.isnan(got)
    if math.isinf(expected) or math.isinf(got):
        return expected == got
    relative, absolute = TOLERANCES.get(dtype, TOLERANCES["float64"])
    return abs(got - expected) <= slack * (absolute + relative * abs(expected))


def differing(got, expected, dtype: str, slack: float = 1.0) -> list[int]:
    """The places at which two sequences of the same length disagree."""
    return [i for i, (g, e) in enumerate(zip(got, expected, strict=True)) if not close(g, e, dtype, slack)]
