"""Live parity of the seven environments with MO-Gymnasium on the same MuJoCo.

    RHUMB_BIN=path/to/rhumb python tests/sim/parity_test.py

Each environment replays 10 random cases of 300 steps and one of 1000, up to the time limit. Every
other case starts beyond the reset noise, every third has actions beyond the action range. Both
sides continue after a fall. Needs mo-gymnasium 1.3.2, gymnasium 1.4.0 and mujoco-core 4.0.1, glfw
and imageio, which Gymnasium's MuJoCo environments import.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import oracle

# Both sides run the same MuJoCo on the same numbers, so observations are equal to the last bit. The
# oracle's rewards are rebuilt from the parts in its info, whose terms are added in another order.
REWARD_TOLERANCE = 1e-10
TOLERANCES = {"observations": 0.0, "rewards": REWARD_TOLERANCE}
CASES = 10
STEPS = 300


def replay(case, preset):
    """The answer of the rhumb under test to the case."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "case.json")
        path.write_text(json.dumps(case.replay_document(preset)))
        command = [os.environ["RHUMB_BIN"], "envs", "replay", str(path), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} exits {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def max_delta(what, ours, theirs):
    """Largest |difference| of two equally shaped arrays, and its place; NaN stays NaN."""
    ours = np.asarray(ours, dtype=np.float64)
    if ours.shape != theirs.shape:
        raise AssertionError(f"{what}: shape {ours.shape}, the oracle's is {theirs.shape}")
    delta = np.abs(ours - theirs)
    step, index = np.unravel_index(np.argmax(delta), delta.shape)
    place = f"{what}[{step}][{index}]: {ours[step, index]:.17g}, oracle {theirs[step, index]:.17g}"
    return float(delta[step, index]), place


@dataclasses.dataclass
class Row:
    """One row of the table."""

    env: str
    steps: int = 0
    falls: int = 0
    observations: float = 0.0
    rewards: float = 0.0


def print_table(rows):
    print(f"\n{'environment':30}{'steps':>7}{'fallen':>8}{'max Δ obs':>12}{'max Δ reward':>14}")
    for row in rows:
        print(f"{row.env:30}{row.steps:7}{row.falls:8}{row.observations:12.1e}{row.rewards:14.1e}")


class ParityTest(unittest.TestCase):
    table = []

    @classmethod
    def tearDownClass(cls):
        print_table(cls.table)

    def compare(self, row, case, answer, preset):
        ours = replay(case, preset)
        theirs = {"observations": answer.observations, "rewards": answer.rewards[preset]}
        for what, expected in theirs.items():
            delta, place = max_delta(what, ours[what], expected)
            setattr(row, what, np.maximum(getattr(row, what), delta))
            self.assertLessEqual(delta, TOLERANCES[what], place)
        self.assertEqual(ours["terminated"], answer.terminated)
        self.assertEqual(ours["truncated"], answer.truncated)

    def check(self, env_id):
        environment = oracle.Oracle(env_id)
        row = Row(env_id)
        self.table.append(row)
        clipped = False
        for seed in range(CASES + 1):
            steps = STEPS if seed < CASES else oracle.TIME_LIMIT
            case = environment.case(
                seed, steps, wide=seed % 2 == 1, action_scale=1.25 if seed % 3 == 2 else 1.0
            )
            answer = environment.answer(case)
            # The presets differ only in the 2-objective environments; for the others, one case
            # checks that they agree.
            presets = oracle.PRESETS if "2obj" in env_id or seed == 0 else ("upstream",)
            for preset in presets:
                with self.subTest(env=env_id, seed=seed, rewards=preset):
                    self.compare(row, case, answer, preset)
            row.steps += steps
            row.falls += sum(answer.terminated)
            clipped |= meets_clip(env_id, answer)

        # Without falls or clips, the cases would compare less than they claim.
        self.assertTrue(answer.truncated[-1] and not answer.truncated[-2])
        self.assertTrue(clipped)
        if env_id != "mo-halfcheetah-v5":
            self.assertTrue(0 < row.falls < row.steps)

    def test_halfcheetah(self):
        self.check("mo-halfcheetah-v5")

    def test_hopper(self):
        self.check("mo-hopper-v5")

    def test_hopper_2obj(self):
        self.check("mo-hopper-2obj-v5")

    def test_walker2d(self):
        self.check("mo-walker2d-v5")

    def test_ant(self):
        self.check("mo-ant-v5")

    def test_ant_2obj(self):
        self.check("mo-ant-2obj-v5")

    def test_humanoid(self):
        self.check("mo-humanoid-v5")

    def test_sees_a_difference_of_one_millionth(self):
        for env_id in oracle.ENVIRONMENTS:
            with self.subTest(env=env_id):
                environment = oracle.Oracle(env_id)
                case = environment.case(seed=0, steps=10)
                answer = environment.answer(case)
                case.actions[3, 0] += 1e-6
                ours = replay(case, "upstream")
                for what, expected in (
                    ("observations", answer.observations),
                    ("rewards", answer.rewards["upstream"]),
                ):
                    delta, _ = max_delta(what, ours[what], expected)
                    self.assertGreater(delta, REWARD_TOLERANCE)


def meets_clip(env_id, answer):
    """Whether the case reaches a value that the environment clips."""
    robot = env_id.split("-")[1]
    if robot in ("hopper", "walker2d"):
        return bool(np.any(np.abs(answer.observations[:, 5:]) == 10.0))  # velocities
    if robot == "ant":
        return bool(np.any(np.abs(answer.observations[:, -78:]) == 1.0))  # contact forces
    if robot == "humanoid":
        forces = answer.observations[1:, -78:]
        return bool(np.any(5e-7 * np.sum(np.square(forces), axis=1) > 10.0))  # contact cost
    return True  # HalfCheetah clips nothing


if __name__ == "__main__":
    if "RHUMB_BIN" not in os.environ:
        raise SystemExit("set RHUMB_BIN to the rhumb binary under test")
    unittest.main()
