"""Children of a population: those of a trunk, and those that train on other machines than their roots."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import population_test as runs


class Family(unittest.TestCase):
    expect_bad_input = runs.Population.expect_bad_input

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)

    def test_a_trunk_has_the_branches_of_the_list(self):
        out = self.path / "trunk"
        branches = {"weights": "list", "list": "[0.5,0.5]", "child_list": "[1,0,0.25,0.75]", "child_share": 1}
        self.assertEqual(runs.train(out, **branches).returncode, 0)
        document = json.loads((out / "population.json").read_text())
        self.assertEqual(document["weights"], [[0.5, 0.5], [1, 0], [0.25, 0.75]])
        self.assertEqual([agent["parent"] for agent in document["agents"]], [None, 0, 0])
        self.assertEqual(document["agents"][2]["curves"]["iteration"], list(range(25, 49)))
        result = runs.train(self.path / "both", children=1, **branches)
        self.expect_bad_input(result, "children = 1, and child_list names 4 numbers")

    def test_a_child_may_train_away_from_its_roots(self):
        """Roots that kept their states are enough. The family is the one that trains together."""
        together = self.path / "together"
        self.assertEqual(runs.train(together, children=1).returncode, 0)
        parts = [self.path / name for name in ("a", "b", "c", "d")]
        for part, agents in zip(parts[:2], ("0,2", "1")):
            self.assertEqual(runs.train(part, "--agents", agents, "--keep-states", children=1).returncode, 0)
        roots = ",".join(map(str, parts[:2]))
        for part, agent in zip(parts[2:], "34"):
            result = runs.train(part, "--agents", agent, "--roots", roots, children=1)
            self.assertEqual(result.returncode, 0, result.stderr)
        out = self.path / "merged"
        merged = [runs.RHUMB, "population", "merge", *parts, "--out", out]
        subprocess.run(list(map(str, merged)), check=True, capture_output=True)
        self.assertEqual(runs.hashes(out), runs.hashes(together))
        self.assertEqual((out / "population.json").read_bytes(), (together / "population.json").read_bytes())
        self.assertFalse((out / "states").exists())
        # What is missing or does not belong is named.
        wrong = runs.train(self.path / "e", "--agents", "3", "--roots", parts[0], children=1)
        self.expect_bad_input(wrong, "agent 3 starts from", "agent 1 is not among the roots")
        wrong = runs.train(self.path / "f", "--agents", "3", "--roots", roots, children=1, seed=2)
        self.expect_bad_input(wrong, parts[0], "its seed differs")
        self.assertEqual(runs.train(self.path / "g", "--agents", "0,1,2", children=1).returncode, 0)
        wrong = runs.train(self.path / "h", "--agents", "3", "--roots", self.path / "g", children=1)
        self.expect_bad_input(wrong, self.path / "g", "no training state of agent 0")


if __name__ == "__main__":
    unittest.main()
