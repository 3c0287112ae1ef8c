"""``with diagnose() as diagnosis:`` watches a block of a program and says what went wrong in it."""

from __future__ import annotations

import sys
import traceback
import types
import warnings

from . import kinds, mistakes, numbers, refusals, report
from .backward import Entrance, watches
from .finding import Change, Finding, change
from .hooks import Patches
from .places import is_inside
from .record import Record
from .tracebacks import clean
from .watch import Watch


class SilentGradientWarning(UserWarning):
    """The program ran without an error, and its gradients are wrong."""


class Diagnosis:
    """What ``diagnose`` found; complete when the block has ended.

    ``finding`` is the fault that counts, and ``kind``, ``saved_at``, ``changed_at``, ``advice``, ``fix`` and so on
    are its parts; ``findings`` are all, the first one first. Printed, it is the report.
    """

    def __init__(self) -> None:
        self.findings: tuple[Finding, ...] = ()
        self.limits: tuple[str, ...] = ()

    @property
    def finding(self) -> Finding:
        return self.findings[0] if self.findings else mistakes.none()

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or name not in Finding.__dataclass_fields__:
            raise AttributeError(f"A diagnosis has no {name!r}; it has {', '.join(Finding.__dataclass_fields__)}.")
        return getattr(self.finding, name)

    def as_dict(self) -> dict[str, object]:
        """The object that ``python -m inplace_lab.doctor --json`` prints."""
        return self.finding.as_dict()

    def __str__(self) -> str:
        return report.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return report.html(self)


class diagnose:  # noqa: N801 - used as a function is
    """Watch a block: ``with inplace_lab.diagnose() as diagnosis:``.

    An exception leaves the block as it would without, with the diagnosis among its notes. A fault that torch does not
    report (a wrong gradient, a NaN) is a ``SilentGradientWarning`` at the end of the block. ``warn`` and ``note`` turn
    these off, for whoever shows the diagnosis otherwise.
    """

    def __init__(self, *, warn: bool = True, note: bool = True) -> None:
        self._warn, self._note = warn, note
        self.diagnosis = Diagnosis()

    def __enter__(self) -> Diagnosis:
        outer = getattr(watches, "current", None)
        self._own = outer is None
        if self._own:
            self._open()
        else:  # within another block, which watches already
            self._watch, self._record = outer, outer.record
        self._start = len(self._record.silent)
        return self.diagnosis

    def _open(self) -> None:
        self._record = Record()
        self._record.sites.base = id(sys._getframe(2))
        self._watch = Watch(self._record)
        self._entrance, self._patches = Entrance(), Patches(self._record)
        self._entrance.open()
        try:
            self._patches.open()
        except BaseException:
            self._patches.close()
            self._entrance.close()
            raise
        watches.current = self._watch
        self._watch.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        if self._own:
            self._watch.__exit__(kind, error, trace)
            watches.current = None
            self._patches.close()
            self._entrance.close()
        if error is not None:
            clean(error)
        failed = error if isinstance(error, Exception) else None
        self.diagnosis.findings = self._findings(failed)
        self.diagnosis.limits = tuple(self._record.limits)
        self._record = self._watch = None
        if failed is not None and self._note:
            failed.add_note(f"\n{self.diagnosis}")  # a blank line below the traceback
        elif failed is None and self._warn and self.diagnosis.kind != "none":
            warnings.warn(str(self.diagnosis), SilentGradientWarning, stacklevel=2)

    def _findings(self, error: Exception | None) -> tuple[Finding, ...]:
        """The finding for the exception first, then the faults that torch did not report."""
        findings = sorted(self._record.silent[self._start :], key=_importance)
        huge = [one for one in findings if numbers.is_huge(one)]
        findings = [one for one in findings if one not in huge] or huge[:1]  # another fault is its cause
        if error is not None:
            try:
                first = self._of(error)
                # What torch refused in the end is not told a second time as a fault that it lets pass.
                told = first.changed_at
                findings = [first, *(one for one in findings if not told or one.changed_at != told)]
            except Exception as own:  # the doctor must not hide the program's exception behind one of its own
                self._record.limit(f"The doctor could not look at everything ({type(own).__name__}: {own}).")
                findings.insert(0, refusals.other(error))
        return tuple(findings) or _nothing(self._record)

    def _of(self, error: Exception) -> Finding:
        """The finding for an exception that leaves the block."""
        seen, one = set(), error
        while one is not None and id(one) not in seen:
            seen.add(id(one))
            for number, text, finding in reversed(self._record.failures):
                if number == id(one) and text == kinds.text_of(one):
                    return finding
            one = one.__cause__ or one.__context__
        return _unseen(self._record, error)


def _nothing(record: Record) -> tuple[Finding, ...]:
    """Nothing is wrong now. What torch refused and the program caught is said; a failed backward with its lines."""
    refused = tuple({one.place: one for _, _, finding in record.failures for one in finding.changed_at}.values())
    if refused:
        failed = [finding for _, _, finding in record.failures if finding.kind in ("saved", "freed")]
        return (mistakes.none(refused[:5], caught=True), *failed)
    return (mistakes.none(_harmless(record)),)


def _harmless(record: Record) -> tuple[Change, ...]:
    """The first writes that were recorded for backward."""
    found = {}
    for write in record.first_writes.values():
        if write.site < 0:
            continue
        one = change(record.sites[write.site], write.by, write.before, write.after)
        found.setdefault(one.place, one)
    for where in record.compiled_writes:
        found.setdefault(where, Change(where, "a write in a compiled region"))
    return tuple(found.values())[:5]


def _importance(finding: Finding) -> int:
    """What changes a gradient comes before what a wrong gradient shows (NaN, a huge number)."""
    if numbers.is_huge(finding):
        return 3
    return ("bypass", "other", "nan").index(finding.kind) if finding.kind in ("bypass", "other", "nan") else 2


def _unseen(record: Record, error: Exception) -> Finding:
    """The finding for an error that no watched call raised: its line, and the last write on the way to it."""
    trace = [(frame.f_code, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    lines = {(code.co_filename, number) for code, number in trace if not is_inside(code)}
    changes = ()
    if lines and kinds.of_text(kinds.text_of(error)) == "other" and refusals.known(kinds.text_of(error)):
        latest = None
        for _, writes in record.writes.alive():
            for write in writes:
                site = record.sites[write.site] if write.site >= 0 else None
                if site and any((one.file, one.line) in lines for one in (site.place, *site.path)):
                    latest = write if latest is None or write.clock > latest.clock else latest
        if latest is not None:
            changes = (change(record.sites[latest.site], latest.by, latest.before, latest.after),)
    return refusals.other(error, changes=changes)
