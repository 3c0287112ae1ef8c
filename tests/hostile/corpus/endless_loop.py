"""Never returns from the answer."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
SOLUTION = r'''
def masked_exp(x, zero_at):
    while True:
        pass
'''
