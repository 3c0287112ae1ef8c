"""masked_exp: the closed form, the challenge, devices, messages."""

from __future__ import annotations

import copy
import json
import random

import numpy
import pytest
import torch

from autograder import exercises
from autograder.checking import collect_json, examine
from autograder.exercises import masked_exp as exercise_module
from autograder.exercises.kit import functions
from autograder.exercises.kit.demands import device_rows
from autograder.exercises.masked_exp import draw, gradient_hint, jacobian, second, value, value_hint
from autograder.judge import challenge_for, judge
from autograder.report import FAILED, NOT_RUN, PASSED, Report
from inplace_lab import devices
from inplace_lab.devices import Device
from tests.accelerators import ACCELERATORS

EXERCISE = exercises.get("masked_exp")


def right(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y


def test_closed_form_against_autograd() -> None:
    x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
    weights, directions = torch.tensor([1.0, 2.0, 3.0]).double(), torch.tensor([-1.0, 0.5, 4.0]).double()
    for place in (-3, -1, 0, 1, 2):
        mask = torch.ones(3, dtype=torch.float64)
        mask[place] = 0
        y = torch.where(mask == 1, x.exp(), 0)
        assert torch.allclose(value(x.detach(), place), y.detach())
        whole = torch.autograd.functional.jacobian(lambda t, m=mask: torch.where(m == 1, t.exp(), 0), x.detach())
        assert torch.allclose(torch.diag(jacobian(x.detach(), place)), whole)
        (gradient,) = torch.autograd.grad(y, x, weights, create_graph=True)
        (again,) = torch.autograd.grad(gradient, x, directions)
        assert torch.allclose(second(x.detach(), weights, directions, place), again)
    for place in (3, -4):
        with pytest.raises(IndexError):
            value(x, place)


@pytest.mark.parametrize("seed", range(30))
def test_challenges_cover_what_the_exercise_demands(seed: int) -> None:
    trials = {trial["key"]: trial for trial in draw(random.Random(seed))}
    assert len(trials["alone"]["x"]) == 1 and len(trials["large"]["x"]) == 1000
    assert {trial["dtype"] for trial in trials.values()} == {"float64", "float32", "bfloat16"}
    assert trials["strided"]["layout"] == "strided" and not trials["no grad"]["requires_grad"]
    for key, trial in trials.items():
        n, place = len(trial["x"]), trial["arguments"][0]
        assert (-n <= place < n) == (key not in ("beyond", "far below"))
        exact = torch.tensor(trial["x"], dtype=torch.bfloat16).double().tolist()
        assert exact == trial["x"], "every dtype computes with the same numbers"
        assert 0 not in trial["x"]
    demanded = {key for demand in EXERCISE.verify.args[1] for key in demand.keys}
    assert demanded | {"overflow"} == set(trials), "each trial is looked at"


def test_points() -> None:
    assert EXERCISE.maximum == 10
    report, _ = examine("masked_exp", right)
    claims = [case for case in report.cases if case.claim]
    assert [case.name for case in claims if case.points] == [
        "input not written to",
        "dtype kept",
        "zero_at out of range",
    ]
    assert sum(case.points for case in claims) == 1.5


@pytest.mark.parametrize("seed", range(15))
def test_right_and_wrong_answers_on_many_challenges(seed: int) -> None:
    def in_place(x, zero_at):
        y = x.exp()
        y[zero_at] = 0
        return y

    assert examine("masked_exp", right, str(seed))[0].points == 10
    assert examine("masked_exp", in_place, str(seed))[0].points == 3.5
    assert examine("masked_exp", lambda x, z: right(x, z - 1), str(seed))[0].points == 0


# Each demand costs its own points, and no others: a right payload with one record spoilt


def payload(answer=right, seed: str = "7") -> dict:
    return json.loads(collect_json("masked_exp", answer, seed))


def lost(change, device: str = "cpu") -> dict[str, str]:
    data = payload()
    change(data["records"][accelerator_name(data) if device != "cpu" else "cpu"])
    report = judge("masked_exp", "7", json.dumps(data))
    return {case.name: case.message for case in report.cases if case.points and case.status != PASSED}


def accelerator_name(data: dict) -> str:
    return next(row["name"] for row in data["devices"][1:] if row["available"])


def bump(tensor: dict, place: int = 0, by: float = 0.01) -> None:
    tensor["values"][place] += by


def forge(records: dict, key: str, **fields: object) -> None:
    records[key] |= fields


@pytest.mark.parametrize(
    "change, names",
    [
        (lambda r: bump(r["last"]["result"]), {"values", "zero gradient at the replaced place"}),
        (lambda r: bump(r["float32"]["result"], by=1.0), {"values", "dtype kept"}),
        (lambda r: bump(r["last"]["jacobian"]), {"gradient"}),
        (lambda r: bump(r["last"]["jacobian"], 15), {"gradient", "zero gradient at the replaced place"}),
        (lambda r: bump(r["last"]["jacobian"], 3), {"gradient", "zero gradient at the replaced place"}),
        (lambda r: bump(r["float32"]["jacobian"]), {"gradient"}),
        (lambda r: bump(r["second"]["second"]), {"second derivative"}),
        (lambda r: bump(r["twice"]["twice"], 0), {"backward twice with retain_graph"}),
        (lambda r: bump(r["twice"]["twice"], 5), {"backward twice with retain_graph"}),
        (lambda r: r["untouched plain"]["input"].update(version_after=1), {"input not written to"}),
        (lambda r: r["untouched middle"]["input"]["values"].__setitem__(0, 9.0), {"input not written to"}),
        (lambda r: r["untouched middle"]["input"].update(gaps=False), {"input not written to"}),
        (lambda r: r["untouched plain"]["input"].update(requires_grad=True), {"input not written to"}),
        (lambda r: r["untouched plain"].update(input=None), {"input not written to"}),
        (lambda r: r["bfloat16"]["result"].update(dtype="float32"), {"dtype kept"}),
        (lambda r: bump(r["large"]["pull"], 17), {"length 1 to large, any layout, no grad"}),
        (lambda r: bump(r["alone"]["result"]), {"length 1 to large, any layout, no grad"}),
        (lambda r: bump(r["strided"]["jacobian"]), {"length 1 to large, any layout, no grad"}),
        (lambda r: bump(r["no grad"]["result"]), {"length 1 to large, any layout, no grad"}),
        (lambda r: bump(r["first by -n"]["result"]), {"negative zero_at"}),
        (lambda r: bump(r["last by -1"]["jacobian"]), {"negative zero_at"}),
        (lambda r: r["beyond"]["problem"].update(index_error=False), {"zero_at out of range"}),
        (lambda r: r["far below"].pop("problem"), {"zero_at out of range"}),
        (lambda r: r["bfloat16"]["result"].update(device="cuda:0"), {"dtype kept"}),
        (lambda r: r["overflow"].clear(), set()),
    ],
)
def test_a_spoilt_record_costs_its_own_points(change, names: set[str]) -> None:
    found = lost(change)
    assert set(found) == names
    assert all(found.values()), "each has a message"


@pytest.mark.parametrize(
    "change, names",
    [
        (lambda r: bump(r["float32"]["result"], by=1.0), {"values on the input's device"}),
        (lambda r: bump(r["bfloat16"]["result"], by=1.0), {"values on the input's device"}),
        (lambda r: r["bfloat16"]["result"].update(device="cpu"), {"values on the input's device"}),
        (lambda r: bump(r["float32"]["jacobian"]), {"gradient on the input's device"}),
        (lambda r: r["untouched plain"]["input"].update(version_after=1), set()),
    ],
)
def test_a_spoilt_record_of_a_device_costs_its_own_points(change, names: set[str]) -> None:
    found = lost(change, "accelerator")
    assert set(found) == names
    assert all(found.values()), "each has a message"


def test_a_write_into_the_input_on_a_device_has_a_line_without_points() -> None:
    data = payload()
    data["records"][accelerator_name(data)]["untouched plain"]["input"].update(version_after=1)
    case = judge("masked_exp", "7", json.dumps(data)).case("input not written to on its device")
    assert (case.status, case.points, case.claim) == (FAILED, 0.0, True) and "version 0 -> 1" in case.message


def test_small_errors_are_seen() -> None:
    assert lost(lambda r: bump(r["last"]["result"], by=1e-8))
    assert lost(lambda r: bump(r["last"]["jacobian"], by=1e-7))
    assert lost(lambda r: bump(r["second"]["second"], by=1e-6))
    assert not lost(lambda r: bump(r["last"]["result"], by=1e-14))


# Devices


@pytest.fixture(params=ACCELERATORS)
def accelerator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Device:
    """The one device beside the CPU that checks use in this test."""
    device = next(device for device in devices.devices() if device.name == request.param)
    assert device.available, device.reason
    monkeypatch.setattr(functions, "devices", lambda: (devices.CPU, device))
    return device


def rows(report: Report) -> list[tuple[str, str, float]]:
    return [(case.device, case.status, case.points) for case in report.cases if "device" in case.name]


def place_of(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    return zero_at % n


def test_each_device_is_a_row_and_the_accelerator_earns_the_points(accelerator: Device) -> None:
    report, _ = examine("masked_exp", right)
    assert report.points == report.maximum == 10
    label = accelerator.label
    assert rows(report) == [(label, PASSED, 0.5), (label, PASSED, 0.5), (label, PASSED, 0.0)]
    assert f"[{label}]" in report.text()


def test_without_a_gpu_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    text = examine("masked_exp", right)[0].text()
    assert text.count("[simgpu (simulated; no GPU on this machine)]") == 1, "in full once"
    assert text.count("[simgpu]") == 2
    assert "the same on another device  [cuda]\n           no CUDA device on this machine" in text


def cpu_mask(x, zero_at):
    mask = torch.arange(len(x)) == place_of(x, zero_at)
    return torch.where(mask, 0, x.exp())


def cpu_factor(x, zero_at):
    hit = torch.zeros(len(x), dtype=x.dtype)
    hit[zero_at] = 1
    return x.exp() * (1 - hit)


def chosen_device(x, zero_at):
    mask = torch.arange(len(x), device="cpu") == place_of(x, zero_at)
    return x.exp().masked_fill(mask, 0)


def cpu_array(x, zero_at):
    hit = torch.from_numpy(numpy.arange(len(x)) == place_of(x, zero_at))
    return x.exp() * ~hit


def mask_moved(x, zero_at):
    hit = torch.arange(len(x), device=x.device).cpu() == place_of(x, zero_at)
    return torch.where(hit, 0, x.exp())


@pytest.mark.parametrize(
    "answer, said",
    [
        (cpu_mask, "your mask was made on the CPU: torch.arange(...) needs device=x.device."),
        (cpu_factor, "your tensor was made on the CPU: torch.zeros(...) needs device=x.device."),
        (chosen_device, "made on the CPU: give torch.arange(...) device=x.device, not a device of your choice."),
        (cpu_array, "Make it on x.device, or move it there with .to(x.device)."),
        (mask_moved, ".cpu() moved your mask to the CPU. Leave that out: the result belongs where x is."),
    ],
)
def test_two_devices_that_meet_cost_the_device_points(answer: object, said: str, accelerator: Device) -> None:
    report, _ = examine("masked_exp", answer)
    assert report.points == 9, report.text()
    failed = [case for case in report.cases if case.status == FAILED]
    assert [case.device for case in failed] == [accelerator.label] * 3
    assert failed[0].message.startswith("In masked_exp([") and f"x is on {accelerator.name}" in failed[0].message
    assert said in failed[0].message and "Your line: " in failed[0].message
    assert "same device" in failed[0].message, "torch's own words, to be recognised"
    assert "The same reason as for \"values on the input's device" in " ".join(report.text().split())


def test_a_mask_on_the_cpu_as_an_index_is_right_and_so_is_a_single_number(accelerator: Device) -> None:
    def index(x, zero_at):
        y = x.exp().clone()
        y[torch.arange(len(x)) == place_of(x, zero_at)] = 0
        return y

    def number(x, zero_at):
        mask = torch.arange(len(x), device=x.device) == place_of(x, zero_at)
        return torch.where(mask, torch.tensor(0.0), x.exp())

    for answer in (index, number):
        assert examine("masked_exp", answer)[0].points == 10


def test_a_result_elsewhere_is_named_with_the_call(accelerator: Device) -> None:
    def filled(x, zero_at):
        y = torch.zeros(len(x), dtype=x.dtype)
        y[:] = right(x, zero_at)
        return y

    def through_numpy(x, zero_at):
        return torch.from_numpy(right(x, zero_at).detach().double().cpu().numpy()).to(x.dtype)

    for answer, said in (
        (lambda x, z: right(x, z).cpu(), ".cpu() moved your tensor to the CPU."),
        (lambda x, z: right(x, z).to("cpu", copy=True), ".to() moved your tensor to the CPU."),
        (filled, "your tensor was made on the CPU: torch.zeros(...) needs device=x.device."),
        (through_numpy, "NumPy works on the CPU only, and an array carries no gradient."),
    ):
        case = examine("masked_exp", answer)[0].case("values on the input's device")
        assert case.status == FAILED
        assert case.message.startswith(f"The input is on {accelerator.name}, the result is on cpu: ")
        assert said in case.message, case.message


def test_luck_holds_on_every_device(accelerator: Device) -> None:
    def lucky(x, zero_at):
        y = x.exp()
        y.data[zero_at] = 0
        return y

    report, _ = examine("masked_exp", lucky)
    assert report.points == 10
    assert "by luck" in report.notes[0] and "torch.func.jvp" in report.notes[0]


@pytest.mark.parametrize("name", ["cpu", *ACCELERATORS])
def test_where_the_luck_ends(name: str) -> None:
    """What the note says: another function of x in the same place, and forward-mode."""
    x = torch.tensor([0.5, 1.0, 2.0], device=name, requires_grad=True)
    y = x.exp()
    y.data[1] = x.data[1]  # the derivative there is 1
    y.sum().backward()
    assert torch.allclose(x.grad.cpu(), torch.tensor([0.5, 1.0, 2.0]).exp().index_fill(0, torch.tensor(1), 1.0))


def test_an_absent_device_is_named_and_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = Device("simgpu", "simgpu (simulated)", True)
    absent = (devices.CPU, Device("cuda", "cuda", False, "no CUDA device on this machine"), simulated)
    monkeypatch.setattr(functions, "devices", lambda: absent)
    report, _ = examine("masked_exp", right)
    assert rows(report)[-1] == ("cuda", NOT_RUN, 0.0)
    assert report.cases[-1].message == "no CUDA device on this machine" and report.points == 10


def test_without_an_accelerator_the_points_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    none = (
        devices.CPU,
        Device("cuda", "cuda", False, "no CUDA device on this machine"),
        Device("simgpu", "simgpu (simulated)", False, "backward ran before"),
    )
    monkeypatch.setattr(functions, "devices", lambda: none)
    report, _ = examine("masked_exp", right)
    assert (report.points, report.maximum, report.full) == (9, 10, False)
    assert rows(report) == [("no accelerator", NOT_RUN, 0.5)] * 2
    said = "There was no GPU, nor could the simulated one be used (backward ran before)."
    assert report.cases[-1].message == f"{said} Where there is one, as in grading, this is run."


@pytest.mark.parametrize("listed", [None, [], [{"name": "cpu"}], "cuda:0", [{"name": "cuda:0"}], [{"available": True}]])
def test_a_payload_that_keeps_quiet_about_devices_earns_no_device_points(listed: object) -> None:
    data = payload()
    data["devices"] = listed
    report = judge("masked_exp", "7", json.dumps(data))
    assert (report.points, report.maximum) == (9, 10)


def test_a_device_without_numbers_earns_nothing() -> None:
    data = payload()
    data["devices"] = [{"name": "cuda:0", "label": "cuda:0 (forged)", "available": True, "reason": ""}]
    data["records"] = {"cpu": data["records"]["cpu"]}
    assert judge("masked_exp", "7", json.dumps(data)).points == 9
    data["records"]["cuda:0"] = data["records"]["cpu"]  # right numbers, on the wrong device
    assert judge("masked_exp", "7", json.dumps(data)).points == 9.5


def on_device(data: dict, name: str, label: str) -> dict:
    """The payload of a machine that has one more device, whose results are right."""
    data = copy.deepcopy(data)
    data["devices"].append({"name": name, "label": label, "available": True, "reason": ""})
    keys = ("float32", "bfloat16", "untouched plain", "untouched middle")
    copied = {key: copy.deepcopy(data["records"]["cpu"][key]) for key in keys}
    for record in copied.values():
        record["result"]["device"] = name
    data["records"][name] = copied
    return data


def test_the_first_device_that_is_there_earns_the_points() -> None:
    data = payload()
    data["devices"] = []
    data = on_device(on_device(data, "cuda:0", "cuda:0 (a card)"), "simgpu", "simgpu (simulated)")
    report = judge("masked_exp", "7", json.dumps(data))
    assert report.points == report.maximum == 10
    card, simulated = ("cuda:0 (a card)", PASSED), ("simgpu (simulated)", PASSED)
    once = [(*card, 0.5), (*simulated, 0.0)]
    assert rows(report) == [*once, *once, (*card, 0.0), (*simulated, 0.0)]
    data["records"]["cuda:0"]["float32"]["result"]["device"] = "cpu"
    report = judge("masked_exp", "7", json.dumps(data))
    assert report.points == 9.5
    assert report.case("values on the input's device [cuda:0]").message == (
        "The input is on cuda:0, the result is on cpu: make every new tensor on x.device."
    )


def test_a_device_that_refuses_costs_its_points_only(monkeypatch: pytest.MonkeyPatch) -> None:
    both = (Device("cpu", "cpu", True), Device("meta", "meta (no numbers)", True))
    monkeypatch.setattr(functions, "devices", lambda: both)
    report, _ = examine("masked_exp", right)
    assert report.points == 9


# torch.cuda.is_available()


def asks_in_vain(x, zero_at):
    torch.cuda.is_available()
    return right(x, zero_at)


def synchronises(x, zero_at):
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return right(x, zero_at)


def moves_with_cuda(x, zero_at):
    y = right(x, zero_at)
    return y.cpu() if torch.cuda.is_available() else y


def sends_to_cuda(x, zero_at):
    return right(x.to("cuda") if torch.cuda.is_available() else x, zero_at)


def other_values(x, zero_at):
    return right(x, zero_at) * (2 if torch.cuda.is_available() else 1)


@pytest.mark.skipif(torch.cuda.is_available(), reason="the other branch is the one that runs here")
@pytest.mark.hardware
@pytest.mark.parametrize(
    "answer, points, said",
    [
        (asks_in_vain, 10, ""),
        (synchronises, 10, ""),
        (moves_with_cuda, 9.5, ".cpu() moved your tensor to the CPU."),
        (sends_to_cuda, 9, "asks for CUDA by name (.to()), and this machine has none."),
        (other_values, 9, "gave ["),
    ],
)
def test_a_branch_that_only_a_gpu_would_see(answer: object, points: float, said: str) -> None:
    report, _ = examine("masked_exp", answer)
    assert report.points == points, report.text()
    failed = [case.message for case in report.cases if case.status == FAILED and case.points]
    told = (
        "Your function asks torch.cuda.is_available() and goes wrong where the answer is yes: what counts is x.device."
    )
    assert said in "".join(failed[:1]) and all(told in message for message in failed), failed
    assert " ".join(report.text().split()).count(told) == bool(failed), "said once"
    assert torch.cuda.is_available() is False and torch.cuda.is_available.__module__ == "torch.cuda"


@pytest.mark.parametrize(
    "data, names",
    [
        (None, []),
        ([{"name": "cpu"}, {"name": "cpu:0"}], []),
        ([{"name": "cuda:0"}, {"name": "cuda:0"}], ["cuda:0"]),
        ([{"name": "x y"}, {"name": 3}, 3, {"name": "MPS"}], []),
        ([{"name": f"d{i}"} for i in range(50)], [f"d{i}" for i in range(6)]),
    ],
)
def test_device_rows_of_a_forged_payload(data: object, names: list[str]) -> None:
    assert [row["name"] for row in device_rows(data)] == names
    assert all(row["available"] is False and row["label"] == row["name"] for row in device_rows(data))


# Messages and notes


X = [0.5, 1.0, -2.0, 3.0]
Y = [1.6, 2.7, 0.0, 20.0]


@pytest.mark.parametrize(
    "got, said",
    [
        ([1.6, 0.0, 0.1, 20.0], "Position 1 is zero, expected position 2."),
        ([0.0, 0.0, 0.1, 0.0], "the mask is the wrong way round"),
        ([0.0, 0.0, 0.1, 20.0], "Positions 0, 1 are zero, expected only position 2."),
        ([0.0, 0.0, 0.0, 0.0], "Every position is zero: only one may be."),
        ([1.6, 2.7, 1.0, 20.0], "A 1 where a 0 is expected is exp(0)"),
        ([1.6, 2.7, 0.1, 20.0], "Nothing was replaced at zero_at, where a 0 is expected."),
        (X, "These are the numbers of x itself"),
        ([9.0, 2.7, 0.0, 20.0], ""),
    ],
)
def test_value_hints(got: list[float], said: str) -> None:
    assert (said in value_hint(X, [2], got, Y)) if said else value_hint(X, [2], got, Y) == ""
    from_the_end = value_hint(X, [-2], got, Y)
    counted = " A zero_at of -2 counts from the end: a mask needs zero_at % len(x)." if "Nothing" in said else ""
    assert from_the_end == value_hint(X, [2], got, Y) + counted


@pytest.mark.parametrize(
    "diagonal, said",
    [
        ([1.6, 2.7, 0.1, 20.0], "behind autograd's back"),
        ([0.0, 0.0, 0.0, 0.0], "zero everywhere"),
        ([float("nan")] * 4, "nan"),
        ([1.6, 9.0, 0.0, 20.0], ""),
    ],
)
def test_gradient_hints(diagonal: list[float], said: str) -> None:
    got = torch.diag(torch.tensor(diagonal).double()).tolist()
    found = gradient_hint(X, [2], got, torch.diag(torch.tensor(Y).double()).tolist())
    assert (said in found) if said else found == ""


def test_the_smallest_input_that_fails_is_shown() -> None:
    def wrong(x, zero_at):
        y = right(x, zero_at)
        return y if len(x) < 3 else y * 2

    report, _ = examine("masked_exp", wrong)
    assert report.case("values").message.startswith("masked_exp([")
    assert report.case("values").message.partition("]")[0].count(",") == 2, "three numbers"
    assert "gave [" in report.case("values").message and "], expected [" in report.case("values").message


def test_long_inputs_are_shown_short() -> None:
    report, _ = examine("masked_exp", lambda x, z: right(x, z) if len(x) < 100 else x.exp())
    case = report.case("length 1 to large, any layout, no grad")
    assert "1000 in all" in case.message and len(case.message) < 300 and len(case.detail) < 500


def test_luck_is_told_from_minus_infinity() -> None:
    def lucky(x, zero_at):
        y = x.exp()
        y.data[zero_at] = 0
        return y

    def honest(x, zero_at):
        z = x.clone()
        z[zero_at] = -torch.inf
        return z.exp()

    for answer, said in ((lucky, 1), (honest, 0), (right, 0)):
        report, _ = examine("masked_exp", answer)
        assert report.points == 10 and len([n for n in report.notes if "by luck" in n]) == said


def test_minus_infinity_in_x_itself_is_no_luck() -> None:
    def writes_x(x, zero_at):
        with torch.no_grad():
            x[zero_at] = -torch.inf
        return x.exp()

    report, _ = examine("masked_exp", writes_x)
    assert report.notes == () and report.points == 9.5


def test_behind_autograds_back_is_said_of_right_values_only() -> None:
    def behind(x, zero_at):
        y = x.exp().clone()
        y.data[zero_at] = 0
        return y

    assert "behind autograd's back" in examine("masked_exp", behind)[0].case("gradient").message
    assert "behind autograd's back" not in examine("masked_exp", lambda x, zero_at: x.exp())[0].text()


def test_a_constant_result_has_zero_gradient_only_where_that_is_right() -> None:
    def cut_off(x, zero_at):
        y = x.exp().detach().clone()
        y[zero_at] = 0
        return y

    data = payload(cut_off)
    assert data["records"]["cpu"]["alone"]["jacobian"] == {"problem": {"kind": "no grad"}}
    report = judge("masked_exp", "7", json.dumps(data))
    lengths = report.case("length 1 to large, any layout, no grad")
    assert lengths.message.startswith("The output does not require grad") and "[" in lengths.detail
    assert lengths.detail.count(",") > 2, "not the call with one element"


def test_three_elements_tell_more_than_two() -> None:
    def way_round(x, zero_at):
        mask = torch.zeros_like(x)
        mask[zero_at] = 1
        return x.exp() * mask

    for seed in map(str, range(5)):
        assert "the wrong way round" in examine("masked_exp", way_round, seed)[0].case("values").message
    report, _ = examine("masked_exp", lambda x, z: right(x, z) if len(x) != 2 else x.exp())
    assert report.case("values").message.partition("]")[0].count(",") == 1, "two are shown where only they fail"


def test_other_demands_wait_for_the_values() -> None:
    report, _ = examine("masked_exp", lambda x, zero_at: x.exp())
    assert report.case("input not written to").message.startswith("Not judged before the values are right: masked_exp(")
    text = " ".join(report.text().split())
    assert 'Not judged before the values are right. The same reason as for "values".' in text
    assert text.count("Nothing was replaced at zero_at") == 2, "once, and once for a place counted from the end"


def test_the_module_decides_nothing_in_collect() -> None:
    challenge = challenge_for(EXERCISE, "1")
    assert set(EXERCISE.collect(right, challenge)) == {"devices", "records"}
    assert exercise_module.EXERCISE is EXERCISE
