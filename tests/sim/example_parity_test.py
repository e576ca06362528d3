"""Live parity of the examples with Gymnasium v5 on the same MuJoCo.

    RHUMB_BIN=path/to/rhumb python tests/sim/example_parity_test.py

Like parity_test.py, but against Gymnasium's own robots with their one reward, which is in double.
Also compares the distributions of start states, in which the goals are.
"""

import json
import os
import pathlib
import subprocess
import unittest

import gymnasium
import mujoco
import numpy as np

import oracle
import parity_test

# Both sides add the same terms in another order.
REWARD_TOLERANCE = 1e-10
CASES = 10
STEPS = 300
STARTS = 2000

# Kolmogorov-Smirnov with two samples of STARTS, at a level of 1e-3 for each column. Seeds are fixed.
CRITICAL = np.sqrt(-0.5 * np.log(1e-3 / 2)) * np.sqrt(2 / STARTS)

EXAMPLES = {
    "swimmer-v5": "Swimmer-v5",
    "reacher-v5": "Reacher-v5",
    "pusher-v5": "Pusher-v5",
    "inverted-pendulum-v5": "InvertedPendulum-v5",
    "inverted-double-pendulum-v5": "InvertedDoublePendulum-v5",
}


def play(env, time_limit, case):
    """Gymnasium's answer to the case, without resets."""
    mujoco.mj_resetData(env.model, env.data)
    env.set_state(case.qpos, case.qvel)
    observations, rewards, terminated = [env._get_obs()], [], []
    for action in case.actions:
        observation, reward, fell, _, _ = env.step(action)
        observations.append(observation)
        rewards.append([reward])
        terminated.append(bool(fell))
    if any(env.data.warning[kind].number for kind in oracle.DIVERGENCE):
        raise RuntimeError("the case diverges; choose a tamer start")
    truncated = [t + 1 >= time_limit for t in range(len(case.actions))]
    return oracle.Answer(np.array(observations), {"gymnasium": np.array(rewards)}, terminated, truncated)


def make_case(our_id, env, seed):
    """A random case. Every other one starts beyond the reset noise, every third has actions beyond
    the action range."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    qpos, qvel = env.data.qpos.copy(), env.data.qvel.copy()
    if seed % 2 == 1:
        qpos += rng.uniform(-0.1, 0.1, env.model.nq)
        qvel += rng.standard_normal(env.model.nv)
    low, high = env.model.actuator_ctrlrange.T * (1.25 if seed % 3 == 2 else 1.0)
    return oracle.Case(our_id, qpos, qvel, rng.uniform(low, high, (STEPS, env.model.nu)))


def distance_of_distributions(ours, theirs):
    """The two-sample Kolmogorov-Smirnov statistic."""
    ours, theirs = np.sort(ours), np.sort(theirs)
    at = np.concatenate([ours, theirs])
    below = [np.searchsorted(sample, at, side="right") / len(sample) for sample in (ours, theirs)]
    return float(np.max(np.abs(below[0] - below[1])))


def our_starts(our_id):
    command = [os.environ["RHUMB_BIN"], "envs", "starts", our_id, "--count", str(STARTS), "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    return np.hstack([document["qpos"], document["qvel"]])


def their_starts(env):
    rows = []
    for seed in range(STARTS):
        env.reset(seed=seed)
        rows.append(np.concatenate([env.data.qpos, env.data.qvel]))
    return np.array(rows)


class ExampleParityTest(unittest.TestCase):
    table = []

    @classmethod
    def tearDownClass(cls):
        parity_test.print_table(cls.table)

    def test_steps(self):
        for our_id, their_id in EXAMPLES.items():
            env = gymnasium.make(their_id).unwrapped
            time_limit = gymnasium.spec(their_id).max_episode_steps
            row = parity_test.Row(our_id)
            self.table.append(row)
            for seed in range(CASES):
                case = make_case(our_id, env, seed)
                with self.subTest(env=our_id, seed=seed):
                    self.compare(row, case, play(env, time_limit, case))

    def compare(self, row, case, answer):
        ours = parity_test.replay(case, "gymnasium")
        delta, place = parity_test.max_delta("observations", ours["observations"], answer.observations)
        row.observations = max(row.observations, delta)
        self.assertEqual(delta, 0.0, place)
        delta, place = parity_test.max_delta("rewards", ours["rewards"], answer.rewards["gymnasium"])
        row.rewards = max(row.rewards, delta)
        self.assertLessEqual(delta, REWARD_TOLERANCE, place)
        self.assertEqual(ours["terminated"], answer.terminated)
        self.assertEqual(ours["truncated"], answer.truncated)
        row.steps += len(case.actions)
        row.falls += sum(answer.terminated)

    def test_starts_have_the_same_distribution(self):
        print(f"\n{'example':30}{'largest KS statistic':>22}   (critical {CRITICAL:.4f})")
        for our_id, their_id in EXAMPLES.items():
            ours, theirs = our_starts(our_id), their_starts(gymnasium.make(their_id).unwrapped)
            columns = [(ours[:, i], theirs[:, i]) for i in range(ours.shape[1])]
            goal = {"reacher-v5": slice(2, 4), "pusher-v5": slice(7, 9)}.get(our_id)
            if goal is not None:  # the two coordinates together: a disc, and outside a disc
                polar = [
                    (np.hypot(*starts[:, goal].T), np.arctan2(*starts[:, goal].T))
                    for starts in (ours, theirs)
                ]
                columns += zip(*polar)
            worst = max(distance_of_distributions(*column) for column in columns)
            print(f"{our_id:30}{worst:22.4f}")
            with self.subTest(env=our_id):
                self.assertLess(worst, CRITICAL)

    def test_specs_are_short(self):
        for our_id in EXAMPLES:
            spec = pathlib.Path(__file__).parents[2] / "examples/gymnasium" / f"{our_id}.toml"
            self.assertLessEqual(len(spec.read_text().splitlines()), 60, our_id)

    def test_sees_goals_beyond_the_disc(self):
        square = np.random.default_rng(0).uniform(-0.2, 0.2, (STARTS, 2))
        radius = np.hypot(*our_starts("reacher-v5")[:, 2:4].T)
        self.assertGreater(distance_of_distributions(radius, np.hypot(*square.T)), CRITICAL)


if __name__ == "__main__":
    if "RHUMB_BIN" not in os.environ:
        raise SystemExit("set RHUMB_BIN to the rhumb binary under test")
    unittest.main()
