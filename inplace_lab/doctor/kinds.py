"""The kinds of fault in words: a headline, what to do, and the line rewritten where that can be done."""

from __future__ import annotations

import inspect
import re

import torch

from . import rewrite, scope
from .finding import Change, Finding
from .places import Place, Site
from .record import Origin

KINDS = ("saved", "bypass", "leaf", "leaf-view", "multi-view", "inference", "freed", "nan", "none", "other")

# Torch's own sentences, and the kind that each means.
_SENTENCES = (
    ("needed for gradient computation has been modified by an inplace operation", "saved"),
    ("backward through the graph a second time", "freed"),
    ("a view of a leaf Variable that requires grad is being used in an in-place", "leaf-view"),
    ("a leaf Variable that requires grad is being used in an in-place", "leaf"),
    ("Inplace update to inference tensor", "inference"),
    ("Inference tensors cannot be saved for backward", "inference"),
    ("Cannot set version_counter for inference tensor", "inference"),
    ("Setting requires_grad=True on inference tensor", "inference"),
    ("function that returns multiple views", "multi-view"),
    ("returned nan values in its", "nan"),
)
_NODE = re.compile(r"\b(\w*Backward\d*)\b")
_VIEW_OF = re.compile(r"Output \d+ of (\w+)")

#: What is said to have written where backward added a gradient to one that was there.
ACCUMULATED = "accumulate_grad"

#: What is said instead of torch's name.
WORDS = {
    ACCUMULATED: "backward, which adds to the .grad that is there",
    "__setitem__": "an assignment to a part of it",
    "backward": "backward, which frees what it has used",
    ".data =": "an assignment to .data",
}


def of_text(text: str) -> str:
    """The kind of fault that torch's message speaks of; "other" for any other message."""
    return next((kind for sentence, kind in _SENTENCES if sentence in text), "other")


def named_node(text: str) -> str:
    """The node that a message about a view names: "UnbindBackward0", or ""."""
    found = _VIEW_OF.search(text)
    return found[1] if found else ""


def spoken_of(text: str, names: list[str]) -> str:
    """The one of the nodes ``names`` that a message of torch speaks of ("In-place leakyReLu backward ..."), or ""."""
    said = text.lower().replace("_", "").replace("-", "")
    for name in names:
        stem = name.partition("Backward")[0].lower()
        if len(stem) > 3 and stem in said:
            return name
    return ""


def text_of(error: BaseException) -> str:
    """What the exception says; "" where even that raises."""
    try:
        return str(error)
    except Exception:  # a class of the program, and its fault
        return ""


def described(error: BaseException) -> str:
    return f"{type(error).__name__}: {text_of(error)}"


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
    return f"one of its inputs ({bare})" if bare else "a tensor"


def _extra(site: Site | None, origin: Origin | None) -> dict[str, object]:
    return {"saved_at": site.place if site else None, "saved_path": site.path if site else ()}


def _line(place: Place | None) -> str:
    return f"line {place.line}" if place else "the line that computed it"


def saved(
    error: BaseException,
    node: str,
    slot: str,
    tensor: torch.Tensor | None,
    site: Site | None,
    origin: Origin | None,
    changes: tuple[Change, ...],
    expected: int | None,
    found: int | None,
) -> Finding:
    """A saved tensor was changed and torch refuses to go on."""
    notes: tuple[str, ...] = ()
    # A plain operation does not write what it has just saved; a transform, or a module of torch, may.
    inside_torch = not changes and site is not None and bool(site.via or site.module)
    if inside_torch:
        # Nothing that was watched has written: the change was made by torch itself, below the call.
        changes = (Change(site.place, "torch itself, inside this call", site.path, expected, found),)
        notes = ("No line of the program wrote into this tensor: torch's own code did, inside the call.",)
    advice, fix = _saved_advice(site, changes, tensor, inside_torch)
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
        **_extra(site, origin),
    )


def _anew(one: Change, names: tuple[str, ...] = ()) -> str:
    """The changed line without its change in place; "" where that is not clear, or would lose the change."""
    line = rewrite.out_of_place(one.place.code, names or one.names, one.view)
    return line if line and scope.hands_on(one.place, line) else ""


def _is_leaf(tensor: torch.Tensor | None) -> bool:
    base = tensor if tensor is None or tensor._base is None else tensor._base
    return base is not None and base.is_leaf and base.requires_grad


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


def _saved_advice(
    site: Site | None, changes: tuple[Change, ...], tensor: torch.Tensor | None, inside_torch: bool
) -> tuple[str, str]:
    where = _line(site.place if site else None)
    if inside_torch:
        return (
            f"The write is in torch's own code, so it cannot be taken out of the program: compute {where} from other "
            "operations (a norm, for instance, as a square root of a sum of squares), or ask for one "
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
        return (
            f"{by.partition(' ')[0]} changes the weights that backward still needs as they were in the "
            "forward. Run the "
            f"forward ({where}) again after each step, inside the loop, or call every backward() before "
            "any step. If a value is "
            "carried over from an earlier turn or computed once and kept, cut it off with .detach().",
            "",
        )
    if "load_state_dict" in by or "nn.init" in by or "update_parameters" in by:
        return (
            f"Call backward() before {by.partition(' ')[0]}, or compute with copies of the weights "
            "(torch.func.functional_call), so that the ones in the graph stay as they were.",
            "",
        )
    if ACCUMULATED in names:
        return (
            f"backward() adds to .grad in place wherever a gradient is there already. Let {where} use a copy "
            "(.grad.clone()), or set .grad to None before the next backward(): it then gets a new tensor.",
            "",
        )
    if by.startswith("nn.") and (advice := _module_advice(by.partition(" ")[0])):
        return advice, ""
    fix = _anew(first, names)
    lost = not fix and rewrite.out_of_place(first.place.code, names, first.view)
    hand_on = " Hand the new tensor on: return it, or put it where the old one was kept." if lost else ""
    if "inplace=" in fix:
        return "Say inplace=False: the result goes into new memory, and what backward needs stays as it was.", fix
    if "__setitem__" in names:
        return (
            "Put the new values into a new tensor: clone before assigning, or build the result with torch.where, "
            "torch.stack or torch.cat. An assignment to any part counts as a change of the whole." + hand_on,
            fix,
        )
    if not first.recorded and _is_leaf(tensor):
        return (
            f"Call backward() before this write, or let {where} compute with a copy (.clone(); for the weights of a "
            "module torch.func.functional_call), so that what is in the graph stays as it was. torch.no_grad() "
            "does not keep the old values.",
            "",
        )
    if not first.recorded:
        return (
            f"This write is not part of the graph, but it uses the memory that {where} kept (detach() and no_grad() "
            "do not copy). Take a copy before it is changed: .detach().clone() where the alias is made, or .clone() "
            "where the graph uses it.",
            "" if first.cut or "copy_" in names else fix,
        )
    return f"Write the change out of place: it makes a new tensor, and the saved one stays as it was.{hand_on}", fix


def bypass(
    node: str,
    slot: str,
    tensor: torch.Tensor | None,
    site: Site | None,
    origin: Origin | None,
    changes: tuple[Change, ...],
    hooked: bool,
) -> Finding:
    """A saved tensor was changed, and torch cannot know."""
    by = changes[0].by if changes else ""
    where = _line(site.place if site else None)
    if slot.startswith("ctx."):
        why = "What a Function keeps as an attribute of ctx is not checked by torch; save_for_backward would be."
        advice = (
            f"Keep it with ctx.save_for_backward, so that torch refuses such a change, and do not change the tensor "
            f"between {where} and backward(): write out of place."
        )
    elif hooked:
        why = "A hook on saved tensors gave back the same memory, and torch checks no version there."
        advice = f"Do not change the tensor after {where}: write out of place, or let the hook keep a copy (.clone())."
    elif ".step" in by or "_fused" in by:
        why = "A fused optimizer does not raise the version of the weights."
        advice = (
            f"Run the forward ({where}) again after the step, or call every backward() before it. "
            "torch.autograd.graph.increment_version(parameters) after the step makes torch check."
        )
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
            "Change the tensor after backward(), with torch.no_grad(): and copy_(): that is counted, "
            "so that torch can refuse."
        )
    elif _is_leaf(tensor):
        why = _alias(changes)
        advice = (
            f"Write into the weights after backward(), or run {where} again after the write. Written under "
            "torch.no_grad() instead of through .data, torch counts it, and refuses where it is too early."
        )
    else:
        why = _alias(changes)
        advice = "Use .detach().clone() instead of .data and write there, or write out of place, or after backward()."
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
        notes=(why,),
        **_extra(site, origin),
    )


def _alias(changes: tuple[Change, ...]) -> str:
    if any(".data" in one.place.code for one in changes):
        return "A write through .data does not raise the version of the tensor."
    return "The tensor that was written is an alias with a version of its own (.data, set_, an assignment to .data)."


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
    code = changes[0].place.code
    place = made.place if made else None
    fix = _anew(changes[0])
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
                "torch.no_grad(). If it is part of the computation, write it out of place into another name."
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
        advice = (
            "Write out of place, or index the tensor (x[i]) instead of splitting it or iterating over it. "
            "torch.no_grad() around the write only moves the error."
        )
    elif kind == "inference":
        headline = "A tensor that was made in inference mode is used where autograd would have to keep track of it."
        advice = (
            "Move the line into the inference_mode block, or work on a normal tensor: a result "
            "computed out of place, or a .clone() made outside the block."
        )
        if made is not None and made.via.endswith(".step"):
            advice = "An optimizer makes its state in its first step: call step() outside inference_mode."
    else:
        headline = _other_headline(text_of(error))
        advice = _other_advice(text_of(error))
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
        "Leave out= away where gradients are needed; keep it for code under torch.no_grad().",
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
        "Let the module write out of place (inplace=False), or clone before the write. A hook on "
        "the output tensor does not make a view.",
    ),
    (
        "would mutate a captured Tensor",
        "A function that torch.func transforms writes into a tensor from outside.",
        "Pass the tensor in as an argument and return the new one (has_aux=True), or write out of place.",
    ),
    (
        "negative slope",
        "The in-place form of leaky ReLU cannot be undone when the slope is negative.",
        "Say inplace=False.",
    ),
    (
        "marked as dirty during the forward method were not returned",
        "A custom Function changed its input and returned something else.",
        "Return the very tensor that was given to mark_dirty.",
    ),
    (
        "modifies inplace an input that is a view of another Tensor",
        "A custom Function writes into a view and has more than one result.",
        "Give it a copy (.clone()) of the view, or split it into two Functions.",
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
    origin: Origin | None = None,
    changes: tuple[Change, ...] = (),
) -> Finding:
    """Another error, with what is known."""
    text = text_of(error)
    known = any(part in text for part, _, _ in _OTHER)
    one = changes[0] if changes else Change(site.place, "") if site else None
    if of_text(text) == "freed":
        return freed(error, node, site, origin, changes, None)
    return Finding(
        of_text(text),
        _other_headline(text),
        described(error),
        node,
        changed_at=changes,
        advice=_other_advice(text)
        or ("" if known else "The error has another cause, and the doctor has nothing to add to its text."),
        fix=_anew(one) if known and one and not any(part in text for part in _NOT_THAT_LINE) else "",
        **_extra(site, origin),
    )


def freed(
    error: BaseException,
    node: str,
    site: Site | None,
    origin: Origin | None,
    changes: tuple[Change, ...],
    again: Site | None,
    once: bool = False,
) -> Finding:
    """Backward goes through a graph that an earlier backward has freed; ``once``: its line has not run since."""
    first, second = changes[0].place.line if changes else 0, again.place.line if again else 0
    same = bool(first) and first == second
    if same and once:
        where = _line(site.place if site else None)
        advice = (
            f"What {where} computed is used in each turn, and the first backward() has freed its graph. Compute it "
            "anew in each turn, before it is used, if its weights are to be trained; else cut it off with .detach()."
        )
    elif same:
        advice = (
            "The value is carried over from an earlier turn: cut it off with .detach() before it is used again. "
            "retain_graph=True hides this, costs memory and later fails at the first optimizer step."
        )
    else:
        advice = (
            "Add the losses and call backward() once, or run the shared part of the forward again. If both calls are "
            "wanted on one graph, the first needs retain_graph=True; a value kept from earlier is cut "
            "off with .detach()."
        )
    return Finding(
        "freed",
        "Backward reaches a part of the graph whose saved tensors an earlier backward has freed.",
        described(error),
        node,
        changed_at=changes,
        advice=advice,
        **_extra(site, origin),
    )


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
        advice=_nan_advice(node, _line(place), own and not in_forward, grown),
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
            "behind it does not help, for 0 times NaN is NaN. torch.autograd.set_detect_anomaly(True) names the line."
        )
    if own:
        return (
            f"The backward of this Function computes the NaN. Give the elements that are not wanted a harmless value "
            f"there, before the operation that divides by them; a mask behind it does not help. Or mask the input of "
            f"{where}."
        )
    if node.startswith(("Mean", "Std", "Var")):
        return (
            f"The mean of no element, and std() or var() of a single one, is 0 / 0. Leave {where} out where there are "
            "too few elements, or use correction=0."
        )
    if node.startswith(("Softmax", "LogSoftmax", "SafeSoftmax")):
        return (
            f"A row of which every element is -inf has no softmax. Leave such rows out before {where}, or mask with "
            "a large negative number instead of -inf; a mask behind it multiplies 0 with NaN in backward."
        )
    if node.startswith(("LinalgEig", "LinalgSvd")):
        return (
            "Vectors that belong to equal eigenvalues (singular values) have no gradient. Use the values only "
            "(torch.linalg.eigvalsh, svdvals), or a function of the whole matrix, or make the values differ."
        )
    return (
        f"Mask the input of {where}, not its result: give the elements that are not wanted a harmless value before the "
        "operation (torch.where, clamp), or leave them out by indexing. A mask behind it multiplies 0 with infinity in "
        "backward, which is NaN."
    )


def nan_came_in(tensor: torch.Tensor, made: Site | None, used: Site | None) -> Finding:
    """A gradient is NaN because a tensor that the forward was given is NaN: data, or a weight."""
    site = made or used
    base = tensor if tensor._base is None else tensor._base
    where = f" before {_line(used.place)}" if used else ""
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


def is_huge(finding: Finding) -> bool:
    """Whether ``huge`` made this finding."""
    return finding.headline.startswith(_HUGE)


_HUGE = "No error, but a gradient is as large as"


def huge(size: float, changes: tuple[Change, ...]) -> Finding:
    return Finding(
        "other",
        f"{_HUGE} {size:.0e}. No in-place cause was found.",
        changed_at=(),
        advice=(
            "Look for a division by a number close to zero (a norm, a standard deviation): use a "
            "larger eps, or leave "
            "such rows out before the division."
        ),
    )


def overlap(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but the numbers are wrong: the line reads a part of the tensor that it is overwriting.",
        changed_at=(one,),
        advice="Write out of place, or clone the right-hand side: it shares memory with the left-hand side.",
        fix=_anew(one),
    )


def retained(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but .grad of this tensor will not be what retain_grad() promised: it belongs to "
        "the value after the write.",
        changed_at=(one,),
        advice="Write out of place under another name, and call retain_grad() on the tensor whose gradient you want.",
        fix=_anew(one),
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


def recomputed(site: Site | None, origin: Origin | None, changes: tuple[Change, ...]) -> Finding:
    return Finding(
        "other",
        "No error, but the gradient is wrong: a checkpoint computes its forward again, with "
        "numbers that were changed since.",
        changed_at=changes,
        advice=(
            "Call backward() before the change: a checkpoint keeps its inputs only, and reads everything else anew."
        ),
        **_extra(site, origin),
    )


def written_again(node: str, site: Site | None, origin: Origin | None, changes: tuple[Change, ...]) -> Finding:
    return Finding(
        "bypass",
        "No error, but the gradient is wrong: inside a checkpoint a tensor was changed that backward needs.",
        "",
        node,
        "a tensor",
        changed_at=changes,
        advice=("Write out of place inside the checkpoint. use_reentrant=True makes torch check the versions there."),
        fix=_anew(changes[0]) if changes else "",
        notes=("The checkpoint computes its part again and writes again; what it hands to backward is not checked.",),
        **_extra(site, origin),
    )


def noise(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but the gradient is wrong: RReLU's noise is drawn after the hook on saved tensors has copied it.",
        saved_at=one.place,
        changed_at=(one,),
        advice="Keep RReLU out of checkpoints and of hooks that copy, or use a leaky ReLU.",
    )


def dropped(one: Change) -> Finding:
    return Finding(
        "other",
        "No error, but the compiled function does something else: it leaves its argument alone, "
        "and uncompiled it writes into it.",
        changed_at=(one,),
        advice="Do not rely on the write reaching the caller's tensor: write out of place, and return the result.",
        fix=_anew(one),
    )


def none(changes: tuple[Change, ...] = ()) -> Finding:
    """Nothing is wrong; ``changes`` are writes that were seen and did no harm."""
    if not changes:
        return Finding("none", "Nothing was found: no value that backward needs was changed, and no gradient is NaN.")
    return Finding(
        "none",
        "Nothing is wrong: tensors were written in place, and none of them held a value that backward needs.",
        changed_at=changes,
    )


def known(text: str) -> bool:
    """Whether this is a message that the doctor has words for."""
    return any(part in text for part, _, _ in _OTHER)
