"""Every command of README.md does what the text around it says."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import runpy
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import tools
from tests.repository.lab import free_port, running

README = (tools.ROOT / "README.md").read_text(encoding="utf-8")
SHARED_EXCHANGE = Path("/usr/local/share/nbgrader/exchange")


@dataclass(frozen=True)
class Block:
    """A fenced block: the heading it stands under, its language, its lines."""

    heading: str
    language: str
    lines: tuple[str, ...]


def blocks(text: str) -> tuple[Block, ...]:
    found, heading = [], ""
    for match in re.finditer(r"^#+ ([^\n]+)$|^```(\S*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        if match[1]:
            heading = match[1]
        else:
            found.append(Block(heading, match[2], tuple(match[3].splitlines())))
    return tuple(found)


SHELL = tuple(block for block in blocks(README) if block.language == "sh")


def execute(clone: Path, line: str) -> str:
    """Run one line of the README with the shell, as typed; what it printed."""
    result = subprocess.run(
        line, shell=True, cwd=clone, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
    )
    printed = result.stdout + result.stderr
    assert result.returncode == 0, f"{line} ended with code {result.returncode}:\n{printed}"
    return printed


def run_lab(clone: Path, line: str) -> None:
    make, *rest = shlex.split(line)
    assert rest == ["lab"]
    with running(tools.require(make), clone, f"PORT={free_port()}", timeout=120) as lab:
        assert lab.address.partition("?")[0].endswith("/lab/tree/notebooks/start_here.ipynb")
        status, body = lab.get("/api/contents/notebooks/start_here.ipynb?content=1")
        assert status == 200
        assert json.loads(body)["content"]["cells"]
        _, body = lab.get("/lab/api/settings/@jupyterlab/apputils-extension:notification")
        assert json.loads(body)["settings"] == {} or '"false"' in json.loads(body)["raw"]
        assert json.loads(body)["schema"]["properties"]["fetchNews"]["default"] == "false"


def run_test(clone: Path, line: str) -> None:
    """`make test` of one file: the whole would run this test again."""
    printed = execute(clone, f'{line} ARGS="tests/repository/test_versions.py"')
    assert re.search(r"\d+ passed", printed.strip().splitlines()[-1])


def run_notebooks(clone: Path, line: str) -> None:
    before = {path: path.read_bytes() for top in ("release", "notebooks") for path in (clone / top).rglob("*.ipynb")}
    assert before
    removed = next(iter(before))
    removed.unlink()
    execute(clone, line)
    assert {path: path.read_bytes() for path in before} == before


def run_validate(clone: Path, line: str) -> None:
    """An untouched notebook: nbgrader names the cells that are not done yet."""
    assert "The following cell failed" in execute(clone, line)


def run_generate(clone: Path, line: str) -> None:
    released = clone / "release/masked_exp/masked_exp.ipynb"
    before = released.read_bytes()
    execute(clone, line)
    assert released.read_bytes() == before


def run_release(clone: Path, line: str) -> None:
    execute(clone, line)
    assert (clone / "exchange/in_place_lab/outbound/masked_exp/masked_exp.ipynb").is_file()


def a_student_submits(clone: Path) -> None:
    """Fetch and submit in a folder of the student's own, with the same exchange."""
    home = clone.parent / "student"
    home.mkdir()
    exchange = str(clone / "exchange")
    (home / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'in_place_lab'\nc.Exchange.root = {exchange!r}\n"
    )
    for command in ("fetch_assignment", "submit"):
        execute(home, f"{shlex.quote(str(clone / '.venv/bin/nbgrader'))} {command} masked_exp")


def run_collect(clone: Path, line: str) -> None:
    a_student_submits(clone)
    execute(clone, line)
    assert len(list((clone / "submitted").glob("*/masked_exp/masked_exp.ipynb"))) == 1


def run_autograde(clone: Path, line: str) -> None:
    execute(clone, line)
    assert len(list((clone / "autograded").glob("*/masked_exp/masked_exp.ipynb"))) == 1


def run_feedback(clone: Path, line: str) -> None:
    execute(clone, line)
    [page] = (clone / "feedback").glob("*/masked_exp/masked_exp.html")
    assert "masked_exp_check" in page.read_text(encoding="utf-8")


def run_export(clone: Path, line: str) -> None:
    """An untouched notebook scores nothing, out of more than nothing."""
    execute(clone, line)
    rows = list(csv.DictReader((clone / "grades.csv").open(encoding="utf-8")))
    [row] = [row for row in rows if row["assignment"] == "masked_exp"]
    assert float(row["score"]) == 0.0 < float(row["max_score"])


# How a test runs each command. `run_*` gets the copy of the tree and the line, and runs the line as it stands.
RUNS: dict[str, Callable[[Path, str], None]] = {
    "make lab": run_lab,
    "make test": run_test,
    "make notebooks": run_notebooks,
    ".venv/bin/nbgrader validate release/saved_tensors/exp.ipynb": run_validate,
    ".venv/bin/nbgrader generate_assignment masked_exp": run_generate,
    ".venv/bin/nbgrader release_assignment masked_exp": run_release,
    ".venv/bin/nbgrader collect masked_exp": run_collect,
    ".venv/bin/nbgrader autograde masked_exp": run_autograde,
    ".venv/bin/nbgrader generate_feedback masked_exp": run_feedback,
    ".venv/bin/nbgrader export": run_export,
}


def test_every_command_has_a_run_and_every_run_a_command() -> None:
    lines = {line for block in SHELL for line in block.lines}
    assert lines == set(RUNS)


def test_every_block_says_its_language() -> None:
    assert {block.language for block in blocks(README)} == {"sh", "python"}


@pytest.mark.parametrize("block", SHELL, ids=lambda block: block.heading.replace(" ", "-"))
def test_commands_run(clone: Path, outside: None, block: Block) -> None:
    """The lines of a block run one after the other in one copy, since later ones build on earlier ones."""
    if any("release_assignment" in line for line in block.lines) and SHARED_EXCHANGE.is_dir():
        pytest.skip(f"{SHARED_EXCHANGE} exists: a test must not release to a real course")
    for line in block.lines:
        RUNS[line](clone, line)


def test_python_blocks_run(tmp_path: Path) -> None:
    printed = io.StringIO()
    for number, block in enumerate(blocks(README)):
        if block.language == "python":
            script = tmp_path / f"block_{number}.py"  # a file, since the doctor shows lines of it
            script.write_text("\n".join(block.lines), encoding="utf-8")
            with contextlib.redirect_stdout(printed):
                runpy.run_path(str(script), run_name="__main__")
    assert "ExpBackward0" in printed.getvalue() and "y = y + 1" in printed.getvalue()
    assert "loss.backward()" in printed.getvalue()
    assert "SigmoidBackward0 keeps root at version 0" in printed.getvalue()


def test_make_targets_named_in_the_text_exist(make: str) -> None:
    named = set(re.findall(r"`make ([a-z-]+)", README)) | {line[5:] for line in RUNS if line.startswith("make ")}
    listing = subprocess.run([make, "help"], cwd=tools.ROOT, capture_output=True, text=True, check=True).stdout
    assert named - set(re.findall(r"^make (\S+)", listing, flags=re.MULTILINE)) == set()


def test_paths_and_pictures_named_in_the_text_exist() -> None:
    made_later = {"grades.csv", "feedback/", ".venv"}  # by the commands beside which they are named
    named = set(re.findall(r"`([\w./-]+(?:/|\.\w+))`", README)) | set(re.findall(r"\]\(([^)#:]+)\)", README))
    assert len(named) > 8
    assert [path for path in sorted(named - made_later) if not (tools.ROOT / path).exists()] == []


def test_picture_has_words_for_those_who_cannot_see_it() -> None:
    pictures = re.findall(r"!\[([^\]]*)\]", README)
    assert pictures
    assert min(map(len, pictures)) > 60


@pytest.mark.parametrize("user", ["Student", "Instructor", "Self-learner", "Practitioner", "Maintainer"])
def test_each_user_finds_a_section_with_a_folder(user: str) -> None:
    section = re.search(rf"^## {user}\n(.*?)(?=^## |\Z)", README, flags=re.MULTILINE | re.DOTALL)
    assert section, f"README.md has no section for the {user.lower()}"
    folders = re.findall(r"`([a-z_]+)/", section[1])
    assert any((tools.ROOT / folder).is_dir() for folder in folders)
