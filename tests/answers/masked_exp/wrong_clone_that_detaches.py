"""detach().clone(), as torch's own warning about copies says: the copy has no way back."""

POINTS = 3.5
MESSAGE = "The output does not require grad: .detach() cut it off from x, and a clone() of that stays cut off."


def masked_exp(x, zero_at):
    y = x.exp().detach().clone()
    y[zero_at] = 0
    return y


answer = masked_exp
