"""Runs the programs and what anomaly mode says."""

POINTS = 5
MESSAGE = ""

from autograder.exercises.kit.messages import lettered
from autograder.exercises.reading_errors_predictions import notices_data, shown_statement

answer = lettered() | {
    "anomaly mode points at": shown_statement().answer,
    "anomaly mode notices .data": notices_data().answer,
}
