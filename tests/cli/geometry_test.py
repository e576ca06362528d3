"""Tests `rhumb evaluate geometry`."""

import math
import unittest

import model_runs as runs


class Geometry(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        model = {**runs.TINY_MODEL, "dagger.rounds": 0}
        made = runs.make_all(cls.shared, runs.TINY_POPULATION, runs.TINY_DATASET, model)
        _, cls.data, cls.model = made

    def measure(self, *arguments):
        return "evaluate", "geometry", self.model, "--data", self.data, *arguments

    def test_document(self):
        document = self.ask(*self.measure("--set", "contexts=20"))
        self.assertEqual(document["environment"], "point-v0")
        self.assertEqual([own["name"] for own in document["objectives"]], ["x_velocity", "energy"])
        contexts = document["contexts"]
        for name, width in (("codes", 8), ("labels", 2), ("weights", 2)):
            self.assertEqual([len(row) for row in contexts[name]], [width] * 20, name)
        self.assertEqual([[len(z) for z in of_label] for of_label in contexts["projections"]], [[2] * 20] * 2)
        self.assertEqual(len(contexts["split"]), 20)
        for weights in contexts["weights"]:
            self.assertAlmostEqual(sum(weights), 1, places=4)
        mean = sum(math.hypot(*code) for code in contexts["codes"]) / 20
        self.assertAlmostEqual(document["norm"]["mean"] / mean, 1, places=4)
        self.assertLessEqual(document["norm"]["p10"], document["norm"]["p90"])
        shares = document["variance_shares"]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertAlmostEqual(sum(shares), 1, places=3)
        kept = document["dimension"]
        self.assertGreaterEqual(sum(shares[:kept]), 0.9499)
        self.assertLess(sum(shares[: kept - 1]), 0.9501)

    def test_for_people(self):
        text = self.expect_done(runs.rhumb(*self.measure("--set", "contexts=20"))).stdout
        self.assertTrue(text.startswith("20 contexts"), text)
        self.assertIn("of 8 components hold 95 %", text)

    def test_bad_input(self):
        self.expect_bad_input(runs.rhumb(*self.measure("--set", "contexts=0")), "contexts", "0", "1 to")
        self.expect_bad_input(runs.rhumb(*self.measure("--set", "context=9")), "'context'", "'contexts'")
        missing = ("evaluate", "geometry", self.path / "none", "--data", self.data)
        self.expect_bad_input(runs.rhumb(*missing), self.path / "none")


if __name__ == "__main__":
    unittest.main()
