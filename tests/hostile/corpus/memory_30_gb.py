"""Allocates 30 GB, from torch and from Python, and touches it."""

POINTS = 0
SOLUTION = r'''
def masked_exp(x, zero_at):
    kept = []
    try:
        kept.append(torch.ones(30 * 2**30 // 8, dtype=torch.float64))
    except RuntimeError:
        pass
    while True:
        kept.append(bytearray(64 * 2**20))
'''
