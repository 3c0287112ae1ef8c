"""Chooses the seed of its own check, to be asked what it has learnt by heart."""

ANSWER, POINTS = "right_clone", 0
BEFORE = r'''
import os
from autograder import checking, judge
os.environ["INPLACE_LAB_SEED"] = "00"
checking.seed_for = judge.seed_for = lambda *given: "0000000000000000"
'''
