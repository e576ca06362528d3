"""The examples in examples/pgmorl against PGMORL's own step functions, on the same MuJoCo.

    RHUMB_BIN=path/to/rhumb python tests/sim/pgmorl_parity_test.py

Below are the rewards and ends of PGMORL's environments/*.py as they stand there, over qpos, xpos, xipos
and the action. MuJoCo's Python package steps the robot; `rhumb envs replay` must give the same rewards,
ends and observations.
"""

import os
import pathlib
import unittest

import mujoco
import numpy as np

import oracle
import parity_test

# Both sides add the same terms in another order.
REWARD_TOLERANCE = 1e-10
STEPS = 250
CASES = 4
MODELS = pathlib.Path(os.environ["RHUMB_BIN"]).parent.parent / "share" / "rhumb" / "examples"


class Robot:
    """A robot before and after a step. Hopper's height counts from init_qpos[1]."""

    def __init__(self, model, frame_skip):
        self.model = mujoco.MjModel.from_xml_path(str(MODELS / model))
        self.data = mujoco.MjData(self.model)
        self.frame_skip = frame_skip
        self.dt = self.model.opt.timestep * frame_skip
        self.init_qpos = self.data.qpos.copy()

    def set_state(self, qpos, qvel):
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        mujoco.mj_forward(self.model, self.data)

    def simulate(self, action):
        self.data.ctrl[:] = action
        mujoco.mj_step(self.model, self.data, nstep=self.frame_skip)
        # Gymnasium v5 does so for the contact forces, which Humanoid observes.
        mujoco.mj_rnePostConstraint(self.model, self.data)


def half_cheetah(robot, action):
    xposbefore = robot.data.qpos[0]
    robot.simulate(action)
    xposafter, ang = robot.data.qpos[0], robot.data.qpos[2]
    alive_bonus = 1.0
    reward_run = (xposafter - xposbefore) / robot.dt
    reward_run = min(4.0, reward_run) + alive_bonus
    reward_energy = 4.0 - 1.0 * np.square(action).sum() + alive_bonus
    return [reward_run, reward_energy], not (abs(ang) < np.deg2rad(50))


def hopper_done(s):
    upright = all(abs(s[k]) < np.deg2rad(90) for k in (2, 3, 4, 5))
    return not ((s[1] > 0.4) and upright)


def hopper_v2(robot, action):
    posbefore = robot.data.qpos[0]
    robot.simulate(action)
    posafter, height = robot.data.qpos[0:2]
    reward_others = 1.0 - 2e-4 * np.square(action).sum()
    reward_run = 1.5 * (posafter - posbefore) / robot.dt + reward_others
    reward_jump = 12.0 * (height - robot.init_qpos[1]) + reward_others
    return [reward_run, reward_jump], hopper_done(robot.data.qpos)


def hopper_v3(robot, action):
    posbefore = robot.data.qpos[0]
    robot.simulate(action)
    posafter, height = robot.data.qpos[0:2]
    reward_energy = 4.0 - 1.0 * np.square(action).sum() + 1.0
    reward_run = 1.5 * (posafter - posbefore) / robot.dt + 1.0
    reward_jump = 12.0 * (height - robot.init_qpos[1]) + 1.0
    return [reward_run, reward_jump, reward_energy], hopper_done(robot.data.qpos)


def walker2d(robot, action):
    posbefore = robot.data.qpos[0]
    robot.simulate(action)
    posafter, height, ang = robot.data.qpos[0:3]
    reward_speed = (posafter - posbefore) / robot.dt + 1.0
    reward_energy = 4.0 - 1.0 * np.square(action).sum() + 1.0
    return [reward_speed, reward_energy], not (height > 0.8 and height < 2.0 and ang > -1.0 and ang < 1.0)


def ant(robot, action):
    before = robot.data.body("torso").xpos.copy()
    robot.simulate(action)
    velocity = (robot.data.body("torso").xpos - before) / robot.dt
    other_reward = -0.5 * np.square(action).sum() + 1.0
    return [velocity[0] + other_reward, velocity[1] + other_reward], False


def mass_center(robot):
    mass = np.expand_dims(robot.model.body_mass, 1)
    return (np.sum(mass * robot.data.xipos, 0) / np.sum(mass))[0]


def humanoid(robot, action):
    pos_before = mass_center(robot)
    robot.simulate(action)
    reward_run = 1.25 * (mass_center(robot) - pos_before) / robot.dt + 3.0
    reward_energy = 3.0 - 4.0 * np.square(robot.data.ctrl).sum() + 3.0
    height = robot.data.qpos[2]
    return [reward_run, reward_energy], bool((height < 1.0) or (height > 2.0))


def swimmer(robot, action):
    xposbefore = robot.data.qpos[0]
    robot.simulate(action)
    return [
        (robot.data.qpos[0] - xposbefore) / robot.dt,
        0.3 - 0.15 * np.square(action).sum(),
    ], False


def clipped(data):
    return np.concatenate([data.qpos[1:], np.clip(data.qvel, -10, 10)])


def short(data):
    return np.concatenate([data.qpos[2:], data.qvel])


# id -> MJCF, frame skip, step, observation (None: not PGMORL's), time limit, range of each action.
ENVIRONMENTS = {
    "pgmorl-halfcheetah-v2": (
        "half_cheetah.xml", 5, half_cheetah, lambda d: np.concatenate([d.qpos[1:], d.qvel]), 500, [1] * 6,
    ),
    "pgmorl-hopper-v2": ("pgmorl_hopper.xml", 5, hopper_v2, clipped, 500, [2, 2, 4]),
    "pgmorl-hopper-v3": ("pgmorl_hopper.xml", 5, hopper_v3, clipped, 500, [2, 2, 4]),
    "pgmorl-walker2d-v2": ("pgmorl_walker2d.xml", 4, walker2d, clipped, 500, [1] * 6),
    "pgmorl-ant-v2": ("pgmorl_ant.xml", 5, ant, short, 500, [1] * 8),
    "pgmorl-humanoid-v2": ("humanoid.xml", 5, humanoid, None, 1000, [0.4] * 17),
    "pgmorl-swimmer-v2": ("pgmorl_swimmer.xml", 4, swimmer, short, 500, [1] * 2),
}  # fmt: skip
NEVER_END = ("pgmorl-ant-v2", "pgmorl-swimmer-v2")


class PgmorlParityTest(unittest.TestCase):
    def make_case(self, our_id, robot, limits, seed):
        rng = np.random.default_rng(seed)
        noise = rng.uniform(-0.05, 0.05, robot.model.nq) if seed > 0 else 0
        actions = rng.uniform(-1, 1, (STEPS, len(limits))) * np.array(limits)
        if our_id == "pgmorl-halfcheetah-v2" and seed == 1:
            actions[:] = 0  # slides without being pushed, far below the cap of the speed
        return oracle.Case(our_id, robot.init_qpos + noise, rng.normal(0, 0.5, robot.model.nv), actions)

    def check(self, our_id):
        model, frame_skip, step, observe, time_limit, limits = ENVIRONMENTS[our_id]
        robot = Robot(model, frame_skip)
        np.testing.assert_array_equal(robot.model.actuator_ctrlrange, np.transpose([np.negative(limits), limits]))
        falls = 0
        for seed in range(CASES):
            case = self.make_case(our_id, robot, limits, seed)
            ours = parity_test.replay(case, "pgmorl")
            robot.set_state(case.qpos, case.qvel)
            rewards, ends, observations = [], [], []
            for action in case.actions:
                vector, done = step(robot, action)
                rewards.append(vector)
                ends.append(bool(done))
                if observe:
                    observations.append(observe(robot.data))
            delta, place = parity_test.max_delta("rewards", ours["rewards"], np.array(rewards))
            self.assertLessEqual(delta, REWARD_TOLERANCE, f"{our_id}, case {seed}: {place}")
            self.assertEqual(ours["terminated"], ends)
            if observe:
                np.testing.assert_array_equal(ours["observations"][1:], observations)
            falls += sum(ends)
            self.assertEqual(ours["truncated"], [t + 1 >= time_limit for t in range(STEPS)])
        # Without falls, the cases would compare less than they claim.
        self.assertEqual(falls > 0, our_id not in NEVER_END)

    def test_all(self):
        for our_id in ENVIRONMENTS:
            with self.subTest(env=our_id):
                self.check(our_id)

    def test_by_hand(self):
        """A HalfCheetah in the air at 10 m/s, with full torques: the speed counts 4, and 6 are spent."""
        robot = Robot("half_cheetah.xml", 5)
        qpos, qvel = robot.init_qpos.copy(), np.zeros(robot.model.nv)
        qpos[1], qvel[0] = 3, 10
        case = oracle.Case("pgmorl-halfcheetah-v2", qpos, qvel, np.ones((1, 6)))
        self.assertEqual(parity_test.replay(case, "pgmorl")["rewards"], [[5.0, -1.0]])


if __name__ == "__main__":
    unittest.main()
