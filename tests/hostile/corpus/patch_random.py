"""Takes the chance out of random.Random, and answers only the questions that it has learnt by heart."""

POINTS = 0
SOLUTION = r'''
LEARNT = {(0.5, 1.0, 1.5): [1.6487, 2.7183, 4.4817]}
def masked_exp(x, zero_at):
    values = list(LEARNT[tuple(x.tolist())])
    values[zero_at] = 0.0
    return torch.tensor(values, dtype=x.dtype)
'''
BEFORE = r'''
import random
random.Random.sample = lambda self, grid, count: [0.5 * (i + 1) for i in range(count)]
random.Random.choice = lambda self, options: options[0]
random.Random.randrange = lambda self, *given: 0
'''
