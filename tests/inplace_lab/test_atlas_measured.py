"""The shipped atlas against the installed torch: a random choice of entries at each run, all of them in a long one."""

from __future__ import annotations

import random
import sys
import time

import pytest
import torch

from inplace_lab import atlas
from inplace_lab.atlas import measuring

CHOSEN = 60


def _plain(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.partition("+")[0].split(".")[:2])


@pytest.fixture(autouse=True)
def comparable() -> None:
    """A newer torch is compared, so that the test names what changed in it; an older one never had the same facts."""
    if _plain(torch.__version__) < _plain(atlas.version()):
        pytest.skip(f"the atlas was measured on torch {atlas.version()}; torch {torch.__version__} is older")


def changed(keys: list[tuple[str, str]]) -> list[str]:
    """What torch does otherwise than the atlas says, an operation a line."""
    shipped = {(entry.name, entry.variant): entry for entry in atlas.entries()}
    told = []
    for key in keys:
        now = measuring.measure_entry(key)
        then = shipped.get(key)
        if then is None:
            told.append(f"{now.title} is new")
        elif (now.samples, now.reason, now.seen) != (then.samples, then.reason, then.seen):
            told.append(f"{now.title}:\n{then}\n-- now:\n{now}")
    return told


def test_a_random_choice_is_as_the_atlas_says() -> None:
    seed = time.time_ns() % 10**6
    keys = random.Random(seed).sample(sorted(measuring.database()), CHOSEN)
    assert changed(keys) == [], f"seed {seed}; measure anew with: {sys.executable} -m inplace_lab.atlas measure"


@pytest.mark.long
def test_all_of_it_is_as_the_atlas_says() -> None:
    assert changed(sorted(measuring.database())) == []


def test_the_atlas_and_the_database_have_the_same_entries() -> None:
    assert {(entry.name, entry.variant) for entry in atlas.entries()} == set(measuring.database())


@pytest.mark.long
def test_processes_measure_the_same() -> None:
    keys = [("exp", ""), ("nn.functional.layer_norm", ""), ("argmax", "")]
    heard: list[str] = []
    found = measuring.measure_all(keys, 2, heard.append)
    assert [entry.name for entry in found] == sorted(name for name, _ in keys)
    assert sorted(heard) == sorted(name for name, _ in keys)
    assert [entry.samples for entry in found] == [atlas.lookup(entry.title).samples for entry in found]
