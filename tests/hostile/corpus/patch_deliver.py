"""Removes the hook that hands answers to the grader, so that check judges in this very process, with a patched judge."""

POINTS = 0
BEFORE = r'''
from autograder import checking, judge, report
checking._deliver = None
report.Report.points = property(lambda self: 10.0)
report.Report.full = property(lambda self: True)
'''
