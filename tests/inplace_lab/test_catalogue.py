"""The registries: each entry is complete, renders to Python, and says what it does."""

from __future__ import annotations

import ast
import dataclasses
import math
import string

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given

import inplace_lab
from inplace_lab import MUTATIONS, OPERATIONS, Mutation, Operation, catalogue


def holes(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_the_registries_hold_what_the_lessons_need() -> None:
    assert {
        "exp", "pow", "scale", "sigmoid", "tanh", "relu", "sqrt", "log", "sin", "square", "softmax", "product", "add",
    } <= set(OPERATIONS)  # fmt: skip
    assert {"add_", "mul_", "zero_", "relu_", "exp_", "setitem", "masked_fill_"} <= set(MUTATIONS)
    assert set(catalogue.WAYS) == {"plain", "no_grad", "data", "detach", "view"}
    assert set(catalogue.TIMES) == {"before_root", "after_root", "after_loss", "between_backwards"}
    assert inplace_lab.OPERATIONS is catalogue.OPERATIONS, "an entry added to one must show in the other"


@pytest.mark.parametrize("registry", [OPERATIONS, MUTATIONS, catalogue.WAYS])
def test_entries_are_filed_under_their_names(registry: dict[str, object]) -> None:
    assert all(entry.name == name for name, entry in registry.items())


@pytest.mark.parametrize("entry", OPERATIONS.values(), ids=lambda entry: entry.name)
def test_an_operations_text_is_one_expression_of_middle(entry: Operation) -> None:
    tree = ast.parse(entry.text(), mode="eval")
    assert "middle" in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert holes(entry.expression) <= {"operand"}
    assert entry.takes_operand == (entry.operand is not None)
    assert entry.derivative.startswith("The derivative of ") and entry.derivative.endswith(".")


@pytest.mark.parametrize("entry", MUTATIONS.values(), ids=lambda entry: entry.name)
def test_a_mutation_writes_in_place_what_it_computes_out_of_place(entry: Mutation) -> None:
    filling = {"{value}": "4", "{index}": "1", "{mask}": "torch.tensor([False, True, False])", "{target}": "t"}

    def filled(template: str) -> str:
        for hole, text in filling.items():
            template = template.replace(hole, text)
        return template

    assert {*holes(entry.statement), *holes(entry.out_of_place)} <= {"target", "value", "index", "mask"}
    assert entry.takes_value == (entry.value is not None)
    before = torch.tensor([-1.5, 2.0, 0.5])
    namespace = {"torch": torch, "t": before.clone()}
    outside = eval(filled(entry.out_of_place), namespace)
    assert outside is not namespace["t"] and torch.equal(namespace["t"], before), "out of place must leave the tensor"
    pointer = namespace["t"].data_ptr()
    exec(filled(entry.statement), namespace)
    assert namespace["t"].data_ptr() == pointer, "in place must keep the memory"
    assert namespace["t"]._version == 1
    assert torch.equal(namespace["t"], outside) and outside.dtype == before.dtype
    assert not torch.equal(namespace["t"], before)
    assert entry.effect and not entry.effect.endswith(".")


def test_ways_say_what_they_mean() -> None:
    for way in catalogue.WAYS.values():
        assert holes(way.target) == {"target"}
        assert way.meaning.endswith(".")


@given(st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats()))
def test_a_number_in_the_program_is_the_number(value: float) -> None:
    back = eval(catalogue.number(value), {"__builtins__": {"float": float}})
    assert type(back) is type(value)
    assert back == value or (math.isnan(back) and math.isnan(value))


def test_plain_takes_numpys_numbers() -> None:
    taken = [catalogue.plain(value, "It") for value in (3, 0.5, np.float64(2), np.float32(0.25), np.int64(7))]
    assert taken == [3, 0.5, 2.0, 0.25, 7]
    assert [type(value) for value in taken] == [int, float, float, float, int]


@pytest.mark.parametrize(
    "value", [True, "2", None, 2j, [1], np.bool_(True), 2**63, -(2**63) - 1, 10**400, torch.ones(1)]
)
def test_plain_refuses_what_is_no_number(value: object) -> None:
    with pytest.raises(ValueError, match=r"^The factor must be an int \(of at most 64 bits\) or a float, not .+\.$"):
        catalogue.plain(value, "The factor")


@pytest.mark.parametrize(
    "expression",
    [
        "middle.exp(",
        "root = middle",
        "middle; 1",
        "middle\nmiddle",
        "middle.exp(\n)",
        "",
        " ",
        "import os",
        None,
        3,
        "a\0b",
    ],
)
def test_an_operation_must_be_one_expression(expression: object) -> None:
    with pytest.raises(ValueError, match=r"^The operation 'own' must be one Python expression, not .*\.$"):
        Operation("own", expression, "")


def test_an_operations_default_operand_must_be_a_number() -> None:
    with pytest.raises(ValueError, match=r"^The operand of own must be an int .* not 'two'\.$"):
        Operation("own", "middle * {operand}", "", "two")
    assert Operation("own", "middle * {operand}", "", np.float64(2)).text() == "middle * 2.0"
    assert Operation("own", "middle * {operand}", "", 2).text(-3) == "middle * -3"
    assert Operation("own", "middle * {operand}", "", 2).text(math.inf) == 'middle * float("inf")'


@pytest.mark.parametrize("name", ["cosh", "", None, 3, ["exp"], "EXP"])
def test_find_lists_what_is_known(name: object) -> None:
    with pytest.raises(ValueError) as caught:
        catalogue.find("operation", OPERATIONS, name)
    assert str(caught.value) == f"There is no operation {name!r}; the known ones are {', '.join(OPERATIONS)}."
    assert catalogue.find("operation", OPERATIONS, "exp") is OPERATIONS["exp"]


def test_entries_are_values() -> None:
    entry = OPERATIONS["exp"]
    assert entry == Operation(entry.name, entry.expression, entry.derivative)
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.name = "other"
