"""Never ends its own cell, which stands before the graded one, and catches every exception there."""

ANSWER, POINTS = "right_clone", 0
PREDICTED, PREDICTIONS = True, 4
SAYS = "did not end within"
BEFORE = r'''
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
'''
