"""Numbers in Markdown that come from a run.

A lesson writes, anywhere in its Markdown but not inside of backticks,

    the gradient is <!-- measured: f"{torch.tensor(1.0).exp():.3f}" -->2.718<!-- end -->, the slope of exp at 1

The comment holds Python; its last line is an expression, and what `str` makes of it is the text between the two
comments. `refresh` runs each of them on the installed torch and puts in what comes out, which `make notebooks` does in
source/; a test holds the texts against a new run. Readers of the release and of self-study get the number alone.
"""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

from autograder.editions.notebook import EditionError, with_cells, with_source

MEASURED = re.compile(r"<!-- measured:\s(?P<code>.*?) -->(?P<text>.*?)<!-- end -->", re.DOTALL)


def measure(code: str) -> str:
    """Run `code` with torch, math and the names of inplace_lab; return its last expression as text.

    Raises EditionError with one sentence where it does not end in an expression, or raises.
    """
    import math

    import torch

    import inplace_lab

    inplace_lab.setup()
    names = {"torch": torch, "math": math, "inplace_lab": inplace_lab}
    names |= {name: getattr(inplace_lab, name) for name in ("Experiment", "Write", "observe", "cases")}
    try:
        program = ast.parse(code)
        last = program.body.pop() if program.body else None
        if not isinstance(last, ast.Expr):
            raise EditionError(f"a measured text must end in an expression, and this does not: {code!r}.")
        exec(compile(program, "<measured>", "exec"), names)
        return str(eval(compile(ast.Expression(last.value), "<measured>", "eval"), names))
    except EditionError:
        raise
    except Exception as error:
        raise EditionError(f"a measured text could not be measured: {code!r} raises {error!r}.") from None


def refresh(nb: NotebookNode) -> NotebookNode:
    """Put into each measured text what torch does now."""

    def again(match: re.Match[str]) -> str:
        before = match[0][: match.start("text") - match.start()]
        return f"{before}{measure(match['code'])}<!-- end -->"

    return _substituted(nb, again)


def keep_text_only(nb: NotebookNode) -> NotebookNode:
    """Drop the comments around measured texts: a reader wants the number."""
    return _substituted(nb, lambda match: match["text"])


def _substituted(nb: NotebookNode, replace: object) -> NotebookNode:
    return with_cells(
        nb,
        (
            with_source(cell, MEASURED.sub(replace, cell.source)) if cell.cell_type == "markdown" else cell
            for cell in nb.cells
        ),
    )
