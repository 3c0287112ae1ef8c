"""What a check found: `Case` is one line of it, `Report` the whole. Plain values, no torch, no nbgrader."""

from __future__ import annotations

import math
import textwrap
from dataclasses import asdict, dataclass

PASSED, FAILED, NOT_RUN = "passed", "failed", "not run"
STATUSES = (PASSED, FAILED, NOT_RUN)
SYMBOLS = {PASSED: "✓", FAILED: "✗", NOT_RUN: "–"}
WIDTH = 79  # `nbgrader validate` indents by 4 and cuts at 87 characters


def number(points: float) -> str:
    """Points as a person writes them: 7.5, 10, 0.25."""
    return f"{round(points, 4):g}"


@dataclass(frozen=True)
class Case:
    """One thing that an exercise demands.

    Args:
        name: short and unique on its device; a failed case is replayed by it.
        points: what the case is worth (not what was earned), 0 or more. Partial credit comes from splitting cases.
        status: "passed", "failed" or "not run". What was not run earns nothing: its points, if it has any, wait for a
            machine that can run it.
        message: for a failed case the misconception in one or two sentences; for one that was not run, the reason.
        device: where it ran, as a report shows it.
        claim: True if only the student's own process can tell (versions, "input untouched"). Such a case can be
            forged by a student who writes the payload by hand; that is why it carries few points.
        detail: the call, what came back and what was expected, several lines; `replay` prints it.
        reason: what lies behind the message, without what differs from case to case (the call, the prediction); by
            default the message. Where another case of the report has given the same one, the report prints `brief`
            and that case's name in place of the message.
        brief: what is left of the message without its reason, a sentence, or "".

    Raises:
        ValueError: an unknown status, or points below 0 or not finite.
    """

    name: str
    points: float
    status: str
    message: str = ""
    device: str = "cpu"
    claim: bool = False
    detail: str = ""
    reason: str = ""
    brief: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(
                f"status {self.status!r} of case {self.name!r} is unknown: use one of {', '.join(STATUSES)}."
            )
        if not (math.isfinite(self.points) and self.points >= 0):
            raise ValueError(f"case {self.name!r} is worth {self.points}: points are finite and 0 or more.")

    @property
    def earned(self) -> float:
        return self.points if self.status == PASSED else 0.0

    @property
    def key(self) -> str:
        """What `replay` calls the case: its name, and its device (bare) if not the CPU."""
        return self.name if self.device == "cpu" else f"{self.name} [{_bare(self.device)}]"


@dataclass(frozen=True)
class Report:
    """All cases of one check of one exercise.

    Args:
        exercise: the exercise's name.
        cases: the lines, in the order in which they are shown.
        seed: names the random challenge, so that it can be made again.
        notes: sentences that cost nothing (a lucky solution, an unknown key).
        answer: how the notebook calls what it hands to `check`; shown in the replay line. Empty: no replay line,
            for exercises whose challenge has nothing random.
    """

    exercise: str
    cases: tuple[Case, ...]
    seed: str
    notes: tuple[str, ...] = ()
    answer: str = ""

    @property
    def points(self) -> float:
        """Points earned, a plain float from 0 to `maximum`."""
        return min(float(round(math.fsum(case.earned for case in self.cases), 6)), self.maximum)

    @property
    def maximum(self) -> float:
        return float(round(math.fsum(case.points for case in self.cases), 6))

    @property
    def full(self) -> bool:
        """True if every case that is worth something passed (and there is one)."""
        return self.maximum > 0 and all(case.status == PASSED for case in self.cases if case.points)

    @property
    def total(self) -> str:
        return f"{number(self.points)} of {number(self.maximum)} points"

    def case(self, key: str) -> Case | None:
        """The case of that key or name, or None."""
        return next((case for case in self.cases if key == case.key), None) or next(
            (case for case in self.cases if key == case.name), None
        )

    def text(self) -> str:
        """The report for a person: at most `WIDTH` columns (names permitting), the total in the last line."""
        lines = [f"{self.exercise}", ""]
        worth = max((len(number(case.points)) for case in self.cases), default=1)
        first_said: dict[str, str] = {}
        named: set[str] = set()
        for case in self.cases:
            points = (
                f"{number(case.earned):>{worth}} of {number(case.points):<{worth}}"
                if case.points
                else " " * (2 * worth + 4)
            )
            line = f"{SYMBOLS[case.status]} {case.status:<7}  {points}  {case.name}"
            if case.device != "cpu":  # what is said of a device is said once
                where = f"[{_bare(case.device) if case.device in named else case.device}]"
                named.add(case.device)
                line += f"  {where}" if len(line) + 2 + len(where) <= WIDTH else f"\n{' ' * 11}{where}"
            lines.append(line)
            if case.message:
                told = first_said.setdefault(case.reason or case.message, case.key)
                again = f'{case.brief} The same reason as for "{told}".'.strip()
                lines += _wrapped(case.message if told == case.key else again, " " * 11)
        if self.notes:
            lines.append("")
            for note in self.notes:
                lines += _wrapped(f"Note: {note}", "", "      ")
        failed = next((case for case in self.cases if case.status == FAILED), None)
        lines.append("")
        if failed and self.answer:
            lines += ["To see one failed case again, with the same numbers:", "    from autograder import replay"]
            lines += [*self._replay(failed), ""]
        lines.append(f"{self.total}   (seed {self.seed})" if self.answer else self.total)
        return "\n".join(lines)

    def _replay(self, case: Case) -> list[str]:
        """The call that shows a case again, on as many lines as it needs."""
        call = [f'    replay("{self.exercise}", {self.answer}', f'seed="{self.seed}"', f'case="{case.key}")']
        line = ", ".join(call)
        return [line] if len(line) <= WIDTH else (",\n" + " " * 11).join(call).split("\n")

    def as_dict(self) -> dict:
        """Plain data for JSON; `from_dict` brings it back."""
        return {
            "exercise": self.exercise,
            "seed": self.seed,
            "notes": list(self.notes),
            "answer": self.answer,
            "cases": [asdict(case) for case in self.cases],
        }

    @staticmethod
    def from_dict(data: dict) -> Report:
        """The report that `as_dict` wrote.

        Raises:
            ValueError: the data has another form.
        """
        try:
            return Report(
                str(data["exercise"]),
                tuple(Case(**case) for case in data["cases"]),
                str(data["seed"]),
                tuple(str(note) for note in data["notes"]),
                str(data["answer"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(
                f"this is not a report as Report.as_dict writes it ({type(error).__name__}: {error})."
            ) from None


def _bare(device: str) -> str:
    """ "simgpu" of "simgpu (simulated)"."""
    return device.partition(" (")[0]


def _wrapped(text: str, first: str, rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=first if rest is None else rest, break_on_hyphens=False
    )
