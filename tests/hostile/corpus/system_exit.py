"""Calls exit, quit and sys.exit, in cells and inside the answer."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
FIRST = "import sys\nsys.exit(0)"
SOLUTION = r'''
def masked_exp(x, zero_at):
    raise SystemExit(10)
'''
BEFORE = "exit()\nquit()\nraise SystemExit"
