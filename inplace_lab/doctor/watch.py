"""Watch every call of torch in one thread. The first half of this module runs at each call and is kept short.

A ``TorchFunctionMode`` sees methods, operators, assignments to a part of a tensor, ``out=``, ``torch.nn.functional``
and all that optimizers and modules call. For most calls two numbers are read, autograd's counter of nodes before and
after; only a call that recorded nodes has its line looked up, and only a call that may write has versions compared.
"""

from __future__ import annotations

import contextlib
import types

import torch
from torch.overrides import TorchFunctionMode

from . import exports, graph, silent
from .guard import Looking
from .record import KEY, Origin, Record
from .writes import OPERATORS, Write, memory_of, overlap_in_part, storage_of, tensors_in

_sequence_number = torch._C._autograd._get_sequence_nr
_in_inference_mode = torch.is_inference_mode_enabled

# What a call needs beyond its line. PLAIN needs nothing at all, ORDINARY its line if it recorded nodes.
ORDINARY, PLAIN, WRITE, FUNCTION, DATA, SET_DATA, EXPORT, VIEWS, NORM, BIRTH, BACKWARD, LEAF, FUSED = range(13)

_READ_ONLY = frozenset(
    "shape dtype device layout requires_grad is_leaf grad grad_fn _version ndim itemsize nbytes names is_sparse "
    "is_cuda "
    "is_cpu is_meta is_mps is_quantized is_nested is_mkldnn is_xpu is_vulkan retains_grad output_nr name _base "
    "_backward_hooks _post_accumulate_grad_hooks is_sparse_csr is_ipu is_ort is_xla is_maia is_mtia _grad _cdata "
    "grad_dtype".split()
)
_QUESTIONS = frozenset(
    "size dim stride numel nelement element_size is_floating_point is_complex is_contiguous get_device __len__ "
    "storage_offset is_inference is_signed is_nonzero is_conj is_neg is_tensor is_storage is_set_to is_same_size "
    "__hash__ __format__ __repr__ __bool__ __int__ __float__ item tolist ndimension is_pinned is_shared __index__ "
    "register_hook retain_grad requires_grad _is_view _is_zerotensor get_default_dtype set_grad_enabled "
    "_set_grad_enabled is_grad_enabled promote_types result_type can_cast finfo iinfo broadcast_shapes __contains__ "
    "_record_function_enter_new _record_function_exit device is_inference_mode_enabled ".split()
)
_EXPORTS = frozenset("numpy __array__ __dlpack__ untyped_storage storage data_ptr frombuffer from_dlpack".split())
_VIEWS = frozenset(
    "unbind chunk split tensor_split hsplit vsplit dsplit split_with_sizes __iter__ unsafe_chunk unsafe_split".split()
)
_BIRTHS = frozenset(
    "tensor as_tensor asarray rand randn randint randperm zeros ones empty full arange linspace logspace eye normal "
    "zeros_like ones_like empty_like full_like rand_like randn_like empty_strided new_zeros new_ones new_empty "
    "new_full "
    "new_tensor clone".split()
)

#: What is said to have written where torch raised a version and put it back.
UNCOUNTED = "write with the version put back"

_ways: dict[object, int] = {}


def _learn(func: object) -> int:
    way = _way(func)
    if len(_ways) < 20_000:
        with contextlib.suppress(TypeError):
            _ways[func] = way
    return way


def _way(func: object) -> int:
    name = getattr(func, "__name__", "")
    if name in ("__get__", "__set__"):
        attribute = getattr(getattr(func, "__self__", None), "__name__", "")
        if name == "__get__":
            return DATA if attribute == "data" else PLAIN if attribute in _READ_ONLY else ORDINARY
        return {"data": SET_DATA, "requires_grad": LEAF, "grad": ORDINARY}.get(attribute, WRITE)
    if name.startswith(("_fused_", "_foreach_")) and name.endswith("_"):
        return FUSED if name.startswith("_fused_") else WRITE
    if name == "requires_grad_":
        return LEAF
    if name in OPERATORS or (name.endswith("_") and not name.endswith("__")):
        return WRITE
    if func in (torch.Tensor.backward, torch.autograd.grad):
        return BACKWARD
    for names, way in ((_QUESTIONS, PLAIN), (_EXPORTS, EXPORT), (_VIEWS, VIEWS), (_BIRTHS, BIRTH)):
        if name in names:
            return way
    if name in ("batch_norm", "instance_norm"):
        return NORM
    # What Python or an operator library implements may write into what it is given.
    builtin = isinstance(func, types.BuiltinFunctionType | types.MethodDescriptorType | types.WrapperDescriptorType)
    return ORDINARY if builtin or isinstance(func, types.MethodWrapperType) else FUNCTION


class Watch(TorchFunctionMode):
    """Watches one thread and writes what it sees into ``record``."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record
        self.rows = record.rows_here()
        self.tags = len(record.rows) > 1  # numbers of several threads would be mixed up: nodes carry their line
        self.end = _sequence_number()
        self.backward_site: int | None = None
        #: (frame, place in the stack of modes) of a compiled region, while it runs without the watch.
        self.taken_out: tuple[int, int] | None = None
        self.region: object = None
        self.current = ""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        way = _ways.get(func)
        if way is None:
            way = _learn(func)
        if way == PLAIN:
            return func(*args, **kwargs) if kwargs else func(*args)
        if self.record.exports:
            exports.look(self)
        if way or (kwargs and "out" in kwargs):
            return self._special(way, func, args, kwargs or {})
        before = _sequence_number()
        if before != self.end:
            self._gap(before)
        try:
            result = func(*args, **kwargs) if kwargs else func(*args)
        except BaseException as error:
            silent.refused(self, func, args, kwargs or {}, error)
            raise
        after = _sequence_number()
        if after != before:
            record = self.record
            record.clock = clock = record.clock + 1
            self.rows.append(before, after, record.sites.number(), record.name(func.__name__), clock)
            self.end = after
            if self.tags:
                self._tag(result, before, after)
        elif _in_inference_mode():
            self._born_in_inference(result)
        return result

    def special_write(self, func, args: tuple, kwargs: dict):
        """A write that did not come through the mode."""
        return self._special(WRITE, func, args, kwargs)

    def uncounted(self, tensor: torch.Tensor) -> None:
        """A write whose version was put back."""
        version = graph.version(tensor)
        self.wrote(tensor, self.record.tick(), self.record.sites.number(below=True), UNCOUNTED, version, version)

    def close(self, site: int) -> None:
        """Give the nodes that were made outside any watched call (by the engine, in a Function) the place ``site``."""
        now = _sequence_number()
        if now != self.end:
            self.rows.append(self.end, now, site, self.record.name("?"), self.record.tick())
            self.end = now

    def _gap(self, before: int) -> None:
        self.close(self.record.sites.number() if self.backward_site is None else self.backward_site)

    def _special(self, way: int, func, args: tuple, kwargs: dict):
        record, before = self.record, _sequence_number()
        if before != self.end:
            self.close(record.sites.number() if self.backward_site is None else self.backward_site)
        clock = record.tick()
        # `out=` makes any call a write.
        looks = way in (WRITE, FUNCTION, FUSED, NORM) or "out" in kwargs
        tensors, versions, clashes, held, before_set = [], [], False, None, None
        with Looking(record):
            tensors = [*tensors_in(args), *tensors_in(kwargs)] if looks else []
            versions = [graph.version(tensor) for tensor in tensors]
            clashes = way == WRITE and len(tensors) > 1 and self._clashes(func, tensors)
            held = memory_of(args[0]) if way == SET_DATA else None
        before_set = storage_of(tensors[0]) if tensors and func.__name__ == "set_" else None
        self.current = func.__name__
        try:
            result = func(*args, **kwargs)
        except BaseException as error:
            silent.refused(self, func, args, kwargs, error)
            raise
        finally:
            self.current = ""
        with Looking(record):
            writer = None
            after = _sequence_number()
            if after != self.end:
                self.rows.append(self.end, after, record.sites.number(), record.name(func.__name__), clock)
                self.end = after
                if self.tags:
                    self._tag(result, before, after)
            for tensor, old in zip(tensors, versions, strict=True):
                new = graph.version(tensor)
                if new != old or (way == FUSED and tensor.numel()):
                    writer = record.sites.number(below=True) if writer is None else writer
                    self.wrote(tensor, clock, writer, func.__name__, old, new)
            if before_set is not None:
                # The memory that the tensor had is no longer its own; what was saved still looks there.
                record.writes.add(
                    before_set, Write(clock, writer or record.sites.number(), "set_", versions[0], versions[0] + 1)
                )
            if clashes and writer is not None:
                silent.overlap(self, writer, func.__name__)
            if way == FUNCTION and _in_inference_mode():
                self._born_in_inference(result)
            if way == SET_DATA and held is not None and held == memory_of(args[0]):
                way = ORDINARY  # `p.data = p.data.contiguous()`: it has the memory that it had
            if way not in (WRITE, FUNCTION, FUSED):
                self._note(way, func, args, kwargs, result, clock, held)
        return result

    def wrote(self, tensor: torch.Tensor, clock: int, site: int, by: str, old: int, new: int) -> None:
        """Note a write into the memory of ``tensor``."""
        storage = storage_of(tensor)
        if storage is None:
            return
        record = self.record
        record.latest_write = clock
        recorded = tensor.requires_grad and torch.is_grad_enabled()
        cut = tensor.requires_grad and not recorded
        write = Write(clock, site, by, old, new, None, recorded, tensor._base is not None, cut)
        record.writes.add(storage, write)
        for put in record.opaque.of(storage) if old != new and len(record.opaque) else ():
            if put.recomputes and clock > put.clock:  # `h.relu_()` keeps what it writes itself
                record.pending.setdefault(put.region, []).append((put.number, write))
        if recorded and len(record.first_writes) < 8 and site not in record.first_writes:
            here = record.sites[site]
            if not here.module and not here.via.startswith("nn.init"):
                record.first_writes[site] = write
        if recorded and not by.startswith("_f"):
            silent.retained(self, tensor, site, by)
        if self.backward_site is not None:
            silent.hook_argument(self, tensor, storage, site, by)

    def _note(self, way: int, func, args: tuple, kwargs: dict, result: object, clock: int, held: object = None) -> None:
        record = self.record
        if way == BIRTH and isinstance(result, torch.Tensor):
            self._born(result, clock)
            given = args[0] if args else kwargs.get("data", kwargs.get("obj"))
            if func.__name__ in ("as_tensor", "asarray") and hasattr(given, "__array_interface__"):
                exports.note(self, "from_numpy", args, result, clock)
        elif way == LEAF and isinstance(args[0], torch.Tensor) and args[0].is_leaf:
            storage = storage_of(args[0])
            if storage is not None and not record.births.of(storage):
                self._born(args[0], clock)
        elif way == VIEWS and isinstance(args[0], torch.Tensor):
            storage = storage_of(args[0])
            if storage is not None:
                record.views.add(storage, (clock, record.sites.number(), func.__name__))
        elif way == SET_DATA:
            storage = storage_of(args[0])
            if storage is not None:
                version, site = graph.version(args[0]), record.sites.number()
                record.latest_write = clock
                reference = silent.reference(args[0])
                record.writes.add(storage, Write(clock, site, ".data =", version, version, reference))
                record.holds(args[0], (clock, reference, held))
        elif way == DATA:
            exports.asked_for_data(self, args[0], clock)
        elif way == EXPORT:
            exports.note(self, func.__name__, args, result, clock)
        elif way == NORM:
            self._norm(args, kwargs, clock)

    def _born(self, tensor: torch.Tensor, clock: int) -> None:
        storage = storage_of(tensor)
        if storage is not None:
            self.record.births.add(storage, (clock, self.record.sites.number()))

    def _born_in_inference(self, result: object) -> None:
        # Here no node tells the line, and outside the block torch refuses the tensor.
        for tensor in tensors_in(result):
            storage = storage_of(tensor)
            if storage is not None and not self.record.births.of(storage):
                self._born(tensor, self.record.tick())

    def _norm(self, args: tuple, kwargs: dict, clock: int) -> None:
        """A normalisation in training mode writes its running statistics, and no counter moves."""
        named = dict(zip(("input", "running_mean", "running_var", "weight", "bias", "training"), args, strict=False))
        named.update(kwargs)
        if not named.get("training", named.get("use_input_stats", False)):
            return
        for name in ("running_mean", "running_var"):
            tensor = named.get(name)
            if isinstance(tensor, torch.Tensor):
                site = self.record.sites.number(below=True)
                version = graph.version(tensor)
                self.wrote(tensor, clock, site, "batch_norm", version, version)

    def _clashes(self, func, tensors: list[torch.Tensor]) -> bool:
        # Only `a -= a[...]`: an assignment copies through a buffer where torch sees the overlap.
        if func.__name__.startswith("_") and not func.__name__.startswith("__i"):
            return False
        try:
            return any(overlap_in_part(tensors[0], other) for other in tensors[1:])
        except RuntimeError:
            return False

    def _tag(self, result: object, before: int, after: int) -> None:
        with contextlib.suppress(RuntimeError), torch._C.DisableTorchFunctionSubclass():
            queue = [node for tensor in tensors_in(result) if (node := graph.maker(tensor)) is not None]
            origin = Origin(self.record.sites.number(), self.current or "?", self.record.clock)
            while queue:
                node = queue.pop()
                if before <= node._sequence_nr() < after and graph.noted(node, KEY) is None:
                    graph.note(node, KEY, origin)
                    queue.extend(graph.following(node))

    @contextlib.contextmanager
    def inside_backward(self, site: int):
        """Watch what backward calls in this thread: hooks, Functions, recomputation."""
        outer = self.backward_site
        self.backward_site = site
        active = any(mode is self for mode in torch.overrides._get_current_function_mode_stack())
        try:
            with contextlib.nullcontext() if active else self:
                yield
        finally:
            self.backward_site = outer
