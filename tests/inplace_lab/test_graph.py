"""Reading torch's graph, and that nothing else in the package does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch

from inplace_lab import graph


def leaf(size: int = 2) -> torch.Tensor:
    return torch.ones(size, requires_grad=True)


def names(tensor: torch.Tensor) -> list[str]:
    return [node.name().removeprefix("torch::autograd::") for node in graph.nodes(tensor)]


def test_version_counts_writes_and_is_shared_by_views_and_detach_but_not_by_data() -> None:
    tensor = torch.zeros(4)
    view, detached, data = tensor[1:], tensor.detach(), tensor.data
    assert graph.version(tensor) == 0
    tensor.add_(1)
    view.mul_(2)
    detached[0] = 5
    assert [graph.version(t) for t in (tensor, view, detached, data)] == [3, 3, 3, 0]
    data.zero_()
    assert (graph.version(tensor), graph.version(data)) == (3, 1)
    assert tensor.tolist() == [0.0] * 4


def test_nodes_are_listed_once_nearest_first() -> None:
    shared = leaf() * 3
    assert names((shared.exp() + shared.sin()).sum()) == [
        "SumBackward0", "AddBackward0", "ExpBackward0", "SinBackward0", "MulBackward0", "AccumulateGrad",
    ]  # fmt: skip
    assert graph.nodes(leaf()) == []
    assert graph.nodes(torch.ones(2)) == []


def test_edges_skip_what_needs_no_gradient() -> None:
    x, y = leaf(), leaf()
    assert [node.name() for node in graph.edges((x.exp() * y.sin()).grad_fn)] == ["ExpBackward0", "SinBackward0"]
    assert [node.name() for node in graph.edges((x.exp() * torch.ones(2)).grad_fn)] == ["ExpBackward0"]


def test_a_long_chain_needs_no_recursion() -> None:
    tensor = leaf()
    for _ in range(3000):
        tensor = tensor + 1
    assert len(graph.nodes(tensor)) == 3001


def test_saved_yields_tensors_lists_of_tensors_and_those_of_a_function() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, grad):
            raise NotImplementedError

    middle = leaf() + 1
    root = middle.exp()
    assert [(slot, tensor.tolist()) for slot, tensor in graph.saved(root.grad_fn)] == [("result", root.tolist())]
    assert list(graph.saved(middle.grad_fn)) == []
    assert "exponent" in graph.slots(middle.pow(3).grad_fn)
    assert [slot for slot, _ in graph.saved(middle.pow(3).grad_fn)] == ["self"]
    picked = middle[torch.tensor([1, 0])]
    assert [(slot, tensor.tolist()) for slot, tensor in graph.saved(picked.grad_fn)] == [("indices[0]", [1, 0])]
    own = Square.apply(middle, root)
    assert [slot for slot, _ in graph.saved(own.grad_fn)] == ["saved_tensors[0]", "saved_tensors[1]"]
    middle.add_(1)
    assert [(b.node, b.slot, b.expected, b.found) for b in graph.broken(own)] == [
        ("SquareBackward", "saved_tensors", 0, 1)
    ]


def test_saved_raises_torchs_error_for_a_changed_tensor_or_leaves_it_out() -> None:
    root = (leaf() + 1).exp()
    root.mul_(2)
    (broken,) = graph.broken(root)
    node = next(node for node in graph.nodes(root) if node.name() == "ExpBackward0")
    with pytest.raises(RuntimeError) as caught:
        list(graph.saved(node))
    assert str(caught.value) == broken.text
    assert list(graph.saved(node, skip_broken=True)) == []
    assert (broken.node, broken.slot, broken.expected, broken.found) == ("ExpBackward0", "result", 0, 1)
    with pytest.raises(RuntimeError) as refused:
        root.sum().backward()
    assert str(refused.value) == broken.text


def test_nothing_is_broken_in_a_whole_graph() -> None:
    middle = leaf() + 1
    root = middle.exp()
    middle.zero_()
    assert graph.broken(root) == ()


def test_broken_comes_in_the_order_in_which_backward_meets_it() -> None:
    """The younger branch first, although the older one's broken node is as near to the loss, or nearer."""
    x = leaf()
    first = (x * 1).exp()
    old = first.sin()
    second = (x * 1).exp()
    young = second.sin().neg().neg()
    loss = old.sum() + young.sum()
    first.mul_(2)
    second.mul_(2).mul_(2)
    with pytest.raises(RuntimeError) as refused:
        loss.backward()
    broken = graph.broken(loss)
    assert broken[0].text == str(refused.value)
    assert [(b.node, b.found) for b in broken] == [
        ("SinBackward0", 2), ("ExpBackward0", 2), ("SinBackward0", 1), ("ExpBackward0", 1),
    ]  # fmt: skip


def test_a_freed_graph_is_broken_without_versions() -> None:
    root = (leaf() + 1).exp()
    root.sum().backward()
    (broken,) = graph.broken(root)
    assert (broken.node, broken.expected, broken.found) == ("ExpBackward0", None, None)
    with pytest.raises(RuntimeError) as refused:
        root.sum().backward()
    assert broken.text == str(refused.value)


def test_versions_in_a_message() -> None:
    assert graph.versions_in("... is at version 12; expected version 3 instead. Hint: ...") == (12, 3)
    assert graph.versions_in("element 0 of tensors does not require grad") == (None, None)


def test_shares_memory() -> None:
    tensor = torch.zeros(4)
    assert all(graph.shares_memory(tensor, other) for other in (tensor, tensor[2:], tensor.detach(), tensor.data))
    assert not graph.shares_memory(tensor, tensor.clone())


def test_edges_slots_and_attributes_of_a_node() -> None:
    class Held(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.held = x
            return 2 * x

        @staticmethod
        def backward(ctx, grad):
            raise NotImplementedError

    product = (leaf() * torch.ones(2)).grad_fn
    assert graph.live_edges(product) == (True, False)
    assert graph.is_empty(product, "self") and not graph.is_empty(product, "other")
    assert [name for name, _ in graph.attributes(Held.apply(leaf()).grad_fn)] == ["held"]
    assert list(graph.attributes(product)) == []


def test_writes_that_torch_is_known_to_refuse() -> None:
    middle = leaf() * 1
    assert graph.refuses_writes(torch.ones(1).expand(2)) and graph.refuses_writes(middle.unbind()[0])
    assert not any(map(graph.refuses_writes, (middle, middle[:1], torch.ones(2))))


# --- only graph reads torch's graph -----------------------------------------------------------------------------------

PRIVATE = {"next_functions", "grad_fn", "_version", "saved_tensors", "metadata", "saved_variables"}


def graph_reads(source: str) -> set[str]:
    """Attributes (also by getattr) with which a module would look into torch's graph itself."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        name = node.attr if isinstance(node, ast.Attribute) else node.value if isinstance(node, ast.Constant) else None
        if isinstance(name, str) and (name in PRIVATE or name.startswith(("_saved_", "_raw_saved_"))):
            found.add(name)
    return found


def test_only_graph_reads_torchs_graph(root: Path) -> None:
    modules = sorted((root / "inplace_lab").rglob("*.py"))
    assert len(modules) > 5
    readers = {path.name: found for path in modules if (found := graph_reads(path.read_text(encoding="utf-8")))}
    assert set(readers) == {"graph.py"}
    assert graph_reads("a = t.grad_fn\nb = getattr(n, '_saved_self')\n'the grad_fn of'") == {"grad_fn", "_saved_self"}
