"""Replaces the exercise's collect by one that says that everything is right."""

POINTS = 0
BEFORE = r'''
from autograder import exercises
exercise = exercises.get("masked_exp")
names = [trial["key"] for trial in exercise.challenge(__import__("random").Random(0))["trials"]]
says = {"passed": True, "points": 10.0, "maximum": 10.0, "status": "passed", "full": True}
object.__setattr__(exercise, "collect", lambda answer, challenge: says | {"records": {"cpu": {n: says for n in names}}})
'''
