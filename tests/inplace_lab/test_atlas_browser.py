"""The atlas browser's widgets, without a front end: search, filters, choice, the way to the explorer."""

from __future__ import annotations

import os
import subprocess

import ipywidgets as widgets
import pytest

from inplace_lab import AtlasBrowser, Explorer, atlas
from tests import colab
from tests.tools import ROOT

IN_COLAB = """
import ipywidgets
from inplace_lab import AtlasBrowser
assert ipywidgets.__version__.startswith("7."), ipywidgets.__version__
browser = AtlasBrowser()
browser.field.value = "softm"
assert browser.entry.name == "softmax", browser.entry
browser.ticks["output may be overwritten"].value = True
assert all(entry.answer("output") == "free" for entry in browser.found) and browser.found
browser.field.value = "sin"
browser.button.click()
assert browser.children[-1].children[0].experiment.expression == "torch.sin(middle)"
browser.field.value = "zzz"
assert browser.entry is None and browser.list.options == ()
"""


def shown(browser: AtlasBrowser) -> str:
    return browser.children[6].value


def descendants(widget: widgets.Widget) -> list[widgets.Widget]:
    return [widget, *(d for child in getattr(widget, "children", ()) for d in descendants(child))]


def test_typing_narrows_the_list_and_shows_the_first() -> None:
    browser = AtlasBrowser()
    assert len(browser.found) == len(atlas.entries())
    browser.field.value = "soft"
    assert browser.entry == atlas.lookup("softmax")
    assert "SoftmaxBackward0" in shown(browser) and "operations" in browser.children[3].value
    browser.list.index = 1
    assert browser.entry == browser.found[1]
    assert browser.entry.title in shown(browser) and browser.place.value == 1
    browser.place.value = 2
    assert browser.entry == browser.found[2] and browser.entry.title in shown(browser)
    browser.field.value = "relu"
    assert browser.place.value == 0 and browser.entry == browser.found[0]


def test_filters_apply_together_with_the_text() -> None:
    browser = AtlasBrowser("relu", filters=("input may be overwritten",))
    assert browser.found and all(entry.answer("input") == "free" for entry in browser.found)
    browser.ticks["saves nothing"].value = True
    assert not any(entry.name == "nn.functional.relu" for entry in browser.found)
    with pytest.raises(ValueError, match="no filter 'nothing'"):
        AtlasBrowser(filters=("nothing",))


def test_nothing_found_is_a_sentence_and_not_an_error() -> None:
    browser = AtlasBrowser("sofmax")
    assert browser.entry is None and browser.operation is None
    assert "Did you mean softmax" in shown(browser)
    assert browser.button.disabled
    browser.field.value = "softmax"
    assert browser.entry == atlas.lookup("softmax")


def test_the_button_opens_the_explorer_on_the_operation() -> None:
    browser = AtlasBrowser("sigmoid")
    assert browser.operation == atlas.lookup("sigmoid").operation()
    browser.button.click()
    (explorer,) = browser.children[-1].children
    assert isinstance(explorer, Explorer) and explorer.experiment.entry == browser.operation
    browser.field.value = "matmul"
    assert browser.children[-1].children == ()
    assert browser.button.layout.display == "none"


def test_no_output_widget_and_a_picture_for_a_page_without_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = AtlasBrowser("exp")
    assert not any(isinstance(one, widgets.Output) for one in descendants(browser))
    bundle = browser._repr_mimebundle_()
    assert "ExpBackward0" in bundle["text/html"] and "ExpBackward0.result" in bundle["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert "application/vnd.jupyter.widget-view+json" not in browser._repr_mimebundle_()


@pytest.mark.long
def test_it_works_with_the_widgets_of_colab() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [str(colab.python()), "-W", "ignore", "-c", IN_COLAB]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, said.stderr
