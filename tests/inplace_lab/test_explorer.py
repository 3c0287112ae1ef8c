"""The explorer's widgets, without a front end: moves, predict mode, bounded memory, what it leaves in a notebook."""

from __future__ import annotations

import sys
import tracemalloc

import ipywidgets as widgets
import matplotlib.pyplot as plt
import pytest
import torch

from inplace_lab import OPERATIONS, Explorer, Operation, catalogue
from inplace_lab.explorer import NO_WRITE
from tests.accelerators import ACCELERATORS


def walk(explorer: Explorer, moves: int) -> None:
    """Move the sliders in turn, through many different states."""
    sliders = list(explorer.sliders.values())
    for move in range(moves):
        slider = sliders[move % len(sliders)]
        slider.index = (slider.index + 1 + move // 7) % len(slider.options)


def picture(explorer: Explorer) -> str:
    return explorer.children[-1].value


def descendants(widget: widgets.Widget) -> list[widgets.Widget]:
    return [widget, *(d for child in getattr(widget, "children", ()) for d in descendants(child))]


def living_widgets() -> int:
    """How many widgets the kernel holds, in ipywidgets 8 and 7."""
    module = sys.modules["ipywidgets.widgets.widget"]
    return len(module._instances if hasattr(module, "_instances") else widgets.Widget.widgets)


def test_it_starts_at_the_case_it_is_given() -> None:
    explorer = Explorer("pow", 3, target="middle", mutation="mul_", when="after_root")
    assert explorer.experiment.expression == "middle.pow(3)"
    assert [write.label for write in explorer.experiment.writes] == ["middle.mul_(3)"]
    assert explorer.observation.error is not None
    assert "middle.pow(3)" in picture(explorer)


def test_a_move_of_each_slider_changes_experiment_and_picture() -> None:
    explorer = Explorer(offer=("operation", "target", "mutation", "when", "through"))
    for name, value in {
        "operation": "tanh",
        "target": "middle",
        "mutation": "exp_",
        "when": "after_loss",
        "through": "data",
    }.items():
        before, experiment = picture(explorer), explorer.experiment
        explorer.sliders[name].value = value
        assert explorer.experiment != experiment
        assert picture(explorer) != before


def test_only_the_offered_sliders_are_shown() -> None:
    shown = descendants(Explorer(offer=["mutation"]))
    selections = [widget for widget in shown if isinstance(widget, widgets.SelectionSlider)]
    assert [slider.description for slider in selections] == ["mutation"]
    assert not any(isinstance(widget, widgets.Output) for widget in shown)


def test_sliders_range_over_the_registries(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Operation("cosh", "middle.cosh()", "The derivative of cosh(x) is sinh(x): it needs the input.")
    monkeypatch.setitem(catalogue.OPERATIONS, "cosh", entry)
    explorer = Explorer()
    assert [value for _, value in explorer.sliders["operation"].options] == list(OPERATIONS)
    explorer.sliders["operation"].value = "cosh"
    explorer.sliders["mutation"].value = NO_WRITE
    values = torch.arange(3, 8, dtype=torch.float64)
    assert torch.allclose(explorer.observation.gradient.double(), values.sinh())


def test_an_operation_of_the_callers_own_is_offered_first() -> None:
    explorer = Explorer(Operation("gelu", "torch.nn.functional.gelu(middle)", "It needs the input."))
    assert explorer.sliders["operation"].options[0][1] == "gelu"
    assert "gelu(middle)" in picture(explorer)


def test_what_makes_no_sense_is_a_sentence_and_the_next_move_works() -> None:
    explorer = Explorer()
    explorer.sliders["when"].value = "before_root"
    assert "root cannot be written before it is computed" in picture(explorer)
    with pytest.raises(ValueError, match="before it is computed"):
        _ = explorer.observation
    explorer.sliders["target"].value = "middle"
    assert "Backward runs" in picture(explorer)


@pytest.mark.parametrize(
    "wrong",
    [
        {"operation": "cos"},
        {"target": "top"},
        {"mutation": "mul"},
        {"when": "later"},
        {"through": "magic"},
        {"offer": ("operation", "colour")},
        {"target": "root", "when": "before_root"},
        {"values": ()},
        {"device": "gpu"},
    ],
)
def test_bad_arguments_get_one_sentence(wrong: dict) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        Explorer(**wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("device", ACCELERATORS)
def test_the_experiments_run_on_the_device(device: str) -> None:
    explorer = Explorer(device=device, target="middle", mutation="masked_fill_", when="before_root")
    assert explorer.experiment.device == device
    assert picture(explorer).count(f"device=&quot;{device}&quot;") >= 2, "leaf and the mask"
    cpu = Explorer(target="middle", mutation="masked_fill_", when="before_root")
    explorer.sliders["operation"].value = cpu.sliders["operation"].value = "pow"
    assert explorer.observation.gradient.tolist() == cpu.observation.gradient.tolist()
    assert explorer.observation.outcome == cpu.observation.outcome


def test_stepping_through_the_lines() -> None:
    explorer = Explorer()
    assert explorer.line.max == explorer.line.value == 7
    explorer.line.value = 4
    assert "After line 4" in picture(explorer)
    explorer.sliders["when"].value = "between_backwards"
    assert explorer.line.max == explorer.line.value == 8
    assert "Backward is refused" in picture(explorer)


@pytest.mark.parametrize("device", ["cpu", "simgpu"])
def test_every_move_keeps_the_height(device: str) -> None:
    explorer = Explorer(offer=("operation", "target", "mutation", "when", "through"), device=device)
    heights = set()
    for _, mutation in explorer.sliders["mutation"].options:
        for _, when in explorer.sliders["when"].options:
            explorer.sliders["mutation"].value, explorer.sliders["when"].value = mutation, when
            if "<svg" in picture(explorer):
                heights.add(picture(explorer).split('height="', 1)[1].split('"', 1)[0])
    assert len(heights) == 1


def test_predict_mode_hides_until_committed_and_keeps_score() -> None:
    explorer = Explorer("scale", target="middle", mutation="mul_", when="before_root", predict=True)

    def buttons() -> dict[str, widgets.Button]:
        return {w.description: w for w in descendants(explorer) if isinstance(w, widgets.Button)}

    assert "Backward runs" not in picture(explorer)
    assert "After line 1" in picture(explorer)
    assert set(buttons()) == {
        "fails",
        "runs, last gradient [2, 2, 2, 2, 2]",
        "runs, last gradient [6, 6, 6, 6, 6]",
        "runs, with another gradient",
    }
    explorer.line.value = 5
    assert "Backward runs" not in picture(explorer), "stepping must not give the outcome away"
    buttons()["fails"].click()
    assert explorer.score == (0, 1)
    assert "Backward runs" in picture(explorer) or "After line 5" in picture(explorer)
    assert any("You predicted" in w.value for w in descendants(explorer) if isinstance(w, widgets.HTML))

    explorer.sliders["when"].value = "after_root"
    assert "Backward runs" not in picture(explorer)
    buttons()["runs, last gradient [2, 2, 2, 2, 2]"].click()
    assert explorer.score == (1, 2)
    assert "Backward runs" in picture(explorer)


@pytest.mark.long
def test_a_thousand_moves_leave_no_widgets_and_a_bounded_cache() -> None:
    explorer = Explorer(offer=("operation", "target", "mutation", "when", "through"), predict=False)
    sliders = list(explorer.sliders.values())
    for slider in sliders:  # warm up
        for value in [option[1] for option in slider.options]:
            slider.value = value
    before = living_widgets()
    tracemalloc.start()
    walk(explorer, 1000)  # fills the cache to its bound
    start = tracemalloc.get_traced_memory()[0]
    walk(explorer, 1000)
    grown = tracemalloc.get_traced_memory()[0] - start
    tracemalloc.stop()
    assert living_widgets() == before
    assert plt.get_fignums() == []
    assert explorer._body.cache_info().currsize <= 256
    assert grown < 1e6, f"{grown / 1e6:.1f} MB more after 1,000 moves"


def test_figure_and_file(tmp_path) -> None:
    explorer = Explorer()
    assert "root[2] = 10" in [text.get_text() for text in explorer.figure().axes[0].texts]
    explorer.save(tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_what_a_notebook_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer()
    bundle = explorer._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    assert '<img alt="The program after line 7' in bundle["text/html"]
    assert "root[2] = 10" in bundle["text/html"], "the program as text"
    assert "root[2] = 10" in bundle["text/plain"]
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert set(explorer._repr_mimebundle_()) == {"text/html", "text/plain"}
