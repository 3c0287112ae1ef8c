"""The kinds as literals."""

POINTS = 4
MESSAGE = ""


answer = {
    "gan step": "saved",
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
