"""An entry of the atlas as HTML: what it says in words, and a picture of each sample."""

from __future__ import annotations

from html import escape

from .. import saving_panel, svg
from .entry import Entry, counted

_CODE = "display:inline;font-size:12px;background:none;color:inherit;padding:0"


def html(entry: Entry) -> str:
    """The entry with its own style sheet."""
    return svg.style() + body(entry)


def body(entry: Entry) -> str:
    """The entry for a page that has ``svg.style()`` once."""
    also = f" <span>also {escape(', '.join(entry.aliases))}</span>" if entry.aliases else ""
    pictures = "".join(
        f'<div style="overflow-x:auto;margin:14px 0 0">'
        f"{svg.render(saving_panel.panel(sample.call, sample.nbytes, sample.rows))}</div>"
        for sample in entry.samples
    )
    return (
        f'<div class="ipl ipl-entry"><strong style="font-size:15px">{escape(entry.title)}</strong>{also}'
        f'<p style="margin:2px 0">{escape(entry.summary)}</p>{pictures}'
        f'<p style="color:var(--ipl-faint);margin:10px 0 0">{escape(counted(entry) + entry.stamp)}</p></div>'
    )


def sentence(words: str) -> str:
    """A sentence in an entry's place."""
    return f'<div class="ipl ipl-entry"><strong>{escape(words)}</strong></div>'
