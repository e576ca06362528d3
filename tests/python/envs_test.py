"""The environments behind Gymnasium's interfaces, beside MO-Gymnasium on the same states and actions."""

import os
import pathlib
import unittest
import warnings

import gymnasium
import mo_gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from mo_gymnasium.wrappers.vector import MOSyncVectorEnv

import rhumb

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
CHEETAH = "rhumb/mo-halfcheetah-v5"


class Parity(unittest.TestCase):
    """Observations, rewards and ends equal those of MO-Gymnasium, over three episodes.

    The difference is 0.0, except where MO-Gymnasium rounds a reward twice."""

    def compare(self, name, mode, episodes=3, count=2):
        theirs = MOSyncVectorEnv([lambda: mo_gymnasium.make(name)] * count)
        ours = gymnasium.make_vec(f"rhumb/{name}", num_envs=count, autoreset_mode=mode)
        generator = np.random.default_rng(5)
        theirs.reset(seed=1)
        observations, _ = ours.reset(seed=2)

        def synchronise(i):
            """Puts their robot where ours has started. Theirs does not forget the forces of the episode
            before unless it is reset, as it just was."""
            env = theirs.envs[i].unwrapped
            env.set_state(*ours.state(i))
            np.testing.assert_array_equal(env._get_obs(), observations[i])

        for i in range(count):
            synchronise(i)
        ended = np.zeros(count, int)
        while ended.min() < episodes:
            # Doubles: MO-Gymnasium sums the squares of float32 actions in float32.
            limit = float(ours.single_action_space.high[0])
            actions = generator.uniform(-limit, limit, ours.action_space.shape)
            expected, reward, terminated, truncated, _ = theirs.step(actions)
            observations, rewards, *ends, info = ours.step(actions)
            self.assertEqual(rewards.dtype, np.float32)
            if name == "mo-halfcheetah-v5":
                np.testing.assert_array_equal(rewards, reward)
            else:  # MO-Gymnasium rounds to float32, adds the reward for health, and rounds again.
                np.testing.assert_allclose(rewards, reward, rtol=1e-6, atol=5e-7)
            np.testing.assert_array_equal(ends, [terminated, truncated])
            done = terminated | truncated
            ended += done
            compared = observations.copy()
            if mode == AutoresetMode.SAME_STEP and done.any():
                np.testing.assert_array_equal(info["_final_obs"], done)
                compared[done] = np.stack(info["final_obs"][done])
            np.testing.assert_array_equal(compared, expected)
            if not done.any():
                continue
            if mode == AutoresetMode.NEXT_STEP:
                # The next step resets on both sides, with zero rewards, whatever the actions.
                _, reward, *_ = theirs.step(actions)
                observations, rewards, *ends, _ = ours.step(actions)
                np.testing.assert_array_equal(rewards[done], 0)
                self.assertFalse(np.any(np.array(ends)[:, done]))
            else:
                for i in np.flatnonzero(done):
                    theirs.envs[i].reset()
                theirs._autoreset_envs[:] = False
            for i in np.flatnonzero(done):
                synchronise(i)

    def test_hopper_falls_next_step(self):
        self.compare("mo-hopper-v5", AutoresetMode.NEXT_STEP)

    def test_hopper_falls_same_step(self):
        self.compare("mo-hopper-v5", AutoresetMode.SAME_STEP)

    def test_cheetah_runs_out_of_time_next_step(self):
        self.compare("mo-halfcheetah-v5", AutoresetMode.NEXT_STEP)

    def test_cheetah_runs_out_of_time_same_step(self):
        self.compare("mo-halfcheetah-v5", AutoresetMode.SAME_STEP, count=1)

    def test_ant_next_step(self):
        self.compare("mo-ant-v5", AutoresetMode.NEXT_STEP, count=1)

    def test_ant_same_step(self):
        self.compare("mo-ant-v5", AutoresetMode.SAME_STEP, count=1)

    def test_humanoid_same_step(self):
        self.compare("mo-humanoid-v5", AutoresetMode.SAME_STEP)


class OneRobot(unittest.TestCase):
    def test_passes_the_checker(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            check_env(gymnasium.make(CHEETAH).unwrapped, skip_render_check=True)
        texts = [str(one.message) for one in caught]
        # Rewards are vectors, and Gymnasium's own v5 has unbounded observations too.
        allowed = ("reward", "infinity")
        self.assertFalse([text for text in texts if not any(word in text for word in allowed)], texts)

    def test_spaces_are_those_of_mo_gymnasium(self):
        for name in ("mo-halfcheetah-v5", "mo-hopper-v5", "mo-humanoid-v5", "mo-ant-v5"):
            ours, theirs = gymnasium.make(f"rhumb/{name}"), mo_gymnasium.make(name)
            self.assertEqual(ours.observation_space, theirs.observation_space)
            self.assertEqual(ours.action_space, theirs.action_space)
            self.assertEqual(ours.unwrapped.reward_space.shape, theirs.unwrapped.reward_space.shape)
            self.assertEqual(ours.unwrapped.reward_dim, theirs.unwrapped.reward_dim)

    def test_seeds(self):
        env = gymnasium.make(CHEETAH)
        first, second = env.reset(seed=4)[0], env.reset()[0]
        self.assertTrue((first != second).any())
        np.testing.assert_array_equal(env.reset(seed=4)[0], first)
        np.testing.assert_array_equal(env.reset()[0], second)
        many = gymnasium.make_vec(CHEETAH, num_envs=3)
        np.testing.assert_array_equal(many.reset(seed=2)[0][2], first)
        np.testing.assert_array_equal(many.reset(seed=[9, None, 4])[0][2], first)
        self.assertTrue((many.reset()[0][2] == second).all())

    def test_wrappers_of_mo_gymnasium(self):
        env = mo_gymnasium.wrappers.LinearReward(gymnasium.make(CHEETAH), weight=np.array([0.5, 0.5]))
        env.reset(seed=1)
        _, reward, _, _, info = env.step(np.ones(6, np.float32))
        self.assertAlmostEqual(reward, info["vector_reward"].sum() / 2, places=5)
        env = mo_gymnasium.wrappers.MORecordEpisodeStatistics(
            mo_gymnasium.wrappers.MONormalizeReward(gymnasium.make("rhumb/mo-hopper-v5"), idx=0)
        )
        env.reset(seed=1)
        ended = False
        while not ended:
            *_, terminated, truncated, info = env.step(env.action_space.sample())
            ended = terminated or truncated
        self.assertEqual(info["episode"]["r"].shape, (3,))

    def test_draws(self):
        env = gymnasium.make(CHEETAH, render_mode="rgb_array", width=64, height=48)
        env.reset(seed=1)
        pixels = env.render()
        self.assertEqual(pixels.shape, (48, 64, 3))
        self.assertGreater(pixels.std(), 5)

    def test_your_own_robot(self):
        name = rhumb.register(SOURCE / "examples/crawler/crawler.toml")
        env = gymnasium.make_vec(name, num_envs=2)
        env.reset(seed=1)
        _, rewards, *_ = env.step(env.action_space.sample())
        self.assertEqual(rewards.shape, (2, len(env.unwrapped.reward_names)))
        self.assertEqual(env.unwrapped.quantity("time").shape, (2,))
        with self.assertRaisesRegex(rhumb.Error, "does not exist|cannot"):
            rhumb.register("nothing.toml")


class ManyRobots(unittest.TestCase):
    def test_disabled_autoreset_takes_a_mask(self):
        env = gymnasium.make_vec("rhumb/mo-hopper-v5", num_envs=3, autoreset_mode="Disabled")
        env.reset(seed=1)
        ended = np.zeros(3, bool)
        while not ended.any():
            observations, _, terminated, truncated, _ = env.step(env.action_space.sample())
            ended = terminated | truncated
        with self.assertRaisesRegex(rhumb.Error, "has ended; reset it first"):
            env.step(env.action_space.sample())
        after, _ = env.reset(options={"reset_mask": ended})
        np.testing.assert_array_equal(after[~ended], observations[~ended])
        self.assertTrue((after[ended] != observations[ended]).any())
        env.step(env.action_space.sample())

    def test_record_episode_statistics_of_gymnasium(self):
        env = gymnasium.make_vec("rhumb/mo-hopper-v5", num_envs=2)
        wrapped = mo_gymnasium.wrappers.vector.MORecordEpisodeStatistics(env)
        wrapped.reset(seed=1)
        for _ in range(200):
            *_, info = wrapped.step(wrapped.action_space.sample())
            if "episode" in info:
                self.assertEqual(np.shape(info["episode"]["r"]), (2, 3))
                return
        self.fail("no episode ended")

    def test_bad_input_is_one_sentence(self):
        env = gymnasium.make_vec(CHEETAH, num_envs=2)
        with self.assertRaisesRegex(rhumb.Error, "never reset"):
            env.step(np.zeros((2, 6)))
        env.reset(seed=0)
        bad = np.zeros((2, 6))
        bad[1, 3] = np.nan
        for text, call in {
            r"actions\[1, 3\] is nan": lambda: env.step(bad),
            r"actions has the shape \[2, 5\]": lambda: env.step(np.zeros((2, 5))),
            r"actions has the shape \[6\]": lambda: env.step(np.zeros(6)),
            "not an array of numbers": lambda: env.step("left"),
            "the seed is -3": lambda: env.reset(seed=-3),
            "3 seeds for 2": lambda: env.reset(seed=[1, 2, 3]),
            "reset_mask must be 2 booleans": lambda: env.reset(options={"reset_mask": [1, 2, 3]}),
            "qpos has the shape": lambda: env.set_state(0, np.zeros(3), np.zeros(9)),
            "environment 7": lambda: env.state(7),
            "no quantity 'height'": lambda: env.quantity("height"),
            "num_envs is 0": lambda: gymnasium.make_vec(CHEETAH, num_envs=0),
            "threads is -1": lambda: gymnasium.make_vec(CHEETAH, num_envs=1, threads=-1),
            "autoreset_mode is 'never'": lambda: gymnasium.make_vec(CHEETAH, num_envs=1, autoreset_mode="never"),
            "unknown|known": lambda: gymnasium.make(CHEETAH, rewards="nice"),
            "render_mode is 'ansi'": lambda: gymnasium.make(CHEETAH, render_mode="ansi"),
        }.items():
            with self.subTest(text), self.assertRaisesRegex(rhumb.Error, text):
                call()
        env.step(np.zeros((2, 6)))
        env.close()
        with self.assertRaisesRegex(rhumb.Error, "is closed"):
            env.step(np.zeros((2, 6)))

    def test_nothing_leaks(self):
        import steering_test

        env = gymnasium.make_vec("rhumb/point-v0", num_envs=4)
        env.reset(seed=0)
        actions = np.zeros(env.action_space.shape, np.float32)
        for _ in range(1000):
            env.step(actions)
        before = steering_test.rss_kb()
        for i in range(10000):
            env.step(actions)
            if i % 100 == 0:
                env.reset()
                gymnasium.make("rhumb/point-v0").reset(seed=1)
        self.assertLess(steering_test.rss_kb() - before, 2048)


if __name__ == "__main__":
    unittest.main()
