"""Numbers and foreign text, fit for a report."""

from __future__ import annotations

from collections.abc import Iterable


def clean(text: object, limit: int = 300) -> str:
    """A payload's text, fit for a report: one line, printable, bounded. Anything but a str gives ""."""
    if not isinstance(text, str):
        return ""
    text = text[: 4 * limit]
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def saved_as(node: str, slot: str) -> str:
    """What a backward node calls a tensor that it kept, in words: "its result" for `result`, "its input" for `self`."""
    if slot == "other":
        return "the other factor" if node.startswith("Mul") else "its other operand"
    return {"result": "its result", "self": "its input"}.get(slot, f"its {slot}")


def show(value: float) -> str:
    """A number for a message: four digits."""
    return f"{value + 0.0:.4g}"  # + 0.0: a zero has no sign here


def show_list(values: Iterable[float], most: int = 6) -> str:
    """A list of numbers for a message, cut after `most`."""
    values = list(values)
    return (
        "["
        + ", ".join(show(v) for v in values[:most])
        + (f", ... {len(values)} in all]" if len(values) > most else "]")
    )


def a_type(name: str) -> str:
    """A type's name with its article: "an int", "a NumPy array", "None"."""
    if name == "NoneType":
        return "None"
    name = {"ndarray": "NumPy array"}.get(name, name) or "value of an unknown type"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
