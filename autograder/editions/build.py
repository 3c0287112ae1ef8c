"""Building release/ and notebooks/ from source/, and saying where they differ from a fresh build.

A build is made whole, in memory and in a temporary course, before the first file is written, so a mistake in one
lesson changes nothing. A notebook that somebody has run (it has execution counts) is never thrown away: it is kept
beside the new one under another name.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder.editions.normal import normalise
from autograder.editions.notebook import EditionError, read, text_of, write
from autograder.editions.release import EDITION
from autograder.editions.self_study import self_study

CONFIG = "nbgrader_config.py"
SOURCE, RELEASE_FOLDER, NOTEBOOKS = "source", "release", "notebooks"

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Lesson:
    """One source notebook of a course."""

    assignment: str
    notebook: str
    path: Path

    @property
    def name(self) -> str:
        return f"{self.assignment}/{self.notebook}"


@dataclass(frozen=True)
class Difference:
    """A built file that is not what a fresh build gives. `path` is relative to the course."""

    path: str
    reason: str


def course_root(start: Path) -> Path:
    """The nearest folder, from `start` upwards, that holds a course."""
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / CONFIG).is_file() and (folder / SOURCE).is_dir():
            return folder
    raise EditionError(
        f"{start}: no course here. A course is a folder with {CONFIG} and {SOURCE}/; "
        "change into it or name it with --course."
    )


def lessons(course: Path) -> tuple[Lesson, ...]:
    """The course's source notebooks, in the order of their names."""
    found = tuple(
        Lesson(path.parent.name, path.stem, path)
        for path in sorted((course / SOURCE).glob("*/*.ipynb"))
        if not path.name.startswith(".")
    )
    seen: dict[str, Lesson] = {}
    for lesson in found:
        other = seen.setdefault(lesson.notebook, lesson)
        if other is not lesson:
            raise EditionError(
                f"{SOURCE}/{lesson.name}.ipynb and {SOURCE}/{other.name}.ipynb have the same file name, "
                f"and {NOTEBOOKS}/ is one flat folder. Rename one of them."
            )
    return found


def normalise_sources(course: Path, paths: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Bring source notebooks (default: all of the course) into normal form. Returns the files that changed."""
    changed = []
    for path in paths or tuple(lesson.path for lesson in lessons(course)):
        text = text_of(normalise(read(path)))
        if text.encode() != path.read_bytes():
            write(path, text)
            changed.append(path)
    return tuple(changed)


def fresh(course: Path, progress: Progress = lambda line: None) -> dict[str, str]:
    """Build both editions: {path relative to the course: text}. Writes nothing in the course."""
    found = lessons(course)
    built: dict[str, str] = {}
    for lesson in found:
        progress(f"{NOTEBOOKS}/{lesson.notebook}.ipynb")
        try:
            nb = self_study(normalise(read(lesson.path)), lesson.assignment, lesson.notebook)
        except EditionError as error:
            raise EditionError(f"{SOURCE}/{lesson.name}.ipynb: {error}") from None
        built[f"{NOTEBOOKS}/{lesson.notebook}.ipynb"] = text_of(nb)
    from autograder.editions.pictures import pictures  # brings torch, which only a build of pictures needs

    progress(f"{NOTEBOOKS}/*.svg")
    built |= {f"{NOTEBOOKS}/{name}": text for name, text in pictures().items()}
    built |= _release(course, dict.fromkeys(lesson.assignment for lesson in found), progress)
    return built


def differences(course: Path, progress: Progress = lambda line: None) -> tuple[Difference, ...]:
    """Where the course's files differ from a fresh build."""
    found = []
    for lesson in lessons(course):
        if text_of(normalise(read(lesson.path))).encode() != lesson.path.read_bytes():
            found.append(Difference(f"{SOURCE}/{lesson.name}.ipynb", "is not in normal form"))
    built = fresh(course, progress)
    for path, text in built.items():
        if not (course / path).is_file():
            found.append(Difference(path, "is missing"))
        elif (course / path).read_bytes() != text.encode():
            found.append(Difference(path, "differs from a fresh build"))
    found += [Difference(path, "has no source any more") for path in _vanished(course, built)]
    return tuple(found)


def build(course: Path, progress: Progress = lambda line: None) -> tuple[str, ...]:
    """Bring source/ into normal form and build both editions. Returns one sentence for each file that changed."""
    told = [f"{path.relative_to(course).as_posix()}: brought into normal form" for path in normalise_sources(course)]
    built = fresh(course, progress)
    for path, text in built.items():
        target = course / path
        if target.is_file() and target.read_bytes() == text.encode():
            continue
        if kept := _keep_work(target):
            told.append(f"{kept.relative_to(course).as_posix()}: your copy of {target.name}, which had been run")
        told.append(f"{path}: {'updated' if target.is_file() else 'made'}")
        write(target, text)
    for path in _vanished(course, built):
        (course / path).unlink()
        told.append(f"{path}: removed, its source is gone")
        with contextlib.suppress(OSError):  # not empty
            (course / path).parent.rmdir()
    return tuple(told)


def _release(course: Path, assignments: Iterable[str], progress: Progress) -> Iterator[tuple[str, str]]:
    """Run nbgrader's generate_assignment in a temporary copy of the course, which has a gradebook of its own."""
    from nbgrader.converters import GenerateAssignment
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config.loader import PyFileConfigLoader

    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder).resolve()
        shutil.copy(course / CONFIG, copied)
        shutil.copytree(course / SOURCE, copied / SOURCE, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        config = PyFileConfigLoader(CONFIG, path=str(copied)).load_config()
        config.CourseDirectory.root = str(copied)  # also where the configuration names another one
        config.CourseDirectory.db_url = f"sqlite:///{copied / 'gradebook.db'}"
        for assignment in assignments:
            progress(f"{RELEASE_FOLDER}/{assignment}/")
            errors = _Errors()
            log = logging.Logger("nbgrader")
            log.addHandler(errors)
            coursedir = CourseDirectory(config=config, log=log, assignment_id=assignment)
            try:
                GenerateAssignment(coursedir=coursedir, config=config, log=log).start()
            except NbGraderException:
                raise EditionError(f"{SOURCE}/{assignment}: generate_assignment failed: {errors.reason()}") from None
            for path in sorted((copied / RELEASE_FOLDER / assignment).glob("*.ipynb")):
                yield f"{RELEASE_FOLDER}/{assignment}/{path.name}", path.read_text(encoding="utf-8")


class _Errors(logging.Handler):
    """Collects what nbgrader logs as an error, in the place of printing all that it logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += record.getMessage().strip().splitlines()

    def reason(self) -> str:
        """The last exception that the log quotes, else its first line."""
        quoted = re.findall(r"^\s*(?:[\w.]+\.)?(\w+(?:Error|Exception): .+)$", "\n".join(self.lines), re.MULTILINE)
        return quoted[-1] if quoted else (self.lines or ["nbgrader gave no reason"])[0]


def _vanished(course: Path, built: dict[str, str]) -> list[str]:
    """Built notebooks on disk whose source is gone. Copies under other names, other notebooks and run ones stay."""
    paths = [*(course / RELEASE_FOLDER).glob("*/*.ipynb"), *(course / NOTEBOOKS).glob("*.ipynb")]
    gone = []
    for path in sorted(paths):
        name = path.relative_to(course).as_posix()
        with contextlib.suppress(EditionError):
            nb = read(path)
            place = nb.metadata.get(EDITION, {})
            at_home = place.get("notebook") == path.stem and path.parent.name in (NOTEBOOKS, place.get("assignment"))
            if name not in built and at_home and not _was_run(nb):
                gone.append(name)
    return gone


def _keep_work(path: Path) -> Path | None:
    """Where the notebook at `path` was run by somebody, move it to another name; return that name."""
    try:
        if not _was_run(read(path)):
            return None
    except EditionError:
        return None
    number = 1
    while (kept := path.with_name(f"{path.stem}-mine-{number}.ipynb")).exists():
        number += 1
    os.replace(path, kept)
    return kept


def _was_run(nb: NotebookNode) -> bool:
    return any(cell.get("execution_count") for cell in nb.cells)
