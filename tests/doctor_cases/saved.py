"""A saved tensor is changed, and torch refuses."""

from __future__ import annotations

import copy
import threading

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from tests.doctor_cases import program, repaired


def leaf(*values: float) -> torch.Tensor:
    return torch.tensor(values or (1.0, 2.0, 3.0), dtype=torch.double, requires_grad=True)


@program("saved")
def gate_with_one_place_set():
    scores = leaf()
    gate = scores.sigmoid()  # saved
    gate[1] = 2.0  # changed
    gate.sum().backward()
    return scores.grad


@repaired(gate_with_one_place_set)
def _():
    scores = leaf()
    kept = torch.tensor([True, False, True])
    torch.where(kept, scores.sigmoid(), torch.tensor(2.0)).sum().backward()
    value = 1 / (1 + (-scores.detach()).exp())
    return scores.grad, value * (1 - value) * kept


def _branches(inplace: bool) -> tuple[torch.Tensor, torch.Tensor]:
    inputs, shortcut, branch = leaf(-1, 2), leaf(3, 4), leaf(5, 6)
    hidden = inputs * 1
    straight = hidden * shortcut  # saved
    bent = F.relu(hidden, inplace=inplace)  # changed
    (straight + bent * branch).sum().backward()
    return shortcut.grad, inputs.detach()


@program("saved", also=(_branches,))
def activation_of_a_branch_reaches_the_shortcut():
    return _branches(True)[0]


@repaired(activation_of_a_branch_reaches_the_shortcut)
def _():
    return _branches(False)


@program("saved", rewritten=True)
def dropout_after_leaky_relu():
    torch.manual_seed(3)
    inputs = leaf(-2, -1, 1, 2)
    hidden = F.leaky_relu(inputs * 2, 0.25, inplace=True)  # saved
    hidden = F.dropout(hidden, 0.5, training=True, inplace=True)  # changed
    hidden.sum().backward()
    return inputs.grad


@repaired(dropout_after_leaky_relu)
def _():
    torch.manual_seed(3)
    inputs = leaf(-2, -1, 1, 2)
    hidden = F.dropout(F.leaky_relu(inputs * 2, 0.25, inplace=True), 0.5, training=True)
    hidden.sum().backward()
    slope = torch.where(inputs.detach() > 0, 1.0, 0.25)
    return inputs.grad, 2 * slope * (hidden.detach() != 0) * 2


def _pair() -> tuple[nn.Module, nn.Module, torch.optim.Optimizer, torch.Tensor]:
    torch.manual_seed(1)
    maker, judge = nn.Linear(1, 2).double(), nn.Linear(2, 1).double()
    return maker, judge, torch.optim.SGD(judge.parameters(), lr=0.5), torch.ones(1, 1, dtype=torch.double)


@program("saved")
def judge_stepped_before_the_maker_learns():
    maker, judge, optimizer, seed = _pair()
    made = maker(seed)
    fooled = -judge(made).mean()  # saved
    judge(made.detach()).mean().backward()
    optimizer.step()  # changed
    fooled.backward()


@repaired(judge_stepped_before_the_maker_learns)
def _():
    maker, judge, optimizer, seed = _pair()
    made = maker(seed)
    judge(made.detach()).mean().backward()
    optimizer.step()
    (-judge(made).mean()).backward()
    return maker.weight.grad.flatten(), -judge.weight.detach().flatten()


@program("saved")
def several_steps_on_one_forward():
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    error = net(torch.ones(1, 2)).pow(2).mean()  # saved
    for _ in range(2):
        error.backward(retain_graph=True)
        optimizer.step()  # changed


@program("saved")
def hidden_state_carried_over():
    torch.manual_seed(1)
    cell = nn.GRUCell(2, 3)
    optimizer = torch.optim.Adam(cell.parameters())
    state = torch.zeros(1, 3)
    for _ in range(3):
        state = cell(torch.rand(1, 2), state)  # saved
        optimizer.zero_grad()
        state.sum().backward(retain_graph=True)
        optimizer.step()  # changed


@program("saved")
def embedding_computed_once():
    torch.manual_seed(1)
    body, head = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), nn.Linear(2, 1)
    optimizer = torch.optim.RMSprop([*body.parameters(), *head.parameters()], foreach=True)
    embedded = body(torch.rand(1, 2))  # saved
    for _ in range(2):
        head(embedded).sum().backward(retain_graph=True)
        optimizer.step()  # changed


@program("saved")
def power_iteration_in_place():
    torch.manual_seed(1)
    weight = torch.randn(3, 3, requires_grad=True)
    guess = F.normalize(torch.randn(3), dim=0)

    def norm() -> torch.Tensor:
        with torch.no_grad():
            other = F.normalize(weight.t() @ guess, dim=0)
            guess.copy_(F.normalize(weight @ other, dim=0))  # changed
        return guess @ (weight @ other)  # saved

    (norm() - norm()).backward()


@program("saved")
def recurrence_in_one_buffer():
    start = leaf(2, 3, 4)
    steps = torch.zeros(4, dtype=torch.double)
    steps[0], steps[1] = start[0], start[1]
    product = steps[0] * steps[1]  # saved
    steps[2] = product  # changed
    steps[2].backward()


@repaired(recurrence_in_one_buffer)
def _():
    start = leaf(2, 3, 4)
    first, second, _ = start.unbind()
    torch.stack([first, second, first * second])[2].backward()
    return start.grad, torch.tensor([3.0, 2.0, 0.0])


@program("saved")
def other_column_written():
    table = leaf(1, 2, 3, 4).reshape(2, 2) * 1
    column = F.softplus(table[:, 0])  # saved
    table[:, 1] = column  # changed
    table.sum().backward()


def _decode(token: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    token += 1  # changed
    return token @ weight  # saved


@program("saved", also=(_decode,))
def two_decoders_change_their_argument():
    torch.manual_seed(1)
    latent = torch.randn(2, 3, requires_grad=True) * 2
    weights = [torch.randn(3, 1, requires_grad=True) for _ in range(2)]
    (_decode(latent, weights[0]) + _decode(latent, weights[1])).sum().backward()


@program("saved", rewritten=True)
def softmax_by_hand():
    logits = leaf()
    share = (logits * 1).exp_()  # saved
    share /= share.sum()  # changed
    (share * torch.tensor([1.0, 0.0, 2.0])).sum().backward()
    return logits.grad


@repaired(softmax_by_hand)
def _():
    logits = leaf()
    share = logits.exp()
    share = share / share.sum()
    wanted = torch.tensor([1.0, 0.0, 2.0], dtype=torch.double)
    (share * wanted).sum().backward()
    value = torch.softmax(logits.detach(), 0)
    return logits.grad, value * (wanted - (value * wanted).sum())


@program("saved", rewritten=True)
def terms_added_onto_a_norm():
    point = leaf(3, 4)
    total = point.norm()  # saved
    total += 2 * point.sum()  # changed
    total.backward()
    return point.grad


@repaired(terms_added_onto_a_norm)
def _():
    point = leaf(3, 4)
    (point.norm() + 2 * point.sum()).backward()
    return point.grad, torch.tensor([2.6, 2.8])


@program("saved")
def weights_restored_before_backward():
    torch.manual_seed(1)
    net, inputs = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1)), torch.rand(3, 2)
    before = copy.deepcopy(net.state_dict())
    query = net(inputs).pow(2).sum()  # saved
    net.load_state_dict(before)  # changed
    query.backward()


@program("saved")
def alias_by_detach():
    inputs = leaf()
    gate = inputs.sigmoid()  # saved
    alias = gate.detach()
    alias.zero_()  # changed
    gate.sum().backward()


@program("saved")
def written_inside_torch():
    points = torch.arange(1.0, 9.0, dtype=torch.double).reshape(4, 2).requires_grad_()
    curved = torch.vmap(torch.func.hessian(torch.linalg.norm))(points)  # saved changed
    torch.autograd.grad(curved.sum(), points)


@program("saved")
def result_of_exp_written():
    inputs = leaf()
    doubled = inputs * 2
    grown = doubled.exp()  # saved
    doubled[0] = 9.0
    grown[0] = 9.0  # changed
    grown.sum().backward()


@program("saved", rewritten=True)
def pyramid_top_down():
    image = leaf(-1, 2)
    levels = [F.relu(image * 2), F.relu(image)]  # saved
    levels[0] += levels[1]  # changed
    levels[0].sum().backward()
    return image.grad


@repaired(pyramid_top_down)
def _():
    image = leaf(-1, 2)
    (F.relu(image * 2) + F.relu(image)).sum().backward()
    return image.grad, torch.tensor([0.0, 3.0])


@program("saved", rewritten=True)
def result_scaled_by_a_method():
    inputs = leaf()
    bent = torch.tanh(inputs)  # saved
    bent.mul_(2)  # changed
    bent.sum().backward()
    return inputs.grad


@repaired(result_scaled_by_a_method)
def _():
    inputs = leaf()
    (torch.tanh(inputs) * 2).sum().backward()
    return inputs.grad, 2 / torch.cosh(inputs.detach()) ** 2


@program("saved")
def through_a_view():
    inputs = leaf()
    roots = inputs.sqrt()  # saved
    column = roots.view(3, 1)
    column[0] = 0  # changed
    roots.sum().backward()


@program("saved", rewritten=True)
def with_out():
    inputs, factor = leaf(), torch.ones(3, dtype=torch.double)
    product = inputs * factor  # saved
    torch.add(factor, 1, out=factor)  # changed
    product.sum().backward()
    return inputs.grad


@repaired(with_out)
def _():
    inputs, factor = leaf(), torch.ones(3, dtype=torch.double)
    (inputs * factor).sum().backward()
    return inputs.grad, torch.ones(3)


@program("saved")
def through_an_expanded_alias():
    inputs, factor = leaf(), torch.ones(1, dtype=torch.double)
    product = inputs * factor.expand(3)  # saved
    factor.zero_()  # changed
    product.sum().backward()


@program("saved")
def memory_exchanged():
    inputs, factor = leaf(), torch.ones(3, dtype=torch.double)
    product = inputs * factor  # saved
    factor.set_(torch.zeros(3, dtype=torch.double))  # changed
    product.sum().backward()


@program("saved")
def weights_drawn_again():
    layer, inputs = nn.Linear(2, 2), torch.ones(1, 2, requires_grad=True)
    result = layer(inputs).sum()  # saved
    nn.init.zeros_(layer.weight)  # changed
    result.backward()


@program("saved")
def module_in_place_after_sigmoid():
    net = nn.Sequential(nn.Sigmoid(), nn.ReLU(inplace=True)).double()
    net(leaf() * 1).sum().backward()  # saved changed


class Grow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs):
        grown = inputs.exp()
        ctx.save_for_backward(grown)  # saved
        return grown

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0]


@program("saved", also=(Grow,), rewritten=True)
def result_of_a_custom_function():
    inputs = leaf()
    grown = Grow.apply(inputs)
    grown += 1  # changed
    grown.sum().backward()
    return inputs.grad


@repaired(result_of_a_custom_function)
def _():
    inputs = leaf()
    (Grow.apply(inputs) + 1).sum().backward()
    return inputs.grad, inputs.detach().exp()


@program("saved")
def asked_by_autograd_grad():
    inputs = leaf()
    middle = inputs * 1
    squared = middle**2  # saved
    middle[1] = 0  # changed
    torch.autograd.grad(squared.sum(), inputs)


@program("saved")
def gradient_of_a_gradient():
    inputs = leaf()
    slope = torch.autograd.grad((inputs**3).sum(), inputs, create_graph=True)[0]
    grown = slope.exp()  # saved
    grown.add_(1)  # changed
    grown.sum().backward()


@program("saved")
def in_another_thread():
    raised = []

    def work() -> None:
        grown = leaf().exp()  # saved
        grown.zero_()  # changed
        try:
            grown.sum().backward()
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    raise raised[0]


@program("saved", rewritten=True)
def attention_masked_after_softmax():
    query = leaf(1, 2, 3, 4)
    weights = (query.reshape(2, 2) * 1).softmax(-1)  # saved
    weights.masked_fill_(torch.eye(2).bool(), 0)  # changed
    weights.sum().backward()
    return query.grad


@repaired(attention_masked_after_softmax)
def _():
    query = leaf(1, 2, 3, 4)
    query.reshape(2, 2).softmax(-1).masked_fill(torch.eye(2).bool(), 0).sum().backward()
    value = query.detach().reshape(2, 2).softmax(-1).prod(1, keepdim=True)
    return query.grad, (value * torch.tensor([[-1.0, 1.0], [1.0, -1.0]])).flatten()


@program("saved")
def weights_clamped_under_no_grad():
    weight, inputs = leaf(), leaf()
    product = (weight * inputs).sum()  # saved
    with torch.no_grad():
        weight.clamp_(max=0.5)  # changed
    product.backward()


@program("saved")
def view_grown_in_place_then_all_scaled():
    """The node that kept the tensor is hidden behind the write through the view."""
    whole = leaf() * 1
    whole[1:].exp_()  # saved
    whole.mul_(2)  # changed
    whole.sum().backward()


@program("saved", rewritten=True)
def output_of_an_lstm():
    torch.manual_seed(1)
    inputs = torch.ones(4, 1, 2, requires_grad=True)
    outputs, _ = nn.LSTM(2, 3)(inputs)  # saved
    outputs *= 2  # changed
    outputs.sum().backward()
    return inputs.grad


@repaired(output_of_an_lstm)
def _():
    torch.manual_seed(1)
    net, inputs = nn.LSTM(2, 3), torch.ones(4, 1, 2, requires_grad=True)
    net(inputs)[0].sum().backward()
    once = inputs.grad
    inputs.grad = None
    (net(inputs)[0] * 2).sum().backward()
    return inputs.grad, 2 * once


@program("saved", rewritten=True)
def image_normalised_after_a_convolution():
    torch.manual_seed(1)
    layer, image = nn.Conv2d(1, 1, 3), torch.ones(1, 1, 3, 3)
    result = layer(image).sum()  # saved
    image += 1  # changed
    result.backward()
    return layer.weight.grad


@repaired(image_normalised_after_a_convolution)
def _():
    layer, image = nn.Conv2d(1, 1, 3), torch.ones(1, 1, 3, 3)
    layer(image).sum().backward()
    return layer.weight.grad, image


@program("saved")
def index_reused():
    inputs, places = leaf(), torch.tensor([0, 1, 2])
    taken = (inputs * 1).gather(0, places)  # saved
    places.zero_()  # changed
    taken.sum().backward()


@program("saved", rewritten=True)
def mask_turned_round():
    inputs, hidden = leaf(), torch.tensor([True, False, True])
    shown = inputs.masked_fill(hidden, 0.0)  # saved
    hidden.logical_not_()  # changed
    shown.sum().backward()
    return inputs.grad


@repaired(mask_turned_round)
def _():
    inputs, hidden = leaf(), torch.tensor([True, False, True])
    inputs.masked_fill(hidden, 0.0).sum().backward()
    return inputs.grad, (~hidden).double()


@program("saved")
def each_of_a_list():
    grown = [leaf().exp() for _ in range(3)]  # saved
    for one in grown:
        one.sub_(1)  # changed
    sum(one.sum() for one in grown).backward()


@program("saved")
def several_tensors_at_once():
    grown = leaf().exp()  # saved
    torch._foreach_mul_([grown], 2.0)  # changed
    grown.sum().backward()


@program("saved")
def result_scaled_by_a_forward_hook():
    def louder(module, inputs, result):
        result.mul_(2)  # changed

    net = nn.Sequential(nn.Sigmoid(), nn.Identity())
    net[0].register_forward_hook(louder)
    net(leaf()).sum().backward()  # saved


@program("saved")
def inside_a_checkpoint():
    def part(inputs: torch.Tensor) -> torch.Tensor:
        grown = inputs.exp()  # saved
        grown.add_(1)  # changed
        return grown.sum()

    checkpoint(part, leaf(), use_reentrant=True).backward()


@program("saved")
def optimizer_with_a_closure():
    torch.manual_seed(1)
    layer = nn.Linear(2, 1)
    kept = layer(torch.ones(1, 2, requires_grad=True)).sum()  # saved
    optimizer = torch.optim.LBFGS(layer.parameters())

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = layer(torch.ones(1, 2)).pow(2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)  # changed
    kept.backward()
