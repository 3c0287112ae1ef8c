"""Reports, read back from graded notebooks. `seen` is the opposite of `autograder.report.Report.text`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nbformat import NotebookNode

from autograder.editions.notebook import is_check
from autograder.outputs import JUDGED
from autograder.report import SYMBOLS

_CASE = re.compile(
    rf"(?P<symbol>[{''.join(SYMBOLS.values())}]) (?P<status>{'|'.join(SYMBOLS)})\s+"
    r"(?:(?P<earned>[\d.]+) of (?P<worth>[\d.]+)\s+)?(?P<name>\S.*?)(?:\s{2}\[(?P<device>[^\]]+)\])?"
)
_DEVICE = re.compile(r" {11}\[(?P<device>[^\]]+)\]")
_AGAIN = re.compile(r'^(?P<brief>.*?)\s*The same reason as for "(?P<key>.+)"\.$')
_PREDICTED = re.compile(r"You predicted .+?(?:, and so it is: |, because )")


@dataclass(frozen=True)
class SeenCase:
    """One line of a report. Where the report only named the case that gave the reason first, so does `root`."""

    name: str
    device: str
    status: str
    worth: float
    message: str = ""
    root: str = ""
    """Key of the case whose reason it is; "" where this one has a reason of its own."""

    @property
    def key(self) -> str:
        """As `replay` calls it."""
        return self.name if self.device == "cpu" else f"{self.name} [{self.device}]"


@dataclass(frozen=True)
class Seen:
    """One report as a graded notebook shows it."""

    exercise: str
    cases: tuple[SeenCase, ...]
    notes: tuple[str, ...] = ()


def reports(nb: NotebookNode) -> tuple[Seen, ...]:
    """The reports in a graded notebook: of instructor's check cells alone, and of each what the grader wrote alone."""
    found = []
    for cell in nb.cells:
        first = cell.outputs[0] if is_check(cell) and cell.get("outputs") else None
        text = first.text if first is not None and first.output_type == "stream" else ""
        if text.startswith(f"{JUDGED}\n\n"):
            found.append(seen(text.removeprefix(f"{JUDGED}\n\n")))
    return tuple(found)


def seen(text: str) -> Seen:
    """The report that `Report.text` wrote."""
    head, _, rest = text.partition("\n\n")
    listed, _, rest = rest.partition("\n\n")
    cases = [_case(lines) for lines in _grouped(listed.split("\n"), _CASE)]
    notes = rest.partition("\n\n")[0].split("\n") if rest.startswith("Note: ") else []
    told = [" ".join(line.strip() for line in lines) for lines in _grouped(notes, re.compile("Note: .*"))]
    return Seen(head.strip(), _resolved(cases), tuple(note.removeprefix("Note: ") for note in told))


def _grouped(lines: list[str], head: re.Pattern[str]) -> list[list[str]]:
    """The lines, each that matches `head` with those that follow it."""
    groups: list[list[str]] = []
    for line in lines:
        if head.fullmatch(line):
            groups.append([line])
        elif groups:
            groups[-1].append(line)
    return groups


def _case(lines: list[str]) -> SeenCase:
    match = _CASE.fullmatch(lines[0])
    assert match is not None  # _grouped saw to it
    device, said = match["device"], lines[1:]
    if device is None and said and (alone := _DEVICE.fullmatch(said[0])):
        device, said = alone["device"], said[1:]
    message = " ".join(line.strip() for line in said)
    bare = (device or "cpu").partition(" (")[0]
    return SeenCase(match["name"], bare, match["status"], float(match["worth"] or 0), message)


def _resolved(cases: list[SeenCase]) -> tuple[SeenCase, ...]:
    """The cases with whole messages: a report gives the same reason once, and then only names the case that had it."""
    found: dict[str, SeenCase] = {}
    for case in cases:
        if match := _AGAIN.match(case.message):
            first, brief = found.get(match["key"]), match["brief"]
            reason = _PREDICTED.sub("", first.message) if first is not None else ""
            if _PREDICTED.match(f"{brief.removesuffix('.')}, because "):  # its own mistake, though the reason is known
                joint = ": " if brief.endswith("and so it is.") else ", because "
                case = replace(case, message=f"{brief.removesuffix('.')}{joint}{reason}")
            else:
                case = replace(case, message=f"{brief} {reason}".strip(), root=match["key"])
        found[case.key] = case
    return tuple(found.values())
