"""What an assignment imports late is known from its source, and true."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.late_imports import MENTIONED, late_imports

USES = {
    b"torch.optim": "torch.optim.SGD([torch.ones(1)], lr=1)",
    b"import clinic": "from inplace_lab import clinic; clinic.examine('gan step')",
}


@pytest.mark.parametrize("words", MENTIONED)
def test_what_is_mentioned_imports_it_and_nothing_before_does(words: bytes) -> None:
    code = f"import autograder.preload, sys, torch; before = {MENTIONED[words]!r} in sys.modules; {USES[words]}\n"
    code += f"print(before, {MENTIONED[words]!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False True", done.stderr


def test_assignments(root: Path) -> None:
    assert late_imports(root / "source" / "clinic") == ("torch._dynamo",)
    assert late_imports(root / "source" / "masked_exp") == late_imports(root / "no such folder") == ()
