"""Which files of a submission are taken along, and which of them a notebook finds beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from autograder import submitted_files
from autograder.nbgrader_plugins import beside
from autograder.submitted_files import MOST_FILES, plain_files


def _write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_plain_files_and_no_others(tmp_path: Path) -> None:
    _write(tmp_path, a="1", b__c="2", skip="3", no__d="4")
    (tmp_path / "link").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe")
    found = plain_files(tmp_path, ["sk*", "no"])
    assert [path.as_posix() for path in found.files] == ["a", "b/c"]
    assert [path.as_posix() for path in found.others] == ["link", "pipe"]
    assert not found.more
    assert plain_files(tmp_path / "nowhere", []) == submitted_files.Found()


def test_the_search_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        _write(tmp_path, **{f"{number}__x": ""})
    assert plain_files(tmp_path, [], 4).more
    assert not plain_files(tmp_path, [], 5).more
    monkeypatch.setattr(submitted_files, "MOST_FOLDERS", 3)
    assert plain_files(tmp_path, []).more


def _course(root: Path) -> CourseDirectory:
    return CourseDirectory(root=str(root))


def test_many_files_are_cut_off_with_a_note(tmp_path: Path) -> None:
    folder = tmp_path / "submitted" / "ann" / "lesson"
    folder.mkdir(parents=True)
    for number in range(MOST_FILES + 10):
        (folder / str(number)).touch()
    _write(tmp_path / "source" / "lesson", mine="1")
    files, notes = beside(_course(tmp_path), "lesson", "ann", "lesson.ipynb")
    assert len(files) == MOST_FILES
    assert files["mine"] == b"1"
    assert [note.text for note in notes] == [
        "There are more than 2000 files or folders; the rest was not there when the notebook ran."
    ]


def test_the_instructors_files_win_over_names_in_their_way(tmp_path: Path) -> None:
    submitted = tmp_path / "submitted" / "ann" / "lesson"
    _write(tmp_path / "source" / "lesson", data__x="instructor", plain="instructor")
    _write(submitted, plain__y="student", sub__data="student", other__z="student", sub__other="nearer")
    files, notes = beside(_course(tmp_path), "lesson", "ann", "sub/lesson.ipynb")
    assert files == {
        "data/x": b"instructor",
        "plain": b"instructor",
        "other": b"nearer",
        "sub/data": b"student",
        "sub/other": b"nearer",
    }
    assert [note.text.split(" has ")[0] for note in notes] == ["The file data", "The file other/z", "The file plain/y"]


def test_notes_quote_names_without_what_acts_on_a_terminal(tmp_path: Path) -> None:
    large = tmp_path / "submitted" / "ann" / "lesson" / "x\n[INFO] \x1b[2Jy"
    large.parent.mkdir(parents=True)
    with large.open("wb") as file:
        file.truncate(100 * 2**20)
    _, notes = beside(_course(tmp_path), "lesson", "ann", "lesson.ipynb")
    assert [note.text for note in notes] == [
        "The file x [INFO] [2Jy is too large, and was not there when the notebook ran."
    ]
