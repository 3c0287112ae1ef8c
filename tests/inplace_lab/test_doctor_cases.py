"""The doctor on small faulty programs: the kind, the two lines, and whether its advice, followed, is the repair."""

from __future__ import annotations

import inspect
import linecache
import textwrap
import warnings
from pathlib import Path

import pytest
import torch

from inplace_lab.doctor import Diagnosis, diagnose
from tests import doctor_cases
from tests.doctor_cases import Program, discover
from tests.doctor_cases.following import followed

PROGRAMS = discover()
BOUND = 0.95


def diagnosed(run) -> Diagnosis:
    """The diagnosis of a program, whether it raises or not."""
    torch.manual_seed(0)
    block = diagnose(warn=False)
    try:
        with block, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch's own, about hooks and compilers
            run()
    except Exception:  # noqa: S110 - the diagnosis holds it
        pass
    return block.diagnosis


def misses(program: Program, diagnosis: Diagnosis) -> dict[str, bool]:
    """Which of kind, saved line and changed line are wrong; those that the program does not mark are left out."""
    found = {"kind": diagnosis.kind != program.kind}
    if saved := program.marked("saved"):
        found["saved"] = diagnosis.saved_at is None or diagnosis.saved_at.line not in saved
    if changed := program.marked("changed"):
        found["changed"] = not diagnosis.changed_at or diagnosis.changed_at[0].place.line not in changed
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_kind_and_lines(name: str) -> None:
    program = PROGRAMS[name]
    diagnosis = diagnosed(program.run)
    assert not any(misses(program, diagnosis).values()), f"{diagnosis}\n\n{diagnosis.as_dict()}"
    if program.kind not in ("none", "other"):
        assert diagnosis.advice


def test_score(capsys: pytest.CaptureFixture[str]) -> None:
    """The bound that the doctor has to keep, over all programs."""
    counted: dict[str, list[bool]] = {}
    for program in PROGRAMS.values():
        for part, missed in misses(program, diagnosed(program.run)).items():
            counted.setdefault(part, []).append(not missed)
    with capsys.disabled():
        print("\n" + ", ".join(f"{part} {sum(right)}/{len(right)}" for part, right in counted.items()))
    assert all(sum(right) >= BOUND * len(right) for right in counted.values())


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if program.repair])
def test_repair_is_right_and_healthy(name: str) -> None:
    result = []
    diagnosis = diagnosed(lambda: result.extend(PROGRAMS[name].repair()))
    assert diagnosis.kind == "none", str(diagnosis)
    got, right = result
    torch.testing.assert_close(got.double(), right.double())


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if program.rewritten])
def test_line_that_the_doctor_writes_is_the_repair(name: str, tmp_path) -> None:
    """The line of the report, put in place of the faulty one, gives what the repair gives."""
    program = PROGRAMS[name]
    diagnosis = diagnosed(program.run)
    place = diagnosis.changed_at[0].place if diagnosis.changed_at else diagnosis.saved_at
    lines, first = inspect.getsourcelines(program.run)
    at = place.line - first
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at] = f"{indent}{diagnosis.fix}\n"
    source = textwrap.dedent("".join(line for line in lines if not line.startswith("@")))
    scope = dict(program.run.__globals__)
    exec(compile(source, str(tmp_path / "mended.py"), "exec"), scope)
    got, right = scope[program.run.__name__](), program.repair()[1]
    torch.testing.assert_close(got.double(), right.double())


def test_advice_that_names_lines_is_the_repair(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """Lines moved as the report says, as somebody does who is in a hurry: the fault is gone, the numbers are right."""
    followed_ones, wrong = [], {}
    for name, program in PROGRAMS.items():
        diagnosis = diagnosed(program.run)
        file = inspect.getsourcefile(program.run)
        source = followed(Path(file).read_text(), diagnosis.finding.advice)
        if source is None:
            continue
        followed_ones.append(name)
        monkeypatch.setattr(doctor_cases, "PROGRAMS", {})
        exec(compile(source, f"{file} (followed)", "exec"), {"__name__": "followed"})
        result = []
        after = diagnosed(lambda: result.append(doctor_cases.PROGRAMS[name].run()))  # noqa: B023 - called at once
        monkeypatch.undo()
        if after.kind != "none":
            wrong[name] = str(after)
        elif program.repair and isinstance(result[0], torch.Tensor):
            right = program.repair()[1]
            if not torch.allclose(result[0].double().flatten(), right.double().flatten()):
                wrong[name] = f"gives {result[0]}, the repair {right}"
    with capsys.disabled():
        print(f"\n{len(followed_ones)} programs mended by moving lines")
    assert not wrong
    assert len(followed_ones) >= 15


@pytest.mark.parametrize("name", PROGRAMS)
def test_report_shows_both_lines_with_their_code(name: str) -> None:
    diagnosis = diagnosed(PROGRAMS[name].run)
    places = [place for place in (diagnosis.saved_at, *(change.place for change in diagnosis.changed_at)) if place]
    text, page = str(diagnosis), diagnosis._repr_html_()
    for place in places:
        assert linecache.getline(place.file, place.line).strip() == place.code
        assert f":{place.line}   {place.code}" in text
        assert f">{place.line}</span>" in page
    assert diagnosis.finding.headline in " ".join(text.split())
    assert "role=" in page
    if diagnosis.kind == "saved":
        assert f"version {diagnosis.expected}" in " ".join(text.split())
