"""Models in an environment of the user's own: grounding, playing, recording, and what may go wrong there."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import gymnasium
import numpy as np

import rhumb
from rhumb import datasets, grounding

sys.path.append(str(pathlib.Path(__file__).parents[1] / "cli"))
import encode_play_test  # noqa: E402

STEPS = 20


class Tray(gymnasium.Env):
    """Two numbers that follow the actions. An episode has 20 steps and returns the sums of the first
    action and of minus the squares, so the echo model's code (a, b) returns 20 a and -20 (a^2 + b^2)."""

    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (2,))
    action_space = gymnasium.spaces.Box(-1, 1, (2,))

    def __init__(self, fault=None):
        self.fault = fault

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.step_number = 0
        return np.zeros(2, np.float32), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.step_number += 1
        reward = np.array([action[0], -np.square(action).sum()], np.float64)
        if self.fault == "raise" and self.step_number == 3:
            raise RuntimeError("the motor is hot")
        if self.fault == "nan":
            reward[1] = np.nan
        if self.fault == "short":
            reward = reward[:1]
        return action, reward, False, self.step_number == STEPS, {}


class Grounding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.model = rhumb.load(encode_play_test.make_echo_model(cls.folder / "m", log_deviation=-5))

    def test_play_by_hand(self):
        returns = rhumb.play(self.model.policy([0.5, -0.2], "mean"), Tray, episodes=2)
        np.testing.assert_allclose(returns, [[10, -20 * 0.29]] * 2, rtol=1e-5)
        returns = rhumb.play(lambda _: [0.5, 0], Tray, 1, objectives=lambda x, a, y, r, i: [a[0], 1, 2])
        np.testing.assert_allclose(returns, [[10, 20, 40]], rtol=1e-5)

    def test_rows_are_the_codes(self):
        codes = np.array([[0.1 * i, -0.05 * i] for i in range(7)], np.float32)
        for count in (1, 3, 8):
            values = grounding.roll_out(self.model, codes, Tray, episodes=2, mode="mean", num_envs=count)
            np.testing.assert_allclose(values[:, 0, 0], 20 * codes[:, 0], rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(values[:, 1, 1], -20 * np.square(codes).sum(axis=1), rtol=1e-5, atol=1e-6)

    def test_vector_environments(self):
        """The native batch, in both autoreset modes, gives what the native roll-outs give."""
        codes = np.array([[0.1 * i, -0.05 * i] for i in range(7)], np.float32)
        native = self.model.rollout(codes, 1, mode="mean").values[:, 0, 1]
        for mode in ("NextStep", "SameStep"):
            make = lambda: gymnasium.make_vec(  # noqa: E731
                "rhumb/point-v0", num_envs=3, rewards="two", autoreset_mode=mode
            )
            values = grounding.roll_out(self.model, codes, make, episodes=1, mode="mean")
            np.testing.assert_allclose(values[:, 0, 1], native, rtol=1e-5, atol=1e-5)

    def test_ground(self):
        out = self.folder / "grounded"
        model = rhumb.ground(self.model, Tray, out=out, codes=120, episodes=2, mode="mean", progress=False)
        self.assertEqual(model.grounded, ("mean",))
        self.assertEqual(self.model.grounded, ())
        # Energy -20 (a^2 + b^2): the labels of the echo model say something else.
        told = model.predict([0.5, 0.25], mode="mean")
        real = {"x_velocity": 10.0, "energy": -20 * 0.3125}
        for name, (low, high) in told.interval.items():
            spread = 0.1 * next(one.std for one in model.objectives if one.name == name)
            self.assertLess(abs(told.predicted[name] - real[name]), max(spread, 0.5), name)
            self.assertLess(low, high)
        result = model.steer({"x_velocity": 8}, mode="mean")
        realised = rhumb.verify(result, Tray, 1)[0]
        self.assertLess(abs(realised["x_velocity"] - 8), 1.5)
        # Trying the answers adds them to what is known, and the next answer hits what it promises.
        refined = rhumb.refine(
            model, Tray, {"target": {"x_velocity": 8}}, out=self.folder / "refined", mode="mean", progress=False
        )
        self.assertGreater(len(refined.rolled_out("mean")[0]), len(model.rolled_out("mean")[0]))
        result = refined.steer({"x_velocity": 8}, mode="mean")
        self.assertLess(abs(rhumb.verify(result, Tray, 1)[0]["x_velocity"] - 8), 0.5)
        with self.assertRaisesRegex(rhumb.Error, "exists"):
            rhumb.ground(self.model, Tray, out=out, codes=40, episodes=1, progress=False)

    def test_what_goes_wrong_is_one_sentence(self):
        before = (self.folder / "m" / "manifest.json").read_bytes() if (self.folder / "m").is_dir() else None
        for text, call in {
            "failed in step of episode 0: RuntimeError: the motor is hot": lambda: self.ground("raise"),
            "is [0.0, nan]; every number must be finite": lambda: self.ground("nan"),
            "the reward has 1 numbers|reward has 1 numbers": lambda: self.ground("short"),
            "returned int, which is not": lambda: rhumb.ground(self.model, lambda: 3),
            "failed in making: ZeroDivisionError": lambda: rhumb.ground(self.model, lambda: 1 / 0),
            "not grounded with mean actions": lambda: rhumb.refine(self.model, Tray, {}, mode="mean"),
            "codes is 3": lambda: rhumb.ground(self.model, Tray, codes=3),
            "the attribute 'torso_height'": lambda: rhumb.ground("halfcheetah", Tray),
            "failed in step 2 of episode 0: RuntimeError": lambda: rhumb.play(lambda _: [0, 0], lambda: Tray("raise")),
            "action has the shape [3]": lambda: rhumb.play(lambda _: [0, 0, 0], Tray),
        }.items():
            with self.subTest(text), self.assertRaises(rhumb.Error) as caught:
                call()
            self.assertTrue(any(one in str(caught.exception) for one in text.split("|")), caught.exception)
        if before:
            self.assertEqual((self.folder / "m" / "manifest.json").read_bytes(), before)

    def ground(self, fault):
        rhumb.ground(self.model, lambda: Tray(fault), codes=40, episodes=1, mode="mean", progress=False)


class Datasets(unittest.TestCase):
    def test_record_and_minari(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        policies = [lambda _, a=a: np.array([a, 0.0]) for a in (0.1, 0.5)]
        long = lambda: gymnasium.make("rhumb/point-v0", rewards="two")  # noqa: E731
        out = rhumb.population.from_callable(
            policies, long, out=folder / "point-v0", objectives=("x", "cost"), episodes=3, progress=False
        )
        shown = subprocess.run(
            [os.environ["RHUMB_BIN"], "dataset", "show", out], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn("cost", shown)
        theirs = datasets.to_minari(out)
        self.assertEqual(theirs.total_episodes, 6)
        episode = theirs[0]
        self.assertEqual(len(episode.observations), len(episode.actions) + 1)
        again = datasets.from_minari(theirs, folder / "again-v0")
        self.assertEqual(datasets.to_minari(again).total_episodes, 6)
        with self.assertRaisesRegex(rhumb.Error, "no data"):
            datasets.to_minari(folder)
        with self.assertRaisesRegex(rhumb.Error, "2 numbers for the objectives x"):
            datasets.record(policies, long, folder / "bad", objectives=("x",), progress=False)


if __name__ == "__main__":
    unittest.main()
