"""What a submission tells is text; read, it may take thirty times as much memory, and that memory is the grader's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from autograder.nbgrader_plugins import RESPONSE_BYTES
from tests.hostile.submissions import CHECK, CORPUS
from tests.tools import ROOT

ATTACK = CORPUS / "memory_of_the_grader.py"
ALLOWED = RESPONSE_BYTES - 2**20
"""Of bytes that are read to their end; the attack itself sends more, and is ended."""
MOST = 500 * 2**20
"""Of memory beyond what an honest submission takes. Measured: 288 MiB; 775 MiB where all the attack sends is read."""

# In a process of its own, whose highest use of memory is nobody else's.
PROGRAM = """
import json, runpy, sys
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.coursedir import CourseDirectory
from autograder.converter import CourseAutograde
from autograder.nbgrader_plugins import SandboxExecute
from autograder.repair import Known
from autograder.sandbox import Warm

course, attack, name, fewer = sys.argv[1:]
source = 'from autograder import check\\ncheck("masked_exp", print)'
place = {"nbgrader": {"assignment": "a", "student": "ann", "notebook": "n"}}

def highest():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))

def graded(*before):
    meta = {"nbgrader": {"grade_id": name, "grade": True, "solution": False}}
    cells = [*map(new_code_cell, before), new_code_cell(source, metadata=meta)]
    nb, _ = SandboxExecute(parent=converter).preprocess(new_notebook(cells=cells), place)
    return nb.cells[-1].outputs[0].text

converter = CourseAutograde(coursedir=CourseDirectory(root=course))
converter.known = {"n": (Known(name, "code", source, True, locked=True, points=10.0),)}
with Warm("auto") as converter.warm:
    honest = graded()
    before = highest()
    attack = runpy.run_path(attack)["BEFORE"]
    hostile = graded(attack)
    read = graded(attack.replace("10_000_000", fewer))
print(json.dumps({"honest": honest, "hostile": hostile, "read": read, "more": highest() - before}))
"""


def test_messages_that_are_huge_as_objects_cost_little_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(ATTACK), CHECK, str(ALLOWED // len("[],"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["more"] < MOST, f"{seen['more'] / 2**20:.0f} MiB"
    assert "masked_exp(x, zero_at) returned None" in seen["honest"]
    assert "masked_exp(x, zero_at) returned None" in seen["read"]
    assert f"It sent more than {RESPONSE_BYTES // 2**20} MiB".casefold() in seen["hostile"].casefold()
