"""Parts of sentences about a line and a tensor."""

from __future__ import annotations

import torch

from . import rewrite, scope
from .finding import Change
from .places import Place, Site


def keeps(slot: str, tensor: torch.Tensor | None) -> str:
    """What a node keeps, in words: "its result", "a weight (mat2)"."""
    bare = slot.partition("[")[0]
    if bare.startswith("ctx."):
        return bare
    if bare.startswith("result") or bare in ("output", "out"):
        return "its result"
    if bare == "tensors":
        return "what save_for_backward was given"
    base = tensor if tensor is None or tensor._base is None else tensor._base
    if isinstance(base, torch.nn.Parameter):
        return "a weight" if bare == "self" else f"a weight ({bare})"
    if bare == "self":
        return "its input"
    if bare == "other":
        return "its second input"
    return f"one of its inputs ({bare})" if bare else "a tensor"


def shaped(shape: tuple[int, ...] | None) -> str:
    """ " of shape [2, 3]", "" where that is not known."""
    if shape is None:
        return ""
    return f" of shape {list(shape)}" if shape else ", a single number,"


def at(site: Site | None) -> dict[str, object]:
    """The part of a finding that says where the saved tensor was made."""
    return {"saved_at": site.place if site else None, "saved_path": site.path if site else ()}


def line(place: Place | None) -> str:
    return f"line {place.line}" if place else "the line that computed it"


def anew(one: Change, names: tuple[str, ...] = ()) -> str:
    """The changed line without its change in place; "" where that is not clear, or would lose the change."""
    written = rewrite.out_of_place(one.place.code, names or one.names, one.view)
    return written if written and scope.hands_on(one.place, written) else ""
