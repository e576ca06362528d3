"""`rhumb evaluate paths` on a model whose steering can be computed by hand (steer_runs.py)."""

import json
import unittest

import model_runs
from steer_runs import SteerCase


class Paths(SteerCase):
    def evaluate(self, *arguments):
        return model_runs.rhumb("evaluate", "paths", *arguments, "--threads", 2)

    def ask(self, *arguments):
        result = self.evaluate(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def expect_bad_input(self, result, *parts):
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for part in parts:
            self.assertIn(str(part), result.stderr)

    def test_by_hand(self):
        """From (0, 0), with speed 5 and energy 0, to 10: (0.5, 0), with energy -25."""
        line = {"init": 0, "target": {"x_velocity": 10}, "require": ["energy>=-40"]}
        file = self.write("q.jsonl", line)
        document = self.ask(self.model, "--queries", file, "--mode", "mean", "--rollouts", 2)
        self.assertEqual((document["mode"], document["rollouts"]), ("mean", 2))
        self.assertEqual(document["environment"], "point-v0")
        self.assertEqual(document["source"], f"queries of {file}")
        self.assertEqual(document["landscape"]["codes"], [[0, 0], [1, 0], [0, 1]])
        self.assertEqual(document["landscape"]["labels"], [[5, 0], [15, -100], [5, -100]])
        (query,) = document["queries"]
        self.assertEqual(query["target"], {"x_velocity": 10})
        self.assertEqual(query["require"], ["energy >= -40"])
        self.assertEqual((query["init"], query["start"]), (0, 0))
        self.assertEqual([path["method"] for path in query["paths"]], ["projected", "naive"])
        for path in query["paths"]:
            self.assertEqual(path["status"], "solved")
            first, last = path["points"][0], path["points"][-1]
            self.assertEqual((first["iteration"], first["code"], first["distance"]), (0, [0, 0], 0))
            self.assertEqual((first["predicted"], first["realised"][1]), ([5, 0], 0))
            self.assertLessEqual(len(path["points"]), 25)
            self.assertAlmostEqual(last["predicted"][0], 10, delta=0.0126)
            a, b = last["code"]
            self.assertAlmostEqual(last["realised"][1], -100 * (a * a + b * b), delta=0.01)
            self.assertEqual(last["deviation"][1], 0)

    def test_queries_of_the_model(self):
        document = self.ask(self.model, "--set", "points=3", "--rollouts", 1)
        self.assertIn("quantile 0.75 of x_velocity", document["source"])
        self.assertEqual(len(document["queries"]), 3)
        for query in document["queries"]:
            self.assertIn(query["target"]["x_velocity"], (5, 15))
            for path in query["paths"]:
                self.assertLessEqual(len(path["points"]), 3)
        text = self.evaluate(self.model, "--set", "points=2", "--rollouts", 1)
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertEqual(text.stdout.count("bring x_velocity to"), 3)

    def test_bad_input(self):
        self.expect_bad_input(self.evaluate(self.path / "none"), self.path / "none")
        self.expect_bad_input(self.evaluate(self.model, "--mode", "both"), "both", "sampled")
        self.expect_bad_input(self.evaluate(self.model, "--set", "points=1"), "points", "2 to")
        bad = self.write("b.jsonl", {"target": {"speed": 10}})
        self.expect_bad_input(self.evaluate(self.model, "--queries", bad), f"{bad}:1", "speed")


if __name__ == "__main__":
    unittest.main()
