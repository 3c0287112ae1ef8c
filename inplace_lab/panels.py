"""What a picture of an observation shows: program and versions, graph and saved tensors, gradients.

Each function takes an Observation and returns a ``Panel``. The first two share their rows, one for each line of the
program, so that they can stand side by side. ``at`` is the index of the step up to which the program has run; None
means to its end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from . import verdict
from .catalogue import TARGETS
from .drawing import MONO_WIDTH, SHAPES, TEXT, Box, Line, Mark, Panel, Shape, Text
from .observation import Observation, Saved

CODE_X, CODE_CHARACTERS = 28, 41
CODE_WIDTH = CODE_CHARACTERS * TEXT * MONO_WIDTH
LANE_X, LANE_WIDTH = CODE_X + CODE_WIDTH + 10, 71
PROGRAM_WIDTH = LANE_X + len(TARGETS) * LANE_WIDTH
GRAPH_WIDTH = 400
HEAD, LINE_HEIGHT, ROW_PADDING, NODE_HEIGHT, FOOT = 26, 17, 4, 26, 24


@dataclass(frozen=True)
class Row:
    """One line of the program: its step's index, the code broken to the column, the nodes it made, its place."""

    step: int
    code: tuple[str, ...]
    nodes: tuple[int, ...]
    top: float
    height: float

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


def rows(observation: Observation) -> tuple[Row, ...]:
    """The rows of the program's lines, from top to bottom."""
    top, found = float(HEAD), []
    for step, line in enumerate(observation.program.splitlines()):
        made = tuple(index for index, node in enumerate(observation.nodes) if _home(observation, index) == step)
        code = _broken_line(line)
        lines = sum(_lines_of(observation, index) for index in made)
        height = max(LINE_HEIGHT * len(code), NODE_HEIGHT * max(lines, 1)) + ROW_PADDING
        found.append(Row(step, code, made, top, height))
        top += height
    return tuple(found)


def _lines_of(observation: Observation, index: int) -> int:
    """How many lines a node needs: one for each of its tags, which hang below each other."""
    return max(1, len(_grouped(observation, index)))


def rows_height(program: str) -> float:
    """The height in pixels of a program's panel when each line makes at most one node: known without running it."""
    heights = (max(LINE_HEIGHT * len(_broken_line(line)), NODE_HEIGHT) + ROW_PADDING for line in program.splitlines())
    return HEAD + sum(heights) + FOOT


def _home(observation: Observation, index: int) -> int:
    """The step at which a node is shown: where it was made; the leaf's AccumulateGrad stands at the leaf's line."""
    node = observation.nodes[index]
    return next(
        (s for s, step in enumerate(observation.steps) if "AccumulateGrad" in node.name and step.versions["leaf"] == 0),
        node.step,
    )


def _broken_line(line: str) -> tuple[str, ...]:
    """The line in pieces that fit the code column, broken after commas and spaces; later pieces are indented."""
    pieces, rest, indent = [], line, ""
    while len(indent + rest) > CODE_CHARACTERS:
        room = CODE_CHARACTERS - len(indent)
        cut = max(rest.rfind(" ", 0, room + 1), rest.rfind("(", 0, room) + 1)
        cut = cut if cut > room // 2 else room
        pieces.append(indent + rest[:cut].rstrip())
        rest, indent = rest[cut:].lstrip(), "    "
    return (*pieces, indent + rest)


def _last(observation: Observation, at: int | None) -> int:
    last = len(observation.steps) - 1
    return last if at is None else max(0, min(at, last))


# --- program and versions --------------------------------------------------------------------------------------------


def program_panel(observation: Observation, at: int | None = None, height: float = 0) -> Panel:
    """The program's lines, and beside each the version counters after it, as step lines with the saved versions."""
    table, last = rows(observation), _last(observation, at)
    shapes: list[Shape] = [Text(CODE_X, HEAD / 2, "the program that was run", "faint")]
    for name in TARGETS:
        x = _lane(name)
        shapes += [Mark(x + 6, HEAD / 2, SHAPES[name], name), Text(x + 17, HEAD / 2, name, bold=True)]
    for row in table:
        shapes += _code(observation, row, last, marked=at is not None)
    for name in TARGETS:
        shapes += _links(observation, table, name, last)
        shapes += _counter(observation, table, name, last)
    bottom = table[-1].top + table[-1].height
    shapes += _legend(bottom + FOOT / 2)
    return Panel(PROGRAM_WIDTH, max(bottom + FOOT, height), tuple(shapes), _program_alt(observation, last))


def _lane(name: str) -> float:
    return LANE_X + TARGETS.index(name) * LANE_WIDTH


def _version_x(observation: Observation, name: str, version: int) -> float:
    """The place of a version in its lane: steps of 12 px, smaller ones where the counter goes far."""
    highest = max((step.versions[name] or 0 for step in observation.steps), default=0)
    return _lane(name) + 14 + version * min(12, 28 / max(highest, 1))


def _code(observation: Observation, row: Row, last: int, marked: bool) -> Iterator[Shape]:
    error = observation.steps[-1].error
    failed = error is not None and row.step == len(observation.steps) - 1 and row.step <= last
    if failed:
        yield Box(0, row.top, PROGRAM_WIDTH, row.height, fill="alarm")
    elif marked and row.step == last:
        yield Box(0, row.top, PROGRAM_WIDTH, row.height, fill="wash")
    if marked and row.step == last:
        yield Box(0, row.top + 2, 3, row.height - 4, fill="ink", radius=1)
    yield Line(((0, row.top), (PROGRAM_WIDTH, row.top)), "rule", 0.6)
    role = "ink" if row.step <= last else "faint"
    yield Text(20, row.middle, str(row.step + 1), "faint", anchor="end")
    first = row.middle - LINE_HEIGHT * (len(row.code) - 1) / 2
    for number, piece in enumerate(row.code):
        yield Text(CODE_X, first + number * LINE_HEIGHT, piece, role, mono=True)


def _counter(observation: Observation, table: tuple[Row, ...], name: str, last: int) -> Iterator[Shape]:
    """The step line of one tensor's version counter, its numbers, and a mark where its values were written."""
    points: list[tuple[float, float]] = []
    before, values = None, None
    for row, step in zip(table, observation.steps[: last + 1], strict=False):
        version = step.versions[name]
        if version is None:
            continue
        x = _version_x(observation, name, version)
        if points and version != before:
            points.append((points[-1][0], row.middle))
        points.append((x, row.middle))
        changed = version != before
        yield Text(x + 13, row.middle, str(version), "ink" if changed else "faint", bold=changed)
        if values is not None and step.values[name] != values:
            counted = version != before
            yield Mark(_lane(name) + 1, row.middle, "pen", "ink" if counted else "bad", 5, hollow=not counted)
        before, values = version, step.values[name]
    if points:
        end = table[min(last, len(table) - 1)]
        points.append((points[-1][0], end.top + end.height / 2 + 6))
        yield Line(tuple(points), name, 2.2)
        yield Mark(*points[0], "circle", name, 2.4)


def _links(observation: Observation, table: tuple[Row, ...], name: str, last: int) -> Iterator[Shape]:
    """For each saved version a band from the line that saved it to the backward that needs it, broken if it moved."""
    kept = {(s.version, s.step): s for s in observation.saved if s.needed and s.tensor == name and s.step <= last}
    for (version, step), saved in kept.items():
        x, start = _version_x(observation, name, version), table[step].middle
        calls = [c for c in _backward_steps(observation) if step < c <= last]
        end = table[calls[-1]].middle if calls else table[last].middle
        moved = next((s for s in range(step + 1, last + 1) if verdict.stale(observation, saved, s)), None)
        if moved is None:
            yield Line(((x, start), (x, end)), name, 7, opacity=0.35)
        else:
            gap = table[moved].middle
            yield Line(((x, start), (x, max(gap - 7, start))), name, 7, opacity=0.35)
            if end > gap:
                yield Line(((x, gap + 7), (x, end)), "bad", 2, dash="2 4")
        yield Mark(x, start, SHAPES[name], name, 6.5)
        for call in calls:
            fine = moved is None or call < moved
            yield Mark(x - 9, table[call].middle, "tick" if fine else "cross", "root" if fine else "bad", 4.5)


def _backward_steps(observation: Observation) -> list[int]:
    return [step for step, s in enumerate(observation.steps) if s.line.startswith("loss.backward(")]


def _legend(y: float) -> Iterator[Shape]:
    """What the marks of the lanes mean."""
    entries = (
        (Mark(0, y, "diamond", "ink", 5), "saved"),
        (Mark(0, y, "pen", "ink", 5), "written"),
        (Mark(0, y, "pen", "bad", 5, hollow=True), "written, not counted"),
        (Mark(0, y, "tick", "root", 4.5), "as saved"),
        (Mark(0, y, "cross", "bad", 4.5), "not as saved"),
    )
    x = 8.0
    for mark, text in entries:
        yield Mark(x, y, mark.shape, mark.role, mark.size, mark.hollow)
        label = Text(x + 12, y, text, "faint")
        yield label
        x += 12 + label.width + 14


def _program_alt(observation: Observation, last: int) -> str:
    versions = observation.steps[last].versions
    now = ", ".join(f"{name} {version}" for name, version in versions.items() if version is not None)
    saved = "; ".join(
        f"{s.node} saved {s.tensor} at version {s.version}"
        for s in observation.saved
        if s.needed and s.step <= last and s.tensor != "internal"
    )
    line = observation.steps[last]
    return (
        f"The program after line {line.line_number}, {line.line}. Versions: {now or 'no tensor yet'}. "
        f"{saved or 'Nothing of leaf, middle or root is saved'}."
    )


# --- graph and saved tensors -----------------------------------------------------------------------------------------

NODE_X, SPARE_X, SPINE_X = 28, 54, 38


def graph_panel(observation: Observation, at: int | None = None, height: float = 0) -> Panel:
    """The backward nodes beside the lines that made them, the way back to leaf, and a tag for each saved tensor."""
    table, last = rows(observation), _last(observation, at)
    places = dict(_places(observation, table, last))
    refused = verdict.broken_save(observation) if last == len(observation.steps) - 1 else None
    shapes: list[Shape] = [Text(NODE_X, HEAD / 2, "the graph, and what its nodes saved", "faint")]
    for row in table:
        shapes.append(Line(((0, row.top), (GRAPH_WIDTH, row.top)), "rule", 0.6))
        shapes.append(Text(10, row.middle, str(row.step + 1), "faint", anchor="middle"))
    shapes += _edges(observation, places)
    for index, y in places.items():
        shapes += _node(observation, index, y, refused is not None and refused.node_index == index)
        shapes += _tags(observation, index, y, last)
    shapes += _calls(observation, table, last, refused)
    bottom = table[-1].top + table[-1].height
    return Panel(GRAPH_WIDTH, max(bottom + FOOT, height), tuple(shapes), _graph_alt(observation, places, last))


def _places(observation: Observation, table: tuple[Row, ...], last: int) -> Iterator[tuple[int, float]]:
    """(node, the middle of its box) for each node that exists after step ``last``."""
    for row in table:
        total = sum(_lines_of(observation, index) for index in row.nodes)
        y = row.middle - (total - 1) / 2 * NODE_HEIGHT
        for index in row.nodes:
            if observation.nodes[index].step <= last:
                yield index, y
            y += NODE_HEIGHT * _lines_of(observation, index)


def _name(observation: Observation, index: int) -> str:
    return observation.nodes[index].name.removeprefix("torch::autograd::")


def _node_width(observation: Observation, index: int) -> float:
    return len(_name(observation, index)) * TEXT * MONO_WIDTH + 14


def _node_x(observation: Observation, index: int) -> float:
    return NODE_X if observation.nodes[index].needed or "AccumulateGrad" in observation.nodes[index].name else SPARE_X


def _edges(observation: Observation, places: dict[int, float]) -> Iterator[Shape]:
    on_the_way = sorted((y, index) for index, y in places.items() if observation.nodes[index].needed)
    rank = {index: position for position, (_, index) in enumerate(on_the_way)}
    half = NODE_HEIGHT / 2 - 2
    for index, y in places.items():
        for following in observation.nodes[index].following:
            if following not in places:
                continue
            to = places[following]
            if index not in rank or following not in rank:
                yield Line(((SPARE_X + 10, y - half), (SPARE_X + 10, to + half)), "rule", 1.2, dash="2 3")
            elif abs(rank[index] - rank[following]) == 1:
                yield Line(((SPINE_X, y - half), (SPINE_X, to + half + 1)), "ink", 1.5, arrow=True)
            else:
                yield Line(((NODE_X, y), (20, y), (20, to), (NODE_X - 1, to)), "ink", 1.5, arrow=True)


def _node(observation: Observation, index: int, y: float, refused: bool) -> Iterator[Shape]:
    node, x, width = observation.nodes[index], _node_x(observation, index), _node_width(observation, index)
    spare = x == SPARE_X
    edge = "bad" if refused else "rule" if spare else "ink"
    dash = "3 3" if spare else ""
    yield Box(x, y - 11, width, 22, fill="alarm" if refused else "paper", outline=edge, dash=dash)
    yield Text(x + 7, y, _name(observation, index), "faint" if spare else "ink", mono=True)
    if "AccumulateGrad" in node.name:
        yield Text(x + width + 8, y, "adds to leaf.grad", "faint")
    elif spare:
        yield Text(x + width + 8, y, "not on the way back", "faint")


def _tags(observation: Observation, index: int, y: float, last: int) -> Iterator[Shape]:
    """A tag on a string for each tensor that the node saved; the string is cut when the tensor is not as saved."""
    corner = _node_x(observation, index) + _node_width(observation, index)
    left = corner + 16
    for number, ((tensor, _), saves) in enumerate(_grouped(observation, index).items()):
        at, label = y + number * NODE_HEIGHT, _tag_text(saves)
        width = Text(0, 0, label).width + (26 if tensor != "internal" else 14)
        trouble = verdict.stale(observation, saves[0], last)
        if number:
            yield Line(((corner + 8, y), (corner + 8, at), (left, at)), tensor, 1.5, dash="3 3" if trouble else "")
        elif trouble:
            yield Line(((corner, at), (corner + 6, at + 3)), tensor, 1.5)
            yield Line(((corner + 11, at - 3), (left, at)), tensor, 1.5)
        else:
            yield Line(((corner, at), (left, at)), tensor, 1.5)
        yield Box(left, at - 10, width, 20, fill="paper", outline=tensor, radius=3, dash="4 3" if trouble else "")
        if tensor != "internal":
            yield Mark(left + 11, at, SHAPES[tensor], tensor, 4.5)
        yield Text(left + (21 if tensor != "internal" else 7), at, label)
        if trouble:
            now = observation.steps[last].versions[tensor]
            text = f"now v{now}" if trouble == "version" else "changed"
            yield Mark(left + width + 10, at, "cross", "bad", 4.5)
            yield Text(left + width + 20, at, text, "bad", bold=True)


def _grouped(observation: Observation, index: int) -> dict[tuple[str, int | str], list[Saved]]:
    """The saves of one node on the way back; slots that hold the same tensor share a tag, internal ones do not."""
    groups: dict[tuple[str, int | str], list[Saved]] = {}
    for saved in observation.saved:
        if saved.node_index == index and saved.needed:
            key = (saved.tensor, saved.slot if saved.tensor == "internal" else saved.version)
            groups.setdefault(key, []).append(saved)
    return groups


def _tag_text(saves: list[Saved]) -> str:
    slots, saved = ", ".join(s.slot for s in saves), saves[0]
    if saved.tensor != "internal":
        return f"{slots}: {saved.tensor} v{saved.version}"
    if saved.value.numel() == 1:
        return f"{slots}: {_number(float(saved.value))}"
    return f"{slots}: internal"


def _calls(observation: Observation, table: tuple[Row, ...], last: int, refused: Saved | None) -> Iterator[Shape]:
    """What became of each backward call, in its row."""
    for backward in observation.backwards:
        row = table[backward.line_number - 1]
        if row.step > last:
            continue
        if not backward.reached:
            yield Text(NODE_X, row.middle, "not reached", "faint")
        elif backward.error is None:
            yield Mark(SPINE_X - 4, row.middle, "tick", "root", 4.5)
            yield Text(SPINE_X + 8, row.middle, "went all the way up to leaf")
        else:
            text = f"stopped at {refused.node}" if refused else backward.error.kind
            yield Mark(SPINE_X - 4, row.middle, "cross", "bad", 4.5)
            yield Text(SPINE_X + 8, row.middle, text, "bad", bold=True)


def _graph_alt(observation: Observation, places: dict[int, float], last: int) -> str:
    parts = []
    for _, index in sorted((y, index) for index, y in places.items()):
        tags = [_tag_text(saves) for saves in _grouped(observation, index).values()]
        name = _name(observation, index)
        parts.append(f"{name} saved {', '.join(tags)}" if tags else name)
    return f"Backward nodes from leaf to loss: {'; '.join(parts) or 'none yet'}."


# --- gradients -------------------------------------------------------------------------------------------------------

GRADIENT_WIDTH, GRADIENT_HEIGHT, NAME_WIDTH, MOST_COLUMNS = PROGRAM_WIDTH, 212, 132, 8
BAR_TOP, BAR_HEIGHT = HEAD + 6, 98


def gradient_panel(observation: Observation) -> Panel:
    """leaf.grad of the last backward call as bars and numbers beside its two references; differences are marked."""
    series = (
        ("leaf.grad", observation.gradient, "ink", ""),
        ("without the write", observation.gradient_unmutated, "faint", ""),
        ("out of place", observation.gradient_out_of_place, "faint", "3 2"),
    )
    numbers = [None if tensor is None else tensor.double().flatten().tolist() for _, tensor, _, _ in series]
    count = len(observation.experiment.values)
    columns = min(count, MOST_COLUMNS)
    step = (GRADIENT_WIDTH - NAME_WIDTH) / columns
    scale, kind = _scale([v for row in numbers if row for v in row[:columns]])
    title = f"gradient of leaf{f', first {columns} of {count} elements' if count > columns else ''}{kind}"
    shapes: list[Shape] = [Text(0, HEAD / 2, title, "faint")]
    zero = BAR_TOP + BAR_HEIGHT * scale(0.0)
    shapes.append(Line(((NAME_WIDTH, zero), (GRADIENT_WIDTH, zero)), "rule", 1))
    for line, (name, _, role, dash) in enumerate(series):
        y = BAR_TOP + BAR_HEIGHT + 18 + line * 21
        shapes += [Box(1, y - 5, 10, 10, fill=role if line == 0 else "paper", outline=role, radius=1, dash=dash)]
        shapes += [Text(18, y, name, bold=line == 0)]
        if numbers[line] is None:
            shapes.append(Text(NAME_WIDTH + 6, y, _no_gradient(observation, line), "bad" if line == 0 else "faint"))
            continue
        for column, value in enumerate(numbers[line][:columns]):
            left = NAME_WIDTH + column * step
            differs = numbers[0] is not None and not _close(observation, numbers[0][column], value)
            alarming = differs and line == 2
            if differs:
                shapes.append(Box(left + 2, y - 10, step - 4, 20, fill="alarm" if alarming else "wash", radius=3))
            text = _number(value) + (" ≠" if differs else "")
            shapes.append(Text(left + step / 2, y, text, "bad" if alarming else "ink", "middle", bold=differs))
            bar, width = BAR_TOP + BAR_HEIGHT * scale(value), min(14, step / 4)
            x = left + step / 2 + (line - 1.5) * (width + 2) + 1
            top, tall = min(bar, zero), max(abs(bar - zero), 0.8)
            fill = role if line == 0 else "paper"
            shapes.append(Box(x, top, width, tall, fill=fill, outline=role, radius=1, line=1.2, dash=dash))
    return Panel(GRADIENT_WIDTH, GRADIENT_HEIGHT, tuple(shapes), _gradient_alt(series, numbers))


_LEAST_SPAN = 1e-5  # less than this is rounding: softmax sums to 1, so its gradient is 0 but for noise


def _scale(values: list[float]):
    """(function from a value to its place, 0 at the top and 1 at the bottom; a remark for the title).

    Linear, or log(1 + |g|) where the largest is more than 40 times the smallest that is not 0.
    """
    finite = [v for v in values if math.isfinite(v)] or [0.0]
    sizes = [abs(v) for v in finite if v]
    wide = bool(sizes) and max(sizes) > 40 * min(sizes) and max(sizes) > 1

    def bend(v: float) -> float:
        return math.copysign(math.log1p(abs(v)), v) if wide else v

    low, high = min(0.0, *map(bend, finite)), max(0.0, *map(bend, finite))
    span = max(high - low, _LEAST_SPAN)

    def place(v: float) -> float:
        clipped = bend(v) if math.isfinite(v) else (low if v < 0 else high if v > 0 else 0.0)
        return 1 - (clipped - low) / span

    return place, ", bars drawn as log(1 + |g|)" if wide else ""


def _close(observation: Observation, one: float, other: float) -> bool:
    dtype = observation.experiment.dtype
    return verdict.same(torch.tensor([one], dtype=dtype), torch.tensor([other], dtype=dtype))


def _no_gradient(observation: Observation, line: int) -> str:
    if line or observation.error is None:
        return "no gradient"
    return "no gradient: the program stopped before there was one"


def _number(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:.4g}" if 1e-2 <= abs(value) < 1e5 or not math.isfinite(value) else f"{value:.1e}"


def _gradient_alt(series, numbers: list[list[float] | None]) -> str:
    parts = (
        f"{name}: {'none' if row is None else ', '.join(map(_number, row[:MOST_COLUMNS]))}"
        for (name, *_), row in zip(series, numbers, strict=True)
    )
    return f"Gradient of leaf. {'; '.join(parts)}."
