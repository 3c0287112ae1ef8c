"""Mistakes that torch lets pass, and programs in which nothing is wrong: the finding in words, and what to do."""

from __future__ import annotations

from . import rewrite
from .finding import Change, Finding
from .phrases import anew


def overlap(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but the numbers are wrong: the line reads a part of the tensor that it is overwriting.",
        changed_at=(one,),
        advice="Write out of place, or clone the right-hand side: it shares memory with the left-hand side.",
        fix=anew(one),
    )


def retained(one: Change) -> Finding:
    name, text = rewrite.written(one.place.code), rewrite.out_of_place(one.place.code, one.names)
    new = f"new_{name}" if name.isidentifier() else ""
    return Finding(
        "other",
        "No error, but .grad of this tensor will not be what retain_grad() promised: it belongs to "
        "the value after the write.",
        changed_at=(one,),
        advice=f"Give the result another name ({new or 'a new one'}), and use that from there on.",
        fix=f"{new} = {text.partition(' = ')[2]}" if new and text.startswith(f"{name} = ") else "",
    )


def hook_argument(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but gradients are wrong: a hook changes the gradient that it was given, and "
        "other branches share it.",
        changed_at=(one,),
        advice="Return a new tensor from the hook instead of changing its argument.",
        fix=_returned(one),
    )


def _returned(one: Change) -> str:
    text = rewrite.out_of_place(one.place.code, one.names)
    return f"return {text.partition(' = ')[2]}" if " = " in text and not text.startswith("with") else ""


def noise(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but the gradient is wrong: RReLU's noise is drawn after the hook on saved tensors has copied it.",
        saved_at=one.place,
        changed_at=(one,),
        advice="Take this line out of the checkpoint or of the block with hooks on saved tensors, or use a leaky ReLU.",
    )


def dropped(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but the compiled function does something else: it leaves its argument alone, "
        "and uncompiled it writes into it.",
        changed_at=(one,),
        advice="Do not rely on the write reaching the caller's tensor: write out of place, and return the result.",
        fix=anew(one),
    )


def none(changes: tuple[Change, ...] = (), caught: bool = False) -> Finding:
    """Nothing is wrong; ``changes`` are writes that did no harm, or that torch refused and the program ``caught``."""
    if caught:
        return Finding(
            "none",
            "Torch refused this, and the program caught the error and went on. Nothing else is wrong.",
            changed_at=changes,
        )
    if not changes:
        return Finding(
            "none",
            "Nothing was found: no value that backward needs was changed, and no gradient is NaN.",
            notes=("Whether the formula is the one that you meant, the doctor cannot tell.",),
        )
    return Finding(
        "none",
        "Nothing is wrong: no write in place has changed a value that backward used.",
        changed_at=changes,
    )
