"""Follow what the program puts around autograd: hooks on saved tensors, Functions, threads, compiled regions."""

from __future__ import annotations

import functools
import itertools
import sys
import threading

import torch

from . import compiled, exports, graph, mistakes, silent
from .backward import watches
from .finding import change
from .record import KEY, Origin, PutAway, Record
from .watch import Watch
from .writes import storage_of, tensors_in

COMPILED = "A region compiled by torch.compile ran unwatched: what is said of its lines was read from its source."


# Torch shows none of these to function modes.
_DLPACK = {name: [(owner, name) for owner in (torch, torch.utils.dlpack)] for name in ("from_dlpack", "to_dlpack")}


class Patches:
    """The few functions of torch and Python that are wrapped while a program is diagnosed."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._undo: list[tuple[object, str, object]] = []

    def open(self) -> None:
        self._wrap(torch._C._autograd, "_push_saved_tensors_default_hooks", _push)
        self._wrap(torch.autograd.function.FunctionCtx, "save_for_backward", _save_for_backward)
        for owner, name in ((torch, "from_numpy"), (torch, "frombuffer"), *_DLPACK["from_dlpack"]):
            self._wrap(owner, name, _taken_in)
        for owner, name in _DLPACK["to_dlpack"]:
            self._wrap(owner, name, _handed_out)
        self._wrap(torch, "compile", self._compile)
        self._wrap(threading.Thread, "run", self._thread)
        self._wrap(torch.Tensor, "set_", _unseen)
        preserving = torch.autograd._unsafe_preserve_version_counter
        self._wrap(preserving, "__init__", _preserved)
        self._wrap(preserving, "__exit__", _restored)
        self._follow_compiled()

    def close(self) -> None:
        while self._undo:
            owner, name, original = self._undo.pop()
            delattr(owner, name) if original is None else setattr(owner, name, original)

    def _wrap(self, owner: object, name: str, make) -> None:
        original = getattr(owner, name)
        self._undo.append((owner, name, original if name in vars(owner) else None))
        setattr(owner, name, make(original))

    def _compile(self, original):
        def compile(*args, **kwargs):  # noqa: A001 - it stands in torch.compile's place
            result = original(*args, **kwargs)
            self._follow_compiled()
            return result

        return functools.update_wrapper(compile, original)

    def _follow_compiled(self) -> None:
        """A compiled region runs unwatched: the compiler would take the watch for a part of the program."""
        module = sys.modules.get("torch._dynamo.eval_frame")
        if module is not None and not any(owner is module for owner, _, _ in self._undo):
            self._wrap(module, "_maybe_set_eval_frame", self._switch)

    def _switch(self, original):
        def _maybe_set_eval_frame(callback):
            watch = getattr(watches, "current", None)
            if watch is not None:
                # The compiler calls this for its own ends too; the frame tells where the region began.
                frame = sys._getframe(1)
                if callback is not None and watch.taken_out is None:
                    watch.region = compiled.enter(watch, frame)
                    _take_out(watch, id(frame))
                    self.record.limit(COMPILED)
                elif watch.taken_out is not None and watch.taken_out[0] == id(frame):
                    _put_back(watch)
                    with torch._C.DisableTorchFunction():
                        compiled.leave(watch, watch.region)
                    watch.region = None
            return original(callback)

        return _maybe_set_eval_frame

    def _thread(self, original):
        record = self.record

        def run(thread: threading.Thread) -> None:
            watch = Watch(record)
            watches.current = watch
            try:
                with watch:
                    original(thread)
            finally:
                watches.current = None

        return functools.update_wrapper(run, original)


def _take_out(watch: Watch, frame: int) -> None:
    modes = torch.overrides._get_current_function_mode_stack()
    if any(mode is watch for mode in modes):
        watch.taken_out = frame, [mode is watch for mode in modes].index(True)
        _set_modes([mode for mode in modes if mode is not watch])


def _put_back(watch: Watch) -> None:
    if watch.taken_out is not None:
        modes = list(torch.overrides._get_current_function_mode_stack())
        modes.insert(watch.taken_out[1], watch)
        watch.taken_out = None
        _set_modes(modes)


def _set_modes(modes: list[object]) -> None:
    while torch._C._len_torch_function_stack():
        torch._C._pop_torch_function_stack()
    for mode in modes:
        torch._C._push_on_torch_function_stack(mode)


_regions = itertools.count(1)


def _push(original):
    def push(pack, unpack):
        watch = getattr(watches, "current", None)
        return original(pack if watch is None else _packing(watch, pack), unpack)

    return push


def _packing(watch: Watch, pack):
    recomputes = getattr(pack, "__module__", "") == "torch.utils.checkpoint"

    region = next(_regions)

    def pack_hook(tensor: torch.Tensor) -> object:
        away = pack(tensor)
        storage = storage_of(tensor)
        # To compute this tensor again, a checkpoint has to go through all writes that came before it.
        watch.record.written_again += watch.record.pending.pop(region, ())
        inside = list(tensors_in(away))
        if not inside and storage is not None:
            watch.record.opaque.add(storage, _put(away, storage, recomputes, region, watch.record.clock))
        copied = inside and not any(_same_memory(one, storage) for one in inside)
        if (copied or recomputes) and watch.current.startswith("rrelu"):
            number = watch.record.sites.number()
            if number >= 0:
                silent.report(watch.record, mistakes.noise(change(watch.record.sites[number], watch.current)))
        return away

    return pack_hook


def _put(away: object, storage: torch.UntypedStorage, recomputes: bool, region: int, clock: int) -> PutAway:
    interface = getattr(away, "__array_interface__", None)
    begin = interface["data"][0] if isinstance(interface, dict) and interface.get("data") else 0
    shares = storage.data_ptr() <= begin < storage.data_ptr() + storage.nbytes()
    return PutAway(torch._C._autograd._get_sequence_nr() - 1, recomputes, shares, region, clock)


def _same_memory(tensor: torch.Tensor, storage: torch.UntypedStorage | None) -> bool:
    memory = storage_of(tensor)
    return memory is not None and storage is not None and memory._cdata == storage._cdata


def _save_for_backward(original):
    def save_for_backward(self, *tensors):
        watch = getattr(watches, "current", None)
        if watch is not None and isinstance(self, torch._C._FunctionBase):
            record = watch.record
            graph.note(self, KEY, Origin(record.sites.number(), "save_for_backward", record.tick()))
        return original(self, *tensors)

    return functools.update_wrapper(save_for_backward, original)


def _unseen(original):
    """A method that torch does not show to function modes: show it."""

    def method(self, *args, **kwargs):
        watch = getattr(watches, "current", None)
        if watch is None or not torch._C._is_torch_function_mode_enabled():
            return original(self, *args, **kwargs)
        with torch._C.DisableTorchFunction():
            return watch.special_write(original, (self, *args), kwargs)

    return functools.update_wrapper(method, original)


def _taken_in(original):
    """A function that makes a tensor of memory that is there already."""

    def take_in(*args, **kwargs):
        tensor = original(*args, **kwargs)
        watch = getattr(watches, "current", None)
        if watch is not None:
            exports.note(watch, "from_numpy", args, tensor, watch.record.clock)
        return tensor

    return functools.update_wrapper(take_in, original)


def _handed_out(original):
    def to_dlpack(*args, **kwargs):
        watch = getattr(watches, "current", None)
        if watch is not None:
            exports.note(watch, "to_dlpack", args, None, watch.record.clock)
        return original(*args, **kwargs)

    return functools.update_wrapper(to_dlpack, original)


# DistributedDataParallel gives buffers the values of the first process, and puts their versions back afterwards.


def _preserved(original):
    def __init__(self, tensors):
        original(self, tensors)
        if getattr(watches, "current", None) is not None:
            with torch._C.DisableTorchFunction(), torch.no_grad():
                self._before = [tensor.detach().clone() for tensor in self.tensors]

    return functools.update_wrapper(__init__, original)


def _restored(original):
    def __exit__(self, *error):
        original(self, *error)
        watch, before = getattr(watches, "current", None), self.__dict__.pop("_before", None)
        if watch is not None and before is not None:
            with torch._C.DisableTorchFunction(), torch.no_grad():
                for tensor, old in zip(self.tensors, before, strict=True):
                    if not torch.equal(tensor.detach(), old):
                        watch.uncounted(tensor)

    return functools.update_wrapper(__exit__, original)
