"""A write, or a backward call, that torch refuses for another reason: the finding in words, and what to do."""

from __future__ import annotations

from . import rewrite, saved, scope
from .finding import Change, Finding
from .kinds import described, of_text, text_of
from .phrases import anew, at, statement
from .places import Site

_ACTIVATIONS = frozenset("relu_ relu6_ leaky_relu_ elu_ selu_ celu_ rrelu_ threshold_ sigmoid_ tanh_ dropout_".split())


def refused(
    kind: str,
    error: BaseException,
    node: str,
    made: Site | None,
    changes: tuple[Change, ...],
    notes: tuple[str, ...],
    computes: bool = False,
) -> Finding:
    """A write that torch refused on the spot. ``computes``: it writes what was computed with other leaves."""
    code = statement(changes[0].place)
    place = made.place if made else None
    fix = anew(changes[0])
    # Nobody updates a weight with an activation function.
    update = rewrite.is_update(code) and not computes and not set(changes[0].names) & _ACTIVATIONS
    if kind in ("leaf", "leaf-view"):
        what = (
            "a tensor that you asked gradients for"
            if kind == "leaf"
            else "a part of a tensor that you asked gradients for"
        )
        headline = f"The line writes into {what}, while autograd is recording."
        if "A view was created in" in described(error):
            advice, fix = _other_advice(described(error)), ""
        elif update:
            fix = rewrite.under_no_grad(code)
            advice = (
                "If this is an update of the values (a training step, an initialisation), write it under "
                "torch.no_grad(), as below. If it is a part of the computation, write it out of place into another "
                "name instead: under no_grad() it would get no gradient."
            )
        elif computes:
            advice = (
                "What is written was computed from other tensors with gradients, so the write is a part of the "
                "computation: write it out of place, or into a .clone()."
            )
        else:
            advice = "Write it out of place (inplace=False), or change a copy: .clone() before this line."
    elif kind == "multi-view":
        headline = "The line writes into one of several views that one call made, and autograd cannot record that."
        if changes[0].place.code and "has been modified inplace" in described(error):
            headline = "One of several views that one call made was written, and the others can no longer be used."
        name = rewrite.written(code) or "it"
        if fix and scope.under_no_grad(changes[0].place):
            advice = (
                "Put the line below in its place, outside the torch.no_grad() block: it would get no gradient within."
            )
        elif fix:
            advice = (
                "Write out of place, or index the tensor (x[i]) instead of splitting it or iterating over it. "
                "torch.no_grad() around the write only moves the error."
            )
        else:
            advice = (
                "Index the tensor (x[i]) instead of splitting it or iterating over it, and write into that. Out of "
                f"place the new value would only get the name {name}; torch.no_grad() around the write only moves the "
                "error."
            )
    elif kind == "inference":
        headline = "A tensor that was made in inference mode is used where autograd would have to keep track of it."
        advice = (
            "Move the line into the inference_mode block, or work on a normal tensor: a result "
            "computed out of place, or a .clone() made outside the block."
        )
        if "saved for backward" in text_of(error):
            advice = (
                f"Compute with a copy of it in line {changes[0].place.line}, made outside the inference_mode block "
                "(.clone()), or make it under torch.no_grad() instead of inference_mode()."
            )
        if made is not None and made.via.endswith(".step"):
            advice = "An optimizer makes its state in its first step: call step() outside inference_mode."
    else:
        headline = _other_headline(text_of(error))
        advice = _other_advice(text_of(error))
        if "is a view and is being modified inplace" in text_of(error) and changes[0].by.startswith("nn."):
            advice = f"Build {changes[0].by.partition(' ')[0]} with inplace=False; the hook may stay then."
    return Finding(
        kind,
        headline,
        described(error),
        node,
        saved_at=place,
        saved_path=made.path if made else (),
        changed_at=changes,
        advice=advice,
        fix=fix,
        notes=notes,
    )


_OTHER = (
    (
        "out=... arguments don't support automatic differentiation",
        "A result is written into out=, and autograd cannot record that.",
        "Leave out= away where gradients are needed, and the tensor that was made for it; keep it for code under "
        "torch.no_grad().",
    ),
    (
        "more than one element of the written-to tensor refers to a single memory location",
        "The line writes into an expanded tensor, whose elements share memory.",
        "Give each element its own memory first with .clone(), or write out of place.",
    ),
    (
        "A view was created in",
        "The line writes into a view that was made where autograd did not record.",
        "Make the view and write into it in one torch.no_grad() block, and do not use that view outside; or do "
        "both outside, where the write is a part of the computation.",
    ),
    (
        "Can't detach views in-place",
        "A view cannot be detached in place.",
        "Write v = v.detach().",
    ),
    (
        "is a view and is being modified inplace",
        "The line writes into a view that a custom Function, or a hook on a module, has made.",
        "Where a module is built, write inplace=False; the hook may stay then. In a Function, or in code of your own, "
        "clone before the write.",
    ),
    (
        "would mutate a captured Tensor",
        "A function that torch.func transforms writes into a tensor from outside.",
        "Pass the tensor in as an argument and return the new one (has_aux=True), or write out of place.",
    ),
    (
        "negative slope",
        "The in-place form of leaky ReLU cannot be undone when the slope is negative.",
        "Write inplace=False.",
    ),
    (
        "marked as dirty during the forward method were not returned",
        "A custom Function changed its input and returned something else.",
        "Return the very tensor that was given to mark_dirty.",
    ),
    (
        "modifies inplace an input that is a view of another Tensor",
        "A custom Function writes into a view and has more than one result.",
        "Call it with a copy of the view (view.clone()), or split it into two Functions.",
    ),
    (
        "allow_mutation_on_saved_tensors",
        "Backward runs outside the allow_mutation_on_saved_tensors block in which the forward ran.",
        "Keep the forward, the write and backward() inside the block.",
    ),
)


#: Messages for which the changed line is not the one to be rewritten.
_NOT_THAT_LINE = ("A view was created in", "allow_mutation", "dirty", "modifies inplace an input that is a view")


def _other_headline(text: str) -> str:
    return next((headline for part, headline, _ in _OTHER if part in text), "No in-place cause was found.")


def _other_advice(text: str) -> str:
    return next((advice for part, _, advice in _OTHER if part in text), "")


def other(
    error: BaseException,
    node: str = "",
    site: Site | None = None,
    changes: tuple[Change, ...] = (),
) -> Finding:
    """Another error, with what is known."""
    text = text_of(error)
    known = any(part in text for part, _, _ in _OTHER)
    one = changes[0] if changes else Change(site.place, "") if site else None
    if of_text(text) == "freed":
        return saved.freed(error, node, site, changes, None)
    return Finding(
        of_text(text),
        _other_headline(text),
        described(error),
        node,
        changed_at=changes,
        advice=_other_advice(text)
        or ("" if known else "The error has another cause, and the doctor has nothing to add to its text."),
        fix=anew(one) if known and one and not any(part in text for part in _NOT_THAT_LINE) else "",
        **at(site),
    )


def known(text: str) -> bool:
    """Whether this is a message that the doctor has words for."""
    return any(part in text for part, _, _ in _OTHER)
