"""Runs the programs."""

POINTS = 4
MESSAGE = ""

from autograder import exercises

answer = {
    question.key: question.ask().answer for question in exercises.get("no_grad_detach_data_predictions").verify.args[0]
}
