"""Lines written anew without their in-place change."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lab.doctor import places, rewrite, scope


@pytest.mark.parametrize(
    ("line", "names", "anew"),
    [
        ("x += y", ("add_",), "x = x + y"),
        ("x /= n + eps  # scale", ("div_",), "x = x / (n + eps)"),
        ("x -= -y", ("sub_",), "x = x - (-y)"),
        ("parts[0] += y", ("add_",), "parts[0] = parts[0] + y"),
        ("table[0] += y", ("add_", "__setitem__"), "table = table.clone(); table[0] = table[0] + y"),
        ("table[0] *= y", ("mul_", "__setitem__"), "new = table[0] * y; table = table.clone(); table[0] = new"),
        ("x[1:] = y", ("__setitem__",), "x = x.clone(); x[1:] = y"),
        ("x[t] = a * x[t - 1]", ("__setitem__",), "new = a * x[t - 1]; x = x.clone(); x[t] = new"),
        ("x.view(-1)[0] = 4", ("__setitem__",), "x = x.clone(); x.view(-1)[0] = 4"),
        ("y.T[0] = 4", ("__setitem__",), "y = y.clone(); y.T[0] = 4"),
        ("h[0][1] = 3", ("__setitem__",), ""),
        ("z.real += 1", ("add_",), ""),
        ("x.relu_()", ("relu_",), "x = x.relu()"),
        ("self.h.mul_(2).add_(1)", ("mul_", "add_"), "self.h = self.h.mul(2).add(1)"),
        ("y = x.relu_()", ("relu_",), "y = x.relu()"),
        ("x.zero_()", ("zero_",), "x = torch.zeros_like(x)"),
        ("x.copy_(a + b)", ("copy_",), "x = (a + b).clone()"),
        ("h = F.relu(x, inplace=True)", ("relu",), "h = F.relu(x, inplace=False)"),
        ("F.relu_(x)", ("relu_",), "x = F.relu(x)"),
        ("F.dropout(x, 0.5, inplace=True)", ("dropout",), "x = F.dropout(x, 0.5, inplace=False)"),
        ("torch.nn.functional.relu_(x)", ("relu_",), "x = torch.nn.functional.relu(x)"),
        ("x.fill_diagonal_(0)", ("fill_diagonal_",), ""),
        ("[t.mul_(2) for t in ts]", ("mul_",), ""),
        ("list(map(lambda t: t.mul_(2), ts))", ("mul_",), ""),
        ("x.exp_().sum().backward()", ("exp_",), "x.exp().sum().backward()"),
        ("x.exp_().div_(x.sum())", ("exp_", "div_"), ""),
        ("torch.mul(a, b, out=torch.empty(3))", ("mul",), ""),
        ("torch.mul(a, b, out=c)", ("mul",), "c = torch.mul(a, b)"),
        ("x.normal_()", ("normal_",), ""),
        ("for row in rows:", (), ""),
        ("net(x)", ("relu",), ""),
    ],
)
def test_out_of_place(line: str, names: tuple[str, ...], anew: str) -> None:
    assert rewrite.out_of_place(line, names) == anew


@pytest.mark.parametrize(
    ("line", "anew"),
    [
        ("h[0].mul_(w)", "new = h[0].mul(w); h = h.clone(); h[0] = new"),
        ("h.diagonal().zero_()", "h = h.clone(); h.diagonal().zero_()"),
        ("h.add_(1)", "h = h.add(1)"),
    ],
)
def test_out_of_place_where_a_view_was_written(line: str, anew: str) -> None:
    assert rewrite.out_of_place(line, (), view=True) == anew


@pytest.mark.parametrize(
    ("program", "reached"),
    [
        ("def f(x):\n    x += 1  # here\n    return x", True),
        ("def helper(x):\n    x += 1  # here", False),
        ("def f():\n    y = g()\n    y += 1  # here\n    y.sum().backward()", True),
        ("def f(y):\n    flat = y.view(-1)\n    flat += 1  # here\n    y.sum().backward()", False),
        ("def f():\n    x = g()\n    def inner():\n        x.add_(1)  # here\n    inner()", False),
        ("def f():\n    x = g()\n    def inner():\n        nonlocal x\n        x += 1  # here\n    inner()", True),
        ("for x in ps:\n    x.clamp_(0)  # here", False),
        ("for x in ps:\n    x.clamp_(0)  # here\n    total = total + x.sum()", True),
        ("def f(x, ws):\n    for w in ws:\n        y = x * w\n        x += y  # here", True),
        ("class F(Function):\n    def forward(ctx, x):\n        ctx.mark_dirty(x)\n        x += 1  # here\n"
         "        return x", False),
        ("def f(self):\n    self.h += 1  # here", True),
        ("def f(self):\n    self.h[0] = self.h[1]  # here", True),
        ("def f(h):\n    h[0] = h[1]  # here", False),
        ("!pip install torch\nx += 1  # here", True),
    ],
)  # fmt: skip
def test_new_tensor_reaches_what_reads_it(program: str, reached: bool, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    number = next(n for n, line in enumerate(program.splitlines(), 1) if "# here" in line)
    here = places.place(str(file), number)
    anew = rewrite.out_of_place(here.code)
    assert anew
    assert scope.hands_on(here, anew) == reached


def test_under_no_grad() -> None:
    assert rewrite.under_no_grad("w -= lr * w.grad  # step") == "with torch.no_grad(): w -= lr * w.grad"
    assert rewrite.under_no_grad("while True:") == ""
