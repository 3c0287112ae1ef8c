"""Takes a view of a result for a leaf."""

POINTS = 3.6
MESSAGE = 'torch: "multi-view"'


answer = {
    "gan step": "saved",
    "carried state": "freed",
    "by hand": "leaf",
    "residual": "saved",
    "relu after tanh": "saved",
    "relu after linear": "none",
    "softmax by hand": "saved",
    "two halves": "leaf",
    "gates": "bypass",
    "attention": "nan",
}
