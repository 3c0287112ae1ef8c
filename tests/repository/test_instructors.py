"""Every command of INSTRUCTORS.md does what the text around it says."""

from __future__ import annotations

import csv
import os
import re
import shlex
import shutil
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import tools
from tests.nbgrader.course import make_course
from tests.nbgrader.test_class import run
from tests.repository.conftest import copy_tree
from tests.repository.test_readme import SHARED_EXCHANGE, a_student_submits, blocks, execute

TEXT = (tools.ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
SHELL = tuple(block for block in blocks(TEXT) if block.language == "sh")
ASSIGNMENT = "masked_exp"
NBGRADER, AUTOGRADER = ".venv/bin/nbgrader", ".venv/bin/python -m autograder"


def points(clone: Path) -> dict[str, tuple[float, float, float]]:
    """{student: (score, most, late penalty)} of grades.csv."""
    rows = csv.DictReader((clone / "grades.csv").open(encoding="utf-8"))
    return {
        row["student_id"]: (float(row["score"]), float(row["max_score"]), float(row["late_submission_penalty"]))
        for row in rows
        if row["assignment"] == ASSIGNMENT
    }


def just(clone: Path, line: str) -> None:
    execute(clone, line)


def run_trial_export(clone: Path, line: str) -> None:
    """Ada, with the instructor's notebooks, has all but what is given by hand; Ben, with untouched ones, nothing."""
    execute(clone, line)
    found = points(clone)
    assert set(found) >= {"ada", "ben"}
    assert found["ben"][0] == 0.0 < found["ada"][0] < found["ada"][1]
    tasks = found["ada"][1] - found["ada"][0]
    assert tasks == 2 * len(list((clone / "source" / ASSIGNMENT).glob("*.ipynb")))  # a question of 2 points in each


def run_overview(clone: Path, line: str) -> None:
    printed = execute(clone, line)
    assert re.match(r"\d+ graded: from 0 to ", printed)
    assert (clone / "grading" / f"{ASSIGNMENT}.html").is_file()


def run_feedback(clone: Path, line: str) -> None:
    execute(clone, line)
    pages = list((clone / "feedback").glob(f"*/{ASSIGNMENT}/*.html"))
    assert pages
    assert not any(re.search(r"<(script|link)[^>]+https?:", page.read_text(encoding="utf-8")) for page in pages)


def run_zip_collect(clone: Path, line: str) -> None:
    execute(clone, line)
    assert (clone / "submitted" / "ben" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").is_file()


def run_move(clone: Path, line: str) -> None:
    """A download, in a home folder of the test's own."""
    home = clone.parent / "home"
    (home / "Downloads").mkdir(parents=True)
    with zipfile.ZipFile(home / "Downloads" / f"PT-{ASSIGNMENT}-4711.zip", "w") as archive:
        for path in (clone / "release" / ASSIGNMENT).glob("*.ipynb"):
            archive.write(path, f"Ben_1234567_assignsubmission_file/{path.name}")
    execute(clone, f"HOME={shlex.quote(str(home))}; {line}")
    assert list((clone / "downloaded" / ASSIGNMENT / "archive").iterdir())


def run_collect(clone: Path, line: str) -> None:
    a_student_submits(clone)
    execute(clone, line)
    assert len(list((clone / "submitted").glob(f"*/{ASSIGNMENT}/timestamp.txt"))) == 1


def run_replay(clone: Path, line: str) -> None:
    assert ASSIGNMENT in execute(clone, line)


def run_devices(clone: Path, line: str) -> None:
    assert re.search(r"^cpu\s+every check\s+✓", execute(clone, line), flags=re.MULTILINE)


# How a test runs each command. `run_*` gets the copy of the tree and the line, and runs the line as it stands.
RUNS: dict[str, Callable[[Path, str], None]] = {
    f"{NBGRADER} generate_assignment {ASSIGNMENT}": just,
    f"mkdir -p submitted/ada/{ASSIGNMENT} submitted/ben/{ASSIGNMENT}": just,
    f"cp source/{ASSIGNMENT}/*.ipynb submitted/ada/{ASSIGNMENT}/": just,
    f"cp release/{ASSIGNMENT}/*.ipynb submitted/ben/{ASSIGNMENT}/": just,
    f"{AUTOGRADER} grade {ASSIGNMENT}": just,
    f"{AUTOGRADER} overview {ASSIGNMENT}": run_overview,
    f"{NBGRADER} generate_feedback {ASSIGNMENT}": run_feedback,
    f"{NBGRADER} export": run_trial_export,
    "rm -r submitted autograded feedback grading gradebook.db grades.csv": just,
    f"{NBGRADER} release_assignment {ASSIGNMENT}": just,
    f"mkdir -p downloaded/{ASSIGNMENT}/archive": just,
    f"mv ~/Downloads/*{ASSIGNMENT}*.zip downloaded/{ASSIGNMENT}/archive/": run_move,
    f"{NBGRADER} zip_collect {ASSIGNMENT}": run_zip_collect,
    f"{NBGRADER} collect {ASSIGNMENT}": run_collect,
    f"{NBGRADER} collect {ASSIGNMENT} --update": just,
    f"{AUTOGRADER} devices": run_devices,
    f'{NBGRADER} db assignment add {ASSIGNMENT} --duedate "2026-10-01 12:00:00 UTC"': just,
    f"{AUTOGRADER} grade {ASSIGNMENT} --force": just,
    f"{NBGRADER} release_feedback {ASSIGNMENT}": just,
    f"{AUTOGRADER} replay submitted/ben/{ASSIGNMENT}/{ASSIGNMENT}.ipynb gradient --exercise {ASSIGNMENT}": run_replay,
    "chmod 700 .": just,
    "make notebooks": just,
}


def test_every_command_has_a_run_and_every_run_a_command() -> None:
    assert {line for block in SHELL for line in block.lines} == set(RUNS)


def test_every_block_says_its_language() -> None:
    assert {block.language for block in blocks(TEXT)} == {"sh", "python"}


@pytest.fixture
def settled(root: Path, tmp_path: Path) -> Path:
    """A copy of the tree with an environment in which it is the one that is installed, as after `make lab`.

    With the borrowed environment of other tests, a sandbox's helper would import the tree under test instead.
    """
    folder = copy_tree(root, tmp_path / "lab")
    venv.create(folder / ".venv", symlinks=True)
    running, own = Path(sys.prefix), folder / ".venv"
    python = Path("lib") / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (own / python / "lab.pth").write_text(f"{folder}\n{running / python}\n")
    (own / "share").symlink_to(running / "share", target_is_directory=True)
    for script in (running / "bin").iterdir():
        if script.is_file() and not (own / "bin" / script.name).exists():
            head, _, rest = script.read_bytes().partition(b"\n")
            if head.startswith(b"#!") and b"python" in head:
                (own / "bin" / script.name).write_bytes(f"#!{own / 'bin' / 'python'}\n".encode() + rest)
                (own / "bin" / script.name).chmod(0o755)
    (own / "folder").write_bytes(os.fsencode(folder.resolve()))
    (own / "course").touch()
    (own / "dev").touch()
    return folder


@pytest.mark.long
def test_commands_run(settled: Path, outside: None) -> None:
    """All of them, from top to bottom, in one copy of the tree: a term in short."""
    if SHARED_EXCHANGE.is_dir():
        pytest.skip(f"{SHARED_EXCHANGE} exists: a test must not release to a real course")
    for block in SHELL:
        for line in block.lines:
            if line.endswith("export") and block is not SHELL[0]:
                just(settled, line)  # another class by now
            else:
                RUNS[line](settled, line)


def test_late_work_costs_what_the_page_says(tmp_path: Path) -> None:
    """Its block as it stands, in the configuration; somebody in time, a day late, two days late, two weeks late."""
    course = make_course(tmp_path / "course", ASSIGNMENT)
    [block] = [block for block in blocks(TEXT) if block.language == "python"]
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text() + "\n".join(block.lines) + "\n")
    for path in (course.root / "source" / ASSIGNMENT).glob("*.ipynb"):
        if path.stem != ASSIGNMENT:
            path.unlink()
    course.nbgrader("generate_assignment", ASSIGNMENT)
    [line] = [line for block in SHELL for line in block.lines if "--duedate" in line]
    course.nbgrader(*shlex.split(line)[1:])
    for student, time in {
        "ann": "2026-10-01 12:00:00 UTC",
        "ben": "2026-10-01 12:00:01 UTC",
        "cem": "2026-10-02 12:00:00 UTC",  # a day late to the second
        "dan": "2026-10-14 12:00:00 UTC",
        "eve": "",
    }.items():
        folder = course.root / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        shutil.copy(course.root / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", folder)
        if time:
            (folder / "timestamp.txt").write_text(time)
    run(course, "grade", ASSIGNMENT)
    course.nbgrader("export")
    found = points(course.root)
    full = found["eve"][0]
    assert full > 0
    assert {student: penalty for student, (_, _, penalty) in found.items()} == pytest.approx(
        {"ann": 0.0, "ben": full / 10, "cem": full / 10, "dan": full, "eve": 0.0}
    )


def test_paths_and_targets_named_in_the_text_exist() -> None:
    made_later = {"grades.csv", "gradebook.db", "exchange/", "submitted/", "autograded/", "feedback/", "grading/"}
    made_later |= {"downloaded/", "archive/", "dist/colab/", "grading/masked_exp.html", "feedback/ben/masked_exp/"}
    examples = {"ada.zip", "ada_masked_exp.ipynb", "ada/masked_exp.ipynb", "submitted/ada/masked_exp/", "timestamp.txt"}
    named = set(re.findall(r"`([\w./-]+(?:/|\.\w+))`", TEXT)) | {"README.md", "MAINTAINING.md"}
    named = {path for path in named if path.upper() != path and not path.startswith(("/", "."))}
    named = {path for path in named if "STUDENT" not in path and "ASSIGNMENT" not in path}
    assert [path for path in sorted(named - made_later - examples) if not (tools.ROOT / path).exists()] == []
    makefile = (tools.ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"`make ([a-z-]+)", TEXT))
    assert [one for one in sorted(targets) if not re.search(rf"^{one}:", makefile, flags=re.MULTILINE)] == []


def test_links_within_the_page_lead_somewhere() -> None:
    heads = {
        re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-")
        for head in re.findall(r"^#+ (.+)$", TEXT, flags=re.M)
    }
    links = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert len(links) > 5
    assert [link for link in links if link not in heads] == []
