"""The explorer in a real JupyterLab: from key press to changed pixels, beside the usual way and beside the floor.

Three sliders stand in one notebook and are moved in turn by the same keys: the explorer; a slider whose HTML label
shows its value (the floor: one round trip to the kernel); and `interactive_output` with a fresh pyplot figure of the
explorer's picture. Time is taken inside the page: from the key event to the second animation frame after the change.
"""

from __future__ import annotations

import functools
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import tools
from tests.bench import Figure, benchmark
from tests.browser.conftest import write_notebook
from tests.browser.jupyter import chromium, jupyterlab, notebook

EXPLORER = "from inplace_lab import Explorer\nexplorer = Explorer(); explorer.add_class('bench-explorer'); explorer"
FLOOR = """import ipywidgets
slider = ipywidgets.SelectionSlider(options=[option[1] for option in explorer.sliders['operation'].options])
label = ipywidgets.HTML()
slider.observe(lambda change: setattr(label, 'value', change['new']), 'value')
floor = ipywidgets.VBox([slider, label]); floor.add_class('bench-floor'); floor"""
PYPLOT = """import io
import matplotlib.pyplot as plt
from inplace_lab import Experiment, Write, figures, observe
def draw(operation):
    panel = figures.compose(observe(Experiment(operation, writes=(Write('root', 'setitem', 'after_root'),))))
    figure = plt.figure(figsize=(panel.width / 96, panel.height / 96), dpi=96)
    axes = figure.add_axes((0, 0, 1, 1)); axes.set_axis_off()
    axes.set_xlim(0, panel.width); axes.set_ylim(panel.height, 0)
    for order, shape in enumerate(panel.shapes):
        figures._artist(axes, shape, order)
    plt.show()
choice = ipywidgets.SelectionSlider(options=list(explorer._operations))
pyplot = ipywidgets.VBox([choice, ipywidgets.interactive_output(draw, {'operation': choice})])
pyplot.add_class('bench-pyplot'); pyplot"""

# Resolves with the milliseconds from the key to painted change below `root`.
MOVE = """([selector, key]) => new Promise(resolve => {
    const root = document.querySelector(selector);
    const handle = root.querySelector('.noUi-handle');
    const paint = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
    const settled = () => {
        const image = root.querySelector('.jp-OutputArea-output img');
        return image ? image.decode().then(() => true, () => false) : Promise.resolve(true);
    };
    const watch = new MutationObserver(async records => {
        const shown = records.some(r => [...r.addedNodes].some(n => n.nodeType === 1
            && (n.matches('.ipl, img, .jp-OutputArea-child') || n.querySelector('.ipl, img'))))
            || (selector === '.bench-floor' && records.some(r => r.target.closest?.('.widget-html')));
        if (!shown || (selector === '.bench-pyplot' && !root.querySelector('.jp-OutputArea-output img'))) return;
        watch.disconnect();
        await settled();
        paint();
    });
    watch.observe(root, {childList: true, subtree: true});
    handle.focus();
    const start = performance.now();
    handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
})"""


@functools.cache
def _times(rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each move, by the class of what was moved."""
    with ThreadPoolExecutor(1) as fresh:  # Playwright wants a thread in which no event loop runs
        return fresh.submit(_measure, rounds).result()


def _measure(rounds: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {"explorer": [], "floor": [], "pyplot": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "notebooks"
        folder.mkdir()
        path = write_notebook(folder / "bench.ipynb", EXPLORER, FLOOR, PYPLOT)
        with (
            jupyterlab(folder, Path(name) / "home") as address,
            chromium(tools.require("chromium")) as browser,
            notebook(browser, address, path) as opened,
        ):
            opened.run_all()
            opened.page.wait_for_selector(".bench-pyplot img")
            count = 13  # options of the sliders: go up and come back, so that every key changes something
            for move in range(rounds + 4):
                key = "ArrowRight" if move // (count - 1) % 2 == 0 else "ArrowLeft"
                for what, times in taken.items():
                    milliseconds = opened.page.evaluate(MOVE, [f".bench-{what}", key])
                    if move >= 4:  # the first moves fill caches of page and kernel
                        times.append(milliseconds)
    return taken


def _moves(rounds: int) -> int:
    return max(5 * rounds, 10)  # 20 rounds, the runner's default, are 100 moves


@benchmark(
    "explorer_move", what="explorer: key press to painted change, median", against="an HTML label that changes (floor)"
)
def explorer_over_floor(rounds: int) -> Figure:
    times = _times(_moves(rounds))
    return Figure(statistics.median(times["explorer"]), statistics.median(times["floor"]), "ms")


@benchmark(
    "explorer_move_95", what="explorer: key press to painted change, 95th percentile", against="the floor's median"
)
def slow_moves_over_floor(rounds: int) -> Figure:
    times = _times(_moves(rounds))
    return Figure(statistics.quantiles(times["explorer"], n=20)[-1], statistics.median(times["floor"]), "ms")


@benchmark(
    "explorer_move_pyplot",
    what="explorer: key press to painted change, median",
    against="interactive_output with a fresh pyplot figure of the same picture",
)
def explorer_over_pyplot(rounds: int) -> Figure:
    times = _times(_moves(rounds))
    return Figure(statistics.median(times["explorer"]), statistics.median(times["pyplot"]), "ms")
