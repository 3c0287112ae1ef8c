"""The atlas: what every differentiable PyTorch operation keeps for backward, as ``probe`` measured it.

``lookup("softmax")`` finds an operation, ``search("pool")`` lists those whose name fits, ``entries()`` are all.
``python -m inplace_lab.atlas show exp`` prints one, ``python -m inplace_lab.atlas measure`` measures them anew. The
measurements are shipped in ``atlas.json``, stamped with the torch that they were made on.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .entry import FILTERS, Entry, Internal, Node, Sample, Tensor
from .file import parse

if TYPE_CHECKING:
    from .scoring import score

__all__ = [
    "DATA",
    "FILTERS",
    "Entry",
    "Internal",
    "Node",
    "Sample",
    "Tensor",
    "entries",
    "lookup",
    "score",
    "search",
    "version",
]

DATA = Path(__file__).parent / "atlas.json"
_PREFIXES = ("torch.tensor.", "tensor.", "torch.", "f.")


def __getattr__(name: str) -> object:
    if name == "score":  # its module imports this one
        from .scoring import score

        return score
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _load() -> tuple[str, tuple[Entry, ...]]:
    return parse(DATA.read_text(encoding="utf-8"))


def entries() -> tuple[Entry, ...]:
    """All entries, sorted by name."""
    return _load()[1]


def version() -> str:
    """The version of torch that was measured."""
    return _load()[0]


def search(text: str = "", filters: Collection[str] = ()) -> tuple[Entry, ...]:
    """The entries that have every word of ``text`` in their name or an alias and pass all ``filters``, best first.

    Best is the whole name, then the whole last part of it, then its beginning. Raises ValueError for an unknown filter.
    """
    query = _query(text)
    for name in filters:
        if name not in FILTERS:
            raise ValueError(f"There is no filter {name!r}; the known ones are {', '.join(FILTERS)}.")
    found = (
        entry
        for entry in entries()
        if all(word in entry.words for word in query.split()) and all(entry.passes(name) for name in filters)
    )
    return tuple(sorted(found, key=lambda entry: _rank(entry, query)))


def lookup(name: str) -> Entry:
    """The entry for an operation: ``lookup("softmax")``, ``lookup("torch.nn.functional.gelu")``, also by an alias.

    Raises KeyError, with the nearest names, where there is none.
    """
    query = _query(name)
    for entry in sorted(search(query), key=lambda entry: entry.title != name):  # "t" and "T" are two operations
        if query in _names(entry) or query in map(_last, _names(entry)):
            return entry
    hint = f" Did you mean {', '.join(near)}?" if (near := suggestions(name)) else ""
    raise KeyError(f"The atlas has no operation {name!r}.{hint} inplace_lab.probe measures any callable.")


def suggestions(text: str) -> tuple[str, ...]:
    """Names that are spelt like ``text``."""
    query = _query(text)
    every = {name: name for entry in entries() for name in _names(entry)}
    every |= {_last(name): name for name in sorted(every, key=len, reverse=True)}
    return tuple(dict.fromkeys(every[name] for name in get_close_matches(query, every, 4)))


def _query(text: str) -> str:
    query = " ".join(str(text).lower().replace("(", " ").replace(")", " ").split())
    for prefix in _PREFIXES:
        query = query.removeprefix(prefix)
    return query


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _names(entry: Entry) -> tuple[str, ...]:
    names = (entry.title, entry.name, *entry.aliases)
    return tuple(map(_query, names))


def _rank(entry: Entry, query: str) -> tuple:
    name = _query(entry.name)
    fits = (name == query, _last(name) == query, query in _names(entry), _last(name).startswith(query))
    return (*(not one for one in fits), bool(entry.variant), not entry.samples, len(name), entry.title)
