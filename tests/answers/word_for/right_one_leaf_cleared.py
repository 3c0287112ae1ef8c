"""Keeps one leaf and clears its gradient; prints and warns on the way."""

import torch


def word_for(with_write, without, out_of_place, values):
    print("comparing", values)
    gradients = {}
    for name, program in {"w": with_write, "o": without, "p": out_of_place}.items():
        leaf = torch.tensor(values, requires_grad=True)
        try:
            program(leaf).backward()
        except Exception:
            return "refused"
        gradients[name] = leaf.grad.clone()
        leaf.grad = None
    as_pure = torch.isclose(gradients["w"], gradients["p"]).all().item()
    as_plain = torch.isclose(gradients["w"], gradients["o"]).all().item()
    return {(True, True): "same", (True, False): "changed"}.get((as_pure, as_plain), "wrong")


answer = word_for
POINTS = 3
MESSAGE = ""
