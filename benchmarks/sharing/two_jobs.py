#!/usr/bin/env python3
"""Two jobs at once against one alone, each with as many threads as there are cores.

    python3 benchmarks/sharing/two_jobs.py [--rounds 3] [--stages population,model,ground] [--json]

Turns of one job and of two alternate; the table has the median of each. Jobs that give way to each
other take twice as long together, and no more CPU time. README.md says what is measured.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 2.5

POPULATION = {"count": 4, "iterations": 40, "ppo.environments": 8, "ppo.steps": 128, "ppo.hidden": "32"}
DATASET = {"selection.skip_iterations": 0, "selection.keep_unstable": "true", "steps_per_policy": 300}
MODEL = {"epochs": 40, "hidden": 32, "dagger.rounds": 1, "dagger.steps": 100, "dagger.episodes": 2}
GROUNDING = {"codes": 500, "episodes": 4}


def settings(values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def commands(threads):
    """{stage: (words without the output, its output)}; a stage reads the outputs before it."""
    common = ["--seed", "1", "--threads", str(threads)]
    return {
        "population": (["population", "train", "--env", "point-v0", "--rewards", "two", *common, *settings(POPULATION)], "p"),
        "dataset": (["dataset", "collect", "p", *common, *settings(DATASET)], "d-v0"),
        "model": (["model", "train", "--data", "d-v0", "--population", "p", *common, *settings(MODEL)], "m"),
        "ground": (["model", "ground", "m", *common, *settings(GROUNDING)], "g"),
    }  # fmt: skip


def run(rhumb, folder, words, outputs):
    """(wall seconds, CPU seconds) of as many jobs at once as there are outputs."""
    before, start = os.times(), time.perf_counter()
    jobs = [
        subprocess.Popen(
            [rhumb, *words, "--out", name], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "RHUMB_PYTHON": "/nonexistent"},
        )
        for name in outputs
    ]  # fmt: skip
    for job in jobs:
        said = job.communicate()[1]
        if job.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: exit {job.returncode}: {said}")
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stages", default="population,model,ground")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rhumb", default=ROOT / "build" / "release" / "bin" / "rhumb")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rhumb = pathlib.Path(arguments.rhumb).resolve()
    chosen = arguments.stages.split(",")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for stage, (words, output) in commands(arguments.threads).items():
            run(rhumb, folder, words, [output])
            if stage not in chosen:
                continue
            alone, together = [], []
            for turn in range(arguments.rounds):
                alone.append(run(rhumb, folder, words, [f"{output}{turn}a"]))
                together.append(run(rhumb, folder, words, [f"{output}{turn}b", f"{output}{turn}c"]))
            wall, cpu = (statistics.median(seconds) for seconds in zip(*alone))
            both_wall, both_cpu = (statistics.median(seconds) for seconds in zip(*together))
            slower = statistics.median(b[0] / a[0] for a, b in zip(alone, together))
            rows.append({"stage": stage, "one_s": wall, "two_s": both_wall, "slower": slower,
                         "one_cpu_s": cpu, "two_cpu_s": both_cpu, "cpu": both_cpu / (2 * cpu)})  # fmt: skip
    if arguments.json:
        print(json.dumps(rows))
    else:
        print(f"{'stage':<11} {'one, s':>8} {'two, s':>8} {'ratio':>6} {'CPU of one':>11} {'CPU of two':>11} {'CPU ratio':>10}")
        for row in rows:
            print(f"{row['stage']:<11} {row['one_s']:>8.2f} {row['two_s']:>8.2f} {row['slower']:>6.2f} "
                  f"{row['one_cpu_s']:>11.2f} {row['two_cpu_s']:>11.2f} {row['cpu']:>10.2f}")  # fmt: skip
    return 0 if all(row["slower"] <= LIMIT for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
