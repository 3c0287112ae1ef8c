"""Warns, logs and writes to standard error, from Python, from a subprocess and from the descriptor. The answer is right."""

ANSWER, POINTS = "right_clone", 10
BEFORE = r'''
import logging, os, subprocess, sys, warnings
real = masked_exp
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
def masked_exp(x, zero_at):
    warnings.warn("deprecated")
    logging.error("logged")
    print("error", file=sys.stderr)
    os.write(2, b"descriptor\n")
    return real(x, zero_at)
masked_exp(torch.ones(2), 0)
subprocess.run(["sh", "-c", "echo on stderr >&2"])
'''
