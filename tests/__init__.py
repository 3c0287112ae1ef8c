"""Tests; a package, so that `python -m tests.bench` finds this folder and no other `tests`."""
