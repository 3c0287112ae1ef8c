"""Stories of tensors: where they left x's device, where they lost their way back to x; and the words for them."""

from __future__ import annotations

import numpy
import pytest
import torch

from autograder.exercises.kit import watching
from autograder.exercises.kit.watching import Watch, availability
from tests.accelerators import ACCELERATORS


def story(answer, device: str = "cpu") -> dict:
    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    watch, result = Watch(x), None
    try:
        with watch:
            result = answer(x)
    except Exception:
        pass
    return watch.story(result)


def under_no_grad(x):
    with torch.no_grad():
        y = x.exp()
    return y * 2


def through_numpy(x):
    array = x.detach().numpy()
    return torch.tensor(array * 2)


@pytest.mark.filterwarnings("ignore:To copy construct:UserWarning", "ignore:Converting a tensor:UserWarning")
@pytest.mark.parametrize(
    "answer, by, line",
    [
        (lambda x: x.exp().detach().clone(), ".detach()", ".detach().clone()"),
        (lambda x: x.exp().data * 2, ".data", ".data * 2"),
        (lambda x: torch.tensor(x), "torch.tensor(...)", "torch.tensor(x)"),
        (under_no_grad, "torch.no_grad()", "y = x.exp()"),
        (through_numpy, ".numpy()", "array = x.detach().numpy()"),
        (lambda x: torch.tensor([v.item() for v in x]), ".item()", "v.item()"),
        (lambda x: torch.tensor([float(v) for v in x]), ".__float__()", "float(v)"),
        (lambda x: torch.tensor(x.tolist()), ".tolist()", "x.tolist()"),
        (lambda x: torch.from_numpy(numpy.asarray(x.detach())), ".__array__()", "numpy.asarray"),
    ],
)
def test_where_a_result_lost_its_way(answer: object, by: str, line: str) -> None:
    cut = story(answer)["cut"]
    assert cut["by"] == by and line in cut["line"]
    told = watching.explain_cut({"story": {"cut": cut}})
    assert told.startswith("The output does not require grad: ") and f"Your line: {cut['line']}" in told


def test_a_result_that_kept_its_way_has_no_cut() -> None:
    assert "cut" not in story(lambda x: torch.where(x.detach() > 1, x.exp(), 0))
    assert "cut" not in story(lambda x: x.exp() * x.detach())


@pytest.mark.parametrize("device", ACCELERATORS)
@pytest.mark.parametrize(
    "answer, expected",
    [
        (lambda x: x.cpu() * 2, {"how": "moved", "by": ".cpu()", "mask": False}),
        (lambda x: torch.arange(3), {"how": "made", "by": "torch.arange(...)", "told": False}),
        (lambda x: torch.zeros(3, device="cpu") + 1, {"how": "made", "by": "torch.zeros(...)", "told": True}),
        (lambda x: torch.where(torch.arange(3) == 1, 0, x), {"how": "made", "by": "torch.arange(...)", "mask": True}),
        (lambda x: x * torch.tensor(2.0) * torch.ones(3), {"how": "made", "by": "torch.ones(...)", "mask": False}),
    ],
)
def test_where_a_tensor_left_the_device(answer: object, expected: dict, device: str) -> None:
    told = story(answer, device)
    assert torch.device(told["x"]) == torch.tensor(0, device=device).device
    assert {key: told["foreign"][key] for key in expected} == expected
    assert told["foreign"]["device"] == "cpu" and "lambda x" in told["foreign"]["line"]


@pytest.mark.parametrize("device", ACCELERATORS)
def test_what_is_right_has_no_story(device: str) -> None:
    def answer(x):
        y = x.exp().clone()
        y[torch.arange(3) == 1] = 0
        return y * torch.tensor(2.0)

    assert set(story(answer, device)) == {"x"}


@pytest.mark.skipif(torch.cuda.is_available(), reason="CUDA is here, so nothing refuses it")
@pytest.mark.hardware
@pytest.mark.parametrize(
    "answer, by",
    [
        (lambda x: x.cuda(), ".cuda()"),
        (lambda x: x.to("cuda:0"), ".to()"),
        (lambda x: torch.zeros(3, device="cuda"), "torch.zeros(...)"),
        (lambda x: torch.zeros(3, device=torch.device("cuda")), "torch.zeros(...)"),
    ],
)
def test_a_call_for_cuda_is_remembered(answer: object, by: str) -> None:
    told = story(answer)
    assert told["cuda"]["by"] == by
    assert watching.asks({"story": told}) and not watching.asks({"story": {}})
    said = watching.explain_cuda({"story": told}, "f(x)", "Torch not compiled with CUDA enabled")
    assert said.startswith(f"f(x) asks for CUDA by name ({by}), and this machine has none.")
    assert "Torch says: Torch not compiled with CUDA enabled. Your line: (lambda x:" in said


def test_a_long_loop_keeps_a_bounded_number_of_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_TENSORS", 5)
    x = torch.ones(2)
    watch = Watch(x)
    with watch:
        for _ in range(50):
            y = x + 1
    assert len(watch._kept) == 5 and watch.story(y) == {"x": "cpu"}


def test_availability_is_pretended_to_students_only_and_put_back() -> None:
    real = torch.cuda.is_available
    inside = {"torch": torch, "__name__": "torch.somewhere"}
    exec("def ask(): return torch.cuda.is_available()", inside)
    with availability(True) as lines:
        assert inside["ask"]() is real() and not lines
        assert torch.cuda.is_available() is True and torch.cuda.is_available() is True
        assert len(lines) == 1 and "torch.cuda.is_available() is True" in lines[0]
    assert torch.cuda.is_available is real
    with pytest.raises(ValueError), availability():
        assert torch.cuda.is_available() is real()
        raise ValueError
    assert torch.cuda.is_available is real


@pytest.mark.parametrize(
    "record", [{}, {"story": None}, {"story": []}, {"story": {"foreign": 3, "cut": [], "x": 1, "cuda": "yes"}}]
)
def test_untrusted_stories_give_the_general_words(record: dict) -> None:
    assert watching.explain_mixed(record, "f()") == "" and watching.explain_cuda(record, "f()") == ""
    assert watching.explain_elsewhere(record, "cuda:0", "cpu").endswith("make every new tensor on x.device.")
    assert "something cut it off from x (detach(), .data," in watching.explain_cut(record)
    assert watching.explain_mixed({"story": {"x": "a\nb", "foreign": {"by": 3, "device": None}}}, "f()")
