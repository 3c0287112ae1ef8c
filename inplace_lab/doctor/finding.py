"""What the doctor found: one frozen value, which becomes words, HTML or JSON."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .places import Place, Site


@dataclass(frozen=True)
class Change:
    """A line that changed a tensor: its place, what did it (``by``), the versions, and how often it ran.

    ``names``: torch's names of the functions that wrote on this line. ``recorded``: whether autograd recorded it.
    ``view``: whether it wrote through a view. ``cut``: whether the tensor is part of a graph, and the write is not.
    """

    place: Place
    by: str
    path: tuple[Place, ...] = ()
    before: int | None = None
    after: int | None = None
    times: int = 1
    names: tuple[str, ...] = ()
    recorded: bool = True
    view: bool = False
    cut: bool = False

    def as_dict(self) -> dict[str, object]:
        return {**self.place.as_dict(), "by": self.by}


@dataclass(frozen=True)
class Finding:
    """One fault.

    ``kind``: "saved", "bypass", "leaf", "leaf-view", "multi-view", "inference", "freed", "nan", "none" or "other".
    ``exception``: class and text of the exception, or "". ``node``: the backward node concerned, or "".
    ``saved_at``: where the node was made that keeps the tensor; for "leaf", "leaf-view" and "multi-view" where the
    leaf or the views were made; for "nan" the operation in which the first NaN or infinite gradient appeared.
    ``changed_at``: the lines that changed the tensor, the first write first; for "freed" the backward that ran first.
    ``kept``: what was kept, in words ("its result"). ``shape``: of the tensor, where it is known.
    ``saved_turn``: the how-manieth time the line ran when it saved the tensor; 0 where that is not known.
    ``headline``, ``advice`` (one to three sentences) and ``fix`` (the line rewritten, or "") are words.
    ``notes``: what else is to be known, in sentences.
    """

    kind: str
    headline: str
    exception: str = ""
    node: str = ""
    kept: str = ""
    shape: tuple[int, ...] | None = None
    saved_at: Place | None = None
    saved_path: tuple[Place, ...] = ()
    saved_turn: int = 0
    changed_at: tuple[Change, ...] = ()
    expected: int | None = None
    found: int | None = None
    advice: str = ""
    fix: str = ""
    notes: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "kind": self.kind,
            "exception": self.exception,
            "node": self.node,
            "saved_at": self.saved_at.as_dict() if self.saved_at else None,
            "changed_at": [change.as_dict() for change in self.changed_at],
            "versions": {"expected": self.expected, "found": self.found},
            "advice": self.advice,
            "fix": self.fix,
        }

    def with_words(self, **words: object) -> Finding:
        return replace(self, **words)


def change(site: Site, name: str, before: int | None = None, after: int | None = None, recorded: bool = True) -> Change:
    """The change that ``name`` made at ``site``."""
    return Change(site.place, by(site, name), site.path, before, after, names=(name,), recorded=recorded)


def by(site: Site, name: str) -> str:
    """What wrote, in the words of whoever reads the line: "SGD.step (_foreach_add_)", "relu_ in nn.ReLU", "copy_"."""
    if site.module:
        return f"nn.{site.module} ({name})" if name.endswith("_") else f"nn.{site.module}"
    if site.via and site.via.rpartition(".")[2] != name:
        return f"{site.via} ({name})"
    return site.via or name
