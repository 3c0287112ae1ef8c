"""`make help` is complete, and a machine that cannot run the lab is told why in plain words."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.repository.lab import free_port, running


@pytest.fixture
def bare(root: Path, tmp_path: Path) -> Path:
    """A folder with what `make lab` reads first, at a path with spaces and letters beyond ASCII."""
    folder = tmp_path / "mon dossier é"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(root / name, folder)
    return folder


def run(make: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [make, "--no-print-directory", *arguments], cwd=folder, capture_output=True, text=True, timeout=60
    )


def python_of_version(folder: Path, version: str) -> str:
    """A program that says it is Python `version` and can do nothing else."""
    path = folder / f"python-{version}"
    path.write_text(f'#!/bin/sh\ncase "$2" in *print*) echo {version};; *) exit 1;; esac\n', encoding="utf-8")
    path.chmod(0o755)
    return f"./{path.name}"


def targets(root: Path) -> set[str]:
    """Targets that a person can ask for: the phony ones, without those that only serve another rule."""
    text = (root / "Makefile").read_text()
    return set(re.search(r"^\.PHONY: (.*)$", text, flags=re.MULTILINE)[1].split()) - {"again"}


def test_help_has_one_line_for_every_target(make: str, root: Path) -> None:
    lines = run(make, root, "help").stdout.splitlines()
    assert all(re.fullmatch(r"make [a-z-]+ +\S.*", line) for line in lines)
    assert sorted(line.split()[1] for line in lines) == sorted(targets(root))
    assert max(map(len, lines)) <= 110


def test_make_alone_shows_the_help(make: str, bare: Path) -> None:
    result = run(make, bare)
    assert result.returncode == 0
    assert result.stdout == run(make, bare, "help").stdout
    assert "make lab" in result.stdout


def test_every_target_is_phony(root: Path) -> None:
    text = (root / "Makefile").read_text()
    named = set(re.findall(r"^([a-z][a-z-]*):", text, flags=re.MULTILINE))
    assert named == targets(root)


def test_a_python_that_is_too_old_is_named(make: str, bare: Path) -> None:
    result = run(make, bare, "lab", f"PYTHON={python_of_version(bare, '3.9')}")
    assert result.returncode != 0
    assert "needs Python 3.11 or newer" in result.stderr
    assert "./python-3.9 is 3.9" in result.stderr
    assert "make lab PYTHON=" in result.stderr
    assert not (bare / ".venv").exists()


def test_no_python_at_all_is_said(make: str, bare: Path) -> None:
    result = run(make, bare, "test", "PYTHON=no-such-python")
    assert result.returncode != 0
    assert "none of them runs" in result.stderr
    assert "make test PYTHON=" in result.stderr


def test_a_python_without_venv_names_the_package(make: str, bare: Path) -> None:
    broken = bare / "python-broken"
    broken.write_text('#!/bin/sh\ncase "$1" in -m) exit 1;; esac\necho 3.12\n')
    broken.chmod(0o755)
    result = run(make, bare, "lab", "PYTHON=./python-broken")
    assert result.returncode != 0
    assert "python3-venv" in result.stderr
    assert not (bare / ".venv/course").exists()


REASONS = {
    "no network": (
        "WARNING: Retrying after connection broken by NewConnectionError",
        "The packages could not be fetched",
    ),
    "full disk": ("ERROR: Could not install packages: [Errno 28] No space left on device", "The disk is full"),
    "no right": ("ERROR: [Errno 13] Permission denied: '/x'", "A file could not be written"),
    "anything else": ("ERROR: No matching distribution", "pip's message above says what was missing"),
}


@pytest.mark.parametrize("reason", REASONS)
def test_an_installation_that_fails_says_why(make: str, bare: Path, outside: None, reason: str) -> None:
    said, sentence = REASONS[reason]
    python = bare / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\ncase "$*" in *install*) echo "{said}" > .venv/pip.log; exit 1;; esac\n')
    python.chmod(0o755)
    result = run(make, bare, "lab", "BROWSER=0")
    assert result.returncode != 0
    assert sentence in result.stderr
    assert "Nothing is lost" in result.stderr


@pytest.mark.long
def test_without_a_network_a_real_pip_is_understood(make: str, bare: Path, outside: None, monkeypatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{free_port()}/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    result = run(make, bare, "lab", "BROWSER=0", f"PYTHON={sys.executable}")
    assert "The packages could not be fetched" in result.stderr


def test_a_folder_that_cannot_be_written_is_said(make: str, bare: Path, require, outside: None) -> None:
    read_only = [require("bwrap"), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", make, "lab"]
    result = subprocess.run(read_only, cwd=bare, capture_output=True, text=True, timeout=60)
    assert result.returncode != 0
    assert "This folder cannot be written to" in result.stderr


def test_the_jupyter_of_another_environment_is_not_taken(
    make: str, clone: Path, tmp_path: Path, outside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a `jupyter` that stands first on PATH nor a kernel "python3" in the home folder."""
    others = tmp_path / "other" / "bin"
    others.mkdir(parents=True)
    for name in ("jupyter", "jupyter-lab", "python", "python3"):
        (others / name).write_text("#!/bin/sh\necho the wrong one; exit 1\n")
        (others / name).chmod(0o755)
    spec = {"argv": [str(others / "python")], "display_name": "Other", "language": "python"}
    kernel = tmp_path / "home" / ".local" / "share" / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("PATH", f"{others}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with running(make, clone, f"PORT={free_port()}", timeout=60) as lab:
        specs = json.loads(lab.get("/api/kernelspecs")[1])["kernelspecs"]
    assert "the wrong one" not in lab.printed
    assert specs["python3"]["spec"]["display_name"] != "Other"


def test_nothing_is_installed_twice(make: str, clone: Path, outside: None) -> None:
    for target in ("lab", "test", "bench", "notebooks", "colab", "lint"):
        assert "pip install" not in run(make, clone, "--dry-run", target).stdout, target


def test_where_the_course_is_published_reaches_the_build_as_it_was_typed(make: str, clone: Path, outside: None) -> None:
    """Nonsense is refused in a sentence, and no part of it is run by the shell."""
    result = run(make, clone, "notebooks", 'REPOSITORY=jane/"; touch it; "', "REF=v0.1.0")
    assert result.returncode != 0
    assert """REPOSITORY is 'jane/"; touch it; "', and should be the owner/name of a repository""" in result.stderr
    assert not (clone / "it").exists()


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_newer_requirement_installs_again(make: str, clone: Path, outside: None, name: str) -> None:
    later = time.time() + 60
    os.utime(clone / name, (later, later))
    for target in ("lab", "test"):
        assert "pip install" in run(make, clone, "--dry-run", target).stdout, target


def test_a_moved_folder_installs_again(make: str, clone: Path, outside: None) -> None:
    """An editable install points to the folder in which it was made; the old one would be imported in silence."""
    moved = clone.rename(clone.with_name("moved lab"))
    assert "pip install" in run(make, moved, "--dry-run", "lab").stdout


def test_a_port_that_is_taken_is_refused(make: str, clone: Path, outside: None) -> None:
    """A second lab on the port that was asked for ends at once; it does not move to a port nobody knows of."""
    port = free_port()
    with running(make, clone, f"PORT={port}", timeout=60):
        result = run(make, clone, "lab", "BROWSER=0", f"PORT={port}")
    assert result.returncode != 0
    assert f"port {port} is not available" in result.stdout + result.stderr
