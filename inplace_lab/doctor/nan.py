"""Where in a backward the first NaN was born.

Only nodes that can make a NaN out of finite gradients are looked at: those that keep tensors and divide by them or by
a function of them. Which nodes these are is chosen by name, for speed; what they do is measured, by comparing the
gradients that come in with those that go out. When the loss is not finite before backward, the forward is to blame,
and the oldest node that keeps a value that is not finite names the operation.
"""

from __future__ import annotations

import re

import torch

from . import graph, kinds, silent
from .finding import change
from .guard import guarded

_SUSPECTS = re.compile(
    r"(Exp|Log|Sqrt|Pow|Div|Acos|Asin|Atan|Recip|Rsqrt|Norm|Std|Var|Tan|Sinh|Cosh|gamma|Cdist|logy|Erf|Logit|Angle|"
    r"Sgn|Cum|Prod|Svd|Eigh?|Cholesky|Solve|Pairwise|Pdist|Cosine|Inverse|Det|Abs|Hypot)"
)
_NEVER = re.compile(r"^(NativeBatchNorm|CudnnBatchNorm|NativeLayerNorm|LogSoftmax|FusedLayerNorm|NativeGroupNorm)")

_suspect: dict[type, bool] = {}

#: A gradient of a parameter or an input that is this large is of no use to any optimizer.
HUGE = 1e10


@guarded
def births(watch, nodes: list[object], outputs: object) -> Births | None:
    """Start to look; None where it cannot be done."""
    return Births(watch, nodes, outputs)


@guarded
def judge(watch, births: Births | None, result: object, site: int) -> None:
    """Say what was seen in a backward that has ended."""
    if births is not None:
        births.judge(result, site)


class Births:
    """Looks for the node that turned finite gradients into others, during one backward."""

    def __init__(self, watch, nodes: list[object], outputs: object) -> None:
        self.watch, self.nodes = watch, nodes
        self.born: object | None = None
        self.from_forward, self.handles = None, []
        # Within torch.func's transforms numbers cannot be looked at.
        self.off = torch._C._functorch.peek_interpreter_stack() is not None
        if self.off:
            return
        self.scattered = _first_not_finite(outputs)
        oldest = _oldest_not_finite(nodes) if self.scattered else None
        if oldest is not None:
            self.from_forward = oldest[0].name(), watch.record.origin(oldest[0])
        self.handles = [node.register_hook(self._hook(node)) for node in nodes if _is_suspect(node)]

    def _hook(self, node: object):
        kind = type(node).__name__
        origin = self.watch.record.origin(node)

        def look(inputs: tuple, outputs: tuple) -> None:
            if self.born is None:
                with torch._C.DisableTorchFunction():
                    if _bad(inputs) and not _bad(outputs):
                        self.born = (kind, origin)

        return look

    def close(self) -> None:
        for handle in self.handles:
            handle.remove()

    def judge(self, result: object, site: int) -> None:
        """Report a NaN, or a gradient that is huge, in what this backward has computed."""
        if self.off:
            return
        with torch._C.DisableTorchFunction():
            found = [one for one in result or () if isinstance(one, torch.Tensor)] if result else []
            leaves = found or [variable.grad for variable in _leaves(self.nodes) if variable.grad is not None]
            worst = _worst(leaves)
        if worst is None:
            return
        record = self.watch.record
        if worst != worst or worst == float("inf"):
            name, origin = self.from_forward or self.born or ("", None)
            site_born = record.sites[origin.site] if origin is not None and origin.site >= 0 else None
            if not name and worst == worst:
                return
            silent.report(
                record,
                kinds.nan(name, origin, site_born, bool(self.scattered), record.sites[site] if site >= 0 else None),
            )
        elif worst >= HUGE:
            here = record.sites[site] if site >= 0 else None
            silent.report(record, kinds.huge(worst, (change(here, "backward"),) if here else ()))


def _is_suspect(node: object) -> bool:
    kind = type(node)
    known = _suspect.get(kind)
    if known is None:
        name = kind.__name__
        known = bool(_SUSPECTS.search(name)) and not _NEVER.search(name) and bool(graph.slots(node))
        _suspect[kind] = known
    if not known:
        return False
    # Divided by a plain number, nothing is kept, and nothing can happen.
    return next(graph.kept(node), None) is not None


def _bad(tensors: tuple) -> bool:
    return any(isinstance(one, torch.Tensor) and one.is_floating_point() and not _finite(one) for one in tensors)


def _finite(tensor: torch.Tensor) -> bool:
    if tensor.layout != torch.strided:
        return True
    tensor = tensor.detach()
    return bool(torch.isfinite(tensor.sum())) or bool(torch.isfinite(tensor).all())


def _first_not_finite(outputs: object) -> bool:
    given = outputs if isinstance(outputs, tuple | list) else (outputs,)
    with torch._C.DisableTorchFunction():
        return _bad(tuple(one for one in given if isinstance(one, torch.Tensor)))


def _oldest_not_finite(nodes: list[object]):
    for node in sorted(nodes, key=lambda one: one._sequence_nr()):
        for slot, tensor, _ in graph.kept(node):
            with torch._C.DisableTorchFunction():
                if tensor.is_floating_point() and tensor.device.type != "meta" and not _finite(tensor):
                    return node, slot
    return None


def _leaves(nodes: list[object]) -> list[torch.Tensor]:
    return [node.variable for node in nodes if type(node).__name__ == "AccumulateGrad"]


def _worst(tensors: list[torch.Tensor]) -> float | None:
    """The largest norm of the tensors, NaN if one is NaN; None where there is none."""
    dense = [one.detach() for one in tensors if one.layout == torch.strided and one.is_floating_point() and one.numel()]
    if not dense:
        return None
    by_kind: dict[object, list[torch.Tensor]] = {}
    for one in dense:
        by_kind.setdefault((one.dtype, one.device), []).append(one)
    worst = 0.0
    for group in by_kind.values():
        largest = float(torch.stack(torch._foreach_norm(group)).max())
        if largest == float("inf"):  # the sum of squares may overflow where no element is infinite
            largest = float(torch.stack([one.abs().max() for one in group]).max())
        if largest != largest:
            return largest
        worst = max(worst, largest)
    return worst
