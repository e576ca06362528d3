"""How training starts: its threads wait without spinning, and the work of an ended run is removed."""

import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import model_runs
import population_test


def start(out, given=None):
    """Trains a small population without the variables that say how threads wait, but for those given."""
    free = {key: value for key, value in population_test.ENVIRONMENT.items() if not key.startswith(("GOMP", "OMP"))}
    return subprocess.Popen(
        population_test.command(out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**free, **(given or {})},
    )  # fmt: skip


@unittest.skipUnless(model_runs.LEARN.exists(), "the training library is not built")
class TrainingStart(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "p"
        self.work = pathlib.Path(folder.name) / "p.work"

    def test_waiting_threads_do_not_spin(self):
        """The variable is there when the program starts, because OpenMP reads it before main."""
        for given, wanted in (({}, b"GOMP_SPINCOUNT=1000"), ({"GOMP_SPINCOUNT": "7"}, b"GOMP_SPINCOUNT=7")):
            process = start(self.out, given)
            began = pathlib.Path(f"/proc/{process.pid}/environ")
            while process.poll() is None and wanted not in began.read_bytes().split(b"\0"):
                time.sleep(0.001)
            self.assertIsNone(process.poll(), "it ended before the variable was seen")
            process.kill()
            process.communicate()

    def test_a_signal_while_it_starts_again_is_kept(self):
        for delay in (0.02, 0.04, 0.06, 0.08, 0.1, 0.15):
            shutil.rmtree(self.work, ignore_errors=True)
            process = start(self.out)
            time.sleep(delay)
            process.send_signal(signal.SIGTERM)
            said = process.communicate(timeout=120)[1]
            # Before main, the signal ends the program as usual, and nothing has begun.
            if process.returncode == -signal.SIGTERM:
                self.assertFalse(self.work.exists())
            else:
                self.assertEqual(process.returncode, 130, said)

    def test_work_of_a_finished_population_is_removed(self):
        """A run that fails between its last two steps leaves it."""
        process = start(self.out)
        while process.poll() is None and not (self.work / "run.json").exists():
            time.sleep(0.001)
        process.kill()
        process.communicate()
        kept = self.work.with_name("kept")
        shutil.copytree(self.work, kept)
        self.assertEqual(population_test.train(self.out).returncode, 0)
        shutil.copytree(kept, self.work)
        self.assertEqual(population_test.train(self.out).returncode, 0)
        self.assertFalse(self.work.exists())


if __name__ == "__main__":
    unittest.main()
