#!/usr/bin/env python3
"""Training a population on two cores, beside stable-baselines3 and beside what no program can beat.

    python3 benchmarks/population/compare.py [--rounds 3] [--json]

The contenders take turns on the same machine; the table has the median of each. README.md says
what is compared, and how.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import sb3

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from undisturbed import run, undisturbed

BUILD = ROOT / "build" / "release"
THREADS = 2
AGENTS = 4
ROWS = sb3.ENVIRONMENTS * sb3.STEPS


def measure_ours(binary, activation, iterations):
    """Seconds per policy-iteration of `rhumb population train`."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "population"
        settings = (f"count={AGENTS}", f"iterations={iterations}", f"ppo.activation={activation}")
        command = [binary, "population", "train", "--env", "mo-halfcheetah-v5", "--out", out]
        command += ["--threads", THREADS, "--json"]
        for setting in settings:
            command += ["--set", setting]
        run(*command, stderr=subprocess.DEVNULL)
        manifest = json.loads((out / "manifest.json").read_text())
        return manifest["wall_seconds"] / (AGENTS * iterations)


def measure_theirs(python, processes, threads, iterations):
    """Seconds per policy-iteration of stable-baselines3, so many processes side by side."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    command = [python, sb3.__file__, str(threads), str(iterations)]
    # MuJoCo warns of a deprecated attribute of the model, once per environment.
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    running = [
        subprocess.Popen(command, text=True, env=environment, **options) for _ in range(processes)
    ]
    for process in running:
        if process.stdout.readline() != "ready\n":
            raise SystemExit(f"stable-baselines3 did not start; see: {' '.join(map(str, command))}")
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    return statistics.mean(float(process.communicate()[0]) for process in running) / processes


def measure_simulation(build):
    """Seconds that the bare simulator needs for the steps of an iteration."""
    options = ["--threads", THREADS, "--seconds", 2, "--rounds", 3, "--json"]
    command = [build / "bin" / "bench_stepping", "--envs", "mo-halfcheetah-v5", *options]
    document = json.loads(run(*command, stderr=subprocess.DEVNULL))
    (row,) = (row for row in document["envs"] if row["threads"] == THREADS)
    return ROWS / row["bare_steps_per_s"]


def measure_products(build):
    """Seconds that the bare matrix products of an iteration need."""
    return json.loads(run(build / "bin" / "bench_bare_gemm", stderr=subprocess.DEVNULL))["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="turns of each contender (3)")
    parser.add_argument("--iterations", type=int, default=6, help="per agent and turn (6)")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="where to build products")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    arguments = parser.parse_args()
    binary = os.environ.get("RHUMB_BIN", str(BUILD / "bin" / "rhumb"))
    if not os.access(binary, os.X_OK):
        raise SystemExit(f"no rhumb at {binary}: tools/setup learn builds it, or set RHUMB_BIN")
    run("cmake", "--build", arguments.build, "--target", "bench_bare_gemm", "bench_stepping")
    python = sb3.ensure_venv()

    count = arguments.iterations
    contenders = {
        "rhumb, relu": lambda: measure_ours(binary, "relu", count),
        "sb3, 1 process x 2 threads": lambda: measure_theirs(python, 1, 2, count),
        "rhumb, elu": lambda: measure_ours(binary, "elu", count),
        "sb3, 2 processes x 1 thread": lambda: measure_theirs(python, 2, 1, count),
        "limit: bare simulation": lambda: measure_simulation(arguments.build),
        "limit: bare products": lambda: measure_products(arguments.build),
    }
    turns = {name: [] for name in contenders}
    for turn in range(arguments.rounds):
        for name, measure in contenders.items():
            turns[name].append(undisturbed(measure))
            print(f"turn {turn + 1}: {name:29}{turns[name][-1]:7.3f} s", file=sys.stderr)
    seconds = {name: statistics.median(values) for name, values in turns.items()}
    limit = seconds["limit: bare simulation"] + seconds["limit: bare products"]
    seconds["limit"] = limit
    ratios = {
        f"{name} / rhumb, relu": seconds[name] / seconds["rhumb, relu"]
        for name in (*(name for name in seconds if name.startswith("sb3")), "limit")
    }
    ratios["limit / rhumb, elu"] = limit / seconds["rhumb, elu"]
    if arguments.json:
        document = {"seconds_per_policy_iteration": seconds, "turns": turns, "ratios": ratios}
        print(json.dumps(document, indent=2))
        return
    for title, rows in (("seconds per policy-iteration", seconds), ("ratios", ratios)):
        print(title)
        for name, value in rows.items():
            print(f"  {name:44}{value:7.3f}")


if __name__ == "__main__":
    main()
