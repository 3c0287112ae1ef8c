"""Decide the points: a challenge from its seed, and what a payload says to it. Runs where no student code ever ran.

What a forged payload can earn at most: everything, if it holds the right numbers, since points are given for numbers
and for claims. Verify recomputes the numbers from a challenge that the payload cannot choose, so a forger has to
compute the exercise's answers himself (which is the exercise); the claims (version counters, "input not written to")
are the part that he gets without, and each exercise's docstring says how many points they are.

A practising student's seed is random. A graded one comes from the environment variable INPLACE_LAB_SEED, which the
grader derives from a course secret, the assignment and the student, and from the exercise's name.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import random
import secrets
from collections.abc import Mapping

from autograder import exercises
from autograder.exercises import Exercise
from autograder.exercises.kit.modes import as_in_a_fresh_python
from autograder.report import FAILED, Case, Report

MOST_CHARACTERS = 4_000_000
SEED_VARIABLE = "INPLACE_LAB_SEED"


def seed_for(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """The seed of one check of the exercise `name`: derived when graded, random in practice. 16 hexadecimal digits."""
    given = environment.get(SEED_VARIABLE, "").strip()
    if not given:
        return secrets.token_hex(8)
    return hmac.new(given.encode(), name.encode(), hashlib.sha256).hexdigest()[:16]


def challenge_for(exercise: Exercise, seed: str) -> dict:
    """The challenge of that seed: plain JSON data, the same in every process."""
    return exercise.challenge(random.Random(f"{exercise.name}/{seed}"))


def judge(name: str, seed: str, payload_json: str) -> Report:
    """The report on a payload.

    Args:
        name: the exercise.
        seed: of this check, as `seed_for` gave it.
        payload_json: what `collect` returned, as JSON text. Untrusted.

    Raises:
        ValueError: there is no such exercise. Nothing else: whatever is wrong with the payload costs its points, with a
            reason.
    """
    exercise = exercises.get(name)
    seed = str(seed)
    try:
        payload = _parse(payload_json)
    except _Unusable as error:
        return refused(exercise, seed, str(error))
    try:
        with as_in_a_fresh_python():
            challenge = challenge_for(exercise, seed)
            cases, notes = exercise.verify(challenge, payload), exercise.notes(challenge, payload)
        report = Report(name, tuple(cases), seed, tuple(notes), exercise.answer)
        if not math.isclose(report.maximum, exercise.maximum, abs_tol=1e-9):
            raise ValueError(f"its cases are worth {report.maximum}, not {exercise.maximum}")
        return report
    except Exception as error:  # a fault of the check, or a payload made to provoke one
        return refused(
            exercise,
            seed,
            f"This check failed on what your code returned ({type(error).__name__}: {error}). Please tell your "
            f"instructor.",
        )


def refused(exercise: Exercise, seed: str, reason: str) -> Report:
    """A report of 0 points with one reason for all of them."""
    return Report(
        exercise.name, (Case("the whole check", exercise.maximum, FAILED, reason),), seed, (), exercise.answer
    )


class _Unusable(Exception):
    pass


def _parse(text: object) -> object:
    if not isinstance(text, str):
        raise _Unusable("The check got no answer: it should have been JSON text.")
    if len(text) > MOST_CHARACTERS:
        raise _Unusable(
            f"What your code returned is too long to be judged ({len(text):,} characters, at most {MOST_CHARACTERS:,})."
        )
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise _Unusable("What came from your code is not the JSON text that a check writes.") from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")
