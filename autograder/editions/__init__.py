"""The three editions of a lesson, and how two of them are built from the first.

    source/<assignment>/<notebook>.ipynb    the instructor edition, the only one that is edited
    release/<assignment>/<notebook>.ipynb   the student edition: `RELEASE`, then nbgrader's own generate_assignment
    notebooks/<notebook>.ipynb              the self-study edition: `SELF_STUDY`

Every edition starts from a normalised source (`NORMALISE`). A transform is a pure function from notebook to
notebook; each of the three names is the tuple of transforms in the order in which they are applied. Nothing here
imports nbgrader until an edition is built.
"""

from __future__ import annotations

from autograder.editions.build import Difference, EditionError, build, differences, normalise_sources
from autograder.editions.normal import NORMALISE, normalise
from autograder.editions.notebook import SET_UP, read, text_of, write
from autograder.editions.release import RELEASE, prepare_release
from autograder.editions.self_study import SELF_STUDY, self_study

__all__ = [
    "NORMALISE",
    "RELEASE",
    "SELF_STUDY",
    "SET_UP",
    "Difference",
    "EditionError",
    "build",
    "differences",
    "normalise",
    "normalise_sources",
    "prepare_release",
    "read",
    "self_study",
    "text_of",
    "write",
]
