"""Hold the atlas against ``derivatives.yaml``, the file that torch's backward nodes are generated from.

The file says which arguments (``self``, ``other``) and results each formula uses. It lies in the installed wheel, in
``torchgen``, whose parser needs the package ``PyYAML``. A node that was measured is matched with its formula by name;
then the slots that hold tensors must be those that the formulas of its live edges use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .entry import Entry, Node, Sample


@dataclass(frozen=True)
class Formula:
    """What derivatives.yaml says of one node.

    inputs, results: the tensors that any of its formulas uses. uses: for each argument that has a derivative, in the
    order of the node's edges, its name and what its formula uses; is_list says that it is a list of tensors, which
    has an edge for each.
    """

    node: str
    function: str
    inputs: frozenset[str]
    results: frozenset[str]
    uses: tuple[tuple[str, bool, frozenset[str]], ...]

    def needed(self, edges: str) -> frozenset[str]:
        """The tensors that the formulas of the live edges use ("1" leads on, "-" does not)."""
        lists = sum(is_list for _, is_list, _ in self.uses)
        spare = len(edges) - (len(self.uses) - lists)
        found: set[str] = set()
        place = 0
        for _, is_list, used in self.uses:
            width = spare // lists if is_list else 1
            if "1" in edges[place : place + width]:
                found |= used
            place += width
        return frozenset(found)


@dataclass(frozen=True)
class Difference:
    """A node that holds other tensors than its formulas use, and the measurement that explains it ("" if none does)."""

    entry: str
    call: str
    node: str
    text: str
    explanation: str


@dataclass(frozen=True)
class Agreement:
    """How the atlas and derivatives.yaml compare.

    entries: those with at least one node that has a formula; agreeing: those of them without any difference.
    nodes: distinct nodes compared; unmatched: names of nodes without a formula.
    """

    entries: int
    agreeing: int
    nodes: int
    unmatched: tuple[str, ...]
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        return "\n".join(_text(self))


@cache
def formulas() -> dict[str, Formula]:
    """The formulas of the installed torch by the name of the node that is generated from them.

    Raises RuntimeError, in one sentence, where the parser cannot be imported.
    """
    try:
        import torchgen
        from torchgen.packaged.autograd.load_derivatives import load_derivatives
    except ImportError as error:
        name = {"yaml": "PyYAML"}.get(error.name or "", error.name)
        text = f"Reading derivatives.yaml needs the package {name}: run  pip install {name}"
        raise RuntimeError(text) from error
    folder = Path(torchgen.__file__).parent / "packaged"
    native = folder / "ATen" / "native"
    infos, _ = load_derivatives(
        str(folder / "autograd" / "derivatives.yaml"),
        str(native / "native_functions.yaml"),
        str(native / "tags.yaml"),
    )
    found = {}
    for by_key in infos.values():
        info = by_key.get("Default") or next(iter(by_key.values()))
        if info.op is not None:
            found[info.op] = _formula(info)
    return found


def _formula(info: object) -> Formula:
    lists = {one.name: "Tensor" in str(one.type) and "[]" in str(one.type) for one in info.args_with_derivatives}
    uses = {name: set() for name in lists}
    for derivative in info.derivatives:
        names = {*_tensor_names(derivative.saved_inputs), *_tensor_names(derivative.saved_outputs)}
        for name in derivative.var_names:
            uses[name] |= names
    return Formula(
        info.op,
        str(info.func.func.name),
        frozenset(_tensor_names(info.all_saved_inputs)),
        frozenset(_tensor_names(info.all_saved_outputs)),
        tuple((name, lists[name], frozenset(used)) for name, used in uses.items()),
    )


def _tensor_names(saved: Iterable[object]) -> Iterator[str]:
    for one in saved:
        if re.search(r"name='(Tensor|TensorList|ITensorListRef|IOptTensorListRef)'", str(one.nctype.type)):
            yield one.nctype.name


def compare(entries: Iterable[Entry]) -> Agreement:
    """Compare what was measured with the formulas of the installed torch."""
    known = formulas()
    matched: set[str] = set()
    compared: set[Node] = set()
    unmatched: set[str] = set()
    differences: list[Difference] = []
    for entry in entries:
        for sample in entry.samples:
            for node in sample.nodes:
                if node.name not in known:
                    unmatched.add(node.name)
                    continue
                matched.add(entry.title)
                compared.add(node)
                differences += _differences(entry, sample, node, known[node.name])
    differing = {one.entry for one in differences}
    unique = {(one.entry, one.node, one.text, one.explanation): one for one in differences}
    return Agreement(
        len(matched), len(matched - differing), len(compared), tuple(sorted(unmatched)), tuple(unique.values())
    )


def _differences(entry: Entry, sample: Sample, node: Node, formula: Formula) -> Iterator[Difference]:
    held = set(node.slots)
    for slot in sorted(formula.needed(node.edges) - held):
        reason = "the slot is there and empty: an optional tensor that was not given" if slot in node.empty else ""
        yield Difference(entry.title, sample.call, node.name, f"the formula uses {slot}, which is not held", reason)
    for slot in sorted(held - formula.inputs - formula.results):
        yield Difference(entry.title, sample.call, node.name, f"{slot} is held, which no formula uses", "")
    if len(sample.nodes) == 1:
        yield from _roles(entry, sample, node, formula)


def _roles(entry: Entry, sample: Sample, node: Node, formula: Formula) -> Iterator[Difference]:
    """Where one node is all there is: what the formula takes as an argument is an input, as a result an output."""
    holders: dict[str, set[str]] = {}
    for tensor in sample.tensors:
        for kept in tensor.kept:
            name, _, slot = kept.partition(".")
            if name == node.name:
                holders.setdefault(slot.partition("[")[0], set()).add(tensor.role)
    for slot, roles in sorted(holders.items()):
        wanted = "input" if slot in formula.inputs else "output" if slot in formula.results else ""
        if wanted and wanted not in roles:
            text = f"the formula takes {slot} for an {wanted}, and it is the memory of {' and '.join(sorted(roles))}"
            yield Difference(entry.title, sample.call, node.name, text, "")


def _text(agreement: Agreement) -> Iterator[str]:
    explained = [one for one in agreement.differences if one.explanation]
    yield (
        f"{agreement.agreeing} of {agreement.entries} entries hold exactly what derivatives.yaml says "
        f"({agreement.nodes} different nodes compared; {len(agreement.unmatched)} names have no formula there)."
    )
    yield f"{len(agreement.differences)} differences, {len(explained)} of them explained:"
    for one in agreement.differences:
        yield f"  {one.entry}: {one.node}: {one.text}; {one.explanation or 'NOT EXPLAINED'}"
