"""The kit for predictions, and every prediction exercise of the course."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy
import pytest
import torch

from autograder import exercises
from autograder.checking import examine
from autograder.exercises.kit import predictions
from autograder.exercises.kit.predictions import (
    RUNS,
    YES,
    Live,
    Question,
    gradient_at,
    prediction_exercise,
    runs,
    same_gradient,
    zeros,
)
from autograder.report import PASSED, Report
from inplace_lab import Experiment, Write

FAILS = Experiment("exp", writes=(Write("root", "mul_", "after_root", 3),))
TRIPLES = Experiment("scale", 2, writes=(Write("middle", "mul_", "before_root", 3),))
ASSIGNS = Experiment("exp", writes=(Write("middle", "setitem", "before_root", value=10, index=2),))

QUESTIONS = [
    Question("exp, write root after", RUNS, 1, lambda: runs(FAILS)),
    Question("scale, write middle before", RUNS, 1, lambda: runs(TRIPLES)),
    Question("as without?", YES, 1, lambda: same_gradient(TRIPLES, "unmutated")),
    Question("as out of place?", YES, 1, lambda: same_gradient(TRIPLES, "out_of_place")),
    Question("zero where?", ([], [2], None), 1, lambda: zeros(ASSIGNS)),
    Question("gradient at 0", float, 1, lambda: gradient_at(TRIPLES, 0)),
]
RIGHT = {
    "exp, write root after": "fails",
    "scale, write middle before": "runs",
    "as without?": False,
    "as out of place?": True,
    "zero where?": [2],
    "gradient at 0": 6,
}


def judged(answer: object, monkeypatch: pytest.MonkeyPatch, questions: list[Question] = QUESTIONS) -> Report:
    made = prediction_exercise("made", questions)
    monkeypatch.setattr(exercises, "get", lambda name: made)
    report, _ = examine("made", answer)
    assert report.maximum == sum(question.points for question in questions)
    return report


def test_right_predictions_get_full_points_and_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    report = judged(RIGHT, monkeypatch)
    assert report.full and not report.notes
    assert report.cases[0].message.startswith(
        'You predicted "fails", and so it is: line 7, loss.backward(), raised RuntimeError.'
    )
    assert "seed" not in report.text(), "nothing is random here"


@pytest.mark.parametrize("key", RIGHT)
def test_each_wrong_prediction_costs_its_own_point(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"exp, write root after": "runs", "scale, write middle before": "fails", "as without?": True,
             "as out of place?": False, "zero where?": [], "gradient at 0": 2}  # fmt: skip
    report = judged(RIGHT | {key: wrong[key]}, monkeypatch)
    failed = [case for case in report.cases if case.status != PASSED]
    assert [case.name for case in failed] == [key] and report.points == 5
    assert (
        failed[0].message.startswith("You predicted ")
        and "; torch: " in failed[0].message
        and ", because " in failed[0].message
    )


def test_the_reason_comes_from_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    message = judged(RIGHT | {"exp, write root after": "runs"}, monkeypatch).cases[0].message
    assert message == (
        'You predicted "runs"; torch: "fails", because line 7, loss.backward(), raised RuntimeError. ExpBackward0 '
        "(root = middle.exp()) saved root at version 0; root is at version 1 since line 5."
    )
    message = judged(RIGHT | {"as without?": True}, monkeypatch).cases[2].message
    assert message.endswith("the gradient is [6, 6, 6, 6, 6], and without the write it is [2, 2, 2, 2, 2].")


def test_live_answers_without_a_gradient() -> None:
    for live in (zeros(FAILS), gradient_at(FAILS, 0)):
        assert live.answer is None and live.because.startswith("there is no gradient: line 7")
    assert same_gradient(FAILS, "unmutated").answer is False
    assert zeros(TRIPLES).answer == [] and zeros(ASSIGNS).answer == [2]
    assert same_gradient(ASSIGNS, "unmutated").answer is False and same_gradient(ASSIGNS, "out_of_place").answer is True


class Text(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


@dataclass(frozen=True)
class Everything:
    """Equal to all."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


@pytest.mark.parametrize(
    "given, said",
    [
        (None, 'You have not predicted this yet: replace None by "runs" or "fails".'),
        ("maybe", 'Your prediction "maybe" is none of the answers: write "runs" or "fails".'),
        (True, "Your prediction True is none of the answers"),
        (1, "Your prediction 1 is none of the answers"),
        (["fails"], 'Your prediction ["fails"] is none of the answers'),
        ({"fails"}, 'Your prediction is a set, expected "runs" or "fails".'),
        ({}, "Your prediction is a dict, expected"),
        (numpy.ones(1), "Your prediction is a NumPy array, expected"),
        (torch.ones(1), "Your prediction is a Tensor, expected"),
        (torch.ones((), device="meta"), "Your prediction is a Tensor, expected"),
        (torch.tensor(1j), "Your prediction is a Tensor, expected"),
        (numpy.complex64(1), "Your prediction is a complex64, expected"),
        (torch.tensor(1), "Your prediction 1 is none of the answers"),
        (Everything(), "Your prediction is an Everything, expected"),
        (lambda: 1, "Your prediction is a function, expected"),
        ([[1]], "Your prediction is a list, expected"),
        ([0] * 100, "Your prediction is a list, expected"),
        (10**100, "Your prediction is an int, expected"),
        (float("nan"), "Your prediction nan is none of the answers"),
        (Text("runs"), 'You predicted "runs"; torch: "fails"'),
        ("x" * 10_000, "is none of the answers"),
        (Text("nothing"), 'Your prediction "nothing" is none of the answers'),
    ],
)
def test_odd_predictions_cost_their_own_point(given: object, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = judged(RIGHT | {"exp, write root after": given}, monkeypatch)
    assert said in report.cases[0].message and len(report.cases[0].message) < 400
    assert report.points == 5


@pytest.mark.parametrize("given", ["fails", " Fails ", "FAILS", Text("fails")])
def test_spelling_is_forgiven(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(RIGHT | {"exp, write root after": given}, monkeypatch).full


@pytest.mark.parametrize(
    "given, right",
    [
        (6, True), (6.0, True), (6.005, True), (6.1, False), (True, False), ("6", False),
        (numpy.float32(6), True), (numpy.float64(6), True), (numpy.int64(6), True), (numpy.bool_(1), False),
        (torch.tensor(6.0), True), (torch.tensor(6), True), (torch.tensor(6.0, requires_grad=True), True),
        (torch.tensor(7), False), (torch.tensor([6.0]), False), (torch.tensor(True), False),
    ],
)  # fmt: skip
def test_numbers(given: object, right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(RIGHT | {"gradient at 0": given}, monkeypatch).full is right


@pytest.mark.parametrize(
    "given, right", [([2], True), ((2,), True), ([], False), ([2, 2], False), (2, False), ([True], False)]
)
def test_lists(given: object, right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(RIGHT | {"zero where?": given}, monkeypatch).full is right


def test_a_number_in_quotation_marks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def message(key: str, given: object) -> str:
        return next(case for case in judged(RIGHT | {key: given}, monkeypatch).cases if case.name == key).message

    assert message("gradient at 0", "6").endswith("write a number, without quotation marks.")
    assert message("as without?", "False").endswith("write True or False, without quotation marks.")
    assert message("exp, write root after", "no").endswith('write "runs" or "fails".')


def test_points_sum_to_round_numbers() -> None:
    questions = [Question(str(number), RUNS, 0.4, lambda: runs(FAILS)) for number in range(10)]
    assert prediction_exercise("made", questions).maximum == 4.0


def test_a_reason_is_said_once_and_the_prediction_always(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [Question(key, RUNS, 1, lambda: runs(FAILS)) for key in ("one", "two", "three")]
    report = judged({"one": "runs", "two": "runs", "three": "fails"}, monkeypatch, questions)
    text = " ".join(report.text().split())
    assert text.count("ExpBackward0") == 1
    assert text.count('You predicted "runs"; torch: "fails", because line 7') == 1
    assert 'You predicted "runs"; torch: "fails". The same reason as for "one".' in text
    assert 'You predicted "fails", and so it is. The same reason as for "one".' in text


def test_none_can_be_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [Question("zero where?", ([], None), 1, lambda: zeros(FAILS))]
    assert judged({"zero where?": None}, monkeypatch, questions).full
    assert not judged({}, monkeypatch, questions).full


@pytest.mark.parametrize("answer", [None, 3, [], "fails", lambda: RIGHT, RIGHT.items(), object()])
def test_what_is_no_dict_costs_everything_in_one_sentence(answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    report = judged(answer, monkeypatch)
    assert report.points == 0 and len({case.message for case in report.cases}) == 1
    assert "expected a dict of predictions: run the cell that makes it." in report.cases[0].message


def test_unknown_and_missing_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {key: value for key, value in RIGHT.items() if key != "as without?"}
    report = judged(answer | {"as witout?": False, 3: 4, (1, 2): 3, "???": 1}, monkeypatch)
    assert report.points == 5
    assert report.cases[2].message == "There is no prediction under 'as without?': the key must be spelt like this."
    assert report.notes == (
        "'as witout?' is no question here; did you mean 'as without?'?",
        "'???' is no question here.",
        "a key of type int is no question here: keys are texts.",
        "a key of type tuple is no question here: keys are texts.",
    )
    assert len(judged(RIGHT | {str(i): 1 for i in range(10_000)}, monkeypatch).notes) == 5


class Treacherous(dict):
    def items(self):
        raise SystemExit

    def __getitem__(self, key):
        raise SystemExit

    def __iter__(self):
        raise SystemExit


def test_the_dicts_own_methods_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(Treacherous(RIGHT), monkeypatch).full


def test_a_question_that_cannot_run_costs_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Live:
        raise RuntimeError("boom")

    report = judged(RIGHT | {"odd": "runs"}, monkeypatch, [*QUESTIONS, Question("odd", RUNS, 1, broken)])
    assert report.points == 6 and "could not make its run (RuntimeError: boom)" in report.cases[-1].message


def test_the_run_is_made_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tabulated: another torch, another answer."""
    answers = iter(["runs", "fails"])
    questions = [Question("q", RUNS, 1, lambda: Live(next(answers), "it says so."))]
    assert judged({"q": "runs"}, monkeypatch, questions).full
    assert not judged({"q": "runs"}, monkeypatch, questions).full


def test_two_questions_of_one_key() -> None:
    with pytest.raises(ValueError, match="same key"):
        prediction_exercise("made", [QUESTIONS[0], QUESTIONS[0]])


def test_payload_is_plain_json() -> None:
    payload = predictions.collect(RIGHT | {"odd": object()}, {})
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    assert payload["entries"]["odd"] == {"type": "object"}


# Every prediction exercise of the course


def questions_of(name: str) -> tuple[Question, ...]:
    verify = exercises.get(name).verify
    return verify.args[0] if getattr(verify, "func", None) is predictions.verify else ()


@pytest.mark.parametrize("name", [name for name in exercises.names() if questions_of(name)])
def test_live_answers_are_among_the_allowed_and_give_full_points(name: str) -> None:
    answer = {}
    for question in questions_of(name):
        live = question.ask()
        answer[question.key] = live.answer
        assert question.allowed is float or live.answer in list(question.allowed), question.key
        assert live.because.endswith((".", "!", "?")), question.key
    assert examine(name, answer)[0].full


class Sly(str):
    """A text whose own methods must not be asked."""

    def __getitem__(self, key: object) -> str:
        raise SystemExit

    def __iter__(self):
        raise SystemExit

    __str__ = split = isprintable = __getitem__


def test_the_texts_own_methods_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {Sly(key): Sly(value) if isinstance(value, str) else value for key, value in RIGHT.items()}
    assert judged(answer, monkeypatch).full
