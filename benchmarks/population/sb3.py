"""PPO of stable-baselines3 on HalfCheetah with the paper's settings, timed.

Run by compare.py in the venv that ensure_venv makes:

    python sb3.py THREADS ITERATIONS    waits for a line on stdin, then prints seconds per iteration
"""

import pathlib
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
    python = VENV / "bin" / "python"
    finished = VENV / "requirements.txt"  # written last, so that a broken install is made again
    wanted = "\n".join(REQUIREMENTS) + "\n"
    if not finished.exists() or finished.read_text() != wanted:
        print(f"installing {', '.join(REQUIREMENTS)} into {VENV}", file=sys.stderr)
        venv.create(VENV, clear=True, with_pip=True)
        command = [python, "-m", "pip", "install", "--quiet", *REQUIREMENTS]
        subprocess.run(command, check=True)
        finished.write_text(wanted)
    return python


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
