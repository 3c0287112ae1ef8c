"""Nothing bad: a right answer between many cells of its own, some of which fail, wait for input or call a magic."""

ANSWER, POINTS, PREDICTED, PREDICTIONS = "right_masked_fill", 10, True, 4
FIRST = "1 / 0"
BEFORE = "%time masked_exp(torch.ones(3), 1)\n!echo shell\nprint(input('name? '))"
AFTER = "this is no Python"
LAST = "%matplotlib inline\nhelp(masked_exp)\nraise SystemExit"
