"""What the panels show, and that nothing overlaps or is cut at any combination of the sliders."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from inplace_lab import MUTATIONS, OPERATIONS, Experiment, Observation, Operation, Write, observe
from inplace_lab.catalogue import TARGETS, TIMES, WAYS
from inplace_lab.drawing import Box, Mark, Panel, Text
from inplace_lab.panels import gradient_panel, graph_panel, program_panel, rows, rows_height

SURPRISE = Experiment("exp", writes=(Write("root", "setitem", "after_root"),))
SILENT = Experiment("exp", writes=(Write("root", "zero_", "after_loss", through="data"),))


def texts(panel: Panel) -> list[str]:
    return [shape.text for shape in panel.shapes if isinstance(shape, Text)]


def marks(panel: Panel, shape: str, role: str | None = None) -> list[Mark]:
    found = [s for s in panel.shapes if isinstance(s, Mark) and s.shape == shape]
    return [mark for mark in found if role in (None, mark.role)]


def box(text: Text) -> tuple[float, float, float, float]:
    left = {"start": text.x, "middle": text.x - text.width / 2, "end": text.x - text.width}[text.anchor]
    return left, text.y - text.size / 2, left + text.width, text.y + text.size / 2


def faults(panel: Panel) -> Iterator[str]:
    """Texts that leave the panel, and pairs of texts that overlap."""
    placed = [(shape.text, box(shape)) for shape in panel.shapes if isinstance(shape, Text)]
    for text, (left, top, right, bottom) in placed:
        if left < 0 or top < 0 or right > panel.width or bottom > panel.height:
            yield f"{text!r} is cut"
    for (one, a), (other, b) in itertools.combinations(placed, 2):
        if min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5:
            yield f"{one!r} overlaps {other!r}"


def combinations(operation: str) -> Iterator[Observation]:
    for mutation, target, when, through in itertools.product(MUTATIONS, TARGETS, TIMES, WAYS):
        if (target, when) != ("root", "before_root"):
            yield observe(Experiment(operation, writes=(Write(target, mutation, when, through=through),)))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nothing_overlaps_or_is_cut_at_any_combination(operation: str) -> None:
    for observation in combinations(operation):
        tallest = rows_height(observation.program)
        for panel in (program_panel(observation), graph_panel(observation), gradient_panel(observation)):
            assert list(faults(panel)) == [], observation.program
        assert program_panel(observation).height <= tallest, observation.program


def test_text_is_at_least_nine_points() -> None:
    observation = observe(SURPRISE)
    for panel in (program_panel(observation), graph_panel(observation), gradient_panel(observation)):
        assert min(shape.size for shape in panel.shapes if isinstance(shape, Text)) >= 12  # px, at 96 to the inch


def test_rows_are_the_lines_of_the_program() -> None:
    observation = observe(SURPRISE)
    table = rows(observation)
    joined = [" ".join(piece.strip() for piece in row.code) for row in table]
    assert joined == observation.program.splitlines()
    assert all(after.top == before.top + before.height for before, after in itertools.pairwise(table))


def test_program_panel_shows_code_versions_and_the_broken_link() -> None:
    panel = program_panel(observe(SURPRISE))
    shown = texts(panel)
    assert "root[2] = 10" in shown
    assert len(marks(panel, "cross", "bad")) == 2  # one in the legend, one where backward finds another version
    assert len(marks(panel, "diamond", "root")) == 2  # the lane's head, and where root was saved
    assert "ExpBackward0 saved root at version 0" in panel.alt
    assert "root 1" in panel.alt


def test_a_link_that_holds_ends_in_a_tick() -> None:
    panel = program_panel(observe(Experiment("exp")))
    assert len(marks(panel, "cross", "bad")) == 1  # the legend's
    assert len(marks(panel, "tick", "root")) == 2


def test_a_write_around_the_counter_is_marked_as_such() -> None:
    counted, unseen = program_panel(observe(SURPRISE)), program_panel(observe(SILENT))
    assert len([m for m in marks(counted, "pen") if m.hollow]) == 1  # the legend's
    assert len([m for m in marks(unseen, "pen") if m.hollow]) == 2
    assert "changed" in texts(graph_panel(observe(SILENT)))


def test_graph_panel_names_nodes_saves_and_where_backward_stopped() -> None:
    panel = graph_panel(observe(SURPRISE))
    shown = texts(panel)
    for text in ("AccumulateGrad", "AddBackward0", "ExpBackward0", "result: root v0", "now v1"):
        assert text in shown
    assert "stopped at ExpBackward0" in shown
    assert "ExpBackward0 saved result: root v0" in panel.alt


def test_two_slots_with_the_same_tensor_share_a_tag() -> None:
    shown = texts(graph_panel(observe(Experiment("product"))))
    assert "other, self: middle v0" in shown


def test_an_internal_number_is_shown_as_the_number() -> None:
    assert "other: 2" in texts(graph_panel(observe(Experiment("scale"))))


def test_a_node_off_the_way_back_is_said_to_be_so() -> None:
    shown = texts(graph_panel(observe(Experiment("exp", writes=(Write("middle", "mul_", "after_root"),)))))
    assert "not on the way back" in shown


def test_a_step_in_the_middle_shows_only_what_has_happened() -> None:
    observation = observe(SURPRISE)
    panel = graph_panel(observation, at=3)  # root = middle.exp()
    assert "ExpBackward0" in texts(panel)
    assert "SumBackward0" not in texts(panel)
    assert "now v1" not in texts(panel)
    program = program_panel(observation, at=3)
    assert len(marks(program, "cross", "bad")) == 1
    assert "after line 4" in program.alt


def test_gradient_panel_marks_what_differs() -> None:
    observation = observe(Experiment("scale", writes=(Write("middle", "mul_", "before_root"),)))
    shown = texts(gradient_panel(observation))
    assert shown.count("6") == 10  # leaf.grad, and out of place
    assert shown.count("2 ≠") == 5  # without the write
    assert "without the write: 2, 2, 2, 2, 2" in gradient_panel(observation).alt


def test_gradient_panel_says_when_there_is_none() -> None:
    assert any("no gradient" in text for text in texts(gradient_panel(observe(SURPRISE))))


def test_gradient_panel_holds_nan_and_many_values() -> None:
    observation = observe(Experiment("sqrt", values=[-5.0] + [1.0] * 20))
    panel = gradient_panel(observation)
    assert "nan" in texts(panel)
    assert any("first 8 of 21" in text for text in texts(panel))
    bars = [shape for shape in panel.shapes if isinstance(shape, Box)]
    assert all(bar.y >= 0 and bar.y + bar.height <= panel.height for bar in bars)


def test_an_operation_of_several_nodes_gets_a_taller_row() -> None:
    swish = Operation("swish", "middle * middle.sigmoid()", "A product of x and sigmoid(x).")
    observation = observe(Experiment(swish))
    shown = texts(graph_panel(observation))
    assert "SigmoidBackward0" in shown and "MulBackward0" in shown
    assert rows(observation)[3].height > rows(observe(Experiment("exp")))[3].height
    assert list(faults(graph_panel(observation))) == []
