"""`rhumb units`: a run as units of work, on one machine and in several folders."""

import json
import shutil
import unittest

import model_runs as runs

# Two roots and a child of the point mass, in about a second each.
SETTINGS = {
    "count": 2, "children": 1, "iterations": 8, "keep_every": 2, "ppo.environments": 4, "ppo.steps": 100,
    "ppo.hidden": "16",
}  # fmt: skip
PARTS = [f"population.parts/00{i}" for i in range(3)]
WORDS = ["--env", "point-v0", "--rewards", "two", "--scale", "smoke", "--seed", 3]


def listed(out, *stages, **settings):
    words = [word for key, value in settings.items() for word in ("--set", f"population.{key}={value}")]
    result = runs.rhumb("units", "list", *(stages or ["population"]), "--out", out, *WORDS, *words, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def run(unit, out, *words):
    return runs.rhumb("units", "run", unit, "--in", out, "--threads", 1, *words)


class Units(runs.ModelCase):
    def states(self, out):
        return [unit["state"] for unit in self.ask("units", "list", "population", "--out", out)["units"]]

    def test_the_units_of_a_run(self):
        out = self.path / "run"
        units = {unit["id"]: unit for unit in listed(out, "reproduce", **SETTINGS)["units"]}
        self.assertEqual(list(units)[:4], [*PARTS, "population"])
        self.assertEqual(units[PARTS[2]]["needs"], PARTS[:2])
        self.assertEqual(units["population"]["needs"], PARTS)
        self.assertEqual(units["models/ours.grounded"]["needs"], ["models/ours.attributes"])
        self.assertIn("measures/synthesis/vae-mean.json", units)
        root = units[PARTS[0]]
        self.assertEqual(root["state"], "ready")
        self.assertEqual(root["command"][:3], ["rhumb", "population", "train"])
        self.assertTrue(all(len(one["sha256"]) == 64 for one in root["inputs"]))
        self.assertEqual(root["outputs"], [{"path": PARTS[0], "sha256": None}])
        self.assertEqual((root["threads"], root["gpus"]), (1, 0))
        self.assertGreater(root["seconds"], units[PARTS[2]]["seconds"])
        for unit in units.values():
            self.assertGreater(unit["memory_mb"], 0)
            self.assertIn(unit["state"], ("ready", "waiting"))
        self.assertIn("about", runs.rhumb("units", "list", "population", "--out", out).stdout)

    def test_units_in_several_folders_are_the_whole(self):
        """One machine trains a root, another the rest; `reproduce`'s own command gives the same population."""
        folders = [self.path / name for name in "ab"]
        for folder in folders:
            listed(folder, **SETTINGS)
        self.expect_done(run(PARTS[0], folders[0]))
        self.expect_done(run(PARTS[1], folders[1]))
        said = self.ask("units", "merge", folders[0], "--out", folders[1])
        self.assertEqual(said["taken"], [PARTS[0]])
        self.assertEqual(self.states(folders[1]), ["done", "done", "ready", "waiting"])
        self.expect_done(run(PARTS[2], folders[1]))
        said = json.loads(self.expect_done(run("population", folders[1], "--json")).stdout)
        self.assertTrue(said["ran"])
        self.assertEqual(self.states(folders[1]), ["done"] * 4)
        self.assertFalse(json.loads(run("population", folders[1], "--json").stdout)["ran"])
        command = json.loads((folders[1] / "population.stamp").read_text())["command"]
        alone = runs.rhumb(*command, cwd=self.copy_of_robot(folders[1]))
        self.expect_done(alone)
        for name, data in runs.contents(self.path / "alone" / "population").items():
            if name.startswith("agents/") or name == "population.json":
                self.assertEqual((folders[1] / "population" / name).read_bytes(), data, name)

    def copy_of_robot(self, folder):
        shutil.copytree(folder / "environment", self.path / "alone" / "environment")
        return self.path / "alone"

    def test_bad_input(self):
        out = self.path / "run"
        self.expect_bad_input(runs.rhumb("units", "list", "population", "--out", out), "give --env")
        listed(out, **SETTINGS)
        self.expect_bad_input(run("population.parts/3", out), "node ", "'population.parts/3'", "population.parts/000")
        self.expect_bad_input(run("population", out), "node ", PARTS[0])
        self.expect_bad_input(run(PARTS[0], self.path), "node ", "has no run")
        self.expect_bad_input(runs.rhumb("units", "list", "models", "--out", out), "unknown stage 'models'", "'model'")
        self.expect_bad_input(
            runs.rhumb("units", "list", "population", "--out", out, "--agents-per-unit", 2), "agents_per_unit = 1, not 2"
        )
        self.expect_bad_input(
            runs.rhumb("units", "list", "population", "--out", out, *WORDS, "--set", "population.cuont=3"), "population.cuont"
        )
        self.expect_bad_input(
            runs.rhumb("units", "list", "population", "--out", out, *WORDS, "--set", "population.count=3"), "another reproduction"
        )
        other = self.path / "other"
        listed(other, **{**SETTINGS, "count": 3})
        self.expect_bad_input(runs.rhumb("units", "merge", other, "--out", out), "different runs", "population")

    def test_another_version_is_refused_before_anything_is_made(self):
        out = self.path / "run"
        listed(out, **SETTINGS)
        document = json.loads((out / "reproduce.json").read_text())
        document["units"]["rhumb"] = "0.0.9"
        (out / "reproduce.json").write_text(json.dumps(document))
        before = runs.contents(out)
        self.expect_bad_input(run(PARTS[0], out), "node ", "rhumb", "0.0.9")
        self.assertEqual(runs.contents(out), before)


if __name__ == "__main__":
    unittest.main()
