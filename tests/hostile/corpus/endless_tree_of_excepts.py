"""Calls itself from every handler of every interruption, so that no exception ends it."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
SOLUTION = r'''
def masked_exp(x, zero_at):
    try:
        while True:
            pass
    except BaseException:
        masked_exp(x, zero_at)
    finally:
        masked_exp(x, zero_at)
'''
