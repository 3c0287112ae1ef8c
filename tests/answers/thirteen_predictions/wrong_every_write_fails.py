"""Thinks that backward refuses after any write."""

answer = {
    "1: root = middle * 2": "same",
    "2: root = middle * 2; middle.mul_(3)": "refused",
    "3: root = middle * 2; middle[2] = 10": "refused",
    "4: root = middle.pow(2); middle.mul_(3)": "refused",
    "5: root = middle.pow(2); middle[2] = 10": "refused",
    "6: root = middle.exp(); middle.mul_(3)": "refused",
    "7: root = middle.exp(); middle[2] = 10": "refused",
    "8: middle.mul_(3); root = middle * 2": "refused",
    "9: middle[2] = 10; root = middle * 2": "refused",
    "10: middle.mul_(3); root = middle.pow(2)": "refused",
    "11: middle[2] = 10; root = middle.pow(2)": "refused",
    "12: middle.mul_(3); root = middle.exp()": "refused",
    "13: middle[2] = 10; root = middle.exp()": "refused",
}
POINTS = 3
MESSAGE = 'You predicted "refused"; torch: "same", because the gradient is [2, 2, 2, 2, 2], as without the write'
