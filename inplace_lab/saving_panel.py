"""The picture of what a call keeps: each tensor with its mark, the nodes that hold it, and whether to overwrite it."""

from __future__ import annotations

from collections.abc import Iterator

from .drawing import MONO_WIDTH, SHAPES, TEXT, Box, Line, Mark, Panel, Shape, Text
from .saving import VERDICTS, Row, size

#: role of a tensor -> the tensor of an experiment whose colour and shape it has; parameters are leaves
LOOKS = {"input": "middle", "output": "root", "parameter": "leaf", "buffer": "leaf", "internal": "internal"}
#: verdict -> (mark, its colour, words)
_SAYS = {
    "free": ("tick", "root", "free"),
    "error": ("cross", "bad", "error: backward refuses"),
    "silent": ("", "bad", "! silent: another gradient"),
    "not writable": ("", "faint", "– the write is refused"),
}
HEAD, LINE, PADDING, GAP = 52, 26, 6, 22
_NAME_X = 22


def panel(name: str, nbytes: int, rows: tuple[Row, ...]) -> Panel:
    """A picture of a probe's rows; its columns are as wide as what stands in them."""
    kept_x = _NAME_X + max(90.0, *(max(_head(row).width, _type(row).width) for row in rows)) + GAP
    verdict_x = kept_x + max(80.0, *(_slot_width(slot) for row in rows for slot in row.kept), 0.0) + GAP
    width = verdict_x + max(160.0, *(_end_width(row) for row in rows)) + 8
    shapes: list[Shape] = [Text(0, 12, f"{name} keeps {size(nbytes)} alive for backward", bold=True)]
    for x, text in ((_NAME_X, "tensor"), (kept_x, "kept by, in slot"), (verdict_x, "overwritten after the call")):
        shapes.append(Text(x, HEAD - 14, text, "faint"))
    top = float(HEAD)
    for row in rows:
        height = LINE * max(len(row.kept), 1) + (10 if len(row.kept) < 2 else 0) + PADDING
        shapes.append(Line(((0, top), (width, top)), "rule", 0.6))
        shapes += _row(row, top + height / 2, kept_x, verdict_x)
        top += height
    return Panel(width, top, tuple(shapes), alt(name, nbytes, rows))


def _row(row: Row, y: float, kept_x: float, verdict_x: float) -> Iterator[Shape]:
    look = LOOKS[row.role]
    yield Mark(9, y, SHAPES[look], look, 5.5, hollow=row.role == "buffer")
    yield _head(row, y - 8)
    yield _type(row, y + 8)
    first = y - LINE * (len(row.kept) - 1) / 2
    for number, slot in enumerate(row.kept):
        yield from _slot(slot, kept_x, first + number * LINE, look)
    if not row.kept:
        yield Text(kept_x, y, "nobody", "faint")
    mark, role, words = _SAYS.get(row.verdict, ("", "faint", row.remark))
    remark = row.remark if row.verdict else ""
    at = y - 8 if remark else y
    if mark:
        yield Mark(verdict_x + 6, at, mark, role, 4.5)
    yield Text(verdict_x + (18 if mark else 0), at, words, role if role != "root" else "ink", bold=role == "bad")
    if remark:
        yield Text(verdict_x + (18 if mark else 0), y + 8, remark, "faint")


def _head(row: Row, y: float = 0) -> Text:
    return Text(_NAME_X, y, row.title, bold=True)


def _type(row: Row, y: float = 0) -> Text:
    return Text(_NAME_X, y, row.type, "faint")


def _slot(kept: str, x: float, y: float, look: str) -> Iterator[Shape]:
    """The node, a string, and the tag on it, as in the picture of a graph."""
    node, _, slot = kept.partition(".")
    wide, tag = _mono(node) + 14, _mono(slot) + 14
    yield Box(x, y - 11, wide, 22, fill="paper", outline="ink")
    yield Text(x + 7, y, node, mono=True)
    yield Line(((x + wide, y), (x + wide + 14, y)), look, 1.5)
    yield Box(x + wide + 14, y - 10, tag, 20, fill="paper", outline=look, radius=3)
    yield Text(x + wide + 21, y, slot, mono=True)


def _slot_width(kept: str) -> float:
    return _mono(kept.replace(".", "", 1)) + 42


def _end_width(row: Row) -> float:
    _, _, words = _SAYS.get(row.verdict, ("", "", ""))
    return 18 + max(Text(0, 0, words, bold=True).width, Text(0, 0, row.remark).width)


def _mono(text: str) -> float:
    return len(text) * TEXT * MONO_WIDTH


def alt(name: str, nbytes: int, rows: tuple[Row, ...]) -> str:
    """The picture in words."""
    parts = []
    for row in rows:
        kept = f"kept by {' and '.join(row.kept)}" if row.kept else "kept by nobody"
        words = VERDICTS[row.verdict][1] if row.verdict else ""
        parts.append(", ".join(text for text in (f"{row.title} {row.type}", kept, words, row.remark) if text))
    return f"{name} keeps {size(nbytes)} alive for backward. {'; '.join(parts)}."
