"""Seeds, challenges, payloads: what the judge makes of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.checking import collect_json
from autograder.exercises import Exercise
from autograder.judge import MOST_CHARACTERS, challenge_for, judge, seed_for
from autograder.report import PASSED, Case, Report


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y


def test_names_and_get() -> None:
    assert "masked_exp" in exercises.names() and "kit" not in exercises.names()
    for name in exercises.names():
        assert exercises.get(name).name == name
        assert exercises.get(name).maximum > 0


@pytest.mark.parametrize("name", ["nothing", "kit", "", "masked_exp.py", "os", None])
def test_an_unknown_exercise_names_the_known(name: str) -> None:
    with pytest.raises(ValueError, match="there is no exercise .*masked_exp"):
        exercises.get(name)
    with pytest.raises(ValueError, match="there is no exercise"):
        judge(name, "1", "{}")


def test_practice_seeds_are_fresh_and_graded_ones_derived() -> None:
    fresh = {seed_for("masked_exp", {}) for _ in range(20)}
    assert len(fresh) == 20 and all(re.fullmatch("[0-9a-f]{16}", seed) for seed in fresh)
    graded = {"INPLACE_LAB_SEED": "00ff"}
    assert seed_for("masked_exp", graded) == seed_for("masked_exp", graded)
    assert re.fullmatch("[0-9a-f]{16}", seed_for("masked_exp", graded))
    assert seed_for("masked_exp", graded) != seed_for("other", graded)
    assert seed_for("masked_exp", graded) != seed_for("masked_exp", {"INPLACE_LAB_SEED": "00fe"})
    assert len({seed_for("masked_exp", {"INPLACE_LAB_SEED": " "}) for _ in range(5)}) == 5, "blank is not set"


def test_the_environment_is_read_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPLACE_LAB_SEED", "abc")
    assert seed_for("masked_exp") == seed_for("masked_exp")


def test_the_same_seed_gives_the_same_challenge_in_another_process() -> None:
    code = (
        "import sys, json; from autograder import exercises; from autograder.judge import challenge_for;"
        "print(json.dumps({n: challenge_for(exercises.get(n), 'abc') for n in exercises.names()}))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    here = {name: challenge_for(exercises.get(name), "abc") for name in exercises.names()}
    assert json.loads(done.stdout) == here == json.loads(json.dumps(here, allow_nan=False))


def test_other_seeds_give_other_challenges() -> None:
    exercise = exercises.get("masked_exp")
    assert len({json.dumps(challenge_for(exercise, str(seed))) for seed in range(20)}) == 20


def test_an_answer_is_judged_from_its_payload_alone() -> None:
    payload = collect_json("masked_exp", masked_exp, "s1")
    report = judge("masked_exp", "s1", payload)
    assert report.full and report.points == 10.0 and report.seed == "s1"
    assert judge("masked_exp", "s1", json.dumps(json.loads(payload))) == report


def test_the_payload_of_another_challenge_earns_nothing_for_its_numbers() -> None:
    report = judge("masked_exp", "s2", collect_json("masked_exp", masked_exp, "s1"))
    assert report.points == 0


@pytest.mark.parametrize(
    "text, said",
    [
        (None, "got no answer"),
        (b"{}", "got no answer"),
        ("", "not the JSON text"),
        ("{", "not the JSON text"),
        ('{"a": NaN}', "not the JSON text"),
        ("[" * 100_000, "not the JSON text"),
        ("9" * 5000, "not the JSON text"),
        (" " * (MOST_CHARACTERS + 1), "too long to be judged"),
    ],
)
def test_unusable_payloads_cost_everything_with_the_reason(text: object, said: str) -> None:
    report = judge("masked_exp", "s", text)
    assert report.points == 0 and report.maximum == 10 and said in report.cases[0].message


@pytest.mark.parametrize("text", ["null", "[]", "3", '"text"', "{}", '{"records": 3}', '{"records": {"cpu": []}}'])
@pytest.mark.parametrize("name", exercises.names())
def test_payloads_of_another_form_cost_everything(name: str, text: str) -> None:
    report = judge(name, "s", text)
    assert report.points == 0 and report.maximum == exercises.get(name).maximum
    assert "tell your instructor" not in report.text()


def put(monkeypatch: pytest.MonkeyPatch, exercise: Exercise) -> None:
    monkeypatch.setattr(exercises, "get", lambda name: exercise)


def test_a_faulty_verify_costs_points_but_never_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    base = exercises.get("masked_exp")

    def broken(challenge: dict, payload: object) -> tuple[Case, ...]:
        raise RuntimeError("boom")

    put(monkeypatch, replace(base, verify=broken))
    report = judge("masked_exp", "s", "{}")
    assert report.points == 0 and report.maximum == 10
    assert report.cases[0].message.endswith("(RuntimeError: boom). Please tell your instructor.")


def test_points_must_sum_to_the_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    base = exercises.get("masked_exp")
    put(monkeypatch, replace(base, verify=lambda challenge, payload: (Case("a", 11.0, PASSED),)))
    report = judge("masked_exp", "s", "{}")
    assert report.points == 0 and report.maximum == 10 and "worth 11.0, not 10.0" in report.cases[0].message


def test_a_report_of_a_real_check_survives_json() -> None:
    report = judge("masked_exp", "s", collect_json("masked_exp", lambda x, z: x.exp(), "s"))
    assert Report.from_dict(json.loads(json.dumps(report.as_dict()))) == report
