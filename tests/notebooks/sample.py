"""A small course to try the editions and the rules on: one lesson with one cell of every kind, and a start page."""

from __future__ import annotations

import shutil
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import exercises
from autograder.editions import SET_UP, text_of, write
from tests.tools import ROOT

PREDICTIONS = """\
predictions = {
    "write middle": None,  # "runs" or "fails"
}
### BEGIN SOLUTION
predictions = {"write middle": "runs"}
### END SOLUTION"""

SOLUTION = '''\
def masked_exp(x: torch.Tensor, zero_at: int) -> torch.Tensor:
    """Return exp(x) with 0 at index zero_at."""
    ### BEGIN SOLUTION
    out = x.exp().clone()
    out[zero_at] = 0
    return out
    ### END SOLUTION'''

CHECK = """\
# grade id: masked_exp_check (keep this line)
check("masked_exp", masked_exp)"""

TASK = """\
**In your own words (2 points).** Why does exp keep its output?

=== BEGIN MARK SCHEME ===
- 2 points: names the derivative
=== END MARK SCHEME ==="""

SHOW = """\
y = torch.ones(3, requires_grad=True).exp()
y[0] = 0.0
try:
    y.sum().backward()
except RuntimeError as error:
    print(error)"""


def lesson() -> NotebookNode:
    """The graded lesson as an author writes it: not in normal form, nbgrader's metadata in short form."""
    points = exercises.get("masked_exp").maximum
    total = f"{points + 2:g}"
    cells = [
        _text(
            f"# A sample\n\nBegin at [the start](../start_here/start_here.ipynb), jump to [the task](#Write-it).\n\n"
            f"**Points:** {total} in this notebook, {total} in the assignment"
        ),
        new_code_cell(SET_UP),
        _text("<details><summary>Teaching notes</summary>\n\n20 minutes.\n\n</details>", tags=["teaching-notes"]),
        _text("## Predict\n\nDoes this run?"),
        new_code_cell(PREDICTIONS, metadata=_graded(grade_id="sample_predictions_solution", solution=True)),
        _text("Torch checks a counter, not a value.", tags=["why"]),
        new_code_cell(SHOW, execution_count=7),
        _text("## Write it\n\nReturn a new tensor."),
        new_code_cell(SOLUTION, metadata=_graded(grade_id="masked_exp_solution", solution=True)),
        _text("A clone is another tensor, which exp did not save.", tags=["why"]),
        new_code_cell(CHECK, metadata=_graded(grade_id="masked_exp_check", grade=True, points=points)),
        _text("<details><summary>Help: the check says None</summary>\n\nReturn something.\n\n</details>"),
        new_markdown_cell(TASK, metadata=_graded(grade_id="sample_written", task=True, points=2)),
        _text("*Your answer.*", tags=["answer"]),
        _text("## What you can now say\n\nTwo lines."),
    ]
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": "other", "display_name": "Other"}})


def start_page() -> NotebookNode:
    """The ungraded page."""
    cells = [_text("# Start here\n\n## First\n\nGo to [the sample](../sample/sample.ipynb)."), new_code_cell(SET_UP)]
    return new_notebook(cells=cells)


def make_course(folder: Path) -> Path:
    """Write the course, with this repository's nbgrader_config.py, into a new folder."""
    folder.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    write(folder / "source" / "sample" / "sample.ipynb", text_of(lesson()))
    write(folder / "source" / "start_here" / "start_here.ipynb", text_of(start_page()))
    return folder


def _text(source: str, **metadata: object) -> NotebookNode:
    return new_markdown_cell(source, metadata=metadata)


def _graded(**nbgrader: object) -> dict:
    return {"nbgrader": nbgrader}
