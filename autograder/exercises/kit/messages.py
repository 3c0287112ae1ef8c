"""Programs that torch stops with a message, for lessons and exercises about reading such messages.

A program is plain PyTorch, mostly one line; `leaf` and `middle` are there before it, `loss` is what it hands to
backward. The messages are made by running it, here and now.
"""

from __future__ import annotations

from autograder.exercises.kit.programs import run

BEFORE = "leaf = torch.tensor([1., 2., 3.], requires_grad=True); middle = leaf + 1"
AFTER = "loss.backward()"

#: The programs of the lesson on reading errors, by their numbers.
PROGRAMS = {
    1: "root = middle.pow(2); middle.mul_(3); loss = root.sum()",
    2: "root = middle.pow(2); middle.detach().mul_(3); loss = root.sum()",
    3: "root = middle.exp(); root.mul_(3); loss = root.sum()",
    4: "middle.mul_(3); root = middle.pow(2); middle.mul_(3); loss = root.sum()",
    5: "loss = leaf.pow(2).sum(); leaf.detach().mul_(3)",
    6: "leaf.mul_(3); loss = leaf.pow(2).sum()",
    7: "loss = middle.pow(2).sum(); loss.backward()",
    8: "first, second = middle.split([1, 2]); first.mul_(3); loss = middle.sum()",
}


def stopped(program: str) -> tuple[str, str]:
    """(the statement that raised, torch's message); two empty texts if the program runs to its end."""
    ran = run(f"{BEFORE}\n{program}\n{AFTER}")
    return ("", "") if ran.error is None else (ran.statement, str(ran.error))


def message(program: str) -> str:
    """The first sentences of torch's message, without its hint; "" if the program runs to its end."""
    return stopped(program)[1].partition(" Hint: ")[0]


def lettered() -> dict[str, int]:
    """Letters, in the order of the messages' texts, and the number of the program that gives each message."""
    numbers = sorted(PROGRAMS, key=lambda number: message(PROGRAMS[number]))
    return dict(zip("ABCDEFGH", numbers, strict=True))
