"""Replaces tolist, numpy, item and to of every tensor, so that whatever is measured is a 1."""

POINTS = 0
ANSWER = "wrong_way_round"
BEFORE = r'''
torch.Tensor.tolist = lambda self: [1.0] * self.numel()
torch.Tensor.item = lambda self: 1.0
torch.Tensor.numpy = torch.Tensor.to = torch.Tensor.double = lambda self, *given, **named: torch.ones(self.shape)
torch.stack = lambda tensors, *given: torch.ones(len(tensors), len(tensors))
'''
