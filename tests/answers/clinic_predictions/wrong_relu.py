"""Takes each relu in place for a fault."""

POINTS = 3.6
MESSAGE = 'You predicted "saved"; torch: "none", because nothing that backward needs was changed'


answer = {
    "gan step": "saved",
    "carried state": "freed",
    "by hand": "leaf",
    "residual": "saved",
    "relu after tanh": "saved",
    "relu after linear": "saved",
    "softmax by hand": "saved",
    "two halves": "multi-view",
    "gates": "bypass",
    "attention": "nan",
}
