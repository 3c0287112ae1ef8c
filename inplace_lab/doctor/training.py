"""What to do about weights that a training step changes while backward still needs them, and about graphs kept on.

The words name the lines to be moved and the value to be cut off, where the source shows them (`turns`).
"""

from __future__ import annotations

from .turns import BEFORE_THE_LOOP, EARLIER_CALL, EARLIER_TURN, IN_ONE_CALL, PASSED_IN, WHEN_MADE, Standing


def after_a_step(found: Standing | None, saved: str, step: str) -> str:
    """Advice on weights that ``step`` ("SGD.step") has changed; ``saved`` names the line that used them."""
    if found is None:
        return (
            f"{step} changes the weights that backward still needs as they were in the forward. Compute {saved} again "
            "after each step, inside the loop. What is kept from an earlier turn (a hidden state, a sum of losses) is "
            "cut off with .detach()."
        )
    if found.when == WHEN_MADE:
        return f"{_once(saved)}, with weights that {step} then changed. {_ANEW}"
    if found.when == BEFORE_THE_LOOP and found.ready:
        return (
            f"What backward() is called on in line {found.backward} was computed before the loop, with weights that "
            f"{step} changes in its first turn. Call backward() for all of it before the first step."
        )
    if found.when == BEFORE_THE_LOOP:
        return f"{_before(found)}, with weights that {step} then changed. {_into(found)}"
    if found.when == PASSED_IN:
        return f"{_move(found)}: {step} in line {found.changed} changes the weights that backward needs as they were."
    if found.when == IN_ONE_CALL:
        return (
            f"Line {found.saved} computes with the weights, and {step} changes them in the same call. If what it hands "
            "on is not to be trained once more, hand on .detach() or .item(); if it is, take the step after backward()."
        )
    if found.when in (EARLIER_TURN, EARLIER_CALL):
        return _cut_off(found)
    used = f"Line {found.saved} used the weights before {step} in line {found.changed} changed them"
    if found.reused and found.steps_again and not found.wipes:
        return (
            f"{used}. {_move(found)}: both gradients are then there before the step, and one step uses both. The step "
            "below can go."
        )
    if found.reused:
        return (
            f"{used}, and its result is needed before that, too. Compute it once more below line {found.below}, and "
            f"with it what line {found.backward} calls backward() on."
        )
    return (
        f"{used}. Move line {found.saved} below line {found.below}: it is then computed with the new weights, and "
        f"backward in line {found.backward} finds them as they were used."
    )


def after_a_write(found: Standing | None, saved: str) -> str:
    """Advice on weights that were written otherwise: restored, clipped, initialised again, changed by hand."""
    if found is not None and found.when == WHEN_MADE:
        return f"{_once(saved)}, with weights that were then changed. {_ANEW}"
    if found is not None and found.when == BEFORE_THE_LOOP:
        return f"{_before(found)}, with weights that were then changed. {_into(found)}"
    if found is not None and found.when == IN_ONE_CALL:
        return (
            f"Line {found.saved} computes with the weights and changes them in the same call, and line "
            f"{found.backward} needs them as they were. Put the changed weights into new tensors instead, and compute "
            "with those (torch.func.functional_call), or call backward() before the change."
        )
    if found is not None and found.when in (EARLIER_TURN, EARLIER_CALL):
        return _cut_off(found)
    if found is None:
        return f"Call backward() before this write, or compute {saved} again after it."
    wiped = (
        f" Move what resets .grad (line {found.wipes}) above it too, or it wipes the gradient." if found.wipes else ""
    )
    move = _move(found)
    return f"Call backward() before this write: {move[:1].lower()}{move[1:]}.{wiped}"


def after_a_backward(found: Standing | None, saved: str) -> str:
    """Advice on a graph that an earlier backward has freed."""
    if found is not None and found.when == WHEN_MADE:
        return f"{_once(saved)}, and the first backward freed its graph. {_ANEW}"
    if found is not None and found.when == BEFORE_THE_LOOP and found.ready:
        return (
            f"What line {found.backward} calls backward() on was computed before the loop, and shares a part of its "
            "graph. Add it up (sum(losses), or sum(losses.values()) of a dict) and call backward() once, in place of "
            f"the loop in line {found.loop}; or write retain_graph=True in line {found.backward}."
        )
    if found is not None and found.when == BEFORE_THE_LOOP:
        return f"{_before(found)}, and the first backward freed its graph. {_into(found)}"
    if found is not None and found.when in (EARLIER_TURN, EARLIER_CALL):
        later = " Where the turns are to learn from each other, add up the losses and call backward() once, at the end."
        return _cut_off(found) + later
    return (
        "Add the losses and call backward() once, or compute the shared part again. If both calls are wanted on one "
        "graph, the first needs retain_graph=True; what is kept from an earlier turn is cut off with .detach()."
    )


_ANEW = "Compute it anew in each turn, in forward() for instance; if it is not to be trained, put .detach() behind it."


def _once(saved: str) -> str:
    return f"{saved[:1].upper()}{saved[1:]} ran once, when the object was made"


def _before(found: Standing) -> str:
    return f"Line {found.saved} ran {'' if found.often else 'once, '}before the loop"


def _move(found: Standing) -> str:
    lines = [str(one) for one in (*found.needs, found.backward)]
    if len(lines) == 1:
        return f"Move line {found.backward} above line {found.above}"
    return f"Move lines {', '.join(lines[:-1])} and {lines[-1]} above line {found.above}"


def _into(found: Standing) -> str:
    if found.brought:
        names = ", ".join(one.partition(" = ")[0] for one in found.brought)
        return (
            f"The loop reads it in {names}. If it is not to be trained, write {'; '.join(found.brought)} above line "
            f"{found.loop}{_retain(found)}; if it is, compute it anew in each turn, below line {found.loop}."
        )
    kept = "" if found.backward_of_it else " If it is not to be trained, put .detach() behind it instead."
    return f"Move it into the loop, below line {found.loop}, so that each turn computes it anew{_retain(found)}.{kept}"


def _cut_off(found: Standing) -> str:
    if found.attribute and not found.carried:
        return (
            f"{found.attribute} brings the graph of an earlier turn along. Cut it off between two turns, below "
            f"backward() in line {found.backward}: {found.attribute} = {found.attribute}.detach(), or each tensor of "
            f"it, where it holds several{_retain(found)}."
        )
    if found.when == EARLIER_CALL:
        return (
            "What an earlier call has kept (an attribute, a hidden state) brings its graph along. Cut it off with "
            f".detach() where it is kept{_retain(found)}."
        )
    if not found.carried:
        return (
            "What is kept from turn to turn (a hidden state, a sum of losses) brings the graph of an earlier turn "
            f"along. Cut it off with .detach() at the start of each turn{_retain(found)}."
        )
    names = ", ".join(found.carried)
    bring = "brings" if len(found.carried) == 1 else "bring"
    if not all(found.cuts):
        return (
            f"{names} {bring} the graph of an earlier turn along. Cut off what is in it with .detach(), each tensor on "
            f"its own, at the start of each turn, below line {found.loop}{_retain(found)}."
        )
    return (
        f"{names} {bring} the graph of an earlier turn along. Write {'; '.join(found.cuts)} at the start of each turn, "
        f"below line {found.loop}{_retain(found)}.{' For a sum to print, add up .item().' if found.summed else ''}"
    )


def _retain(found: Standing) -> str:
    return "; retain_graph=True is then not needed" if found.retains else ""
