"""The cheat sheet: its answers are those of the maths and of the documented rules, and it fits a page."""

from __future__ import annotations

import re

import pytest
import torch

from inplace_lab.catalogue import OPERATIONS, TIMES, WAYS
from inplace_lab.sheet import Sheet, cheat_sheet

KEEPS = {
    "output": "exp sigmoid tanh relu sqrt softmax",
    "input": "pow log sin square product",
    "neither": "scale add",
}
"""What the derivative of each operation is made of, from the maths."""


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return cheat_sheet()


def test_an_operation_keeps_what_its_derivative_is_made_of(sheet: Sheet) -> None:
    rows = dict(zip(OPERATIONS, sheet.blocks[0].rows, strict=True))
    assert {row[1] for row in rows.values()} == set(KEEPS)
    for kept, names in KEEPS.items():
        for name in names.split():
            _, keeps, into_input, into_output, reason = rows[name]
            assert keeps == kept and reason
            assert into_input == ("✗ refused" if kept == "input" else "✓ runs"), name
            assert into_output == ("✗ refused" if kept == "output" else "✓ runs"), name


def test_the_ways_to_write(sheet: Sheet) -> None:
    rows = {name: row[1:] for name, row in zip(WAYS, sheet.blocks[1].rows, strict=True)}
    counts, hidden, refused, wrong = "✓ counts", "✗ does not", "✗ refused", "! silently wrong"
    assert rows == {
        "plain": (counts, refused, "✓ runs"),
        "no_grad": (counts, refused, wrong),
        "data": (hidden, wrong, wrong),
        "detach": (counts, refused, wrong),
        "view": (counts, refused, "✓ runs"),
    }


def test_the_moments(sheet: Sheet) -> None:
    rows = sheet.blocks[2].rows
    assert [row[0] for row in rows] == list(TIMES.values())
    assert [row[1] for row in rows] == ["✓ runs", "✗ refused", "✗ refused", "✗ refused"]
    assert [row[2] for row in rows] == ["–", "✓ runs", "✓ runs", "✓ runs"]
    assert [row[3] for row in rows] == ["✗ write refused"] * 4, "at no time into a leaf that requires grad"


def test_the_message_is_torchs_own_and_all_of_its_parts_are_explained(sheet: Sheet) -> None:
    x = torch.ones(5, requires_grad=True)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError) as refusal:
        y.sum().backward()
    assert sheet.message == str(refusal.value).split(" Hint:")[0]
    assert [meaning.split(":")[0].split(" that")[0] for _, meaning in sheet.parts] == [
        "type and shape of the tensor",
        "the node",
        "its counter now",
        "its counter when it was saved",
    ]
    assert all(part in sheet.message for part, _ in sheet.parts)


def test_a_terminal_and_a_page_say_the_same(sheet: Sheet) -> None:
    text, page = repr(sheet), sheet.page()
    for block in sheet.blocks:
        for row in block.rows:
            assert all(cell in text for cell in row)
    assert page.count("<h3>") == 5 and page.count('scope="row"') == sum(len(b.rows) for b in sheet.blocks) + 5
    assert not re.search(r"(src|href)=", page), "the page needs nothing from elsewhere"
