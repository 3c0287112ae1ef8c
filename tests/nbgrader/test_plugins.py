"""The course's lists of preprocessors, its secret and the seeds made from it."""

from __future__ import annotations

import hashlib
import logging
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.converter import CourseAutograde, PlainCopies
from autograder.nbgrader_plugins import SandboxExecute, _named, _printable, course_secret, seed
from autograder.repair import Note
from tests.nbgrader.course import make_course


def _hmac_sha256(key: bytes, message: bytes) -> str:
    """RFC 2104, written out."""
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()


def test_a_seed_is_the_hmac_of_assignment_and_student() -> None:
    secret = bytes(range(32))
    assert seed(secret, "masked_exp", "Zoë") == _hmac_sha256(secret, "masked_exp/Zoë".encode())
    assert len({seed(secret, "a", "b"), seed(secret, "a", "c"), seed(secret, "b", "b"), seed(bytes(32), "a", "b")}) == 4


def test_the_secret_is_made_once_and_belongs_to_its_owner(tmp_path: Path) -> None:
    path = tmp_path / ".course_secret"
    secret = course_secret(path)
    assert len(secret) == 32
    assert course_secret(path) == secret
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_all_who_come_at_once_get_the_same_secret(tmp_path: Path) -> None:
    for number in range(20):
        path = tmp_path / str(number)
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(course_secret, [path] * 8))) == 1


def test_a_damaged_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / ".course_secret"
    path.write_bytes(b"short")
    with pytest.raises(ValueError, match=r"holds 5 bytes, expected 32. Put it back from a backup"):
        course_secret(path)


def test_only_autograde_may_run_a_submission() -> None:
    place = {"nbgrader": {"assignment": "a", "student": "s", "notebook": "n"}}
    with pytest.raises(RuntimeError, match="only inside nbgrader autograde"):
        SandboxExecute().preprocess(new_notebook(), place)


def test_the_log_quotes_a_submission_without_what_acts_on_a_terminal() -> None:
    source = "# \x1b]0;title\x07\r[AutogradeApp | INFO] ann: 10 of 10\nx = 1"
    assert _named(new_code_cell(source)) == 'the cell that begins with "# ]0;title"'
    note = Note('It was handed in as "a\x1b[2J\n[AutogradeApp | INFO] b.ipynb".')
    assert _printable(note).text == 'It was handed in as "a [2J [AutogradeApp | INFO] b.ipynb".'


def test_files_that_are_not_copied_are_named_on_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    source, dest = (tmp_path / step / "ann" / "lesson" for step in ("submitted", "autograded"))
    source.mkdir(parents=True)
    (source / "x\n[AutogradeApp | INFO] \x1b[2Jy.txt").symlink_to("/etc/hostname")
    (source / "data.csv").write_text("1")
    copies = CourseAutograde(coursedir=CourseDirectory(root=str(tmp_path)))
    copies.log = logging.getLogger("test")
    PlainCopies.init_assignment(copies, "lesson", "ann")
    assert [path.name for path in dest.iterdir()] == ["data.csv"]
    (record,) = caplog.records
    assert record.getMessage().endswith("because it is no plain file: x [AutogradeApp | INFO] [2Jy.txt")


def test_of_a_folder_that_is_a_link_nothing_is_copied(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "source" / "lesson").mkdir(parents=True)
    (tmp_path / "source" / "lesson" / "solution.csv").write_text("1")
    (tmp_path / "submitted" / "ann").mkdir(parents=True)
    (tmp_path / "submitted" / "ann" / "lesson").symlink_to(tmp_path / "source" / "lesson")
    copies = CourseAutograde(coursedir=CourseDirectory(root=str(tmp_path)))
    copies.log = logging.getLogger("test")
    PlainCopies.init_assignment(copies, "lesson", "ann")
    assert not (tmp_path / "autograded").exists()
    (record,) = caplog.records
    assert record.getMessage().endswith("submitted/ann/lesson: it is a link to another place.")


def test_our_lists_are_nbgraders_with_ours_in_their_places(tmp_path: Path) -> None:
    """When a new nbgrader adds a step, this says so."""
    course = make_course(tmp_path / "course")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config()
    ours = {"SandboxExecute": "Execute", "RestoreCells": "OverwriteCells"}

    def names(steps: list) -> list[str]:
        plain = [step.rpartition(".")[2] if isinstance(step, str) else step.__name__ for step in steps]
        return [ours.get(name, name) for name in plain]

    unused = ["IncludeHeaderFooter", "InstantiateTests"]  # the course has neither headers nor generated tests
    made = names(config.GenerateAssignment.preprocessors)
    assert [*unused, *made[1:]] == names(GenerateAssignment.preprocessors.default_args[0])
    assert made[0] == "PrepareRelease"
    sanitize = names(config.Autograde.sanitize_preprocessors)
    assert sanitize == ["RepairSubmission", *names(Autograde.sanitize_preprocessors.default_args[0])]
    autograde = names(config.Autograde.autograde_preprocessors)
    assert autograde == names(Autograde.autograde_preprocessors.default_args[0])
