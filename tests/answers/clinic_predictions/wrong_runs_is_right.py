"""Takes a program that runs for a right one."""

POINTS = 3.2
MESSAGE = 'You predicted "none"; torch: "bypass"'


answer = {
    "gan step": "saved",
    "carried state": "freed",
    "by hand": "leaf",
    "residual": "saved",
    "relu after tanh": "saved",
    "relu after linear": "none",
    "softmax by hand": "saved",
    "two halves": "multi-view",
    "gates": "none",
    "attention": "none",
}
