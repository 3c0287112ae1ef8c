"""Thinks that the 10 shows in the gradient at [2]."""

answer = {
    "1: root = middle * 2": "same",
    "2: root = middle * 2; middle.mul_(3)": "same",
    "3: root = middle * 2; middle[2] = 10": "same",
    "4: root = middle.pow(2); middle.mul_(3)": "refused",
    "5: root = middle.pow(2); middle[2] = 10": "refused",
    "6: root = middle.exp(); middle.mul_(3)": "same",
    "7: root = middle.exp(); middle[2] = 10": "same",
    "8: middle.mul_(3); root = middle * 2": "changed",
    "9: middle[2] = 10; root = middle * 2": "changed",
    "10: middle.mul_(3); root = middle.pow(2)": "changed",
    "11: middle[2] = 10; root = middle.pow(2)": "changed",
    "12: middle.mul_(3); root = middle.exp()": "changed",
    "13: middle[2] = 10; root = middle.exp()": "changed",
}
POINTS = 10
MESSAGE = 'torch: "zero", because the gradient is [2, 2, 0, 2, 2]'
