"""Advice that would do harm if it were followed to the letter is not given."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from inplace_lab.doctor import Diagnosis
from tests.inplace_lab.test_doctor_cases import diagnosed


def examined(folder: Path, source: str) -> Diagnosis:
    file = folder / "program.py"
    file.write_text("import torch\n" + textwrap.dedent(source))
    return diagnosed(lambda: exec(compile(file.read_text(), str(file), "exec"), {}))


@pytest.mark.parametrize("line", ["h[:, 0] = 0", "h[0] *= 2", "h.mul_(2)", "h += 1", "h.zero_()"])
def test_no_line_that_would_cut_the_graph_under_no_grad(line: str, tmp_path: Path) -> None:
    """``h = h.mul(2)`` there would have no gradient at all, and nothing would be found any more."""
    diagnosis = examined(
        tmp_path,
        f"""
        h = torch.ones(2, 2, requires_grad=True).sigmoid()
        with torch.no_grad():
            {line}
        h.sum().backward()
        """,
    )
    assert (diagnosis.kind, diagnosis.fix) == ("saved", "")
    assert "not under no_grad()" in diagnosis.finding.advice


def test_no_line_that_writes_through_detach_again(tmp_path: Path) -> None:
    diagnosis = examined(
        tmp_path,
        """
        w = torch.ones(2, 2, requires_grad=True).softmax(-1)
        w.detach()[w > 0.4] = 0
        w.sum().backward()
        """,
    )
    assert (diagnosis.kind, diagnosis.fix) == ("saved", "")


def test_a_line_through_data_is_written_without_it(tmp_path: Path) -> None:
    diagnosis = examined(
        tmp_path,
        """
        gate = torch.ones(2, requires_grad=True).sigmoid()
        gate.data.clamp_(min=0.8)
        gate.sum().backward()
        """,
    )
    assert (diagnosis.kind, diagnosis.fix) == ("bypass", "gate = gate.clamp(min=0.8)")
    assert "version" not in str(diagnosis).partition("changed")[2].partition("\n\n")[0]


def test_an_alias_is_named_with_the_line_that_makes_it(tmp_path: Path) -> None:
    diagnosis = examined(
        tmp_path,
        """
        out = torch.ones(2, requires_grad=True).exp()
        shown = out.detach()
        shown.zero_()
        out.sum().backward()
        """,
    )
    assert "write .detach().clone() in line 4" in diagnosis.finding.advice


def test_an_error_that_the_program_caught_is_not_called_nothing(tmp_path: Path) -> None:
    diagnosis = examined(
        tmp_path,
        """
        y = torch.ones(2, requires_grad=True).exp()
        y.add_(1)
        try:
            y.sum().backward()
        except RuntimeError:
            pass
        """,
    )
    assert diagnosis.kind == "none" and diagnosis.changed_at[0].place.line == 4
    assert "caught" in diagnosis.headline and "Also: Backward needs a value" in str(diagnosis)


def test_a_divergence_is_not_blamed_on_a_division(tmp_path: Path) -> None:
    diagnosis = examined(
        tmp_path,
        """
        w = torch.ones(1, requires_grad=True)
        step = torch.optim.SGD([w], lr=30.0)
        for _ in range(10):
            step.zero_grad()
            torch.nn.functional.mse_loss(w * 3, torch.zeros(1)).backward()
            step.step()
        """,
    )
    assert diagnosis.kind == "other" and diagnosis.saved_at is None
    assert diagnosis.finding.advice.startswith("If the loss grows from step to step, the learning rate is too large")
    assert "Also" not in str(diagnosis)
