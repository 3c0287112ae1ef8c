"""The Matplotlib figure shows the same as the picture, and the widths that the layout assumes hold for real fonts."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from inplace_lab import OPERATIONS, Experiment, Write, figures, observe
from inplace_lab.drawing import Text

SURPRISE = Experiment("exp", writes=(Write("root", "setitem", "after_root"),))


def test_the_figure_shows_the_panels_texts_and_carries_alt_text() -> None:
    observation = observe(SURPRISE)
    figure = figures.figure(observation)
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert "root[2] = 10" in shown
    assert "result: root v0" in shown
    assert observation.reading in figure.get_label()
    assert plt.get_fignums() == []  # nothing for anybody to close


def test_it_can_be_saved(tmp_path) -> None:
    path = tmp_path / "x.png"
    figures.figure(observe(SURPRISE)).savefig(path)
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_assumed_text_widths_hold_for_real_fonts(operation: str) -> None:
    observation = observe(Experiment(operation, writes=(Write("middle", "masked_fill_", "after_root"),)))
    panel = figures.compose(observation)
    figure = figures.draw(panel)
    renderer = FigureCanvasAgg(figure).get_renderer()
    assumed = [shape for shape in panel.shapes if isinstance(shape, Text)]
    for text, drawn in zip(assumed, figure.axes[0].texts, strict=True):
        width = drawn.get_window_extent(renderer).width
        assert width <= text.width + 3, text.text
