"""Run an experiment on the installed torch, line by line, and record what happened.

Nothing here knows what an operation saves or whether backward will fail: the program's text is executed, versions
are read after each line, and saved tensors are read when their node appears, since only then does the version
counter still show the version at which they were saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType

import torch

from . import graph, verdict
from .catalogue import TARGETS
from .experiment import Experiment


@dataclass(frozen=True)
class Failure:
    """What stopped a program: the exception's class name, its exact text, and the line (1-based) that raised it."""

    kind: str
    text: str
    line_number: int
    line: str


@dataclass(frozen=True)
class Step:
    """One line of the program, with the version counters and the values of leaf, middle and root after it.

    Both are None for a tensor that does not exist yet; values are listed row by row.
    """

    line_number: int
    line: str
    versions: dict[str, int | None]
    values: dict[str, tuple[float, ...] | None]
    error: Failure | None = None


@dataclass(frozen=True)
class Node:
    """A backward node: its name, the index in ``Observation.steps`` of the line that made it, whether it lies on the
    loss's way back to leaf, and the indices in ``Observation.nodes`` of the nodes that it passes its gradient to."""

    name: str
    step: int
    needed: bool
    following: tuple[int, ...]


@dataclass(frozen=True)
class Saved:
    """A tensor that a backward node kept.

    tensor is "leaf", "middle", "root", or "internal" for one that is none of them (its contents in ``value``).
    version is its counter when it was saved, step the index in ``Observation.steps`` of the line that made the node,
    and needed says whether the node lies on the loss's way back to leaf. node_index points into
    ``Observation.nodes``. value holds the saved numbers, as a CPU tensor. A tensor that its own line overwrote again
    (``root = middle.exp().mul_(2)``) cannot be read any more and is left out.
    """

    node: str
    slot: str
    tensor: str
    version: int
    step: int
    needed: bool
    node_index: int
    value: torch.Tensor = field(repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Backward:
    """One backward call: the gradient of leaf that this call added, or the error.

    gradient is a CPU tensor with leaf's shape and dtype; None where there is none. A call that the program never
    reached has ``reached=False`` and carries the error that stopped the program.
    """

    line_number: int
    gradient: torch.Tensor | None
    error: Failure | None
    reached: bool = True


@dataclass(frozen=True, eq=False)
class Observation:
    """What torch did with an experiment. The two reference gradients are CPU tensors like leaf.

    gradient_unmutated: of the program without its writes.
    gradient_out_of_place: of the same maths with every write made in a new tensor.
    Both belong to the last backward call, and are None if that program has no gradient.
    """

    experiment: Experiment
    program: str
    program_unmutated: str
    program_out_of_place: str
    steps: tuple[Step, ...]
    nodes: tuple[Node, ...]
    saved: tuple[Saved, ...]
    backwards: tuple[Backward, ...]
    gradient_unmutated: torch.Tensor | None
    gradient_out_of_place: torch.Tensor | None

    @property
    def error(self) -> Failure | None:
        """What stopped the program, or None when it ran to its end."""
        return self.steps[-1].error

    @property
    def runs(self) -> bool:
        """Whether the program ran to its end."""
        return self.error is None

    @property
    def gradient(self) -> torch.Tensor | None:
        """The gradient of the last backward call."""
        return self.backwards[-1].gradient

    @property
    def outcome(self) -> str:
        """One of ``verdict.OUTCOMES``: "plain", "same", "right", "wrong", "backward refused" and so on."""
        return verdict.outcome(self)

    @property
    def verdict(self) -> str:
        """The outcome in one or two sentences."""
        return verdict.sentence(self)

    @property
    def reading(self) -> str:
        """Which saved tensor changed and since which line: one sentence, or "" when backward was not refused."""
        return verdict.reading(self)


def observe(experiment: Experiment) -> Observation:
    """Run ``experiment`` and its two references, and return what torch did.

    Raises nothing that the program raises: an error is part of the observation. What surrounds the call (``no_grad``,
    inference mode, anomaly detection, another default dtype) does not reach the program.
    """
    run = _run(experiment.program)
    return Observation(
        experiment,
        experiment.program,
        experiment.program_unmutated,
        experiment.program_out_of_place,
        run.steps,
        run.nodes,
        run.saved,
        run.backwards,
        _reference(experiment.program_unmutated),
        _reference(experiment.program_out_of_place),
    )


def _reference(program: str) -> torch.Tensor | None:
    return _run(program).backwards[-1].gradient


@dataclass(frozen=True)
class _Run:
    steps: tuple[Step, ...]
    nodes: tuple[Node, ...]
    saved: tuple[Saved, ...]
    backwards: tuple[Backward, ...]


@contextmanager
def _as_in_a_fresh_python() -> Iterator[None]:
    """Undo for a while the modes of this process that would change what a program does."""
    default = torch.get_default_dtype()
    with torch.inference_mode(False), torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        torch.set_default_dtype(torch.float32)
        try:
            yield
        finally:
            torch.set_default_dtype(default)


@_as_in_a_fresh_python()
def _run(program: str) -> _Run:
    namespace: dict[str, object] = {}
    watch = _GraphWatch()
    steps: list[Step] = []
    backwards: list[Backward] = []
    failure: Failure | None = None
    for line_number, line in enumerate(program.splitlines(), start=1):
        is_backward = line.startswith("loss.backward(")
        if failure is None:
            before = _take_gradient(namespace) if is_backward else None
            failure = _execute(line, line_number, namespace)
            steps.append(Step(line_number, line, _versions(namespace), _values(namespace), failure))
            watch.look(namespace, step=len(steps) - 1)
            if is_backward:
                gradient = _give_back(namespace, before) if failure is None else None
                backwards.append(Backward(line_number, gradient, failure))
        elif is_backward:
            backwards.append(Backward(line_number, None, failure, reached=False))
    return _Run(tuple(steps), watch.nodes(), watch.saved(), tuple(backwards))


@lru_cache(1024)  # most lines of an experiment were in the one before
def _compiled(line: str) -> CodeType:
    return compile(line, "<experiment>", "exec")


def _execute(line: str, line_number: int, namespace: dict[str, object]) -> Failure | None:
    try:
        exec(_compiled(line), namespace)
    except Exception as error:
        return Failure(type(error).__name__, str(error), line_number, line)
    return None


def _take_gradient(namespace: dict[str, object]) -> torch.Tensor | None:
    """Set the accumulated gradient aside, so that a backward call leaves exactly its own share in leaf.grad."""
    before = namespace["leaf"].grad
    namespace["leaf"].grad = None
    return before


def _give_back(namespace: dict[str, object], before: torch.Tensor | None) -> torch.Tensor | None:
    """The share of the last call; leaf.grad becomes the sum again, as in a bare Python."""
    leaf = namespace["leaf"]
    share = None if leaf.grad is None else leaf.grad.detach().cpu().clone()
    if before is not None:
        leaf.grad = before if leaf.grad is None else before + leaf.grad
    return share


def _versions(namespace: dict[str, object]) -> dict[str, int | None]:
    tensors = _tensors(namespace)
    return {name: graph.version(tensors[name]) if name in tensors else None for name in TARGETS}


def _values(namespace: dict[str, object]) -> dict[str, tuple[float, ...] | None]:
    tensors = _tensors(namespace)
    return {name: tuple(tensors[name].flatten().tolist()) if name in tensors else None for name in TARGETS}


def _tensors(namespace: dict[str, object]) -> dict[str, torch.Tensor]:
    """Those of leaf, middle, root and loss that exist; an operation of the caller's may make root something else."""
    names = (*TARGETS, "loss")
    return {name: namespace[name] for name in names if isinstance(namespace.get(name), torch.Tensor)}


class _GraphWatch:
    """Reads what new nodes saved, at the step at which they appear."""

    def __init__(self) -> None:
        self._step: dict[object, int] = {}  # node -> step; keeps the nodes alive, so that identity stays meaningful
        self._saved: list[tuple[object, str, str, int, torch.Tensor]] = []
        self._needed: set[object] = set()

    def look(self, namespace: dict[str, object], step: int) -> None:
        tensors = _tensors(namespace)
        for tensor in tensors.values():
            for node in graph.nodes(tensor):
                if node not in self._step:
                    self._step[node] = step
                    self._read(node, tensors)
        end = tensors.get("loss", tensors.get("root"))  # a program that stopped early has only root
        if end is not None:
            self._needed = set(graph.nodes(end))

    def _read(self, node: object, tensors: dict[str, torch.Tensor]) -> None:
        for slot, tensor in graph.saved(node, skip_broken=True):
            name = next((n for n in TARGETS if n in tensors and graph.shares_memory(tensor, tensors[n])), "internal")
            self._saved.append((node, slot, name, graph.version(tensor), tensor.detach().cpu().clone()))

    def nodes(self) -> tuple[Node, ...]:
        index = {node: position for position, node in enumerate(self._step)}
        return tuple(
            Node(node.name(), step, node in self._needed, tuple(dict.fromkeys(index[n] for n in graph.edges(node))))
            for node, step in self._step.items()
        )

    def saved(self) -> tuple[Saved, ...]:
        index = {node: position for position, node in enumerate(self._step)}
        return tuple(
            Saved(node.name(), slot, name, version, self._step[node], node in self._needed, index[node], value)
            for node, slot, name, version, value in self._saved
        )
