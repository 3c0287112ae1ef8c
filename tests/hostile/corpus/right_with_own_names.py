"""Nothing bad: a right answer of a student who uses names that the notebook or Python uses too."""

ANSWER, POINTS, PREDICTED, PREDICTIONS = "right_clone", 10, True, 4
BEFORE = r'''
list = [1, 2]
sum = 3
id = type = max = float = str = 1
x = y = attempt = graph = json = None
_ = __ = In = Out = exit = None
torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
import random
random.seed(1)
'''
