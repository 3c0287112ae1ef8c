"""The whole picture of an observation as HTML: program and versions, graph, gradients, and the verdict in words."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape

from . import figures, panels, svg, verdict
from .experiment import Experiment
from .observation import Observation, observe

_VERDICT_BOX = f"flex:1 1 {panels.GRAPH_WIDTH}px;max-width:640px"


@dataclass(frozen=True)
class Picture:
    """An observation that a notebook shows as a picture and a terminal as text."""

    observation: Observation

    def _repr_html_(self) -> str:
        return html(self.observation)

    def __repr__(self) -> str:
        return text(self.observation)


def show(experiment: Experiment) -> Picture:
    """Run ``experiment`` and return its picture; make it the last expression of a cell."""
    return Picture(observe(experiment))


def text(observation: Observation) -> str:
    """The program with the versions after each line, and the verdict, as plain text."""
    lines = [
        f"{step.line_number:2}  {step.line:<66} "
        + "  ".join(f"{name} v{version}" for name, version in step.versions.items() if version is not None)
        for step in observation.steps
    ]
    return "\n".join([*(line.rstrip() for line in lines), verdict.sentence(observation)])


def static(observation: Observation) -> str:
    """A picture for a page on which nothing runs: an ``<img>`` with alt text, and the program and verdict as text."""
    panel = figures.compose(observation)
    drawn = base64.b64encode(svg.document(panel).encode()).decode()
    return (
        f'<img alt="{escape(panel.alt)}" style="max-width:100%" src="data:image/svg+xml;base64,{drawn}">'
        f"<pre>{escape(text(observation))}</pre>"
    )


def html(observation: Observation) -> str:
    """The finished picture as one piece of HTML with its own style sheet."""
    return svg.style() + body(observation)


def body(observation: Observation, at: int | None = None, height: float = 0) -> str:
    """The picture as HTML for a page that has ``svg.style()`` once; a new sheet would restyle the whole page.

    at: the index of the step up to which the program has run; None: to its end, with gradients and verdict.
    height: the least height in pixels of the upper panels, so that neighbouring pictures have the same.
    """
    upper = panels.program_panel(observation, at, height), panels.graph_panel(observation, at, height)
    finished = at is None or at >= len(observation.steps) - 1
    lower = svg.render(panels.gradient_panel(observation)) + _verdict(observation) if finished else _waiting(at)
    return f'<div class="ipl ipl-picture">{"".join(map(svg.render, upper))}{lower}</div>'


def sentence(words: str, height: float = 0) -> str:
    """A sentence in the picture's place, as high as the picture would be."""
    tall = height + panels.GRADIENT_HEIGHT
    return (
        f'<div class="ipl ipl-picture" style="min-height:{tall:.0f}px">'
        f'<div class="ipl-verdict ipl-bad" role="status" style="width:{panels.PROGRAM_WIDTH:.0f}px;min-height:0">'
        f"<strong>{escape(words)}</strong></div></div>"
    )


def _waiting(at: int) -> str:
    """What stands in the place of gradients and verdict while the program has not ended."""
    return (
        f'<div style="width:{panels.GRADIENT_WIDTH:.0f}px;height:{panels.GRADIENT_HEIGHT}px"></div>'
        f'<div class="ipl-verdict" role="status" style="{_VERDICT_BOX}">'
        f"<strong>After line {at + 1}</strong><p>The program has not ended yet.</p></div>"
    )


def _verdict(observation: Observation) -> str:
    outcome = verdict.OUTCOMES[observation.outcome]
    words = observation.reading or f"{outcome.meaning} {verdict.luck(observation)}"
    torch_says = ""
    if observation.error is not None:
        error = observation.error
        torch_says = f"<p>Torch says on line {error.line_number}:</p><code>{error.kind}: {escape(error.text)}</code>"
    return (
        f'<div class="ipl-verdict{" ipl-bad" if outcome.bad else ""}" role="status" style="{_VERDICT_BOX}">'
        f"<strong><span aria-hidden='true'>{outcome.symbol}</span> {outcome.headline}</strong>"
        f"<p>{escape(words)}</p><p>{escape(observation.experiment.entry.derivative)}</p>{torch_says}</div>"
    )
