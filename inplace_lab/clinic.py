"""Ten short programs from practice, as texts, for the lesson in which the doctor is called.

    print(clinic.ward())                    # all of them
    diagnosis = clinic.examine("gan step")  # run one under the doctor; what it raises is caught
    print(clinic.chart(diagnosis))          # kind, and the lines that saved and changed, in three lines
    print(clinic.said(error))               # the first sentence of what torch says, in short lines

Each is written anew after what people ask about most: a step of an optimizer between forward and backward, a state
that is carried over, a layer with ``inplace=True`` ... What is wrong with a program is written down nowhere: the
doctor finds it by running it.
"""

from __future__ import annotations

import linecache
import textwrap
from dataclasses import dataclass

import torch

from .doctor import Diagnosis, Place, diagnose


@dataclass(frozen=True)
class Program:
    """``name`` and ``text``, Python that knows ``torch`` and makes everything else itself."""

    name: str
    text: str

    @property
    def file(self) -> str:
        """What a report calls it."""
        return f"<{self.name}>"


PROGRAMS = (
    Program(
        "gan step",
        """\
generator, critic = torch.nn.Linear(2, 3), torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
fake = generator(torch.ones(4, 2))
critic_loss = critic(fake.detach()).square().mean()
generator_loss = -critic(fake).mean()
critic_loss.backward()
optimizer.step()
generator_loss.backward()
""",
    ),
    Program(
        "carried state",
        """\
w = torch.full((3,), 0.5, requires_grad=True)
state = torch.zeros(3)
for x in torch.ones(3, 3):
    state = torch.tanh(w * state + x)
    loss = state.sum()
    loss.backward()
""",
    ),
    Program(
        "by hand",
        """\
w = torch.ones(3, requires_grad=True)
for _ in range(2):
    loss = (w * w).sum()
    loss.backward()
    w -= 0.1 * w.grad
    w.grad = None
""",
    ),
    Program(
        "residual",
        """\
x = torch.ones(4, 3)
w = torch.ones(3, 3, requires_grad=True)
h = torch.sigmoid(x @ w)
h += x
h.sum().backward()
""",
    ),
    Program(
        "relu after tanh",
        """\
net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh(), torch.nn.ReLU(inplace=True))
net(torch.ones(4, 3)).sum().backward()
""",
    ),
    Program(
        "relu after linear",
        """\
net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU(inplace=True), torch.nn.Linear(3, 1))
net(torch.ones(4, 3)).sum().backward()
""",
    ),
    Program(
        "softmax by hand",
        """\
scores = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
weights = scores.exp()
weights /= weights.sum(1, keepdim=True)
weights[0, 0].backward()
""",
    ),
    Program(
        "two halves",
        """\
x = torch.ones(2, 4, requires_grad=True) * 1
first, second = x.chunk(2, dim=1)
first *= 2
(first + second).sum().backward()
""",
    ),
    Program(
        "gates",
        """\
x = torch.tensor([-3.0, 1.0, 2.0], requires_grad=True)
gate = torch.sigmoid(x)
gate.data.clamp_(min=0.5)
loss = (gate * gate).sum()
loss.backward()
""",
    ),
    Program(
        "attention",
        """\
torch.manual_seed(0)
q, k, v = (torch.randn(2, 3, requires_grad=True) for _ in range(3))
padding = torch.tensor([[False, True], [True, True]])
bias = torch.zeros(2, 2).masked_fill(padding, -torch.inf)
weights = (q @ k.T + bias).softmax(1)
output = weights.masked_fill(padding, 0.0) @ v
output.sum().backward()
""",
    ),
)


def program(name: str) -> Program:
    """The program of that name.

    Raises:
        ValueError: there is none; the sentence lists the names.
    """
    found = next((one for one in PROGRAMS if one.name == name), None)
    if found is None:
        raise ValueError(f"there is no program {name!r}: choose one of {', '.join(one.name for one in PROGRAMS)}.")
    return found


def ward() -> str:
    """All programs, one below the other, each under its name."""
    return "\n".join(f"# {one.name}\n{one.text}" for one in PROGRAMS)


def examine(name: str) -> Diagnosis:
    """Run a program under the doctor. What torch raises is caught, and gradients are recorded in any case.

    Raises:
        ValueError: there is no such program.
    """
    chosen = program(name)
    lines = chosen.text.splitlines(keepends=True)
    linecache.cache[chosen.file] = (len(chosen.text), None, lines, chosen.file)  # so that a report can show a line
    code = compile(chosen.text, chosen.file, "exec")
    names: dict[str, object] = {"torch": torch, "__name__": "program"}
    with torch.enable_grad():
        try:
            with diagnose(warn=False, note=False) as diagnosis:
                exec(code, names)
        except RuntimeError:  # the diagnosis holds it
            pass
    return diagnosis


def said(error: BaseException | str) -> str:
    """The first sentence of an exception's text, in lines of at most 80 characters that end between two words."""
    sentence = str(error).split(". ")[0]
    return textwrap.fill(sentence, 80, break_long_words=False, break_on_hyphens=False)


#: What a chart calls the two lines of a fault, by its kind; "saved" and "changed" for the others.
WORDS = {
    "leaf": ("made", "written"),
    "leaf-view": ("made", "written"),
    "multi-view": ("views", "written"),
    "freed": ("saved", "freed"),
    "nan": ("born", "changed"),
}


def chart(diagnosis: Diagnosis) -> str:
    """A diagnosis in short: its kind, and which line kept and which lines changed a value, where there are such."""
    first, then = WORDS.get(diagnosis.kind, ("saved", "changed"))
    lines = [f"kind     {diagnosis.kind}"]
    if diagnosis.saved_at is not None:
        lines.append(_line(first, diagnosis.saved_at))
    lines += [f"{_line(then, change.place)}  ({change.by})" for change in diagnosis.changed_at]
    return "\n".join(lines)


def _line(word: str, place: Place) -> str:
    return f"{word:<9}line {place.line}: {place.code}"
