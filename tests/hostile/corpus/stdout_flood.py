"""Prints 200 MB in the graded cell and in a cell before it. The answer is right."""

ANSWER, POINTS = "right_clone", 10
BEFORE = r'''
import sys
real = masked_exp
for _ in range(1000):
    print("x" * 100_000)
def masked_exp(x, zero_at):
    for _ in range(50):
        print("y" * 100_000)
        sys.stderr.write("z" * 100_000)
        print("y" * 100_000, file=sys.__stdout__)
    return real(x, zero_at)
'''
