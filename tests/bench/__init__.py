"""Figures of this project, each beside a rival that is measured in the same run: `make bench`.

A module `tests/bench/bench_*.py` registers functions with `benchmark`; each returns a `Figure`. Value and rival are
measured alternately (`side_by_side`), so that both see the same load and their ratio holds on a busy machine too.
"""

from __future__ import annotations

import importlib
import pkgutil
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measurement. `value` and `rival` are in `unit`; smaller is better unless the benchmark says otherwise."""

    value: float
    rival: float
    unit: str

    @property
    def ratio(self) -> float:
        """`value / rival`; infinite where the rival is 0."""
        return self.value / self.rival if self.rival else float("inf")

    def as_dict(self) -> dict[str, float | str]:
        """The entry of build/bench.json."""
        return {"value": self.value, "unit": self.unit, "rival": self.rival, "ratio": self.ratio}


@dataclass(frozen=True)
class Benchmark:
    """A figure that can be measured: `what` is ours, `against` the rival, `measure(rounds)` does it."""

    name: str
    what: str
    against: str
    measure: Callable[[int], Figure]


REGISTRY: dict[str, Benchmark] = {}


def benchmark(
    name: str, *, what: str, against: str
) -> Callable[[Callable[[int], Figure]], Callable[[int], Figure]]:
    """Register a function `(rounds) -> Figure` under `name`. Raises ValueError when the name is taken."""

    def register(measure: Callable[[int], Figure]) -> Callable[[int], Figure]:
        if name in REGISTRY:
            raise ValueError(f"Two benchmarks are called {name!r}: rename one.")
        REGISTRY[name] = Benchmark(name, what, against, measure)
        return measure

    return register


def discover() -> tuple[Benchmark, ...]:
    """Import every `bench_*` module of this folder; all benchmarks, by name."""
    for module in pkgutil.iter_modules(__path__):
        if module.name.startswith("bench_"):
            importlib.import_module(f"{__name__}.{module.name}")
    return tuple(REGISTRY[name] for name in sorted(REGISTRY))


def choose(benchmarks: Sequence[Benchmark], names: Sequence[str]) -> tuple[Benchmark, ...]:
    """Those of `names`, or all where no name is given. Raises ValueError, listing the known, for an unknown one."""
    known = {one.name: one for one in benchmarks}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"No benchmark is called {unknown[0]!r}. Known: {', '.join(sorted(known))}.")
    return tuple(known[name] for name in names) if names else tuple(benchmarks)


def side_by_side(ours: Callable[[], object], rival: Callable[[], object], rounds: int) -> Figure:
    """Median wall-clock milliseconds of both calls, taken in turns, after one unmeasured call of each."""
    ours()
    rival()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for call, taken in zip((ours, rival), times, strict=True):
            start = time.perf_counter()
            call()
            taken.append((time.perf_counter() - start) * 1e3)
    return Figure(statistics.median(times[0]), statistics.median(times[1]), "ms")
