"""MO-Gymnasium as the oracle for the seven environments.

case (start state, actions) -> oracle step by step -> observations, reward vectors in double,
terminations, truncations. `rhumb envs replay` must give the same answer for the same case.

The oracle's own reward vector is rounded to float32, so the vectors are rebuilt in double from the
parts in its `info`. Every step checks the rebuilt vector against the rounded one.
"""

import dataclasses
import importlib.metadata
import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import mo_gymnasium
import mujoco
import numpy as np

ENVIRONMENTS = (
    "mo-halfcheetah-v5",
    "mo-hopper-v5",
    "mo-hopper-2obj-v5",
    "mo-walker2d-v5",
    "mo-ant-v5",
    "mo-ant-2obj-v5",
    "mo-humanoid-v5",
)
PRESETS = ("upstream", "paper")
TIME_LIMIT = 1000  # steps; a replay without resets cannot use Gymnasium's TimeLimit wrapper

# Position noise of a wide start, far beyond the reset noise (0.1 at most). The standard deviation
# of its velocities is large enough to reach Hopper's and Walker's clip at 10.
WIDE_POSITION = 0.3
WIDE_VELOCITY = 4.0

# Keeps MuJoCo from writing warnings (a deprecation in half_cheetah.xml) to a log file in the
# current folder. The relevant warnings are counted in mjData.
mujoco.set_mju_user_warning(lambda message: None)

# MuJoCo resets the state by itself after these warnings; Rhumb ends the episode instead. A case
# with such a warning compares nothing.
DIVERGENCE = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)


@dataclasses.dataclass
class Case:
    """A case to replay: a start state and T actions in environment units, [T, nu]."""

    env: str
    qpos: np.ndarray
    qvel: np.ndarray
    actions: np.ndarray

    def replay_document(self, preset):
        """The JSON document that `rhumb envs replay` reads."""
        return {
            "env": self.env,
            "rewards": preset,
            "qpos": self.qpos.tolist(),
            "qvel": self.qvel.tolist(),
            "actions": self.actions.tolist(),
        }


@dataclasses.dataclass
class Answer:
    """The oracle's answer: observations [T+1, n], rewards [T, K] by preset, flags [T]."""

    observations: np.ndarray
    rewards: dict
    terminated: list
    truncated: list


class Oracle:
    """One MO-Gymnasium environment, stepped without time limit and resets."""

    def __init__(self, env_id):
        self.env_id = env_id
        self.env = mo_gymnasium.make(env_id).unwrapped

    def case(self, seed, steps, wide=False, action_scale=1.0):
        """A random case; `wide` draws the start beyond the reset noise, `action_scale` above 1
        draws actions beyond the action range."""
        rng = np.random.default_rng(seed)
        env = self.env
        env.reset(seed=seed)
        qpos, qvel = env.data.qpos.copy(), env.data.qvel.copy()
        if wide:
            qpos = env.init_qpos + rng.uniform(-WIDE_POSITION, WIDE_POSITION, env.model.nq)
            qvel = env.init_qvel + WIDE_VELOCITY * rng.standard_normal(env.model.nv)
        low, high = env.model.actuator_ctrlrange.T * action_scale
        actions = rng.uniform(low, high, (steps, env.model.nu))
        return Case(self.env_id, qpos, qvel, actions)

    def answer(self, case):
        """Plays the case; raises if the simulation diverges."""
        env = self.env
        # Reset mjData: set_state alone would keep the last case's warm start and contacts.
        mujoco.mj_resetData(env.model, env.data)
        env.set_state(case.qpos, case.qvel)

        observations = [env._get_obs()]
        rewards = {preset: [] for preset in PRESETS}
        terminated = []
        for action in case.actions:
            observation, rounded, fell, _, info = env.step(action)
            observations.append(observation)
            terminated.append(bool(fell))
            terms = reward_terms(self.env_id, env, info)
            check_rounded(rounded, terms["upstream"])
            for preset in PRESETS:
                rewards[preset].append(terms[preset].sum(axis=1))

        if any(env.data.warning[kind].number for kind in DIVERGENCE):
            raise RuntimeError(f"{self.env_id}: the case diverges; choose a tamer start")
        truncated = [t + 1 >= TIME_LIMIT for t in range(len(case.actions))]
        rewards = {preset: np.array(vectors) for preset, vectors in rewards.items()}
        return Answer(np.array(observations), rewards, terminated, truncated)


def reward_terms(env_id, env, info):
    """Summands [K, terms] of the reward vector of the last step, in double, by preset."""
    x_velocity = info["x_velocity"]
    weighted_energy = info["reward_ctrl"]  # -w Σa²
    energy = weighted_energy / env._ctrl_cost_weight  # -Σa²

    if env_id == "mo-halfcheetah-v5":
        return same_in_both([x_velocity], [energy])
    if env_id == "mo-walker2d-v5":
        return same_in_both([x_velocity, env.healthy_reward], [energy, env.healthy_reward])
    if env_id == "mo-humanoid-v5":
        rest = [env.healthy_reward, info["reward_contact"]]
        return same_in_both([x_velocity, *rest], [energy, *rest])

    if env_id.startswith("mo-hopper"):
        rest = [info["reward_survive"]]
        height = info["z_distance_from_origin"]
        first, second, paper_second = x_velocity, 10 * height, height
    else:
        rest = [info["reward_survive"], info["reward_contact"]]
        first, second, paper_second = x_velocity, info["y_velocity"], info["y_velocity"]

    if "2obj" not in env_id:
        return same_in_both([first, *rest], [second, *rest], [energy, *rest])
    return {
        "upstream": np.array([[first, weighted_energy, *rest], [second, weighted_energy, *rest]]),
        "paper": np.array([[first, energy, *rest], [paper_second, energy, *rest]]),
    }


def same_in_both(*rows):
    """The same terms for both presets: the paper and upstream agree on this environment."""
    terms = np.array(rows)
    return dict.fromkeys(PRESETS, terms)


def check_rounded(rounded, terms):
    """Raises unless the oracle's float32 vector equals our sum up to one rounding per summand."""
    bound = terms.shape[1] * np.finfo(np.float32).eps * np.abs(terms).sum(axis=1)
    vector = terms.sum(axis=1)
    if not np.all(np.abs(rounded - vector) <= bound):
        raise RuntimeError(f"the oracle's reward {rounded} is not {vector}, rebuilt from info")


def versions():
    """Versions of the packages that the answers depend on."""
    packages = ("mo-gymnasium", "gymnasium", "mujoco-core", "numpy")
    return {package: importlib.metadata.version(package) for package in packages}
