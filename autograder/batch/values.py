"""What passes between the leader and those who grade: plain data, for it crosses processes and machines."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

GRADED, UNCHANGED, FAILED = "graded", "unchanged", "failed"


class BatchError(Exception):
    """The class cannot be graded as asked; one sentence says what to do.

    Args:
        code: exit code of the command: 2 for a wrong use of it, 1 for what is wrong with course or machine.
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Order:
    """One submission to be graded.

    Args:
        course: the course's folder.
        assignment, student: as nbgrader names them.
        fingerprint: of everything that the grade depends on.
        force: grade it also where a record with the same fingerprint says that it was.
    """

    course: str
    assignment: str
    student: str
    fingerprint: str
    force: bool = False


@dataclass(frozen=True)
class Result:
    """How one submission ended.

    Args:
        student: whose it is.
        status: "graded", "unchanged" (graded before, and not again) or "failed" (there is no result).
        fingerprint: of what was graded.
        seconds: wall time of all of it.
        cpu_seconds: processor time of the submission's own processes.
        notes: for the instructor, one sentence each.
        log: what nbgrader logged.
    """

    student: str
    status: str
    fingerprint: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    notes: tuple[str, ...] = ()
    log: str = ""

    def as_dict(self) -> dict:
        """Plain JSON data."""
        return asdict(self) | {"notes": list(self.notes)}

    @staticmethod
    def from_dict(data: dict) -> Result:
        """The opposite of `as_dict`. Raises ValueError, TypeError or KeyError for anything else."""
        kept = {field.name: data[field.name] for field in fields(Result)}
        for name in ("student", "status", "fingerprint", "log"):
            if not isinstance(kept[name], str):
                raise TypeError(f"{name} is no text")
        return Result(**kept | {"notes": tuple(str(note) for note in kept["notes"])})
