"""What a graded notebook shows: outputs of a student's process, cleaned, and the outputs of a judged cell.

Everything that came from the student's process is data to be shown, never a grade. A judged cell gets outputs of which
nbgrader's own rule (`nbgrader.utils.determine_grade`) reads exactly the judged number: one stream on standard output
with the report, one `execute_result` with a plain number, and one more stream with what the submission showed. No
error, nothing on standard error, no second result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from autograder.checking import HANDED_ON
from autograder.report import Report

SHOWN = ("text/plain", "image/png", "image/jpeg")
RICH_CHARACTERS = 1_500_000
TEXT_CHARACTERS = 110_000
MOST_OUTPUTS = 220
PRINTED_CHARACTERS = 10_000  # of what the submission showed in a judged cell

JUDGED = "Judged by the grader"
PRINTED = "What the submission printed here:"


@dataclass
class Told:
    """What a student's process told about one cell.

    `state` is "not run", "started" (it never ended), "time" (it ran into its time limit) or "done".
    """

    state: str = "not run"
    outputs: tuple[NotebookNode, ...] = ()
    payloads: list[tuple[str, str]] = field(default_factory=list)

    def payload(self, exercise: str) -> str | None:
        """The last payload for the exercise, or None: a later one replaces an earlier one, as a second check would."""
        return next((text for name, text in reversed(self.payloads) if name == exercise), None)

    @property
    def error(self) -> str:
        """The first error that the cell showed, in one line."""
        found = next((output for output in self.outputs if output.output_type == "error"), None)
        return f"{found.ename}: {found.evalue}".split("\n")[0][:200] if found else ""


def told(messages: Iterable[object], cells: Sequence[str]) -> dict[str, Told]:
    """Sort the messages of `notebook_task.execute` by cell. They are untrusted: what has another form is passed by."""
    found = {name: Told() for name in cells}
    for message in messages:
        if not isinstance(message, Mapping) or not isinstance(message.get("cell"), str):
            continue
        cell = found.get(message["cell"])
        if cell is None:
            continue
        state = message.get("state")
        if state == "started":
            found[message["cell"]] = Told("started")
        elif state == "payload":
            exercise, payload = message.get("exercise"), message.get("payload")
            if isinstance(exercise, str) and isinstance(payload, str):
                cell.payloads.append((exercise, payload))
        elif state in ("done", "time"):
            cell.state, cell.outputs = state, cleaned(message.get("outputs"))
    return found


def cleaned(outputs: object) -> tuple[NotebookNode, ...]:
    """Outputs as nbformat wants them, bounded, with what is safe to show and nothing else. Never raises."""
    if not isinstance(outputs, list):
        return ()
    return tuple(output for raw in outputs[:MOST_OUTPUTS] if (output := _output(raw)) is not None)


def judged(report: Report, points: float, shown: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The outputs of a judged cell: the report, the points and what the submission showed."""
    printed = _as_text(shown)
    outputs = [stream(f"{JUDGED}\n\n{report.text()}\n"), result(points)]
    return [*outputs, stream(f"{PRINTED}\n{printed}\n")] if printed else outputs


def not_run(reason: str, shown: Sequence[NotebookNode] = ()) -> list[NotebookNode]:
    """The outputs of a cell that did not end: an error first, so that nbgrader's own rule gives it nothing."""
    return [
        NotebookNode(output_type="error", ename="NotRun", evalue=reason, traceback=[f"NotRun: {reason}"]),
        *shown,
    ]


def stream(text: str) -> NotebookNode:
    return NotebookNode(output_type="stream", name="stdout", text=text)


def result(points: float) -> NotebookNode:
    return NotebookNode(
        output_type="execute_result",
        execution_count=None,
        data=NotebookNode({"text/plain": repr(float(points))}),
        metadata=NotebookNode(),
    )


def _as_text(outputs: Sequence[NotebookNode]) -> str:
    parts: list[str] = []
    for output in outputs:
        if output.output_type == "stream":
            parts.append(output.text)
        elif output.output_type == "error":
            parts.append("\n".join(output.traceback) or f"{output.ename}: {output.evalue}")
        elif "text/plain" in output.data and output.data["text/plain"] != "0.0":
            parts.append(output.data["text/plain"])
    lines = "\n".join(part.rstrip("\n") for part in parts).split("\n")
    text = "\n".join(line for line in lines if line != HANDED_ON).strip("\n")
    if len(text) > PRINTED_CHARACTERS:
        text = f"{text[:PRINTED_CHARACTERS]}\n... ({len(text) - PRINTED_CHARACTERS:,} more characters are not shown)"
    return text


def _output(raw: object) -> NotebookNode | None:
    if not isinstance(raw, Mapping):
        return None
    kind = raw.get("output_type")
    if kind == "stream":
        name = "stderr" if raw.get("name") == "stderr" else "stdout"
        return NotebookNode(output_type="stream", name=name, text=_text(raw.get("text"), TEXT_CHARACTERS))
    if kind == "error":
        lines = raw.get("traceback")
        lines = [_text(line, 2000) for line in lines[:1000]] if isinstance(lines, list) else []
        return NotebookNode(
            output_type="error",
            ename=_text(raw.get("ename"), 200) or "Error",
            evalue=_text(raw.get("evalue"), 2000),
            traceback=lines,
        )
    if kind in ("display_data", "execute_result"):
        data = _data(raw.get("data"))
        if not data:
            return None
        output = NotebookNode(output_type=kind, data=data, metadata=NotebookNode())
        if kind == "execute_result":
            output.execution_count = None
        return output
    return None


def _data(raw: object) -> NotebookNode:
    kept = NotebookNode()
    for mime, value in raw.items() if isinstance(raw, Mapping) else ():
        limit = TEXT_CHARACTERS if mime == "text/plain" else RICH_CHARACTERS
        if mime in SHOWN and isinstance(value, str) and len(value) <= limit:
            kept[mime] = _text(value, limit)
    return kept


def _text(value: Any, limit: int) -> str:
    return value[:limit].encode("utf-8", errors="replace").decode("utf-8") if isinstance(value, str) else ""
