"""A value that backward needs was changed or freed: the finding in words, and what to do.

What torch refuses (``saved``, ``freed``), and what it lets pass (``bypass``).
"""

from __future__ import annotations

import inspect

import torch

from . import rewrite, scope, training
from .finding import Change, Finding
from .kinds import ACCUMULATED, described
from .phrases import anew, at, keeps, line, statement
from .places import Site
from .turns import Standing, standing


def _is_weight(tensor: torch.Tensor | None) -> bool:
    """Whether a tensor is (a view of) a leaf with gradients, or a frozen weight."""
    base = tensor if tensor is None or tensor._base is None else tensor._base
    return base is not None and base.is_leaf and (base.requires_grad or isinstance(base, torch.nn.Parameter))


def saved(
    error: BaseException,
    node: str,
    slot: str,
    tensor: torch.Tensor | None,
    site: Site | None,
    changes: tuple[Change, ...],
    expected: int | None,
    found: int | None,
    failed: Site | None,
) -> Finding:
    """A saved tensor was changed and torch refuses to go on; ``failed``: the backward call."""
    notes: tuple[str, ...] = ()
    # A plain operation does not write what it has just saved; a transform, or a module of torch, may.
    inside_torch = not changes and site is not None and bool(site.via or site.module)
    if inside_torch:
        # Nothing that was watched has written: the change was made by torch itself, below the call.
        changes = (Change(site.place, "torch itself, inside this call", site.path, expected, found),)
        notes = ("No line of the program wrote into this tensor: torch's own code did, inside the call.",)
    if slot in ("running_mean", "running_var") and changes and not inside_torch:
        advice, fix = _statistics_advice(changes[0]), ""
    else:
        advice, fix = _saved_advice(site, changes, tensor, inside_torch, failed, keeps(slot, tensor) == "its result")
    return Finding(
        "saved",
        "Backward needs a value that was changed after it was saved.",
        described(error),
        node,
        keeps(slot, tensor),
        tuple(tensor.shape) if tensor is not None else None,
        changed_at=changes,
        expected=expected,
        found=found,
        advice=advice,
        fix=fix,
        notes=notes,
        **at(site),
    )


def _saved_advice(
    site: Site | None,
    changes: tuple[Change, ...],
    tensor: torch.Tensor | None,
    inside_torch: bool,
    failed: Site | None,
    of_result: bool,
) -> tuple[str, str]:
    where = line(site.place if site else None)
    if inside_torch:
        return (
            f"The write is in torch's own code, and cannot be taken out of it. Use other operations in "
            f"{where}, or in the function that it transforms (for a norm (v * v).sum().sqrt()), or ask for one "
            "derivative less.",
            "",
        )
    if not changes:
        return (
            f"Look for what writes into this tensor between {where} and backward, in code that runs outside torch's "
            "Python calls; give it a copy (.clone()).",
            "",
        )
    first = changes[0]
    by, names = first.by, tuple(name for one in changes if one.place == first.place for name in one.names)
    if ".step" in by:
        return training.after_a_step(_standing(site, first, failed), where, by.partition(" ")[0]), ""
    if "load_state_dict" in by or "nn.init" in by or "update_parameters" in by:
        return training.after_a_write(_standing(site, first, failed), where), ""
    if ACCUMULATED in names:
        return (
            f"backward() adds to .grad in place wherever a gradient is there already. Let {where} use a copy "
            "(.grad.clone()), or set .grad to None before the next backward(): it then gets a new tensor.",
            "",
        )
    if by.startswith("nn.") and (advice := _module_advice(by.partition(" ")[0])):
        return advice, ""
    fix = anew(first, names)
    lost = not fix and rewrite.out_of_place(statement(first.place), names, first.view)
    hand_on = " Hand the new tensor on: return it, or put it where the old one was kept." if lost else ""
    if "inplace=" in fix:
        return "Write inplace=False: the result goes into new memory, and what backward needs stays as it was.", fix
    if not first.recorded and _is_weight(tensor):
        return training.after_a_write(_standing(site, first, failed), where), ""
    if not first.recorded:
        # A line that writes a part of a graph unseen would lose its gradient out of place as well.
        cut = first.cut or scope.under_no_grad(first.place) or ".detach()" in first.place.code
        name = rewrite.written(statement(first.place)) or "the tensor"
        if handed := scope.handed_back(first.place, name):
            return (
                f"{name} in line {first.place.line} is the very memory that the Function keeps: ctx.saved_tensors in "
                f"line {handed} makes no copy, and a second backward() needs it as it was. Write out of place.",
                fix,
            )
        alias = scope.made_as_alias(first.place, name)
        cures = [f"write .detach().clone() in line {alias}"] if alias else []
        cures += ["write after backward()"] if of_result and not alias else []
        cures += [] if of_result else [f"let {where} compute with a copy of it (.clone())"]
        return (
            f"{name} in line {first.place.line} is the memory that {where} kept (detach() and no_grad() do not copy): "
            f"{', or '.join(cures)}. If the change is a part of the computation, write it out of place (torch.where, "
            "masked_fill), and not under no_grad().",
            "" if cut or "copy_" in names else fix,
        )
    if "__setitem__" in names:
        return (
            "Put the new values into a new tensor: clone before assigning, or build the result with torch.where, "
            "torch.stack or torch.cat. An assignment to any part counts as a change of the whole." + hand_on,
            fix,
        )
    return f"Write the change out of place: it makes a new tensor, and the saved one stays as it was.{hand_on}", fix


def _statistics_advice(first: Change) -> str:
    """What to do where the program writes the running statistics of a normalisation between forward and backward."""
    return (
        f"Line {first.place.line} writes running statistics that a normalisation has kept. Call backward() before that "
        "line, or give both batches to the module in one call (torch.cat), or do not write them in between (for "
        "DistributedDataParallel: broadcast_buffers=False)."
    )


def _module_advice(name: str) -> str:
    """What to do about a module of torch that writes into what it is given, or into its own weight."""
    module = getattr(torch.nn, name.removeprefix("nn."), None)
    if module is not None and "inplace" in inspect.signature(module).parameters:
        return f"Build the module as {name}(inplace=False): it then leaves its input as it was."
    if module is not None and "max_norm" in inspect.signature(module).parameters:
        return (
            f"With max_norm, {name} scales rows of its weight in place each time it is called. Call it before the "
            "weight is used elsewhere, or use a copy there (weight.clone()), or leave max_norm away."
        )
    return ""


def bypass(
    node: str,
    slot: str,
    tensor: torch.Tensor | None,
    site: Site | None,
    changes: tuple[Change, ...],
    hooked: bool,
    backward: Site | None,
) -> Finding:
    """A saved tensor was changed, and torch cannot know; ``backward``: the call that uses it."""
    fix = ""
    by = changes[0].by if changes else ""
    where = line(site.place if site else None)
    if slot.startswith("ctx."):
        why = "What a Function keeps as an attribute of ctx is not checked by torch; save_for_backward would be."
        advice = (
            f"Keep it with ctx.save_for_backward, so that torch refuses such a change, and do not change the tensor "
            f"between {where} and backward(): write out of place."
        )
    elif hooked:
        why = "A hook on saved tensors gave back the same memory, and torch checks no version there."
        advice = f"Write out of place after {where}, or write after backward(). A hook of your own may keep a copy."
        fix = anew(changes[0]) if changes else ""
    elif ".step" in by or "_fused" in by:
        why = (
            "A fused optimizer does not raise the version of the weights. (With torch.autograd.graph.increment_version "
            "torch refuses; it mends nothing.)"
        )
        step = by.partition(" ")[0] if ".step" in by else "the step"
        advice = training.after_a_step(_standing(site, changes[0], backward), where, step)
    elif any("put back" in name for name in changes[0].names):
        why = "Torch wrote into this tensor (a buffer that processes share, for instance) and put its version back."
        advice = f"Let {where} use a copy (.clone()) of the buffer, or keep such buffers equal in all processes."
    elif "batch_norm" in by or "Norm" in by:
        why = "Running statistics are written without raising a version."
        advice = f"Call backward() for {where} before the next forward in training mode, or keep both in eval mode."
    elif "shared memory" in by:
        why = "Memory that NumPy or another library shares is written without raising a version."
        advice = (
            "Copy where the memory is shared (tensor.detach().clone().numpy(), or torch.tensor(array) instead of "
            "from_numpy), or write after backward()."
        )
    elif by == ".data =":
        why = "An assignment to .data does not raise the version."
        advice = (
            f"{training.after_a_write(_standing(site, changes[0], backward), where)} (copy_() under torch.no_grad() in "
            "place of the assignment mends nothing, but lets torch notice.)"
        )
    elif _is_weight(tensor):
        why = _alias(changes)
        advice = (
            f"{training.after_a_write(_standing(site, changes[0], backward), where)} Written under torch.no_grad() "
            "instead of through .data, it is counted, and torch refuses where it is too early."
        )
    else:
        why = _alias(changes)
        name = rewrite.written(statement(changes[0].place))
        alias = scope.made_as_alias(changes[0].place, name) if name else 0
        code = statement(changes[0].place)
        replaces = {"zero_", "fill_", "copy_", "normal_", "uniform_"} & set(changes[0].names)  # nothing would be left
        fix = anew(changes[0], code=code.replace(".data", "")) if ".data" in code and not replaces else ""
        advice = (
            f"{name} is another name for memory that {where} kept: write .detach().clone() in line {alias}."
            if alias
            else "If what comes later is to see the change, write it out of place, without .data; if not, write into a "
            "copy of another name (.detach().clone()), or after backward()."
        )
    return Finding(
        "bypass",
        "No error, but backward computes with a value that was changed after it was saved: if the gradient is right, "
        "it is by luck.",
        "",
        node,
        keeps(slot, tensor),
        tuple(tensor.shape) if tensor is not None else None,
        changed_at=changes,
        advice=advice,
        fix=fix,
        notes=(why,),
        **at(site),
    )


def _alias(changes: tuple[Change, ...]) -> str:
    if any(".data" in statement(one.place) for one in changes):
        return "A write through .data does not raise the version of the tensor."
    return "The tensor that was written is an alias with a version of its own (.data, set_, an assignment to .data)."


def freed(
    error: BaseException,
    node: str,
    site: Site | None,
    changes: tuple[Change, ...],
    again: Site | None,
) -> Finding:
    """Backward (``again``) goes through a graph that an earlier backward, ``changes``, has freed."""
    return Finding(
        "freed",
        "Backward reaches a part of the graph whose saved tensors an earlier backward has freed.",
        described(error),
        node,
        changed_at=changes,
        advice=training.after_a_backward(
            _standing(site, changes[0] if changes else None, again), line(site.place if site else None)
        ),
        **at(site),
    )


def _standing(site: Site | None, one: Change | None, backward: Site | None) -> Standing | None:
    return standing(site, one, backward) if site is not None and one is not None and backward is not None else None


def written_again(node: str, site: Site | None, changes: tuple[Change, ...]) -> Finding:
    return Finding(
        "bypass",
        "No error, but the gradient is wrong: inside a checkpoint a tensor was changed that backward needs.",
        "",
        node,
        "a tensor",
        changed_at=changes,
        advice=("Write out of place inside the checkpoint. use_reentrant=True makes torch check the versions there."),
        fix=anew(changes[0]) if changes else "",
        notes=("The checkpoint computes its part again and writes again; what it hands to backward is not checked.",),
        **at(site),
    )


def recomputed(site: Site | None, changes: tuple[Change, ...], backward: Site | None) -> Finding:
    return Finding(
        "other",
        "No error, but the gradient is wrong: a checkpoint computes its forward again, with "
        "numbers that were changed since.",
        changed_at=changes,
        advice=training.after_a_write(_standing(site, changes[0], backward), line(site.place if site else None))
        + " A checkpoint keeps its inputs only, and reads everything else anew.",
        **at(site),
    )
