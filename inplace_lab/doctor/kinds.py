"""The kinds of fault, and which one a message of torch means."""

from __future__ import annotations

import re

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
