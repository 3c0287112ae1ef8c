"""Takes every program for the same fault."""

POINTS = 1.6
MESSAGE = 'You predicted "saved"; torch: "leaf", because line 1'


answer = {
    "gan step": "saved",
    "carried state": "saved",
    "by hand": "saved",
    "residual": "saved",
    "relu after tanh": "saved",
    "relu after linear": "saved",
    "softmax by hand": "saved",
    "two halves": "saved",
    "gates": "saved",
    "attention": "saved",
}
