"""When the simulated device is enabled: first, late, twice, before a fork, beside another; each in its own process.

One process imports torch and forks once for each scenario, so that each begins before its first backward.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable

import pytest
import torch

import inplace_lab
from inplace_lab import simgpu
from tests.tools import ROOT

SENTENCE = (
    "The simulated device must be enabled before the first backward of a process, and here backward ran before: "
    "restart the kernel and run the set-up cell first."
)
FORK = "Unable to handle autograd's threading in combination with fork-based multiprocessing."


def backward(device: str) -> list[float]:
    leaf = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    leaf.pow(2).sum().backward()
    return leaf.grad.tolist()


def said(function: Callable[..., object], *args: object, **kwargs: object) -> str:
    """'no error', or the error's type and text."""
    try:
        function(*args, **kwargs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def forked(function: Callable[[], object]) -> object:
    """What the function returns in a forked child, or its traceback."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            found = function()
        except BaseException:
            found = traceback.format_exc()
        with os.fdopen(writing, "w") as pipe:
            json.dump(found, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    return json.loads(text) if text else f"the child ended with status {status}"


def first() -> object:
    before = set(sys.modules)
    simgpu.enable()
    simgpu.enable()
    inplace_lab.setup()
    loaded = torch.ones(2, device="simgpu").exp().sum().item()
    imported = len(set(sys.modules) - before)
    return [simgpu.enabled(), backward("simgpu"), backward("cpu"), round(loaded, 3), imported]


def late() -> object:
    backward("cpu")
    errors = [said(simgpu.enable), said(simgpu.enable), said(inplace_lab.setup), said(inplace_lab.setup)]
    errors += [said(torch.ones, 2, device="simgpu"), said(torch.ones(2).to, "simgpu")]
    return [errors, simgpu.enabled(), backward("cpu")]


def late_without_a_graph() -> object:
    torch.ones(1, requires_grad=True).backward()  # a leaf: autograd ran, and recorded nothing
    return [said(simgpu.enable), said(backward, "simgpu"), said(simgpu.enable), simgpu.enabled(), backward("cpu")]


def late_by_another_thread() -> object:
    thread = threading.Thread(target=backward, args=("cpu",))
    thread.start()
    thread.join()
    return [said(simgpu.enable), said(backward, "simgpu"), simgpu.enabled(), backward("cpu")]


def after_a_graph_without_backward() -> object:
    torch.ones(1, requires_grad=True) * 2
    return [said(simgpu.enable), simgpu.enabled(), backward("simgpu"), backward("cpu")]


def another_backend() -> object:
    torch.utils.rename_privateuse1_backend("other")
    return [said(simgpu.enable), simgpu.available().reason, said(inplace_lab.setup), simgpu.enabled(), backward("cpu")]


def another_backend_without_a_name() -> object:
    torch._register_device_module("privateuseone", object())
    return [said(simgpu.enable), simgpu.enabled()]


def no_backend() -> object:
    from torch.utils import backend_registration

    del backend_registration._setup_privateuseone_for_python_backend
    return [said(simgpu.enable), said(inplace_lab.setup), simgpu.enabled(), backward("cpu")]


def parent_that_forks() -> object:
    inplace_lab.setup()
    torch.ones(2, device="simgpu", requires_grad=True).exp()  # a warm parent may compute, but run no backward
    both = lambda: [backward("simgpu"), backward("cpu")]  # noqa: E731
    children = [forked(both), forked(both)]
    backward("cpu")
    return [children, forked(lambda: said(backward, "cpu"))]


SCENARIOS = {
    function.__name__: function
    for function in (
        first,
        late,
        late_without_a_graph,
        late_by_another_thread,
        after_a_graph_without_backward,
        another_backend,
        another_backend_without_a_name,
        no_backend,
        parent_that_forks,
    )
}


@pytest.fixture(scope="module")
def seen() -> dict[str, object]:
    """What each scenario returned."""
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    code = "import json\nfrom tests.inplace_lab import test_simgpu_process as here\n"
    code += "print(json.dumps({name: here.forked(function) for name, function in here.SCENARIOS.items()}))"
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


GRADIENT = [2.0, 4.0]


def test_enabled_first_it_works_and_may_be_enabled_again(seen: dict) -> None:
    enabled, simulated, cpu, loaded, imported = seen["first"]
    assert (enabled, simulated, cpu, loaded) == (True, GRADIENT, GRADIENT, 5.437)
    assert imported < 15  # its own few modules: no tracer, no compiler


def test_enabled_after_a_backward_one_sentence_says_to_restart(seen: dict) -> None:
    errors, enabled, cpu = seen["late"]
    assert set(errors) == {f"RuntimeError: {SENTENCE}"}
    assert (enabled, cpu) == (False, GRADIENT)


def test_a_backward_that_left_no_trace_is_found_before_torch_asserts(seen: dict) -> None:
    assert seen["late_without_a_graph"] == ["no error", *[f"RuntimeError: {SENTENCE}"] * 2, False, GRADIENT]
    assert seen["late_by_another_thread"] == ["no error", f"RuntimeError: {SENTENCE}", False, GRADIENT]


def test_a_graph_alone_is_no_hindrance(seen: dict) -> None:
    assert seen["after_a_graph_without_backward"] == ["no error", True, GRADIENT, GRADIENT]


def test_beside_another_backend_it_stays_away_and_says_so(seen: dict) -> None:
    error, reason, setup, enabled, cpu = seen["another_backend"]
    assert reason == "torch has one place for such a device, and 'other' has taken it"
    assert error == f"RuntimeError: The simulated device cannot be used: {reason}."
    assert (setup, enabled, cpu) == ("no error", False, GRADIENT)
    error, enabled = seen["another_backend_without_a_name"]
    assert "'privateuseone' has taken it" in error and not enabled


def test_without_torchs_backend_the_lessons_go_on(seen: dict) -> None:
    error, setup, enabled, cpu = seen["no_backend"]
    assert error == (
        f"RuntimeError: The simulated device cannot be used: torch {torch.__version__} takes no device that is written "
        "in Python, torch 2.10 and later do."
    )
    assert (setup, enabled, cpu) == ("no error", False, GRADIENT)


def test_children_of_an_enabled_parent_run_backward_on_both_devices(seen: dict) -> None:
    children, after_backward = seen["parent_that_forks"]
    assert children == [[GRADIENT, GRADIENT]] * 2
    # The limit that engine.py speaks of, in torch's own words.
    assert after_backward.startswith(f"RuntimeError: {FORK}")


def test_a_process_that_ends_right_after_a_backward_ends_well() -> None:
    """The device's thread still needs Python then. The long interval makes it wait, on one processor, till the end."""
    code = "import os, sys\n"
    code += "if hasattr(os, 'sched_setaffinity'): os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    code += "import inplace_lab, torch\nfrom inplace_lab import simgpu\nsimgpu.enable()\nsys.setswitchinterval(10)\n"
    code += "torch.ones(3, device='simgpu', requires_grad=True).exp().sum().backward()\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
