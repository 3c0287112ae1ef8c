"""Reads "same as without inplace operation" literally in rows 8, 10 and 12."""

answer = {
    "1: root = middle * 2": "same",
    "2: root = middle * 2; middle.mul_(3)": "same",
    "3: root = middle * 2; middle[2] = 10": "same",
    "4: root = middle.pow(2); middle.mul_(3)": "refused",
    "5: root = middle.pow(2); middle[2] = 10": "refused",
    "6: root = middle.exp(); middle.mul_(3)": "same",
    "7: root = middle.exp(); middle[2] = 10": "same",
    "8: middle.mul_(3); root = middle * 2": "same",
    "9: middle[2] = 10; root = middle * 2": "zero",
    "10: middle.mul_(3); root = middle.pow(2)": "same",
    "11: middle[2] = 10; root = middle.pow(2)": "zero",
    "12: middle.mul_(3); root = middle.exp()": "same",
    "13: middle[2] = 10; root = middle.exp()": "zero",
}
POINTS = 10
MESSAGE = 'torch: "changed", because the gradient is [6, 6, 6, 6, 6], as out of place; without the write it is [2, 2, 2, 2, 2].'
