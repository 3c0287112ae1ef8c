"""The atlas in a notebook: type to search, tick filters, choose an operation, see what it keeps.

Like the explorer it uses no ``Output`` widget; everything can be reached by keyboard. JupyterLab takes the arrow keys
of a list for itself (they move to another cell), but not those of a slider: one stands below the list.
"""

from __future__ import annotations

import os

import ipywidgets as widgets
from IPython.display import display

from .. import svg
from ..catalogue import Operation
from . import FILTERS, Entry, page, search, suggestions, version

_WIDE = {"width": "100%", "max_width": "560px"}


class AtlasBrowser(widgets.VBox):
    """A search field, filters, the list of operations, and what the chosen one keeps.

    text: what is searched for at first. filters: the ones that are ticked at first, of ``atlas.FILTERS``.
    ``entry`` is the chosen entry (None where nothing is found), ``operation`` the same for an ``Explorer`` (None where
    it does not map one tensor to one); the button below opens it. Raises ValueError for an unknown filter.
    """

    def __init__(self, text: str = "", filters: tuple[str, ...] = ()) -> None:
        search(text, filters)  # an unknown filter is an error
        self.field = widgets.Text(text, placeholder="softmax, pool, linalg ...", description="search", layout=_WIDE)
        self.ticks = {
            name: widgets.Checkbox(name in filters, description=name, indent=False, layout={"width": "auto"})
            for name in FILTERS
        }
        self.list = widgets.Select(rows=9, description="operation", layout=_WIDE)
        self.place = widgets.IntSlider(
            0, 0, 1, description="or by keys", readout=False, tooltip="which operation of the list", layout=_WIDE
        )
        self.button = widgets.Button(
            description="Open in the explorer", layout={"width": "auto", "align_self": "flex-start"}
        )
        self._count = widgets.HTML()
        self._page = widgets.HTML()
        self._below = widgets.VBox()
        self._found: tuple[Entry, ...] = ()
        sheet = widgets.HTML(svg.style(), layout={"display": "none"})
        row = widgets.Box([*self.ticks.values()], layout={"flex_flow": "row wrap", "grid_gap": "0px 20px"})
        choice = [self.field, row, self._count, self.list, self.place]
        super().__init__([sheet, *choice, self._page, self.button, self._below])
        self.add_class("ipl-atlas")
        self._search()
        for control in (self.field, *self.ticks.values()):
            control.observe(self._search, names="value")
        self.list.observe(self._show, names="index")
        self.place.observe(self._choose, names="value")
        self.button.on_click(self._explore)

    @property
    def found(self) -> tuple[Entry, ...]:
        """The entries in the list."""
        return self._found

    @property
    def entry(self) -> Entry | None:
        """The chosen entry."""
        return None if self.list.index is None else self._found[self.list.index]

    @property
    def operation(self) -> Operation | None:
        """The chosen entry for an experiment or an explorer."""
        return self.entry and self.entry.operation()

    def _search(self, change: object = None) -> None:
        self._found = search(self.field.value, [name for name, tick in self.ticks.items() if tick.value])
        self.list.unobserve_all("index")
        self.list.options = [(entry.title, number) for number, entry in enumerate(self._found)]
        self.list.index = 0 if self._found else None
        self.list.observe(self._show, names="index")
        self.place.max = max(1, len(self._found) - 1)
        self.place.disabled = len(self._found) < 2
        plural = "operation" if len(self._found) == 1 else "operations"
        self._count.value = f'<div role="status">{len(self._found)} {plural}, measured on torch {version()}</div>'
        self._show()

    def _choose(self, change: object) -> None:
        if self._found:
            self.list.index = min(self.place.value, len(self._found) - 1)

    def _show(self, change: object = None) -> None:
        self._below.children = ()
        entry = self.entry
        self.place.value = self.list.index or 0
        self.button.disabled = self.operation is None
        self.button.layout.display = "none" if self.button.disabled else ""
        self._page.value = page.sentence(self._nothing()) if entry is None else page.body(entry)

    def _nothing(self) -> str:
        near = suggestions(self.field.value)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        return f"No operation has all of these words and passes all of these filters.{hint}"

    def _explore(self, button: object) -> None:
        from ..explorer import Explorer

        self._below.children = (Explorer(self.operation, offer=("target", "mutation", "when")),)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        """The widget where a front end runs; beside it always the chosen entry as a picture and as text."""
        words = str(self.entry) if self.entry else self._nothing()
        bundle: dict[str, object] = {"text/html": svg.style() + self._page.value, "text/plain": words}
        if "NBGRADER_EXECUTION" not in os.environ:
            view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
            bundle["application/vnd.jupyter.widget-view+json"] = view
        return bundle

    if widgets.__version__.startswith("7."):  # Colab's, which display themselves and ask for no mime bundle

        def _ipython_display_(self, **kwargs: object) -> None:
            display(self._repr_mimebundle_(), raw=True)
