"""The JSON in a file: broken encodings, what stands around a notebook, and what is none."""

from __future__ import annotations

import json
from typing import Any

from autograder.repair.values import Note, Unreadable


def parse(data: bytes) -> tuple[dict[str, Any], list[Note]]:
    notes: list[Note] = []
    text = _decoded(data, notes)
    stripped = text.strip("\0 \t\r\n")
    if "\0" in text[: len(text) - len(text.lstrip("\0 \t\r\n"))] + text[len(text.rstrip("\0 \t\r\n")) :]:
        notes.append(Note("The file had NUL bytes around the notebook; they were left out."))
    if not stripped:
        raise Unreadable("the file is empty." if not text.strip() else "the file holds nothing but NUL bytes.")
    try:
        raw, end = json.JSONDecoder(strict=False).raw_decode(stripped)
    except RecursionError:
        raise Unreadable("its JSON is nested too deeply.") from None
    except ValueError as error:
        marks = " It holds the marks of a merge that git could not finish." if "\n<<<<<<< " in text else ""
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"it is not valid JSON{where}, which a notebook is.{marks}") from None
    if stripped[end:].strip():
        notes.append(Note("The file went on after the end of the notebook; the rest was left out."))
    if not isinstance(raw, dict):
        raise Unreadable("it is JSON, but no notebook.")
    return raw, notes


def _decoded(data: bytes, notes: list[Note]) -> str:
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            notes.append(Note(f"The file began with a byte order mark ({name.removesuffix('-sig').upper()})."))
            return data.decode(name, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append(Note("The file was not saved as UTF-8; letters with accents may be wrong."))
        return data.decode("cp1252", errors="replace")
