"""`python -m autograder devices`: each device proved by one computation, absent ones with their reasons."""

from __future__ import annotations

import pytest
import torch

from autograder import device_proof
from autograder.__main__ import main
from autograder.device_proof import Proof, prove, prove_all, table
from inplace_lab.devices import CPU, Device, devices
from tests.accelerators import ACCELERATORS


@pytest.mark.parametrize("name", ["cpu", *ACCELERATORS])
def test_a_device_that_computes_rightly(name: str) -> None:
    right, said = prove(name)
    assert right and said.startswith("forward and backward are right (")


def test_a_device_without_numbers_fails_with_its_error() -> None:
    right, said = prove("meta")
    assert not right and "meta" in said


@pytest.mark.parametrize(
    "number, said",
    [
        (torch.Tensor.exp, ""),
        (torch.Tensor.exp2, "the result is ["),
        (lambda x: torch.exp(x).detach(), "Runtime"),
    ],
)
def test_wrong_numbers_are_seen(number: object, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.Tensor, "exp", number)
    right, told = prove("cpu")
    assert right is not bool(said) and told.startswith(said)


def test_a_wrong_gradient_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    exp = torch.Tensor.exp
    monkeypatch.setattr(torch.Tensor, "exp", lambda x: 2 * exp(x) - exp(x).detach())
    right, told = prove("cpu")
    assert not right and told.startswith("the gradient is [")


def test_an_accelerator_that_mixes_devices_is_no_use() -> None:
    assert device_proof._mixes("cpu") == "a mask made on the CPU is not refused"


def test_all_devices_of_this_machine() -> None:
    proofs = prove_all()
    assert [proof.device for proof in proofs] == list(devices())
    assert all(proof.right is (True if proof.device.available else None) for proof in proofs)
    assert [proof.used_for for proof in proofs].count("the points for devices") == 1


ABSENT = Device("cuda", "cuda", False, "no CUDA device on this machine")


def test_the_table_has_one_line_for_each_device() -> None:
    proofs = [Proof(CPU, "every check", True, "fine"), Proof(ABSENT, "nothing", None, ABSENT.reason)]
    assert table(proofs).splitlines() == [
        "device  used for     one forward and one backward pass",
        "cpu     every check  ✓ fine",
        "cuda    nothing      – no CUDA device on this machine",
    ]


def test_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["devices"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "" and len(shown.out.splitlines()) == 1 + len(devices())
    monkeypatch.setattr(device_proof, "devices", lambda: (CPU, ABSENT, Device("meta", "meta (no numbers)", True)))
    assert main(["devices"]) == 1
    assert "✗ " in capsys.readouterr().out
    with pytest.raises(SystemExit) as done:
        main(["devices", "--help"])
    assert done.value.code == 0 and "which devices the checks use" in capsys.readouterr().out
