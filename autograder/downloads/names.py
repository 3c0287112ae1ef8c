"""Whose file is which: what the names of downloaded files say.

The forms are those that the platforms' own code writes:

Moodle, mod/assign/classes/downloader.php, in folders (the usual setting) and without:

    Ada Lovelace_1234567_assignsubmission_file/masked_exp.ipynb      (older versions: ..._file_/masked_exp.ipynb)
    Ada Lovelace_1234567_assignsubmission_file_masked_exp.ipynb
    Group A_12_assignsubmission_file/masked_exp.ipynb                (groups that submit together)

The number is another one in each assignment, so a student is called by the name alone; only where two have the same
name does the number tell them apart.

Canvas, lib/content_zipper.rb; the two numbers are the user's, which stays, and the file's:

    lovelaceada_12345_678901_masked_exp-1.ipynb
    lovelaceada_LATE_12345_678901_masked_exp.ipynb
    anon_Xy3Z9_678901_masked_exp.ipynb                               (anonymous grading)

By hand: a folder for each student, or an archive named after the student, or the student's name before the notebook's:

    ada/masked_exp.ipynb
    ada.zip, which holds the notebook
    ada_masked_exp.ipynb
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from autograder.repair.choosing import without_copy_marks

NOTEBOOK = ".ipynb"
_MOODLE_FOLDER = re.compile(r"(?P<name>[^_]+)(_(?P<number>\d+))?_assignsubmission_file_?")
_MOODLE_FLAT = re.compile(r"(?P<name>[^_]+)(_(?P<number>\d+))?_assignsubmission_file_(?P<file>.+)")
_MOODLE_OTHER = re.compile(r"[^_]+(_\d+)?_assign(submission|feedback)_(?!file).*")  # texts typed into Moodle's page
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.IGNORECASE)
_CANVAS_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<name>anon)_(?P<user>[A-Za-z0-9]+)_(?P<upload>\d+)_(?P<file>.+)", re.IGNORECASE
)
_BETWEEN = " _-.,"


@dataclass(frozen=True)
class Place:
    """Where a downloaded file goes: to which student, under which name; whether the platform calls it late."""

    student: str
    file: str
    late: bool = False


@dataclass(frozen=True)
class Plan:
    """Where each file goes, and a sentence for each one (or student) that goes nowhere or needs a look."""

    places: dict[str, Place]
    said: tuple[str, ...]


@dataclass(frozen=True)
class _Named:
    """What a path says: the student's name as given, what tells namesakes apart, the file's own name."""

    path: str
    name: str
    number: str
    file: str
    upload: int = 0
    late: bool = False
    stays: bool = False
    """Whether the number belongs to the student's name in every assignment."""


def plan(paths: Iterable[str], notebooks: Sequence[str]) -> Plan:
    """Where the files of a download go.

    Args:
        paths: of all files, relative to the folder into which the archives were opened, with "/".
        notebooks: the names of the assignment's notebooks, without ".ipynb".
    """
    said: list[str] = []
    by_student: dict[tuple[str, str], list[_Named]] = defaultdict(list)
    for path in sorted(paths):
        named = _named(path, notebooks)
        if named is None:
            if path.lower().endswith(NOTEBOOK):
                said.append(f"{path}: the name does not say whose it is. Put it into a folder named after the student.")
        elif named.name:
            by_student[student_id(named.name), named.number].append(named)
    students = _students(by_student)
    places: dict[str, Place] = {}
    for key, files in by_student.items():
        student = students[key]
        found, remarks = _files(student, files, notebooks)
        places.update(found)
        said += remarks
    return Plan(places, tuple(said))


def student_id(name: str) -> str:
    """A student's name as nbgrader, file systems and addresses can have it: "Zoë de l'Or" becomes "zoë_de_l_or"."""
    text = unicodedata.normalize("NFC", name).lower()
    return re.sub(r"[^\w.-]+", "_", text).strip("_.-")


def _named(path: str, notebooks: Sequence[str]) -> _Named | None:
    """What a path says, None where nothing; with an empty name where it is no student's file at all."""
    text = unicodedata.normalize("NFC", path)
    parts = PurePosixPath(text).parts
    for part in parts[:-1]:
        if match := _MOODLE_FOLDER.fullmatch(part):
            return _Named(path, match["name"], match["number"] or "", parts[-1])
    for part in parts:
        if _MOODLE_OTHER.fullmatch(part):
            return _Named(path, "", "", parts[-1])
        if match := _MOODLE_FLAT.fullmatch(part):
            return _Named(path, match["name"], match["number"] or "", match["file"] if part is parts[-1] else parts[-1])
        match = _CANVAS_ANONYMOUS.fullmatch(part) or _CANVAS.fullmatch(part)
        if match:
            file = match["file"] if part is parts[-1] else parts[-1]
            return _Named(path, match["name"], match["user"], file, int(match["upload"]), bool(match["late"]), True)
    if len(parts) > 1:
        return _Named(path, parts[0], "", parts[-1])
    stem = without_copy_marks(PurePosixPath(text).stem)
    for notebook in notebooks:
        rest = stem[: -len(notebook)] if stem.lower().endswith(notebook.lower()) else ""
        if rest.strip(_BETWEEN) and rest[-1] in _BETWEEN:
            return _Named(path, rest.strip(_BETWEEN), "", f"{notebook}{NOTEBOOK}")
    return None


def _students(by_student: dict[tuple[str, str], list[_Named]]) -> dict[tuple[str, str], str]:
    """A name for each student, the number in it where it stays or where it is needed."""
    namesakes = Counter(name for name, _ in by_student)
    found = {}
    for (name, number), files in by_student.items():
        with_number = bool(number) and (files[0].stays or not name or namesakes[name] > 1)
        found[name, number] = "_".join(filter(None, (name, number if with_number else ""))) or "nameless"
    return found


def _files(student: str, files: list[_Named], notebooks: Sequence[str]) -> tuple[dict[str, Place], list[str]]:
    """The places of one student's notebooks, and what is to be said about them."""
    mine = [file for file in files if file.file.lower().endswith(NOTEBOOK)]
    if not mine:
        return {}, [f"{student}: handed in no notebook, only {_listed([file.file for file in files])}."]
    said = [f"{student}: {file.file} was handed in late, says its name." for file in mine if file.late]
    places: dict[str, Place] = {}
    taken: set[str] = set()
    # The right name in the right place comes first, then the newest upload.
    for file in sorted(mine, key=lambda file: (file.file not in _wanted(notebooks), -file.upload, file.path)):
        name = _known_name(file.file, notebooks)
        name = file.file if name.lower() in taken else name
        if name.lower() in taken:
            said.append(f"{student}: {file.path} was left out, because another file has the same name.")
            if not file.stays and PurePosixPath(file.path).parts[0] == file.name:
                said.append(
                    f"If {file.name} holds files of several students, unpack it so that in the folder archive/ each "
                    "student has a folder."
                )
            continue
        taken.add(name.lower())
        places[file.path] = Place(student, name, file.late)
    return places, list(dict.fromkeys(said))


def _wanted(notebooks: Sequence[str]) -> set[str]:
    return {f"{name}{NOTEBOOK}" for name in notebooks}


def _known_name(file: str, notebooks: Sequence[str]) -> str:
    """ "masked_exp.ipynb" of "masked_exp-1.ipynb" and "Masked_exp (2).ipynb", if it is a notebook of the assignment."""
    stem = file[: -len(NOTEBOOK)]
    for name in notebooks:
        if stem.lower() == name.lower():
            return f"{name}{NOTEBOOK}"
    short = without_copy_marks(stem).lower()
    return next((f"{name}{NOTEBOOK}" for name in notebooks if short == name.lower()), file)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(name[:80] for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
