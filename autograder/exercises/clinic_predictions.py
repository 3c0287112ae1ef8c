"""The predictions of the lesson clinic: what kind of fault, if any, is in each program.

Both the kind and the reason come from the doctor, which runs the program when the prediction is judged.
"""

from __future__ import annotations

from autograder.exercises.kit.predictions import Live, Question, prediction_exercise
from autograder.exercises.kit.words import clean
from inplace_lab import clinic

KINDS = ("saved", "bypass", "leaf", "multi-view", "freed", "nan", "none")


# What the two lines of a fault did, by its kind.
DID = {
    "saved": ("kept the value", "wrote over it"),
    "bypass": ("kept the value", "wrote over it, and torch counts no write"),
    "leaf": ("asked for the gradients of a leaf", "writes into it"),
    "multi-view": ("made several views", "writes into one of them"),
    "freed": ("kept the value", "had freed it already"),
}
WITHOUT_LINES = {
    "none": "nothing that backward needs was changed, and no gradient is NaN.",
    "nan": "backward ran, and a gradient is NaN.",
}


def kind(name: str) -> Live:
    """The doctor's kind, and the lines that it found."""
    diagnosis = clinic.examine(name)
    if diagnosis.saved_at is None or not diagnosis.changed_at:
        return Live(diagnosis.kind, WITHOUT_LINES.get(diagnosis.kind, "the doctor found no more than that."))
    kept, changed = DID.get(diagnosis.kind, ("made or kept the value", "changed it"))
    change = diagnosis.changed_at[0]
    first = f"line {diagnosis.saved_at.line}, {clean(diagnosis.saved_at.code, 90)}, {kept}"
    if change.place == diagnosis.saved_at:
        return Live(diagnosis.kind, f"{first}, and in the same line {clean(change.by, 60)} {changed}.")
    return Live(diagnosis.kind, f"{first}; line {change.place.line}, {clean(change.place.code, 90)}, {changed}.")


def _question(name: str) -> Question:
    return Question(name, KINDS, 0.4, lambda: kind(name))


EXERCISE = prediction_exercise("clinic_predictions", [_question(one.name) for one in clinic.PROGRAMS])
