"""Building release/, notebooks/ and dist/colab/ from source/, and saying where the first two differ from a fresh build.

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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.editions.colab import colab, link_to_colab
from autograder.editions.measured import refresh
from autograder.editions.normal import normalise
from autograder.editions.notebook import EditionError, read, text_of, write
from autograder.editions.published import published
from autograder.editions.release import EDITION
from autograder.editions.self_study import self_study
from autograder.editions.shown import illustrate, states
from autograder.editions.wheel import build_wheel

CONFIG = "nbgrader_config.py"
SOURCE, RELEASE_FOLDER, NOTEBOOKS = "source", "release", "notebooks"
COLAB_FOLDER = "dist/colab"

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
    """Bring source notebooks (default: all of the course) into normal form, and measure their numbers again.

    Returns the files that changed.
    """
    changed = []
    for path in paths or tuple(lesson.path for lesson in lessons(course)):
        nb = read(path)
        try:
            text = text_of(normalise(refresh(nb)))
        except EditionError as error:
            raise EditionError(f"{path}: {error}") from None
        if text.encode() != path.read_bytes():
            write(path, text)
            changed.append(path)
    return tuple(changed)


def fresh(course: Path, progress: Progress = lambda line: None) -> dict[str, str]:
    """Build both editions: {path relative to the course: text}. Writes nothing in the course."""
    place = published(course)
    plain = _self_study(course, progress)
    from autograder.editions.pictures import pictures  # brings torch, which only a build of pictures needs

    with ThreadPoolExecutor(1) as meanwhile:  # lessons run in other processes while nbgrader works in this one
        shown = meanwhile.submit(_with_stills, course, plain)
        progress(f"{NOTEBOOKS}/*.svg")
        drawn = {f"{NOTEBOOKS}/{name}": text for name, text in pictures().items()}
        released = dict(_release(course, dict.fromkeys(lesson.assignment for lesson in plain), progress))
        progress(f"what {NOTEBOOKS}/*.ipynb show before they are run")
        notebooks = shown.result()
    built: dict[str, str] = {}
    for lesson, nb in notebooks.items():
        path = f"{NOTEBOOKS}/{lesson.notebook}.ipynb"
        built[path] = text_of(link_to_colab(nb, place, path) if place else nb)
    return built | drawn | released


def _self_study(course: Path, progress: Progress) -> dict[Lesson, NotebookNode]:
    """The self-study editions, without stills and without anything that points to a repository."""
    found = {}
    for lesson in lessons(course):
        progress(f"{NOTEBOOKS}/{lesson.notebook}.ipynb")
        try:
            found[lesson] = self_study(normalise(read(lesson.path)), lesson.assignment, lesson.notebook)
        except EditionError as error:
            raise EditionError(f"{SOURCE}/{lesson.name}.ipynb: {error}") from None
    return found


def _with_stills(course: Path, plain: dict[Lesson, NotebookNode]) -> dict[Lesson, NotebookNode]:
    """The same with stills of what their cells show; those in notebooks/ that still hold are kept."""
    before = {}
    for lesson in plain:
        with contextlib.suppress(EditionError):  # none yet, or broken
            before[f"{SOURCE}/{lesson.name}.ipynb"] = read(course / NOTEBOOKS / f"{lesson.notebook}.ipynb")
    shown = illustrate({f"{SOURCE}/{lesson.name}.ipynb": nb for lesson, nb in plain.items()}, before)
    return dict(zip(plain, shown.values(), strict=True))


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
            found.append(Difference(path, _how_it_differs(course / path, text)))
    found += [Difference(path, "has no source any more") for path in _vanished(course, _homes(course), built)]
    return tuple(found)


def _how_it_differs(path: Path, text: str) -> str:
    if path.suffix == ".ipynb":
        with contextlib.suppress(EditionError):
            if states(read(path)) != states(nbformat.reads(text, as_version=4)):
                return "shows pictures or tables that are out of date"
    return "differs from a fresh build"


def build(course: Path, progress: Progress = lambda line: None) -> tuple[str, ...]:
    """Bring source/ into normal form and build both editions. Returns one sentence for each file that changed."""
    told = [f"{path.relative_to(course).as_posix()}: brought into normal form" for path in normalise_sources(course)]
    built = fresh(course, progress)
    return (*told, *_replace(course, built, _homes(course)))


def build_colab(course: Path, progress: Progress = lambda line: None) -> tuple[str, ...]:
    """Build dist/colab/: self-study notebooks that carry the lab in themselves. Returns a sentence for each file."""
    progress("the wheel")
    wheel = build_wheel()
    built = {
        f"{COLAB_FOLDER}/{lesson.notebook}.ipynb": text_of(colab(nb, lesson.assignment, lesson.notebook, wheel))
        for lesson, nb in _with_stills(course, _self_study(course, progress)).items()
    }
    told = [line for line in _replace(course, built, (course / COLAB_FOLDER).glob("*.ipynb")) if "your copy" in line]
    sizes = (f"{path}: {len(text.encode()) / 1e3:.0f} kB" for path, text in built.items())
    return (*told, *sizes, f"Each of them holds the lab, version {wheel.version} ({len(wheel.content) / 1e3:.0f} kB).")


def _replace(course: Path, built: dict[str, str], homes: Iterable[Path]) -> Iterator[str]:
    """Write what was built, and remove what has no source any more from `homes`, the notebooks that were there.

    Says in one sentence what became of each file that is not as it was.
    """
    gone = _vanished(course, homes, built)
    for path, text in built.items():
        target = course / path
        if target.is_file() and target.read_bytes() == text.encode():
            continue
        if kept := _keep_work(target):
            yield f"{kept.relative_to(course).as_posix()}: your copy of {target.name}, which had been run"
        yield f"{path}: {'updated' if target.is_file() else 'made'}"
        write(target, text)
    for path in gone:
        (course / path).unlink()
        yield f"{path}: removed, its source is gone"
        with contextlib.suppress(OSError):  # not empty
            (course / path).parent.rmdir()


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


def _homes(course: Path) -> list[Path]:
    return [*(course / RELEASE_FOLDER).glob("*/*.ipynb"), *(course / NOTEBOOKS).glob("*.ipynb")]


def _vanished(course: Path, paths: Iterable[Path], built: dict[str, str]) -> list[str]:
    """Built notebooks among `paths` whose source is gone. Copies under other names, other ones and run ones stay."""
    gone = []
    for path in sorted(paths):
        name = path.relative_to(course).as_posix()
        with contextlib.suppress(EditionError):
            nb = read(path)
            place = nb.metadata.get(EDITION, {})
            folders = (NOTEBOOKS, Path(COLAB_FOLDER).name, place.get("assignment"))
            at_home = place.get("notebook") == path.stem and path.parent.name in folders
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
