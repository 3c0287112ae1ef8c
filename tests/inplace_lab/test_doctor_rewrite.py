"""Lines written anew without their in-place change."""

from __future__ import annotations

import pytest

from inplace_lab.doctor import rewrite


@pytest.mark.parametrize(
    ("line", "names", "anew"),
    [
        ("x += y", ("add_",), "x = x + y"),
        ("x /= n + eps  # scale", ("div_",), "x = x / (n + eps)"),
        ("x -= -y", ("sub_",), "x = x - (-y)"),
        ("parts[0] += y", ("add_",), "parts[0] = parts[0] + y"),
        ("table[0] += y", ("add_", "__setitem__"), "table = table.clone(); table[0] = table[0] + y"),
        ("x[1:] = y", ("__setitem__",), "x = x.clone(); x[1:] = y"),
        ("x.relu_()", ("relu_",), "x = x.relu()"),
        ("self.h.mul_(2).add_(1)", ("mul_", "add_"), "self.h = self.h.mul(2).add(1)"),
        ("y = x.relu_()", ("relu_",), "y = x.relu()"),
        ("x.zero_()", ("zero_",), "x = torch.zeros_like(x)"),
        ("x.copy_(a + b)", ("copy_",), "x = (a + b).clone()"),
        ("h = F.relu(x, inplace=True)", ("relu",), "h = F.relu(x, inplace=False)"),
        ("F.relu_(x)", ("relu_",), "x = F.relu(x)"),
        ("torch.mul(a, b, out=c)", ("mul",), "c = torch.mul(a, b)"),
        ("x.normal_()", ("normal_",), ""),
        ("for row in rows:", (), ""),
        ("net(x)", ("relu",), ""),
    ],
)
def test_out_of_place(line: str, names: tuple[str, ...], anew: str) -> None:
    assert rewrite.out_of_place(line, names) == anew


def test_under_no_grad() -> None:
    assert rewrite.under_no_grad("w -= lr * w.grad  # step") == "with torch.no_grad(): w -= lr * w.grad"
    assert rewrite.under_no_grad("while True:") == ""
