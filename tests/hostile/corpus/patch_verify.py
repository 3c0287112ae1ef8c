"""Replaces verify, the points and the maximum in the exercise, in the judge and in the report, where its process has them."""

POINTS = 0
BEFORE = r'''
from autograder import exercises, judge, report
full = (report.Case("everything", 10.0, "passed"),)
exercise = exercises.get("masked_exp")
object.__setattr__(exercise, "verify", lambda challenge, payload: full)
object.__setattr__(exercise, "maximum", 1000.0)
judge.judge = lambda name, seed, payload: report.Report(name, full, seed)
report.Case.earned = property(lambda self: 10.0)
exercises.get = lambda name: exercise
'''
