"""Answers in other words."""

POINTS = 3.6
MESSAGE = "is none of the answers"


answer = {
    "gan step": "overwritten",
    "carried state": "freed",
    "by hand": "leaf",
    "residual": "saved",
    "relu after tanh": "saved",
    "relu after linear": "none",
    "softmax by hand": "saved",
    "two halves": "multi-view",
    "gates": "bypass",
    "attention": "nan",
}
