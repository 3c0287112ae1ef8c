"""What to do about weights that a training step changes while backward still needs them, and about graphs kept on.

The words name the lines to be moved and the value to be cut off, where the source shows them (`turns`).
"""

from __future__ import annotations

from .turns import BEFORE_THE_LOOP, EARLIER_CALL, EARLIER_TURN, WHEN_MADE, Standing


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
    if found.when == BEFORE_THE_LOOP:
        return f"Line {found.saved} ran once, before the loop, with weights that {step} then changed. {_into(found)}"
    if found.when in (EARLIER_TURN, EARLIER_CALL):
        return _cut_off(found)
    used = f"Line {found.saved} used the weights before {step} in line {found.changed} changed them"
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
        return f"Line {found.saved} ran once, before the loop, with weights that were then changed. {_into(found)}"
    if found is not None and found.when in (EARLIER_TURN, EARLIER_CALL):
        return _cut_off(found)
    if found is None:
        return f"Call backward() before this write, or compute {saved} again after it."
    wiped = f" Move zero_grad() (line {found.wipes}) above it too, or it wipes the gradient." if found.wipes else ""
    return f"Call backward() before this write: move line {found.backward} above line {found.above}.{wiped}"


def after_a_backward(found: Standing | None, saved: str) -> str:
    """Advice on a graph that an earlier backward has freed."""
    if found is not None and found.when == WHEN_MADE:
        return f"{_once(saved)}, and the first backward freed its graph. {_ANEW}"
    if found is not None and found.when == BEFORE_THE_LOOP:
        return f"Line {found.saved} ran once, before the loop, and the first backward freed its graph. {_into(found)}"
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


def _into(found: Standing) -> str:
    kept = "" if found.backward_of_it else " If it is not to be trained, put .detach() behind it instead."
    return f"Move it into the loop, below line {found.loop}, so that each turn computes it anew{_retain(found)}.{kept}"


def _cut_off(found: Standing) -> str:
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
    cut = "; ".join(f"{name} = {'0' if name in found.summed else f'{name}.detach()'}" for name in found.carried)
    bring = "brings" if len(found.carried) == 1 else "bring"
    return (
        f"{names} {bring} the graph of an earlier turn along. Write {cut} at the start of each turn, below line "
        f"{found.loop}{_retain(found)}.{' For a sum to print, add up .item().' if found.summed else ''}"
    )


def _retain(found: Standing) -> str:
    return "; retain_graph=True is then not needed" if found.retains else ""
