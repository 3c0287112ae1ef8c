"""Every self-study notebook runs with the packages that Colab ships, and earns there what it earns here."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests import colab
from tests.tools import ROOT

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("colab")]

EXECUTE = """
import json, sys, nbformat
from nbclient import NotebookClient
nb = nbformat.read(sys.argv[1], 4)
NotebookClient(nb, timeout=120, kernel_name="python3").execute()
print(json.dumps(nb))
"""


def execute(name: str) -> dict:
    done = subprocess.run(
        [str(colab.python()), "-W", "ignore", "-c", EXECUTE, str(ROOT / "notebooks" / name)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb")))
def test_it_runs_with_colabs_packages(name: str) -> None:
    nb = execute(name)
    outputs = [(cell, output) for cell in nb["cells"] for output in cell.get("outputs", [])]
    assert [output for _, output in outputs if output["output_type"] == "error"] == []
    assert [output["text"] for _, output in outputs if output.get("name") == "stderr"] == []
    checks = [o for cell, o in outputs if "check(" in "".join(cell["source"]) and o["output_type"] == "execute_result"]
    assert all(output["data"]["text/plain"] == "0.0" for output in checks), "an untouched stub earns nothing"
    explorers = [o for cell, o in outputs if "Explorer(" in "".join(cell["source"]) and "data" in o]
    assert len(explorers) == sum("Explorer(" in "".join(c["source"]) for c in nb["cells"] if c["cell_type"] == "code")
    for output in explorers:
        assert "application/vnd.jupyter.widget-view+json" in output["data"]
        assert "<img alt=" in "".join(output["data"]["text/html"])
