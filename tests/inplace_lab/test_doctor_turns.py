"""How the saved line, the changed line and backward stand to each other in a program's source."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from inplace_lab.doctor.finding import Change
from inplace_lab.doctor.places import Site, place
from inplace_lab.doctor.turns import (
    BEFORE_THE_LOOP,
    EARLIER_CALL,
    EARLIER_TURN,
    IN_ONE_CALL,
    PASSED_IN,
    THIS_TURN,
    Standing,
    standing,
)


def stand(folder: Path, source: str) -> Standing | None:
    """The standing of the three lines that are marked; ``# 1 saved`` is a line that led to the saved one, and so on."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(source))
    chains: dict[str, list] = {"saved": [], "changed": [], "backward": []}
    marks = [
        (*(mark.split() if " " in mark else ("2", mark)), number)
        for number, line in enumerate(file.read_text().splitlines(), 1)
        for mark in filter(None, line.partition("  # ")[2].split(", "))
    ]
    for _, word, number in sorted(marks, key=lambda mark: mark[0]):
        chains[word].append(place(str(file), number))
    saved, changed, backward = (Site(chain[-1], tuple(chain[:-1]), "", "", "", 0) for chain in chains.values())
    return standing(saved, Change(changed.place, "SGD.step", changed.path), backward)


PROGRAMS = {
    THIS_TURN: """
        fake = maker(noise)
        fooled = judge(fake)  # saved
        step.zero_grad()
        step.step()  # changed
        fooled.backward()  # backward
    """,
    BEFORE_THE_LOOP: """
        error = net(x)  # saved
        for _ in range(3):
            error.backward(retain_graph=True)  # backward
            step.step()  # changed
    """,
    EARLIER_TURN: """
        state = zeros(3)
        for x in data:
            state = cell(x, state)  # saved
            state.sum().backward(retain_graph=True)  # backward
            step.step()  # changed
    """,
    EARLIER_CALL: """
        def turn(self, x):
            self.state = self.cell(x, self.state)  # saved
            self.state.sum().backward()  # backward
            self.step.step()  # changed
    """,
    IN_ONE_CALL: """
        def adapt(x):
            error = net(x)  # 2 saved
            step.step()  # 2 changed
            return error

        adapt(x).backward()
        error = adapt(x)  # 1 saved, 1 changed
        error.backward()  # backward
    """,
    PASSED_IN: """
        def train(error):
            step.step()  # 2 changed
            error.backward()  # 2 backward

        for x in data:
            error = net(x)  # saved
            train(error)  # 1 changed, 1 backward
    """,
}


@pytest.mark.parametrize("when", PROGRAMS)
def test_when(when: str, tmp_path: Path) -> None:
    assert stand(tmp_path, PROGRAMS[when]).when == when


def test_lines_are_those_of_the_function_that_all_three_share(tmp_path: Path) -> None:
    found = stand(
        tmp_path,
        """
        def forward(x):
            return x @ weight  # 2 saved

        def train():
            for x in data:
                y = forward(x)  # 1 saved
                y.backward()  # backward
                step.step()  # changed
        """,
    )
    assert (found.saved, found.changed, found.backward, found.loop, found.when) == (7, 9, 8, 6, EARLIER_TURN)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("state = cell(x, state)", ("state",)),
        ("out, state = cell(x, state)", ("state",)),
        ("total = total + cell(x)", ("total",)),
        ("total += cell(x)", ("total",)),
        ("state = cell(x, state.detach()); y = cell(x)", ()),
        ("count += 1; y = cell(x)", ()),
        ("y = cell(x); seen += y.item()", ()),
    ],
)
def test_what_is_carried_from_turn_to_turn(line: str, names: tuple[str, ...], tmp_path: Path) -> None:
    found = stand(
        tmp_path,
        f"""
        for x in data:
            {line.replace("; ", "; ")}  # saved
            y.backward()  # backward
            step.step()  # changed
        """,
    )
    assert found.carried == names
    assert found.summed == tuple(name for name in names if name == "total")


def test_a_step_in_a_loop_of_its_own_is_passed_as_a_whole(tmp_path: Path) -> None:
    found = stand(
        tmp_path,
        """
        for x in data:
            fooled = judge(maker(x))  # saved
            for _ in range(5):
                step.step()  # changed
                step.zero_grad()
            fooled.backward()  # backward
        """,
    )
    assert (found.when, found.below, found.loop) == (THIS_TURN, 6, 2)


def test_a_result_that_is_needed_before_the_step_is_seen(tmp_path: Path) -> None:
    source = """
        out = net(x)  # saved
        first = out.mean()
        first.backward(retain_graph=True)
        step.step()  # changed
        step.zero_grad()
        out.sum().backward()  # backward
    """
    found = stand(tmp_path, source)
    assert (found.reused, found.retains, found.wipes, found.backward_of_it) == (True, False, 6, False)


def test_what_only_the_head_of_a_loop_reads_is_carried_too(tmp_path: Path) -> None:
    source = """
        for x in data:
            new = []
            for state in states:
                new.append(cell(x, state))  # saved
            states = new
            states[-1].sum().backward()  # backward
            step.step()  # changed
    """
    assert stand(tmp_path, source).carried == ("states",)


def test_lines_that_backward_needs_are_moved_with_it(tmp_path: Path) -> None:
    source = """
        out = net(x)  # saved
        net.clip()  # changed
        w.grad = None
        other = 3
        error = out.sum()
        error.backward()  # backward
        net.clip()
    """
    found = stand(tmp_path, source)
    assert (found.needs, found.wipes, found.steps_again, found.often) == ((6,), 4, True, False)


def test_losses_that_a_loop_goes_through_are_ready(tmp_path: Path) -> None:
    source = """
        for net in nets:
            losses.append(net(x))  # saved
        for error in losses:
            error.backward()  # backward
            step.step()  # changed
    """
    found = stand(tmp_path, source)
    assert (found.when, found.ready, found.often) == (BEFORE_THE_LOOP, True, True)


def test_what_cannot_be_read_is_left_open(tmp_path: Path) -> None:
    assert stand(tmp_path, "%time x = y  # saved\nstep.step()  # changed\nx.backward()  # backward") is None
    saved, elsewhere = (Site(place(str(tmp_path / name), 1), (), "", "", "", 0) for name in ("a.py", "b.py"))
    assert standing(saved, Change(elsewhere.place, "SGD.step"), elsewhere) is None
