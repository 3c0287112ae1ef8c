"""Where in a backward the first NaN was born.

Only nodes that can make a NaN out of finite gradients are looked at: those that keep tensors and divide by them or by
a function of them. Which nodes these are is chosen by name, for speed; what they do is measured, by comparing the
gradients that come in with those that go out. When the loss is not finite before backward, the forward is to blame,
and the oldest node that keeps a value that is not finite names the operation; or the NaN was there before, in the data
or in a weight.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import torch

from . import graph, kinds, numbers, silent
from .finding import Finding
from .guard import guarded
from .record import Origin
from .writes import storage_of

_SUSPECTS = re.compile(
    r"(Exp|Log|Sqrt|Pow|Div|Acos|Asin|Atan|Recip|Rsqrt|Norm|Std|Var|Tan|Sinh|Cosh|gamma|Cdist|logy|Erf|Logit|Angle|"
    r"Sgn|Cum|Prod|Svd|Eigh?|Cholesky|Solve|Pairwise|Pdist|Cosine|Inverse|Det|Abs|Hypot|Softmax|"
    r"Loss|Entropy)"
)
_DIVIDES = re.compile(r"^(Div|Recip|Rsqrt|Sqrt|Pow|Log|Std|Var|Norm|LinalgVectorNorm|Cdist|CosineSim)")
#: What can make an infinite factor out of finite numbers.
_INFINITE = re.compile(r"^(MaskedFill|Where|LogSoftmax|Log|Xlogy|Exp|Div|Reciprocal|Rsqrt|Pow|Tan|IndexPut|CopySlices)")
_NEVER = re.compile(r"^(NativeBatchNorm|CudnnBatchNorm|NativeLayerNorm|FusedLayerNorm|NativeGroupNorm)")

#: What torch calls the inputs that nodes keep; other names are for what an operation has computed by the way.
_INPUTS = frozenset(
    "self other target input weight mat1 mat2 mat vec batch1 batch2 tensor1 tensor2 exponent query key value "
    "x1 x2".split()
)

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
        self.born: tuple[str, Origin | None] | None = None
        self.grew: tuple[str, Origin | None] | None = None
        self.in_forward = False
        self.from_forward, self.came_in, self.factor, self.handles = None, None, None, []
        # Within torch.func's transforms numbers cannot be looked at; a dispatch mode of the program would see it done.
        modes = torch._C._len_torch_dispatch_stack()
        self.off = torch._C._functorch.peek_interpreter_stack() is not None or modes > 0
        if self.off:
            return
        self.scattered = _first_not_finite(outputs)
        if self.scattered:
            self.came_in = _came_in(watch.record, nodes)
            self.from_forward = _from_forward(watch.record, _reaching(outputs))
        self.factor = next((node for node in nodes if _multiplies_by_infinity(node)), None)
        self.handles = [node.register_hook(self._hook(node)) for node in nodes if _is_suspect(node)]

    def _hook(self, node: object):
        kind = type(node).__name__
        origin = self.watch.record.origin(node)
        divides = bool(_DIVIDES.search(kind))

        def look(inputs: tuple, outputs: tuple) -> None:
            if self.born is None:
                with torch._C.DisableTorchFunction():
                    if _bad(inputs) and not _bad(outputs):
                        made = self._made_in_forward(node)
                        self.born, self.in_forward = made or (kind, origin), made is not None
                    elif self.grew is None and divides and _large(inputs) and not _large(outputs):
                        self.grew = (kind, origin)

        return look

    def _made_in_forward(self, node: object) -> tuple[str, Origin | None] | None:
        """Where the forward made the NaN that ``node`` keeps: in a branch that a mask has hidden from the loss."""
        hidden = any(hook is None and _has_nan(tensor) for _, tensor, hook in graph.kept(node))
        return _from_forward(self.watch.record, graph.walk([node]), _has_nan) if hidden and not self.scattered else None

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
            finding = self.finding(worst != worst)
            if finding is not None:
                silent.report(record, finding)
        elif worst >= HUGE:
            name, origin = self.grew or ("", None)
            at = record.sites[origin.site] if origin is not None and origin.site >= 0 else None
            silent.report(record, numbers.huge(worst, name, at))

    def finding(self, is_nan: bool) -> Finding | None:
        """What is known of a gradient that is NaN, or else infinite."""
        if self.off:
            return None
        record = self.watch.record
        if self.came_in is not None:
            return self.came_in
        name, origin = self.from_forward or self.born or ("", None)
        if not name and is_nan and self.factor is not None:
            name, origin = self.factor.name(), record.origin(self.factor)
        if not name and not is_nan:
            return None
        site = record.sites[origin.site] if origin is not None and origin.site >= 0 else None
        grown = any(numbers.is_huge(one) for one in record.silent)
        return numbers.nan(name, origin, site, bool(self.scattered) or self.in_forward, is_nan, grown)


@guarded
def anomaly(watch, births: Births | None, error: BaseException) -> None:
    """Torch itself looked for NaN (``detect_anomaly``) and has raised: say where it was born."""
    finding = births.finding(True) if births is not None and kinds.of_text(kinds.text_of(error)) == "nan" else None
    if finding is not None:
        words = finding.headline.removeprefix("No error, but a")
        silent.remember(watch.record, error, finding.with_words(headline=f"A{words}", exception=kinds.described(error)))


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


def _multiplies_by_infinity(node: object) -> bool:
    """Whether a product has a factor that is not finite: 0 times it is NaN.

    Looked at are factors without gradients (data, a scale), and those whose makers can make an infinite number.
    """
    if type(node).__name__ != "MulBackward0":
        return False
    with torch._C.DisableTorchFunction():
        kept = (tensor for _, tensor, hook in graph.kept(node) if hook is None)
        numbered = (one for one in kept if one.is_floating_point() and not one.is_meta)
        factors = (one for one in numbered if not one.requires_grad or _may_be_infinite(one))
        return any(not _finite(one) for one in factors)


def _may_be_infinite(tensor: torch.Tensor) -> bool:
    try:
        made_by = graph.maker(tensor)
    except RuntimeError:  # a view that can no longer be used
        return False
    return made_by is not None and bool(_INFINITE.search(made_by.name()))


def _bad(tensors: tuple) -> bool:
    return any(isinstance(one, torch.Tensor) and one.is_floating_point() and not _finite(one) for one in tensors)


def _large(tensors: tuple) -> bool:
    """Whether the sum of a tensor is huge: a hint, for what is large may also add up to little."""
    found = (one.detach() for one in tensors if isinstance(one, torch.Tensor) and one.is_floating_point())
    return any(one.layout == torch.strided and bool(one.sum().abs() >= HUGE) for one in found)


def _finite(tensor: torch.Tensor) -> bool:
    if tensor.layout != torch.strided:
        return True
    tensor = tensor.detach()
    return bool(torch.isfinite(tensor.sum())) or bool(torch.isfinite(tensor).all())


def _first_not_finite(outputs: object) -> bool:
    given = outputs if isinstance(outputs, tuple | list) else (outputs,)
    with torch._C.DisableTorchFunction():
        return _bad(tuple(one for one in given if isinstance(one, torch.Tensor)))


def _reaching(outputs: object) -> list[object]:
    """The nodes of a graph without those whose NaN can only reach the loss through ``nan_to_num``."""
    return graph.walk(graph.roots_of(outputs), without="NanToNumBackward0")


def _from_forward(
    record, nodes: list[object], wrong: Callable[[torch.Tensor], bool] | None = None
) -> tuple[str, Origin | None] | None:
    """The oldest operation whose result is not finite (or ``wrong``), as far as nodes keep it."""
    wrong = wrong or (lambda tensor: not _finite(tensor))
    for node in sorted(nodes, key=lambda one: one._sequence_nr()):
        for _, tensor, hook in graph.kept(node):
            with torch._C.DisableTorchFunction():
                if tensor.is_floating_point() and tensor.device.type != "meta" and wrong(tensor):
                    # An input keeps the node that made it; a result does not.
                    made_by = graph.maker(tensor) if hook is None else None
                    blamed = node if made_by is None or record.origin(made_by) is None else made_by
                    return blamed.name(), record.origin(blamed)
    return None


def _came_in(record, nodes: list[object]) -> Finding | None:
    """A NaN that was there before the forward: in a weight, or in data that a node keeps."""
    weights = [leaf for leaf in _leaves(nodes) if _has_nan(leaf)]
    data = (
        (node, tensor)
        for node in nodes
        for slot, tensor, hook in graph.kept(node)
        if hook is None and slot.partition("[")[0] in _INPUTS and not tensor.requires_grad
    )
    found = [(None, leaf) for leaf in weights] or [(node, one) for node, one in data if _has_nan(one)]
    if not found:
        return None
    node, tensor = min(found, key=lambda one: one[0]._sequence_nr() if one[0] is not None else -1)
    storage = storage_of(tensor)
    lines = [(one.clock, one.site) for one in record.writes.of(storage)] + list(record.births.of(storage))
    number = max(lines)[1] if lines else -1
    made = record.sites[number] if number >= 0 else None
    origin = record.origin(node) if node is not None else None
    used = record.sites[origin.site] if origin is not None and origin.site >= 0 else None
    return numbers.nan_came_in(tensor, made, used)


def _has_nan(tensor: torch.Tensor) -> bool:
    with torch._C.DisableTorchFunction():
        usual = tensor.is_floating_point() and tensor.layout == torch.strided and tensor.device.type != "meta"
        return usual and bool(torch.isnan(tensor.detach().sum())) and bool(torch.isnan(tensor.detach()).any())


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
