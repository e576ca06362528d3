"""LunarLander, from policies of Stable-Baselines3 to a steered one, in Gymnasium's own environment.

    pip install '.[gymnasium,minari]' 'gymnasium[box2d]' stable-baselines3 mo-gymnasium
    python examples/python/lunar_lander.py train lander      # minutes: PPO for four weightings
    python examples/python/lunar_lander.py map lander        # record, learn the map, ground it
    python examples/python/lunar_lander.py steer lander      # asked / predicted / realised

Rhumb does not simulate this robot. The map is learned from recorded episodes, and grounded through the
environment below. Only `train` and `map` need Stable-Baselines3.

Two objectives: `landing`, the usual reward without the cost of fuel, and `fuel`, minus the engines' power.
"""

import pathlib
import sys

import gymnasium
import numpy as np

WEIGHTS = ((1.0, 0.0), (1.0, 0.3), (1.0, 1.0), (1.0, 3.0))
STEPS, CHECKPOINTS = 60_000, 6


class TwoObjectives(gymnasium.Wrapper):
    """mo-lunar-lander-continuous-v3 has four rewards; ours are the sums of two."""

    def __init__(self):
        import mo_gymnasium

        super().__init__(mo_gymnasium.make("mo-lunar-lander-continuous-v3", max_episode_steps=400))
        self.reward_space = gymnasium.spaces.Box(-np.inf, np.inf, (2,), np.float32)

    def step(self, action):
        observation, rewards, terminated, truncated, info = self.env.step(action)
        landing, shaping, main, side = rewards
        vector = np.array([landing + shaping, main + side], np.float32)
        return observation, vector, terminated, truncated, info


class Weighted(TwoObjectives):
    def __init__(self, weights):
        super().__init__()
        self.weights = np.array(weights)

    def step(self, action):
        observation, rewards, *rest = super().step(action)
        return observation, float(self.weights @ rewards), *rest


def train(folder):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    for agent, weights in enumerate(WEIGHTS):
        env = DummyVecEnv([lambda weights=weights: Weighted(weights)] * 8)
        model = PPO("MlpPolicy", env, n_steps=256, batch_size=256, n_epochs=8, gamma=0.99, seed=agent, ent_coef=0.005,
                    learning_rate=1e-3, gae_lambda=0.98)
        for checkpoint in range(CHECKPOINTS):
            model.learn(STEPS // CHECKPOINTS, reset_num_timesteps=False)
            model.save(folder / f"agent{agent}_{checkpoint}.zip")
            print(f"agent {agent}, checkpoint {checkpoint}: {model.num_timesteps} steps", flush=True)


def make_map(folder):
    import rhumb

    data = folder / "lander-v0"
    if not data.exists():
        from stable_baselines3 import PPO

        policies = []
        for file in sorted(folder.glob("agent*.zip")):
            model = PPO.load(file, device="cpu")
            policies.append(lambda seen, model=model: model.predict(seen)[0])
        rhumb.datasets.record(policies, TwoObjectives, data, objectives=("landing", "fuel"), episodes=12)
    # Small, because the data is: 288 episodes.
    small = {"epochs": 60, "batch": 32, "queries": 32, "hidden": 64, "code": 8, "context": 16}
    rhumb.train(data, folder / "lander.model", settings=small, threads=1)
    grounded = rhumb.ground(folder / "lander.model", TwoObjectives, out=folder / "lander.grounded", codes=120, episodes=4)
    print(grounded)


def steer(folder):
    """A table: asked, predicted with the interval for the mean of 4 episodes, and realised in 32 episodes."""
    import rhumb

    model = rhumb.load(folder / "lander.grounded")
    tried = model.rolled_out()[1]
    low, middle, high = (np.quantile(tried[:, 1], q) for q in (0.2, 0.5, 0.8))
    queries = [({"target": {"fuel": round(fuel)}}, f"fuel = {fuel:.0f}") for fuel in (low, middle, high)]
    for fuel in (low, middle, high):
        bound = f"fuel >= {fuel:.0f}"
        queries.append(({"maximise": "landing", "require": [bound], "confidence": 0.9}, f"most landing, {bound}"))
    print(f"{'asked':28}{'status':10}{'':10}{'predicted':>10}{'interval':>20}{'realised':>20}")
    for query, asked in queries:
        result = model.steer(**query)
        returns = rhumb.play(result.best.policy(), TwoObjectives, episodes=32, seed=1000)
        errors = returns.std(axis=0, ddof=1) / np.sqrt(len(returns))
        for k, name in enumerate(("landing", "fuel")):
            between = "{:.0f} … {:.0f}".format(*result.best.interval[name])
            realised = f"{returns[:, k].mean():.0f} ± {errors[k]:.0f}"
            first = f"{asked:28}{result.status:10}" if k == 0 else " " * 38
            print(f"{first}{name:10}{result.best.predicted[name]:10.0f}{between:>20}{realised:>20}")


if __name__ == "__main__":
    stage, place = sys.argv[1], pathlib.Path(sys.argv[2])
    place.mkdir(exist_ok=True)
    {"train": train, "map": make_map, "steer": steer}[stage](place)
