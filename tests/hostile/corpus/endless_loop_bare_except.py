"""Never returns from the answer, and catches whatever interrupts it."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
SOLUTION = r'''
def masked_exp(x, zero_at):
    while True:
        try:
            while True:
                pass
        except:
            continue
'''
