"""`rhumb model` is reproducible bit for bit, also when stopped and resumed at any point."""

import collections
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

import model_runs as runs

EPOCHS, STEPS = 40, 200
# Saves a state after every epoch and DAgger report. Each stage lasts long enough to be interrupted.
MODEL = {
    **runs.TINY_MODEL,
    "epochs": EPOCHS,
    "checkpoint_seconds": 0,
    "dagger.rounds": 2,
    "dagger.steps": STEPS,
    "dagger.episodes": 50,
}
# More than two chunks of 250 codes.
GROUNDING = {"codes": 600, "episodes": 2}


def stage(out):
    """0: phase 1. 1, 3: rollouts of the first and second DAgger round. 2, 4: training on them."""
    work = pathlib.Path(f"{out}.work")
    reached = [
        f"epoch_{EPOCHS:05}", "visited_00001", f"dagger_{10_000_000 + STEPS}", "visited_00002",
    ]  # fmt: skip
    # A round's last state is removed once the next round has one; earlier files remain.
    for count in range(len(reached), 0, -1):
        if (work / f"{reached[count - 1]}.safetensors").exists():
            return count
    return 0


def epochs_done(out):
    """The epoch of phase 1, from its newest state."""
    names = [f.stem for f in pathlib.Path(f"{out}.work").glob("epoch_*.safetensors")]
    return max((int(name.removeprefix("epoch_")) for name in names), default=0)


def without_times(model):
    document = runs.document(model)
    del document["metrics"]["seconds"]
    return document


class Resumed(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        """The uninterrupted baseline run, and the duration of its stages."""
        super().setUpClass()
        made = runs.make_all(cls.shared, runs.TINY_POPULATION, runs.TINY_DATASET)
        cls.population, cls.data, _ = made
        cls.whole = cls.shared / "whole"
        cls.seconds = collections.Counter()
        process, last = cls.start(cls.whole), time.monotonic()
        while process.poll() is None:
            time.sleep(0.001)
            begun = (cls.shared / "whole.work" / "run.json").exists()
            now = time.monotonic()
            cls.seconds[stage(cls.whole) if begun else "start"] += now - last
            last = now
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
        print("seconds by stage:", {key: round(value, 2) for key, value in cls.seconds.items()})

    @classmethod
    def command(cls, out, seed=1, threads=2, **changes):
        return runs.train_command(
            out, cls.data, {**MODEL, **changes}, "--population", cls.population, seed=seed,
            threads=threads,
        )  # fmt: skip

    @classmethod
    def start(cls, out, **changes):
        return subprocess.Popen(
            cls.command(out, **changes), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=runs.ENVIRONMENT,
        )  # fmt: skip

    def train(self, out, **changes):
        return self.expect_done(runs.rhumb(*self.command(out, **changes)[1:]))

    def wait_for(self, planned, out, process):
        while process.poll() is None and stage(out) < planned:
            time.sleep(0.001)

    def expect_whole(self, out):
        self.assertEqual(runs.weights(out), runs.weights(self.whole))
        self.assertEqual(without_times(out), without_times(self.whole))
        self.assertEqual(runs.count_events(out / "tensorboard"), 1 + 8 * EPOCHS)
        self.assertFalse(pathlib.Path(f"{out}.work").exists())

    def test_equal_settings_give_equal_bits(self):
        out = self.path / "again"
        self.train(out)
        self.expect_whole(out)
        short = {"epochs": 4, "dagger.rounds": 1, "dagger.steps": 20, "dagger.episodes": 1}
        one = [self.path / f"one_{i}" for i in range(2)]
        for model in one:
            self.train(model, threads=1, **short)
        self.assertEqual(*map(runs.weights, one))
        other = self.path / "other"
        self.train(other, seed=2, threads=1, **short)
        self.assertNotEqual(runs.weights(other), runs.weights(one[0]))

    def test_killed_at_20_random_moments(self):
        out = self.path / "m"
        moments = random.Random(4)
        landed, finished = collections.Counter(), 0
        # Phase 1 is timed by its epochs, later stages by the clock.
        epochs = sorted(moments.sample(range(EPOCHS - 5), 8))
        plan = [0] * 8 + [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
        while plan:
            # A process that resumes in this stage must first load its state.
            start = self.seconds["start"] if stage(out) >= plan[0] else 0
            process = self.start(out)
            self.wait_for(plan[0], out, process)
            patience = start + moments.uniform(0, 0.8) * self.seconds[plan[0]]
            if plan[0] == 0:
                patience = moments.uniform(0, 0.01)
                while process.poll() is None and epochs_done(out) < epochs[0]:
                    time.sleep(0.0005)
            try:
                process.wait(timeout=patience)
            except subprocess.TimeoutExpired:
                process.kill()
            process.communicate()
            if process.returncode == 0:  # faster than the kill: the next one starts afresh
                self.expect_whole(out)
                finished += 1
                shutil.rmtree(out)
                continue
            self.assertEqual(process.returncode, -signal.SIGKILL)
            landed[stage(out)] += 1
            epochs = epochs[1:]
            plan.pop(0)
        print(f"20 kills, by stage {dict(landed)}; {finished + 1} runs finished")
        self.assertGreater(landed[0], 0)
        self.assertGreater(landed[1] + landed[3], 0)
        self.assertGreater(landed[2] + landed[4], 0)
        self.train(out)
        self.expect_whole(out)
        self.assertEqual([f.name for f in self.path.iterdir()], ["m"])

    def test_interrupted_by_ctrl_c(self):
        out = self.path / "m"
        # States are due only at the ends of stages, so the interruption itself saves the others.
        rare = {"checkpoint_seconds": 1000}
        for planned in range(5):
            process = self.start(out, **rare)
            self.wait_for(planned, out, process)
            if planned == 0:
                events = pathlib.Path(f"{out}.work") / "tensorboard"
                while process.poll() is None and not list(events.glob("*")):
                    time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            words = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 130, words)
            self.assertIn("the work is saved", words.strip().splitlines()[-1])
            self.assertFalse(out.exists())
            if planned == 0:
                (saved,) = pathlib.Path(f"{out}.work").glob("epoch_*.safetensors")
                self.assertLess(int(saved.stem[6:]), EPOCHS)
        self.assertIn("continuing from", self.train(out, **rare).stderr)
        self.expect_whole(out)

    def test_damaged_work(self):
        out = self.path / "m"
        process = self.start(out)
        self.wait_for(2, out, process)
        process.kill()
        process.communicate()
        work = pathlib.Path(f"{out}.work")
        for file in [*work.glob("epoch_*"), *work.glob("visited_*"), work / "run.json"]:
            good = file.read_bytes()
            damages = {
                "empty": b"",
                "cut short": good[: len(good) // 2],
                "length of the header": b"\xff" * 8 + good[8:],
            }
            for what, damaged in damages.items():
                with self.subTest(file=file.name, what=what):
                    file.write_bytes(damaged)
                    before = runs.contents(work)
                    self.expect_bad_input(runs.rhumb(*self.command(out)[1:]), file)
                    after = runs.contents(work)
                    # TensorBoard has one file per attempt.
                    for name in before:
                        self.assertEqual(after[name], before[name], name)
                    self.assertFalse(out.exists())
            file.write_bytes(good)
        self.train(out)
        self.expect_whole(out)

    def test_work_of_another_run(self):
        out = self.path / "m"
        process = self.start(out)
        while process.poll() is None and not list(pathlib.Path(f"{out}.work").glob("epoch_*")):
            time.sleep(0.001)
        process.kill()
        process.communicate()
        work = pathlib.Path(f"{out}.work")
        before = runs.contents(work)
        for what, changes in {
            "config.epochs": {"epochs": EPOCHS + 1},
            "seed": {"seed": 2},
            "threads": {"threads": 1},
        }.items():
            with self.subTest(what):
                self.expect_bad_input(
                    runs.rhumb(*self.command(out, **changes)[1:]), work, "another run", f"'{what}'"
                )
        alone = runs.train(out, self.data, MODEL)  # without the teachers
        self.expect_bad_input(alone, work, "another run", "'dagger'")
        self.assertEqual(runs.contents(work), before)
        self.train(out)
        self.expect_whole(out)

    def test_grounding_goes_on(self):
        whole, out = self.path / "whole", self.path / "g"
        ground = lambda to: (
            "model", "ground", self.whole, "--out", to, "--threads", 2,
            *runs.words(GROUNDING),
        )  # fmt: skip
        self.expect_done(runs.rhumb(*ground(whole)))
        work = pathlib.Path(f"{out}.work")
        for how, code, chunks in ((signal.SIGKILL, -9, 1), (signal.SIGINT, 130, 4)):
            process = subprocess.Popen(
                runs.command(*ground(out)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                env=runs.ENVIRONMENT,
            )  # fmt: skip
            # Three or four chunks per mode, the last of which are explored.
            while process.poll() is None and len(list(work.glob("[sm]*_*.safetensors"))) < chunks:
                time.sleep(0.001)
            process.send_signal(how)
            words = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, code, words)
            self.assertFalse(out.exists())
        result = self.expect_done(runs.rhumb(*ground(out)))
        self.assertIn("continuing from", result.stderr)
        self.assertEqual(runs.weights(out), runs.weights(whole))
        self.assertEqual(sorted(f.name for f in self.path.iterdir()), ["g", "whole"])


if __name__ == "__main__":
    unittest.main()
