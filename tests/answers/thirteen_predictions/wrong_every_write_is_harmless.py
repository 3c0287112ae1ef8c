"""Thinks that no write changes anything."""

answer = {
    "1: root = middle * 2": "same",
    "2: root = middle * 2; middle.mul_(3)": "same",
    "3: root = middle * 2; middle[2] = 10": "same",
    "4: root = middle.pow(2); middle.mul_(3)": "same",
    "5: root = middle.pow(2); middle[2] = 10": "same",
    "6: root = middle.exp(); middle.mul_(3)": "same",
    "7: root = middle.exp(); middle[2] = 10": "same",
    "8: middle.mul_(3); root = middle * 2": "same",
    "9: middle[2] = 10; root = middle * 2": "same",
    "10: middle.mul_(3); root = middle.pow(2)": "same",
    "11: middle[2] = 10; root = middle.pow(2)": "same",
    "12: middle.mul_(3); root = middle.exp()": "same",
    "13: middle[2] = 10; root = middle.exp()": "same",
}
POINTS = 5
MESSAGE = 'saved middle at version 0; middle is at version 1'
