"""The numbers of a class: how the points are spread, where they were lost, and to what."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.overview.reading import Seen, SeenCase
from autograder.report import FAILED, NOT_RUN, number

MOST_QUESTIONS = 5
MOST_STEPS = 12
_ASKS = (
    (r"\bsaved\b|\bversion\b", "Who needed the old value, and which line took it away?"),
    (r"devices? met|\bdevice\b|CUDA", "On which device is each tensor, and who decided that?"),
    (r"\bnan\b|NaN|\binf\b", "Where does the first NaN or inf appear: in forward, or in backward?"),
    (r"require grad|detach|cut it off|no_grad", "Where does the graph end, and how would you see that?"),
    (r"dtype|float32|bfloat16", "Which of the tensors decides the dtype?"),
    (r"gradient|derivative", "What is the gradient by hand, at this one place?"),
    (r"", "How would you have noticed before you handed it in?"),
)
"""(what a message is about, what to ask): the first that fits."""
_NOT_DONE = re.compile(r"not predicted this yet|none of the answers|There is no prediction|^What you gave to the check")
"""Of answers that say nothing about what a student believes."""
_PREDICTED = re.compile(r"You predicted (?P<said>.+?); torch: (?P<seen>.+?)[,.](?: |$)")


@dataclass(frozen=True)
class Graded:
    """One student's graded submission.

    Args:
        score, maximum: of the gradebook, without what is still to be graded by hand.
        by_hand: whether something is.
        reports: (notebook, report) of each check.
        seconds: how long grading took; None where it was not measured.
        notes: for the instructor.
    """

    student: str
    score: float
    maximum: float
    by_hand: bool
    reports: tuple[tuple[str, Seen], ...]
    seconds: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseRow:
    """One case of one exercise over the class."""

    notebook: str
    exercise: str
    key: str
    worth: float
    failed: int
    run: int

    @property
    def rate(self) -> float:
        """The share of those whose case ran and failed, 0 to 1."""
        return self.failed / self.run if self.run else 0.0


@dataclass(frozen=True)
class Misconception:
    """A reason for lost points, and who gave it.

    Args:
        message: as one of the students read it.
        case: where it showed first.
        points: lost to it over the class.
    """

    notebook: str
    exercise: str
    case: str
    message: str
    students: tuple[str, ...]
    points: float

    def question(self, of: int) -> str:
        """What to ask the room. `of`: how many have handed in."""
        place, share = f"{self.exercise}, {self.case}", f"{len(self.students)} of {of}"
        if match := _PREDICTED.match(self.message):
            return f"{place}: {share} predicted {match['said']}, torch says {match['seen']}. What did they overlook?"
        ask = next(ask for about, ask in _ASKS if re.search(about, self.message))
        return f"{place}: {share} lost points to this. {ask}"


@dataclass(frozen=True)
class Overview:
    """All of it."""

    assignment: str
    graded: tuple[Graded, ...]
    cases: tuple[CaseRow, ...]
    misconceptions: tuple[Misconception, ...]
    missing: tuple[str, ...]
    """Students of the gradebook without a graded submission."""
    asks: tuple[tuple[str, str], ...] = ()
    """(notebook, what its teaching notes say to ask)."""

    @property
    def maximum(self) -> float:
        return max((one.maximum for one in self.graded), default=0.0)

    @property
    def by_hand(self) -> int:
        return sum(one.by_hand for one in self.graded)

    @property
    def slowest(self) -> tuple[Graded, ...]:
        timed = [one for one in self.graded if one.seconds is not None]
        return tuple(sorted(timed, key=lambda one: -one.seconds)[:5])

    @property
    def notes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(note, students), the commonest first."""
        who: dict[str, list[str]] = defaultdict(list)
        for one in self.graded:
            for note in dict.fromkeys(one.notes):
                who[note].append(one.student)
        return tuple(sorted(((note, tuple(names)) for note, names in who.items()), key=lambda item: -len(item[1])))

    @property
    def questions(self) -> tuple[Misconception, ...]:
        """What is worth a minute in class: what more than one student was told, the commonest first."""
        least = 2 if len(self.graded) > 4 else 1
        told = (one for one in self.misconceptions if len(one.students) >= least and not _NOT_DONE.search(one.message))
        return tuple(told)[:MOST_QUESTIONS]

    @property
    def sentence(self) -> str:
        scores = sorted(one.score for one in self.graded)
        middle = (scores[(len(scores) - 1) // 2] + scores[len(scores) // 2]) / 2
        full = sum(score >= self.maximum for score in scores)
        parts = [
            f"{len(scores)} graded: from {number(scores[0])} to {number(scores[-1])} of {number(self.maximum)} points",
            f"half of them have {number(middle)} or more",
            f"{full} have all",
        ]
        if self.by_hand:
            parts.append(f"{self.by_hand} have something left to grade by hand, so their points will rise")
        if self.missing:
            parts.append(f"{len(self.missing)} handed in nothing")
        return "; ".join(parts) + "."

    def spread(self) -> tuple[tuple[float, float, int], ...]:
        """(from, up to, students) in steps of a round number of points; the last one has its upper end in it."""
        sizes = (size * 10.0**power for power in range(-2, 7) for size in (1, 2, 2.5, 5))
        step = next(size for size in sizes if size * MOST_STEPS >= self.maximum)
        counts = [0] * max(1, math.ceil(self.maximum / step - 1e-9))
        for one in self.graded:
            counts[min(len(counts) - 1, max(0, int(one.score / step + 1e-9)))] += 1
        ends = [min((index + 1) * step, self.maximum) for index in range(len(counts))]
        return tuple((index * step, end, count) for index, (end, count) in enumerate(zip(ends, counts, strict=True)))


def summarise(
    assignment: str, graded: Iterable[Graded], missing: Sequence[str] = (), asks: Sequence[tuple[str, str]] = ()
) -> Overview:
    """The overview of a class."""
    students = tuple(sorted(graded, key=lambda one: one.student))
    cases: dict[tuple[str, str, str], CaseRow] = {}
    who: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    first: dict[tuple[str, str, str], tuple[str, str]] = {}
    lost: dict[tuple[str, str, str], float] = defaultdict(float)
    for one in students:
        for notebook, report in one.reports:
            _count(cases, notebook, report)
            named: set[tuple[str, str, str]] = set()
            of_case: dict[str, tuple[str, str, str]] = {}
            for case in report.cases:
                if case.status != FAILED:
                    continue
                if not case.root and case.message:
                    of_case[case.key] = (notebook, report.exercise, _told(case))
                    first.setdefault(of_case[case.key], (case.key, case.message))
                    named.add(of_case[case.key])
                key = of_case.get(case.root or case.key)
                if key is not None:
                    lost[key] += case.worth
            for key in named:
                who[key].append(one.student)
    found = [Misconception(key[0], key[1], *first[key], tuple(names), lost[key]) for key, names in who.items()]
    found.sort(key=lambda one: (-len(one.students), -one.points, one.notebook, one.exercise, one.case))
    return Overview(assignment, students, tuple(cases.values()), tuple(found), tuple(missing), tuple(asks))


def _told(case: SeenCase) -> str:
    """What is the same for all who made this mistake. A wrong prediction is a mistake about its own case."""
    if match := _PREDICTED.match(case.message):
        return f"{case.key}: {match[0]}"
    return signature(case.message)


def signature(message: str) -> str:
    """A message without what differs from student to student: numbers, and the student's own line."""
    text = re.sub(r"\s*Your line: .*", "", message)
    text = re.sub(r"\[[^\]]*\]", "…", text)
    return re.sub(r"(?<![\w.])-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)\b", "…", text)


def _count(cases: dict[tuple[str, str, str], CaseRow], notebook: str, report: Seen) -> None:
    for case in report.cases:
        place = (notebook, report.exercise, case.key)
        row = cases.get(place, CaseRow(*place, case.worth, 0, 0))
        run = case.status != NOT_RUN
        cases[place] = CaseRow(*place, case.worth, row.failed + (case.status == FAILED), row.run + run)
