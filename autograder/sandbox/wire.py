"""Lines of JSON between a grader and what it does not trust: bounded before they are parsed, and never pickled."""

from __future__ import annotations

import json
import re

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Garbled(Exception):
    """What arrived is not a line with a JSON object."""


def encode(value: dict) -> bytes:
    """One line. Raises TypeError or ValueError for what is not JSON (nan and inf are not)."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict:
    """The object on a line, with lone surrogates (which no file can hold) replaced.

    Raises:
        Garbled: it is not a JSON object, or nested too deep to be read.
    """
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=_refuse)
        if isinstance(value, dict):
            return _mended(value) if _ESCAPED_SURROGATE.search(line) else value
    except (ValueError, RecursionError):
        pass
    raise Garbled("it is not a JSON object on one line")


class Lines:
    """Cuts a stream of bytes into lines."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes."""
        *complete, rest = data.split(b"\n")
        if complete:
            complete[0] = b"".join([*self._parts, complete[0]])
            self._parts.clear()
        if rest:
            self._parts.append(rest)
        return complete

    @property
    def unfinished(self) -> bool:
        """Whether the stream stopped in the middle of a line."""
        return bool(self._parts)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _mended(value: object) -> object:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value
