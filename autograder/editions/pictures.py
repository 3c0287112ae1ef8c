"""The pictures that stand beside the notebooks: made from live runs, never drawn by hand."""

from __future__ import annotations

from inplace_lab import Experiment, Write, figures, observe, svg

#: The program that surprises: README shows it as the explorer draws it.
SURPRISE = Experiment("exp", writes=(Write("root", "setitem", "after_root"),))


def pictures() -> dict[str, str]:
    """{file name in notebooks/: text of the picture}."""
    return {"explorer.svg": svg.document(figures.compose(observe(SURPRISE)))}
