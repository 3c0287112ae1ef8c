"""The editions: what each transform does, that committed files equal a fresh build, that every notebook runs."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from autograder.__main__ import main
from autograder.editions import (
    NORMALISE,
    RELEASE,
    SELF_STUDY,
    SET_UP,
    EditionError,
    differences,
    normalise,
    published,
    read,
    text_of,
)
from autograder.editions.build import fresh, lessons
from autograder.editions.colab import set_up_from
from autograder.editions.notebook import apply, grade_id, is_check, is_solution, is_task, with_source
from autograder.editions.self_study import LINK, put_set_up_cell
from tests.notebooks import sample
from tests.notebooks.rules import anchors
from tests.tools import ROOT

LESSONS = lessons(ROOT)
by_notebook = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.notebook)

Run = Callable[[NotebookNode], NotebookNode]


def _scores(nb: NotebookNode) -> dict[str, tuple[float, float]]:
    """(points, maximum) of every graded cell of a notebook that was run, by nbgrader's own rule."""
    return {grade_id(cell): determine_grade(cell) for cell in nb.cells if is_check(cell)}


def _complaints(nb: NotebookNode) -> str:
    """What the cells of a notebook that was run wrote to standard error: a reader would see warnings on red ground."""
    outputs = (output for cell in nb.cells for output in cell.get("outputs", ()))
    return "".join(output.text for output in outputs if output.get("name") == "stderr")


# Every notebook runs


@by_notebook
def test_a_source_notebook_earns_every_point(lesson, run_notebook: Run) -> None:
    nb = read(lesson.path)
    checks = [grade_id(cell) for cell in nb.cells if is_check(cell)]
    scores = _scores(run_notebook(nb))
    assert _complaints(nb) == ""
    assert list(scores) == checks
    assert {name: points for name, (points, _) in scores.items()} == {name: most for name, (_, most) in scores.items()}


@by_notebook
def test_a_released_notebook_runs_and_loses_exactly_the_graded_points(lesson, run_notebook: Run) -> None:
    nb = run_notebook(read(ROOT / "release" / lesson.assignment / f"{lesson.notebook}.ipynb"))
    assert _complaints(nb) == ""
    scores = _scores(nb)
    assert set(scores) == {grade_id(cell) for cell in read(lesson.path).cells if is_check(cell)}
    assert [points for points, _ in scores.values()] == [0.0] * len(scores)


@by_notebook
def test_a_self_study_notebook_runs(lesson, run_notebook: Run) -> None:
    nb = run_notebook(read(ROOT / "notebooks" / f"{lesson.notebook}.ipynb"))
    assert _complaints(nb) == ""
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


# The committed files


def test_committed_editions_equal_a_fresh_build() -> None:
    found = [f"{difference.path} {difference.reason}" for difference in differences(ROOT)]
    assert found == [], "run `make notebooks` to mend this; keep your own work in copies with other names"


@by_notebook
def test_the_set_up_cell_is_the_same_everywhere(lesson) -> None:
    place = published(ROOT)
    source, release, self_study = (
        next(cell.source for cell in read(path).cells if cell.cell_type == "code")
        for path in (lesson.path, *_built(lesson))
    )
    assert source == release == SET_UP
    assert self_study == (set_up_from(place) if place else SET_UP)


@by_notebook
def test_no_solution_leaks_into_a_built_notebook(lesson) -> None:
    release, self_study = (path.read_text(encoding="utf-8") for path in _built(lesson))
    for marker in ("SOLUTION", "MARK SCHEME", "teaching-notes", '"why"', "Worked solution", "What a good answer says"):
        assert marker not in release
    for marker in ("BEGIN SOLUTION", "MARK SCHEME", "teaching-notes", '"why"', '"nbgrader"'):
        assert marker not in self_study
    stubs = [
        {cell.id: cell.source for cell in read(path).cells if cell.id in _ids(lesson.path, is_solution)}
        for path in _built(lesson)
    ]
    assert stubs[0] == stubs[1]
    assert all("# YOUR CODE HERE" in stub for stub in stubs[0].values())


@by_notebook
def test_every_exercise_has_its_fold(lesson) -> None:
    text = "\n".join(cell.source for cell in read(ROOT / "notebooks" / f"{lesson.notebook}.ipynb").cells)
    exercises = {re.sub(r"_solution(_\d+)?$", "", name) for name in _ids(lesson.path, is_solution)}
    assert text.count("<summary>Worked solution</summary>") == len(exercises)
    assert text.count("<summary>What a good answer says</summary>") == len(_ids(lesson.path, is_task))


@by_notebook
def test_links_resolve_in_the_built_notebooks(lesson) -> None:
    for path in _built(lesson):
        nb = read(path)
        for cell in nb.cells:
            for match in LINK.finditer(cell.source) if cell.cell_type == "markdown" else ():
                name, _, anchor = match["target"].partition("#")
                if not name.startswith("https://"):
                    linked = path.parent / name if name else path
                    assert linked.is_file(), match["target"]
                    assert not anchor or anchor in anchors(read(linked)), match["target"]


@by_notebook
def test_built_notebooks_are_valid(lesson) -> None:
    for path in (lesson.path, *_built(lesson)):
        nb = read(path)
        nbformat.validate(nb)
        assert (nb.nbformat, nb.nbformat_minor) == (4, 5)
        assert "widgets" not in nb.metadata
        assert path.read_bytes().endswith(b"}\n")


def _built(lesson) -> tuple[Path, Path]:
    return (
        ROOT / "release" / lesson.assignment / f"{lesson.notebook}.ipynb",
        ROOT / "notebooks" / f"{lesson.notebook}.ipynb",
    )


def _ids(path: Path, wanted: Callable[[NotebookNode], bool]) -> set[str]:
    return {grade_id(cell) for cell in read(path).cells if wanted(cell)}


# Transforms


@pytest.mark.parametrize("transform", dict.fromkeys((*NORMALISE, *RELEASE, *SELF_STUDY)), ids=lambda one: one.__name__)
def test_a_transform_leaves_its_input_as_it_was(transform) -> None:
    nb = normalise(sample.lesson())
    before = copy.deepcopy(nb)
    transform(nb)
    assert nb == before


def test_normal_form_forgets_what_a_run_and_an_editor_leave() -> None:
    clean = normalise(sample.lesson())
    nb = sample.lesson()
    nb.metadata.update(
        widgets={"application/vnd.jupyter.widget-state+json": {"state": {}}},
        language_info={"name": "python", "version": "3.99"},
        kernelspec={"name": "mine", "display_name": "Mine"},
    )
    for cell in nb.cells:
        cell.id = f"x{nb.cells.index(cell)}"
        cell.metadata.update(collapsed=True, scrolled=True, editable=True)
        cell.source = cell.source.replace("\n", "\r\n") + "\n\n"
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", text="out")]
            cell.execution_count = 9
    nb.cells.append(nbformat.v4.new_code_cell(""))
    assert text_of(normalise(nb)) == text_of(clean)


def test_normal_form_is_reached_at_once() -> None:
    once = normalise(sample.lesson())
    assert text_of(normalise(once)) == text_of(once)
    nbformat.validate(once)


def test_cell_ids_are_unique_and_survive_an_edit_elsewhere() -> None:
    nb = sample.lesson()
    twice = copy.deepcopy(nb.cells[3])
    nb.cells.insert(4, twice)
    before = [cell.id for cell in normalise(nb).cells]
    assert len(set(before)) == len(before)
    assert {"set_up", "masked_exp_check", "masked_exp_solution", "sample_written"} <= set(before)
    nb.cells[0].source += "\n\nOne more paragraph."
    after = [cell.id for cell in normalise(nb).cells]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False] + [True] * (len(before) - 1)


def test_self_study_folds_code_reason_and_mark_scheme() -> None:
    nb = apply(SELF_STUDY, sample.lesson())
    kinds = [cell.source.split("\n")[1] if cell.source.startswith("<details>\n") else cell.id for cell in nb.cells]
    assert kinds.index("<summary>Worked solution</summary>") == kinds.index("sample_predictions_solution") + 1
    check = kinds.index("masked_exp_check")
    assert nb.cells[check + 1].source.startswith("<details><summary>Help")
    worked = nb.cells[check + 2].source
    assert worked == (
        "<details>\n<summary>Worked solution</summary>\n\n```python\n"
        "def masked_exp(x: torch.Tensor, zero_at: int) -> torch.Tensor:\n"
        '    """Return exp(x) with 0 at index zero_at."""\n'
        "    out = x.exp().clone()\n    out[zero_at] = 0\n    return out\n```\n\n"
        "A clone is another tensor, which exp did not save.\n\n</details>"
    )
    task = kinds.index("sample_written")
    assert nb.cells[task].source == "**In your own words (2 points).** Why does exp keep its output?"
    assert nb.cells[task + 1].source == "*Your answer.*"
    assert "What a good answer says" in nb.cells[task + 2].source
    assert "- 2 points: names the derivative" in nb.cells[task + 2].source
    assert "(start_here.ipynb)" in nb.cells[0].source
    assert "(#Write-it)" in nb.cells[0].source


def test_the_last_cell_says_how_to_keep_ones_work() -> None:
    last = apply(SELF_STUDY, sample.lesson()).cells[-1]
    assert last.cell_type == "markdown"
    assert "**Colab:** *File > Save a copy in Drive*" in last.source
    assert "**JupyterLab:**" in last.source and "duplicate the file" in last.source


def test_predictions_are_folded_without_the_empty_ones() -> None:
    nb = apply(SELF_STUDY, sample.lesson())
    fold = next(cell for cell in nb.cells if cell.id == "sample_predictions-worked")
    assert '```python\npredictions = {"write middle": "runs"}\n```' in fold.source
    assert "None" not in fold.source
    stub = next(cell for cell in nb.cells if cell.id == "sample_predictions_solution")
    assert stub.source.endswith("}\n# YOUR CODE HERE\npass")


def test_another_edition_can_put_another_set_up_cell() -> None:
    nb = put_set_up_cell(normalise(sample.lesson()), "%pip install something")
    code = [cell.source for cell in nb.cells if cell.cell_type == "code"]
    assert code[0] == "%pip install something"
    assert code[1] == sample.PREDICTIONS


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    ### END SOLUTION", "", "'BEGIN SOLUTION' has no 'END SOLUTION' after it"),
        ("    ### BEGIN SOLUTION\n", "", "'END SOLUTION' stands without 'BEGIN SOLUTION' before it"),
        ("    return out", "    ### BEGIN SOLUTION\n    return out", "'BEGIN SOLUTION' stands twice"),
    ],
)
def test_markers_that_do_not_pair_are_named(old: str, new: str, said: str) -> None:
    nb = sample.lesson()
    nb.cells = [
        with_source(cell, cell.source.replace(old, new)) if grade_id(cell) == "masked_exp_solution" else cell
        for cell in nb.cells
    ]
    with pytest.raises(EditionError, match=f"^cell 'masked_exp_solution': {re.escape(said)}"):
        apply(SELF_STUDY, nb)


# Building


def _files(course: Path) -> dict[str, bytes]:
    return {path.relative_to(course).as_posix(): path.read_bytes() for path in course.rglob("*") if path.is_file()}


def test_building_is_deterministic_and_complete(sample_course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--course", str(sample_course), "editions"]) == 0
    first = _files(sample_course)
    assert sorted(first) == [
        "nbgrader_config.py",
        "notebooks/explorer.svg",
        "notebooks/sample.ipynb",
        "notebooks/start_here.ipynb",
        "release/sample/sample.ipynb",
        "release/start_here/start_here.ipynb",
        "source/sample/sample.ipynb",
        "source/start_here/start_here.ipynb",
    ]
    said = capsys.readouterr()
    assert "source/sample/sample.ipynb: brought into normal form" in said.out
    assert "building release/sample/" in said.err
    for folder in ("release", "notebooks"):
        shutil.rmtree(sample_course / folder)
    assert main(["--course", str(sample_course), "editions"]) == 0
    assert _files(sample_course) == first
    assert main(["--course", str(sample_course), "editions", "--check"]) == 0


def test_check_names_each_difference_and_the_command(built_course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = built_course / "source" / "sample" / "sample.ipynb"
    source.write_text(source.read_text().replace("Return a new tensor", "Return a fresh tensor").replace("[]", "[ ]"))
    (built_course / "release" / "sample" / "sample.ipynb").unlink()
    shutil.rmtree(built_course / "source" / "start_here")
    before = _files(built_course)
    capsys.readouterr()
    assert main(["--course", str(built_course), "editions", "--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "source/sample/sample.ipynb is not in normal form",
        "notebooks/sample.ipynb differs from a fresh build",
        "release/sample/sample.ipynb is missing",
        "notebooks/start_here.ipynb has no source any more",
        "release/start_here/start_here.ipynb has no source any more",
        "Run `make notebooks` to mend this.",
    ]
    assert _files(built_course) == before
    assert main(["--course", str(built_course), "editions"]) == 0
    assert not (built_course / "release" / "start_here").exists()
    assert main(["--course", str(built_course), "editions", "--check"]) == 0


def test_building_keeps_what_a_reader_made(built_course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = built_course / "notebooks" / "sample.ipynb"
    worked_in = read(path)
    next(cell for cell in worked_in.cells if cell.cell_type == "code").execution_count = 1
    path.write_text(text_of(worked_in))
    notes = built_course / "notebooks" / "notes.ipynb"
    notes.write_text(text_of(nbformat.v4.new_notebook()))
    shutil.copy(built_course / "notebooks" / "start_here.ipynb", built_course / "notebooks" / "copy.ipynb")
    capsys.readouterr()
    assert main(["--course", str(built_course), "editions"]) == 0
    kept = built_course / "notebooks" / "sample-mine-1.ipynb"
    assert read(kept) == worked_in
    assert "notebooks/sample-mine-1.ipynb: your copy of sample.ipynb, which had been run" in capsys.readouterr().out
    assert notes.is_file()
    assert (built_course / "notebooks" / "copy.ipynb").is_file()
    assert main(["--course", str(built_course), "editions", "--check"]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("### END SOLUTION", "### END"), "source/sample/sample.ipynb: cell 'sample_pred"),
        (
            lambda text: text.replace('"masked_exp_check"', '"masked exp"'),
            "source/sample: generate_assignment failed: ",
        ),
        (lambda text: text[:100], "this is not a notebook"),
    ],
)
def test_a_mistake_in_one_lesson_changes_nothing(
    change: Callable[[str], str], said: str, built_course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = built_course / "source" / "start_here" / "start_here.ipynb"
    start.write_text(start.read_text().replace("Go to", "Then go to"))
    source = built_course / "source" / "sample" / "sample.ipynb"
    source.write_text(change(source.read_text()))
    before = {name: text for name, text in _files(built_course).items() if not name.startswith("source/")}
    capsys.readouterr()
    assert main(["--course", str(built_course), "editions"]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert said in error
    after = {name: text for name, text in _files(built_course).items() if not name.startswith("source/")}
    assert after == before


def test_two_lessons_of_one_name_are_refused(sample_course: Path) -> None:
    shutil.copytree(sample_course / "source" / "sample", sample_course / "source" / "other")
    with pytest.raises(EditionError, match="have the same file name"):
        fresh(sample_course)


# The command line


def test_normalise_names_what_it_changed(sample_course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sample_course / "source" / "sample" / "sample.ipynb"
    assert main(["normalise", str(path)]) == 0
    assert capsys.readouterr().out == "source/sample/sample.ipynb: brought into normal form\n"
    assert main(["normalise", str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_only_sources_have_a_normal_form(sample_course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["normalise", str(sample_course / "notebooks" / "sample.ipynb")]) == 1
    assert "only notebooks in" in capsys.readouterr().err


def test_outside_a_course_one_sentence_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--course", str(tmp_path), "editions"]) == 1
    assert "no course here" in capsys.readouterr().err


def test_the_command_line_as_typed() -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "autograder", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    shown = call("--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "editions" in shown.stdout and "normalise" in shown.stdout
    assert call("editons").returncode == 2
