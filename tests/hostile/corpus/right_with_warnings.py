"""Nothing bad: a right answer that warns, prints, logs and plots."""

ANSWER, POINTS, PREDICTED, PREDICTIONS = "right_where", 10, True, 4
BEFORE = r'''
import sys, warnings
import matplotlib.pyplot as plt
real = masked_exp
def masked_exp(x, zero_at):
    warnings.warn("not what you think")
    print("called with", x, zero_at)
    print("to standard error", file=sys.stderr)
    return real(x, zero_at)
plt.plot([1, 2])
plt.show()
'''
