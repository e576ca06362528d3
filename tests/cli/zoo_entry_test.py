"""tools/make_zoo_entry: from a robot's spec to an entry of the zoo, in one command that goes on where it stopped."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import model_runs as runs

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/make_zoo_entry"
WORDS = ["--env", "point-v0", "--scale", "smoke", "--threads", "1", "--set", "population.iterations=10"]


def make(out, work, *words):
    command = [sys.executable, SCRIPT, *WORDS, "--out", out, "--work", work, *words]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=os.environ, check=False)


class ZooEntry(runs.ModelCase):
    def test_from_a_spec_to_an_entry(self):
        out, work = self.path / "point", self.path / "work"
        self.expect_done(make(out, work, "--no-measures"))
        self.assertEqual(len((out / "tasks.jsonl").read_text().splitlines()), 200)
        task = json.loads((out / "tasks.jsonl").read_text().splitlines()[0])
        self.assertEqual(list(task["target"]), ["x_velocity"])
        self.assertEqual(len(task["require"]), 2)  # the two other returns
        card = (out / "README.md").read_text()
        for stage in ("population train", "dataset collect", "model train", "model add-attribute", "model ground"):
            self.assertIn(f"    rhumb {stage}", card)
        self.assertTrue((out / "held_out.safetensors").exists())

        again = make(out, work)
        self.assertEqual(again.returncode, 2)
        self.assertIn("exists", again.stderr)

        trained = (work / "population/manifest.json").stat().st_mtime_ns
        self.expect_done(make(self.path / "second", work))
        self.assertEqual((work / "population/manifest.json").stat().st_mtime_ns, trained)
        measures = work / "population_measures"
        document = json.loads((measures / "requirements-3.json").read_text())
        self.assertEqual([document["method"], document["beside"][0]["method"]], ["teacher", "imitate"])
        self.assertTrue((measures / "imitation-mean.json").exists())


if __name__ == "__main__":
    unittest.main()
