"""Published rows beside what torch does: one line for each experiment of a row, as HTML in a notebook and as text."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from html import escape

import torch

from . import svg, verdict
from .experiment import Experiment
from .matrix import Case
from .observation import Observation, observe

HEADS = ("row", "program", "published: runs? result", "gradient of leaf", "as without the write", "as out of place")
CAPTION = "Published rows, and the same programs run just now."
ANSWERS = {True: "✓ yes", False: "✗ no", None: "–"}
REFUSED = "✗ refused"

_STYLE = (
    "<style>.ipl-table{border-collapse:collapse;font-size:13px;margin:4px 0 8px}"
    ".ipl-table caption{text-align:left;color:var(--ipl-faint);padding:0 0 6px}"
    ".ipl-table th,.ipl-table td{text-align:left!important;vertical-align:top;padding:4px 10px;"
    "border:0;border-bottom:1px solid var(--ipl-rule);background:none;color:var(--ipl-ink)}"
    ".ipl-table tbody tr{background:none!important}"
    ".ipl-table thead th{border-bottom:2px solid var(--ipl-ink);vertical-align:bottom}"
    ".ipl-table .p{min-width:170px}.ipl-table thead th{min-width:76px}.ipl-table thead th:first-child{min-width:0}"
    ".ipl-table .n{white-space:pre;font-variant-numeric:tabular-nums}"
    ".ipl-table .w{white-space:nowrap}.ipl-table code{background:none!important;color:inherit!important;"
    "padding:0!important;font-size:12px!important;white-space:nowrap!important}.ipl-table td.d{font-weight:600}"
    ".ipl-table td.b{color:var(--ipl-bad);font-weight:600}</style>"
)


@dataclass(frozen=True)
class Line:
    """One experiment of a published row.

    number and published come from the row; program is the write and the operation in the order in which they run.
    gradient is None where backward was refused; the last two say whether it equals its references (None where there is
    no gradient).
    """

    number: int
    program: str
    published: str
    gradient: tuple[float, ...] | None
    as_without_the_write: bool | None
    as_out_of_place: bool | None

    @property
    def numbers(self) -> str:
        """The gradient as text, or that it was refused."""
        if self.gradient is None:
            return REFUSED
        return "  ".join(map(_number, self.gradient))

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of the line in the order of HEADS."""
        answers = (ANSWERS[self.as_without_the_write], ANSWERS[self.as_out_of_place])
        return (str(self.number), self.program, self.published, self.numbers, *answers)


@dataclass(frozen=True)
class Table:
    """Lines that a notebook shows as a table and a terminal as text."""

    lines: tuple[Line, ...]

    def _repr_html_(self) -> str:
        heads = "".join(f'<th scope="col">{head}</th>' for head in HEADS)
        body = "".join(_html_row(line, self._height(place)) for place, line in enumerate(self.lines))
        return (
            f'{svg.style()}{_STYLE}<div class="ipl"><table class="ipl-table"><caption>{CAPTION}</caption>'
            f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def __repr__(self) -> str:
        rows = [HEADS, *(line.cells for line in self.lines)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
        padded = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(line.rstrip() for line in padded)

    def _height(self, place: int) -> int:
        """How many lines the row that begins here has; 0 inside a row."""
        number = self.lines[place].number
        if place and self.lines[place - 1].number == number:
            return 0
        return next((i for i, line in enumerate(self.lines[place:]) if line.number != number), len(self.lines) - place)


def table(cases: Iterable[Case], mutations: Collection[str] | None = None) -> Table:
    """Run the experiments of ``cases`` and set what torch does beside what was published.

    mutations: names such as ("mul_", "setitem"), to show only the experiments that write with one of them; an
        experiment without a write is always shown.
    """
    return Table(
        tuple(
            _line(case, observe(experiment))
            for case in cases
            for experiment in case.experiments
            if mutations is None or all(write.mutation in mutations for write in experiment.writes)
        )
    )


def _line(case: Case, seen: Observation) -> Line:
    published = f"{'Yes' if case.can_backward else 'No'}{f': {case.claim}' if case.claim else ''}"
    gradient = None if seen.gradient is None else tuple(seen.gradient.tolist())
    without = _same(seen.gradient, seen.gradient_unmutated)
    return Line(case.number, program(seen.experiment), published, gradient, without,
                _same(seen.gradient, seen.gradient_out_of_place))  # fmt: skip


def program(experiment: Experiment) -> str:
    """What the experiment does between middle and loss, in one line: ``middle.mul_(3); root = middle * 2``."""
    after_middle = experiment.program.splitlines()[3:]
    return "; ".join(line for line in after_middle if not line.startswith("loss"))


def _number(value: float) -> str:
    """Four digits, or three and an exponent without its padding: 1097, 2.43e4."""
    if value == 0 or 1e-3 <= abs(value) < 1e4 or not math.isfinite(value):
        return f"{value + 0.0:.4g}"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def _same(gradient: torch.Tensor | None, reference: torch.Tensor | None) -> bool | None:
    return None if gradient is None else verdict.same(gradient, reference)


def _html_row(line: Line, height: int) -> str:
    number, code, published, numbers, without, out_of_place = line.cells
    steps = "<br>".join(f"<code>{escape(step)}</code>" for step in code.split("; "))
    span = f' rowspan="{height}"' if height > 1 else ""
    first = f'<th scope="{"rowgroup" if span else "row"}"{span}>{number}</th>' if height else ""
    claim = f'<td class="p"{span}>{escape(published)}</td>' if height else ""
    return (
        f"<tr>{first}<td>{steps}</td>{claim}"
        f'<td class="n{" b" if line.gradient is None else ""}">{numbers}</td>'
        f'<td class="w{" d" if line.as_without_the_write is False else ""}">{without}</td>'
        f'<td class="w{" b" if line.as_out_of_place is False else ""}">{out_of_place}</td></tr>'
    )
