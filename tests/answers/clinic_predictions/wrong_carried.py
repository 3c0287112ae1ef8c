"""Takes the carried state for an overwritten one."""

POINTS = 3.6
MESSAGE = 'You predicted "saved"; torch: "freed"'


answer = {
    "gan step": "saved",
    "carried state": "saved",
    "by hand": "leaf",
    "residual": "saved",
    "relu after tanh": "saved",
    "relu after linear": "none",
    "softmax by hand": "saved",
    "two halves": "multi-view",
    "gates": "bypass",
    "attention": "nan",
}
