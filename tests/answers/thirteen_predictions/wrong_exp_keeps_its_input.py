"""Thinks that exp needs middle as pow does."""

answer = {
    "1: root = middle * 2": "same",
    "2: root = middle * 2; middle.mul_(3)": "same",
    "3: root = middle * 2; middle[2] = 10": "same",
    "4: root = middle.pow(2); middle.mul_(3)": "refused",
    "5: root = middle.pow(2); middle[2] = 10": "refused",
    "6: root = middle.exp(); middle.mul_(3)": "refused",
    "7: root = middle.exp(); middle[2] = 10": "refused",
    "8: middle.mul_(3); root = middle * 2": "changed",
    "9: middle[2] = 10; root = middle * 2": "zero",
    "10: middle.mul_(3); root = middle.pow(2)": "changed",
    "11: middle[2] = 10; root = middle.pow(2)": "zero",
    "12: middle.mul_(3); root = middle.exp()": "changed",
    "13: middle[2] = 10; root = middle.exp()": "zero",
}
POINTS = 11
MESSAGE = 'You predicted "refused"; torch: "same"'
