"""The atlas: searching it while somebody types, looking up, and measuring it."""

from __future__ import annotations

import re
import time
from pathlib import Path

import torch

from inplace_lab import atlas, probe
from tests.bench import Figure, benchmark, side_by_side

PART = 3  # every third entry stands for the whole


@benchmark(
    "atlas_search",
    what="atlas browser: one letter more, in the kernel (target: 50 ms)",
    against="reading derivatives.yaml and finding the same letters in it",
)
def search_over_yaml(rounds: int) -> Figure:
    import torchgen

    from inplace_lab import AtlasBrowser

    browser = AtlasBrowser()
    formulas = Path(torchgen.__file__).parent / "packaged" / "autograd" / "derivatives.yaml"
    typed = iter(["s", "so", "sof", "soft", "softm", ""] * rounds)

    def letter() -> None:
        browser.field.value = next(typed)

    def find() -> list[str]:
        return re.findall(r"(?m)^- name: .*sof.*\n(?: .*\n)*", formulas.read_text(encoding="utf-8"))

    return side_by_side(letter, find, min(rounds * 5, 6 * rounds - 1))


@benchmark("atlas_lookup", what='atlas.lookup("softmax")', against="probe(torch.softmax, x, 0)")
def lookup_over_probe(rounds: int) -> Figure:
    x = torch.rand(5)
    return side_by_side(lambda: atlas.lookup("softmax"), lambda: probe(torch.softmax, x, 0), rounds)


@benchmark(
    "atlas_measure",
    what="every third entry of the atlas measured in two processes, with their start",
    against="the same in one process",
)
def two_processes_over_one(rounds: int) -> Figure:
    from inplace_lab.atlas import measuring

    keys = sorted(measuring.database())[::PART]
    taken = []
    for jobs in (2, 1):
        start = time.perf_counter()
        measuring.measure_all(keys, jobs)
        taken.append(time.perf_counter() - start)
    return Figure(*taken, "s")
