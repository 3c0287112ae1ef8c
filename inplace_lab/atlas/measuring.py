"""Measure the atlas: ``probe`` over torch's own operator database, a few samples of each entry, on all cores.

The database (``torch.testing._internal``) describes each operator with sample inputs for torch's tests. It is not
imported before somebody measures: that takes seconds, and needs the package ``expecttest``.
"""

from __future__ import annotations

import itertools
import math
import os
import random
import signal
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import replace
from functools import cache
from multiprocessing import get_context

import torch

from ..catalogue import number
from ..saving import Call, Probe, kept_random_state, kind, measure, read, seed, tensors_in
from .entry import Entry, Internal, Node, Sample, Tensor

MOST_READ, MOST_MEASURED, MOST_EXPRESSIONS = 40, 12, 5
_DTYPES = (torch.float32, torch.float64, torch.complex64, torch.bfloat16)
_SEED = 9
NO_GRADIENT = "torch's operator database names no gradient for it"
_NUMBER = 2.5  # the number that a binary operation is given in place of its second tensor


@cache
def database() -> dict[tuple[str, str], object]:
    """(name, variant) -> the entry of torch's operator database.

    Raises RuntimeError, in one sentence, where the database cannot be imported.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from torch.testing._internal.common_methods_invocations import op_db
    except ImportError as error:
        name = error.name or error
        raise RuntimeError(f"Torch's operator database needs the package {name}: run  pip install {name}") from error
    return {(info.name, info.variant_test_name): info for info in op_db}


def measure_entry(key: tuple[str, str]) -> Entry:
    """Measure one entry of the database; what cannot be measured is an entry with a reason."""
    info = database()[key]
    aliases = tuple(sorted(alias.name for alias in info.aliases))

    def without(reason: str, seen: int = 0) -> Entry:
        return Entry(info.name, info.variant_test_name, aliases, seen, (), reason, torch.__version__)

    if not info.supports_autograd:
        return without(NO_GRADIENT)
    supported = info.supported_backward_dtypes("cpu")
    dtype = next((one for one in _DTYPES if one in supported), None)
    if dtype is None:
        return without("torch's operator database names no dtype for its backward on the CPU")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            calls, texts = _calls(info, dtype)
        except Exception as error:
            return without(f"its samples cannot be made: {_one_line(error)}")
        kinds, problem = _kinds(calls)
        samples = []
        for call in kinds:
            try:
                samples.append(_sample(call, measure(call), texts.get(id(call), "")))
            except Exception as error:
                problem = problem or _one_line(error)
    if not samples:
        return without(problem or "it has no sample with numbers in it", len(calls))
    return Entry(info.name, info.variant_test_name, aliases, len(calls), tuple(samples), "", torch.__version__)


def _calls(info: object, dtype: torch.dtype) -> tuple[list[Call], dict[int, str]]:
    """The calls that are looked at, and for some their text as an operation of an experiment.

    Those come first: samples of one tensor, called with five numbers in a row. Then samples spread over all that there
    are, and for a binary operation one with a number.
    """
    random.seed(_SEED)
    seed(_SEED)
    _seed_numpy()
    samples = [one for one in info.sample_inputs("cpu", dtype, requires_grad=True) if _has_numbers(one)]
    # Shortest text first. The database makes some samples in the order of a set, which is another one in each process.
    every = sorted((_call(info, one, one.args) for one in samples), key=_order)
    calls = every[:: max(1, math.ceil(len(every) / MOST_READ))]
    if getattr(info, "supports_rhs_python_scalar", False) and samples and len(samples[0].args) == 1:
        calls.append(_call(info, samples[0], (_NUMBER,)))
    in_a_row: dict[str, Call] = {}
    for call in calls:
        text = expression(call)
        if text and text not in in_a_row and len(in_a_row) < MOST_EXPRESSIONS:
            in_a_row[text] = replace(call, arguments=(_five(call), *call.arguments[1:]))
    return [*in_a_row.values(), *calls], {id(call): text for text, call in in_a_row.items()}


def _order(call: Call) -> tuple:
    text = _words(call)
    return len(text), text, [tuple(t.shape) for _, t in tensors_in((call.arguments, call.keywords))]


def _five(call: Call) -> torch.Tensor:
    """Five numbers that the call maps to finite ones."""
    for numbers in ((0.1, 0.3, 0.5, 0.7, 0.9), (1.5, 2.25, 3.0, 4.0, 5.5)):
        given = torch.tensor(numbers).requires_grad_()
        try:
            finite = torch.isfinite(call.function(given, *call.arguments[1:], **call.keywords)).all()
        except Exception:
            continue
        if finite:
            break
    return given


def _call(info: object, sample: object, arguments: tuple) -> Call:
    return Call(info.op, (sample.input, *arguments), dict(sample.kwargs), sample.output_process_fn_grad, info.name)


def _seed_numpy() -> None:
    try:
        import numpy
    except ImportError:
        return
    numpy.random.seed(_SEED)


def _has_numbers(sample: object) -> bool:
    """Whether no tensor of the sample is empty: nothing could be overwritten there."""
    given = [tensor for _, tensor in tensors_in((sample.input, sample.args, sample.kwargs))]
    return bool(given) and all(tensor.numel() for tensor in given)


def _kinds(calls: list[Call]) -> tuple[list[Call], str]:
    """One call of each kind, by what the graph says is kept, and the first problem.

    Of each kind it is the first whose tensors have more than one number, else the first.
    """
    found: dict[tuple, Call] = {}
    problem = ""
    for call in calls:
        try:
            seen = read(call)
        except Exception as error:
            problem = problem or _one_line(error)
            continue
        kind_ = _kind_of(seen)
        if kind_ not in found or (_tiny(found[kind_]) and not _tiny(call)):
            found[kind_] = call
    return list(found.values())[:MOST_MEASURED], problem


def _tiny(call: Call) -> bool:
    return all(tensor.numel() == 1 for _, tensor in tensors_in((call.arguments, call.keywords)))


def _kind_of(seen: Probe) -> tuple:
    subjects = tuple((one.role, _without_place(one.name), one.kept, one.read) for one in seen.subjects)
    return frozenset(subjects), frozenset(str(one.kept) for one in seen.internal)


def _without_place(name: str) -> str:
    return name.partition("[")[0]


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 160 else text[:159] + "…"


# --- from a probe to a sample -----------------------------------------------------------------------------------------


def _sample(call: Call, result: Probe, text: str) -> Sample:
    tensors = tuple(
        Tensor(
            one.role, one.name, kind(one.dtype, one.shape), tuple(map(str, one.kept)), one.verdict, one.used,
            "" if one.agrees else one.read, one.note,
        )
        for one in result.subjects
    )  # fmt: skip
    internal = tuple(
        Internal(text, type_, nbytes)
        for text, type_, nbytes in sorted(
            (str(one.kept), kind(one.dtype, one.shape), one.nbytes) for one in result.internal
        )
    )
    nodes = {
        Node(one.name, one.slots, one.empty, "".join("1" if edge else "-" for edge in one.edges))
        for one in result.nodes
    }
    ordered = tuple(sorted(nodes, key=lambda node: (node.name, node.slots, node.empty, node.edges)))
    return Sample(_words(call), result.nbytes, tensors, internal, ordered, text)


def _words(call: Call) -> str:
    """The call as code, with names for tensors and at most 120 characters of everything else."""
    names = iter(call.names)

    def show(value: object) -> str:
        if isinstance(value, torch.Tensor):
            return next(names)
        if isinstance(value, tuple | list) and not isinstance(value, torch.Size):
            inner = ", ".join(map(show, value))
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key!r}: {show(item)}" for key, item in value.items()) + "}"
        return _literal(value) or f"<{type(value).__name__}>"

    shown = [show(value) for value in call.arguments]
    shown += [f"{key}={show(value)}" for key, value in call.keywords.items()]
    text = f"{call.title}({', '.join(shown)})"
    return text if len(text) <= 120 else text[:119] + "…"


def _literal(value: object) -> str:
    """Python source of a plain value; "" for anything else."""
    if isinstance(value, bool) or value is None or isinstance(value, str | torch.dtype):
        return repr(value)
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, tuple | list):
        items = [_literal(item) for item in value]
        if all(items):
            inner = ", ".join(items)
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(items) == 1 else ''})"
    if value is Ellipsis:
        return "..."
    return ""


def expression(call: Call) -> str:
    """The call as Python text on an experiment's ``middle``, five numbers in a row; "" where it is no such call.

    The text is run, and must give what the operator gives.
    """
    middle = torch.tensor([1.0, 2, 3, 4, 5]).requires_grad_() + 2
    rest = [_literal(value) for value in call.arguments[1:]]
    keywords = {key: _literal(value) for key, value in call.keywords.items()}
    if len(call.names) != 1 or not isinstance(call.arguments[0], torch.Tensor):
        return ""
    if not all(rest) or not all(keywords.values()):
        return ""
    try:
        with kept_random_state():
            seed(_SEED)
            wanted = call.function(middle, *call.arguments[1:], **call.keywords)
    except Exception:
        return ""
    behind = [*rest, *(f"{key}={value}" for key, value in keywords.items())]
    forms = (
        f"torch.{call.title}({', '.join(['middle', *behind])})",
        f"middle.{call.title}({', '.join(behind)})",
        f"middle.{call.title}",
    )
    return next((text for text in forms if _does(text, middle, wanted)), "")


def _does(text: str, middle: torch.Tensor, wanted: object) -> bool:
    try:
        with kept_random_state():
            seed(_SEED)
            got = eval(text, {"torch": torch, "middle": middle})
        if not isinstance(got, torch.Tensor) or not isinstance(wanted, torch.Tensor) or not got.requires_grad:
            return False
        got.sum().backward()
        return got.shape == wanted.shape and torch.equal(got.nan_to_num(), wanted.nan_to_num())
    except Exception:
        return False


# --- all of them ------------------------------------------------------------------------------------------------------


def measure_all(
    keys: Sequence[tuple[str, str]] | None = None,
    jobs: int | None = None,
    done: Callable[[str], None] = lambda name: None,
) -> list[Entry]:
    """Measure entries (None: all) in ``jobs`` processes (None: one for each core); ``done`` hears each one's name.

    Ctrl-C ends the processes and raises KeyboardInterrupt. An entry that brings its process down is listed with that as
    its reason.
    """
    keys = list(database()) if keys is None else list(keys)
    found: dict[tuple[str, str], Entry] = {}
    waiting = keys
    while waiting:
        crashed = _round(waiting, jobs or os.cpu_count() or 1, found, done)
        waiting = [key for key in waiting if key not in found]
        if crashed and waiting:
            # Whoever brought the pool down is among the first that are missing: one process for each of them.
            for key in waiting[: 2 * (jobs or os.cpu_count() or 1)]:
                if _round([key], 1, found, done):
                    reason = "measuring it ended the process"
                    found[key] = Entry(*key, (), 0, (), reason, torch.__version__)
                    done(key[0])
            waiting = [key for key in waiting if key not in found]
    return [found[key] for key in sorted(keys)]


def _round(keys: list[tuple[str, str]], jobs: int, found: dict, done: Callable[[str], None]) -> bool:
    """Measure what can be measured before a process dies; returns whether one did."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start)  # a fork of a process that ran backward cannot
    open_: dict = {}
    order = iter(keys)
    try:
        while True:
            for key in itertools.islice(order, 2 * jobs - len(open_)):
                open_[pool.submit(measure_entry, key)] = key
            if not open_:
                return False
            for future in wait(open_, return_when=FIRST_COMPLETED).done:
                key = open_.pop(future)
                if isinstance(future.exception(), Exception):
                    return True
                found[key] = future.result()
                done(key[0])
    finally:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(5)


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its processes
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    torch.set_num_threads(1)
