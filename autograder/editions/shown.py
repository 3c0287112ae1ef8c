"""What a reader sees who does not run a self-study notebook: on GitHub, on nbviewer, and in JupyterLab at first.

The cells are run once, and where one shows something of inplace_lab (an explorer, a picture, a table, the cheat sheet)
a still of it becomes the cell's output: a picture with alt text for an observation, else a table in HTML, and the same
in words. There is no execution count, so nobody takes the notebook for one that was run, and no widget state.

The metadata of an output holds a hash of the state that it shows. A still whose hash is that of the last build is kept
as it is, since two renderers draw one state in different pixels.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import multiprocessing
import os
import re
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from multiprocessing.connection import Connection

from nbformat import NotebookNode

from autograder.editions.notebook import EditionError, with_cells
from autograder.editions.release import EDITION

STATE = "state"
"""Key, below `EDITION` in an output's metadata, of the hash."""

SECONDS = 120
"""Time limit for the cells of one notebook."""

SCALE, COLOURS = 1.5, 64
"""Pixels of a picture for one of the page, and its colours: sharp on most screens, and some 35 kB."""

_CHECK = re.compile(r"^check\(", re.MULTILINE)

Stills = dict[str, list[dict]]
"""{cell id: its outputs, as nbformat has them}"""


def illustrate(notebooks: Mapping[str, NotebookNode], before: Mapping[str, NotebookNode]) -> dict[str, NotebookNode]:
    """The notebooks with the stills of what their cells show; `before` is the last build, under the same names.

    Raises EditionError, with the notebook's name, where a cell raises, runs too long or ends its process.
    """
    jobs = [
        (name, [(cell.id, cell.source) for cell in nb.cells if _is_run(cell)], _kept(before.get(name)))
        for name, nb in notebooks.items()
    ]
    with ThreadPoolExecutor(max(1, min(len(jobs), os.cpu_count() or 1))) as pool:
        found = list(pool.map(lambda job: _run_apart(*job), jobs))
    return {name: _with_outputs(nb, stills) for (name, nb), stills in zip(notebooks.items(), found, strict=True)}


def states(nb: NotebookNode) -> dict[str, list[str]]:
    """{cell id: the hashes of what its outputs show}, for the cells that have such."""
    found = {cell.id: [_state(output) for output in cell.get("outputs", ())] for cell in nb.cells}
    return {cell: hashes for cell, hashes in found.items() if any(hashes)}


def _is_run(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and not _CHECK.search(cell.source)  # a check of an empty answer shows no lesson


def _state(output: Mapping) -> str:
    return output.get("metadata", {}).get(EDITION, {}).get(STATE, "")


def _kept(nb: NotebookNode | None) -> dict[str, dict]:
    """{hash: the data of the output that shows this state}"""
    outputs = (output for cell in nb.cells for output in cell.get("outputs", ())) if nb else ()
    return {_state(output): dict(output["data"]) for output in outputs if _state(output) and "data" in output}


def _with_outputs(nb: NotebookNode, stills: Stills) -> NotebookNode:
    def filled(cell: NotebookNode) -> NotebookNode:
        if cell.id not in stills:
            return cell
        return NotebookNode({**cell, "outputs": [_node(output) for output in stills[cell.id]]})

    return with_cells(nb, map(filled, nb.cells))


def _node(value: object) -> object:
    return NotebookNode({key: _node(item) for key, item in value.items()}) if isinstance(value, dict) else value


# --- a process for each notebook -------------------------------------------------------------------------------------


def _run_apart(name: str, cells: list[tuple[str, str]], kept: dict[str, dict]) -> Stills:
    """Run the cells in a process of their own, which starts with torch imported where the system can fork one."""
    context = _context()
    receiver, sender = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=_work, args=(sender, folder, cells, kept), daemon=True)
        process.start()
        sender.close()
        try:
            if not receiver.poll(SECONDS):
                raise EditionError(f"{name}: its cells ran for more than {SECONDS} seconds, and nobody waits longer.")
            stills, complaint = receiver.recv()
        except EOFError:
            raise EditionError(f"{name}: a cell has ended the process that ran it; no lesson may do that.") from None
        finally:
            process.kill()
            process.join()
            receiver.close()
    if complaint:
        raise EditionError(f"{name}: {complaint}")
    return stills


@lru_cache(1)
def _context() -> multiprocessing.context.BaseContext:
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:  # what takes seconds to import, once for all; none of it starts a thread
        context.set_forkserver_preload(["autograder.light_imports", __name__, "inplace_lab.explorer", "autograder"])
    return context


def _work(sender: Connection, folder: str, cells: list[tuple[str, str]], kept: dict[str, dict]) -> None:
    import torch  # the process that this one is forked from has it

    os.chdir(folder)  # a lesson may save files
    torch.cuda.is_available = lambda: False  # a still names no device that the next maintainer does not have
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            answer = (_run(cells, kept), "")
        except _Failed as error:
            answer = ({}, str(error))
    sender.send(answer)
    sender.close()
    os._exit(0)  # torch takes its time to end in an orderly way


class _Failed(Exception):
    """A cell raised. The message names it."""


def _run(cells: list[tuple[str, str]], kept: dict[str, dict]) -> Stills:
    from IPython.core.formatters import DisplayFormatter
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Formatter(DisplayFormatter):
        """Takes what the cells show, and shows nothing."""

        def format(self, obj: object, include: object = None, exclude: object = None) -> tuple[dict, dict]:
            if output := _output(obj, kept):
                found.append(output)
            return {}, {}

    found: list[dict] = []
    quiet = Config(HistoryManager={"enabled": False})
    shell = InteractiveShell.instance(config=quiet, colors="nocolor", ipython_dir=os.getcwd())
    shell.display_formatter = Formatter(parent=shell)
    stills: Stills = {}
    for cell, source in cells:
        found.clear()
        result = shell.run_cell(source, store_history=True)  # else a semicolon hides nothing
        if error := result.error_before_exec or result.error_in_exec:
            words = f"{type(error).__name__}: {error}".split("\n")[0][:200]
            raise _Failed(f"cell '{cell}' ({source.lstrip().splitlines()[0]!r}) raises {words}")
        if found:
            stills[cell] = list(found)
    return stills


# --- stills ----------------------------------------------------------------------------------------------------------


def _output(shown: object, kept: Mapping[str, dict]) -> dict | None:
    """The still of an object as an output; None where it is nothing of inplace_lab that can be seen."""
    if type(shown).__module__.partition(".")[0] != "inplace_lab":
        return None
    if hasattr(shown, "observation"):
        return _picture(shown, kept)
    if hasattr(shown, "_repr_html_"):
        return _page(shown, kept)
    return None


def _picture(shown: object, kept: Mapping[str, dict]) -> dict:
    from inplace_lab import figures, picture, svg

    panel = figures.compose(shown.observation)
    words = f"{picture.text(shown.observation)}\n\n{panel.alt}"
    # The drawing before it is drawn: every place in it is rounded to a tenth of a pixel, and no font plays a part.
    state = _hash(f"{SCALE} {COLOURS}\n{svg.document(panel)}\n{words}")
    width, height = round(panel.width + 24), round(panel.height + 24)
    data = kept.get(state) or {"image/png": _png(figures.draw(panel)), "text/plain": words}
    return _display(data, state, {"image/png": {"alt": panel.alt, "width": width, "height": height}})


def _page(shown: object, kept: Mapping[str, dict]) -> dict:
    import torch

    page, words = shown._repr_html_(), repr(shown)
    state = _hash(f"{page}\n{words}".replace(torch.__version__, ""))
    return _display(kept.get(state) or {"text/html": page, "text/plain": words}, state, {})


def _display(data: dict, state: str, metadata: dict) -> dict:
    return {"output_type": "display_data", "data": data, "metadata": {EDITION: {STATE: state}, **metadata}}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _png(figure: object) -> str:
    """The figure as a PNG of few colours, in base64."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=figure.dpi * SCALE)
    # The method that keeps a colour however little of it there is: a small mark in another one says something else.
    few = Image.open(drawn).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(small, "PNG", optimize=True)
    return base64.b64encode(small.getvalue()).decode()
