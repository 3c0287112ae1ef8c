"""The engine: what it costs to see everything that one experiment does."""

from __future__ import annotations

import contextlib
import warnings

import torch

from inplace_lab import Experiment, Write, observe
from tests.bench import Figure, benchmark, side_by_side

# Backward fails here: the case in which somebody looks for help.
FAILING = Experiment("exp", writes=(Write("root", "mul_", "after_root"),))


def run_with_anomaly_mode(program: str) -> None:
    """Run `program` as somebody does who looks for the faulty line with torch's own means."""
    with warnings.catch_warnings(), torch.autograd.detect_anomaly(check_nan=False):
        warnings.simplefilter("ignore")
        with contextlib.suppress(RuntimeError):
            exec(compile(program, "<program>", "exec"), {})


@benchmark(
    "observe_failing_exp",
    what="observe(): versions, saved tensors, error, both references",
    against="the same program under torch.autograd.detect_anomaly(), names the failing operation only",
)
def observe_failing_exp(rounds: int) -> Figure:
    """Milliseconds for one observation of a program whose backward fails."""
    program = FAILING.program
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # anomaly mode announces itself at each use
        return side_by_side(lambda: observe(FAILING), lambda: run_with_anomaly_mode(program), 10 * rounds)
