"""`rhumb reproduce` at smoke scale on the point mass: a full run to a report, then partial updates."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import model_runs as runs

SECONDS = 600  # until a file that never appears is given up
PYTHON = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"]) / ".deps/pictures/bin/python"
SPLITS = ("train", "held_out_checkpoint", "held_out_weight")
MODES = ("sampled", "mean")
FIGURES = {
    "architecture", "returns", "sawtooth", "geometry", "geometry-vae", "synthesis-sampled",
    "synthesis-mean", "constraints-sampled", "constraints-mean", "paths", "ordering", "context",
    "control_functional",
}  # fmt: skip


def words(out, *arguments, env="point-v0", threads=2):
    return [
        "reproduce", "--env", env, "--scale", "smoke", "--out", out, "--threads", threads, "--jobs", 2,
        "--json", *arguments,
    ]  # fmt: skip


def reproduce(out, **options):
    """The command's output."""
    result = runs.rhumb(*words(out, **options))
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def times(folder):
    """{file: modification time} for all files."""
    return {p: p.stat().st_mtime_ns for p in sorted(folder.rglob("*")) if p.is_file()}


class Reproduce(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.out = cls.shared / "report"
        # Interrupted in training it exits with 130; killed later, it ends at once; the last run resumes.
        cls.interrupted, cls.words_of_the_end = cls.stop("models/ours.work/run.json", signal.SIGINT)
        cls.data = runs.hash_of(cls.out / "dataset-v0")
        cls.killed, _ = cls.stop("models/ours", signal.SIGKILL)
        cls.model = runs.hash_of(cls.out / "models" / "ours")
        cls.first = reproduce(cls.out)
        cls.report = json.loads((cls.out / "report.json").read_text())

    @classmethod
    def stop(cls, file, sign):
        """Starts a run and sends a signal once the file exists: (exit status, output)."""
        process = subprocess.Popen(
            runs.command(*words(cls.out)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=runs.ENVIRONMENT,
        )  # fmt: skip
        start = time.monotonic()
        while not (cls.out / file).exists():
            assert process.poll() is None and time.monotonic() - start < SECONDS
            time.sleep(0.01)
        process.send_signal(sign)
        said = process.communicate()[1]
        return process.returncode, said

    def test_an_interrupted_run_goes_on(self):
        self.assertEqual(self.interrupted, 130, self.words_of_the_end)
        self.assertIn("interrupted while ", self.words_of_the_end.splitlines()[-1])
        self.assertEqual(self.killed, -signal.SIGKILL)
        self.assertNotIn("models/ours", self.first["made"])
        self.assertIn("models/ours.grounded", self.first["made"])
        self.assertEqual(runs.hash_of(self.out / "dataset-v0"), self.data)
        self.assertEqual(runs.hash_of(self.out / "models" / "ours"), self.model)
        for pattern in ("*.work", "*.log"):
            self.assertEqual(list(self.out.rglob(pattern)), [])

    def test_the_report(self):
        stages = {stage["output"]: stage for stage in self.report["stages"]}
        self.assertEqual(self.first["stages"], len(stages))
        self.assertEqual(self.report["environment"], "point-v0")
        for name in ("population", "dataset-v0", "models/ours", "models/paper", "models/ours.grounded"):
            self.assertEqual(stages[name]["result"]["hash"], runs.hash_of(self.out / name))
        for name in ("ours", "vae", "mean_pool", "free_projections", "paper"):
            probe = stages[f"measures/probe/{name}.json"]
            for split in SPLITS:
                self.assertGreater(probe["result"]["splits"][split]["mean_mse"], 0)
        for name in ("ours", "ours.labels", "vae", "infonce", "autoencoder", "paper"):
            for mode in MODES:
                result = stages[f"measures/synthesis/{name}-{mode}.json"]["result"]
                self.assertEqual(result["mode"], mode)
                self.assertNotIn("rows", result)
        for split in SPLITS:
            for mode in MODES:
                result = stages[f"measures/imitation/{split}-{mode}.json"]["result"]
                self.assertEqual((result["split"], result["mode"]), (split, mode))
        model = stages["models/ours.grounded"]["result"]
        self.assertEqual(
            [objective["name"] for objective in model["objectives"]],
            ["x_velocity", "y_velocity", "energy", "action_rate", "peak_effort", "speed_std"],
        )
        self.assertAlmostEqual(
            self.report["wall_seconds"], sum(stage["wall_seconds"] for stage in stages.values())
        )

    def test_without_python_there_is_no_page(self):
        """Numbers and commands do not need Python; missing outputs are named."""
        self.assertFalse((self.out / "report.html").exists())
        self.assertIsNone(self.first["report"])
        self.assertEqual(self.first["figures"], [])
        for name in ("report.json", "commands.sh"):
            self.assertTrue((self.out / name).exists())
        report = runs.rhumb("reproduce", "--report", self.out)
        self.expect_bad_input(report, self.out / "report.html", "not written")
        self.assertIn("no page: /nonexistent is missing; run tools/setup pictures", report.stderr)

    def test_a_map_that_a_killed_run_did_not_draw_is_drawn(self):
        """The model's stage is complete without its map.png; here no map was drawn, for want of Python."""
        copy = self.path / "report"
        shutil.copytree(self.out, copy, symlinks=True)
        python = self.path / "python"
        python.write_text('#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nbasename "$1"\n')
        python.chmod(0o700)
        result = subprocess.run(
            runs.command(*words(copy)), env={**runs.ENVIRONMENT, "RHUMB_PYTHON": str(python)},
            capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["made"], [])
        for model in ("ours", "ours.grounded", "vae"):
            self.assertFalse((self.out / "models" / model / "map.png").exists())
            self.assertEqual((copy / "models" / model / "map.png").read_text(), "model.py\n")

    def copy(self):
        """Copies only the files that the documentation lists."""
        shutil.copytree(self.out / "measures", self.path / "measures")
        (self.path / "models" / "ours").mkdir(parents=True)
        for name in ("report.json", "models/ours/model.json"):
            shutil.copy(self.out / name, self.path / name)

    def present(self, python):
        start = time.monotonic()
        result = subprocess.run(
            runs.command("reproduce", "--report", self.path, "--threads", 2, "--json"),
            env={**runs.ENVIRONMENT, "RHUMB_PYTHON": str(python)}, capture_output=True, text=True,
            check=False, timeout=600,
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        print(f"the page and its figures took {time.monotonic() - start:.1f} s")
        return json.loads(result.stdout)

    @unittest.skipUnless(PYTHON.exists(), "there is no Python that draws")
    def test_the_page_without_figures(self):
        """With a Python that fails to draw."""
        self.copy()
        python = self.path / "python"
        python.write_text(f'#!/bin/sh\ncase "$*" in */report.py*) exec {PYTHON} "$@" ;; esac\nexit 1\n')
        python.chmod(0o700)
        said = self.present(python)
        self.assertEqual(said, {"report": str(self.path / "report.html"), "figures": []})
        page = (self.path / "report.html").read_text()
        stages = {stage["output"]: stage for stage in self.report["stages"]}
        number = stages["measures/probe/ours.json"]["result"]["splits"]["train"]["mean_mse"]
        self.assertIn(f"<td>{number:.4f}</td>", page)
        columns = ("S", "E_targ", "median", "noise", "E_cons", "violations", "broken", "covered", "promised", "E_range", "met")
        self.assertIn("".join(f"<th>{title}</th>" for title in columns), page)
        # A number that the page looks for and does not find. Methods without intervals cover and
        # promise nothing, and nothing is broken where nothing is solved: three numbers in the middle of a row.
        # A policy that plays again solves nothing, so it has no S.
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.S):
            cells = re.findall(r"<td>(.*?)</td>", row)
            expected = [len(cells) - 5, len(cells) - 4, len(cells) - 3]
            expected += [cells.index("teacher") + 1] if "teacher" in cells else []
            missing = [i for i, cell in enumerate(cells) if cell == "–"]
            self.assertLessEqual(set(missing), set(expected), row)
        self.assertNotIn("Numbers are missing", page)
        self.assertIn(f"{len(FIGURES)} of {len(FIGURES)} figures are not drawn", page)
        for part in ("src=", "<script", "<link", "url("):
            self.assertNotIn(part, page)

    def test_tasks_of_many_requirements_and_of_the_hole(self):
        for count in (1, 2, 3):
            for row in self.measure(f"constraints/{count}-sampled")["rows"]:
                self.assertEqual(len(row["task"]["require"]), count)
        for mode in MODES:
            self.assertIn("hole", self.measure(f"hole/{mode}")["tasks"]["source"])
            for row in self.measure(f"synthesis/ours-{mode}")["rows"]:
                names = {bound.split()[0] for bound in row["task"]["require"]}
                self.assertEqual(names, {"y_velocity", "energy"})

    def measure(self, name):
        return json.loads((self.out / "measures" / f"{name}.json").read_text())

    @unittest.skipUnless(PYTHON.exists(), "there is no Python that draws")
    def test_figures_are_drawn_elsewhere_and_once(self):
        self.copy()
        said = self.present(PYTHON)
        self.assertEqual({pathlib.Path(name).stem for name in said["figures"]}, FIGURES)
        page = (self.path / "report.html").read_text()
        for name in FIGURES:
            self.assertIn(f'src="figures/{name}.png"', page)
            png = (self.path / "figures" / f"{name}.png").read_bytes()
            self.assertTrue(png.startswith(b"\x89PNG"), name)
            self.assertIn("<svg", (self.path / "figures" / f"{name}.svg").read_text()[:2000])
        self.assertNotIn("not drawn", page)
        before = times(self.path)
        self.assertEqual(self.present(PYTHON), said)
        self.assertEqual(times(self.path), before)

    def test_the_commands_are_those_that_ran(self):
        """Running a recorded command by hand gives the same measure as in the folder."""
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
        self.assertEqual(reproduce(self.out)["made"], [])
        self.assertEqual(times(self.out), before)

    def test_what_is_removed_is_made_again_with_what_depends_on_it(self):
        out = self.path / "moved"
        shutil.copytree(self.out, out)
        (out / "measures" / "probe" / "vae.json").unlink()
        # In another folder and on another machine everything else stays unchanged.
        self.assertEqual(reproduce(out, threads=1)["made"], ["measures/probe/vae.json"])
        shutil.rmtree(out / "models" / "vae")
        made = reproduce(out)["made"]
        self.assertEqual(made[0], "models/vae")
        self.assertTrue(all("vae" in name for name in made), made)
        for measure in ("probe/vae", "geometry/vae", "synthesis/vae-mean"):
            self.assertIn(f"measures/{measure}.json", made)
        self.assertEqual(reproduce(out)["made"], [])

    def test_a_folder_is_of_one_run_at_a_time(self):
        before = times(self.out)
        lock = os.open(self.out, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        for end in (signal.SIGINT, None):
            process = subprocess.Popen(
                runs.command(*words(self.out)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, env=runs.ENVIRONMENT,
            )  # fmt: skip
            self.assertIn("another run is using", process.stderr.readline())
            if end:
                process.send_signal(end)
            else:
                fcntl.flock(lock, fcntl.LOCK_UN)
            said = process.communicate(timeout=SECONDS)[1]
            self.assertEqual(process.returncode, 130 if end else 0, said)
        self.assertEqual(times(self.out), before)

    def test_something_in_the_way_is_named(self):
        out = self.path / "moved"
        shutil.copytree(self.out, out)
        shutil.rmtree(out / "measures")
        (out / "measures").write_text("mine")
        self.expect_bad_input(runs.rhumb(*words(out)), out / "measures")

    def test_bad_input(self):
        before = times(self.out)
        other = runs.rhumb(*words(self.out, "--seed", 7))
        self.expect_bad_input(other, self.out, "whose seed is 0, not 7", "--out")
        self.assertEqual(times(self.out), before)
        (self.path / "mine.txt").write_text("mine")
        self.expect_bad_input(runs.rhumb(*words(self.path)), self.path, "not empty")
        out = self.path / "new"
        self.expect_bad_input(runs.rhumb(*words(out, env="point-v1")), "point-v1", "point-v0")
        self.expect_bad_input(runs.rhumb(*words(out, "--set", "a=1")), "'a'")
        self.expect_bad_input(runs.rhumb("reproduce", "--env", "point-v0"), "--out")
        self.expect_bad_input(runs.rhumb("reproduce", "--report", out), out / "report.json")
        self.assertFalse(out.exists())
        (self.path / "report.json").write_text("{}")
        self.expect_bad_input(runs.rhumb("reproduce", "--report", self.path), "not a report")

    def test_a_stage_that_fails_is_named(self):
        """A robot with an objective that becomes NaN: only training detects it."""
        envs = pathlib.Path(runs.RHUMB).parent.parent / "share/rhumb/envs"
        spec = (envs / "point-v0.toml").read_text()
        (self.path / "robot.toml").write_text(
            spec.replace('"point-v0"', '"root-v0"').replace(
                'expression = "x_velocity"', 'expression = "sqrt(0.5 - time)"'
            )
        )
        shutil.copy(envs / "point_mass.xml", self.path)
        out = self.path / "out"
        failed = runs.rhumb(*words(out, env=self.path / "robot.toml"))
        self.expect_bad_input(failed, "population", "exit code 2", "rhumb population train", out)
        for name in ("population", "dataset-v0", "report.json"):
            self.assertFalse((out / name).exists())


if __name__ == "__main__":
    unittest.main()
