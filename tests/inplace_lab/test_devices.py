"""The list of devices: here, on a machine that pretends to have a GPU, and where no accelerator can be had."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

import inplace_lab
from inplace_lab import Experiment, devices, observe, simgpu
from inplace_lab.devices import Device, accelerator, require
from tests.tools import ROOT

NO_CUDA = Device("cuda", "cuda", False, "no CUDA device on this machine")
SIMULATED = Device("simgpu", "simgpu (simulated; no GPU on this machine)", True)


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_built", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda index: f"Pretended {index}")
    monkeypatch.setattr(torch.backends.mps, "is_built", lambda: False)
    monkeypatch.setattr(devices, "_refusal", lambda name: "")


def python(code: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_without_a_gpu_the_simulated_one_stands_in(no_gpu: None) -> None:
    assert devices.devices() == (Device("cpu", "cpu", True, ""), NO_CUDA, SIMULATED)
    assert accelerator() == SIMULATED and accelerator().simulated
    assert inplace_lab.accelerator is accelerator
    for name in ("cpu", "simgpu", "simgpu:0"):
        assert require(name) is None


def test_an_absent_gpu_is_refused_with_the_reason(no_gpu: None) -> None:
    for name in ("cuda", "cuda:0"):
        with pytest.raises(ValueError) as caught:
            require(name)
        assert str(caught.value) == f"Device '{name}' cannot be used: no CUDA device on this machine."
    with pytest.raises(ValueError, match=r"^Device 'cuda' cannot be used: no CUDA device on this machine\.$"):
        Experiment(device="cuda")


def test_a_gpu_is_listed_with_its_name_and_comes_first(cuda: None) -> None:
    gpu = Device("cuda:0", "cuda:0 (Pretended 0)", True, "")
    assert devices.devices()[1:] == (gpu, Device("simgpu", "simgpu (simulated)", simgpu.enabled(), ""))
    assert accelerator() == gpu and not gpu.simulated
    require("cuda")
    require("cuda:0")
    assert 'device="cuda:0"' in Experiment(device="cuda:0").program
    with pytest.raises(ValueError) as caught:
        require("cuda:1")
    assert str(caught.value) == "There is no device 'cuda:1' on this machine; the known ones are cpu, cuda:0, simgpu."


def test_a_gpu_that_this_process_cannot_use_is_absent(cuda: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # _refusal asks torch again, which cannot make a tensor there
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda index: "Pretended")
    monkeypatch.setattr(torch, "empty", refuse)
    _, gpu, *rest = devices.devices()
    why = "the GPU cannot be used by this process (Cannot re-initialize CUDA in forked subprocess)"
    assert gpu == Device("cuda:0", "cuda:0 (Pretended)", False, why)
    assert rest[-1] == Device("simgpu", "simgpu (simulated)", True), "there is a GPU on this machine"
    assert accelerator().name == "simgpu"


def refuse(*size: int, device: str) -> torch.Tensor:
    raise RuntimeError("Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, ...")


def test_apples_gpu_has_a_row_where_torch_is_built_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_built", lambda: True)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert [device.name for device in devices.devices()] == ["cpu", "cuda", "mps", "simgpu"]
    assert "no Apple GPU" in devices.devices()[2].reason and accelerator().name == "simgpu"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    monkeypatch.setattr(devices, "_refusal", lambda name: "")
    assert accelerator() == Device("mps", "mps", True)
    require("mps")


@pytest.mark.parametrize("name", ["meta", "mps", "", "CPU", "cpu:0", "simgpu:1", None, 0, torch.device("cpu")])
def test_what_is_no_device_here_lists_the_known(no_gpu: None, name: object) -> None:
    with pytest.raises(ValueError) as caught:
        require(name)
    assert str(caught.value) == f"There is no device {name!r} on this machine; the known ones are cpu, simgpu."


def test_a_bare_python_gets_a_working_accelerator() -> None:
    code = (
        "import torch; torch.cuda.is_available = torch.backends.mps.is_available = lambda: False\n"
        "import inplace_lab\n"
        "device = inplace_lab.accelerator()\n"
        "x = torch.tensor([0.0, 1.0, 2.0], device=device.name, requires_grad=True)\n"
        "x.exp().sum().backward()\n"
        "print(device.label, '|', x.grad.device, torch.allclose(x.grad.cpu(), x.detach().cpu().exp()))"
    )
    assert python(code) == "simgpu (simulated; no GPU on this machine) | simgpu:0 True"


def test_a_gpu_that_cuda_was_told_not_to_see_is_not_denied(no_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    by_name = {device.name: device for device in devices.devices()}
    assert by_name["cuda"].reason == "CUDA_VISIBLE_DEVICES hides every GPU"
    assert by_name["simgpu"].label == "simgpu (simulated; CUDA_VISIBLE_DEVICES hides every GPU)"


BLOCKED = {
    "a backward came first": "torch.ones(1, requires_grad=True).sum().backward()",
    "another backend": "torch.utils.rename_privateuse1_backend('other')",
    "a torch that cannot": (
        "from torch.utils import backend_registration as b; del b._setup_privateuseone_for_python_backend"
    ),
}


@pytest.mark.parametrize("before", BLOCKED.values(), ids=BLOCKED)
def test_where_none_can_be_had_the_cpu_is_given_with_the_reason(before: str) -> None:
    code = (
        "import torch; torch.cuda.is_available = torch.backends.mps.is_available = lambda: False\n"
        f"{before}\n"
        "from inplace_lab import accelerator, devices\n"
        "found = accelerator()\n"
        "print(found.name, found.label, found.available, found.simulated, sep='|')\n"
        "print(found.reason)\n"
        "print(devices.devices()[-1].available, devices.devices()[-1].reason == found.reason)\n"
        "try: devices.require('simgpu')\n"
        "except ValueError as error: print(error)"
    )
    row, reason, absent, sentence = python(code).splitlines()
    assert row == "cpu|cpu|True|False" and absent == "False True"
    assert len(reason) > 20 and not reason.endswith(".")
    assert sentence == f"Device 'simgpu' cannot be used: {reason}."


def test_beside_a_real_gpu_the_simulated_one_is_set_up_on_demand_only() -> None:
    code = (
        "import torch; torch.cuda.is_available = lambda: True; torch.cuda.get_device_name = lambda i: 'Pretended'\n"
        "from inplace_lab import accelerator, devices, simgpu\n"
        "devices._refusal = lambda name: ''\n"
        "print(accelerator().label, devices.devices()[-1].available, simgpu.enabled())\n"
        "print(devices.devices()[-1].reason)\n"
        "simgpu.enable()\n"
        "print(accelerator().label, devices.devices()[-1])"
    )
    first, reason, second = python(code).splitlines()
    assert first == "cuda:0 (Pretended) False False" and "simgpu.enable()" in reason
    assert second.startswith("cuda:0 (Pretended) Device(name='simgpu', label='simgpu (simulated)', available=True")


@pytest.mark.cuda
def test_the_real_gpu_is_listed_first_and_used() -> None:
    gpu = devices.devices()[1]
    assert gpu.available and accelerator() == gpu and not gpu.simulated
    require(gpu.name)
    assert observe(Experiment(device=gpu.name)).outcome == "plain"
