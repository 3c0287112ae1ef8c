"""Right and wrong answers to every exercise, one file each in tests/answers/<exercise>/, with what each should get.

A file's docstring begins with what it is; `answer` is what the notebook hands to `check`, `POINTS` what it should earn
and `MESSAGE` a text that its report must contain ("" for none). An answer that does something else where there is a
CUDA device says so with `WITH_CUDA`: its points and its message there.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import torch

from autograder import exercises
from autograder.checking import examine

FOLDER = Path(__file__).resolve().parent.parent / "answers"
FILES = sorted(FOLDER.glob("*/*.py"))


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"answer_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.stem}" for path in FILES])
def test_answer_gets_its_points_and_its_message(path: Path) -> None:
    module = load(path)
    points, message = module.POINTS, module.MESSAGE
    if torch.cuda.is_available():
        points, message = getattr(module, "WITH_CUDA", (points, message))
    report, _ = examine(path.parent.name, module.answer)
    text = report.text()
    one_line = " ".join(text.split())
    assert report.points == pytest.approx(points), text
    assert " ".join(message.split()) in one_line, text
    assert report.maximum == exercises.get(path.parent.name).maximum
    assert report.full == path.stem.startswith("right_"), text
    assert (module.__doc__ or "").strip(), "the file's docstring says what the answer is"


def test_names_of_answer_files() -> None:
    assert FILES, "there are answers"
    for path in FILES:
        assert path.parent.name in exercises.names(), f"{path.parent.name} is no exercise"
        assert path.stem.startswith(("right_", "wrong_")), f"{path}: begin the name with right_ or wrong_"


@pytest.mark.parametrize("exercise", sorted({path.parent.name for path in FILES}))
def test_enough_answers(exercise: str) -> None:
    stems = [path.stem for path in FILES if path.parent.name == exercise]
    assert any(stem.startswith("right_") for stem in stems), "at least one right answer"
    assert any(stem.startswith("wrong_") for stem in stems), "at least one wrong answer"
