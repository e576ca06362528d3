"""`rhumb reproduce` at smoke scale on the point mass: from nothing to a report, then only what changed."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import model_runs as runs

SECONDS = 180  # that all of it may take on two cores
AGAIN_SECONDS = 2  # and finding that nothing is to be done


def words(out, *arguments, env="point-v0", threads=2):
    return [
        "reproduce", "--env", env, "--scale", "smoke", "--out", out, "--threads", threads, "--json",
        *arguments,
    ]  # fmt: skip


def reproduce(out, **options):
    """(what it says, seconds)"""
    start = time.monotonic()
    result = runs.rhumb(*words(out, **options))
    seconds = time.monotonic() - start
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), seconds


def times(folder):
    """{file: when it was written}, of all files."""
    return {p: p.stat().st_mtime_ns for p in sorted(folder.rglob("*")) if p.is_file()}


class Reproduce(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.out = cls.shared / "report"
        # Interrupted in mid-training, it ends with 130, and the next run goes on.
        process = subprocess.Popen(
            runs.command(*words(cls.out)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=runs.ENVIRONMENT,
        )  # fmt: skip
        start = time.monotonic()
        while not (cls.out / "models" / "ours.work" / "run.json").exists():
            assert process.poll() is None and time.monotonic() - start < SECONDS
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        cls.words_of_the_end = process.communicate()[1]
        cls.interrupted = process.returncode
        cls.data = runs.hash_of(cls.out / "dataset-v0")
        before = time.monotonic() - start
        cls.first, seconds = reproduce(cls.out)
        cls.seconds = before + seconds
        cls.report = json.loads((cls.out / "report.json").read_text())

    def test_an_interrupted_run_goes_on(self):
        self.assertEqual(self.interrupted, 130, self.words_of_the_end)
        self.assertIn("models/ours", self.words_of_the_end.splitlines()[-1])
        self.assertEqual(self.first["made"][0], "models/ours")
        self.assertEqual(runs.hash_of(self.out / "dataset-v0"), self.data)
        self.assertEqual(list(self.out.rglob("*.work")), [])

    def test_from_nothing_to_a_report_in_time(self):
        for stage in sorted(self.report["stages"], key=lambda one: -one["wall_seconds"])[:8]:
            print(f"{stage['wall_seconds']:6.1f} s  {stage['output']}")
        print(f"{len(self.report['stages'])} stages in {self.seconds:.1f} s")
        self.assertLess(self.seconds, SECONDS)

    def test_the_report(self):
        stages = {stage["output"]: stage for stage in self.report["stages"]}
        self.assertEqual(self.first["stages"], len(stages))
        self.assertEqual(self.report["environment"], "point-v0")
        for name in ("population", "dataset-v0", "models/ours", "models/paper", "models/ours.grounded"):
            self.assertEqual(stages[name]["result"]["hash"], runs.hash_of(self.out / name))
        for name in ("ours", "vae", "mean_pool", "free_projections", "paper"):
            probe = stages[f"measures/probe/{name}.json"]
            self.assertEqual(probe["measure"], "probe")
            for split in ("train", "held_out_checkpoint", "held_out_weight"):
                self.assertGreater(probe["result"]["splits"][split]["mean_mse"], 0)
        for split in ("train", "held_out_checkpoint", "held_out_weight"):
            for mode in ("sampled", "mean"):
                result = stages[f"measures/imitation/{split}-{mode}.json"]["result"]
                self.assertEqual((result["split"], result["mode"]), (split, mode))
        self.assertAlmostEqual(
            self.report["wall_seconds"], sum(stage["wall_seconds"] for stage in stages.values())
        )
        page = (self.out / "report.html").read_text()
        number = stages["measures/probe/ours.json"]["result"]["splits"]["train"]["mean_mse"]
        self.assertIn(f"<td>{number:.4f}</td>", page)
        self.assertNotIn("<td>–</td>", page)  # a number that the page looks for and does not find
        for part in ("src=", "<script", "<link", "url("):
            self.assertNotIn(part, page)

    def test_the_commands_are_those_that_ran(self):
        """A measure that is taken by hand with the kept line is the one in the folder."""
        lines = (self.out / "commands.sh").read_text().splitlines()
        (line,) = [line for line in lines if line.endswith("> measures/probe/vae.json")]
        kept = self.out / "measures" / "probe" / "vae.json"
        path = f"{pathlib.Path(runs.RHUMB).parent}{os.pathsep}{os.environ['PATH']}"
        by_hand = subprocess.run(
            ["sh", "-c", line.removesuffix("> measures/probe/vae.json")], cwd=self.out, text=True,
            capture_output=True, env={**runs.ENVIRONMENT, "PATH": path}, timeout=60, check=True,
        )  # fmt: skip
        self.assertEqual(by_hand.stdout, kept.read_text())

    def test_nothing_is_done_twice(self):
        before = times(self.out)
        again, seconds = reproduce(self.out)
        print(f"the second run took {seconds:.2f} s")
        self.assertEqual(again["made"], [])
        self.assertEqual(times(self.out), before)
        self.assertLess(seconds, AGAIN_SECONDS)

    def test_what_is_removed_is_made_again_with_what_depends_on_it(self):
        out = self.path / "moved"
        shutil.copytree(self.out, out)
        (out / "measures" / "probe" / "vae.json").unlink()
        # Elsewhere and on another machine the rest stays as it is.
        self.assertEqual(reproduce(out, threads=1)[0]["made"], ["measures/probe/vae.json"])
        shutil.rmtree(out / "models" / "vae")
        made = reproduce(out)[0]["made"]
        self.assertEqual(made[0], "models/vae")
        self.assertEqual({pathlib.Path(name).stem.split("-")[0] for name in made}, {"vae"})
        self.assertIn("measures/probe/vae.json", made)
        self.assertEqual(reproduce(out)[0]["made"], [])

    def test_bad_input(self):
        before = times(self.out)
        other = runs.rhumb(*words(self.out, "--seed", 7))
        self.expect_bad_input(other, self.out, "its seed is 0, not 7", "--out")
        self.assertEqual(times(self.out), before)
        (self.path / "mine.txt").write_text("mine")
        self.expect_bad_input(runs.rhumb(*words(self.path)), self.path, "not empty")
        out = self.path / "new"
        self.expect_bad_input(runs.rhumb(*words(out, env="point-v1")), "point-v1", "point-v0")
        self.expect_bad_input(runs.rhumb(*words(out, "--set", "a=1")), "'a'")
        self.assertFalse(out.exists())

    def test_a_stage_that_fails_is_named(self):
        """A robot whose model does not compile: only training finds out."""
        spec = pathlib.Path(runs.RHUMB).parent.parent / "share/rhumb/envs/point-v0.toml"
        (self.path / "robot.toml").write_text(spec.read_text())
        (self.path / "point_mass.xml").write_text("<mujoco><wrong/></mujoco>")
        out = self.path / "out"
        failed = runs.rhumb(*words(out, env=self.path / "robot.toml"))
        self.expect_bad_input(failed, "population", "exit code 2", "rhumb population train", out)
        self.assertEqual(
            sorted(file.name for file in out.iterdir()), ["population.stamp", "reproduce.json"]
        )


if __name__ == "__main__":
    unittest.main()
