"""The atlas: its file, search and look-up, operations for experiments, the command line, torch's derivatives.yaml."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inplace_lab import Experiment, Operation, Write, atlas, observe
from inplace_lab.atlas import __main__ as command
from inplace_lab.atlas import file, measuring
from inplace_lab.saving import VERDICTS
from tests.tools import ROOT


def differentiable() -> list[atlas.Entry]:
    return [entry for entry in atlas.entries() if entry.reason != measuring.NO_GRADIENT]


def one(name: str = "exp", **changes: object) -> atlas.Entry:
    return replace(atlas.lookup(name), **changes)


# --- the file ---------------------------------------------------------------------------------------------------------


def test_the_file_is_small_sorted_stamped_and_one_line_for_each_sample() -> None:
    text = atlas.DATA.read_text(encoding="utf-8")
    assert len(text.encode()) < 1_000_000
    version, entries = file.parse(text)
    assert file.render(version, entries) == text
    assert version == atlas.version() and version[0].isdigit()
    assert [(e.name, e.variant) for e in entries] == sorted({(e.name, e.variant) for e in entries})
    assert len(text.splitlines()) >= len(entries) + sum(len(entry.samples) for entry in entries)


def test_nearly_all_is_measured_and_the_rest_says_why() -> None:
    listed = differentiable()
    assert len(listed) > 500 and len(atlas.entries()) > 650
    assert sum(bool(entry.samples) for entry in listed) >= 0.95 * len(listed)
    assert all(bool(entry.samples) != bool(entry.reason) for entry in atlas.entries())
    assert all(0 < len(entry.samples) <= min(entry.seen, measuring.MOST_MEASURED) for entry in listed if entry.samples)


def test_reading_and_doing_agree_or_the_entry_explains_it() -> None:
    tensors = [(e.title, t) for e in atlas.entries() for sample in e.samples for t in sample.tensors]
    assert len(tensors) > 2000
    assert [(title, t) for title, t in tensors if t.read and not t.note] == []
    assert {t.verdict for _, t in tensors} <= set(VERDICTS)
    assert all(t.kept for _, t in tensors if t.verdict == "error" and not t.read)


@pytest.mark.parametrize(
    ("name", "inputs", "output", "nothing"),
    [("exp", "free", "kept", False), ("sin", "kept", "free", False), ("mul", "depends", "free", False),
     ("pow", "kept", "depends", False), ("neg", "free", "free", True), ("relu", "free", "kept", False),
     ("argmax", "", "", False)],
)  # fmt: skip
def test_answers_to_known_questions(name: str, inputs: str, output: str, nothing: bool) -> None:
    entry = atlas.lookup(name)
    assert (entry.answer("input"), entry.answer("output"), entry.saves_nothing) == (inputs, output, nothing)


# --- search and look-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "title"),
    [("softmax", "softmax"), ("torch.nn.functional.gelu", "nn.functional.gelu"), ("F.relu", "nn.functional.relu"),
     ("arccos", "acos"), ("Tensor.add", "add"), ("EXP", "exp"), ("layer_norm", "nn.functional.layer_norm"),
     ("softmax (with_dtype)", "softmax (with_dtype)"), ("exp()", "exp"), ("svd", "svd"), ("linalg.svd", "linalg.svd")],
)  # fmt: skip
def test_look_up_takes_the_names_that_people_use(text: str, title: str) -> None:
    assert atlas.lookup(text).title == title


def test_every_entry_and_alias_can_be_looked_up() -> None:
    for entry in atlas.entries():
        assert atlas.lookup(entry.title) == entry
        for alias in entry.aliases:
            found = atlas.lookup(alias)
            assert alias in found.aliases or alias == found.name


def test_an_unknown_name_is_met_with_near_ones() -> None:
    with pytest.raises(KeyError, match="no operation 'sofmax'. Did you mean softmax"):
        atlas.lookup("sofmax")
    with pytest.raises(KeyError, match="inplace_lab.probe measures any callable"):
        atlas.lookup("zzzzqqq")


def test_search_finds_all_words_and_passes_filters() -> None:
    assert atlas.search() and len(atlas.search()) == len(atlas.entries())
    assert atlas.search("soft")[0].name == "softmax"
    assert all("pool" in e.words and "2" in e.words for e in atlas.search("pool 2")) and atlas.search("pool 2")
    free = atlas.search("", ["input may be overwritten", "output may be overwritten"])
    assert atlas.lookup("neg") in free and atlas.lookup("exp") not in free
    assert set(atlas.search("", ["saves nothing"])) <= {e for e in atlas.entries() if e.samples}
    for call in (lambda: atlas.search("", ["nothing"]), lambda: one().passes("nothing")):
        with pytest.raises(ValueError, match="no filter 'nothing'; the known ones are input may be overwritten"):
            call()


def test_another_torch_is_named() -> None:
    entry = one(torch="1.0.0")
    assert f"Measured on torch 1.0.0, but torch {torch.__version__} is installed here" in str(entry)
    assert "torch 1.0.0, but" in entry._repr_html_()
    build = torch.__version__.partition("+")[0] + "+cu999"
    assert one(torch=build).stamp == f"Measured on torch {build}."


def test_an_entry_is_text_and_picture() -> None:
    entry = atlas.lookup("layer_norm")
    text, html = str(entry), entry._repr_html_()
    assert "NativeLayerNormBackward0.bias" in text and "its numbers are not used" in text
    assert html.count('role="img"') == len(entry.samples) == 2
    assert f"2 kinds among {entry.seen} calls" in text and entry.stamp in text
    assert "Not measured: torch's operator database names no gradient" in str(atlas.lookup("argmax"))


# --- operations -------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch calls some uses deprecated
def test_one_tensor_to_one_tensor_is_an_operation_for_an_experiment() -> None:
    """Each runs, and where a deterministic one was measured on one tensor, an experiment finds the same."""
    found = {entry: entry.operation() for entry in atlas.entries() if entry.operation()}
    assert len(found) > 180
    assert atlas.lookup("exp").operation() == Operation(
        "torch.exp", "torch.exp(middle)", f"On torch {atlas.version()}, it keeps its output."
    )
    assert atlas.lookup("matmul").operation() is None and atlas.lookup("argmax").operation() is None
    wrong = []
    for entry, operation in found.items():
        sample = next(s for s in entry.samples if s.expression)
        for role, target in (("input", "middle"), ("output", "root")):
            verdicts = {tensor.verdict for tensor in sample.of(role)}
            seen = observe(Experiment(operation, writes=(Write(target, "mul_", "after_root", 0.5, through="no_grad"),)))
            said = "error" if seen.outcome == "backward refused" else "free"
            if verdicts <= {"free", "error"} and verdicts != {said}:
                wrong.append((entry.title, operation.expression, target, verdicts, seen.outcome))
    assert wrong == []


# --- torch's own formulas ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def agreement():
    from inplace_lab.atlas import derivatives

    return derivatives.compare(atlas.entries())


def test_the_formulas_of_torch_agree_or_the_difference_is_explained(agreement) -> None:
    if torch.__version__.partition("+")[0] != atlas.version().partition("+")[0]:
        pytest.skip(
            f"the atlas was measured on torch {atlas.version()}, and derivatives.yaml is of {torch.__version__}"
        )
    assert agreement.entries > 450 and agreement.nodes > 300
    assert agreement.agreeing >= 0.95 * agreement.entries
    assert [one for one in agreement.differences if not one.explanation] == []
    assert f"{agreement.agreeing} of {agreement.entries} entries hold exactly" in str(agreement)


def test_a_wrong_slot_is_a_difference() -> None:
    from inplace_lab.atlas import derivatives

    entry = atlas.lookup("exp")
    sample = entry.samples[0]
    (node,) = sample.nodes

    def told(**changes: object) -> list[str]:
        changed = replace(sample, **changes)
        return [one.text for one in derivatives.compare([replace(entry, samples=(changed,))]).differences]

    assert told() == []
    assert told(nodes=(replace(node, slots=()),)) == ["the formula uses result, which is not held"]
    assert told(nodes=(replace(node, slots=("result", "self")),)) == ["self is held, which no formula uses"]
    swapped = tuple(replace(one, role={"input": "output", "output": "input"}[one.role]) for one in sample.tensors)
    assert told(tensors=swapped) == ["the formula takes result for an output, and it is the memory of input"]


# --- the command line -------------------------------------------------------------------------------------------------


def test_show_prints_all_variants_or_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["show", "max"]) == 0
    said = capsys.readouterr().out
    assert all(f"max ({variant})" in said for variant in ("binary", "reduction_no_dim", "reduction_with_dim"))
    assert command.main(["show", "sofmax"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("The atlas has no operation 'sofmax'. Did you mean")


def test_bad_jobs_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command.main(["measure", "--jobs", "0", "--output", str(tmp_path / "new.json")]) == 2
    assert "--jobs must be at least 1" in capsys.readouterr().err


@pytest.mark.long
def test_ctrl_c_stops_measuring_and_leaves_no_file_and_no_process(tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    output = tmp_path / "new.json"
    arguments = [sys.executable, "-m", "inplace_lab.atlas", "measure", "--jobs", "2", "--output", str(output)]
    process = subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    parent = psutil.Process(process.pid)
    while not any("spawn_main" in " ".join(child.cmdline()) for child in parent.children()):
        assert process.poll() is None
    children = parent.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped;" in said and "Traceback" not in said
    assert not output.exists()
    assert psutil.wait_procs(children, timeout=20)[1] == []


# --- a rule held against the atlas ------------------------------------------------------------------------------------


def tries(f, target: str) -> bool:
    """What the lesson's exercise asks for: overwrite, run backward, see."""
    given = torch.rand(6, requires_grad=True) * 1
    result = f(given)
    with torch.no_grad():
        (given if target == "input" else result).add_(1)
    try:
        result.sum().backward()
    except RuntimeError:
        return False
    return True


def test_a_rule_that_tries_gets_all_of_the_atlas_right() -> None:
    """A second, independent measurement of every operation of one tensor."""
    result = atlas.score(tries)
    assert result.misses == () and result.right == result.asked == result.answered > 350
    assert str(result) == f"right in {result.asked} of {result.asked} questions"


def test_wrong_rules_are_told_what_surprises_most() -> None:
    result = atlas.score(
        lambda f, target: not (target == "output" and "Exp" in f(torch.ones(6).requires_grad_()).grad_fn.name())
    )
    assert 0 < result.right < result.asked
    text = str(result).splitlines()
    assert text[1] == "most surprisingly wrong:" and len(text) == 5
    assert [miss.surprise for miss in result.misses] == sorted((m.surprise for m in result.misses), reverse=True)
    missed_one = atlas.score(lambda f, target: tries(f, target) != (target == "input" and _is(f, "SqrtBackward0")))
    assert "torch.sqrt(x), input: your rule said False, torch says True (kept by nobody)" in str(missed_one)


def _is(f, node: str) -> bool:
    return f(torch.ones(6).requires_grad_()).grad_fn.name() == node


def test_no_answers_and_errors_are_no_exceptions() -> None:
    assert str(atlas.score(lambda f, target: None)).startswith("No answer to any of")
    broken = atlas.score(lambda f, target: 1 / 0)
    assert (broken.right, broken.answered) == (0, 0) and "ZeroDivisionError: division by zero" in str(broken)
    with pytest.raises(TypeError, match="not NoneType"):
        atlas.score(None)
