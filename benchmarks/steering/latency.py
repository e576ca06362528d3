#!/usr/bin/env python3
"""The time steering takes: in a running process, for a batch, and from a cold start.

    python3 benchmarks/steering/latency.py MODEL [--queries 200] [--cold 20] [--json]

README.md says what is timed. The cold starts run `rhumb` as `./run` builds it.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
sys.path.append(str(ROOT / "benchmarks"))

from undisturbed import run, undisturbed

PROGRAM = "bench_steering"


def time_cold(rhumb, model, query, count):
    """Milliseconds of each of `count` processes, from their start to their end."""
    words = [word for key in ("target", "require") for text in query[key] for word in (f"--{key}", text)]
    times = []
    for _ in range(count):
        start = time.perf_counter()
        run(rhumb, "steer", model, *words)
        times.append(1e3 * (time.perf_counter() - start))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path, help="a model folder")
    parser.add_argument("--queries", type=int, default=200, help="single ones in a running process (200)")
    parser.add_argument("--cold", type=int, default=20, help="processes to start (20)")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="where to build the program")
    parser.add_argument("--rhumb", type=pathlib.Path, help="the binary of the cold starts (BUILD/bin/rhumb)")
    parser.add_argument("--no-wait", action="store_true", help="measure even while others use the machine")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    arguments = parser.parse_args()
    run("cmake", "--build", arguments.build, "--target", PROGRAM)
    measure = (lambda action: action()) if arguments.no_wait else undisturbed
    rhumb = arguments.rhumb or arguments.build / "bin" / "rhumb"

    report = json.loads(measure(lambda: run(arguments.build / "bin" / PROGRAM, arguments.model, arguments.queries)))
    cold = measure(lambda: time_cold(rhumb, arguments.model, report["query"], arguments.cold))
    report["cold"] = {"processes": len(cold), "median_ms": statistics.median(cold), "max_ms": max(cold)}
    if arguments.json:
        print(json.dumps(report, indent=2))
        return
    single, batch, infeasible = report["single"], report["batch"], report["infeasible"]
    for name, milliseconds in (
        ("load", report["load_ms"]),
        ("first query", report["first"]["median_ms"]),
        (f"one of {single['queries']} queries, median", single["median_ms"]),
        ("  p99", single["p99_ms"]),
        (f"batch of {batch['queries']} over {batch['threads']} threads", batch["ms"]),
        (f"one of {infeasible['queries']} infeasible ones, median", infeasible["median_ms"]),
        ("  p99", infeasible["p99_ms"]),
        (f"cold `rhumb steer`, median of {len(cold)}", report["cold"]["median_ms"]),
        ("  slowest", report["cold"]["max_ms"]),
    ):
        print(f"{name:44}{milliseconds:10.2f} ms")
    for name in ("single", "infeasible"):
        print(f"{name}: {', '.join(f'{count} {status}' for status, count in report[name]['statuses'].items())}")


if __name__ == "__main__":
    main()
