"""An algorithm of morl-baselines, PGMORL, on a robot of Rhumb. Nothing of it is changed: it gets a name.

    pip install '.[gymnasium]' morl-baselines==1.3.0
    python examples/python/pgmorl_front.py front            # two minutes: six agents, few steps

It makes its environments by mo_gymnasium.make(name), wraps them in MO-Gymnasium's wrappers (normalised
and clipped rewards per objective, statistics of episodes, MOSyncVectorEnv), and films the first one.
"""

import os
import pathlib
import sys

import numpy as np
from morl_baselines.common.performance_indicators import hypervolume
from morl_baselines.multi_policy.pgmorl.pgmorl import PGMORL
from morl_baselines.single_policy.ser.mo_ppo import make_env

import rhumb  # noqa: F401  registers the robots

NAME = "rhumb/mo-halfcheetah-v5"
REFERENCE = np.array([-100.0, -100.0])
WARMUP, GENERATIONS, STEPS, ROBOTS, AGENTS = 4, 2, 256, 4, 6


def main(folder):
    folder.mkdir(exist_ok=True)
    os.chdir(folder)  # it films into ./videos
    algorithm = PGMORL(
        env_id=NAME,
        origin=np.array([-100.0, -100.0]),
        num_envs=ROBOTS,
        pop_size=AGENTS,
        warmup_iterations=WARMUP,
        evolutionary_iterations=GENERATIONS,
        steps_per_iteration=STEPS,
        num_minibatches=8,
        log=False,
        seed=1,
        device="cpu",
    )
    algorithm.train(
        total_timesteps=STEPS * ROBOTS * AGENTS * (WARMUP + GENERATIONS),
        eval_env=make_env(NAME, 42, 1, "evaluation", gamma=0.995)(),
        ref_point=REFERENCE,
    )
    front = np.array(algorithm.archive.evaluations)
    print(f"{algorithm.global_step} steps; discounted returns on the front:")
    for point in front[np.argsort(front[:, 0])]:
        print(f"  {point[0]:8.1f} {point[1]:8.1f}")
    print(f"hypervolume from {REFERENCE.tolist()}: {hypervolume(REFERENCE, list(front)):.0f}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
