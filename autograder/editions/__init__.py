"""The editions of a lesson, and how the others are built from the first.

    source/<assignment>/<notebook>.ipynb    the instructor edition, the only one that is edited
    release/<assignment>/<notebook>.ipynb   the student edition: `RELEASE`, then nbgrader's own generate_assignment
    notebooks/<notebook>.ipynb              the self-study edition: `SELF_STUDY`, and stills of what its cells show
    dist/colab/<notebook>.ipynb             the same with the lab inside, for Colab and mail: `COLAB`; not committed

Every edition starts from a normalised source (`NORMALISE`). A transform is a pure function from notebook to
notebook; each of the four names is the tuple of transforms in the order in which they are applied. Nothing here
imports nbgrader until an edition is built.
"""

from __future__ import annotations

from autograder.editions.build import Difference, EditionError, build, build_colab, differences, normalise_sources
from autograder.editions.colab import COLAB, colab
from autograder.editions.normal import NORMALISE, normalise
from autograder.editions.notebook import SET_UP, read, text_of, write
from autograder.editions.published import Publication, publish, published
from autograder.editions.release import RELEASE, prepare_release
from autograder.editions.self_study import SELF_STUDY, self_study

__all__ = [
    "COLAB",
    "NORMALISE",
    "RELEASE",
    "SELF_STUDY",
    "SET_UP",
    "Difference",
    "EditionError",
    "Publication",
    "build",
    "build_colab",
    "colab",
    "differences",
    "normalise",
    "normalise_sources",
    "prepare_release",
    "publish",
    "published",
    "read",
    "self_study",
    "text_of",
    "write",
]
