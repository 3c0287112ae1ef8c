"""Parts of sentences about a line and a tensor."""

from __future__ import annotations

import ast

import torch

from . import rewrite, scope
from .finding import Change
from .places import Place, Site
from .source import covers, tree_of


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


#: A longer line is no help to anybody.
_LONGEST = 200


def statement(place: Place) -> str:
    """The code of a place; where its statement goes over several lines, the whole of it on one."""
    tree = tree_of(place.file)
    plain = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)
    found = [one for one in ast.walk(tree) if isinstance(one, plain) and covers(one, place.line)] if tree else []
    whole = ast.unparse(found[-1]) if found and found[-1].end_lineno > found[-1].lineno else ""
    return whole if 0 < len(whole) <= _LONGEST else place.code


def anew(one: Change, names: tuple[str, ...] = (), code: str = "") -> str:
    """The changed line (``code``: other words for it) without its change in place; "" where that is not clear, or
    would lose the change."""
    written = rewrite.out_of_place(code or statement(one.place), names or one.names, one.view)
    return written if written and scope.hands_on(one.place, written) else ""
