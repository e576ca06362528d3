"""`rhumb evaluate front` on a model that can be computed by hand (steer_runs.py).

With mean actions a code (a, b) costs 100 (a^2 + b^2). The stored values say so, and a speed of 10 a. So
the codes (a, 0) are chosen, and fresh rollouts value them."""

import json
import pathlib
import tempfile
import unittest

import model_runs
import steer_runs


class Front(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)
        cls.model = steer_runs.make_model(cls.path / "m", grounded=["mean"])
        grid = [(a / 4, b / 4) for a in range(5) for b in range(5)]
        values = [number for a, b in grid for number in (10 * a, -100 * (a**2 + b**2))]
        arrays = {"grounded.mean.rolled_out.values": steer_runs.floats([25, 2], *values)}
        steer_runs.replace_arrays(cls.model, arrays)
        model_runs.seal(cls.model)

    def evaluate(self, *arguments):
        return model_runs.rhumb("evaluate", "front", *arguments, "--threads", 2)

    def ask(self, *arguments):
        result = self.evaluate(self.model, "--mode", "mean", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def expect_bad_input(self, result, *parts):
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_by_hand(self):
        document = self.ask("--reference", "x_velocity=-20 energy=-300", "--rollouts", 3)
        self.assertEqual(document["objectives"], ["x_velocity", "energy"])
        self.assertEqual((document["mode"], document["rollouts"], document["discount"]), ("mean", 3, 0.99))
        self.assertEqual(len(document["tried"]["map"]), 25)
        plain, discounted = document["tables"]
        self.assertEqual((plain["discounted"], discounted["discounted"]), (False, True))
        self.assertEqual(plain["references"], [{"x_velocity": -20, "energy": -300}])
        self.assertEqual(discounted["references"], [{"x_velocity": -100, "energy": -100}])
        self.assertEqual([front["source"] for front in plain["fronts"]], ["map", "training labels"])
        self.assertEqual([front["source"] for front in discounted["fronts"]], ["map"])
        front = plain["fronts"][0]
        self.assertEqual((front["tried"], front["chosen"], front["actions"]), (25, 5, "mean"))
        self.assertGreater(front["cardinality"], 2)
        # The volume of a few boxes, from the points.
        points = sorted(front["points"])
        self.assertEqual(len(points), front["cardinality"])
        volume, left = 0, -20
        for i, (x, y) in enumerate(points):
            volume += (x - left) * (y + 300)
            left = x
        self.assertAlmostEqual(front["hypervolume"][0]["value"] / volume, 1, places=4)
        for number, (_, energy) in zip(front["numbers"], front["points"], strict=True):
            self.assertEqual(number % 5, 0)
            self.assertAlmostEqual(energy, -100 * (number / 5) ** 2 / 16, places=2)
        ratio = plain["compared"][0]
        self.assertEqual((ratio["source"], ratio["with"]), ("map", "training labels"))
        self.assertLessEqual(ratio["low"], ratio["high"])
        # Equal seeds give equal bits, whatever the number of simulations.
        self.assertEqual(
            self.ask("--reference", "x_velocity=-20 energy=-300", "--rollouts", 3, "--set", "batch=3"), document
        )

    def test_table(self):
        result = self.evaluate(self.model, "--mode", "mean", "--rollouts", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in (
            "reference point 1: x_velocity 0, energy -200 (default: the worst that was tried)",
            "hypervolume 1, map / training labels",
            "hypervolume 1 of map by the values that chose, luck included",
            "training labels: one episode each, which chooses and values; luck counts",
            "discounted returns, 0.99 per step",
        ):
            self.assertIn(words, result.stdout)

    def test_of_policies(self):
        population, dataset, _ = model_runs.make_all(self.path, model_runs.TINY_POPULATION, model_runs.TINY_DATASET)
        result = self.evaluate("--population", population, "--data", dataset, "--json", "--rollouts", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(sorted(document["tried"]), ["dataset", "population"])
        for table in document["tables"]:
            self.assertEqual([front["source"] for front in table["fronts"]], ["dataset", "population"])
            for front in table["fronts"]:
                self.assertGreaterEqual(front["tried"], front["cardinality"])
                self.assertGreaterEqual(front["hypervolume"][0]["value"], 0)

    def test_bad_input(self):
        self.expect_bad_input(self.evaluate(), "MODEL", "--population")
        self.expect_bad_input(self.evaluate(self.path / "none"), "none")
        self.expect_bad_input(self.evaluate(self.model), "sampled", "ground")
        self.expect_bad_input(self.evaluate(self.model, "--reference", "x_velocity=0"), "energy", "missing")
        self.expect_bad_input(self.evaluate(self.model, "--set", "discount=1.5"), "discount")
        self.expect_bad_input(self.evaluate(self.model, "--rollouts", -1), "rollouts")
        self.expect_bad_input(self.evaluate(self.model, "--picture", self.path / "front.bmp"), "front.bmp")


if __name__ == "__main__":
    unittest.main()
