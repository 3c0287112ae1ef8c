"""The doctor: what a training step costs while it is watched, beside the same step in torch's anomaly mode."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from inplace_lab.doctor import diagnose
from tests.bench import Figure, benchmark


class Block(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(width), nn.BatchNorm2d(width)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = F.relu(self.norms[0](self.first(x)), inplace=True)
        return F.relu(x + self.norms[1](self.second(hidden)))


def small_resnet() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    """A ResNet of six blocks; model, input (8, 3, 32, 32), classes (8,)."""
    model = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1),
        *(Block(32) for _ in range(6)),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    )
    return model, torch.randn(8, 3, 32, 32), torch.randint(10, (8,))


def transformer() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    """A transformer encoder of two layers over 32 vectors; input (8, 32, 128)."""
    layer = nn.TransformerEncoderLayer(128, 4, 512, batch_first=True)
    model = nn.Sequential(
        nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Flatten(), nn.Linear(32 * 128, 10)
    )
    return model, torch.randn(8, 32, 128), torch.randint(10, (8,))


class Recurrent(nn.Module):
    """Two LSTM cells, stepped in Python over the sequence: many small calls, the dearest case for a watcher."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.ModuleList([nn.LSTMCell(64, 192), nn.LSTMCell(192, 192)])
        self.head = nn.Linear(192, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        states = [(x.new_zeros(len(x), 192), x.new_zeros(len(x), 192)) for _ in self.cells]
        for step in x.unbind(1):
            for number, cell in enumerate(self.cells):
                states[number] = cell(step, states[number])
                step = states[number][0]
        return self.head(states[-1][0])


def lstm() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    """An LSTM of two layers, stepped in Python; input (32, 30, 64)."""
    return Recurrent(), torch.randn(32, 30, 64), torch.randint(10, (32,))


def training_step(make: Callable[[], tuple[nn.Module, torch.Tensor, torch.Tensor]]) -> Callable[[], None]:
    """A function that makes one step of Adam on random data."""
    torch.manual_seed(0)
    model, inputs, classes = make()
    optimizer = torch.optim.Adam(model.parameters())

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), classes).backward()
        optimizer.step()

    return step


def plain_watched_anomaly(step: Callable[[], None], rounds: int) -> tuple[float, float, float]:
    """Median milliseconds of a step by itself, under the doctor, and in anomaly mode, taken in turns."""
    times: tuple[list[float], list[float], list[float]] = ([], [], [])

    def timed(into: list[float]) -> None:
        start = time.perf_counter()
        step()
        into.append((time.perf_counter() - start) * 1e3)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # anomaly mode announces itself at each use
        for _ in range(rounds + 1):
            timed(times[0])
            with diagnose(warn=False):
                step()
                timed(times[1])
            with torch.autograd.detect_anomaly():
                timed(times[2])
    return tuple(statistics.median(taken[1:]) for taken in times)


def _register(name: str, make: Callable[[], tuple[nn.Module, torch.Tensor, torch.Tensor]]) -> None:
    @benchmark(
        f"doctor_{name}",
        what=f"slowdown of a training step by the doctor: {make.__doc__.partition(';')[0]}",
        against="slowdown of the same step by torch.autograd.detect_anomaly()",
    )
    def measure(rounds: int) -> Figure:
        """Time with over time without; below 1.7 is the aim, and below the rival always."""
        plain, watched, anomaly = plain_watched_anomaly(training_step(make), rounds)
        return Figure(watched / plain, anomaly / plain, f"x of {plain:.0f} ms")


for _name, _make in (("resnet", small_resnet), ("transformer", transformer), ("lstm", lstm)):
    _register(_name, _make)


# The peak of a process of its own, since memory that was freed stays with a process.
PEAK = """
import contextlib, resource, torch
from inplace_lab.doctor import diagnose
from tests.bench.bench_doctor import small_resnet, training_step
step = training_step(small_resnet)
with {block}:
    for _ in range({steps}):
        step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def peak(block: str, steps: int) -> float:
    """MiB that a process takes which makes `steps` steps within `block`."""
    program = PEAK.format(block=block, steps=steps)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(ended.stdout)


@benchmark(
    "doctor_memory",
    what="peak memory of a process that trains the small ResNet under the doctor",
    against="the same without; below 1.2 is the aim",
)
def doctor_memory(rounds: int) -> Figure:
    """MiB, resident, at the peak."""
    return Figure(peak("diagnose(warn=False)", rounds), peak("contextlib.nullcontext()", rounds), "MiB")
