"""An experiment on an accelerator: the same versions, saved tensors, gradients and errors as on the CPU."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
import sys

import pytest
import torch

from inplace_lab import Experiment, Observation, Write, catalogue, observe, simgpu
from inplace_lab.catalogue import WAYS
from inplace_lab.observation import Failure
from tests.accelerators import ACCELERATORS
from tests.tools import ROOT

WRITES = [
    Write(target, mutation, when)
    for target, when in (("leaf", "before_root"), ("middle", "before_root"), ("middle", "after_root"))
    for mutation in ("add_", "setitem", "masked_fill_")
]
WRITES += [Write("root", mutation, "after_root", through=way) for mutation in ("mul_", "setitem") for way in WAYS]
WRITES += [Write("root", "relu_", "after_loss"), Write("middle", "mul_", "between_backwards")]


def close(one: object, other: object) -> None:
    """Tensors that agree as well as float32 can tell: the kernels of a GPU round in their own way."""
    torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6, equal_nan=True)


def without_device(text: str, device: str) -> str:
    """A line or a message without the words for the device in it."""
    text = text.replace(f', device="{device}"', "").replace(f"; from inplace_lab import {simgpu.NAME}", "")
    text = text.replace("; simgpu.enable()", "")
    return text.replace("simgpuFloatType", "torch.FloatTensor").replace("torch.cuda.FloatTensor", "torch.FloatTensor")


def failure(found: Failure | None, device: str) -> Failure | None:
    if found is None:
        return None
    return dataclasses.replace(found, text=without_device(found.text, device), line=without_device(found.line, device))


def same(there: Observation, cpu: Observation, device: str) -> None:
    assert without_device(there.program, device) == cpu.program
    assert (there.outcome, there.nodes) == (cpu.outcome, cpu.nodes)
    for one, other in zip(there.steps, cpu.steps, strict=True):
        assert (one.line_number, one.versions) == (other.line_number, other.versions)
        for name, numbers in other.values.items():
            assert (one.values[name] is None) == (numbers is None)
            close(torch.tensor(one.values[name] or ()), torch.tensor(numbers or ()))
    assert failure(there.error, device) == cpu.error
    assert there.saved == cpu.saved, "node, slot, tensor, version, step; values follow"
    for one, other in zip(there.saved, cpu.saved, strict=True):
        close(one.value, other.value)
    for one, other in zip(gradients(there), gradients(cpu), strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            close(one, other)
    assert without_device(there.verdict, device) == cpu.verdict
    assert without_device(there.reading, device) == cpu.reading


def gradients(observation: Observation) -> list[torch.Tensor | None]:
    each = [backward.gradient for backward in observation.backwards]
    return [*each, observation.gradient_unmutated, observation.gradient_out_of_place]


@pytest.mark.parametrize("device", ACCELERATORS)
@pytest.mark.parametrize("operation", catalogue.OPERATIONS)
def test_an_accelerator_shows_what_the_cpu_shows(operation: str, device: str) -> None:
    for write in [(), *WRITES]:
        same(
            observe(Experiment(operation, writes=write, device=device)),
            observe(Experiment(operation, writes=write)),
            device,
        )


@pytest.mark.parametrize("device", ACCELERATORS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_types(dtype: torch.dtype, device: str) -> None:
    for write in ((), Write("middle", "masked_fill_", "before_root"), Write("root", "setitem", "after_root")):
        there = observe(Experiment("scale", 4, write, dtype=dtype, device=device))
        cpu = observe(Experiment("scale", 4, write, dtype=dtype))
        assert [step.versions for step in there.steps] == [step.versions for step in cpu.steps]
        assert torch.equal(there.gradient, cpu.gradient) and there.gradient.dtype == dtype


@pytest.mark.parametrize("device", ACCELERATORS)
def test_the_program_runs_in_a_bare_python(device: str) -> None:
    writes = (Write("middle", "masked_fill_", "before_root", index=slice(1, 3)), Write("middle", "mul_", "after_root"))
    observation = observe(Experiment("sigmoid", writes=writes, device=device))
    code = f"{observation.program}\nprint(leaf.grad.device, leaf.grad.cpu().tolist())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    where, _, numbers = done.stdout.partition(" ")
    assert where == f"{device.partition(':')[0]}:0", done.stderr
    assert ast.literal_eval(numbers) == observation.gradient.tolist()


def test_only_a_simulated_device_is_set_up_and_on_the_first_line() -> None:
    first, *rest = Experiment(device="simgpu").program.splitlines()
    assert first == "import torch; from inplace_lab import simgpu; simgpu.enable()"
    assert rest[0] == 'leaf = torch.tensor([1., 2., 3., 4., 5.], device="simgpu", requires_grad=True)'
    assert len(rest) == len(Experiment().program.splitlines()) - 1, "line numbers are those of the CPU"
    for program in (Experiment(device="simgpu").program_out_of_place, Experiment(device="simgpu").program_unmutated):
        assert program.startswith(first)
