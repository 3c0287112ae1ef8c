"""A student's text cells without what could act in the browser of whoever grades, or stop nbconvert."""

from __future__ import annotations

import html
import re

from nbformat import NotebookNode

from autograder.repair.values import Note, once

TAG = re.compile(r"<(?=[A-Za-z/!?])")
PLAIN_TAG = re.compile(
    r"</?(details|details open|summary|b|i|u|s|em|strong|sub|sup|br|hr|p|code|pre|ul|ol|li|table|tr|td|th|kbd)\s*/?>",
    re.I,
)
ATTACHED = "attachment:"
PICTURE = re.compile(r"!\[([^\]\n]{0,200})\]\(attachment:([^)\n]{0,300})\)")
SCHEME = re.compile(r"(?:java|vb|live)script:|data:(?:text/|application/|image/svg)", re.IGNORECASE)
MATHS = re.compile(r"\\(?:href|style|cssId|class|require|mmlToken)(?![A-Za-z])")
"""Commands of MathJax that make links or attributes."""
UNSEEN = "\u200b"  # a space of no width: it parts what must not act, and nobody sees it


def harmless(source: str, notes: list[Note]) -> str:
    """Text of a student's without what could act in the browser of whoever grades (run a script, load a file)."""
    meant = _meant(source)
    address = meant.replace("\\", "")
    if SCHEME.search(address) or MATHS.search(meant) or address.count(ATTACHED) > source.count(ATTACHED):
        once(notes, "A text cell of the submission held links or formulas that can run a script; they were broken.")
        # It may be written in many ways, with entities and backslashes, so all of them are broken in this cell.
        source = re.sub(r"(?=:)|(?<=\])(?=\()|(?<=[:&\\])", UNSEEN, source.replace(UNSEEN, ""))
    if not all(PLAIN_TAG.match(source, tag.start()) for tag in TAG.finditer(source)):
        once(notes, "A text cell of the submission held HTML with attributes or scripts; it is shown as text.")
        source = TAG.sub("&lt;", source)
    return source


def _meant(source: str) -> str:
    """The text as a browser takes it in a link: entities replaced, white space and control characters left out."""
    for _ in range(5):
        plain = html.unescape(source)
        if plain == source:
            break
        source = plain
    return re.sub(r"[\x00-\x20\x7f-\xa0]", "", source)


def without_lost_pictures(cell: NotebookNode, notes: list[Note]) -> str:
    """The text of a cell without references to pictures that are not there, at which nbconvert would stop."""
    source, kept = cell.source, cell.get("attachments", {})
    if ATTACHED not in source:
        return source

    def picture(found: re.Match[str]) -> str:
        name = found[2].split(" ")[0]
        return found[0] if name in kept else f"(the picture {_word(name)} was left out)"

    def other(found: re.Match[str]) -> str:
        return found[0] if found[1] in kept else f"left-out-{_word(found[1])}"

    mended = PICTURE.sub(picture, source)
    mended = re.sub(r"attachment:([^\s)>\]\"']{0,300})", other, mended)
    if mended != source:
        once(notes, "A text cell of the submission refers to a picture that is not there or of a kind not shown.")
    return mended


def _word(name: str) -> str:
    return re.sub(r"[^\w.\-]", "", name)[:60] or "without a name"
