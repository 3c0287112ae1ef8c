"""Case and Report: points, text, JSON."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report import FAILED, NOT_RUN, PASSED, WIDTH, Case, Report

CASES = (
    Case("values", 1.5, PASSED),
    Case("gradient", 2.5, FAILED, "Your function wrote into the tensor that ExpBackward0 saved. " * 3),
    Case("twice", 0.25, FAILED, "Your function wrote into the tensor that ExpBackward0 saved. " * 3),
    Case("the same on another device", 0.0, NOT_RUN, "no CUDA device on this machine", "cuda"),
)
REPORT = Report("masked_exp", CASES, "abc123", ("lucky",), "masked_exp")


def test_points_are_plain_floats_and_sum_what_was_earned() -> None:
    assert REPORT.points == 1.5 and type(REPORT.points) is float
    assert REPORT.maximum == 4.25 and type(REPORT.maximum) is float
    assert not REPORT.full
    assert type(Report("e", (Case("a", 1, PASSED),), "s").points) is float


def test_tenths_sum_to_a_whole() -> None:
    report = Report("e", tuple(Case(str(i), 0.1, PASSED) for i in range(10)), "s")
    assert report.points == report.maximum == 1.0


def test_full_needs_every_case_that_is_worth_something() -> None:
    assert Report("e", (Case("a", 1, PASSED), Case("b", 0, FAILED)), "s").full
    assert not Report("e", (Case("a", 1, PASSED), Case("b", 1, FAILED)), "s").full
    assert not Report("e", (), "s").full


def test_text_says_everything_in_words_and_ends_with_the_total() -> None:
    text = REPORT.text()
    lines = text.splitlines()
    assert lines[0] == "masked_exp"
    assert lines[-1] == "1.5 of 4.25 points   (seed abc123)"
    assert '    replay("masked_exp", masked_exp, seed="abc123", case="gradient")' in lines
    assert any(line.startswith("✓ passed ") and line.endswith("values") for line in lines)
    assert any(line.startswith("✗ failed ") and line.endswith("gradient") for line in lines)
    assert any(line.startswith("– not run") and line.endswith("the same on another device  [cuda]") for line in lines)
    assert "no CUDA device on this machine" in text
    assert "Note: lucky" in lines
    assert max(map(len, lines)) <= WIDTH


def test_text_says_a_reason_once() -> None:
    text = REPORT.text()
    assert text.count("ExpBackward0") == 3  # the three sentences of one message
    assert 'The same reason as for "gradient".' in text


def test_a_reason_is_said_once_beside_what_differs() -> None:
    why = "PowBackward0 saved it."
    cases = [Case(name, 1, FAILED, f"{name} gave 3. {why}", reason=why, brief=f"{name} gave 3.") for name in "ab"]
    text = Report("e", tuple(cases), "s").text()
    assert "a gave 3. PowBackward0 saved it." in text and 'b gave 3. The same reason as for "a".' in text


def test_the_replay_call_fits_what_nbgrader_validate_shows() -> None:
    name = "length 1 to large, any layout, no grad"
    lines = Report("masked_exp", (Case(name, 1, FAILED, "no"),), "0" * 16, (), "masked_exp").text().splitlines()
    start = lines.index('    replay("masked_exp", masked_exp,')
    assert lines[start + 1 : start + 3] == [" " * 11 + f'seed="{"0" * 16}",', " " * 11 + f'case="{name}")']
    assert max(map(len, lines)) <= WIDTH


def test_names_stand_in_one_column() -> None:
    lines = REPORT.text().splitlines()
    columns = {
        next(line for line in lines if line.endswith(name)).index(name) for name in ("values", "gradient", "twice")
    }
    assert len(columns) == 1


def test_points_that_were_not_run_count_and_are_not_earned() -> None:
    waiting = Report("e", (Case("a", 1, PASSED), Case("b", 0.5, NOT_RUN, "no GPU here")), "s")
    assert (waiting.points, waiting.maximum, waiting.full) == (1.0, 1.5, False)
    assert "– not run    0 of 0.5  b\n           no GPU here" in waiting.text()


def test_a_long_device_has_a_line_of_its_own() -> None:
    device = "simgpu (simulated; no GPU on this machine)"
    report = Report("e", (Case("values on the input's device", 0.5, FAILED, "no", device),), "0" * 16, (), "e")
    lines = report.text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.endswith("values on the input's device"))
    assert lines[start + 1] == f"           [{device}]" and max(map(len, lines)) <= WIDTH
    key = "values on the input's device [simgpu]"
    assert f'case="{key}")' in report.text() and report.case(key) is report.cases[0]


def test_text_without_replay() -> None:
    text = Report("predictions", CASES[:2], "abc").text()
    assert "replay" not in text and text.endswith("1.5 of 4 points")
    assert "replay" not in Report("e", CASES[:1], "abc", (), "e").text(), "nothing failed"


def test_case_is_found_by_key_or_name() -> None:
    assert REPORT.case("gradient") is CASES[1]
    assert REPORT.case("the same on another device [cuda]") is CASES[3]
    assert REPORT.case("the same on another device") is CASES[3]
    assert REPORT.case("nothing") is None


@pytest.mark.parametrize(
    "points, status, said",
    [(1, "okay", "unknown"), (-1, PASSED, "0 or more"), (math.nan, PASSED, "finite")],
)
def test_impossible_cases(points: float, status: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Case("a", points, status)


texts = st.text(max_size=200)
cases = st.builds(
    Case,
    texts,
    st.floats(0, 100),
    st.sampled_from([PASSED, FAILED]),
    texts,
    st.sampled_from(["cpu", "cuda:0 (a card)"]),
    st.booleans(),
    texts,
)
seeds = st.integers(0, 2**64).map("{:016x}".format)
names = st.sampled_from(["", "masked_exp"])
reports = st.builds(Report, texts, st.lists(cases, max_size=5).map(tuple), seeds, st.lists(texts).map(tuple), names)


@given(reports)
def test_any_report_survives_json_and_has_a_text(report: Report) -> None:
    again = Report.from_dict(json.loads(json.dumps(report.as_dict())))
    assert again == report
    assert 0 <= report.points <= report.maximum
    assert report.text().splitlines()[-1].startswith(report.total)


@pytest.mark.parametrize(
    "data", [None, [], {}, {"exercise": "e", "cases": [{}], "seed": "", "notes": [], "answer": ""}]
)
def test_data_of_another_form(data: object) -> None:
    with pytest.raises(ValueError, match="not a report"):
        Report.from_dict(data)
