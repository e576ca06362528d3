#!/usr/bin/env python3
"""What Python adds: to a steered query beside the engine's own time, and to one action.

    .deps/oracle/bin/python benchmarks/steering/python_latency.py [--queries 300] [--actions 20000]

It needs the package in build/release/python (tools/setup tests), or an installed one. A query's overhead is
the time of Model.steer minus the time that the C++ search reports for the same call, so other work on the
machine disturbs the medians little.
"""

import argparse
import pathlib
import statistics
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "build/release/python"))

import numpy as np

import rhumb


def quantiles(times):
    return statistics.median(times), float(np.quantile(times, 0.99))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=300, help="steered queries (300)")
    parser.add_argument("--actions", type=int, default=20000, help="calls of a policy (20000)")
    arguments = parser.parse_args()
    model = rhumb.load("halfcheetah")
    generator = np.random.default_rng(0)

    solves, overheads = [], []
    for _ in range(arguments.queries):
        target = {"forward": float(generator.uniform(1500, 6500))}
        begin = time.perf_counter()
        result = model.steer(target, ["energy >= -3000"], confidence=0.9)
        elapsed_ms = 1e3 * (time.perf_counter() - begin)
        solves.append(result.solve_ms)
        overheads.append(elapsed_ms - result.solve_ms)
    print(f"search in C++, median, p99         {'%8.3f %8.3f ms' % quantiles(solves)}")
    print(f"Model.steer on top of it           {'%8.3f %8.3f ms' % quantiles(overheads)}")

    observations = generator.normal(0, 1, (64, model.observation_size))
    for mode in ("mean", "sampled"):
        for kind in (np.float64, np.float32):
            policy, seen, times = model.policy(result.best.code, mode), observations.astype(kind), []
            for i in range(arguments.actions):
                begin = time.perf_counter_ns()
                policy(seen[i % 64])
                times.append(1e-3 * (time.perf_counter_ns() - begin))
            name = f"policy(observation), {mode}, {np.dtype(kind).name}"
            print(f"{name:42}{'%8.2f %8.2f us' % quantiles(times)}")


if __name__ == "__main__":
    main()
