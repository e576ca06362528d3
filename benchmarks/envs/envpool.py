#!/usr/bin/env python3
"""Stepping speed beside EnvPool: 16 environments in lock step, random actions, 1 and 2 threads.

    RHUMB_BIN=build/release/bin/rhumb python3 benchmarks/envs/envpool.py

Ours and theirs take turns on the same machine, in separate processes; the table has the median of
each and their ratio. EnvPool lives in a venv of its own, made here when it is missing.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import peer_venv

VENV = ROOT / "build" / "benchmarks" / "envpool-venv"
REQUIREMENTS = ("envpool==1.2.5", "numpy==2.4.6", "gymnasium==1.4.0")

# Our id, and EnvPool's of the same robot and version; it has one objective, the work is the same.
ENVIRONMENTS = {
    "mo-halfcheetah-v5": "HalfCheetah-v5",
    "mo-hopper-v5": "Hopper-v5",
    "mo-walker2d-v5": "Walker2d-v5",
    "mo-ant-v5": "Ant-v5",
    "mo-humanoid-v5": "Humanoid-v5",
}
THREADS = (1, 2)
BATCH = 16


def measure_here(task, threads, seconds):
    """Steps per second of EnvPool in this process, which must run in its venv."""
    import envpool
    import numpy as np

    pool = envpool.make_gymnasium(task, num_envs=BATCH, num_threads=threads, seed=0)
    rng = np.random.default_rng(0)
    space = pool.action_space
    # Drawn beforehand: the time is EnvPool's, not that of the random numbers.
    actions = rng.uniform(space.low, space.high, (64, BATCH, *space.shape)).astype(space.dtype)
    pool.reset()
    # The compiled calls under step(), with the arguments that it gives them (env_id,
    # players.env_id, action), but without its Python: our side runs none either.
    ids = np.arange(BATCH, dtype=np.int32)
    elapsed_step = pool._state_keys.index("elapsed_step")

    def run_for(duration):
        elapsed_steps = []
        start = time.perf_counter()
        while (elapsed := time.perf_counter() - start) < duration:
            for batch in actions:
                pool._send((ids, ids, batch))
                elapsed_steps.append(pool._recv()[elapsed_step])
        # EnvPool spends the step after an episode's end on the reset: nothing is simulated then.
        return np.count_nonzero(np.array(elapsed_steps)) / elapsed

    run_for(0.25)  # warm up
    return run_for(seconds)


def measure_theirs(python, task, threads, seconds):
    # -I keeps this folder off the module path, where this file would pass for the package.
    command = [python, "-I", __file__, "--measure", task, str(threads), str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def measure_ours(binary, env_id, seconds):
    """Steps per second of `rhumb envs bench`, by number of threads."""
    command = [binary, "envs", "bench", "--json", "--envs", env_id]
    command += ["--threads", ",".join(map(str, THREADS))]
    for setting in (f"environments={BATCH}", f"seconds={seconds}", "rounds=1"):
        command += ["--set", setting]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    rows = json.loads(done.stdout)["envs"]
    return {row["threads"]: row["rhumb_steps_per_s"] for row in rows if row["id"] == env_id}


def compare(binary, python, env_id, task, seconds, alternations):
    """One row per number of threads."""
    ours = {threads: [] for threads in THREADS}
    theirs = {threads: [] for threads in THREADS}
    for _ in range(alternations):
        for threads, speed in measure_ours(binary, env_id, seconds).items():
            ours[threads].append(speed)
        for threads in THREADS:
            theirs[threads].append(measure_theirs(python, task, threads, seconds))
    for threads in THREADS:
        rhumb = statistics.median(ours[threads])
        envpool = statistics.median(theirs[threads])
        yield {
            "id": env_id,
            "envpool_id": task,
            "threads": threads,
            "environments": BATCH,
            "rhumb_steps_per_s": rhumb,
            "envpool_steps_per_s": envpool,
            "ratio": rhumb / envpool,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of one turn at one cell (2)")
    parser.add_argument("--alternations", type=int, default=3, help="turns of each side (3)")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        task, threads, seconds = arguments.measure
        print(measure_here(task, int(threads), float(seconds)))
        return

    binary = os.environ.get("RHUMB_BIN", str(ROOT / "build" / "release" / "bin" / "rhumb"))
    if not os.access(binary, os.X_OK):
        raise SystemExit(f"no rhumb at {binary}: build it, or set RHUMB_BIN")
    python = peer_venv.ensure(VENV, REQUIREMENTS)

    rows = []
    if not arguments.json:
        print(f"{'environment':20}{'threads':>8}{'rhumb /s':>12}{'EnvPool /s':>12}{'ratio':>8}")
    for env_id, task in ENVIRONMENTS.items():
        turns = compare(binary, python, env_id, task, arguments.seconds, arguments.alternations)
        for row in turns:
            rows.append(row)
            if not arguments.json:
                print(
                    f"{env_id:20}{row['threads']:8}{row['rhumb_steps_per_s']:12.0f}"
                    f"{row['envpool_steps_per_s']:12.0f}{row['ratio']:8.2f}",
                    flush=True,
                )
    if arguments.json:
        print(json.dumps({"envs": rows}, indent=2))


if __name__ == "__main__":
    main()
