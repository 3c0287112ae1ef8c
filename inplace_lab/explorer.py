"""The explorer: sliders on experiments. It runs each chosen experiment on the installed torch and shows the picture.

No ``Output`` widget is used: the picture is the value of an ``HTML`` widget, replaced as a whole, so that it is never
empty, and the front end sends only the newest position of a slider while the kernel is busy.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import ipywidgets as widgets
from IPython.display import display
from matplotlib.figure import Figure

from . import catalogue, figures, panels, picture, svg
from .catalogue import Number, Operation
from .experiment import Experiment, Write
from .observation import Observation, observe
from .prediction import Answer, answers

#: slider -> its label; also the order on the page
SLIDERS = {"operation": "operation", "target": "write to", "mutation": "mutation", "when": "when", "through": "through"}
NO_WRITE = "no write"
_MOMENTS = {
    "before_root": "before root",
    "after_root": "after root",
    "after_loss": "after loss",
    "between_backwards": "between backwards",
}
_CACHE_SIZE = 256


class Explorer(widgets.VBox):
    """Sliders for an experiment's operation, target, mutation, moment and way, and the picture of what torch did.

    operation, operand: where the operation slider starts; an ``Operation`` of your own is offered first.
    target, mutation, when, through: where the other sliders start; mutation "no write" is a program without one.
    offer: the sliders to show, any of "operation", "target", "mutation", "when", "through".
    values: the numbers in leaf.
    device: where the experiments run, as for ``Experiment``.
    predict: hide the outcome of each new experiment until the learner has committed to one; ``score`` counts.

    ``experiment`` and ``observation`` are those of the sliders' state, ``figure()`` and ``save(path)`` its picture.
    Raises ValueError, in one sentence, for an unknown name.
    """

    def __init__(
        self,
        operation: str | Operation = "exp",
        operand: Number | None = None,
        *,
        target: str = "root",
        mutation: str = "setitem",
        when: str = "after_root",
        through: str = "plain",
        offer: Sequence[str] = ("operation", "target", "mutation", "when"),
        values: Sequence[Number] = Experiment.values,
        device: str = Experiment.device,
        predict: bool = False,
    ) -> None:
        for name in offer:
            catalogue.find("slider", SLIDERS, name)
        self._operations = _operations(operation)
        start = {"target": target, "mutation": mutation, "when": when, "through": through}
        start["operation"] = operation.name if isinstance(operation, Operation) else operation
        self._operand, self._start_operation = operand, start["operation"]
        self._values, self._device = tuple(values), device
        self.sliders = {name: _slider(name, self._choices(name), start[name]) for name in SLIDERS}
        self._experiment_of(start)  # an impossible start is an error, not a picture
        self._offer = tuple(name for name in SLIDERS if name in offer)
        self._height = self._tallest()
        self._observe = lru_cache(_CACHE_SIZE)(observe)
        self._body = lru_cache(_CACHE_SIZE)(picture.body)
        self._observation: Observation | None = None
        self._picture = widgets.HTML()
        sheet = widgets.HTML(svg.style(), layout={"display": "none"})
        self.line = widgets.IntSlider(description="line", min=1, max=1, readout=False, **_SLIDER_STYLE)
        play = widgets.Play(min=1, max=1, interval=900)
        widgets.jslink((play, "value"), (self.line, "value"))
        widgets.jslink((self.line, "max"), (play, "max"))
        self._question = _Question(self._answered) if predict else None
        shown = [self.sliders[name] for name in self._offer]
        steps = widgets.HBox([self.line, play])
        controls = widgets.Box([*shown, steps], layout={"flex_flow": "row wrap", "grid_gap": "0px 24px"})
        super().__init__([sheet, controls, *([self._question.box] if predict else []), self._picture])
        self.add_class("ipl-explorer")
        for slider in shown:
            slider.observe(self._moved, names="value")
        self.line.observe(self._stepped, names="value")
        self._moved()

    @property
    def state(self) -> dict[str, str]:
        """Where the sliders stand, shown or not."""
        return {name: slider.value for name, slider in self.sliders.items()}

    @property
    def experiment(self) -> Experiment:
        """The experiment that the sliders describe. Raises ValueError where they describe none."""
        return self._experiment_of(self.state)

    @property
    def observation(self) -> Observation:
        """What torch did with the current experiment. Raises ValueError where the sliders describe none."""
        return self._observation or observe(self.experiment)

    @property
    def score(self) -> tuple[int, int]:
        """(right predictions, all predictions) of this explorer; (0, 0) without ``predict``."""
        return (self._question.right, self._question.asked) if self._question else (0, 0)

    def figure(self) -> Figure:
        """The current picture as a Matplotlib figure."""
        return figures.figure(self.observation)

    def save(self, path: str | Path) -> None:
        """Write the current picture to a file; the ending chooses the format (png, svg, pdf)."""
        self.figure().savefig(path)

    # --- what the sliders offer --------------------------------------------------------------------------------------

    def _choices(self, name: str) -> list[tuple[str, str]]:
        """(label, value) pairs of a slider, from the registries."""
        if name == "operation":
            return [(self._expression(entry), entry.name) for entry in self._operations.values()]
        if name == "mutation":
            labels = [(Write("middle", key, "after_root").label, key) for key in catalogue.MUTATIONS]
            return [(NO_WRITE, NO_WRITE), *((label.removeprefix("middle").lstrip("."), key) for label, key in labels)]
        if name == "when":
            return [(_MOMENTS.get(key, key), key) for key in catalogue.TIMES]
        keys = catalogue.TARGETS if name == "target" else catalogue.WAYS
        return [(key, key) for key in keys]

    def _expression(self, entry: Operation) -> str:
        return entry.text(self._operand if entry.name == self._start_operation else None)

    def _experiment_of(self, state: dict[str, str]) -> Experiment:
        entry = self._operations[state["operation"]]
        operand = self._operand if entry.name == self._start_operation else None
        writes = ()
        if state["mutation"] != NO_WRITE:
            writes = (Write(state["target"], state["mutation"], state["when"], through=state["through"]),)
        return Experiment(entry, operand, writes, self._values, self._device)

    def _tallest(self) -> float:
        """The height of the tallest program that the offered sliders can make, so that no move makes a jump."""
        state = self.state | {"target": "middle", "mutation": "masked_fill_"}
        state |= {"when": "between_backwards"} if "when" in self._offer else {}
        state |= {"through": "no_grad"} if "through" in self._offer else {}
        return panels.rows_height(self._experiment_of(state).program)

    # --- what a move does --------------------------------------------------------------------------------------------

    def _moved(self, change: object = None) -> None:
        """A slider moved: run the new experiment to its end and show it."""
        try:
            self._observation = self._observe(self.experiment)
        except ValueError as error:
            self._observation = None
            self._picture.value = picture.sentence(str(error), self._height)
            return
        last = len(self._observation.steps)
        with self.line.hold_trait_notifications():
            self.line.max = last
            self.line.value = last
        if self._question:
            self._question.ask(self._observation)
        self._draw()

    def _stepped(self, change: object = None) -> None:
        if self._observation is not None:
            self._draw()

    def _answered(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._question and self._question.open:
            at = 0
        else:
            at = self.line.value - 1
        finished = at == len(self._observation.steps) - 1
        self._picture.value = self._body(self._observation, None if finished else at, self._height)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        """The widget where a front end runs; beside it always a static picture and the program as text."""
        bundle = {"text/html": picture.static(self.observation), "text/plain": picture.text(self.observation)}
        if "NBGRADER_EXECUTION" not in os.environ:
            view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
            bundle["application/vnd.jupyter.widget-view+json"] = view
        return bundle

    if widgets.__version__.startswith("7."):  # Colab's, which display themselves and ask for no mime bundle

        def _ipython_display_(self, **kwargs: object) -> None:
            display(self._repr_mimebundle_(), raw=True)


class _Question:
    """Asks what an experiment will do, and keeps the score. ``open`` while the learner has not committed."""

    def __init__(self, answered) -> None:
        self.right = self.asked = 0
        self.open = False
        self.box = widgets.VBox()
        self._answered = answered
        self._feedback = widgets.HTML()

    def ask(self, observation: Observation) -> None:
        """Show the possible answers as buttons."""
        self.open = True
        buttons = []
        for answer in answers(observation):
            button = widgets.Button(description=answer.text, layout={"width": "auto"})
            button.on_click(lambda _, answer=answer: self._commit(answer, observation))
            buttons.append(button)
        question = widgets.HTML("<b>What will happen? Commit, then see.</b>")
        row = widgets.Box(buttons, layout={"flex_flow": "row wrap"})
        self.box.children = [question, row]

    def _commit(self, answer: Answer, observation: Observation) -> None:
        self.open = False
        self.asked += 1
        self.right += answer.right
        true = next(other for other in answers(observation) if other.right)
        said = "✓ You were right" if answer.right else f"✕ You predicted “{answer.text}”; torch did “{true.text}”"
        self._feedback.value = f'<div role="status"><b>{said}.</b> Score: {self.right} of {self.asked}.</div>'
        self.box.children = [self._feedback]
        self._answered()


_SLIDER_STYLE = {
    "style": {"description_width": "80px"},
    "layout": {"width": "500px", "max_width": "100%"},
}


def _slider(name: str, choices: list[tuple[str, str]], start: str) -> widgets.SelectionSlider:
    catalogue.find(SLIDERS[name], {value: None for _, value in choices}, start)
    return widgets.SelectionSlider(options=choices, value=start, description=SLIDERS[name], **_SLIDER_STYLE)


def _operations(start: str | Operation) -> dict[str, Operation]:
    if isinstance(start, Operation):
        return {start.name: start, **catalogue.OPERATIONS}
    catalogue.find("operation", catalogue.OPERATIONS, start)
    return dict(catalogue.OPERATIONS)
