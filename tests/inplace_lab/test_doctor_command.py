"""`python -m inplace_lab.doctor script.py` and the cell magic."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FAULTY = """
import sys, torch
print(__name__, sys.argv[1:])
inputs = torch.ones(2, requires_grad=True)
grown = inputs.exp()
for turn in range(2):
    grown += turn + 1
grown.sum().backward()
"""


def run(
    folder: Path, script: str, *arguments: str, options: tuple[str, ...] = ("--json",)
) -> subprocess.CompletedProcess:
    path = folder / "train.py"
    path.write_text(script, encoding="utf-8")
    command = [sys.executable, "-m", "inplace_lab.doctor", *options, str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_object_and_report(tmp_path: Path) -> None:
    ended = run(tmp_path, FAULTY, "--lr", "3")
    first, last = ended.stdout.splitlines()
    assert first == "__main__ ['--lr', '3']"
    said = json.loads(last)
    assert list(said) == ["kind", "exception", "node", "saved_at", "changed_at", "versions", "advice", "fix"]
    path = str(tmp_path / "train.py")
    assert said["saved_at"] == {"file": path, "line": 5, "code": "grown = inputs.exp()"}
    assert said["changed_at"] == [{"file": path, "line": 7, "code": "grown += turn + 1", "by": "add_"}]
    assert said["versions"] == {"expected": 0, "found": 2}
    assert (said["kind"], said["node"], said["fix"]) == ("saved", "ExpBackward0", "grown = grown + (turn + 1)")
    assert ended.returncode == 1
    assert "Traceback (most recent call last):" in ended.stderr
    assert "train.py:7   grown += turn + 1" in ended.stderr
    assert "doctor/" not in ended.stderr.partition("In-Place Lab")[0]


@pytest.mark.parametrize(
    ("ending", "code"), [("sys.exit(3)", 3), ("sys.exit()", 0), ("sys.exit('no')", 1), ("pass", 0)]
)
def test_exit_code_is_the_scripts_own(tmp_path: Path, ending: str, code: int) -> None:
    ended = run(tmp_path, f"import sys\n{ending}\n", options=("--output", str(tmp_path / "said.json")))
    assert ended.returncode == code
    assert ended.stdout == ""
    assert json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))["kind"] == "none"


def test_no_such_script() -> None:
    command = [sys.executable, "-m", "inplace_lab.doctor", "nowhere.py"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 2
    assert ended.stderr == "There is no script 'nowhere.py': name a Python file that exists.\n"


@pytest.fixture
def shell():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "inplace_lab")
    yield shell
    shell.history_manager.end_session()


def test_magic_shows_the_cell_with_its_lines_marked(shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from inplace_lab.doctor import magic

    shown = []
    monkeypatch.setattr(magic, "display", shown.append)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        magic.run(
            shell, "import torch\nx = torch.ones(2, requires_grad=True)\ny = x.exp()\ny += 1\ny.sum().backward()\n"
        )
    (diagnosis,) = shown
    assert [diagnosis.saved_at.code, diagnosis.changed_at[0].place.code] == ["y = x.exp()", "y += 1"]
    page = diagnosis._repr_html_()
    for part in (">saved</b>", ">changed</b>", "y.sum().backward()", "y = y + 1"):
        assert part in page


def test_magic_leaves_names_and_value(shell) -> None:
    ran = shell.run_cell("%%diagnose\nimport torch\nkept = torch.ones(2)\nkept.sum()")
    assert ran.success
    assert shell.user_ns["kept"].tolist() == [1.0, 1.0]
