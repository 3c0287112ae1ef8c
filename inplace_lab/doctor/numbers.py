"""A gradient that is NaN, infinite or huge: the finding in words, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .finding import Finding
from .phrases import line
from .places import Site
from .record import Origin


def nan(
    node: str, origin: Origin | None, site: Site | None, in_forward: bool, is_nan: bool = True, grown: bool = False
) -> Finding:
    """A gradient is NaN, or infinite; ``grown``: gradients of earlier backward calls were huge."""
    born = "in the forward" if in_forward else "in backward"
    place, path = (site.place, site.path) if site else (None, ())
    own = origin is not None and origin.name == "save_for_backward"
    if own and path:
        place, path = path[-1], path[:-1]  # a Function of the program: the line that called it
    return Finding(
        "nan",
        f"No error, but a gradient is {'NaN' if is_nan else 'infinite'}."
        f"{f' It was born {born}, in {node}.' if node else ''}",
        "",
        node,
        saved_at=place,
        saved_path=path,
        advice=_nan_advice(node, line(place), own and not in_forward, grown),
    )


@dataclass(frozen=True)
class _Singular:
    """Where an operation has no finite value or slope: which ``nodes`` (how their names begin), what happens (``why``),
    and what to do (``cure``; z is what the operation gets)."""

    nodes: tuple[str, ...]
    why: str
    cure: str


_SINGULAR = (
    _Singular(
        ("Mean", "Std", "Var"),
        "std() has no slope where all elements are equal; std() and var() of a single one have no value, nor has "
        "the mean of none",
        "Leave such rows out, or write (z.var(correction=0) + 1e-12).sqrt(), where z is what it gets now.",
    ),
    _Singular(
        ("Softmax", "LogSoftmax", "SafeSoftmax", "Logsumexp"),
        "a row of which every element is -inf has no softmax, and a mask behind it is too late",
        "Mask with a large negative number instead of -inf, or leave such rows out before it.",
    ),
    _Singular(
        ("LinalgEig", "LinalgSvd"),
        "vectors that belong to equal eigenvalues (singular values) have no gradient",
        "Use the values only (torch.linalg.eigvalsh, svdvals), or a function of the whole matrix.",
    ),
    _Singular(
        ("Exp", "Sinh", "Cosh"),
        "exp of a large number is infinite, and a mask behind it is too late",
        "Give exp a 0 in place of z where its result is not wanted, torch.where(wanted, z, 0.0).exp(), and keep the "
        "mask behind it.",
    ),
    _Singular(
        ("Log", "Xlog", "Lgamma", "Digamma", "Special"),
        "a logarithm has no finite value or slope at 0, and none below, and a mask behind it is too late",
        "Give log a 1 in place of z there (log 1 is 0), torch.where(z > 0, z, 1.0).log(), and keep the mask behind it.",
    ),
    _Singular(
        ("Sqrt", "Rsqrt", "Pow", "LinalgVectorNorm", "Norm", "Cdist", "Pdist", "EuclideanDist", "Hypot"),
        "the slope of a root, and so of a norm and of a distance, is infinite at 0, and below it a root is NaN",
        "Keep what the root gets, z, above 0: z.clamp(min=1e-12).sqrt(). A bound of 0 is not enough; a norm is the "
        "root of the sum of squares.",
    ),
    _Singular(
        ("Acos", "Asin", "Atanh", "Acosh"),
        "the slope of this function is infinite at -1 and 1, and beyond them it is NaN",
        "Keep what it gets, z, strictly between them: z.clamp(-1 + 1e-6, 1 - 1e-6).",
    ),
    _Singular(
        ("Div", "Reciprocal"),
        "a number is divided by 0, and a mask behind it is too late",
        "Give it a 1 in place of the denominator z there, a / torch.where(z == 0, 1.0, z); keep the mask behind it.",
    ),
)


def _nan_advice(node: str, where: str, own: bool, grown: bool) -> str:
    if grown:
        return (
            "Gradients were huge in an earlier backward() already: the numbers have grown from step to step until they "
            "overflowed. Lower the learning rate, or clip the gradients (torch.nn.utils.clip_grad_norm_)."
        )
    if not node:
        return (
            "Something that backward multiplies with is NaN or infinite: data, or a value that is masked later. A mask "
            "behind it does not help, for 0 times NaN is NaN. torch.autograd.set_detect_anomaly(True) names the "
            "operation."
        )
    if own:
        return (
            f"The backward of this Function computes the NaN. Give the elements that are not wanted a harmless value "
            f"there, before the operation that divides by them; a mask behind it does not help. Or mask the input of "
            f"{where}."
        )
    known = next((one for one in _SINGULAR if node.startswith(one.nodes)), None)
    if known is not None:
        return f"In {where} {known.why}. {known.cure}"
    return (
        f"Mask what the operation in {where} gets, and not its result alone: give the elements that are not wanted a "
        "harmless value before it (torch.where, clamp), or leave them out by indexing. A mask behind it multiplies 0 "
        "with infinity in backward, which is NaN."
    )


def nan_came_in(tensor: torch.Tensor, made: Site | None, used: Site | None) -> Finding:
    """A gradient is NaN because a tensor that the forward was given is NaN: data, or a weight."""
    site = made or used
    base = tensor if tensor._base is None else tensor._base
    where = f" before {line(used.place)}" if used else ""
    if base.requires_grad:
        what = "a weight" if isinstance(base, torch.nn.Parameter) or made and made.via.endswith(".step") else "a leaf"
        advice = (
            "The value was NaN before this forward began. Look for the first turn in which the loss is not finite: a "
            "NaN or infinite gradient in an earlier step, a learning rate that is too high, or what was loaded."
        )
    else:
        what = "data (a tensor without gradients)"
        advice = (
            f"No operation on the way is at fault. Leave out such rows (torch.isnan), or fill them in{where}: a mask "
            "on the loss does not help, for 0 times NaN is NaN."
        )
    return Finding(
        "nan",
        f"No error, but a gradient is NaN. It was there before the forward, in {what} of shape {list(tensor.shape)}.",
        saved_at=site.place if site else None,
        saved_path=site.path if site else (),
        advice=advice,
    )


_HUGE = "No error, but a gradient is huge"


def is_huge(finding: Finding) -> bool:
    """Whether ``huge`` made this finding."""
    return finding.headline.startswith(_HUGE)


def huge(size: float, node: str, site: Site | None) -> Finding:
    """A gradient is of no use to any optimizer; ``node``, at ``site``, is the first that made it so, if known."""
    return Finding(
        "other",
        f"{_HUGE} (its norm is {size:.0e}). No in-place cause was found.",
        node=node,
        saved_at=site.place if site else None,
        saved_path=site.path if site else (),
        advice="If the loss grows from step to step, the learning rate is too large. If it does not, "
        + (f"look at what {line(site.place)} divides by:" if site else "look for a division by")
        + " a norm, a standard deviation or a number close to 0. Leave such elements out before it (of rows, "
        "x[x.norm(dim=-1) > 0]); a larger eps only makes the gradient smaller.",
    )
