"""The programs of the clinic have the faults for which the lesson shows them, and the cures of the lesson cure them."""

from __future__ import annotations

import pytest
import torch

from inplace_lab import clinic

FAULTS = {
    "gan step": ("saved", 5, 7),
    "carried state": ("freed", 4, 6),
    "by hand": ("leaf", 1, 5),
    "residual": ("saved", 3, 4),
    "relu after tanh": ("saved", 2, 2),
    "relu after linear": ("none", None, None),
    "softmax by hand": ("saved", 2, 3),
    "two halves": ("multi-view", 2, 3),
    "gates": ("bypass", 2, 3),
    "attention": ("nan", 5, None),
}
CURES = {
    "gan step": ("generator_loss.backward()", "generator_loss = -critic(fake).mean()\ngenerator_loss.backward()"),
    "carried state": ("    loss.backward()", "    loss.backward()\n    state = state.detach()"),
    "by hand": ("    w -= 0.1 * w.grad", "    with torch.no_grad():\n        w -= 0.1 * w.grad"),
    "residual": ("h += x", "h = h + x"),
    "relu after tanh": ("inplace=True", "inplace=False"),
    "softmax by hand": ("weights /=", "weights = weights /"),
    "two halves": ("first *= 2", "first = first * 2"),
    "gates": ("gate.data.clamp_(min=0.5)", "gate = gate.clamp(min=0.5)"),
    "attention": ("(q @ k.T + bias)", "(q @ k.T).masked_fill(padding, -torch.inf)"),
}


def test_every_program_is_listed() -> None:
    assert [one.name for one in clinic.PROGRAMS] == list(FAULTS)
    assert clinic.ward().count("\n# ") == len(FAULTS) - 1


@pytest.mark.parametrize("name", FAULTS)
def test_the_doctor_finds_the_fault(name: str) -> None:
    diagnosis = clinic.examine(name)
    kind, saved, changed = FAULTS[name]
    assert diagnosis.kind == kind
    assert (diagnosis.saved_at and diagnosis.saved_at.line) == saved
    assert (diagnosis.changed_at[0].place.line if diagnosis.changed_at else None) == changed
    chart = clinic.chart(diagnosis)
    assert chart.startswith(f"kind     {kind}")
    if changed:
        assert clinic.program(name).text.splitlines()[changed - 1].strip() in chart


@pytest.mark.parametrize("name", CURES)
def test_the_cure_cures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = clinic.program(name).text
    old, new = CURES[name]
    assert old in text
    cured = clinic.Program(name, text.replace(old, new))
    monkeypatch.setattr(clinic, "PROGRAMS", (cured,))
    assert clinic.examine(name).kind == "none"


def test_gates_is_wrong_in_silence() -> None:
    names: dict = {"torch": torch}
    exec(clinic.program("gates").text, names)
    gate = torch.sigmoid(torch.tensor([-3.0, 1.0, 2.0], dtype=torch.float64)).clamp(min=0.5)
    right = 2 * gate * torch.tensor([0.0, 1.0, 1.0]) * gate * (1 - gate)
    got = names["x"].grad.double()
    assert torch.allclose(got[1:], right[1:], rtol=1e-5) and got[0] > 0.2 and right[0] == 0


def test_what_torch_says_in_short_lines() -> None:
    said = clinic.said(clinic.examine("gan step").exception)
    assert max(map(len, said.splitlines())) <= 80
    assert "modified by an inplace operation" in " ".join(said.split()) and "Hint" not in said
    assert clinic.said(RuntimeError("Refused. Do this instead.")) == "Refused"


def test_unknown_program() -> None:
    with pytest.raises(ValueError, match="choose one of gan step, carried state"):
        clinic.examine("lstm")
