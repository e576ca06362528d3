"""Round trips of datasets through the real Minari package give equal numbers.

    RHUMB_BIN=path/to/rhumb python tests/data/minari_test.py

Needs minari 0.5, gymnasium, h5py and pillow.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings
import zlib

import gymnasium
import h5py
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer

OBSERVATION, ACTION, OBJECTIVES = 3, 2, 2
LENGTHS = [40, 33, 50, 12, 32]  # the fourth is below the default minimum of 32 steps
WRITTEN = [0, 1, 2, 4]
INFO_WIDTHS = {"raw_action": ACTION, "action_mean": ACTION, "quantities": 2}


def random_episode(generator, index, steps):
    """An episode as a Rhumb rollout records it, in Minari's buffer."""

    def rows(count, *columns):
        return generator.normal(size=(count, *columns)).astype(np.float32)

    infos = {name: rows(steps, width) for name, width in INFO_WIDTHS.items()}
    infos["action_std"] = np.abs(rows(1, ACTION))
    infos["qpos"] = rows(steps + 1, 2)
    infos["qvel"] = rows(steps + 1, 2)
    infos["vector_reward"] = rows(steps, OBJECTIVES)
    infos["policy"] = np.array([index // 2], dtype=np.int64)
    truncations = np.zeros(steps, dtype=bool)
    truncations[-1] = True
    return EpisodeBuffer(
        seed=7 + index,
        observations=rows(steps + 1, OBSERVATION),
        actions=rows(steps, ACTION).clip(-0.4, 0.4),
        rewards=rows(steps),
        terminations=np.zeros(steps, dtype=bool),
        truncations=truncations,
        infos=infos,
    )


def save(dataset_id, episodes, observation_space=None):
    box = gymnasium.spaces.Box
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # author, code link and environment are missing on purpose
        return minari.create_dataset_from_buffers(
            dataset_id,
            episodes,
            observation_space=observation_space or box(-np.inf, np.inf, (OBSERVATION,), np.float32),
            action_space=box(-0.4, 0.4, (ACTION,), np.float32),
        )


def save_again(dataset_id, dataset):
    """A copy of `dataset` that Minari reads and writes."""
    return save(
        dataset_id,
        [
            EpisodeBuffer(
                seed=7 + index,
                observations=episode.observations,
                actions=episode.actions,
                rewards=episode.rewards,
                terminations=episode.terminations,
                truncations=episode.truncations,
                infos=episode.infos,
            )
            for index, episode in enumerate(dataset.iterate_episodes())
        ],
    )


class Minari(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.environ["MINARI_DATASETS_PATH"] = folder.name
        generator = np.random.default_rng(3)
        self.recorded = [random_episode(generator, *item) for item in enumerate(LENGTHS)]

    def rhumb(self, *arguments):
        command = [os.environ["RHUMB_BIN"], "dataset", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    def import_folder(self, source, target, *arguments):
        done = self.rhumb("import", self.folder / source, "--out", self.folder / target, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return minari.load_dataset(target)

    def refusal(self, source, *arguments):
        target = self.folder / "no-v0"
        done = self.rhumb("import", self.folder / source, "--out", target, *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse(target.exists())
        return done.stderr

    def assert_infos_equal(self, ours, theirs, place):
        self.assertEqual(set(ours), set(theirs), place)
        for name, values in theirs.items():
            np.testing.assert_array_equal(ours[name], values, f"{place}/{name}")
            self.assertEqual(ours[name].dtype, values.dtype, f"{place}/{name}")

    def assert_equal(self, dataset, recorded):
        self.assertEqual(dataset.total_episodes, len(recorded))
        self.assertEqual(dataset.total_steps, sum(len(episode.rewards) for episode in recorded))
        for ours, theirs in zip(dataset.iterate_episodes(), recorded):
            for name in ("observations", "actions", "rewards", "terminations", "truncations"):
                values = getattr(theirs, name)
                np.testing.assert_array_equal(getattr(ours, name), values, name)
                self.assertEqual(getattr(ours, name).dtype, values.dtype, name)
            self.assert_infos_equal(ours.infos, theirs.infos, f"episode {ours.id}")

    def test_round_trip(self):
        save("recorded-v0", self.recorded)
        kept = [self.recorded[i] for i in WRITTEN]
        ours = self.import_folder("recorded-v0", "ours-v0")
        self.assert_equal(ours, kept)
        # Minari copies our file; we read the copy.
        save_again("copied-v0", ours)
        self.assert_equal(self.import_folder("copied-v0", "again-v0"), kept)
        index = json.loads((self.folder / "again-v0" / "dataset.json").read_text())
        self.assertEqual(index["episodes"]["policy"], [0, 0, 1, 2])
        returns = [episode.infos["vector_reward"].sum(0, dtype=np.float64) for episode in kept]
        np.testing.assert_allclose(index["episodes"]["returns"], returns, rtol=1e-12)

    def test_minari_knows_all_it_asks_for(self):
        save("recorded-v0", self.recorded)
        dataset = self.import_folder("recorded-v0", "ours-v0")
        self.assertEqual(dataset.spec.dataset_id, "ours-v0")
        self.assertIn("ours-v0", minari.list_local_datasets())
        self.assertEqual(dataset.action_space, gymnasium.spaces.Box(-0.4, 0.4, (ACTION,)))
        self.assertEqual(dataset.observation_space.shape, (OBSERVATION,))
        metadata = dataset.storage.get_episode_metadata(range(4))
        self.assertEqual([entry["seed"] for entry in metadata], [7, 8, 9, 11])
        self.assertEqual(len(dataset.filter_episodes(lambda episode: len(episode) == 50)), 1)
        self.assertEqual(dataset.sample_episodes(2)[0].observations.shape[1], OBSERVATION)

    def test_export(self):
        save("recorded-v0", self.recorded)
        self.import_folder("recorded-v0", "ours-v0")
        done = self.rhumb("export", self.folder / "ours-v0", "--out", self.folder / "plain-v3")
        self.assertEqual(done.returncode, 0, done.stderr)
        dataset = minari.load_dataset("plain-v3")
        self.assertEqual(dataset.spec.dataset_id, "plain-v3")
        self.assert_equal(dataset, [self.recorded[i] for i in WRITTEN])

    def test_objectives_from_expressions(self):
        plain = [
            EpisodeBuffer(
                observations=episode.observations.astype(np.float64),
                actions=episode.actions,
                rewards=episode.rewards.tolist(),
                terminations=episode.terminations,
                truncations=episode.truncations,
                infos={
                    # Minari's collector records the reset's info first.
                    "speed": np.arange(len(episode.rewards) + 1, dtype=np.float64),
                    "nested": {"flag": episode.truncations},
                    "text": ["a"] * len(episode.rewards),
                },
            )
            for episode in self.recorded
        ]
        save("plain-v0", plain)
        arguments = ["fast=infos_speed + 0 * infos_nested_flag", "energy=-sum_sq_action",
                     "climb=next_obs_2 - obs_2", "half=0.5 * reward"]
        ours = self.import_folder("plain-v0", "ours-v0",
                                  *(word for text in arguments for word in ("--objective", text)))
        for episode, recorded in zip(ours.iterate_episodes(), (self.recorded[i] for i in WRITTEN)):
            actions = recorded.actions.astype(np.float64)
            observations = recorded.observations.astype(np.float64)
            expected = np.stack([
                np.arange(1, len(actions) + 1),
                -np.square(actions).sum(1),
                np.diff(observations[:, 2]),
                0.5 * recorded.rewards,
            ], axis=1)
            # Vector rewards are stored as float32.
            np.testing.assert_allclose(episode.infos["vector_reward"], expected, rtol=1e-6)
            np.testing.assert_array_equal(episode.infos["quantities"][:, 1], expected[:, 0])
        # Without expressions the reward is the only objective.
        ours = self.import_folder("plain-v0", "single-v0")
        for episode in ours.iterate_episodes():
            np.testing.assert_array_equal(episode.infos["vector_reward"][:, 0], episode.rewards)

    def test_what_is_not_supported_is_said(self):
        self.assertIn("is not a Minari dataset", self.refusal("missing-v0"))
        space = gymnasium.spaces.Dict({"goal": gymnasium.spaces.Box(-1, 1, (1,))})
        episode = self.recorded[0]
        goals = EpisodeBuffer(
            observations={"goal": np.zeros((41, 1), np.float32)},
            actions=episode.actions,
            rewards=episode.rewards,
            terminations=episode.terminations,
            truncations=episode.truncations,
        )
        save("goals-v0", [goals], space)
        self.assertIn("is a dictionary or tuple (goal)", self.refusal("goals-v0"))
        save("recorded-v0", self.recorded)
        self.assertIn("did you mean 'obs_1'", self.refusal("recorded-v0", "--objective", "a=obz_1"))
        self.assertIn("has no '='", self.refusal("recorded-v0", "--objective", "obs_1"))
        message = self.refusal("recorded-v0", "--objective", "a=ln(-1 - obs_0 * obs_0)")
        self.assertIn("episode_0: objective a=ln(-1 - obs_0 * obs_0) is not finite", message)

    def test_damaged_files_are_refused(self):
        save("recorded-v0", self.recorded)
        path = self.folder / "recorded-v0" / "data" / "main_data.hdf5"
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        self.assertIn("main_data.hdf5", self.refusal("recorded-v0"))
        path.write_bytes(whole)
        with h5py.File(path, "a") as file:
            del file["episode_1/actions"]
            file["episode_1/actions"] = np.zeros((33, 5), np.float32)
        self.assertIn("episode_1/actions has 33 rows of 5 numbers, not 33 of 2",
                      self.refusal("recorded-v0"))
        with h5py.File(path, "a") as file:
            del file["episode_1/actions"]
            file["episode_1/actions"] = h5py.ExternalLink("/elsewhere.hdf5", "/actions")
        self.assertIn("a link to another place", self.refusal("recorded-v0"))
        with h5py.File(path, "a") as file:
            del file["episode_1/actions"]
            # Claims a terabyte without data.
            file["episode_1"].create_dataset("actions", (1 << 37, 2), "f4", chunks=(1024, 2))
        self.assertIn("claims 1099511627776 bytes, but 0 are stored", self.refusal("recorded-v0"))

    def test_packed_sizes_are_bounded(self):
        """Deflate packs zeros by a factor of 1000, so a small file can unpack to more than a memory."""
        save("recorded-v0", self.recorded)
        path = self.folder / "recorded-v0" / "data" / "main_data.hdf5"
        for shape, chunks, data in (
            (((1 << 29) + 1, 2), (1024, 2), bytes(5 << 20)),  # 4 GB in one stored chunk of 5 MB
            ((33, 2), (1 << 26, 2), zlib.compress(bytes(8))),  # 33 rows of a chunk of 512 MB
        ):
            with h5py.File(path, "a") as file:
                del file["episode_1/actions"]
                actions = file["episode_1"].create_dataset(
                    "actions", shape, "f4", chunks=chunks, maxshape=(None, 2), compression="gzip"
                )
                actions.id.write_direct_chunk((0, 0), data)
            self.assertIn("actions is too large", self.refusal("recorded-v0"))


if __name__ == "__main__":
    unittest.main()
