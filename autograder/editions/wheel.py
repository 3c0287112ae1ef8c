"""The lab as a wheel, built by pip and setuptools from a clean copy: the same files give the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import autograder
from autograder.editions.notebook import EditionError

FILES = ("pyproject.toml", "README.md", "LICENSE")
PACKAGES = ("inplace_lab", "autograder")
_LEFT_BEHIND = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", ".*")
_TIME = "315532800"  # 1980-01-01, the first moment that a zip file can hold


@dataclass(frozen=True)
class Wheel:
    """A wheel: its file name and its bytes."""

    name: str
    content: bytes

    @property
    def version(self) -> str:
        return self.name.split("-")[1]


def build_wheel() -> Wheel:
    """Build the wheel of the lab that is running now. Takes seconds and needs no network.

    Raises EditionError where this Python does not run it from a copy of the repository, or the build fails.
    """
    home = Path(autograder.__file__).resolve().parents[1]
    if lacking := [name for name in FILES if not (home / name).is_file()]:
        raise EditionError(
            f"{home} has no {lacking[0]}: a wheel is built from a copy of the repository; "
            "change into one and run `make colab`."
        )
    with tempfile.TemporaryDirectory() as folder:
        tree, out = Path(folder, "tree"), Path(folder, "out")
        tree.mkdir()
        for name in FILES:
            shutil.copyfile(home / name, tree / name)
        for name in PACKAGES:
            shutil.copytree(home / name, tree / name, ignore=_LEFT_BEHIND, copy_function=shutil.copyfile)
        for path in tree.rglob("*"):  # a wheel notes who may read its files, and that differs with the umask
            path.chmod(0o755 if path.is_dir() else 0o644)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
        command += ["--disable-pip-version-check", "--wheel-dir", str(out), str(tree)]
        environment = os.environ | {"SOURCE_DATE_EPOCH": _TIME}
        umask = 0o022 if os.name == "posix" else -1
        done = subprocess.run(command, env=environment, umask=umask, capture_output=True, text=True)
        found = sorted(out.glob("*.whl"))
        if done.returncode or len(found) != 1:
            reason = (done.stderr or done.stdout).strip().rpartition("\n")[2]
            raise EditionError(f"the wheel could not be built ({reason}): run `make notebooks`, then try again.")
        return Wheel(found[0].name, found[0].read_bytes())
