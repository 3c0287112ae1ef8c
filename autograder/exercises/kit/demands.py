"""What a function of a tensor is checked for: the half that runs where no student code ever ran.

A `Demand` is one line of the report. It looks at the records of some trials and returns a `Finding` for each that
fails; the smallest input that fails goes into the message, of those with three or more elements if there are such.
Everything is recomputed in float64 from the challenge's numbers through a `Formula`, and compared with the tolerances
of x's dtype (`encoding.TOLERANCES`; gradients get four times, second derivatives eight times that, for the longer way).
Records are untrusted: whatever they hold, a demand passes or fails, and never raises.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from autograder.exercises.kit import watching
from autograder.exercises.kit.calling import explain
from autograder.exercises.kit.encoding import Reading, decode_float, decode_tensor, differing
from autograder.exercises.kit.words import clean, saved_as, show, show_list
from autograder.report import FAILED, NOT_RUN, PASSED, Case

LEAF_REFUSED = "leaf Variable that requires grad"  # torch's words
ASSIGNMENTS = (  # how the names of their nodes begin
    "torch::autograd::CopySlices",
    "CopySlices",
    "MaskedFill",
    "MaskedScatter",
    "IndexPut",
    "IndexFill",
    "IndexCopy",
    "Scatter",
    "Fill",
)
OPERATORS = {"AddBackward": "+", "SubBackward": "-", "MulBackward": "*", "DivBackward": "/"}
MOST_DEVICES = 6
NO_CUDA = re.compile(r"not compiled with CUDA|NVIDIA driver|No CUDA GPUs", re.IGNORECASE)  # torch's words
DEVICE_NAME = re.compile(r"[a-z][a-z0-9_]{0,20}(:\d{1,2})?")


def _no_hint(x: list[float], arguments: list, got: list, expected: list) -> str:
    return ""


@dataclass(frozen=True)
class Formula:
    """The closed form of what an answer should be, and the words for it.

    Args:
        signature: "masked_exp(x, zero_at)"; its name is used in the messages.
        value: (x, *arguments) -> the result; x a float64 tensor of one dimension.
        jacobian: (x, *arguments) -> matrix, row i the gradient of result i; for an elementwise function its diagonal
            will do. Written out, not by autograd.
        second: (x, weights, directions, *arguments) -> derivative of sum(directions * (weights @ jacobian)) in x; None
            if no demand asks for it.
        value_hint: (x, arguments, got, expected) -> a sentence that names the misconception behind wrong values of the
            right shape, or "".
        gradient_hint: the same for a wrong Jacobian of right values; got and expected are lists of rows. Leave the
            numbers out of both where you can: what is said in the same words is said once in a report.
    """

    signature: str
    value: Callable[..., torch.Tensor]
    jacobian: Callable[..., torch.Tensor]
    second: Callable[..., torch.Tensor] | None = None
    value_hint: Callable[[list[float], list, list[float], list[float]], str] = _no_hint
    gradient_hint: Callable[[list[float], list, list[list[float]], list[list[float]]], str] = _no_hint

    @property
    def name(self) -> str:
        return self.signature.partition("(")[0]

    @property
    def argument(self) -> str:
        """How the student's function calls its input."""
        return self.signature.partition("(")[2].rstrip(")").partition(",")[0]


@dataclass(frozen=True)
class Finding:
    """Why a trial fails.

    Args:
        message: what happened, with this trial's numbers.
        got, expected: for `replay`.
        severity: of two trials that fail the milder is shown: a wrong number (0) teaches more than an error (1).
        reason, brief: as in `Case`; a reason in the same words is said once in a report.
    """

    message: str
    got: str = ""
    expected: str = ""
    severity: int = 0
    reason: str = ""
    brief: str = ""


@dataclass(frozen=True)
class Demand:
    """One line of a report: `test(formula, trial, record, device)` for each trial in `keys`."""

    name: str
    points: float
    keys: tuple[str, ...]
    test: Callable[[Formula, dict, dict, str], Finding | None]
    claim: bool = False
    on_devices: bool = False


def values(keys: Sequence[str], points: float, name: str = "values", on_devices: bool = False) -> Demand:
    """The result's shape and numbers."""
    return Demand(name, points, tuple(keys), find_value, on_devices=on_devices)


def gradient(keys: Sequence[str], points: float, name: str = "gradient", on_devices: bool = False) -> Demand:
    """The whole Jacobian ("jacobian" in the trials' want; "pull" for long ones) against the closed form."""
    return Demand(name, points, tuple(keys), find_gradient, on_devices=on_devices)


def backward_twice(keys: Sequence[str], points: float, name: str = "backward twice") -> Demand:
    """Two backward passes over one graph, both right."""
    return Demand(name, points, tuple(keys), find_twice)


def second_derivative(keys: Sequence[str], points: float, name: str = "second derivative") -> Demand:
    """The derivative of the gradient (double backward) against the closed form."""
    return Demand(name, points, tuple(keys), find_second)


def input_untouched(
    keys: Sequence[str], points: float, name: str = "input not written to", on_devices: bool = False
) -> Demand:
    """x holds the same numbers at the same version after the call, and the values are right. A claim."""
    return Demand(name, points, tuple(keys), find_write, claim=True, on_devices=on_devices)


def dtype_kept(keys: Sequence[str], points: float, name: str = "dtype kept") -> Demand:
    """The result has x's dtype (a claim), and right values in it."""
    return Demand(name, points, tuple(keys), find_dtype, claim=True)


def values_and_gradient(keys: Sequence[str], points: float, name: str) -> Demand:
    """Right values, and right gradients where the trial wants them: for lengths, layouts and the like."""
    return Demand(name, points, tuple(keys), lambda *given: find_value(*given) or find_gradient(*given))


def raises_index_error(keys: Sequence[str], points: float, name: str, proof: str) -> Demand:
    """The call raises IndexError. `proof`: key of a trial that must have right values, else an error proves nothing."""
    return Demand(name, points, (proof, *keys), find_index_error, claim=True)


# What can be wrong with one trial


def find_value(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    reading, problem = result(formula, trial, record)
    if problem is not None:
        return problem
    expected = _value(formula, trial)
    called = show_call(formula, trial)
    if reading.shape != tuple(expected.shape):
        return _wrong_shape(called, reading.shape, tuple(expected.shape))
    if reading.values is None or not reading.dtype.startswith(("float", "bfloat")):
        return Finding(f"{called} has dtype {reading.dtype}, expected {trial['dtype']}.", reading.dtype, trial["dtype"])
    wanted = expected.reshape(-1).tolist()
    wrong = differing(reading.values, wanted, _coarser(trial, reading))
    if wrong:
        hint = formula.value_hint(_x(trial), trial["arguments"], list(reading.values), wanted)
        got_text, wanted_text = around(reading.values, wrong), around(wanted, wrong)
        brief = f"{called} gave {got_text}, expected {wanted_text}."
        message = f"{brief} {hint or _first(wrong, reading.values, wanted)}"
        return Finding(message, got_text, wanted_text, reason=hint, brief=brief if hint else "")
    if not same_device(reading.device, device):
        return Finding(watching.explain_elsewhere(record, device, reading.device), reading.device, device)
    return _if_cuda(find_value, formula, trial, record, device)


def find_gradient(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    if not {"jacobian", "pull"} & set(trial["want"]):
        return None
    wanted_kind = "jacobian" if "jacobian" in trial["want"] else "pull"
    expected = _pulled(formula, trial) if wanted_kind == "pull" else whole_jacobian(formula, trial)
    reading, problem = derivative(formula, trial, record, wanted_kind, expected)
    if problem is not None:
        return problem
    wanted = expected.reshape(-1).tolist()
    wrong = differing(reading.values, wanted, _coarser(trial, decode_tensor(record["result"])), slack=4)
    if not wrong:
        return _if_cuda(find_gradient, formula, trial, record, device)
    called = show_call(formula, trial)
    if wanted_kind == "pull":
        return Finding(
            f"The gradient of {called} is wrong. {_first(wrong, reading.values, wanted)}",
            around(reading.values, wrong),
            around(wanted, wrong),
        )
    got_rows, wanted_rows = reading.rows(), expected.tolist()
    hint = ""
    if find_value(formula, trial, record, device) is None:
        hint = formula.gradient_hint(_x(trial), trial["arguments"], got_rows, wanted_rows)
    row, column = divmod(wrong[0], len(wanted_rows[0]))
    where = (
        f"The derivative of output {row} by x[{column}] is {show(reading.values[wrong[0]])}, "
        f"expected {show(wanted[wrong[0]])}."
    )
    brief = f"The gradient of {called} is wrong. {where}"
    message = f"{brief} {hint}".strip()
    return Finding(message, show_rows(got_rows), show_rows(wanted_rows), reason=hint, brief=brief if hint else "")


def _if_cuda(
    test: Callable[[Formula, dict, dict, str], Finding | None], formula: Formula, trial: dict, record: dict, device: str
) -> Finding | None:
    """What is wrong only where `torch.cuda.is_available()` says yes, if the function asked it.

    That this machine has no CUDA is no fault, unless a tensor was asked for there.
    """
    other = record.get("if_cuda")
    if not isinstance(other, dict):
        return None
    problem = other.get("problem")
    if isinstance(problem, dict) and NO_CUDA.search(clean(problem.get("text"), 300)) and not watching.asks(other):
        return None
    finding = test(formula, trial, {key: value for key, value in other.items() if key != "if_cuda"}, device)
    if finding is None:
        return None
    asked = clean(record.get("asked"), 100)
    why = (
        "Your function asks torch.cuda.is_available() and goes wrong where the answer is yes: what counts is x.device."
    )
    why += f" Your line: {asked}" if asked else ""
    return dataclasses.replace(finding, message=f"{finding.message} {why}", reason=why, brief=finding.message)


def find_twice(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    expected = _pulled(formula, trial)
    wanted = expected.tolist()
    reading, problem = derivative(formula, trial, record, "twice", torch.stack([expected, expected]))
    if problem is not None:
        return problem
    dtype = _coarser(trial, decode_tensor(record["result"]))
    for number, row in zip(("first", "second"), reading.rows(), strict=True):
        wrong = differing(row, wanted, dtype, slack=4)
        if wrong:
            return Finding(
                f"Backward ran twice over the graph of {show_call(formula, trial)}; the {number} gradient is wrong. "
                f"{_first(wrong, row, wanted)}",
                around(row, wrong),
                around(wanted, wrong),
            )
    return None


def find_second(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    expected = formula.second(
        _tensor(trial["x"]), _tensor(trial["weights"]), _tensor(trial["directions"]), *trial["arguments"]
    )
    reading, problem = derivative(formula, trial, record, "second", expected)
    if problem is not None:
        return problem
    wanted = expected.tolist()
    wrong = differing(reading.values, wanted, _coarser(trial, decode_tensor(record["result"])), slack=8)
    if not wrong:
        return None
    where = _first(wrong, reading.values, wanted)
    if not any(reading.values):
        where = "It is zero everywhere: your gradient is itself cut off from x (once_differentiable, detach())."
    return Finding(
        f"The second derivative of {show_call(formula, trial)} is wrong. {where}",
        around(reading.values, wrong),
        around(wanted, wrong),
    )


def find_write(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    reading, problem = result(formula, trial, record)
    after = record.get("input")
    after = after if isinstance(after, dict) else {}
    versions = [after.get("version_before"), after.get("version_after")]
    values = after.get("values")
    numbers = [decode_float(v) for v in values] if isinstance(values, list) and len(values) == len(trial["x"]) else None
    called = show_call(formula, trial)
    if numbers is None or None in numbers or not all(_is_count(v) for v in versions):
        return problem or Finding(f"The check got no usable record of x after {called}.", severity=1)
    advice = "your function wrote into its input. Build a new tensor and leave x as it is."
    if differing(numbers, _x(trial), trial["dtype"]) or after.get("gaps") is not True:
        return Finding(
            f"{called} changed x to {show_list(numbers)}: {advice}", show_list(numbers), show_list(_x(trial))
        )
    if versions[0] != versions[1]:
        change = f"version {versions[0]} -> {versions[1]}"
        return Finding(
            f"x went through an in-place write during {called} ({change}): {advice}", change, "no change of version"
        )
    if after.get("requires_grad") is not trial["requires_grad"]:
        return Finding(
            f"{called} changed x.requires_grad: leave the input as it is.", "requires_grad changed", "unchanged"
        )
    return problem or not_yet(find_value(formula, trial, record, device))


def find_dtype(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    reading, problem = result(formula, trial, record)
    if problem is not None:
        return problem
    if reading.dtype != trial["dtype"]:
        return Finding(
            f"x is {trial['dtype']}, the result is {reading.dtype}: another dtype took part. Make new tensors "
            f"with dtype=x.dtype, or with zeros_like(x), x.new_zeros(...) and the like.",
            reading.dtype,
            trial["dtype"],
        )
    return not_yet(find_value(formula, trial, record, device))


def find_index_error(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    try:  # a trial for which there is a right value: it is the proof
        formula.value(_tensor(trial["x"]), *trial["arguments"])
    except IndexError:
        pass
    else:
        return not_yet(find_value(formula, trial, record, device))
    problem = record.get("problem")
    called = show_call(formula, trial)
    if not isinstance(problem, dict):
        return Finding(
            f"{called} returned a result, expected an IndexError: a place outside of x is a mistake of the caller. A "
            f"plain index, y[place], raises it by itself; a mask or a % does not.",
            "a result",
            "IndexError",
        )
    if problem.get("kind") == "raised" and problem.get("index_error") is True:
        return None
    return Finding(
        f"{explain_call(problem, called, formula, record)} Expected an IndexError.",
        clean(problem.get("error"), 60),
        "IndexError",
        severity=1,
        reason=explain_call(problem, "it", formula, record),
        brief="Expected an IndexError.",
    )


def not_yet(wrong: Finding | None) -> Finding | None:
    """A finding about wrong values, for a demand that cannot be judged before they are right."""
    if wrong is None or wrong.severity:
        return wrong
    brief = "Not judged before the values are right."
    message = f"{brief.removesuffix('.')}: {wrong.message}"
    return dataclasses.replace(wrong, message=message, reason=wrong.reason or wrong.message, brief=brief)


def _wrong_shape(called: str, got: tuple[int, ...], expected: tuple[int, ...]) -> Finding:
    brief = f"{called} has shape {list(got)}, expected {list(expected)}."
    single = not got and len(expected) == 1
    if not single:
        return Finding(brief, f"shape {list(got)}", f"shape {list(expected)}")
    why = "That is a single number: return one for each element of x (no sum, no mean)."
    return Finding(f"{brief} {why}", "a single number", f"shape {list(expected)}", reason=why, brief=brief)


# Reading records


def result(formula: Formula, trial: dict, record: dict) -> tuple[Reading | None, Finding | None]:
    """The result of a trial, or why there is none."""
    if "problem" in record:
        problem = record["problem"]
        general = isinstance(problem, dict) and problem.get("kind") in (
            "none",
            "type",
            "signature",
        )  # the same for all inputs
        called = formula.signature if general else show_call(formula, trial)
        message, reason = (explain_call(problem, text, formula, record) for text in (called, "it"))
        return None, Finding(message, severity=1, reason=reason)
    reading = decode_tensor(record.get("result"))
    if reading is None:
        return None, Finding(f"The check got no usable record of {show_call(formula, trial)}.", severity=1)
    return reading, None


def derivative(
    formula: Formula, trial: dict, record: dict, kind: str, wanted: torch.Tensor
) -> tuple[Reading | None, Finding | None]:
    """The numbers of a derivative of a trial, shaped as `wanted`, or why there are none.

    Where all of `wanted` is zero, a result without a way back to x is right too: `torch.stack([torch.tensor(0.)])`.
    """
    whole, problem = result(formula, trial, record)
    if problem is not None:
        return None, problem
    called = show_call(formula, trial)
    shape, expected = tuple(wanted.shape), tuple(_value(formula, trial).shape)
    if whole.shape != expected:
        return None, _wrong_shape(called, whole.shape, expected)
    data = record.get(kind)
    if isinstance(data, dict) and "problem" in data:
        problem = data["problem"]
        nothing = [0.0] * wanted.numel()
        if _no_way_to_x(problem) and not differing(nothing, wanted.reshape(-1).tolist(), trial["dtype"]):
            return Reading(whole.dtype, shape, whole.device, False, "", tuple(nothing)), None
        message, reason = (explain_backward(problem, record, text) for text in (called, "it"))
        return None, Finding(message, reason=reason)
    reading = decode_tensor(data)
    if reading is None or reading.values is None or reading.shape != shape:
        return None, Finding(f"The check got no usable gradient of {called}.", severity=1)
    return reading, None


def explain_call(problem: object, called: str, formula: Formula, record: dict | None = None) -> str:
    """Why a call gave no result: devices that met, a device that is not there, a write that torch refuses by name."""
    problem = problem if isinstance(problem, dict) else {}
    text, line = clean(problem.get("text"), 300), clean(problem.get("line"), 100)
    if problem.get("kind") == "raised":
        explain_devices = watching.explain_cuda if NO_CUDA.search(text) else watching.explain_mixed
        told = explain_devices(record or {}, called, text)
        if told:
            return told
    if problem.get("kind") != "raised" or LEAF_REFUSED not in text:
        return explain(problem, called, formula.signature)
    x = formula.argument
    if re.match(rf"(\w+\s*=\s*|return\s+)?{re.escape(x)}\b(?!\s*=[^=])", line):
        mistake = f"you wrote into {x}, a leaf that requires grad, and torch refuses that. Build a new tensor and leave"
        mistake += f" {x} as it is."
    else:
        mistake = f"you wrote into a leaf that requires grad ({x}, or a tensor made with requires_grad=True), and torch"
        mistake += f" refuses that. Leave {x} as it is, and make tensors of your own without requires_grad."
    return f"In {called} {mistake} Torch says: {text}{f' Your line: {line}' if line else ''}"


def explain_backward(problem: object, record: dict, called: str) -> str:
    """Why there is no gradient, in one or two sentences."""
    kind = problem.get("kind") if isinstance(problem, dict) else None
    if kind == "no grad":
        return watching.explain_cut(record)
    if kind == "unconnected":
        return "The output requires grad, but not through x: it must be computed from x itself."
    if kind == "raised":
        broken = saved_and_written(record)
        if broken:
            return broken
    return explain(problem, f"backward of {called}")


def _no_way_to_x(problem: object) -> bool:
    return isinstance(problem, dict) and problem.get("kind") in ("no grad", "unconnected")


def saved_and_written(record: dict) -> str:
    """The sentence about a saved tensor that was written into, or "" if the record tells of none."""
    graph = record.get("graph")
    broken = graph.get("broken") if isinstance(graph, dict) else None
    first = broken[0] if isinstance(broken, list) and broken and isinstance(broken[0], dict) else {}
    node, slot = clean(first.get("node"), 60), clean(first.get("slot"), 40)
    versions = [first.get("expected"), first.get("found")]
    if not node or not all(_is_count(v) for v in versions):
        return ""
    return (
        f"Your function wrote into the tensor that {node} saved ({saved_as(node, slot)}): version {versions[0]} -> "
        f"{versions[1]}, so backward refuses. {_instead(first.get('later'))}"
    )


def _instead(later: object) -> str:
    """What to do instead of a write, by the names of the nodes among which it is."""
    names = [clean(name, 60) for name in later] if isinstance(later, list) else []
    if any(name.startswith(ASSIGNMENTS) for name in names):
        return "Put the change into a new tensor (torch.where, masked_fill, or clone() before you assign)."
    signs = {sign for start, sign in OPERATORS.items() if any(name.startswith(start) for name in names)}
    if len(signs) == 1:
        (sign,) = signs
        return f"Put the result into a new tensor (y = y {sign} s, not y {sign}= s), or clone() before you write."
    return "Put the result into a new tensor, or clone() before you write."


# Verifying


def verify(formula: Formula, demands: tuple[Demand, ...], challenge: dict, payload: object) -> tuple[Case, ...]:
    """The cases of a report. Never raises.

    The points of a demand on devices are earned on the first accelerator that is there, a real one if there is one. The
    others that are there have their lines without points, and so has, with the reason, each that is absent. Where there
    is no accelerator at all the demand is "not run" and earns nothing: its points wait for a machine that has one, and
    cannot be had by a payload that keeps quiet about devices. Grading sets the simulated one up before anything runs.
    """
    payload = payload if isinstance(payload, dict) else {}
    trials = {trial["key"]: trial for trial in challenge["trials"]}
    rows = device_rows(payload.get("devices"))
    here = [row for row in rows if row["available"]]
    cases: list[Case] = []
    for demand in demands:
        if not demand.on_devices:
            cases.append(_case(formula, demand, demand.points, trials, payload, "cpu", "cpu"))
            continue
        for number, row in enumerate(here):
            points = demand.points if number == 0 else 0.0
            cases.append(_case(formula, demand, points, trials, payload, row["name"], row["label"]))
        if demand.points and not here:
            cases.append(_waits(demand, rows))
    if here and any(demand.on_devices for demand in demands):
        cases += [
            Case("the same on another device", 0.0, NOT_RUN, row["reason"] or "not on this machine", row["label"])
            for row in rows
            if not row["available"]
        ]
    return tuple(cases)


def _waits(demand: Demand, rows: list[dict]) -> Case:
    why = f" ({rows[-1]['reason']})" if rows and rows[-1]["reason"] else ""
    message = (
        f"There was no GPU, nor could the simulated one be used{why}. Where there is one, as in grading, this is run."
    )
    return Case(demand.name, demand.points, NOT_RUN, message, "no accelerator", demand.claim)


def device_rows(data: object) -> list[dict]:
    """The accelerators that a payload names, made safe. Which there were is a claim, and earns nothing by itself."""
    rows: list[dict] = []
    for row in data[:MOST_DEVICES] if isinstance(data, list) else ():
        name = row.get("name") if isinstance(row, dict) else None
        if not isinstance(name, str) or not DEVICE_NAME.fullmatch(name) or name.partition(":")[0] == "cpu":
            continue
        if name not in [known["name"] for known in rows]:
            label = clean(row.get("label"), 80)
            label = label if label and not label.startswith("cpu") else name
            rows.append(
                {
                    "name": name,
                    "label": label,
                    "available": row.get("available") is True,
                    "reason": clean(row.get("reason"), 200),
                }
            )
    return rows


def _speaking_of(finding: Finding, argument: str) -> Finding:
    """The finding, whose words call the input x, in words that call it as the student's function does."""

    def named(text: str) -> str:
        words, mark, line = text.partition(" Your line: ")
        return re.sub(r"\bx\b", argument, words) + mark + line

    return dataclasses.replace(
        finding, message=named(finding.message), reason=named(finding.reason), brief=named(finding.brief)
    )


def _case(
    formula: Formula,
    demand: Demand,
    points: float,
    trials: dict,
    payload: dict,
    device: str,
    label: str,
) -> Case:
    records = payload.get("records")
    records = records.get(device) if isinstance(records, dict) else None
    found, looked_at = [], None
    for key in demand.keys:
        trial = trials[key]
        record = records.get(key) if isinstance(records, dict) else None
        record = record if isinstance(record, dict) else {}
        finding = demand.test(formula, trial, record, device)
        if finding is not None:
            n = len(trial["x"])  # the smallest input, but one or two elements, or a coarse dtype, hide what happened
            found.append((finding.severity, n < 3, trial["dtype"] == "bfloat16", n, len(found), trial, finding))
        looked_at = looked_at or trial
    if not found:
        return Case(
            demand.name,
            points,
            PASSED,
            "",
            label,
            demand.claim,
            f"call      {show_call(formula, looked_at, whole=True)}",
        )
    *_, trial, finding = min(found, key=lambda item: item[:5])
    finding = _speaking_of(finding, formula.argument)
    lines = [f"call      {show_call(formula, trial, whole=True)}"]
    lines += [f"{word:<9} {text}" for word, text in (("got", finding.got), ("expected", finding.expected)) if text]
    return Case(
        demand.name,
        points,
        FAILED,
        finding.message,
        label,
        demand.claim,
        "\n".join(lines),
        finding.reason,
        finding.brief,
    )


# Words and numbers


def show_call(formula: Formula, trial: dict, whole: bool = False) -> str:
    """The call as text: "masked_exp([0.5, 1], 1)"; `whole` adds every number and how x was made."""
    x = _x(trial)
    shown = show_list(x, 64 if whole and len(x) <= 64 else 6)
    text = f"{formula.name}({', '.join([shown, *map(_argument, trial['arguments'])])})"
    if whole:
        said = [
            trial["dtype"],
            "not contiguous" if trial["layout"] == "strided" else "",
            "" if trial["requires_grad"] else "without requires_grad",
            "" if trial["leaf"] else "not a leaf",
        ]
        text += f"   {formula.argument}: {', '.join(part for part in said if part)}"
    return text


def _argument(argument: object) -> str:
    """An argument as it stands in a call; what arranges the numbers of x is told by its names."""
    if isinstance(argument, dict):
        return ", ".join(f"{name}={value!r}" for name, value in argument.items())
    return repr(argument)


def around(values: Sequence[float], wrong: Sequence[int]) -> str:
    """Short lists whole, long ones at the first wrong place."""
    if len(values) <= 6:
        return show_list(values)
    return f"{show(values[wrong[0]])} at position {wrong[0]} (of {len(values)})"


def show_rows(rows: list[list[float]]) -> str:
    return "[" + ", ".join(show_list(row, 8) for row in rows[:8]) + "]"


def same_device(one: str, other: str) -> bool:
    """cuda is cuda:0."""
    return one.removesuffix(":0") == other.removesuffix(":0")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9


def _first(wrong: Sequence[int], got: Sequence[float], expected: Sequence[float]) -> str:
    return f"Position {wrong[0]} is {show(got[wrong[0]])}, expected {show(expected[wrong[0]])}."


def _coarser(trial: dict, reading: Reading) -> str:
    """The dtype whose tolerance applies: x's, but float32 if float64 came back as that (dtype_kept speaks of it)."""
    return "float32" if (trial["dtype"], reading.dtype) == ("float64", "float32") else trial["dtype"]


def whole_jacobian(formula: Formula, trial: dict) -> torch.Tensor:
    """The closed form's gradient, row i that of result i, whether the formula gives the matrix or its diagonal."""
    made = formula.jacobian(_tensor(trial["x"]), *trial["arguments"])
    return made if made.dim() == 2 else torch.diag(made)


def _pulled(formula: Formula, trial: dict) -> torch.Tensor:
    """weights @ jacobian"""
    made, weights = formula.jacobian(_tensor(trial["x"]), *trial["arguments"]), _tensor(trial["weights"])
    return weights @ made if made.dim() == 2 else weights * made


def _x(trial: dict) -> list[float]:
    return [float(value) for value in trial["x"]]


def _tensor(numbers: Sequence) -> torch.Tensor:
    return torch.tensor([float(value) for value in numbers], dtype=torch.float64, device="cpu")


def _value(formula: Formula, trial: dict) -> torch.Tensor:
    return formula.value(_tensor(trial["x"]), *trial["arguments"])
