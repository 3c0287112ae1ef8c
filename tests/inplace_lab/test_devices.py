"""The list of devices, here and (pretended) on a machine with a GPU."""

from __future__ import annotations

import pytest
import torch

from inplace_lab import Experiment
from inplace_lab.devices import Device, devices, require


@pytest.fixture
def no_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda index: f"Pretended {index}")


def test_the_cpu_is_always_first() -> None:
    assert devices()[0] == Device("cpu", "cpu", True, "")
    require("cpu")


def test_an_absent_gpu_is_listed_with_the_reason(no_cuda: None) -> None:
    assert devices()[1] == Device("cuda", "cuda", False, "no CUDA device on this machine")
    with pytest.raises(ValueError) as caught:
        require("cuda")
    assert str(caught.value) == "Device 'cuda' cannot be used: no CUDA device on this machine."
    with pytest.raises(ValueError, match=r"^Device 'cuda' cannot be used: no CUDA device on this machine\.$"):
        Experiment(device="cuda")


def test_a_gpu_is_listed_with_its_name(cuda: None) -> None:
    assert devices()[1] == Device("cuda:0", "cuda:0 (Pretended 0)", True, "")
    require("cuda")
    require("cuda:0")
    assert 'device="cuda:0"' in Experiment(device="cuda:0").program
    with pytest.raises(
        ValueError, match=r"^There is no device 'cuda:1' on this machine; the known ones are cpu, cuda:0\.$"
    ):
        require("cuda:1")


@pytest.mark.parametrize("name", ["meta", "mps", "", "CPU", None, 0, "cuda:0", torch.device("cpu")])
def test_what_is_no_device_here_lists_the_known(no_cuda: None, name: object) -> None:
    with pytest.raises(ValueError) as caught:
        require(name)
    assert str(caught.value) == f"There is no device {name!r} on this machine; the known ones are cpu."


@pytest.mark.cuda
def test_the_real_gpu_is_listed() -> None:
    assert devices()[1].available
    require(devices()[1].name)
