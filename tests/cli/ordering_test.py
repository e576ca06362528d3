"""Tests `rhumb evaluate ordering`, `context` and `control-functional`."""

import unittest

import model_runs as runs


class ModelMeasurements(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        model = {**runs.TINY_MODEL, "dagger.rounds": 0}
        made = runs.make_all(cls.shared, runs.TINY_POPULATION, runs.TINY_DATASET, model)
        _, cls.data, cls.model = made

    def measure(self, name, *arguments):
        return "evaluate", name, self.model, "--data", self.data, *arguments

    def test_ordering(self):
        report = self.ask(*self.measure("ordering", "--set", "triples=1000", "--set", "deltas=4"))
        self.assertEqual(report["labels"], ["x_velocity", "energy"])
        self.assertEqual(report["environment"], "point-v0")
        for own in report["splits"].values():
            for label in report["labels"]:
                for space in ("z", "h"):
                    score = own["ordering"][label][space]
                    self.assertEqual(score["triples"], 1000)
                    self.assertLessEqual(score["margin"]["q10"], score["margin"]["q90"])
                    (strict,) = score["strict"]
                    self.assertEqual((strict["delta"], strict["margin"]), (4, 0.25))
                    # The labels are real numbers, so no label is equally near to two others.
                    self.assertEqual(score["ties"], 0)
                    self.assertLessEqual(strict["share"], score["share"])
        text = self.expect_done(runs.rhumb(*self.measure("ordering"))).stdout
        self.assertIn("δ = 100", text)
        self.assertEqual(sum(line.startswith("train ") for line in text.splitlines()), 4)

    def test_context(self):
        report = self.ask(*self.measure("context", "--set", "sizes=2,8,32"))
        self.assertEqual(report["trained_context"], 8)
        self.assertNotIn("train", report["splits"])
        for own in report["splits"].values():
            self.assertEqual([row["context"] for row in own["rows"]], [2, 8, 32])
            spreads = [row["spread"] for row in own["rows"]]
            self.assertEqual(spreads, sorted(spreads, reverse=True))
            self.assertLess(own["spread_rate"], 0)
        text = self.expect_done(runs.rhumb(*self.measure("context"))).stdout
        self.assertIn("contexts of 8 pairs", text)

    def test_bad_input(self):
        for name, setting, parts in (
            ("ordering", "triple=5", ("'triple'", "'triples'")),
            ("ordering", "codes=some", ("codes", "'some'", "mean")),
            ("context", "sizes=8,0", ("sizes", "0", "1 to")),
            ("context", "sizes=8.5", ("sizes", "8.5")),
        ):
            with self.subTest(setting):
                self.expect_bad_input(runs.rhumb(*self.measure(name, "--set", setting)), *parts)
        for name in ("ordering", "context"):
            missing = ("evaluate", name, self.path / "none", "--data", self.data)
            self.expect_bad_input(runs.rhumb(*missing), self.path / "none")


class ControlFunctionals(unittest.TestCase):
    """These need no model."""

    def test_rates(self):
        result = runs.rhumb(
            "evaluate", "control-functional", "--set", "sizes=16,64", "--set", "repeats=20", "--seed", 2
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        rates = [line.split() for line in result.stdout.splitlines() if line.split()[2] == "rate"]
        self.assertEqual([words[0] for words in rates], ["gaussian"] * 2 + ["mixture"] * 2)
        for _, _, _, monte_carlo, control_functional in rates:
            self.assertLess(float(control_functional), float(monte_carlo))

    def test_bad_input(self):
        result = runs.rhumb("evaluate", "control-functional", "--set", "repeats=1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("repeats", result.stderr)


if __name__ == "__main__":
    unittest.main()
