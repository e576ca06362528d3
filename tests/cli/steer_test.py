"""`rhumb steer` end to end on the point mass: simulated values match the query."""

import json
import os
import random
import unittest

import model_runs as runs
from model_test import DATASET, MODEL, POPULATION

GROUNDING = {"codes": 2000, "episodes": 8}
# An attribute costs all roll-outs again, and needs fewer of them.
FEW = {**GROUNDING, "codes": 400}
# Other codes of the same map: the result of an exhaustive search.
SEARCH = {"codes": 2000, "episodes": 8}

TARGET_MISS, VIOLATION, NEAREST_MISS = 0.05, 0.02, 0.05  # shares of an objective's range


class Steering(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        _, cls.data, cls.model = runs.make_all(cls.shared, POPULATION, DATASET, MODEL)
        cls.searched = cls.ground(cls.shared / "searched", 78, SEARCH)
        cls.model = cls.ground(cls.shared / "g", 1, GROUNDING)
        objectives = runs.document(cls.model)["objectives"]
        cls.names = [one["name"] for one in objectives]
        cls.ranges = {one["name"]: one["max"] - one["min"] for one in objectives}
        cls.known = cls.rolled_out(cls.model)
        cls.found = cls.rolled_out(cls.searched)

    @classmethod
    def ground(cls, out, seed, settings):
        result = runs.rhumb(
            "model", "ground", cls.shared / "m", "--out", out, "--seed", seed,
            "--threads", 2, "--modes", "sampled", *runs.words(settings),
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        return out

    @classmethod
    def rolled_out(cls, model):
        """The realised values of a grounded model's codes, by name."""
        (_, count), values = runs.read_floats(model, "grounded.sampled.rolled_out.values")
        rows = [values[i : i + count] for i in range(0, len(values), count)]
        return [dict(zip(cls.names, row)) for row in rows]

    def steer(self, queries, *arguments):
        """The results of many queries, in their order."""
        file = self.path / "queries.jsonl"
        file.write_text("".join(json.dumps(query) + "\n" for query in queries))
        document = self.ask("steer", self.model, "--batch", file, *arguments)
        self.assertEqual(len(document["results"]), len(queries))
        return document["results"]

    def excess(self, query, values):
        """Largest violation of a requirement, as a share of its range; negative if none."""
        worst = -1
        for text in query["require"]:
            name, low = text.split(">=") if ">=" in text else text.split("<=")
            sign = -1 if ">=" in text else 1
            worst = max(worst, sign * (values[name] - float(low)) / self.ranges[name])
        return worst

    def requirement(self, noise, values, name, slack):
        """A requirement that the values meet with this margin, as a share of the range."""
        by = slack * self.ranges[name]
        low, high = f"{name}>={values[name] - by}", f"{name}<={values[name] + by}"
        return low if noise.random() < 0.5 else high

    def test_what_can_be_had_is_had(self):
        """50 queries, each met by some rolled-out code."""
        noise = random.Random(3)
        queries = []
        for _ in range(50):
            values = noise.choice(self.known)
            target, other = noise.sample(self.names, 2)
            slack = noise.uniform(0.02, 0.1)
            require = [self.requirement(noise, values, other, slack)]
            queries.append({"target": {target: values[target]}, "require": require})
        misses, excesses = [], []
        for query, result in zip(queries, self.steer(queries, "--rollouts", 16, "--seed", 11)):
            self.assertEqual(result["status"], "solved", query)
            realised = result["answers"][0]["realised"]
            values = {name: one["mean"] for name, one in realised.items()}
            ((name, value),) = query["target"].items()
            misses.append(abs(values[name] - value) / self.ranges[name])
            excesses.append(self.excess(query, values))
        print(f"targets missed by {sum(misses) / 50:.4f} in the mean, {max(misses):.4f} at most")
        print(f"requirements violated by {max(excesses):.4f} at most, in shares of the range")
        self.assertLess(max(misses), TARGET_MISS)
        self.assertLess(max(excesses), VIOLATION)

    def roll_out(self, code):
        """The means over fresh episodes."""
        file = self.path / "code.json"
        file.write_text(json.dumps({"code": code}))
        played = self.ask("play", self.model, "--code", file, "--seed", 6, "--set", "episodes=64")
        returns = [one["returns"] for one in played["episodes"]]
        return {name: sum(one[name] for one in returns) / len(returns) for name in self.names}

    def impossible_queries(self, seed):
        """20 queries beyond the exhaustive search's results: (query, target's name, best found)."""
        noise = random.Random(seed)
        queries = []
        for i in range(20):
            query = {"require": []}
            if i % 2:  # fast and yet cheap
                name, other, sign = "x_velocity", "energy", 1
                query["require"].append(f"{other}>={noise.choice(self.found)[other]}")
            else:
                name, sign = noise.choice(self.names), noise.choice((-1, 1))
            best = sign * max(sign * one[name] for one in self.found if self.excess(query, one) <= 0)
            query["target"] = {name: best + sign * noise.uniform(0.12, 0.6) * self.ranges[name]}
            queries.append((query, name, best))
        return queries

    def nearest_misses(self, seed):
        """Distances of the behaviour nearest in simulation from the best found and the best known.

        In shares of the range, positive if better. The best known also includes a second rollout of
        the behaviour's own code.
        """
        queries = self.impossible_queries(seed)
        results = self.steer([query for query, _, _ in queries], "--rollouts", 16, "--seed", 5)
        from_found, from_known = [], []
        for (query, name, best), result in zip(queries, results):
            self.assertEqual(result["status"], "infeasible", query)
            self.assertEqual(result["answers"], [])
            diagnosis = result["infeasibility"]
            self.assertTrue(any(name in words for words in diagnosis["binding"]), diagnosis)
            self.assertEqual(len(diagnosis["relax"]), 1 + len(query["require"]))
            realised = {key: one["mean"] for key, one in diagnosis["realised"].items()}
            self.assertLessEqual(self.excess(query, realised), 0)
            by = abs(diagnosis["nearest"][name] - realised[name]) / self.ranges[name]
            self.assertLess(by, NEAREST_MISS, diagnosis)
            again = self.roll_out(diagnosis["code"])
            self.assertLess(self.excess(query, again), VIOLATION, diagnosis)
            sign = 1 if query["target"][name] > best else -1
            known = sign * max(sign * best, sign * again[name])
            for misses, one in ((from_found, best), (from_known, known)):
                misses.append(sign * (realised[name] - one) / self.ranges[name])
        return from_found, from_known

    def test_what_cannot_be_had_is_recognised(self):
        """The nearest behaviour is at least as good as exhaustive search; if better, it repeats.

        With RHUMB_DRAWS=20 it also counts 20 fresh draws.
        """
        from_found, from_known = self.nearest_misses(5)
        print("nearest attainable, off in shares of the range:")
        print("  from the best found", [round(miss, 3) for miss in from_found])
        print("  from the best known", [round(miss, 3) for miss in from_known])
        better = sum(miss >= NEAREST_MISS for miss in from_found)
        print(f"  better than the search by more than {NEAREST_MISS}: {better} of 20")
        draws = range(100, 100 + int(os.environ.get("RHUMB_DRAWS", "0")))
        fresh = [miss for seed in draws for miss in zip(*self.nearest_misses(seed))]
        if fresh:
            better = sum(found >= NEAREST_MISS for found, _ in fresh)
            beyond = sum(abs(known) >= NEAREST_MISS for _, known in fresh)
            farthest = max(abs(known) for _, known in fresh)
            print(f"{len(fresh)} fresh ones: {better} better, {beyond} beyond the limit, {farthest:.3f} at most")
        self.assertLess(max(map(abs, from_known)), NEAREST_MISS)

    def test_confidence_keeps_its_word(self):
        """200 queries that push against a requirement: maximise or minimise one of two objectives."""
        noise = random.Random(7)
        queries = []
        for _ in range(200):
            wanted, other = noise.sample(self.names, 2)
            values = noise.choice(self.known)
            require = [self.requirement(noise, values, other, 0)]
            queries.append({noise.choice(("maximise", "minimise")): wanted, "require": require})
        shares = {}
        for confidence in (0, 0.9, 0.99):
            results = self.steer(
                queries, "--rollouts", GROUNDING["episodes"], "--seed", 12,
                "--confidence", confidence,
            )  # fmt: skip
            violated = []
            for query, result in zip(queries, results):
                if result["status"] != "solved":
                    continue  # more is asked for than can be promised
                realised = result["answers"][0]["realised"]
                values = {name: one["mean"] for name, one in realised.items()}
                violated.append(self.excess(query, values) > 0)
            self.assertGreater(len(violated), 100)
            shares[confidence] = sum(violated) / len(violated)
            print(f"confidence {confidence}: {len(violated)} solved, {shares[confidence]:.3f} violated")
        self.assertLessEqual(shares[0.9], 0.12)
        self.assertLessEqual(shares[0.99], 0.02)

    def test_an_attribute_added_later_is_steered_like_an_objective(self):
        grounded, added = self.ground(self.path / "few", 1, FEW), self.path / "added"
        result = runs.rhumb(
            "model", "add-attribute", grounded, "--data", self.data, "--name", "effort",
            "--expression", "mean(sum_sq_action)", "--out", added, "--roll-out",
            "--threads", 2,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        document = self.ask(
            "steer", added, "--target", "effort=0.8", "--require", "x_velocity/effort>=60",
            "--rollouts", 16,
        )  # fmt: skip
        self.assertEqual(document["status"], "solved")
        realised = document["answers"][0]["realised"]["effort"]["mean"]
        print(f"effort 0.8 asked for, {realised:.3f} realised")
        self.assertLess(abs(realised - 0.8), 0.2)

    def test_a_recorded_run_with_less_energy(self):
        """The code of a recorded run, and the run with a fifth less energy."""
        code, run = self.path / "code.json", self.path / "run.json"
        document = self.ask("steer", self.model, "--target", "x_velocity=70", "--out", code)
        self.assertEqual(json.loads(code.read_text())["answers"], document["answers"])
        played = self.ask("play", self.model, "--code", code, "--record", run)
        before = played["episodes"][0]["returns"]
        encoded = self.ask("encode", self.model, run)
        for name in self.names:
            self.assertLess(
                abs(encoded["predicted"][name] - before[name]), 0.1 * self.ranges[name]
            )
        document = self.ask(
            "steer", self.model, "--like", run, "--change", "energy -20%", "--rollouts", 16
        )
        after = {k: v["mean"] for k, v in document["answers"][0]["realised"].items()}
        print(f"before {before}, after {after}")
        self.assertLess(
            abs(after["energy"] - 0.8 * before["energy"]), TARGET_MISS * self.ranges["energy"]
        )
        # The same speed is impossible with less energy; it drops no more than necessary.
        self.assertGreater(after["x_velocity"], 0.8 * before["x_velocity"])


if __name__ == "__main__":
    unittest.main()
