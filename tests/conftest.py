"""Shared by all tests: one thread for each process, what to do where a tool is missing, where things are."""

from __future__ import annotations

import os

# Before anything imports torch: two test processes share two cores. Kernels that a test starts inherit this.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable, Generator  # noqa: E402
from pathlib import Path  # noqa: E402

import hypothesis  # noqa: E402
import pytest  # noqa: E402

import inplace_lab  # noqa: E402
from inplace_lab import simgpu  # noqa: E402
from tests import tools  # noqa: E402

# As a notebook's first cell does, and beside a real GPU too: the simulated device must be there before any test runs a
# backward.
inplace_lab.setup()
if simgpu.available().available:
    simgpu.enable()

# No deadline: a loaded machine is no counter-example.
hypothesis.settings.register_profile("project", deadline=None)
hypothesis.settings.load_profile("project")

MAY_SKIP = ("cuda", "hardware")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's top folder."""
    return tools.ROOT


@pytest.fixture(scope="session")
def require() -> Callable[[str], str]:
    """`require("chromium")` is the tool's path; without the tool the test skips, or fails under CI."""
    return tools.require


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the system's Chromium or Chrome."""
    return tools.require("chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test marked `cuda` runs where there is such a device and says so where there is none."""
    marked = [item for item in items if item.get_closest_marker("cuda")]
    if not marked:
        return
    import torch

    if not torch.cuda.is_available():
        for item in marked:
            item.add_marker(pytest.mark.skip(reason="no CUDA device on this machine"))


def _reason(longrepr: object) -> str:
    return str(longrepr[2] if isinstance(longrepr, tuple) else longrepr).removeprefix("Skipped: ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI a skip is a failure, unless the test is marked as one that waits for hardware."""
    report = yield
    expected = hasattr(report, "wasxfail") or any(item.get_closest_marker(name) for name in MAY_SKIP)
    if report.skipped and tools.under_ci() and not expected:
        report.outcome = "failed"
        report.longrepr = f"skipped under CI=true: {_reason(report.longrepr)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file that skips itself."""
    report = yield
    if report.skipped and tools.under_ci():
        report.outcome = "failed"
        report.longrepr = f"skipped under CI=true: {_reason(report.longrepr)}"
    return report
