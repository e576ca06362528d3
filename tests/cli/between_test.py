"""`rhumb evaluate between` on a model whose steering can be computed by hand (steer_runs.py).

Only the training codes (1, 0) and (0, 1) are near enough to be mixed. The mixture (1 - t, t) costs an
energy of 100 (1 - 2 t + 2 t^2) with mean actions, for every start."""

import json
import pathlib
import struct
import tempfile
import unittest

import model_runs
import steer_runs


def widen(model):
    """Makes the range of the speed so large that its start noise counts as steady."""
    document = model_runs.document(model)
    document["objectives"][0].update(min=-5e4, max=5e4)
    (model / "model.json").write_text(json.dumps(document))
    model_runs.seal(model)
    return model


class Between(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)
        cls.model = widen(steer_runs.make_model(cls.path / "m", grounded=["mean"]))

    def evaluate(self, model, *arguments):
        return model_runs.rhumb("evaluate", "between", model, "--set", "tasks=6", *arguments, "--threads", 2)

    def ask(self, model, *arguments):
        result = self.evaluate(model, "--mode", "mean", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def expect_bad_input(self, result, *parts):
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_by_hand(self):
        document = self.ask(self.model)
        self.assertEqual((document["mode"], document["episodes"], document["unit"]), ("mean", 8, "%"))
        tasks = document["tasks"]
        self.assertEqual((tasks["count"], tasks["draws"], tasks["different"]), (6, 6, "codes"))
        for task in tasks["list"]:
            self.assertEqual(sorted(task["codes"]), [1, 2])
            share = task["share"]
            self.assertTrue(0.3 <= share <= 0.7)
            self.assertAlmostEqual(
                task["realised"]["energy"]["mean"], -100 * (1 - 2 * share + 2 * share**2), places=4
            )
        methods = {report["method"]: report for report in document["methods"]}
        self.assertEqual(list(methods), ["default", "still", "lookup", "own_code"])
        self.assertEqual(methods["own_code"]["met"], {"mean": 100, "low": 100, "high": 100})
        self.assertLess(methods["own_code"]["miss_q90"], 0.1)
        # The only rolled-out code, (0, 0), is said to spend nothing.
        self.assertEqual(methods["lookup"]["met"]["mean"], 0)
        for name in ("default", "still"):
            shares = [methods[name][key]["mean"] for key in ("false_noes", "met", "promised_and_missed")]
            self.assertAlmostEqual(sum(shares), 100)
            rows = methods[name]["rows"]
            self.assertEqual(len(rows), 6)
            refused = sum(row["status"] != "solved" for row in rows)
            self.assertAlmostEqual(shares[0], 100 * refused / 6)
            self.assertEqual(sum(methods[name]["origins"].values()), 6 - refused)
        row = methods["default"]["rows"][0]
        asked = {target.split(" ")[0] for target in row["task"]["target"]}
        self.assertEqual(asked, {"x_velocity", "energy"})
        self.assertEqual(row["realised"]["energy"]["episodes"], 8)
        self.assertEqual([pair["with"] for pair in document["compared"]], ["still", "lookup", "own_code"])

    def test_tasks_depend_on_the_seed_alone(self):
        words = ("--method", "still")
        first = self.ask(self.model, *words)
        self.assertEqual(self.ask(self.model, *words, "--set", "batch=2"), first)
        self.assertNotEqual(self.ask(self.model, *words, "--seed", 1)["tasks"], first["tasks"])

    def test_table(self):
        result = self.evaluate(self.model, "--mode", "mean", "--set", "draws=4")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].startswith("4 tasks between the training policies"), lines[0])
        self.assertIn("different codes", lines[1])
        self.assertEqual([line.split()[0] for line in lines[3:7]], ["default", "still", "lookup", "own_code"])
        self.assertIn("4 of 6 tasks found in 4 draws", result.stderr)
        self.assertIn("pairs have different codes", result.stderr)

    def test_agents(self):
        """Both codes that are near enough belong to one agent."""
        model = widen(steer_runs.make_model(self.path / "agents"))
        owners = lambda *numbers: ("I64", [3], struct.pack("<3q", *numbers))
        arrays = {"training.policies": owners(0, 1, 2), "training.agents": owners(0, 1, 2)}
        steer_runs.replace_arrays(model, arrays)
        model_runs.seal(model)
        self.assertEqual(self.ask(model, "--method", "still")["tasks"]["different"], "agents")
        steer_runs.replace_arrays(model, {"training.agents": owners(0, 1, 1)})
        model_runs.seal(model)
        self.expect_bad_input(self.evaluate(model, "--mode", "mean"), "different agents")

    def test_bad_input(self):
        self.expect_bad_input(self.evaluate(self.path / "none"), "none")
        self.expect_bad_input(self.evaluate(self.model, "--method", "best"), "best", "still")
        self.expect_bad_input(self.evaluate(self.model, "--set", "tasks=0"), "tasks")
        # Sampled actions vary by 0.37, which moves the energy by more than 1.5 %.
        self.expect_bad_input(self.evaluate(self.model, "--set", "task_episodes=8"), "none of 120", "unsteady")


if __name__ == "__main__":
    unittest.main()
