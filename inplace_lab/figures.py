"""Draw an observation as a Matplotlib figure, from the same panels as the explorer's picture. No widgets here."""

from __future__ import annotations

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Polygon

from . import panels, verdict
from .drawing import PALETTE, STROKES, Box, Line, Mark, Panel, Shape, Text, arrow_head, moved, outline
from .observation import Observation

DPI = 96  # one pixel of a panel is one pixel of the figure at this resolution
GAP = 16


def figure(observation: Observation) -> Figure:
    """The whole picture as a figure of its own (not known to pyplot, so there is nothing to close)."""
    return draw(compose(observation))


def compose(observation: Observation) -> Panel:
    """The three panels and the verdict on one panel: program and graph above, gradients and verdict below."""
    program, graph = panels.program_panel(observation), panels.graph_panel(observation)
    gradient = panels.gradient_panel(observation)
    right, below = program.width + GAP, max(program.height, graph.height) + GAP
    shapes = [
        *program.shapes,
        *(moved(shape, right, 0) for shape in graph.shapes),
        *(moved(shape, 0, below) for shape in gradient.shapes),
        *_verdict_lines(observation, right, below),
    ]
    alt = f"{program.alt} {graph.alt} {gradient.alt} {verdict.sentence(observation)}"
    return Panel(right + graph.width, below + gradient.height, tuple(shapes), alt)


def _verdict_lines(observation: Observation, x: float, y: float) -> list[Shape]:
    words = textwrap.wrap(verdict.sentence(observation), 54)
    role = "bad" if verdict.OUTCOMES[observation.outcome].bad else "ink"
    return [Text(x, y + 14 + 18 * number, line, role, bold=number == 0) for number, line in enumerate(words)]


def draw(panel: Panel) -> Figure:
    """The panel as a figure at ``DPI``; its alt text is in ``figure.get_label()``."""
    result = Figure(figsize=((panel.width + 24) / DPI, (panel.height + 24) / DPI), dpi=DPI, facecolor="white")
    result.set_label(panel.alt)
    axes = result.add_axes((0, 0, 1, 1))
    axes.set_xlim(-12, panel.width + 12)
    axes.set_ylim(panel.height + 12, -12)
    axes.set_axis_off()
    for order, shape in enumerate(panel.shapes):
        _artist(axes, shape, order)
    return result


def _artist(axes: Axes, shape: Shape, order: int) -> None:
    match shape:
        case Line():
            _line(axes, shape, order)
        case Box():
            axes.add_patch(
                FancyBboxPatch(
                    (shape.x + shape.radius, shape.y + shape.radius),
                    max(shape.width - 2 * shape.radius, 0.01),
                    max(shape.height - 2 * shape.radius, 0.01),
                    boxstyle=f"round,pad={shape.radius}",
                    facecolor=_colour(shape.fill),
                    edgecolor=_colour(shape.outline),
                    linewidth=_points(shape.line),
                    linestyle=_dash(shape.dash),
                    alpha=shape.opacity,
                    zorder=order,
                )
            )
        case Text():
            axes.text(
                shape.x,
                shape.y,
                shape.text.replace("$", r"\$"),
                color=_colour(shape.role),
                ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor],
                va="center_baseline",
                family="monospace" if shape.mono else "sans-serif",
                weight="bold" if shape.bold else "normal",
                size=_points(shape.size),
                zorder=order,
            )
        case Mark():
            _mark(axes, shape, order)


def _line(axes: Axes, line: Line, order: int) -> None:
    xs, ys = zip(*line.points, strict=True)
    style = {"color": _colour(line.role), "linewidth": _points(line.width), "linestyle": _dash(line.dash)}
    axes.plot(xs, ys, alpha=line.opacity, solid_capstyle="butt", zorder=order, **style)
    if line.arrow:
        axes.add_patch(Polygon(arrow_head(line), facecolor=_colour(line.role), edgecolor="none", zorder=order))


def _mark(axes: Axes, mark: Mark, order: int) -> None:
    colour = _colour(mark.role)
    if mark.shape in STROKES:
        xs, ys = zip(*outline(mark), strict=True)
        axes.plot(xs, ys, color=colour, linewidth=_points(2.4), solid_capstyle="round", zorder=order)
        return
    style = {"facecolor": _colour("paper") if mark.hollow else colour, "edgecolor": colour, "zorder": order}
    if mark.shape == "circle":
        axes.add_patch(Circle((mark.x, mark.y), mark.size, linewidth=_points(1.5), **style))
    else:
        axes.add_patch(Polygon(outline(mark), linewidth=_points(1.5), **style))


def _colour(role: str) -> str:
    return PALETTE[role][0] if role else "none"


def _points(pixels: float) -> float:
    return pixels * 72 / DPI


def _dash(pattern: str) -> str | tuple[int, tuple[float, ...]]:
    return (0, tuple(float(part) for part in pattern.split())) if pattern else "solid"
