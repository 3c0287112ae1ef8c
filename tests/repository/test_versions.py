"""pyproject.toml says what is needed, constraints.txt pins it, environment.yml gives conda users the same."""

from __future__ import annotations

import platform
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

import inplace_lab

# conda-forge's name where it differs from the Python package index's.
CONDA_NAMES = {"torch": "pytorch"}


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, Version]:
    """Version of each package in constraints.txt, by canonical name."""
    lines = [line for line in (root / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    parts = [line.split("==") for line in lines if line]
    assert all(len(part) == 2 for part in parts), "every line of constraints.txt is NAME==VERSION"
    found = {canonicalize_name(name): Version(version) for name, version in parts}
    assert len(found) == len(parts), "a package is pinned twice"
    return found


@pytest.fixture(scope="module")
def conda(root: Path) -> dict[str, str]:
    """Version range of each conda dependency in environment.yml, by name ('' where there is none)."""
    lines = yaml.safe_load((root / "environment.yml").read_text())["dependencies"]
    found = {}
    for line in lines:
        if isinstance(line, str):
            name, _, versions = line.partition(" ")
            found[name] = versions
    return found


def direct(project: dict, *extras: str) -> list[Requirement]:
    lines = project["dependencies"] + [
        line for extra in extras for line in project["optional-dependencies"][extra]
    ]
    return [Requirement(line) for line in lines]


def test_base_dependencies_are_what_a_notebook_imports_and_no_more(project: dict) -> None:
    assert {str(one) for one in direct(project)} == {"torch>=2.10", "matplotlib", "ipywidgets>=7.7"}


def test_every_dependency_gives_its_reason(root: Path) -> None:
    text = (root / "pyproject.toml").read_text()
    blocks = re.findall(r"^(?:dependencies|course|cluster|dev) = \[\n(.*?)^\]", text, flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) == 4
    lines = [line for block in blocks for line in block.splitlines()]
    assert [line for line in lines if not re.search(r",  # \w", line)] == []


def test_pins_satisfy_pyproject(project: dict, pins: dict[str, Version]) -> None:
    for one in direct(project, "course", "cluster", "dev"):
        assert pins[canonicalize_name(one.name)] in one.specifier, f"{one} against constraints.txt"
    assert pins["torch"] == Version("2.13.0")


def closure(name: str, extras: frozenset[str], seen: dict[tuple[str, frozenset[str]], str]) -> None:
    """Add to `seen` what `name` with `extras` needs here, at the version that is installed."""
    key = (canonicalize_name(name), extras)
    if key in seen:
        return
    distribution = metadata.distribution(name)
    seen[key] = distribution.version
    for line in distribution.requires or ():
        needed = Requirement(line)
        environments = [{"extra": extra} for extra in sorted(extras) or [""]]
        if needed.marker is None or any(needed.marker.evaluate(one) for one in environments):
            closure(needed.name, frozenset(needed.extras), seen)


def test_whole_set_up_is_pinned_and_is_what_is_installed(pins: dict[str, Version]) -> None:
    seen: dict[tuple[str, frozenset[str]], str] = {}
    closure("inplace-lab", frozenset({"course", "cluster", "dev"}), seen)
    installed = {name: Version(version) for (name, _), version in seen.items()}
    del installed["inplace-lab"]
    # CUDA builds of torch bring their own libraries, each pinned by torch itself.
    libraries = tuple(name for name in installed if name.startswith(("nvidia-", "cuda-")) or name == "triton")
    ours = {name: version for name, version in installed.items() if name not in libraries}
    assert len(ours) > 80
    unpinned = sorted(name for name in ours if name not in pins)
    assert not unpinned, f"constraints.txt lacks {unpinned}"
    # A local part (+cpu) names a build, not another release.
    other = {name: str(version) for name, version in ours.items() if Version(version.public) != pins[name]}
    assert not other, f"installed differently from constraints.txt: {other}; mend it with `make clean test`"


def test_every_pin_is_needed_somewhere(pins: dict[str, Version]) -> None:
    """A line that nothing asks for here is stale, unless another system or Python asks for it."""
    elsewhere = {"appnope", "colorama", "pywinpty"}  # macOS, Windows
    elsewhere |= {"overrides", "importlib-metadata", "lazy-importer", "zipp"}  # Python 3.11
    seen: dict[tuple[str, frozenset[str]], str] = {}
    closure("inplace-lab", frozenset({"course", "cluster", "dev"}), seen)
    assert sorted(set(pins) - {name for name, _ in seen} - elsewhere) == []


def specifier(conda_range: str) -> SpecifierSet:
    """A conda range as Python writes it: `0.9.*` means `==0.9.*`."""
    text = conda_range.strip()
    return SpecifierSet(f"=={text}" if text[:1].isdigit() else text)


def test_conda_environment_has_the_course_at_the_same_ranges(project: dict, conda: dict[str, str]) -> None:
    needed = {CONDA_NAMES.get(one.name, one.name): one.specifier for one in direct(project, "course")}
    needed["python"] = SpecifierSet(project["requires-python"])
    assert {name: specifier(text) for name, text in conda.items() if name != "pip"} == needed
    assert "pip" in conda


def test_conda_ranges_admit_what_is_pinned(conda: dict[str, str], pins: dict[str, Version]) -> None:
    names = {conda_name: name for name, conda_name in CONDA_NAMES.items()}
    for name, text in conda.items():
        if name in ("python", "pip"):
            continue
        assert pins[names.get(name, name)] in specifier(text), name
    assert Version(platform.python_version()) in specifier(conda["python"])


def test_conda_installs_this_folder_with_pip_and_nothing_else(root: Path) -> None:
    environment = yaml.safe_load((root / "environment.yml").read_text())
    assert [line for line in environment["dependencies"] if isinstance(line, dict)] == [{"pip": ["-e ."]}]
    assert environment["channels"] == ["conda-forge", "nodefaults"]


def test_the_package_says_its_own_version(project: dict) -> None:
    assert inplace_lab.__version__ == project["version"]
