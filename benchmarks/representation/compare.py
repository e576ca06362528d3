#!/usr/bin/env python3
"""A step of representation learning on two cores, beside eager PyTorch and beside its bare products.

    python3 benchmarks/representation/compare.py [--rounds 3] [--json]

The contenders take turns on the same machine; the table has the median of each. README.md says
what is compared, and how.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
EAGER = pathlib.Path(__file__).with_name("eager.py")
sys.path += [str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "population")]

import sb3
from undisturbed import run, undisturbed

THREADS = 2
PROGRAMS = ("bench_representation_step", "bench_bare_gemm_step")


def measure(*command):
    """The JSON that a program writes."""
    return json.loads(run(*command, stderr=subprocess.DEVNULL))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="turns of each contender (3)")
    parser.add_argument("--steps", type=int, default=50, help="per turn, a multiple of 10 (50)")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="where to build programs")
    parser.add_argument("--python", help="one that has torch 2.11, instead of a venv made for it")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    arguments = parser.parse_args()
    run("cmake", "--build", arguments.build, "--target", *PROGRAMS)
    python = arguments.python or sb3.ensure_venv()
    ours, products = (arguments.build / "bin" / program for program in PROGRAMS)

    steps = arguments.steps
    contenders = {
        "rhumb": lambda: measure(ours, steps // 10, THREADS),
        "eager PyTorch": lambda: measure(python, EAGER, THREADS, steps),
        "limit: bare products": lambda: measure(products),
    }
    turns = {name: [] for name in contenders}
    for turn in range(arguments.rounds):
        for name, contender in contenders.items():
            turns[name].append(undisturbed(contender))
            print(f"turn {turn + 1}: {name:21}{turns[name][-1]['ms_per_step']:8.1f} ms", file=sys.stderr)
    if turns["rhumb"][0]["parameters"] != turns["eager PyTorch"][0]["parameters"]:
        raise SystemExit("the two models have different numbers of parameters")
    times = {name: statistics.median(row["ms_per_step"] for row in rows) for name, rows in turns.items()}
    ratios = {
        "eager PyTorch / rhumb": times["eager PyTorch"] / times["rhumb"],
        "limit / rhumb": times["limit: bare products"] / times["rhumb"],
        "limit / eager PyTorch": times["limit: bare products"] / times["eager PyTorch"],
    }
    if arguments.json:
        print(json.dumps({"ms_per_step": times, "turns": turns, "ratios": ratios}, indent=2))
        return
    for title, rows in (("ms per step", times), ("ratios", ratios)):
        print(title)
        for name, value in rows.items():
            print(f"  {name:28}{value:9.3f}")


if __name__ == "__main__":
    main()
