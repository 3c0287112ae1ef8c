"""Nothing bad: a right answer that imports its own helper from a file beside the notebook and reads its data."""

POINTS = 10
FILES = {"helper.py": "import torch\ndef mask(n, place, device):\n    return torch.arange(n, device=device) == place\n", "data/numbers.txt": "1 2 3"}
SOLUTION = r'''
from helper import mask
numbers = open("data/numbers.txt").read().split()
def masked_exp(x, zero_at):
    x[zero_at]
    return x.exp().masked_fill(mask(len(x), zero_at % len(x), x.device), 0.0)
'''
