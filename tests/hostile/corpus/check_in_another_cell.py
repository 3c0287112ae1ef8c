"""Checks a right answer in a cell of its own, and breaks the graded cell: its points are for what it delivers itself."""

ANSWER, POINTS = "right_clone", 0
SAYS = "stopped before its check had an answer"
BEFORE = r'''
check("masked_exp", masked_exp)
del masked_exp, check
'''
