"""Writes tests/python/fixtures: policies as Stable-Baselines3 and RSL-RL save them, with the actions that
they give. tools/make_cleanrl_fixture.py writes that of CleanRL. Run it in a Python that has them (gigabytes,
so they are not test dependencies):

    pip install torch==2.11.0 stable-baselines3==2.9.2 rsl-rl-lib==5.5.1 mo-gymnasium==1.3.2 "gymnasium[mujoco]==1.4.0"
    python tools/make_policy_fixtures.py tests/python/fixtures

The networks are tiny, so that the files are small.
"""

import pathlib
import sys
import tempfile
import zipfile

import gymnasium
import numpy as np
import torch
from rsl_rl.runners import OnPolicyRunner
from stable_baselines3 import A2C, PPO, SAC
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize
from tensordict import TensorDict

ROBOT = "Hopper-v5"
OUT = pathlib.Path(sys.argv[1])


def observations(rows=16):
    return np.random.default_rng(3).normal(0, 1.5, (rows, 11))


def save(name, model, normalise=None, acts=True):
    """The zip without the optimiser's state, which nobody reads, and the actions that predict gives."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.zip"
        model.save(file, exclude=["policy.optimizer"])
        with zipfile.ZipFile(file) as whole, zipfile.ZipFile(OUT / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as small:
            for member in whole.namelist():
                if "optimizer" not in member:
                    small.writestr(member, whole.read(member))
    if acts:
        seen = observations()
        given = normalise(seen) if normalise else seen
        np.savez(OUT / f"{name}.npz", observations=seen, actions=model.predict(given, deterministic=True)[0])


def stable_baselines():
    torch.manual_seed(0)
    env = VecNormalize(DummyVecEnv([lambda: gymnasium.make(ROBOT)]), norm_reward=False)
    model = PPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, policy_kwargs={"net_arch": [8, 8]})
    model.learn(256)
    env.training = False
    env.save(OUT / "sb3_ppo_normalize.pkl")
    save("sb3_ppo", model, env.normalize_obs)
    kwargs = {"net_arch": [8], "activation_fn": torch.nn.ReLU}
    save("sb3_a2c_relu", A2C("MlpPolicy", gymnasium.make(ROBOT), seed=2, policy_kwargs=kwargs).learn(64))
    sac = SAC("MlpPolicy", gymnasium.make(ROBOT), buffer_size=100, policy_kwargs={"net_arch": [4]}, seed=1)
    save("sb3_sac", sac, acts=False)
    tiny = {"policy_kwargs": {"net_arch": [4]}, "seed": 1}
    save("sb3_gsde", PPO("MlpPolicy", gymnasium.make(ROBOT), use_sde=True, **tiny), acts=False)
    save("sb3_discrete", PPO("MlpPolicy", gymnasium.make("CartPole-v1"), **tiny), acts=False)


class RslEnv:
    """Random observations of Hopper's size: RSL-RL writes the file, nothing is learned."""

    num_envs, num_actions, max_episode_length, device, cfg = 4, 3, 100, "cpu", {}

    def __init__(self):
        self.episode_length_buf = torch.zeros(4, dtype=torch.long)

    def get_observations(self):
        return TensorDict({"policy": torch.randn(4, 11)}, batch_size=[4])

    def step(self, actions):
        return self.get_observations(), -actions.square().sum(1), torch.zeros(4, dtype=torch.long), {}


def rsl_rl():
    torch.manual_seed(2)
    network = {"class_name": "MLPModel", "hidden_dims": [8, 8], "activation": "elu", "obs_normalization": True}
    gaussian = {"class_name": "GaussianDistribution", "init_std": 0.7, "std_type": "scalar"}
    config = {
        "num_steps_per_env": 8,
        "save_interval": 100,
        "obs_groups": {"actor": ["policy"], "critic": ["policy"]},
        "actor": {**network, "distribution_cfg": gaussian},
        "critic": dict(network),
        "algorithm": {"class_name": "PPO", "num_mini_batches": 1},
        "multi_gpu": None,
    }
    runner = OnPolicyRunner(RslEnv(), config)
    runner.learn(2)
    runner.save(str(OUT / "rsl_rl_model_2.pt"))
    seen = observations()
    policy = runner.get_inference_policy()
    given = TensorDict({"policy": torch.tensor(seen, dtype=torch.float32)}, batch_size=[len(seen)])
    with torch.no_grad():
        np.savez(OUT / "rsl_rl.npz", observations=seen, actions=policy(given).numpy())


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    stable_baselines()
    rsl_rl()
