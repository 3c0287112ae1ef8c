"""The thirteen published cases, each with its claim and the experiments that put it to the test.

Source: S. Katiyar, "Notes about in-place operations on tensors in PyTorch", 2025-08-05. The rows are kept as data
(``PUBLISHED``); what torch does with them is measured by ``observe``.
"""

from __future__ import annotations

from dataclasses import dataclass

from .experiment import Experiment, Write

#: The mutations that stand for the published ".add_(), .multiply(), etc.".
EVERYWHERE = (("add_", 3), ("mul_", 3), ("relu_", None))

UNCHANGED = "gradients same as without inplace operation"
REMOVED = "Modified value removed from computation graph"


@dataclass(frozen=True)
class Case:
    """A published row: what it says, and the experiments that it stands for (a row with "etc." has several).

    can_backward is the row's "Can Call Backward on Root?", claim its "Result" (None where the row says NA).
    """

    number: int
    operation: str
    modification: str
    when: str
    can_backward: bool
    claim: str | None
    experiments: tuple[Experiment, ...]


def cases() -> tuple[Case, ...]:
    """The thirteen rows in their published order."""
    return (_without_writes(), *(_case(*row) for row in PUBLISHED))


#: number, operation, operand, "everywhere" or "element", when, can call backward, published result
PUBLISHED = (
    (2, "scale", 2, "everywhere", "after_root", True, UNCHANGED),
    (3, "scale", 2, "element", "after_root", True, UNCHANGED),
    (4, "pow", 2, "everywhere", "after_root", False, None),
    (5, "pow", 2, "element", "after_root", False, None),
    (6, "exp", None, "everywhere", "after_root", True, UNCHANGED),
    (7, "exp", None, "element", "after_root", True, UNCHANGED),
    (8, "scale", 2, "everywhere", "before_root", True, UNCHANGED),
    (9, "scale", 2, "element", "before_root", True, REMOVED),
    (10, "pow", 2, "everywhere", "before_root", True, UNCHANGED),
    (11, "pow", 2, "element", "before_root", True, REMOVED),
    (12, "exp", None, "everywhere", "before_root", True, UNCHANGED),
    (13, "exp", None, "element", "before_root", True, REMOVED),
)


def _without_writes() -> Case:
    experiments = (Experiment("scale", 2), Experiment("pow", 2), Experiment("exp"))
    claim = "Standard operation without inplace modification"
    return Case(1, "any", "none", "not applicable", True, claim, experiments)


def _case(number, operation, operand, modification, when, can_backward, claim) -> Case:
    base = Experiment(operation, operand)
    if modification == "element":
        writes = [Write("middle", "setitem", when, value=10, index=2)]
        text = "an element is assigned, e.g. middle[2] = 10"
    else:
        writes = [Write("middle", mutation, when, value) for mutation, value in EVERYWHERE]
        text = "add_(), multiply_() and the like"
    experiments = tuple(base.with_writes(write) for write in writes)
    return Case(number, base.expression, text, when, can_backward, claim, experiments)
