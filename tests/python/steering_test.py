"""Steering and acting from Python: the answers of the binary, and errors for every bad input."""

import json
import os
import signal
import subprocess
import threading
import time
import unittest

import numpy as np

import rhumb

MODEL = rhumb.load("halfcheetah")
OBSERVATION = np.linspace(-1, 1, 17)


def rss_kb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Steering(unittest.TestCase):
    def test_answers_are_those_of_the_binary(self):
        command = [os.environ["RHUMB_BIN"], "steer", "halfcheetah", "--target", "forward=6000"]
        command += ["--require", "energy>=-2000", "--confidence", "0.9", "--answers", "3", "--json"]
        theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        ours = MODEL.steer({"forward": 6000}, ["energy >= -2000"], confidence=0.9, answers=3)
        self.assertEqual(ours.status, theirs["status"])
        self.assertEqual(len(ours.answers), len(theirs["answers"]))
        for one, other in zip(ours.answers, theirs["answers"]):
            np.testing.assert_array_equal(one.code, np.array(other["code"], np.float32))
            self.assertEqual(one.predicted, other["predicted"])
            self.assertEqual({name: list(pair) for name, pair in one.interval.items()}, other["interval"])
        self.assertIs(ours.best, ours.answers[0])
        self.assertIsNone(ours.diagnosis)
        self.assertIn("forward", str(ours))

    def test_infeasible_query_has_a_diagnosis(self):
        result = MODEL.steer({"forward": 60000})
        self.assertEqual(result.status, "infeasible")
        self.assertIn("out of reach", result.diagnosis.reason)
        self.assertGreater(result.diagnosis.relax[0].needed, 6000)
        self.assertEqual(result.best.predicted, result.diagnosis.nearest.predicted)

    def test_all_kinds_of_terms(self):
        result = MODEL.steer(maximise="forward/energy", require=["forward >= 2000", "energy <= -100"])
        self.assertTrue(result.solved)
        like = MODEL.codes[100]
        before = MODEL.predict(like).predicted["energy"]
        changed = MODEL.steer(like=like, change="energy -20%")
        self.assertTrue(changed.solved or changed.diagnosis)
        if changed.solved:
            self.assertGreater(changed.best.predicted["energy"], before)

    def test_bad_input_is_one_sentence(self):
        policy = MODEL.policy(MODEL.codes[0])
        nan = np.full(17, np.nan)
        for text, call in {
            "unknown objective 'fast'": lambda: MODEL.steer({"fast": 1}),
            "not a number": lambda: MODEL.steer({"forward": "much"}),
            "it takes texts": lambda: MODEL.steer(require=[3]),
            "is neither a folder": lambda: rhumb.load("nothing"),
            "expected '='": lambda: MODEL.steer("forward >"),
            "confidence": lambda: MODEL.steer({"forward": 1}, confidence=2),
            "did you mean 'answers'": lambda: MODEL.steer({"forward": 1}, settings={"answer": 1}),
            "unknown": lambda: MODEL.steer({"forward": 1}, mode="best"),
            "give the trajectory as like": lambda: MODEL.steer(change="energy -20%"),
            "like has the shape [1, 3]": lambda: MODEL.steer(like=[1, 2, 3], change="energy -20%"),
            "the seed is -1": lambda: MODEL.steer({"forward": 1}, seed=-1),
            "codes have 32": lambda: MODEL.policy([1, 2]),
            "number 0 of the code, nan": lambda: MODEL.policy(np.full(32, np.nan)),
            "at least 32": lambda: MODEL.encode(np.zeros((5, 17)), np.zeros((5, 6))),
            "need T or T + 1": lambda: MODEL.encode(np.zeros((50, 17)), np.zeros((40, 6))),
            "observations[1, 0] is nan": lambda: MODEL.encode(np.array([[0] * 17, nan] * 20), np.zeros((40, 6))),
            "actions has the shape [40, 5]": lambda: MODEL.encode(np.zeros((40, 17)), np.zeros((40, 5))),
            "not finite": lambda: policy(nan),
            "must be [1, 17]": lambda: policy(np.zeros(3)),
            "must be [2, 17]": lambda: policy(np.zeros((2, 3))),
            "not an array of numbers": lambda: policy("here"),
            "it holds complex128": lambda: policy(np.zeros(17, complex)),
            "it holds <U3": lambda: policy(["1.0"] * 17),
            "it holds object": lambda: policy([None] * 17),
            "episodes is 0": lambda: MODEL.rollout(MODEL.codes[0], 0),
            "codes has the shape [1, 2]": lambda: MODEL.rollout([1, 2]),
        }.items():
            with self.subTest(text), self.assertRaises(rhumb.Error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        self.assertTrue(issubclass(rhumb.Error, ValueError))

    def test_arrays_are_views(self):
        self.assertEqual(MODEL.codes.shape[1], MODEL.code_size)
        self.assertEqual(MODEL.values.shape, (len(MODEL.codes), len(MODEL.objectives)))
        first, again = MODEL.codes, MODEL.codes
        self.assertEqual(first.ctypes.data, again.ctypes.data)
        self.assertFalse(first.flags.writeable)
        codes = rhumb.load("halfcheetah").codes  # keeps its model alive
        np.testing.assert_array_equal(codes, MODEL.codes)

    def test_steers_from_several_threads(self):
        wanted = [MODEL.steer({"forward": 1000.0 * i}).best.predicted for i in (2, 3, 4)]
        found = [None] * 3

        def work(i):
            for _ in range(5):
                found[i] = MODEL.steer({"forward": 1000.0 * (i + 2)}).best.predicted

        threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, wanted)

    def test_nothing_leaks(self):
        policy = MODEL.policy(MODEL.codes[0])

        def call(i):
            policy(OBSERVATION)
            MODEL.codes
            try:
                policy(OBSERVATION[:3])
            except rhumb.Error:
                pass
            if i % 50 == 0:
                MODEL.steer({"forward": 3000}, confidence=(i % 400) / 1000)

        for i in range(2000):
            call(i)
        before = rss_kb()
        for i in range(10000):
            call(i)
        self.assertLess(rss_kb() - before, 2048)


class Acting(unittest.TestCase):
    def test_policy_acts_as_a_rollout(self):
        """One episode played through the environment gives the values of the native roll-out."""
        import gymnasium

        code = MODEL.steer({"forward": 4000}).best.code
        realised = MODEL.rollout(code, 1, mode="mean", seed=0)
        env = gymnasium.make("rhumb/mo-halfcheetah-v5")
        observation, _ = env.reset(seed=0)  # the roll-out's key is (seed 0, code 0, episode 0)
        policy, returns = MODEL.policy(code, "mean"), 0
        for _ in range(MODEL.time_limit):
            observation, reward, _, _, _ = env.step(policy(observation))
            returns = returns + np.float64(reward)
        # Rewards are rounded to float32 once a step.
        np.testing.assert_allclose(returns, realised.values[0, 0, :2], rtol=1e-6)

    def test_predict_has_the_signature_of_stable_baselines(self):
        policy = MODEL.policy(MODEL.codes[0], "sampled", seed=3)
        mean = MODEL.policy(MODEL.codes[0], "mean")
        action, state = policy.predict(OBSERVATION, state=None, episode_start=None, deterministic=True)
        self.assertIsNone(state)
        np.testing.assert_array_equal(action, mean(OBSERVATION))
        many, _ = mean.predict(np.stack([OBSERVATION] * 3))
        np.testing.assert_array_equal(many, np.stack([action] * 3))
        first, second = policy(OBSERVATION), policy(OBSERVATION)
        self.assertTrue((first != second).any())
        policy.restart()
        np.testing.assert_array_equal(policy(OBSERVATION), first)
        rows = policy(np.stack([OBSERVATION] * 2))
        self.assertTrue((rows[0] != rows[1]).any())

    def test_a_policy_turns_while_it_acts(self):
        first, second = MODEL.codes[0], MODEL.codes[40]
        policy = MODEL.policy(first, "mean")
        policy(OBSERVATION)
        policy.set_code(second, blend_steps=2)
        half = MODEL.policy(first + np.float32(0.5) * (second - first), "mean")
        np.testing.assert_array_equal(policy(OBSERVATION), half(OBSERVATION))
        for _ in range(2):
            np.testing.assert_array_equal(policy(OBSERVATION), MODEL.policy(second, "mean")(OBSERVATION))
        np.testing.assert_array_equal(policy.code, second)
        for code, steps in ((second[:5], 0), (second * np.nan, 0), (second, -1), (second, 10**7)):
            with self.assertRaises(rhumb.Error):
                policy.set_code(code, steps)
        np.testing.assert_array_equal(policy.code, second)

    def test_encode_is_that_of_the_map(self):
        """A code that acts is encoded to a code that predicts nearly the same."""
        import gymnasium

        env = gymnasium.make("rhumb/mo-halfcheetah-v5")
        policy = MODEL.steer({"forward": 4000}).best.policy("mean")
        observations, actions = [env.reset(seed=2)[0]], []
        for _ in range(300):
            actions.append(policy(observations[-1]))
            observations.append(env.step(actions[-1])[0])
        code = MODEL.encode(observations, actions)
        self.assertEqual(code.shape, (32,))
        np.testing.assert_array_equal(code, MODEL.encode(observations[:-1], actions))
        self.assertLess(abs(MODEL.predict(code).predicted["forward"] - 4000), 1000)

    def test_ctrl_c_stops_a_rollout(self):
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            MODEL.rollout(MODEL.codes, 50)
        self.assertLess(time.monotonic() - begin, 20)


if __name__ == "__main__":
    unittest.main()
