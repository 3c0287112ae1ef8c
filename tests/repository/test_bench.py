"""`make bench` measures for real and writes what it measured."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests import bench
from tests.bench.__main__ import main


@pytest.mark.parametrize(
    "names", [("observe_failing_exp", "check_masked_exp"), pytest.param((), marks=pytest.mark.long, id="all")]
)
def test_each_benchmark_measures_value_and_rival(
    names: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "deep" / "bench.json"
    assert main(["--quick", *names], output) == 0
    entries = json.loads(output.read_text())
    assert sorted(entries) == sorted(names or (one.name for one in bench.discover()))
    for name, entry in entries.items():
        assert set(entry) == {"value", "unit", "rival", "ratio"}, name
        assert entry["value"] > 0 and entry["rival"] > 0, name
        assert entry["ratio"] == pytest.approx(entry["value"] / entry["rival"]), name
        assert entry["unit"]
    assert "ratio" in capsys.readouterr().out


def test_side_by_side_times_each_call_by_itself() -> None:
    figure = bench.side_by_side(lambda: time.sleep(0.002), lambda: time.sleep(0.02), rounds=3)
    assert 2 <= figure.value < figure.rival
    assert figure.rival >= 20
    assert figure.unit == "ms"
    assert figure.ratio == figure.value / figure.rival


def test_an_unknown_name_lists_the_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no_such"], tmp_path / "bench.json") == 2
    message = capsys.readouterr().err
    assert "No benchmark is called 'no_such'" in message
    assert "observe_failing_exp" in message
    assert not (tmp_path / "bench.json").exists()


def test_a_name_cannot_be_taken_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "REGISTRY", {})
    register = bench.benchmark("twice", what="a", against="b")
    register(lambda rounds: bench.Figure(1.0, 2.0, "ms"))
    with pytest.raises(ValueError, match="twice"):
        register(lambda rounds: bench.Figure(1.0, 2.0, "ms"))
