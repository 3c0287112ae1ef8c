"""Capitals, blanks and another order."""

POINTS = 4
MESSAGE = ""


answer = {
    "attention": " Nan",
    "gates": " Bypass",
    "two halves": " Multi-view",
    "softmax by hand": " Saved",
    "relu after linear": " None",
    "relu after tanh": " Saved",
    "residual": " Saved",
    "by hand": " Leaf",
    "carried state": " Freed",
    "gan step": " Saved",
}
