"""The call in the first cell of every notebook."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest
import torch

import inplace_lab
from tests.tools import ROOT


def test_setup_is_silent_and_may_be_called_again(capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert inplace_lab.setup() is None
        assert inplace_lab.setup() is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("version", ["2.10.0", "2.10.1+cpu", "2.13.0+cu128", "3.0.0", "2.11.0a0+git12345"])
def test_setup_takes_new_enough_torches(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(torch, "__version__", version)
    assert inplace_lab.setup() is None


@pytest.mark.parametrize("version", ["2.9.1", "2.9.1+cu128", "1.13.1"])
def test_setup_says_what_to_install_instead_of_an_old_torch(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(torch, "__version__", version)
    with pytest.raises(RuntimeError) as caught:
        inplace_lab.setup()
    text = str(caught.value)
    assert f"torch {version} is installed" in text
    assert "torch 2.10 or newer" in text and 'pip install "torch>=2.10"' in text
    assert text.endswith(".") and "\n" not in text


def test_public_names_exist() -> None:
    for name in inplace_lab.__all__:
        assert getattr(inplace_lab, name) is not None
    assert {"Experiment", "Observation", "Operation", "Write", "cases", "observe", "setup"} <= set(inplace_lab.__all__)


def test_importing_the_package_loads_no_widgets_and_no_figures() -> None:
    code = "import sys, inplace_lab; print({'ipywidgets', 'matplotlib'} & set(sys.modules)); inplace_lab.Explorer"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "set()\n"), done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Explore'"):
        inplace_lab.Explore  # noqa: B018
    assert {"Explorer", "show", "observe"} <= set(dir(inplace_lab))
