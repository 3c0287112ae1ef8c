"""Colab: the badge and the set-up cell of a published course, and the edition that carries the lab in itself.

In Colab torch, Matplotlib and ipywidgets are there and must stay as they are, so the lab is installed alone, without
its requirements. Once the course is published (`published.py`), each self-study notebook installs it from the tag.
The Colab edition, dist/colab/, needs neither a repository nor a network: the wheel rides in its set-up cell.
"""

from __future__ import annotations

import base64
import posixpath
import re
import textwrap

from nbformat import NotebookNode

from autograder.editions.notebook import SET_UP, Transform, apply, with_cells, with_source
from autograder.editions.published import Publication
from autograder.editions.release import stamp
from autograder.editions.self_study import put_set_up_cell
from autograder.editions.wheel import Wheel

BADGE = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({address})"
WIDTH = 160
"""Characters of a line of the wheel: an editor that unfolds the cell stays quick."""

LESSON_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?!https?:)(?P<path>[^)#\s]+\.ipynb)(?:#[^)\s]*)?\)")

_IMPORTS = SET_UP.split("\n", 1)[1]

_FROM_THE_TAG = """\
# Set-up: run this cell first. On Colab it installs the lab, and nothing else.
import importlib, importlib.util, subprocess, sys
if importlib.util.find_spec("inplace_lab") is None:
    lab = "{archive}"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", lab]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        why = done.stderr.strip().rpartition("\\n")[2]
        raise ImportError(f"The lab could not be installed: check the network and run this cell again. pip: {{why}}")
    importlib.invalidate_caches()
{imports}"""

_FROM_THIS_CELL = '''\
#@title Set-up: run this cell first. It holds the lab and installs it; no network is needed.
import base64, importlib, pathlib, subprocess, sys, tempfile
WHEEL = """
{wheel}
"""
try:
    import inplace_lab
except ImportError:
    inplace_lab = None
if getattr(inplace_lab, "__version__", None) != "{version}":
    with tempfile.TemporaryDirectory() as folder:
        wheel = pathlib.Path(folder, "{name}")
        wheel.write_bytes(base64.b64decode(WHEEL))
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)]
        done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        why = done.stderr.strip().rpartition("\\n")[2]
        raise ImportError(f"The lab could not be installed here: open this notebook in Google Colab. pip: {{why}}")
    for name in [name for name in sys.modules if name.split(".")[0] in ("inplace_lab", "autograder")]:
        del sys.modules[name]  # of another version
    importlib.invalidate_caches()
{imports}'''


def set_up_from(place: Publication) -> str:
    """The set-up cell of a published course: it does nothing where inplace_lab can be imported."""
    return _FROM_THE_TAG.format(archive=place.archive, imports=_IMPORTS)


def set_up_with(wheel: Wheel) -> str:
    """The set-up cell that holds the lab: it does nothing where inplace_lab of that version can be imported."""
    text = "\n".join(textwrap.wrap(base64.b64encode(wheel.content).decode(), WIDTH))
    return _FROM_THIS_CELL.format(wheel=text, version=wheel.version, name=wheel.name, imports=_IMPORTS)


def put_badge(nb: NotebookNode, address: str) -> NotebookNode:
    """Put "Open in Colab" at the head of the first cell, which is the title."""
    first, *others = nb.cells
    return with_cells(nb, [with_source(first, f"{BADGE.format(address=address)}\n\n{first.source}"), *others])


def link_to_colab(nb: NotebookNode, place: Publication, path: str) -> NotebookNode:
    """A self-study notebook of a published course; `path` is where it stands in the repository."""
    return put_badge(put_set_up_cell(nb, set_up_from(place)), place.in_colab(path))


def fold_set_up_cell(nb: NotebookNode) -> NotebookNode:
    """Hide the source of the set-up cell: Colab shows its title alone, JupyterLab a bar to unfold it."""
    folded = NotebookNode(cellView="form", jupyter=NotebookNode(source_hidden=True))
    first = next((cell for cell in nb.cells if cell.cell_type == "code"), None)
    return with_cells(nb, (NotebookNode({**cell, "metadata": folded}) if cell is first else cell for cell in nb.cells))


def name_other_lessons(nb: NotebookNode) -> NotebookNode:
    """A link to another notebook becomes its text and its file name: in Colab such a link would lead nowhere."""

    def named(match: re.Match[str]) -> str:
        return f"{match['text']} (`{posixpath.basename(match['path'])}`)"

    return with_cells(
        nb,
        (
            with_source(cell, LESSON_LINK.sub(named, cell.source)) if cell.cell_type == "markdown" else cell
            for cell in nb.cells
        ),
    )


COLAB: tuple[Transform, ...] = (name_other_lessons, fold_set_up_cell)
"""From the self-study edition to Colab's, but for the wheel."""


def colab(nb: NotebookNode, assignment: str, notebook: str, wheel: Wheel) -> NotebookNode:
    """The Colab edition of a self-study notebook."""
    return stamp(put_set_up_cell(apply(COLAB, nb), set_up_with(wheel)), "colab", assignment, notebook)
