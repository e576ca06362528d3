#!/usr/bin/env python3
"""Vector environments of Python: steps per second of 16 robots on 2 threads, all through step() of
Gymnasium's interface, beside the native batch without Python.

    python3 benchmarks/envs/vector.py

It needs the package in build/release/python (tools/setup tests). The contenders take turns in separate
processes, so a machine that slows down slows all. They live in a venv that is made here.
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

VENV = pathlib.Path(os.environ.get("PEER_VENV", ROOT / "build/benchmarks/vector-venv"))
REQUIREMENTS = ("envpool==1.2.5", "gymnasium==1.4.0", "imageio", "mo-gymnasium==1.3.2", "mujoco-core==4.0.1")
ROBOTS = {"mo-halfcheetah-v5": "HalfCheetah-v5", "mo-ant-v5": "Ant-v5"}
COUNT, THREADS = 16, 2


def make(contender, robot):
    if contender == "rhumb":
        sys.path.insert(0, str(ROOT / "build/release/python"))
        import gymnasium
        import rhumb  # noqa: F401

        return gymnasium.make_vec(f"rhumb/{robot}", num_envs=COUNT, threads=THREADS)
    if contender == "envpool":
        import envpool

        return envpool.make_gymnasium(ROBOTS[robot], num_envs=COUNT, num_threads=THREADS, seed=0)
    import mo_gymnasium
    from mo_gymnasium.wrappers.vector import wrappers

    makers = [lambda: mo_gymnasium.make(robot)] * COUNT
    if contender == "mo-sync":
        return wrappers.MOSyncVectorEnv(makers)
    # Gymnasium 1.4.0 gives a worker one more argument (how many may run at once, here all) than MO-Gymnasium
    # 1.3.2 takes, so its environments do not start by themselves.
    worker = wrappers._mo_async_worker
    wrappers._mo_async_worker = lambda *arguments: worker(*arguments[:7])
    return wrappers.MOAsyncVectorEnv(makers)


def measure_here(contender, robot, seconds):
    import numpy as np

    env = make(contender, robot)
    env.reset()
    shape = (64, COUNT, (env.single_action_space if contender != "envpool" else env.action_space).shape[-1])
    actions = np.random.default_rng(0).uniform(-1, 1, shape).astype(np.float32)
    for duration in (seconds / 4, seconds):
        steps, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < duration:
            for one in actions[:16]:
                env.step(one)
            steps += 16 * COUNT
        speed = steps / (time.perf_counter() - begin)
    print(speed, flush=True)
    if contender == "mo-async":
        env.close(terminate=True)
    os._exit(0)  # EnvPool's threads may not end


def measure_batch(robot, seconds):
    """The native batch by `rhumb envs bench`."""
    binary = os.environ.get("RHUMB_BIN", ROOT / "build/release/bin/rhumb")
    command = [binary, "envs", "bench", "--json", "--envs", robot, "--threads", str(THREADS)]
    command += ["--set", f"environments={COUNT}", "--set", f"seconds={seconds}", "--set", "rounds=1"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)["envs"][0]["rhumb_steps_per_s"]


def measure(python, contender, robot, seconds):
    if contender == "batch":
        return measure_batch(robot, seconds)
    # -P keeps this folder off the module path, where envpool.py would pass for the package.
    command = [python, "-P", __file__, "--measure", contender, robot, str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of one turn (2)")
    parser.add_argument("--alternations", type=int, default=5, help="turns of each contender (5)")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        contender, robot, seconds = arguments.measure
        measure_here(contender, robot, float(seconds))
    python = VENV / "bin/python" if "PEER_VENV" in os.environ else peer_venv.ensure(VENV, REQUIREMENTS)

    contenders = ("rhumb", "batch", "mo-sync", "mo-async", "envpool")
    print(f"{'robot':20}{'contender':12}{'steps/s':>10}{'rhumb is':>10}")
    for robot in ROBOTS:
        turns = [
            {one: measure(python, one, robot, arguments.seconds) for one in contenders}
            for _ in range(arguments.alternations)
        ]
        for one in contenders:
            speed = statistics.median(turn[one] for turn in turns)
            ratio = statistics.median(turn["rhumb"] / turn[one] for turn in turns)
            print(f"{robot:20}{one:12}{speed:10.0f}{ratio:9.2f}x", flush=True)


if __name__ == "__main__":
    main()
