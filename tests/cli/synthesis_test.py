"""`rhumb evaluate synthesis` on a model whose steering can be computed by hand (steer_runs.py)."""

import json
import os
import pathlib
import re
import subprocess
import unittest

import model_runs
from model_show_test import PICTURES, PNG
from steer_runs import SteerCase

DOCUMENTATION = (pathlib.Path(os.environ["RHUMB_SOURCE_DIR"]) / "docs/evaluation.md").read_text()
FIGURES = {"S", "E_targ_mean", "E_targ_median", "E_cons", "violations", "noise", "rows"}


class Synthesis(SteerCase):
    def evaluate(self, *arguments):
        return model_runs.rhumb("evaluate", "synthesis", *arguments, "--threads", 2)

    def ask(self, *arguments):
        result = self.evaluate(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def tasks(self, *documents):
        return self.write("t.jsonl", "\n".join(map(json.dumps, documents)))

    def expect_bad_input(self, result, *parts):
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for part in parts:
            self.assertIn(str(part), result.stderr)

    def test_by_hand(self):
        """The code (1, 0) is labelled with energy -100 and speed 15; its mean actions do realise -100."""
        file = self.tasks(
            {"init": 2, "target": {"energy": -100}, "require": ["x_velocity>=10"], "seed": 3},
            {"init": None, "target": {"energy": -80}},
        )
        document = self.ask(
            "--model", self.model, "--tasks", file, "--mode", "mean", "--method", "nearest_label"
        )
        self.assertLessEqual(FIGURES, set(document))
        self.assertEqual(document["method"], "nearest_label")
        self.assertEqual(document["tasks"], {"count": 2, "source": f"tasks of {file}"})
        self.assertEqual((document["mode"], document["rollouts"], document["unit"]), ("mean", 4, "%"))
        self.assertEqual(document["beside"], [])
        first, second = document["rows"]
        self.assertEqual(first["task"]["init"], 2)
        self.assertEqual(first["task"]["seed"], 3)
        self.assertIsNone(second["task"]["init"])
        self.assertEqual(first["code"], [1, 0])
        self.assertEqual(first["predicted"], {"x_velocity": 15, "energy": -100})
        self.assertEqual(first["realised"]["energy"], {"mean": -100, "std": 0, "episodes": 4})
        self.assertEqual((first["E_targ"], first["noise"]), (0, 0))
        self.assertTrue(first["success"])
        # The same code is 20 from 80.
        self.assertAlmostEqual(second["E_targ"], 25, places=9)
        self.assertAlmostEqual(document["E_targ_mean"], 12.5, places=9)
        self.assertEqual(document["S"], 50)

    def test_methods_beside_each_other(self):
        """One report per method, each as if requested alone."""
        file = self.tasks({"init": 0, "target": {"x_velocity": 10}}, {"target": {"x_velocity": 1000}})
        words = (self.grounded, "--tasks", file, "--rollouts", 2, "--set", "steer.max_distance=1")
        document = self.ask(*words)
        self.assertEqual(document["mode"], "sampled")
        reports = {report["method"]: report for report in [document, *document["beside"]]}
        self.assertEqual(list(reports), ["default", "still", "paper", "naive", "lookup", "nearest_label"])
        self.assertEqual(reports["default"]["S"], 50)
        solved, beyond = (row["status"] for row in document["rows"])
        self.assertEqual((solved, beyond), ("solved", "infeasible"))
        self.assertEqual(reports["lookup"]["rows"][0]["code"][0], 0.5, "codes that were rolled out")
        self.assertEqual(reports["lookup"]["origins"], {"rolled_out": 2})
        self.assertEqual(sum(reports["default"]["origins"].values()), 2)
        self.assertEqual(reports["default"]["intervals"]["S"], {"mean": 50, "low": 0, "high": 100})
        self.assertEqual([pair["with"] for pair in document["compared"]], list(reports)[1:])
        self.assertEqual(document["splits"], [], "the tasks do not name their splits")
        alone = self.ask(*words, "--method", "lookup,naive")
        self.assertEqual(alone["rows"], reports["lookup"]["rows"])
        self.assertEqual(alone["beside"], [reports["naive"]])
        again = self.ask(*words, "--method", "lookup", "--method", "naive", "--seed", 1)
        self.assertNotEqual(again["rows"], alone["rows"], "other episodes")

        table = self.evaluate(*words)
        self.assertEqual(table.returncode, 0, table.stderr)
        lines = table.stdout.splitlines()
        self.assertEqual(lines[0], f"2 tasks of {file}; 2 roll-outs each with sampled actions")
        titles = lines[1].removeprefix("in %").split()
        end = lines.index("")
        self.assertEqual(titles, [line.split(":")[0] for line in lines[8 : end - 1]])
        columns = DOCUMENTATION.split("| column | meaning |")[1].split("\n\n")[0]
        documented = re.findall(r"\w+", "".join(re.findall(r"^\|.*?\|", columns, re.M)))
        self.assertEqual(set(documented) - {"mean"}, set(titles))
        self.assertEqual([line.split()[0] for line in lines[2:8]], list(reports))
        self.assertEqual(lines[2].split()[1], "50.00")
        intervals = lines[end + 3 : end + 9]
        self.assertEqual([line.split()[:2] for line in intervals], [[name, "all"] for name in reports])
        self.assertIn("50.00 (0.00 to 100.00)", intervals[0])
        self.assertTrue(any(line.startswith("met, default minus still: ") for line in lines[end:]))

    def test_tasks_of_the_model(self):
        """Without a dataset, tasks are anchored at the training codes: (5, 0), (15, -100) and (5, -100)."""
        file = self.path / "made.jsonl"
        words = (self.model, "--method", "default", "--set", "tasks.count=20", "--rollouts", 1)
        result = self.evaluate(*words, "--write-tasks", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("20 tasks anchored at the policies that the model was trained on", result.stdout)
        self.assertIn(f"tasks: {file}", result.stdout)
        made = [json.loads(line) for line in file.read_text().splitlines()]
        self.assertEqual(len(made), 20)
        for i, task in enumerate(made):
            self.assertEqual(set(task), {"init", "target", "require", "seed", "split"})
            self.assertEqual(task["split"], "train")
            self.assertEqual(task["seed"], i)
            name, relation, bound = task["require"][0].split()
            self.assertEqual((name, relation), ("energy", ">="))
            # Loosened by at most a tenth of 50.
            reached = {5: (0, -100), 15: (-100,)}[task["target"]["x_velocity"]]
            self.assertTrue(any(0 <= energy - float(bound) <= 5 for energy in reached), task)
        self.assertEqual({task["init"] for task in made}, {0, 1, 2})
        direct, read = self.ask(*words), self.ask(*words, "--tasks", file)
        self.assertEqual(read["rows"], direct["rows"])

    def test_bad_input(self):
        good = self.tasks({"target": {"x_velocity": 10}})
        words = (self.model, "--tasks", good)
        self.expect_bad_input(self.evaluate("--tasks", good), "--model is required")
        self.expect_bad_input(self.evaluate(self.model, "--tasks", self.path / "none"), "none")
        self.expect_bad_input(self.evaluate(*words, "--method", "best"), "best", "lookup")
        self.expect_bad_input(self.evaluate(*words, "--mode", "both"), "both", "sampled")
        self.expect_bad_input(self.evaluate(*words, "--rollouts", -1), "-1")
        self.expect_bad_input(self.evaluate(*words, "--data", good), str(good))
        self.expect_bad_input(self.evaluate(*words, "--method", "imitate"), "'imitate' needs the dataset")
        self.expect_bad_input(self.evaluate(*words, "--method", "teacher"), "'teacher' needs the population")
        self.expect_bad_input(self.evaluate(*words, "--method", "lookup"), "rhumb model ground")
        self.expect_bad_input(self.evaluate(self.model, "--data", self.path / "none"), "none")
        self.expect_bad_input(
            self.evaluate(self.model, "--set", "tasks.over=enrgy"), "'enrgy'", "'energy'", "x_velocity"
        )
        self.expect_bad_input(self.evaluate(self.model, "--set", "tasks.split=whole"), "whole", "hole")
        bad = self.tasks({"target": {"x_velocity": 10}}, {"target": {"x_velocity": 10}, "init": 3})
        self.expect_bad_input(self.evaluate(self.model, "--tasks", bad), f"{bad}:2: 'init' is 3", "0 to 2")

    @unittest.skipUnless(PICTURES.exists(), "tools/setup pictures has not run")
    def test_picture(self):
        picture = self.path / "p.png"
        arguments = ("evaluate", "synthesis", self.grounded, "--set", "tasks.count=5", "--picture", picture)
        result = subprocess.run(
            model_runs.command(*arguments), capture_output=True, text=True, timeout=120,
            env={**os.environ, "RHUMB_PYTHON": str(PICTURES)},
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"picture: {picture}", result.stdout)
        self.assertTrue(picture.read_bytes().startswith(PNG))


if __name__ == "__main__":
    unittest.main()
