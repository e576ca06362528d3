"""Runs `rhumb dataset` on a population that is trained here in seconds."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

RHUMB = os.environ["RHUMB_BIN"]
LEARN = pathlib.Path(RHUMB).parent.parent / "lib" / "librhumb_learn.so"
QUICK = ["--set", "selection.skip_iterations=0", "--set", "steps_per_policy=300"]


def rhumb(*arguments):
    return subprocess.run(
        [RHUMB, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


@unittest.skipUnless(LEARN.exists(), "the training library is not built")
class Datasets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.population = pathlib.Path(cls.shared.name) / "p"
        settings = ("count=4", "iterations=20", "keep_every=5", "ppo.steps=100", "ppo.hidden=32,32")
        result = rhumb(
            "population", "train", "--env", "point-v0", "--rewards", "two", "--out", cls.population,
            *(word for setting in settings for word in ("--set", setting)),
        )
        assert result.returncode == 0, result.stderr

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def collect(self, *arguments, out="d-v0", population=None):
        return rhumb(
            "dataset", "collect", population or self.population, "--out", self.path / out,
            *QUICK, *arguments,
        )

    def expect_bad_input(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        sentence = result.stderr.strip().splitlines()[-1]
        for word in words:
            self.assertIn(word, sentence)

    def test_collect_and_show(self):
        collected = self.collect("--json", "--threads", 2)
        self.assertEqual(collected.returncode, 0, collected.stderr)
        document = json.loads(collected.stdout)
        counts = document["counts"]
        self.assertEqual(counts["transitions"], 300 * counts["policies"])
        self.assertEqual(counts["episodes"], 3 * counts["policies"])
        self.assertEqual(counts["policies"] + sum(counts["left_out"].values()), 16)

        shown = rhumb("dataset", "show", self.path / "d-v0", "--json")
        statistics = json.loads(shown.stdout)
        self.assertEqual(statistics["environment"], "point-v0")
        self.assertEqual(statistics["counts"], counts)
        self.assertEqual(set(statistics["returns"]), {"x_velocity", "energy"})
        self.assertEqual(len(statistics["policies"]), counts["policies"])

        table = rhumb("dataset", "show", self.path / "d-v0")
        self.assertEqual(table.returncode, 0, table.stderr)
        for word in ("point-v0 (rewards two)", "x_velocity", "held_out_weight", "agent", "MB"):
            self.assertIn(word, table.stdout)

    def test_hole(self):
        """Removes a third of the policies that are not held out; the rest stays unchanged."""
        self.assertEqual(self.collect().returncode, 0)
        dug = self.collect("--set", "split.hole=0.34", "--json", out="h-v0")
        self.assertEqual(dug.returncode, 0, dug.stderr)
        whole, hole = (
            json.loads(rhumb("dataset", "show", self.path / name, "--json").stdout)
            for name in ("d-v0", "h-v0")
        )
        before, after = whole["counts"]["splits"], hole["counts"]["splits"]
        self.assertEqual(set(before), {"train", "held_out_checkpoint", "held_out_weight"})
        self.assertEqual(set(after), {*before, "hole"})
        self.assertGreater(after["hole"]["policies"], 0)
        self.assertEqual(
            after["hole"]["policies"] + after["train"]["policies"], before["train"]["policies"]
        )
        for split in ("held_out_checkpoint", "held_out_weight"):
            self.assertEqual(after[split], before[split])
        self.assertNotIn("hole", rhumb("dataset", "show", self.path / "d-v0").stdout)
        self.assertIn("hole", rhumb("dataset", "show", self.path / "h-v0").stdout)
        exported = rhumb(
            "dataset", "export", self.path / "h-v0", "--out", self.path / "t-v0", "--split", "hole"
        )
        self.assertEqual(exported.returncode, 0, exported.stderr)
        metadata = json.loads((self.path / "t-v0" / "data" / "metadata.json").read_text())
        self.assertEqual(metadata["total_episodes"], after["hole"]["episodes"])
        self.expect_bad_input(self.collect("--set", "split.hole=0.6", out="x"), "0.6", "0.5")

    def test_a_dataset_is_not_overwritten(self):
        self.assertEqual(self.collect().returncode, 0)
        before = (self.path / "d-v0" / "manifest.json").read_bytes()
        repeated = self.collect()
        self.assertEqual(repeated.returncode, 0, repeated.stderr)
        self.assertIn("nothing to do", repeated.stderr)
        self.expect_bad_input(self.collect("--seed", "9"), "d-v0", "its 'seed' is")
        self.assertEqual((self.path / "d-v0" / "manifest.json").read_bytes(), before)

    def test_keep_unstable(self):
        # No variation is below 0, so no policy is stable.
        strict = ("--set", "selection.max_variation=0", "--set", "selection.stationary_fraction=0")
        self.expect_bad_input(self.collect(*strict), "no episode is left", "16 variable")
        kept = self.collect(*strict, "--keep-unstable", "--json")
        self.assertEqual(json.loads(kept.stdout)["counts"]["policies"], 16, kept.stderr)

    def test_export_and_import_give_the_numbers_back(self):
        self.assertEqual(self.collect().returncode, 0)
        exported = rhumb("dataset", "export", self.path / "d-v0", "--out", self.path / "m-v0")
        self.assertEqual(exported.returncode, 0, exported.stderr)
        back = rhumb("dataset", "import", self.path / "m-v0", "--out", self.path / "back-v0")
        self.assertEqual(back.returncode, 0, back.stderr)
        ours, theirs = (
            json.loads((self.path / name / "dataset.json").read_text())
            for name in ("d-v0", "back-v0")
        )
        self.assertEqual(ours["episodes"]["steps"], theirs["episodes"]["steps"])
        for mine, other in zip(ours["episodes"]["returns"], theirs["episodes"]["returns"]):
            for a, b in zip(mine, other):
                # Theirs are sums of float32 values.
                self.assertAlmostEqual(a, b, delta=1e-4)
        train = rhumb(
            "dataset", "export", self.path / "d-v0", "--out", self.path / "t-v0", "--split", "train"
        )
        self.assertEqual(train.returncode, 0, train.stderr)
        metadata = json.loads((self.path / "t-v0" / "data" / "metadata.json").read_text())
        counts = json.loads((self.path / "d-v0" / "manifest.json").read_text())["counts"]
        self.assertEqual(metadata["total_episodes"], counts["splits"]["train"]["episodes"])

    def test_bad_input(self):
        self.expect_bad_input(
            self.collect(population=self.path / "none"), "there is no folder"
        )
        self.expect_bad_input(self.collect("--set", "step_per_policy=3"), "steps_per_policy")
        self.expect_bad_input(
            rhumb("dataset", "show", self.population), "is a population, not a dataset"
        )
        self.expect_bad_input(rhumb("dataset", "show", self.path / "gone"), "gone")
        self.assertEqual(list(self.path.iterdir()), [])

    def test_interrupted_leaves_nothing(self):
        process = subprocess.Popen(
            [RHUMB, "dataset", "collect", self.population, "--out", self.path / "d-v0",
             "--set", "selection.skip_iterations=0", "--set", "steps_per_policy=100000000"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not list(self.path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("nothing was written", errors)
        self.assertEqual(list(self.path.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
