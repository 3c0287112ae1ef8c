"""Ignores SIGALRM, SIGINT, SIGTERM and every other signal, takes the timer away, and sleeps without using the processor."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
SOLUTION = r'''
import signal, time
def masked_exp(x, zero_at):
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.setitimer = signal.signal = lambda *given: (0.0, 0.0)
    while True:
        time.sleep(1000)
'''
