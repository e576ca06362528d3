"""Processes that share every batch train the model that one process trains, up to rounding."""

import pathlib
import signal
import socket
import subprocess
import time
import unittest

import model_runs as runs

EPOCHS = 30
# Every epoch is saved, and there are enough of them to interrupt the run.
MODEL = {**runs.TINY_MODEL, "epochs": EPOCHS, "checkpoint_seconds": 0}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Ranks(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.population, cls.data, _ = runs.make_all(cls.shared, runs.TINY_POPULATION, runs.TINY_DATASET)

    def command(self, out, *arguments):
        return runs.train_command(
            out, self.data, MODEL, "--population", self.population, *arguments, threads=1
        )

    def start(self, out, count=2):
        place = {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
        return [
            subprocess.Popen(
                self.command(out, "--ranks"), env={**runs.ENVIRONMENT, **place, "RANK": str(rank)},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            for rank in range(count)
        ]

    def finish(self, ranks, code=0):
        """The errors of all ranks, which must end with `code`."""
        errors = [rank.communicate(timeout=300)[1] for rank in ranks]
        self.assertEqual([rank.returncode for rank in ranks], [code] * len(ranks), errors)
        return errors

    def test_two_are_one_up_to_rounding_and_resume_to_the_bit(self):
        alone, two, resumed = (self.path / name for name in ("alone", "two", "resumed"))
        self.expect_done(runs.rhumb(*self.command(alone)[1:]))
        self.finish(self.start(two))
        self.assertEqual(runs.manifest(two)["ranks"], 2)
        expected, shared = (runs.document(model)["metrics"]["losses"] for model in (alone, two))
        for name, value in expected.items():
            self.assertAlmostEqual(shared[name], value, delta=1e-3 * abs(value) + 1e-6, msg=name)
        # The sums are rounded differently, so an equal file would mean that nothing was shared.
        self.assertNotEqual(runs.weights(two), runs.weights(alone))

        ranks = self.start(resumed)
        work = pathlib.Path(f"{resumed}.work")
        while not list(work.glob("epoch_*.safetensors")):
            self.assertIsNone(ranks[0].poll())
            time.sleep(0.001)
        ranks[1].send_signal(signal.SIGINT)  # one is enough: they stop together
        self.finish(ranks, 130)
        self.finish(self.start(resumed))
        self.assertEqual(runs.weights(resumed), runs.weights(two))
        self.assertFalse(work.exists())

    def test_what_cannot_be_shared_is_an_error(self):
        for error in self.finish(self.start(self.path / "three", count=3), 2):
            self.assertIn("3 ranks cannot share 32 contexts of a batch", error)
        lonely = runs.rhumb(*self.command(self.path / "lonely", "--ranks")[1:])
        self.assertEqual(lonely.returncode, 2)
        self.assertIn("torchrun", lonely.stderr)
        self.assertIn("WORLD_SIZE is missing", lonely.stderr)


if __name__ == "__main__":
    unittest.main()
