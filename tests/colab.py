"""Environments with Colab's packages, in which nothing of this project is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from tests import tools
from tests.tools import ROOT

PINS = {"": ROOT / "tests" / "colab.txt", "3.13": ROOT / "tests" / "colab-3.13.txt"}
"""Python version ("" is the one that runs the tests) -> its pins"""

EXECUTE = """
import importlib.metadata, json, socket, sys, nbformat
from nbclient import NotebookClient

def packages():
    return {one.name: one.version for one in importlib.metadata.distributions()}

told = {"interfaces": [name for _, name in socket.if_nameindex()], "before": packages(), "notebooks": []}
for path in sys.argv[1:]:
    nb = nbformat.read(path, 4)
    NotebookClient(nb, timeout=120, kernel_name="python3").execute()
    told["notebooks"].append(nb)
print(json.dumps(told | {"after": packages()}))
"""


def python(version: str = "") -> Path:
    """An environment's interpreter; made at the first call, and again when the pins change.

    `version` is a key of PINS; the test skips, with the reason, where no such Python is found.
    """
    pins = PINS[version]
    folder = ROOT / "build" / pins.stem
    interpreter, stamp = folder / "bin" / "python", folder / "pins"
    wanted = pins.read_text(encoding="utf-8")
    folder.parent.mkdir(exist_ok=True)
    with FileLock(f"{folder}.lock"):  # two test processes may ask at once
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
            base = find_python(version) if version else Path(sys.executable)
            subprocess.run([str(base), "-m", "venv", "--clear", str(folder)], check=True)
            subprocess.run([str(interpreter), "-m", "pip", "install", "--quiet", "-r", str(pins)], check=True)
            stamp.write_text(wanted, encoding="utf-8")
    return interpreter


def find_python(version: str) -> Path:
    """A Python of this version on PATH, or among those of pyenv and uv; the test skips where there is none."""
    for candidate in _candidates(version):
        said = subprocess.run([candidate, "-c", "import ssl, venv, sys; print(sys.version)"], capture_output=True)
        if said.returncode == 0 and said.stdout.decode().startswith(f"{version}."):
            return Path(candidate)
    tools.missing(f"found no Python {version} (looked on PATH and among the Pythons of pyenv and uv)")


def _candidates(version: str) -> Iterator[str]:
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob(f"versions/{version}*/bin/python")))
    yield from map(str, sorted((Path.home() / ".local/share/uv/python").glob(f"cpython-{version}*/bin/python")))


def fresh(interpreter: Path, folder: Path) -> Path:
    """A new environment in `folder` that sees the packages of another one; what is installed into it stays in it."""
    subprocess.run([str(interpreter), "-m", "venv", "--without-pip", str(folder)], check=True)
    place = "import sysconfig; print(sysconfig.get_path('purelib'))"
    theirs, ours = (
        subprocess.run([str(one), "-c", place], check=True, capture_output=True, text=True).stdout.strip()
        for one in (interpreter, folder / "bin" / "python")
    )
    Path(ours, "colab.pth").write_text(f"{theirs}\n", encoding="utf-8")
    return folder / "bin" / "python"


def execute(interpreter: Path, packages: Path, folder: Path, *notebooks: Path) -> dict:
    """Run notebooks, one after the other, each on a fresh kernel; returns what `EXECUTE` prints.

    Only `folder` can be written and is a home to the run; of the repository only `packages` is there, and where
    bubblewrap is installed there is no network.
    """
    command = [str(interpreter), "-W", "ignore", "-c", EXECUTE, *map(str, notebooks)]
    hidden = ("PYTHON", "JUPYTER", "PIP", "INPLACE_LAB", "NBGRADER")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    environment |= {"HOME": str(folder), "JUPYTER_DATA_DIR": str(folder / "data")}
    environment["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else each kernel complains on standard error
    if bwrap := shutil.which("bwrap"):
        walls = ["--unshare-net", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        walls += ["--tmpfs", str(ROOT), "--ro-bind", str(packages), str(packages)]
        command = [bwrap, *walls, "--bind", str(folder), str(folder), *command]
    else:
        print("bubblewrap is not installed: the network is not cut off")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
