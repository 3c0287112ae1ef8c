"""A skip is honest on a laptop and a failure under CI; every marker does what pyproject.toml says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tools

SAMPLE = """
import pytest
from tests.tools import require

def test_has_it():
    assert require("python-of-this-test").endswith("python-of-this-test")

def test_lacks_it():
    require("no-such-tool")

def test_skips_by_hand():
    pytest.skip("no browser")

@pytest.mark.hardware
def test_waits_for_hardware():
    pytest.skip("no such chip")

@pytest.mark.xfail(strict=True)
def test_expected():
    assert False
"""

WHOLE_FILE = """
import pytest
pytest.skip("nothing here runs", allow_module_level=True)
"""


def outcome(folder: Path, source: str, ci: str) -> tuple[str, dict[str, int]]:
    """Run pytest with this project's rules on `source`; its output and the counts of its last line."""
    test_file = folder / "test_sample.py"
    test_file.write_text(source)
    tool = folder / "python-of-this-test"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment |= {"CI": ci, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-ra", "-o", f"cache_dir={folder}/cache"]
    command += ["-c", str(tools.ROOT / "pyproject.toml"), "--rootdir", str(folder), str(test_file)]
    run = subprocess.run(
        command, cwd=tools.ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    last = run.stdout.strip().splitlines()[-1]
    return run.stdout, {word.rstrip("s"): int(count) for count, word in re.findall(r"(\d+) ([a-z]+)", last)}


def test_on_a_laptop_a_missing_tool_skips_with_its_reason(tmp_path: Path) -> None:
    text, counts = outcome(tmp_path, SAMPLE, ci="")
    assert counts == {"passed": 1, "skipped": 3, "xfailed": 1}
    assert "needs no-such-tool, which is not on this machine" in text


def test_under_ci_a_missing_tool_fails(tmp_path: Path) -> None:
    text, counts = outcome(tmp_path, SAMPLE, ci="true")
    assert counts == {"passed": 1, "failed": 2, "skipped": 1, "xfailed": 1}
    assert "needs no-such-tool, which is not on this machine" in text
    assert "skipped under CI=true: no browser" in text


def test_under_ci_a_file_that_skips_itself_is_an_error(tmp_path: Path) -> None:
    text, counts = outcome(tmp_path, WHOLE_FILE, ci="true")
    assert counts == {"error": 1}
    assert "skipped under CI=true: nothing here runs" in text


def test_under_ci_every_tool_is_here() -> None:
    absent = [tool for tool, (names, _) in tools.TOOLS.items() if not any(map(tools.shutil.which, names))]
    if absent and not tools.under_ci():
        pytest.skip(f"not on this machine: {', '.join(absent)}")
    assert not absent
