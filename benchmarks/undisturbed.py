"""Measuring on a machine that others may use too: the benchmarks' compare.py share it."""

import os
import resource
import subprocess
import sys
import time

MAX_OTHERS = 0.05  # cores that others may use during a turn


def run(*command, **options):
    """What the command writes to stdout."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def busy_seconds():
    """CPU seconds that the whole machine has spent so far, and those of our own children."""
    user, nice, system, _, _, irq, softirq = map(int, open("/proc/stat").readline().split()[1:8])
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = user + nice + system + irq + softirq
    return ticks / os.sysconf("SC_CLK_TCK"), own.ru_utime + own.ru_stime


def others_during(action):
    """What action() gives, and how many cores others used meanwhile."""
    start, all_before, own_before = time.perf_counter(), *busy_seconds()
    value = action()
    elapsed, all_after, own_after = time.perf_counter() - start, *busy_seconds()
    return value, (all_after - all_before - own_after + own_before) / elapsed


def undisturbed(measure):
    """What measure() gives when nobody else works on this machine."""
    while True:
        while others_during(lambda: time.sleep(3))[1] > MAX_OTHERS:
            pass
        value, others = others_during(measure)
        if others <= MAX_OTHERS:
            return value
        print(f"others took {others:.2f} cores meanwhile: once more", file=sys.stderr)
