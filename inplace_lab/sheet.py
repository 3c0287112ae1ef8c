"""The cheat sheet: one page to print, whose tables are measured on the installed torch when it is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import torch

from . import graph, svg, verdict
from .catalogue import OPERATIONS, TIMES, WAYS
from .experiment import Experiment, Write
from .observation import observe

TITLE = "Which tensors may I change in place?"
RULES = (
    "Backward needs tensors that forward saved. Each operation saves what its derivative is made of.",
    "Every in-place write raises the version counter of its memory. A node notes the version of what it saves.",
    "Backward compares the two counters, not the numbers. If they differ, it refuses.",
)
CURES = (
    ("y *= m", "y = y * m", "a new tensor; what was saved stays"),
    ("y[i] = 0", "y = y.clone(); y[i] = 0", "a copy that nobody has saved"),
    ("y[mask] = 0", "y = y.masked_fill(mask, 0)", "without its underscore it is out of place"),
    ("w -= lr * w.grad", "with torch.no_grad(): w -= lr * w.grad", "leaves; after backward, not before"),
    ("exp, then a mask", "where, exp, where", "a mask after an overflow leaves NaN in the gradient"),
)

#: outcome of an experiment -> how a cell of the sheet says it
_SAYS = {
    "plain": "✓ runs",
    "same": "✓ runs",
    "right": "✓ runs",
    "wrong": "! silently wrong",
    "backward refused": "✗ refused",
    "write refused": "✗ write refused",
    "stopped": "✗ stops",
}

_STYLE = (
    "<style>.ipl-sheet{max-width:1000px}.ipl-sheet h2{font-size:19px;margin:0 0 6px}"
    ".ipl-sheet h3{font-size:14px;margin:10px 0 3px}.ipl-sheet ol,.ipl-sheet ul{margin:0;padding-left:20px}"
    ".ipl-sheet table{border-collapse:collapse;font-size:12px;margin:0;width:100%}"
    ".ipl-sheet th,.ipl-sheet td{text-align:left!important;vertical-align:top;padding:2px 8px 2px 0;border:0;"
    "border-bottom:1px solid var(--ipl-rule);background:none;color:var(--ipl-ink);font-weight:400}"
    ".ipl-sheet tbody th,.ipl-sheet td{white-space:nowrap}.ipl-sheet td:last-child{white-space:normal}"
    ".ipl-sheet thead th{border-bottom:2px solid var(--ipl-ink);font-weight:600}"
    ".ipl-sheet tbody tr{background:none!important}.ipl-sheet td.b{color:var(--ipl-bad);font-weight:600}"
    ".ipl-sheet code{background:none!important;color:inherit!important;padding:0!important;font-size:11.5px!important}"
    ".ipl-sheet blockquote{margin:0 0 4px;padding:3px 8px;border-left:3px solid var(--ipl-bad);overflow-wrap:anywhere}"
    ".ipl-sheet footer{color:var(--ipl-faint);margin-top:6px}</style>"
)
_PAGE = (
    "<style>@page{size:A4;margin:11mm}body{margin:12px;background:#fff}"
    "@media print{body{margin:0}.ipl-sheet{max-width:none;zoom:.86}}</style>"
)


@dataclass(frozen=True)
class Block:
    """A titled table: ``heads`` name its columns, each row has as many texts. Code stands between backticks."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Sheet:
    """The cheat sheet: tables, and torch's message with what its parts mean."""

    blocks: tuple[Block, ...]
    message: str
    parts: tuple[tuple[str, str], ...]
    torch: str

    def _repr_html_(self) -> str:
        return svg.style() + _STYLE + _body(self)

    def __repr__(self) -> str:
        return "\n".join(_text(self))

    def page(self) -> str:
        """The sheet as an HTML file of its own, which prints on one A4 page."""
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
            f"{svg.style()}{_STYLE}{_PAGE}</head><body>{_body(self)}</body></html>"
        )

    def save(self, path: str | Path) -> Path:
        """Write ``page()`` to a file and return its full path.

        Raises OSError where the file cannot be written.
        """
        target = Path(path).resolve()
        target.write_text(self.page(), encoding="utf-8")
        return target


def cheat_sheet() -> Sheet:
    """Run what the sheet says, and return it."""
    broken = observe(Experiment("exp", writes=(Write("root", "add_", "after_root"),)))
    message = broken.error.text.split(" Hint:")[0] if broken.error else ""
    return Sheet((_operations(), _ways(), _moments()), message, tuple(_parts(message)), torch.__version__)


def _operations() -> Block:
    rows = []
    for name, entry in OPERATIONS.items():
        kept = {saved.tensor for saved in observe(Experiment(name)).saved if saved.needed}
        words = [word for tensor, word in (("middle", "input"), ("root", "output")) if tensor in kept]
        written = [_outcome(Experiment(name, writes=(Write(t, "add_", "after_root"),))) for t in ("middle", "root")]
        reason = entry.derivative.removeprefix("The derivative of ")
        rows.append((f"`{entry.text()}`", " and ".join(words) or "neither", *written, reason))
    heads = ("operation", "keeps its", "then write its input", "then write its output", "since the derivative of")
    return Block("What an operation keeps", heads, tuple(rows))


def _ways() -> Block:
    rows = []
    for name, way in WAYS.items():
        late = observe(Experiment("exp", writes=(Write("root", "setitem", "after_root", through=name),)))
        early = Experiment("exp", writes=(Write("middle", "setitem", "before_root", through=name),))
        versions = [step.versions["root"] for step in late.steps if step.versions["root"] is not None]
        statement = f"`{way.prefix}{way.target.replace('{target}', 'y')}[2] = 10`"
        counted = "✓ counts" if max(versions) > min(versions) else "✗ does not"
        rows.append((statement, counted, _SAYS[late.outcome], _outcome(early)))
    heads = ("write into y", "version counter", "exp saved y, its output", "y goes into exp later")
    return Block("How the write reaches the memory", heads, tuple(rows))


def _moments() -> Block:
    rows = []
    for when, words in TIMES.items():
        writes = [Write("middle", "mul_", when)]
        others = [Write("root", "mul_", when)] if when != "before_root" else []
        leaf = [Write("leaf", "mul_", when)]
        cells = [_outcome(Experiment("pow", writes=tuple(one))) if one else "–" for one in (writes, others, leaf)]
        rows.append((words, *cells))
    heads = (
        "moment of the write, with `root = middle.pow(2)`",
        "into middle",
        "into root",
        "into leaf (requires grad)",
    )
    return Block("When the write happens", heads, tuple(rows))


def _outcome(experiment: Experiment) -> str:
    return _SAYS[verdict.outcome(observe(experiment))]


def _parts(message: str) -> Iterator[tuple[str, str]]:
    """The parts of torch's message and what each says, as far as the installed torch has them."""
    found, expected = graph.versions_in(message)
    meanings = (
        (r"\[torch\.\w+ \[[\d, ]*\]\]", "type and shape of the tensor that was changed"),
        (r"output \d+ of \w+", "the node that made or last wrote it: not always the one that needs it"),
        (r"is at version \d+", f"its counter now: {found}"),
        (r"expected version \d+", f"its counter when it was saved: {expected}"),
    )
    for pattern, meaning in meanings:
        if part := re.search(pattern, message):
            yield part[0], meaning


def _body(sheet: Sheet) -> str:
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in RULES)
    blocks = "".join(map(_html_block, (*sheet.blocks, _cures())))
    parts = "".join(f"<li><code>{escape(part)}</code>: {escape(meaning)}</li>" for part, meaning in sheet.parts)
    return (
        f'<div class="ipl ipl-sheet"><h2>{TITLE}</h2><ol>{rules}</ol>{blocks}'
        f"<h3>How to read the message</h3><blockquote><code>{escape(sheet.message)}</code></blockquote>"
        f"<ul>{parts}</ul><footer>In-Place Lab. Every answer here was measured on torch {escape(sheet.torch)}.</footer>"
        "</div>"
    )


def _cures() -> Block:
    return Block(
        "What to write instead", ("in place", "instead", "why"), tuple((f"`{a}`", f"`{b}`", c) for a, b, c in CURES)
    )


def _html_block(block: Block) -> str:
    heads = "".join(f'<th scope="col">{_marked(head)}</th>' for head in block.heads)
    rows = "".join(
        f'<tr><th scope="row">{_marked(row[0])}</th>'
        + "".join(f"<td{' class=b' if cell[0] in '✗!' else ''}>{_marked(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in block.rows
    )
    return f"<h3>{block.title}</h3><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _marked(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _text(sheet: Sheet) -> Iterator[str]:
    yield TITLE
    yield from (f"{number}. {rule}" for number, rule in enumerate(RULES, start=1))
    for block in (*sheet.blocks, _cures()):
        rows = [block.heads, *block.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(block.heads))]
        yield f"\n{block.title}"
        for row in rows:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield f"\n{sheet.message}"
    yield from (f"  {part}: {meaning}" for part, meaning in sheet.parts)
    yield f"\nMeasured on torch {sheet.torch}."
