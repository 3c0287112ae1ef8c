"""Questions to a short program of plain PyTorch, for predictions about what is no `Experiment`.

    Question("root = middle.exp().mul_(2)", RUNS, 0.5, lambda: outcome(PROGRAM))

A program calls the tensor that gradients are taken for `leaf` and what backward starts at `loss`. Its statements are
run one by one on the installed torch. The programs are the course's own text, never a student's.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import torch

from autograder.exercises.kit.predictions import Live
from autograder.exercises.kit.words import clean, saved_as, show_list
from inplace_lab import Experiment, graph, observe

STOPS = ("runs", "write", "backward")


@dataclass(frozen=True)
class Ran:
    """What came of a program: its variables, the last statement that was run, and the error that it raised, if any."""

    names: dict[str, object]
    statement: str
    error: Exception | None

    @property
    def gradient(self) -> torch.Tensor:
        return self.names["leaf"].grad

    @property
    def why(self) -> str:
        """What the error was about: a saved tensor that is newer than its node expects, else torch's own words."""
        loss = self.names.get("loss")
        broken = graph.broken(loss) if isinstance(loss, torch.Tensor) else ()
        versions = next((b for b in broken if b.expected is not None), None)
        if versions is None:
            return f"Torch says: {clean(str(self.error), 250)}"
        kept = saved_as(versions.node, versions.slot)
        return (
            f"{versions.node} saved {kept} at version {versions.expected}; it is at version {versions.found} by then."
        )


def run(program: str) -> Ran:
    """Run the statements of `program` one by one, to the end or to the first error."""
    names: dict[str, object] = {"torch": torch}
    text = ""
    with torch.enable_grad():
        for statement in ast.parse(program).body:
            text = ast.unparse(statement)
            try:
                exec(compile(text, "<program>", "exec"), names)
            except Exception as error:
                return Ran(names, " ".join(text.split()), error)
    return Ran(names, text, None)


def outcome(program: str) -> Live:
    """ "runs" or "fails": does the program reach its end?"""
    ran = run(program)
    if ran.error is None:
        return Live("runs", f"backward went through; the gradient is {show_list(ran.gradient.tolist())}.")
    return Live("fails", f"{ran.statement} raised {type(ran.error).__name__}. {ran.why}")


def stop(program: str) -> Live:
    """What stops the program: "runs" (nothing), "backward" (a backward call) or "write" (any other statement)."""
    live, statement = outcome(program), run(program).statement
    if live.answer == "runs":
        return live
    return Live("backward" if ".backward(" in statement else "write", live.because)


def refused_call(experiment: Experiment) -> Live:
    """Which backward call of an experiment is refused: 1 for the first one, 0 for none."""
    seen = observe(experiment)
    for number, call in enumerate(seen.backwards, start=1):
        if call.error is not None and call.reached:
            why = seen.reading or f"Torch says: {clean(call.error.text, 250)}"
            return Live(number, f"call {number} was refused. {why}")
    return Live(
        0, f"all {len(seen.backwards)} calls went through; the last one gave {show_list(seen.gradient.tolist())}."
    )
