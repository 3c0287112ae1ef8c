"""The report: what happened, the lines with their code, and what to write instead; as text and as HTML."""

from __future__ import annotations

import linecache
import textwrap
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from .. import svg
from . import kinds, numbers, phrases, rewrite
from .finding import Change, Finding
from .places import Place

if TYPE_CHECKING:
    from .session import Diagnosis

_WIDTH = 96

# What the two marked lines are called, for each kind of fault.
_FIRST = {
    "saved": "saved",
    "bypass": "saved",
    "freed": "saved",
    "leaf": "made",
    "leaf-view": "made",
    "multi-view": "views",
    "inference": "made",
    "nan": "born",
}
_SECOND = {
    "freed": "freed",
    "leaf": "written",
    "leaf-view": "written",
    "multi-view": "written",
    "inference": "written",
    "none": "written",
}


def text(diagnosis: Diagnosis) -> str:
    """The report of the first finding in full, of the others in a line each."""
    parts = ["In-Place Lab, the doctor", _one(diagnosis.finding)]
    for more in diagnosis.findings[1:4]:
        lines = ", ".join(f"line {change.place.line}" for change in more.changed_at)
        parts.append(_wrapped(f"Also: {more.headline}{f' ({lines})' if lines else ''}"))
    parts += [_wrapped(f"Note: {limit}") for limit in diagnosis.limits]
    return "\n\n".join(parts)


def _one(finding: Finding) -> str:
    parts = [_wrapped(finding.headline)]
    lines = [*_first(finding), *(line for change in finding.changed_at for line in _changed(finding, change))]
    if lines:
        parts.append("\n".join(lines))
    parts += [_wrapped(sentence) for sentence in (*_explained(finding), *finding.notes)]
    if finding.advice:
        parts.append(_wrapped(f"What to do: {finding.advice}"))
    if finding.fix:
        parts.append(f"  write    {finding.fix}")
    return "\n\n".join(parts)


def _wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _first(finding: Finding) -> list[str]:
    if finding.saved_at is None:
        return []
    lines = [f"  {_word(finding):<8} {_place(finding.saved_at)}"]
    return lines + [f"           {said}" for said in (*_kept(finding), *_path(finding.saved_path))]


def _kept(finding: Finding) -> list[str]:
    if finding.kind in ("saved", "bypass") and finding.node:
        version = "" if finding.expected is None else f", at version {finding.expected}"
        shape = phrases.shaped(finding.shape)
        said = [f"{finding.node} keeps {finding.kept}{shape} for backward{version}"]
        if finding.saved_turn > 1:
            said.append(f"when this line ran for the {_ordinal(finding.saved_turn)} time")
        return said
    return [f"{finding.node}"] if finding.node else []


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def _word(finding: Finding) -> str:
    if finding.kind == "other" and ("view" in finding.headline or "expanded" in finding.headline):
        return "view"
    if numbers.is_huge(finding):
        return "grown"
    return _FIRST.get(finding.kind, "saved")


def _second(finding: Finding) -> str:
    if finding.kind == "inference" and "saved for backward" in finding.exception:
        return "used"
    if finding.kind == "none" and "refused" in finding.headline:
        return "refused"
    return _SECOND.get(finding.kind, "changed")


def _path(path: tuple[Place, ...]) -> list[str]:
    return [f"called from line {place.line}: {place.code}" for place in path[-2:][::-1] if place.code]


def _changed(finding: Finding, change: Change) -> list[str]:
    sign = rewrite.operator(phrases.statement(change.place))
    said = kinds.WORDS.get(change.by, f"{sign} (torch: {change.by})" if sign else change.by)
    # A bypass is a write that the tensor's own version does not count: another one would only confuse.
    counted = finding.kind != "bypass" and change.before is not None and change.after is not None
    if counted and change.before != change.after:
        said += f": version {change.before} -> {change.after}"
    if change.times > 1:
        said += f" ({change.times} writes)"
    lines = [f"  {_second(finding):<8} {_place(change.place)}", f"           by {said}"]
    path = _path(change.path) if change.path != finding.saved_path else []  # said above
    return lines + [f"           {step}" for step in path]


def _place(place: Place) -> str:
    short = place.file.replace("\\", "/").rpartition("/")[2]
    return f"{short}:{place.line}   {place.code}".rstrip()


def _explained(finding: Finding) -> list[str]:
    if finding.kind == "saved" and finding.expected is not None:
        return [
            f"Each write in place raises a tensor's version by one. Backward wants the value of version "
            f"{finding.expected} and finds version {finding.found}."
        ]
    return []


def html(diagnosis: Diagnosis) -> str:
    """The report for a notebook: words, and the lines of the program with those that matter marked."""
    finding = diagnosis.finding
    bad = "" if finding.kind == "none" else " ipl-bad"
    said = [f"<p>{escape(one)}</p>" for one in (*_explained(finding), *finding.notes)]
    if finding.advice:
        said.append(f"<p><b>What to do.</b> {escape(finding.advice)}</p>")
    if finding.fix:
        said.append(f"<p>Write instead:</p><code>{escape(finding.fix)}</code>")
    said += [f"<p>Also: {escape(more.headline)}</p>" for more in diagnosis.findings[1:4]]
    said += [f"<p>Note: {escape(limit)}</p>" for limit in diagnosis.limits]
    return (
        f'{svg.style()}<div class="ipl"><div class="ipl-verdict{bad}" role="region" aria-label="Diagnosis" '
        f'style="min-height:0;max-width:800px"><strong>{escape(finding.headline)}</strong>'
        f"{_listing(_marks(finding))}{''.join(said)}</div></div>"
    )


# A file of at most so many lines (a cell) is shown whole; of others, so many lines around each mark.
_WHOLE, _AROUND = 40, 2

# Colour of a mark, by which of the two it is; the word says the same.
_COLOURS = {True: "var(--ipl-leaf)", False: "var(--ipl-bad)"}


@dataclass(frozen=True)
class _Mark:
    word: str
    first: bool
    said: tuple[str, ...]


def _marks(finding: Finding) -> dict[str, dict[int, list[_Mark]]]:
    """What is to be said at each line, by file."""
    marks: dict[str, dict[int, list[_Mark]]] = {}

    def mark(place: Place, word: str, first: bool, said: list[str]) -> None:
        marks.setdefault(place.file, {}).setdefault(place.line, []).append(_Mark(word, first, tuple(said)))

    if finding.saved_at is not None:
        said = [*_kept(finding), *_path(finding.saved_path)]
        mark(finding.saved_at, _word(finding), True, said)
    for change in finding.changed_at:
        _, *said = _changed(finding, change)
        mark(change.place, _second(finding), False, [one.strip() for one in said])
    return marks


def _listing(marks: dict[str, dict[int, list[_Mark]]]) -> str:
    return "".join(_file(file, lines) for file, lines in marks.items())


def _file(file: str, marks: dict[int, list[_Mark]]) -> str:
    text = linecache.getlines(file)
    shown = range(1, len(text) + 1)
    if len(text) > _WHOLE:
        near = {line + step for line in marks for step in range(-_AROUND, _AROUND + 1)}
        shown = sorted(line for line in near if 0 < line <= len(text))
    rows, before = [], None
    for line in shown:
        if before is not None and line != before + 1:
            rows.append("<tr><td></td><td></td><td>...</td></tr>")
        rows.append(_row(line, text[line - 1].rstrip(), marks.get(line, [])))
        before = line
    name = file.replace("\\", "/").rpartition("/")[2]
    caption = (
        "" if len(text) <= _WHOLE and name.split(".")[0].isdigit() else f"<caption {_CAPTION}>{escape(name)}</caption>"
    )
    return f"<table style='{_TABLE}'>{caption}{''.join(rows)}</table>"


# JupyterLab would give the three columns the same width.
_TABLE = "font-size:inherit;border-collapse:collapse;margin:6px 0;width:100%;table-layout:auto;background:none"
_CELL = "style='padding:2px 10px 2px 0;text-align:left;vertical-align:top;white-space:nowrap;background:none'"
_NARROW = _CELL.replace("padding:", "width:1%;padding:")
_CAPTION = "style='text-align:left;caption-side:top;padding:0;color:var(--ipl-faint)'"


def _row(number: int, code: str, marks: list[_Mark]) -> str:
    colour = _COLOURS[marks[0].first] if marks else "transparent"
    words = "<br>".join(f"<b style='color:{_COLOURS[mark.first]}'>{mark.word}</b>" for mark in marks)
    said = "".join(
        f"<div style='white-space:normal;color:var(--ipl-ink)'>{escape(one)}</div>"
        for mark in marks
        for one in mark.said
    )
    return (
        f"<tr style='background:{'var(--ipl-paper)' if marks else 'none'};border-left:3px solid {colour}'>"
        f"<td {_NARROW}><span style='padding-left:6px'>{words}</span></td>"
        f"<td {_NARROW}><span class='m' style='color:var(--ipl-faint)'>{number}</span></td>"
        f"<td {_CELL.replace('nowrap', 'pre-wrap')}>"
        f"<span class='m' style='color:var(--ipl-ink)'>{escape(code)}</span>{said}</td></tr>"
    )
