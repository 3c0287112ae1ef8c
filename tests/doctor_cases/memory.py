"""Memory that NumPy, a buffer or another library shares is written while a graph still needs it."""

from __future__ import annotations

import array
import ctypes
import struct
import threading

import numpy as np
import torch

from tests.doctor_cases import program, repaired
from tests.doctor_cases.saved import leaf


@program("bypass")
def buffer_refilled_in_each_turn():
    weights, rows, total = leaf(1, 2), np.empty((2, 2)), 0.0
    for turn in range(3):
        rows[...] = turn  # changed
        batch = torch.from_numpy(rows)
        total = total + (batch @ weights).sum()  # saved
    total.backward()


@repaired(buffer_refilled_in_each_turn)
def _():
    weights, rows, total = leaf(1, 2), np.empty((2, 2)), 0.0
    for turn in range(3):
        rows[...] = turn
        batch = torch.tensor(rows)
        total = total + (batch @ weights).sum()
    total.backward()
    return weights.grad, torch.full((2,), 6.0)


class Ring:
    def __init__(self) -> None:
        self.rows, self.count = np.zeros((2, 2)), 0

    def push(self, row: float) -> None:
        self.rows[self.count % 2] = row  # changed
        self.count += 1

    def batch(self) -> torch.Tensor:
        return torch.from_numpy(self.rows)


@program("bypass", also=(Ring,))
def ring_written_by_a_method():
    weights, ring, losses = leaf(1, 2), Ring(), []
    for turn in range(4):
        ring.push(turn)
        losses.append((ring.batch() * weights).sum())  # saved
    sum(losses).backward()


@program("bypass")
def result_given_as_the_last_argument():
    gate = leaf(1, 2).sigmoid()  # saved
    shared = gate.detach().numpy()
    np.exp(shared, shared)  # changed
    gate.sum().backward()


@program("bypass")
def noise_drawn_into_the_same_array():
    drawing, noise, weights, losses = np.random.default_rng(0), np.zeros(2), leaf(1, 2), []
    for _ in range(2):
        drawing.standard_normal(out=noise)  # changed
        losses.append((weights * torch.from_numpy(noise)).sum())  # saved
    sum(losses).backward()


def _sort(rows: np.ndarray) -> None:
    rows[::-1].sort()  # changed


@program("bypass", also=(_sort,))
def sorted_by_a_helper():
    weights, rows = leaf(1, 2, 3), np.array([1.0, 2.0, 3.0])
    loss = (torch.as_tensor(rows) * weights).sum()  # saved
    _sort(rows)
    loss.backward()


@program("bypass")
def written_by_a_thread():
    grown = leaf(1, 2).exp()  # saved
    shared = grown.detach().numpy()

    def work() -> None:
        shared[:] = 0  # changed

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    grown.sum().backward()


@program("bypass")
def bytes_of_a_file_read_again():
    held, weights = bytearray(struct.pack("2d", 1, 2)), leaf(1, 2)
    loss = (torch.frombuffer(held, dtype=torch.double) * weights).sum()  # saved
    struct.pack_into("2d", held, 0, 3, 4)  # changed
    loss.backward()


@program("bypass")
def array_of_python():
    held, weights = array.array("d", [1, 2]), leaf(1, 2)
    loss = (torch.frombuffer(held, dtype=torch.double) * weights).sum()  # saved
    held[1] = 50  # changed
    loss.backward()


@program("bypass")
def zeroed_by_its_address():
    gate = leaf(1, 2).sigmoid()  # saved
    ctypes.memset(gate.data_ptr(), 0, gate.numel() * gate.element_size())  # changed
    gate.sum().backward()


@program("bypass")
def capsule_given_back_to_torch():
    bent = leaf(1, 2).tanh()  # saved
    other = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(bent.detach()))
    other.zero_()  # changed
    bent.sum().backward()


@program("bypass")
def taken_from_numpy_by_dlpack():
    rows, weights = np.array([1.0, 2.0]), leaf(1, 2)
    loss = (torch.from_dlpack(rows) * weights).sum()  # saved
    rows[0] = 9  # changed
    loss.backward()


@program("bypass")
def array_kept_by_a_hook():
    weights, factor = leaf(1, 2), torch.tensor([3.0, 4.0], dtype=torch.double)
    with torch.autograd.graph.saved_tensors_hooks(lambda kept: kept.detach().numpy(), torch.from_numpy):
        loss = (weights * factor).sum()  # saved
    factor += 1  # changed
    loss.backward()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        ctx.inputs = inputs  # saved
        return inputs * inputs

    @staticmethod
    def backward(ctx, gradient):
        return 2 * ctx.inputs * gradient


@program("bypass", also=(Square,))
def kept_as_an_attribute_of_ctx():
    inputs = leaf(1, 2) * 1
    square = Square.apply(inputs)
    with torch.no_grad():
        inputs.zero_()  # changed
    square.sum().backward()


@repaired(kept_as_an_attribute_of_ctx)
def _():
    inputs = leaf(1, 2)
    Square.apply(inputs * 1).sum().backward()
    return inputs.grad, torch.tensor([2.0, 4.0])


@program("none")
def data_assigned_that_it_had():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()
    weight.data = weight.data.contiguous()
    product.backward()


@program("none")
def weights_lent_and_put_back():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()
    own = weight.data
    weight.data = torch.zeros(2, dtype=torch.double)
    with torch.no_grad():
        (weight * inputs).sum()
    weight.data = own
    product.backward()


@repaired(weights_lent_and_put_back)
def _():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()
    own, weight.data = weight.data, torch.zeros(2, dtype=torch.double)
    weight.data = own
    product.backward()
    return inputs.grad, torch.tensor([1.0, 2.0])


@program("none")
def averaged_weights_copied_in_and_out():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()
    own = weight.data.clone()
    weight.data.mul_(0.5)
    with torch.no_grad():
        (weight * inputs).sum()
    weight.data.copy_(own)
    product.backward()


@repaired(averaged_weights_copied_in_and_out)
def _():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()
    own = weight.data.clone()
    weight.data.mul_(0.5)
    weight.data.copy_(own)
    product.backward()
    return inputs.grad, torch.tensor([1.0, 2.0])


@program("bypass")
def averaged_weights_left_in():
    weight, inputs = leaf(1, 2), leaf(3, 4)
    product = (weight * inputs).sum()  # saved
    own = weight.data.clone()
    weight.data.mul_(0.5)  # changed
    weight.data.copy_(own * 0.9)
    product.backward()
