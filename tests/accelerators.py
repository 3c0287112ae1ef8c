"""The devices beside the CPU that tests run on: the simulated one everywhere, a CUDA device where there is one."""

from __future__ import annotations

import pytest

ACCELERATORS = ("simgpu", pytest.param("cuda:0", marks=pytest.mark.cuda))
