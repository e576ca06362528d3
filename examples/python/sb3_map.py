"""Eight policies of Stable-Baselines3 become a map of HalfCheetah.

    pip install '.[gymnasium]' stable-baselines3
    python examples/python/sb3_map.py train cheetah     # minutes: PPO for eight weightings of two rewards
    RHUMB_BIN=./run python examples/python/sb3_map.py map cheetah
    python examples/python/sb3_map.py check cheetah     # actions equal those of predict

`train` uses the environment of this package as any other of Gymnasium, with a wrapper that weighs its
rewards. `map` needs no PyTorch for Python: the zip files become a population, and the program of a clone
collects, learns and grounds.
"""

import pathlib
import sys

import gymnasium
import numpy as np

import rhumb

ENV = "mo-halfcheetah-v5"
WEIGHTS = np.array([[1 - t, t] for t in np.linspace(0.05, 0.75, 8)])
STEPS, CHECKPOINTS = 212_992, 8


class Weighted(gymnasium.RewardWrapper):
    def __init__(self, env, weights):
        super().__init__(env)
        self.weights = weights

    def reward(self, rewards):
        return float(self.weights @ rewards)


def train(folder):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    torch.set_num_threads(1)
    for agent, weights in enumerate(WEIGHTS):
        make = lambda weights=weights: Weighted(gymnasium.make(f"rhumb/{ENV}"), weights)  # noqa: E731
        env = VecNormalize(DummyVecEnv([make] * 16))
        model = PPO("MlpPolicy", env, n_steps=128, batch_size=256, n_epochs=10, seed=agent, learning_rate=5e-4,
                    policy_kwargs={"log_std_init": -0.5})
        for checkpoint in range(CHECKPOINTS):
            model.learn(STEPS // CHECKPOINTS, reset_num_timesteps=False)
            model.save(folder / f"agent{agent}_{checkpoint}.zip")
            # The normaliser moves on while training does, so every checkpoint keeps its own.
            env.save(folder / f"agent{agent}_{checkpoint}.pkl")
        print(f"agent {agent}: {model.num_timesteps} steps", flush=True)


def check(folder):
    """The population acts as Stable-Baselines3's own predict."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    from rhumb import _core

    seen = np.random.default_rng(1).normal(0, 1, (256, 17))
    worst = 0.0
    for agent in range(len(WEIGHTS)):
        for checkpoint in range(CHECKPOINTS):
            model = PPO.load(folder / f"agent{agent}_{checkpoint}.zip", device="cpu")
            env = VecNormalize.load(str(folder / f"agent{agent}_{checkpoint}.pkl"), DummyVecEnv([lambda: gymnasium.make(f"rhumb/{ENV}")]))
            theirs = model.predict(env.normalize_obs(seen), deterministic=True)[0]
            ours = _core.read_policy(str(folder / "cheetah.population"), agent, checkpoint + 1).means(seen)
            worst = max(worst, np.abs(np.clip(ours, -1, 1) - theirs).max())
    print(f"largest difference of actions to predict: {worst:.1e}")


def make_map(folder):
    """Every stage writes a folder, and a folder that is there is not made again."""
    population, data, model, grounded = (
        folder / name for name in ("cheetah.population", "cheetah-v0", "cheetah.model", "cheetah.grounded")
    )
    if not population.exists():
        files = [[folder / f"agent{agent}_{c}.zip" for c in range(CHECKPOINTS)] for agent in range(len(WEIGHTS))]
        normalisers = [[file.with_suffix(".pkl") for file in agent] for agent in files]
        rhumb.population.from_sb3(files, normaliser=normalisers, env=ENV, weights=WEIGHTS, out=population)
    if not data.exists():
        rhumb.run("dataset", "collect", population, "--out", data, "--set", "selection.skip_iterations=0",
                  "--set", "selection.every=1", "--keep-unstable")
    if not model.exists():
        # Small, because the policies are: 64 wide, and 64 of them.
        small = {"hidden": 96, "epochs": 100, "dagger.steps": 1000}
        rhumb.train(data, model, population=population, settings=small)
    if not grounded.exists():
        rhumb.run("model", "ground", model, "--out", grounded, "--modes", "sampled", "--set", "codes=1000")
    # Tasks ask for what training policies did, and are steered (default) or looked up among what was tried.
    rhumb.run("evaluate", "synthesis", grounded, "--set", "tasks.count=100", "--set", 'methods=["default", "lookup"]')


if __name__ == "__main__":
    stage, place = sys.argv[1], pathlib.Path(sys.argv[2])
    place.mkdir(exist_ok=True)
    {"train": train, "check": check, "map": make_map}[stage](place)
