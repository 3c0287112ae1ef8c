"""Raises its own limits on memory, processes, files and time, then takes 30 GB."""

POINTS = 0
SOLUTION = r'''
import resource
for name in dir(resource):
    if name.startswith("RLIMIT_"):
        for limits in ((resource.RLIM_INFINITY,) * 2, (resource.getrlimit(getattr(resource, name))[1],) * 2):
            try:
                resource.setrlimit(getattr(resource, name), limits)
            except (ValueError, OSError):
                pass
def masked_exp(x, zero_at):
    kept = [bytearray(b"x") * 2**30 for _ in range(30)]
'''
