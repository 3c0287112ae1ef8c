"""The file of the atlas: JSON with one line for each sample, so that two versions can be compared line by line."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import astuple

from .entry import Entry, Internal, Node, Sample, Tensor


def parse(text: str) -> tuple[str, tuple[Entry, ...]]:
    """(version of torch, entries) of a file that ``render`` wrote."""
    data = json.loads(text)
    return data["torch"], tuple(_entry(one, data["torch"]) for one in data["entries"])


def _entry(data: dict, version: str) -> Entry:
    return Entry(
        data["name"],
        data.get("variant", ""),
        tuple(data.get("aliases", ())),
        data.get("seen", 0),
        tuple(map(_sample, data.get("samples", ()))),
        data.get("reason", ""),
        version,
    )


def _sample(data: dict) -> Sample:
    return Sample(
        data["call"],
        data["bytes"],
        tuple(Tensor(role, name, kind, tuple(kept), *rest) for role, name, kind, kept, *rest in data["tensors"]),
        tuple(Internal(*one) for one in data.get("internal", ())),
        tuple(Node(name, tuple(slots), tuple(empty), edges) for name, slots, empty, edges in data.get("nodes", ())),
        data.get("expression", ""),
    )


def render(version: str, entries: Collection[Entry]) -> str:
    """The text of the file, entries sorted by name."""
    ordered = sorted(entries, key=lambda entry: (entry.name, entry.variant))
    return f'{{"torch": {_json(version)}, "entries": [\n' + ",\n".join(map(_lines, ordered)) + "\n]}\n"


def _lines(entry: Entry) -> str:
    head = {"name": entry.name, "variant": entry.variant, "aliases": entry.aliases, "seen": entry.seen}
    head["reason"] = entry.reason
    text = _json({key: value for key, value in head.items() if value})
    if not entry.samples:
        return text
    samples = ",\n".join(f" {_json(_plain(sample))}" for sample in entry.samples)
    return f'{text[:-1]}, "samples": [\n{samples}]}}'


def _plain(sample: Sample) -> dict:
    data = {
        "call": sample.call,
        "bytes": sample.nbytes,
        "tensors": [_shortened(list(astuple(one))) for one in sample.tensors],
        "internal": [list(astuple(one)) for one in sample.internal],
        "nodes": [list(astuple(one)) for one in sample.nodes],
        "expression": sample.expression,
    }
    return {key: value for key, value in data.items() if value or key == "bytes"}


def _shortened(row: list) -> list:
    """A tensor without its last values where they say nothing."""
    while row[-1] in (None, ""):
        row = row[:-1]
    return row


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
