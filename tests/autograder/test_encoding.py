"""Tensors and floats as JSON."""

from __future__ import annotations

import json
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.exercises.kit import encoding
from autograder.exercises.kit.encoding import (
    MOST_VALUES,
    close,
    decode_float,
    decode_tensor,
    differing,
    encode_float,
    encode_tensor,
)
from autograder.exercises.kit.words import a_type, clean, show, show_list


def through_json(data: object) -> object:
    return json.loads(json.dumps(data, allow_nan=False))


@given(st.floats())
def test_floats_come_back_bit_for_bit(value: float) -> None:
    back = decode_float(through_json(encode_float(value)))
    assert (
        math.isnan(value) and math.isnan(back) or (back == value and math.copysign(1, back) == math.copysign(1, value))
    )


@pytest.mark.parametrize("data", [None, True, "1.0", "NaN", [], {}, 10**400])
def test_what_is_no_float(data: object) -> None:
    assert decode_float(data) is None


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.bool]
)
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,)])
def test_tensors_come_back(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    torch.manual_seed(1)
    tensor = (torch.randn(shape, dtype=torch.float64) * 3).to(dtype)
    reading = decode_tensor(through_json(encode_tensor(tensor)))
    assert reading.dtype == str(dtype).removeprefix("torch.")
    assert reading.shape == shape and reading.device == "cpu" and not reading.requires_grad and reading.node == ""
    assert torch.equal(torch.tensor(reading.values, dtype=torch.float64).reshape(shape), tensor.to(torch.float64))


def test_node_nan_and_layout() -> None:
    x = torch.tensor([1.0, math.inf, math.nan], requires_grad=True)
    reading = decode_tensor(through_json(encode_tensor(x.exp())))
    assert reading.node == "ExpBackward0" and reading.requires_grad
    assert reading.values[1] == math.inf and math.isnan(reading.values[2])
    sparse = torch.eye(2).to_sparse()
    assert decode_tensor(encode_tensor(sparse)).values == (1.0, 0.0, 0.0, 1.0)


def test_rows() -> None:
    assert decode_tensor(encode_tensor(torch.arange(6).reshape(2, 3))).rows() == [[0, 1, 2], [3, 4, 5]]
    assert decode_tensor(encode_tensor(torch.arange(3))).rows() == [[0, 1, 2]]


def test_long_and_complex_tensors_travel_without_values() -> None:
    assert encode_tensor(torch.zeros(MOST_VALUES + 1))["values"] is None
    assert encode_tensor(torch.zeros(1).expand(10**9))["values"] is None
    assert encode_tensor(torch.zeros(2, dtype=torch.complex64))["values"] is None
    assert decode_tensor(encode_tensor(torch.zeros(MOST_VALUES + 1))).values is None


GOOD = encode_tensor(torch.tensor([1.0, 2.0]))


@pytest.mark.parametrize(
    "change",
    [
        {"shape": [3]},
        {"shape": [2, -1]},
        {"shape": "2"},
        {"shape": [True, 2]},
        {"shape": [1] * 9},
        {"shape": [10**13]},
        {"values": [1.0]},
        {"values": [1.0, "two"]},
        {"values": [1.0, None]},
        {"values": "12"},
        {"dtype": 3},
        {"device": None},
        {"node": []},
        {"requires_grad": 1},
    ],
)
def test_forged_tensors_are_refused(change: dict) -> None:
    assert decode_tensor(GOOD) is not None
    assert decode_tensor(GOOD | change) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=6),
    max_leaves=20,
)


@given(json_values)
def test_decoding_never_raises(data: object) -> None:
    decode_tensor(data)
    decode_float(data)
    clean(data)


@given(st.dictionaries(st.sampled_from(list(GOOD)), json_values))
def test_decoding_a_forged_field_never_raises(change: dict) -> None:
    decode_tensor(GOOD | change)


def test_close_knows_dtypes_and_odd_numbers() -> None:
    assert close(1 + 1e-6, 1, "float32") and not close(1 + 1e-4, 1, "float32")
    assert close(1 + 1e-11, 1, "float64") and not close(1 + 1e-9, 1, "float64")
    assert close(1.01, 1, "bfloat16") and not close(1.1, 1, "bfloat16")
    assert not close(1 + 1e-9, 1, "no dtype"), "an unknown dtype gets the strictest tolerance"
    assert (
        close(math.nan, math.nan, "float32") and not close(math.nan, 1, "float32") and not close(1, math.nan, "float32")
    )
    assert close(math.inf, math.inf, "float32") and not close(math.inf, -math.inf, "float32")
    assert not close(math.inf, 1, "float32") and not close(1, math.inf, "float32")
    assert differing([1, 2, 3], [1, 5, 3], "float64") == [1]


def test_one_rounding_of_each_dtype_is_within_its_tolerance() -> None:
    values = torch.linspace(-3, 3, 97, dtype=torch.float64).exp()
    for name in encoding.TOLERANCES:
        rounded = values.to(getattr(torch, name)).to(torch.float64)
        assert differing(rounded.tolist(), values.tolist(), name) == []


def test_words() -> None:
    assert clean("a\n\x1b[31mb\t c\u202e") == "a [31mb c"
    assert clean("x" * 500, 10) == "xxxxxxx..." and len(clean("x" * 10**6)) == 300
    assert clean(3) == "" and clean(None) == ""
    assert show(-0.0) == "0" and show(1 / 3) == "0.3333" and show(math.nan) == "nan"
    assert show_list([1.0, 2.5]) == "[1, 2.5]"
    assert show_list(range(9), 2) == "[0, 1, ... 9 in all]"
    assert [a_type(n) for n in ("int", "list", "ndarray", "NoneType", "")] == [
        "an int", "a list", "a NumPy array", "None", "a value of an unknown type",
    ]  # fmt: skip
