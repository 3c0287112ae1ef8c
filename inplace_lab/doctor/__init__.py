"""The doctor: which line saved a tensor, which line changed it, and what to write instead, for any PyTorch program.

::

    with inplace_lab.diagnose() as diagnosis: ...          # an exception carries the diagnosis in its notes
    %load_ext inplace_lab                                  # then %%diagnose at the top of a cell
    python -m inplace_lab.doctor [--json] script.py [args]

What it cannot follow: the inside of a region that ``torch.compile`` compiled, of TorchScript and of C++ or Triton
kernels (a wrong gradient that these make is found only where it shows in what the doctor can see); processes that the
program starts, which are diagnosed by running the doctor in each of them; the maths itself, when it is not what was
meant; an assignment to ``t.real`` or ``t.imag``, which torch shows to nobody.
"""

from __future__ import annotations

from .finding import Change, Finding
from .places import Place
from .session import Diagnosis, SilentGradientWarning, diagnose

__all__ = ["Change", "Diagnosis", "Finding", "Place", "SilentGradientWarning", "diagnose"]
