"""The explorer in a real JupyterLab: keyboard, play, predict mode, themes, and what never happens (flicker, jumps)."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import write_notebook
from tests.browser.jupyter import DARK, LIGHT, Notebook, notebook

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def page(lab: str, lessons: Path, browser: Browser):
    """A notebook with three explorers: one that offers everything, one that asks first, one of the caller's own."""
    name = write_notebook(
        lessons / "explorers.ipynb",
        "from inplace_lab import Explorer, Operation",
        "free = Explorer(offer=('operation', 'target', 'mutation', 'when', 'through')); free",
        "Explorer('scale', target='middle', mutation='mul_', when='before_root', predict=True)",
        "Explorer(Operation('gelu', 'torch.nn.functional.gelu(middle)', 'It needs the input.'), offer=['mutation'])",
        "from IPython.display import display",
    )
    with notebook(browser, lab, name) as opened:
        opened.run_all()
        yield opened


def test_every_slider_moves_by_keyboard_and_changes_picture_and_words(page: Notebook) -> None:
    explorer = page.explorers()[0]
    assert explorer.sliders() == ["operation", "write to", "mutation", "when", "through"]
    assert "Backward is refused" in explorer.verdict
    for label, key in [
        ("operation", "ArrowRight"),
        ("write to", "ArrowLeft"),
        ("mutation", "ArrowLeft"),
        ("when", "ArrowRight"),
        ("through", "ArrowRight"),
    ]:
        before = explorer.alts
        explorer.press(label, key)
        assert explorer.alts != before, label
    assert "middle.pow(2)" in explorer.picture.inner_text()
    assert page.errors() == []


def test_the_last_picture_matches_the_sliders_after_fast_moves(page: Notebook) -> None:
    explorer = page.explorers()[0]
    handle = explorer.slider("operation")
    handle.focus()
    for _ in range(40):
        handle.press("ArrowRight")
    for _ in range(3):
        handle.press("ArrowLeft")
    explorer.root.page.wait_for_function(
        """root => {
            const chosen = root.querySelector('.widget-readout').textContent;
            return root.querySelector('.ipl-picture').textContent.includes('root = ' + chosen);
        }""",
        arg=explorer.root.element_handle(),
    )
    alt = explorer.alts[0]
    assert explorer.root.locator(".widget-readout").first.inner_text() in explorer.picture.inner_text()
    assert "The program after line" in alt


def test_the_last_picture_matches_the_sliders_when_the_kernel_was_busy(page: Notebook) -> None:
    explorer = page.explorers()[0]
    handle = explorer.slider("operation")
    handle.press("Home")
    page.page.evaluate(
        "() => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
        ".requestExecute({code: 'import time; time.sleep(1.5)'}) }"
    )
    for _ in range(5):
        handle.press("ArrowRight")
    chosen = explorer.root.locator(".widget-readout").first.inner_text()
    page.page.wait_for_function(
        "([root, line]) => root.querySelector('.ipl-picture').textContent.includes(line)",
        arg=[explorer.root.element_handle(), f"root = {chosen}"],
    )
    assert explorer.root.locator(".widget-readout").first.inner_text() == chosen
    assert explorer.root.locator("svg[role=img]").count() == len(explorer.alts) > 0


def test_no_flicker_and_no_jump(page: Notebook) -> None:
    explorer = page.explorers()[0]
    for label in explorer.sliders():
        explorer.slider(label).press("Home")
    explorer.press("mutation", "ArrowRight")  # away from "no write", where the other sliders change nothing
    explorer.press("write to", "ArrowRight")
    explorer.root.evaluate(
        """root => {
            window.seen = {empty: 0, heights: new Set()};
            const look = () => {
                const picture = root.querySelector('.ipl-picture');
                if (!picture || !picture.querySelector('svg, strong')) window.seen.empty += 1;
                window.seen.heights.add(root.offsetHeight);
                if (!window.stop) requestAnimationFrame(look);
            };
            window.stop = false;
            requestAnimationFrame(look);
        }"""
    )
    for label, keys in {"when": 2, "mutation": 6, "through": 4}.items():
        for _ in range(keys):
            explorer.press(label, "ArrowRight")
    seen = explorer.root.evaluate("() => { window.stop = true; return [window.seen.empty, [...window.seen.heights]] }")
    assert seen[0] == 0
    assert len(seen[1]) == 1, f"heights {seen[1]}"


def test_the_play_control_steps_to_the_end(page: Notebook) -> None:
    explorer = page.explorers()[0]
    handle = explorer.slider("line")
    handle.focus()
    handle.press("Home")
    page.page.wait_for_function(
        "root => root.querySelector('.ipl-picture').textContent.includes('After line 1')",
        arg=explorer.root.element_handle(),
    )
    explorer.root.locator(".jupyter-widget-play button, .widget-play button").first.click()
    page.page.wait_for_function(
        "root => !root.querySelector('.ipl-picture').textContent.includes('After line')",
        arg=explorer.root.element_handle(),
        timeout=30_000,
    )


def test_predict_mode_is_played(page: Notebook) -> None:
    explorer = page.explorers()[1]
    assert "Backward runs" not in explorer.picture.inner_text()
    buttons = explorer.root.get_by_role("button", name="runs", exact=False)
    assert buttons.count() == 3
    explorer.root.get_by_role("button", name="fails").click()
    explorer.root.get_by_text("Score: 0 of 1").wait_for()
    assert "Backward runs" in explorer.picture.inner_text()
    explorer.press("when", "ArrowRight")
    explorer.root.get_by_role("button", name="runs, last gradient [2, 2, 2, 2, 2]").click()
    explorer.root.get_by_text("Score: 1 of 2").wait_for()


def test_the_callers_own_operation(page: Notebook) -> None:
    explorer = page.explorers()[2]
    assert explorer.sliders() == ["mutation"]
    assert "gelu(middle)" in explorer.picture.inner_text()


@pytest.mark.parametrize("width", [1400, 760], ids=["wide", "narrow"])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_it_is_readable_in_both_themes(page: Notebook, screenshots: Path, width: int, theme: str) -> None:
    page.page.set_viewport_size({"width": width, "height": 1000})
    page.theme(theme)
    for number, explorer in enumerate(page.explorers()):
        explorer.root.scroll_into_view_if_needed()
        shade = "dark" if theme == DARK else "light"
        explorer.root.screenshot(path=screenshots / f"explorer-{number}-{width}-{shade}.png")
        ink = explorer.picture.evaluate("e => getComputedStyle(e).color")
        bright = sum(int(part) for part in ink[4:-1].split(",")) > 3 * 128
        assert bright == (theme == DARK)
        inside = explorer.root.evaluate(
            """root => [...root.querySelectorAll('.ipl-picture > *')].every(
                part => part.getBoundingClientRect().right <= root.closest('.jp-Cell').getBoundingClientRect().right)"""
        )
        assert inside, "a panel leaves the notebook's column"
