"""The overview as a page: one file, no script, nothing to fetch, fit for a printer."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterable, Sequence

from autograder.overview.summary import CaseRow, Misconception, Overview
from autograder.report import number
from inplace_lab.drawing import Box, Line, Panel, Shape, Text
from inplace_lab.svg import render, style

_SHEET = """\
body{max-width:60em;margin:2em auto;padding:0 1em;background:var(--ipl-paper)}
h1{font-size:1.7em}h2{font-size:1.25em;margin-top:2em;break-after:avoid}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:3px 10px 3px 0}
td:last-child{min-width:9em}
th{border-bottom:1px solid var(--ipl-rule)}td.n,th.n{text-align:right;white-space:nowrap}
tr,figure,li{break-inside:avoid}figure{margin:1em 0}figcaption{color:var(--ipl-faint)}
blockquote{margin:.3em 0 1em;padding:.2em .8em;border-left:4px solid var(--ipl-bad);background:var(--ipl-wash)}
.ipl code{overflow-wrap:anywhere}.names{border-top:2px solid var(--ipl-rule);margin-top:3em}
figure svg{max-width:100%;height:auto}td svg{margin-top:2px}
@media print{body{margin:0;max-width:none}.names{break-before:page;border:0}}
"""
_BAR = 80  # px
_LISTED = 20


def page(overview: Overview) -> str:
    """The text of the page."""
    title = f"{overview.assignment}: what the class did"
    parts = [
        f"<h1>{_text(title)}</h1>",
        f"<p>{_text(overview.sentence)} Late penalties are not taken off here.</p>",
        "<h2>Points</h2>",
        f"<figure>{render(spread(overview))}</figure>",
        *_questions(overview),
        *_cases(overview),
        *_names(overview),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{_text(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n{style()}\n<style>\n{_SHEET}</style>\n</head>\n'
        f'<body class="ipl">\n' + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def spread(overview: Overview) -> Panel:
    """How many students have how many points."""
    bins = overview.spread()
    width, height, left, base = 720, 220, 40, 180
    step = (width - left - 10) / len(bins)
    most = max(count for _, _, count in bins)
    shapes: list[Shape] = [Line(((left, base), (width - 10, base)), "rule")]
    for index, (low, _, count) in enumerate(bins):
        x, tall = left + index * step, (base - 30) * count / most
        if count:
            shapes.append(Box(x + 3, base - tall, step - 6, tall, fill="leaf", radius=2))
            shapes.append(Text(x + step / 2, base - tall - 10, str(count), anchor="middle", bold=True))
        shapes.append(Text(x, base + 14, number(low), "faint", "middle"))
    shapes.append(Text(left + len(bins) * step, base + 14, number(overview.maximum), "faint", "middle"))
    shapes.append(Text((left + width) / 2, base + 32, "points", "faint", "middle"))
    words = "; ".join(f"{number(low)} to {number(high)}: {count}" for low, high, count in bins if count)
    return Panel(width, height, tuple(shapes), f"Bars: how many students have how many points. {words}.")


def _questions(overview: Overview) -> Iterable[str]:
    yield "<h2>Questions worth raising in class</h2>"
    if not overview.questions:
        yield "<p>No reason for lost points was given to more than one student.</p>"
    else:
        yield "<ol>"
        for one in overview.questions:
            yield f"<li><strong>{_text(one.question(len(overview.graded)))}</strong>"
            yield f"<blockquote>{_text(one.message)}</blockquote></li>"
        yield "</ol>"
    for notebook, ask in overview.asks:
        yield f"<p>The teaching notes of {_text(notebook)} say to ask: {_text(ask)}</p>"


def _cases(overview: Overview) -> Iterable[str]:
    yield "<h2>Cases</h2>"
    if not overview.cases:
        yield "<p>This assignment has no checks.</p>"
    rows: dict[tuple[str, str], list[CaseRow]] = {}
    for row in overview.cases:
        rows.setdefault((row.notebook, row.exercise), []).append(row)
    for (notebook, exercise), group in rows.items():
        yield f"<h3>{_text(exercise)} <small>in {_text(notebook)}</small></h3>"
        yield "<table><thead><tr><th>case</th><th class=n>points</th><th class=n>failed</th><th>share</th>"
        yield "<th>told most often</th></tr></thead><tbody>"
        for row in group:
            told = next((one for one in overview.misconceptions if _is_of(one, row)), None)
            said = f"{_counted(len(told.students))}: {_text(told.message)}" if told else ""
            failed = f"{row.failed} of {row.run}" if row.run else "not run"
            yield f"<tr><td>{_text(row.key)}</td><td class=n>{number(row.worth) if row.worth else ''}</td>"
            yield f"<td class=n>{failed}</td><td>{render(_bar(row))}</td><td>{said}</td></tr>"
        yield "</tbody></table>"


def _bar(row: CaseRow) -> Panel:
    percent = f"{100 * row.rate:.0f} %"
    shapes: list[Shape] = [Box(0, 2, _BAR, 12, outline="rule", radius=2, line=1)]
    if row.failed:
        shapes.append(Box(0, 2, max(2, _BAR * row.rate), 12, fill="bad", radius=2))
    shapes.append(Text(_BAR + 6, 8, percent))
    return Panel(_BAR + 45, 16, tuple(shapes), f"{percent} failed")


def _names(overview: Overview) -> Iterable[str]:
    yield '<section class="names"><h2>For you alone: names</h2>'
    yield "<p>This part names students. Leave it out when you show or print the rest.</p>"
    listed = overview.misconceptions[:_LISTED]
    if listed:
        yield "<h3>Who was told what</h3><table>"
        yield "<thead><tr><th>what, and how to see one again</th><th>who</th></tr></thead><tbody>"
        for one in listed:
            file = f"submitted/{one.students[0]}/{overview.assignment}/{one.notebook}.ipynb"
            again = ["python -m autograder replay", *map(shlex.quote, (file, one.case, "--exercise", one.exercise))]
            yield f"<tr><td>{_text(one.exercise)}, {_text(one.case)}: {_text(one.message)}<br>"
            yield f"<code>{_text(' '.join(again))}</code></td><td>{_listed(one.students)}</td></tr>"
        yield "</tbody></table>"
        if rest := len(overview.misconceptions) - len(listed):
            yield f"<p>{rest} more reasons, given less often, are in the feedback pages.</p>"
    if overview.notes:
        yield "<h3>Notes from grading</h3><table><thead><tr><th>note</th><th>who</th></tr></thead><tbody>"
        for note, who in overview.notes:
            yield f"<tr><td>{_text(note)}</td><td>{_listed(who)}</td></tr>"
        yield "</tbody></table>"
    yield "<h3>Slowest</h3>"
    if overview.slowest:
        yield "<table><thead><tr><th>student</th><th class=n>seconds</th></tr></thead><tbody>"
        for one in overview.slowest:
            yield f"<tr><td>{_text(one.student)}</td><td class=n>{one.seconds:.1f}</td></tr>"
        yield "</tbody></table>"
    else:
        yield "<p>Only <code>python -m autograder grade</code> measures this.</p>"
    yield "<h3>Points</h3><table><thead><tr><th>student</th><th class=n>points</th><th></th></tr></thead><tbody>"
    for one in overview.graded:
        rest = "something is left to grade by hand" if one.by_hand else ""
        yield f"<tr><td>{_text(one.student)}</td><td class=n>{number(one.score)}</td><td>{rest}</td></tr>"
    yield "</tbody></table>"
    if overview.missing:
        yield f"<p>Handed in nothing: {_listed(overview.missing)}.</p>"
    yield "</section>"


def _is_of(one: Misconception, row: CaseRow) -> bool:
    return (one.notebook, one.exercise, one.case) == (row.notebook, row.exercise, row.key)


def _counted(students: int) -> str:
    return "1 student" if students == 1 else f"{students} students"


def _listed(names: Sequence[str]) -> str:
    return _text(", ".join(names))


def _text(text: str) -> str:
    return html.escape(text)
