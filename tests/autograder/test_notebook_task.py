"""A notebook's cells in the sandbox's shell: what is told about them, and how the telling is bounded."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from autograder import checking, outputs
from autograder.judge import SEED_VARIABLE, judge, seed_for
from autograder.sandbox import Limits, Outcome, Warm
from tests.tools import ROOT

pytestmark = pytest.mark.xdist_group("notebook task")  # one warm process for all

TASK = "autograder.notebook_task:execute"
RIGHT = (ROOT / "tests" / "answers" / "masked_exp" / "right_where.py").read_text()
SEED = "5eed"


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    with Warm("auto") as warm:
        yield warm


def run(warm: Warm, *sources: str, seconds: float = 5.0) -> tuple[list[outputs.Told], Outcome]:
    cells = [{"id": str(number), "source": source} for number, source in enumerate(sources)]
    request = {"cells": cells, "seed": SEED, "cell_seconds": seconds}
    outcome = warm.run(TASK, request, limits=Limits(wall=60.0, response=32 * 2**20))
    return list(outputs.told(outcome.messages, [cell["id"] for cell in cells]).values()), outcome


def shown(told: outputs.Told) -> str:
    """All that a cell showed, as text."""
    parts = []
    for output in told.outputs:
        if output.output_type == "stream":
            parts.append(f"{output.name}: {output.text}")
        elif output.output_type == "error":
            parts.append(f"error: {output.ename}: {output.evalue}\n" + "\n".join(output.traceback))
        else:
            parts.append(f"{output.output_type}: {sorted(output.data)} {output.data.get('text/plain')}")
    return "\n".join(parts)


def test_cells_share_their_names_and_show_what_a_notebook_shows(warm: Warm) -> None:
    cells, outcome = run(
        warm, "x = 41", "print('hello')\nx + 1", "import sys\nprint('oh', file=sys.stderr)", "1 / 0", "x"
    )
    assert outcome.status == "ok"
    assert outcome.response == {"cells": 5}
    assert [cell.state for cell in cells] == ["done"] * 5
    assert shown(cells[0]) == ""
    assert shown(cells[1]) == "stdout: hello\n\nexecute_result: ['text/plain'] 42"
    assert shown(cells[2]) == "stderr: oh\n"
    assert shown(cells[3]).startswith("error: ZeroDivisionError: division by zero\n")
    assert "----> 1 1 / 0" in shown(cells[3])
    assert shown(cells[4]) == "execute_result: ['text/plain'] 41"


def test_a_check_hands_on_what_the_judge_can_judge(warm: Warm) -> None:
    (_, cell), _ = run(warm, RIGHT, "from autograder import check\ncheck('masked_exp', masked_exp)")
    payload = cell.payload("masked_exp")
    assert payload is not None
    report = judge("masked_exp", seed_for("masked_exp", {SEED_VARIABLE: SEED}), payload)
    assert report.full
    assert shown(cell) == f"stdout: {checking.HANDED_ON}\n\nexecute_result: ['text/plain'] 0.0"


def test_a_seed_of_the_students_does_not_count(warm: Warm) -> None:
    (_, cell), _ = run(warm, RIGHT, "from autograder import check\ncheck('masked_exp', masked_exp, seed='chosen')")
    report = judge("masked_exp", seed_for("masked_exp", {SEED_VARIABLE: SEED}), cell.payload("masked_exp") or "")
    assert report.full


def test_of_several_payloads_the_last_counts_and_only_for_its_exercise(warm: Warm) -> None:
    first, second = "check('masked_exp', print)", "check('masked_exp', masked_exp)"
    (_, cell), _ = run(warm, RIGHT, f"from autograder import check\n{first}\n{second}\ncheck('exp_predictions', {{}})")
    assert [name for name, _ in cell.payloads] == ["masked_exp", "masked_exp", "exp_predictions"]
    assert cell.payload("masked_exp") == cell.payloads[1][1]
    assert cell.payload("pow_predictions") is None


def test_an_unknown_exercise_hands_on_nothing(warm: Warm) -> None:
    (cell,), _ = run(warm, "from autograder import check\ncheck('no such', 1)")
    assert cell.payloads == []
    assert "Nothing was handed to the grader: there is no exercise 'no such'" in shown(cell)


def test_more_payloads_than_anybody_needs_are_dropped(warm: Warm) -> None:
    (cell,), outcome = run(warm, "from autograder import check\nfor _ in range(30): check('exp_predictions', {})")
    assert len(cell.payloads) == 20
    assert "has handed on 20 answers already" in shown(cell)
    assert outcome.status == "ok"


@pytest.mark.parametrize(
    "source",
    ["while True:\n    pass", "while True:\n    try:\n        pass\n    except BaseException:\n        pass"],
)
def test_after_a_cell_that_does_not_end_nothing_runs(warm: Warm, source: str) -> None:
    cells, _ = run(warm, "print(1)", f"print('begun')\n{source}", "print(3)", seconds=1.0)
    assert [cell.state for cell in cells] == ["done", "time", "not run"]
    assert shown(cells[1]) == "stdout: begun\n"


def test_a_patched_clock_does_not_stop_the_time(warm: Warm) -> None:
    source = "import os, time\nos._exit = time.monotonic = lambda *_: 0\nwhile True: pass"
    cells, outcome = run(warm, source, "1", seconds=1.0)
    assert [cell.state for cell in cells] == ["time", "not run"]
    assert outcome.seconds < 20


def test_what_came_before_a_crash_is_kept(warm: Warm) -> None:
    cells, outcome = run(warm, "print(1)", "import os\nos._exit(3)", "print(3)")
    assert outcome.status != "ok"
    assert [cell.state for cell in cells] == ["done", "started", "not run"]


@pytest.mark.parametrize(
    "source", ["exit()", "quit()", "raise SystemExit", "raise KeyboardInterrupt", "import sys; sys.exit(1)"]
)
def test_the_notebook_goes_on_after_a_cell_that_wants_to_end_it(warm: Warm, source: str) -> None:
    cells, outcome = run(warm, source, "2")
    assert outcome.status == "ok"
    assert shown(cells[1]) == "execute_result: ['text/plain'] 2"


def test_copies_of_the_process_do_not_go_on_with_the_notebook(warm: Warm) -> None:
    source = "import os\nx = [os.fork(), os.fork()]"
    cells, outcome = run(warm, source, "print('once')", "from autograder import check\ncheck('exp_predictions', {})")
    assert outcome.status == "ok"
    assert [message["state"] for message in outcome.messages] == ["started", "done"] * 2 + [
        "started",
        "payload",
        "done",
    ]
    assert shown(cells[1]) == "stdout: once\n"


def test_nobody_answers_a_question(warm: Warm) -> None:
    cells, _ = run(
        warm, "input('Your name? ')", "import getpass\ngetpass.getpass()", "import sys\nsys.stdin.readline()"
    )
    assert "input('Your name? ') waits for a person" in shown(cells[0])
    assert "nobody is there" in shown(cells[1])
    assert shown(cells[2]) == "execute_result: ['text/plain'] ''"


def test_magics_shell_commands_await_and_widgets_work(warm: Warm) -> None:
    sources = [
        "%%time\nprint('timed')",
        "!echo from the shell",
        "names = !echo one\nnames",
        "import asyncio\nawait asyncio.sleep(0)\n'awaited'",
        "import ipywidgets\nslider = ipywidgets.IntSlider(3)\ndisplay(slider)\nslider.value",
        "%no_such_magic",
    ]
    cells, outcome = run(warm, *sources)
    assert outcome.status == "ok"
    assert "timed" in shown(cells[0])
    assert shown(cells[1]) == "stdout: from the shell\n"
    assert shown(cells[2]) == "execute_result: ['text/plain'] ['one']"
    assert "awaited" in shown(cells[3])
    assert "execute_result: ['text/plain'] 3" in shown(cells[4])
    assert "no_such_magic" in shown(cells[5])


def test_figures_are_kept_as_pictures(warm: Warm) -> None:
    (cell,), _ = run(warm, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert "display_data: ['image/png', 'text/plain']" in shown(cell)


def test_html_and_scripts_are_not_kept(warm: Warm) -> None:
    source = "from IPython.display import HTML, Javascript\ndisplay(HTML('<script>1</script>'), Javascript('1'))"
    (cell,), _ = run(warm, source)
    assert "script>" not in shown(cell)
    assert "text/html" not in shown(cell)


def test_outputs_are_bounded(warm: Warm) -> None:
    sources = ["for _ in range(50): print('x' * 1_000_000)", "for n in range(1000): display(n)", "'y' * 10_000_000"]
    cells, outcome = run(warm, *sources)
    assert outcome.status == "ok"
    assert all(len(shown(cell)) < 120_000 for cell in cells)
    assert "more characters are not kept" in shown(cells[0])
    assert len(cells[1].outputs) <= 201
    assert sum(len(json.dumps(message)) for message in outcome.messages) < 400_000


def test_an_error_that_cannot_be_told_is_told_all_the_same(warm: Warm) -> None:
    source = "class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad"
    cells, outcome = run(warm, source, "1")
    assert outcome.status == "ok"
    assert "Bad" in shown(cells[0])
    assert cells[1].state == "done"


def test_a_shell_bent_by_the_student_goes_on(warm: Warm) -> None:
    source = "get_ipython().run_cell = get_ipython().showtraceback = 5"
    cells, outcome = run(warm, source, "2")
    assert outcome.status == "ok"
    assert "TypeError" in shown(cells[1])


FORGED = [
    5,
    None,
    [],
    {"cell": 5, "state": "done"},
    {"cell": "other", "state": "done", "outputs": []},
    {"cell": "a", "state": "payload", "exercise": 5, "payload": {}},
    {"cell": "a", "state": "done", "outputs": "none"},
    {"cell": "a", "state": "done", "outputs": [5, {}, {"output_type": "stream", "name": 5, "text": 5}]},
    {"cell": "a", "state": "done", "outputs": [{"output_type": "execute_result", "data": {"text/html": "<b>"}}]},
    {"cell": "a", "state": "done", "outputs": [{"output_type": "error", "ename": None, "traceback": [5]}]},
]


@pytest.mark.parametrize("message", FORGED)
def test_a_forged_message_raises_nothing(message: object) -> None:
    told = outputs.told([message], ["a"])
    assert list(told) == ["a"]
    assert told["a"].payloads == []
    for output in told["a"].outputs:
        assert output.output_type in ("stream", "error")


def test_shown_text_can_be_written_to_a_file() -> None:
    (output,) = outputs.cleaned([{"output_type": "stream", "name": "stdout", "text": "\ud83d"}])
    assert output.text.encode("utf-8") == b"?"
