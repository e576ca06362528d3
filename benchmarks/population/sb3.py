"""PPO of stable-baselines3 on HalfCheetah with the paper's settings, timed.

Run by compare.py in the venv that ensure_venv makes:

    python sb3.py THREADS ITERATIONS    waits for a line on stdin, then prints seconds per iteration
"""

import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import peer_venv

VENV = ROOT / "build" / "benchmarks" / "sb3-venv"
REQUIREMENTS = (
    "stable-baselines3==2.9.2",
    "torch==2.11.0",
    "gymnasium==1.4.0",
    "mujoco==4.0.0",
    "imageio==2.38.1",
    "packaging==26.3",
    "numpy==2.4.6",
)
ENVIRONMENTS, STEPS, EPOCHS, MINIBATCHES = 16, 1024, 10, 8


def ensure_venv():
    """Python of the venv with stable-baselines3."""
    return peer_venv.ensure(VENV, REQUIREMENTS)


def make_model(threads):
    import gymnasium
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(threads)
    network = {"pi": [256, 256], "vf": [256, 256]}
    return PPO(
        "MlpPolicy",
        DummyVecEnv([lambda: gymnasium.make("HalfCheetah-v5")] * ENVIRONMENTS),
        n_steps=STEPS,
        batch_size=ENVIRONMENTS * STEPS // MINIBATCHES,
        n_epochs=EPOCHS,
        policy_kwargs={"net_arch": network, "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=0,
    )


def main():
    threads, iterations = int(sys.argv[1]), int(sys.argv[2])
    model = make_model(threads)
    model.learn(ENVIRONMENTS * STEPS)  # warm up
    print("ready", flush=True)
    sys.stdin.readline()
    start = time.perf_counter()
    model.learn(iterations * ENVIRONMENTS * STEPS)
    print((time.perf_counter() - start) / iterations, flush=True)


if __name__ == "__main__":
    main()
