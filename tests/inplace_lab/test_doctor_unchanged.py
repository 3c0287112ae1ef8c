"""Under the doctor a program computes the same, fails the same, and keeps nothing alive."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import threading
import traceback
import weakref
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import inplace_lab
from inplace_lab.doctor import SilentGradientWarning, diagnose


def train() -> list[torch.Tensor]:
    """Weights, random numbers and losses of three steps of a net with dropout."""
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Dropout(0.5), nn.Linear(8, 2))
    optimizer = torch.optim.Adam(net.parameters())
    losses = []
    for _ in range(3):
        loss = F.cross_entropy(net(torch.randn(6, 4)), torch.tensor([0, 1, 0, 1, 0, 1]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return [
        *losses,
        *(one.detach() for one in net.parameters()),
        *(one.grad for one in net.parameters()),
        torch.rand(3),
    ]


def test_same_numbers() -> None:
    plain = train()
    with diagnose() as diagnosis:
        watched = train()
    assert all(torch.equal(one, other) for one, other in zip(plain, watched, strict=True))
    assert diagnosis.kind == "none"


def fail() -> None:
    grown = torch.ones(2, requires_grad=True).exp()
    F.relu(grown, inplace=True)
    nn.Sequential(nn.Identity())(grown).sum().backward()


def described(run) -> tuple[type, str, list[tuple[str, int]]]:
    """Class, text and frames of what ``run`` raises, from the frame of ``run`` downwards."""
    with pytest.raises(RuntimeError) as caught:
        run()
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(caught.value.__traceback__)]
    return type(caught.value), str(caught.value), frames[1:]


def test_same_exception_and_traceback() -> None:
    def watched() -> None:
        with diagnose():
            fail()

    plain, under = described(fail), described(watched)
    assert under[:2] == plain[:2]
    assert under[2][1:] == plain[2]  # below the frame with the block


def refuse() -> None:
    F.relu(torch.ones(2, requires_grad=True), inplace=True)


def test_same_traceback_of_a_refused_write() -> None:
    def watched() -> None:
        with diagnose():
            refuse()

    plain, under = described(refuse), described(watched)
    assert under[:2] == plain[:2]
    assert under[2][1:] == plain[2]


def test_diagnosis_is_in_the_notes() -> None:
    with pytest.raises(RuntimeError) as caught, diagnose() as diagnosis:
        fail()
    assert f"\n{diagnosis}" in caught.value.__notes__
    assert diagnosis.kind == "saved"
    assert diagnosis.as_dict()["node"] == diagnosis.node == "ExpBackward0"


def test_no_tensor_lives_longer() -> None:
    with diagnose() as diagnosis:
        inputs = torch.ones(3, requires_grad=True)
        middle = inputs * 2
        middle.add_(1)
        alias = middle.data
        result = middle.exp()
        watched = [weakref.ref(one) for one in (inputs, middle, alias, result)]
        result.sum().backward()
        del inputs, middle, alias, result
        assert [one() for one in watched] == [None] * 4
    assert diagnosis.kind == "none"


def test_no_memory_lives_longer() -> None:
    """Storages are freed where the program frees them, though writes into them are on record."""
    from torch.multiprocessing.reductions import StorageWeakRef

    with diagnose():
        tensor = torch.ones(1000)
        tensor.add_(1)
        storage = StorageWeakRef(tensor.untyped_storage())
        assert not storage.expired()
        del tensor
        assert storage.expired()


def test_failure_keeps_no_graph_alive() -> None:
    def failing() -> weakref.ref:
        inputs = torch.ones(3, requires_grad=True)
        grown = inputs.exp()
        grown.add_(1)
        try:
            grown.sum().backward()
        except RuntimeError:
            pass
        return weakref.ref(inputs)

    with diagnose():
        left = failing()
        gc.collect()
        assert left() is None


def test_what_was_replaced_is_put_back() -> None:
    def parts() -> list[object]:
        return [
            torch.autograd.graph._engine_run_backward,
            torch.autograd._engine_run_backward,
            torch._C._autograd._push_saved_tensors_default_hooks,
            torch.autograd.function.FunctionCtx.save_for_backward,
            torch.from_numpy,
            torch.compile,
            threading.Thread.run,
            vars(torch.Tensor).get("set_"),
            list(torch.overrides._get_current_function_mode_stack()),
        ]

    before = parts()
    with pytest.raises(RuntimeError), diagnose():
        fail()
    assert parts() == before


def test_a_failed_backward_can_be_repeated() -> None:
    """Looking at the graph leaves it as it was: the second try fails in the same words."""
    with diagnose():
        grown = torch.ones(2, requires_grad=True).exp()
        grown.add_(1)
        said = []
        for _ in range(2):
            try:
                grown.backward(torch.ones(2), retain_graph=True)
            except RuntimeError as error:
                said.append(str(error))
    assert len(said) == 2 and said[0] == said[1]


def test_silent_fault_is_a_warning_at_the_end() -> None:
    with pytest.warns(SilentGradientWarning, match="by luck"), inplace_lab.diagnose() as diagnosis:
        bent = torch.ones(2, requires_grad=True).tanh()
        bent.data.zero_()
        bent.sum().backward()
    assert diagnosis.kind == "bypass"


def test_a_block_within_another_has_its_own_diagnosis() -> None:
    with pytest.raises(RuntimeError), diagnose() as outer:
        with diagnose(warn=False) as first:
            torch.ones(2, requires_grad=True).exp().sum().backward()
        with diagnose() as second:
            fail()
    assert (first.kind, second.kind, outer.kind) == ("none", "saved", "saved")


SIMULATED = """
import inplace_lab
inplace_lab.setup()
import torch
from inplace_lab import simgpu
assert simgpu.enabled(), "no simulated device here"
for device in ("cpu", simgpu.NAME):
    grown = torch.ones(2, device=device, requires_grad=True).exp()
    grown.sum().backward()
grown = torch.ones(2, device=simgpu.NAME, requires_grad=True).exp()
grown.mul_(2)
grown.sum().backward()
"""


def test_simulated_device_is_left_alone(tmp_path: Path) -> None:
    """In a process of its own: the device has to be set up before its first backward."""
    script, said = tmp_path / "train.py", tmp_path / "said.json"
    script.write_text(SIMULATED, encoding="utf-8")
    command = [sys.executable, "-m", "inplace_lab.doctor", "--output", str(said), str(script)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    diagnosis = json.loads(said.read_text(encoding="utf-8"))
    assert diagnosis["kind"] == "saved", ended.stderr
    assert diagnosis["saved_at"]["code"].startswith("grown = torch.ones(2, device=simgpu.NAME")
    assert [change["code"] for change in diagnosis["changed_at"]] == ["grown.mul_(2)"]
