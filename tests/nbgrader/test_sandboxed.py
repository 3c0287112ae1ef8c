"""Points come from the grader, never from what a submission's process shows: one small class, graded by nbgrader.

The assignment has a checked exercise, an instructor's plain assert cell and a cell that is graded by hand.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from dataclasses import dataclass

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import exercises
from autograder.editions import SET_UP, read
from autograder.editions.notebook import grade_id
from autograder.nbgrader_plugins import exercise_of_check
from tests.nbgrader.course import Course, make_course, output_text, with_answer
from tests.tools import ROOT

pytestmark = pytest.mark.xdist_group("sandboxed class")  # the class is graded once, in one process

LESSON = "mixed"
CHECK, SOLUTION, PLAIN, BY_HAND = "masked_exp_check", "masked_exp_solution", "plain_check", "by_hand"
FULL = exercises.get("masked_exp").maximum
ANSWERS = ROOT / "tests" / "answers" / "masked_exp"
RIGHT = (ANSWERS / "right_where.py").read_text()
NAIVE = (ANSWERS / "wrong_in_place.py").read_text()
NAIVE_POINTS = runpy.run_path(str(ANSWERS / "wrong_in_place.py"))["POINTS"]

WITHIN = """
right = masked_exp
def masked_exp(x, zero_at):
    {}
    return right(x, zero_at)
"""


@dataclass(frozen=True)
class Submission:
    """What stands in the solution cell, the points of the checked and of the plain cell, and words of the report."""

    code: str
    points: float
    plain: float = 2.0
    said: str = ""


CLASS = {
    "right": Submission(RIGHT, FULL),
    "half_of_the_plain_cell": Submission(RIGHT + "\nanswer = 0.5", FULL, 0.5),
    "plain_cell_fails": Submission(RIGHT + "\nanswer = 'no'", FULL, 0.0),
    "plain_cell_returns_too_much": Submission(RIGHT + "\nanswer = 1e9", FULL, 0.0),
    "plain_cell_returns_inf": Submission(RIGHT + "\nanswer = float('inf')", FULL, 0.0),
    "warns": Submission(RIGHT + WITHIN.format("import warnings; warnings.warn('careful')"), FULL, said="careful"),
    "writes_to_stderr": Submission(RIGHT + WITHIN.format("import sys; print('oh', file=sys.stderr)"), FULL),
    "prints": Submission(RIGHT + WITHIN.format("print('hello from inside')"), FULL, said="hello from inside"),
    "floods": Submission(RIGHT + "\nfor _ in range(50): print('x' * 1_000_000)", FULL),
    "own_check": Submission(RIGHT + "\ndef check(*_): return 10.0", 0.0, said="handed on no answer"),
    "no_check": Submission(RIGHT + "\ndel check", 0.0, said="NameError: name 'check' is not defined"),
    "answer_for_another_exercise": Submission(
        "import autograder\nanswer = masked_exp = print\n"
        "def check(name, answer): return autograder.check('exp_predictions', {})",
        0.0,
        said="handed on an answer for exp_predictions, and none for masked_exp",
    ),
    "shows_a_result": Submission(NAIVE + WITHIN.format("get_ipython().displayhook(10.0)"), NAIVE_POINTS),
    "shows_nothing": Submission(NAIVE + "\ntype(get_ipython().displayhook).quiet = lambda _: True", NAIVE_POINTS),
    "ends_the_process": Submission(RIGHT + WITHIN.format("import os; os._exit(0)"), 0.0, 0.0),
    "never_ends_in_the_plain_cell": Submission(
        RIGHT + "\nclass A:\n    def __eq__(self, other):\n        while True: pass\nanswer = A()", FULL, 0.0
    ),
    "a_torch_beside_it": Submission(RIGHT + "\nimport helper\nassert helper.here", FULL),
}
FILES = {"a_torch_beside_it": {"torch.py": "raise SystemExit", "helper.py": "here = True"}}


def _source() -> NotebookNode:
    def graded(source: str, name: str, points: float, **more: bool) -> NotebookNode:
        meta = {"grade_id": name, "grade": True, "points": points, "solution": False, "locked": True} | more
        return new_code_cell(source, metadata={"nbgrader": meta})

    solution = {"grade_id": SOLUTION, "grade": False, "solution": True, "locked": False}
    by_hand = {"grade_id": BY_HAND, "grade": True, "solution": True, "locked": False, "points": 3}
    return new_notebook(
        cells=[
            new_code_cell(SET_UP),
            new_code_cell(f"### BEGIN SOLUTION\n{RIGHT}\n### END SOLUTION", metadata={"nbgrader": solution}),
            graded(f'# grade id: {CHECK} (keep this line)\ncheck("masked_exp", masked_exp)', CHECK, FULL),
            graded("assert answer != 'no'\n2.0 if callable(answer) else answer", PLAIN, 2),
            new_markdown_cell("Write here.", metadata={"nbgrader": by_hand}),
        ]
    )


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = make_course(tmp_path_factory.mktemp("sandboxed") / "course")
    folder = course.root / "source" / LESSON
    folder.mkdir(parents=True)
    nbformat.write(_source(), folder / f"{LESSON}.ipynb")
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write("c.SandboxExecute.cell_seconds = 5\n")
    course.nbgrader("generate_assignment", LESSON)
    released = read(course.root / "release" / LESSON / f"{LESSON}.ipynb")
    for student, submission in CLASS.items():
        course.submit(student, LESSON, LESSON, with_answer(released, SOLUTION, submission.code))
        for name, text in FILES.get(student, {}).items():
            (course.root / "submitted" / student / LESSON / name).write_text(text)
    course.nbgrader("autograde", LESSON)
    return course


@pytest.mark.parametrize("student", CLASS)
def test_the_points_are_those_that_the_answer_deserves(graded: Course, student: str) -> None:
    points = graded.points(student, LESSON, LESSON)
    assert points[CHECK] == CLASS[student].points
    assert points[PLAIN] == CLASS[student].plain
    assert points[BY_HAND] == 0.0  # untouched


@pytest.mark.parametrize("student", [student for student in CLASS if CLASS[student].said])
def test_the_report_or_what_was_printed_says_it(graded: Course, student: str) -> None:
    text = " ".join(output_text(graded.autograded(student, LESSON, LESSON), CHECK).split())
    assert CLASS[student].said in text


@pytest.mark.parametrize("student", CLASS)
def test_a_judged_cell_shows_the_report_the_number_and_what_was_printed_and_no_more(
    graded: Course, student: str
) -> None:
    nb = graded.autograded(student, LESSON, LESSON)
    shown = next(cell for cell in nb.cells if grade_id(cell) == CHECK).outputs
    assert [output.output_type for output in shown[:2]] == ["stream", "execute_result"]
    assert shown[0].text.startswith("Judged by the grader\n")
    assert float(shown[1].data["text/plain"]) == graded.points(student, LESSON, LESSON)[CHECK]
    assert all(output.output_type == "stream" and output.name == "stdout" for output in shown[2:])
    assert all(output.text.startswith("What the submission printed here:\n") for output in shown[2:])
    assert len(shown) <= 3


def test_what_a_submission_shows_is_bounded(graded: Course) -> None:
    path = graded.root / "autograded" / "floods" / LESSON / f"{LESSON}.ipynb"
    assert path.stat().st_size < 1_000_000
    assert "more characters are not kept" in path.read_text()


def test_the_log_says_which_cells_can_be_fooled(graded: Course) -> None:
    said = [line for line in graded.logs[-1].splitlines() if "not tamper-proof" in line]
    assert len(said) == len(CLASS)
    assert all(PLAIN in line and "WARNING" in line for line in said)


def test_the_log_names_the_isolation(graded: Course) -> None:
    assert "Submissions are isolated by " in graded.logs[-1]


def test_formgraders_button_gives_the_same(graded: Course) -> None:
    before = {student: graded.points(student, LESSON, LESSON) for student in ("warns", "own_check")}
    program = """
import json, sys
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader
config = PyFileConfigLoader("nbgrader_config.py", path=".").load_config()
api = NbGraderAPI(CourseDirectory(config=config), config=config)
print(json.dumps([api.autograde("mixed", student) for student in sys.argv[1:]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, *before], cwd=graded.root, env=graded.env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout.splitlines()[-1])
    assert [result["success"] for result in results] == [True, True], results
    assert {student: graded.points(student, LESSON, LESSON) for student in before} == before
    assert "Judged by the grader" in output_text(graded.autograded("warns", LESSON, LESSON), CHECK)


def test_without_isolation_every_report_says_so(graded: Course) -> None:
    before = graded.points("warns", LESSON, LESSON)
    graded.nbgrader("autograde", LESSON, "--student=warns", "--force", "--SandboxExecute.isolation=none")
    assert "WITHOUT ISOLATION" in graded.logs[-1]
    assert "Graded without isolation" in output_text(graded.autograded("warns", LESSON, LESSON), CHECK)
    assert graded.points("warns", LESSON, LESSON) == before


def test_grading_without_running_is_refused_and_changes_nothing(graded: Course) -> None:
    """nbgrader would take the points from outputs that the student saved, and give full points where there are none."""
    before = graded.points("warns", LESSON, LESSON)
    process = graded.start("autograde", LESSON, "--student=warns", "--force", "--no-execute")
    _, log = process.communicate(timeout=120)
    assert process.returncode == 1 and "cannot be graded without running the submissions" in log
    assert graded.points("warns", LESSON, LESSON) == before
    assert "Judged by the grader" in output_text(graded.autograded("warns", LESSON, LESSON), CHECK)


@pytest.mark.parametrize(
    "source, name",
    [
        ('check("masked_exp", masked_exp)', "masked_exp"),
        ('# grade id: x\npoints = autograder.check("masked_exp", f)\npoints', "masked_exp"),
        ('check("exp_predictions", a)\ncheck("masked_exp", f)', "masked_exp"),
        ('check("no such exercise", f)', None),
        ("assert f(1) == 2", None),
        ("%%time\nassert f(1) == 2", None),
        ('"check(masked_exp)"', None),
    ],
)
def test_the_exercise_of_a_cell_is_the_one_of_its_last_check(source: str, name: str | None) -> None:
    assert exercise_of_check(source) == name
