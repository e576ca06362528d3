"""Results do not depend on which thread comes first.

Every stage runs on two threads that are stopped at random moments (schedule_shaker.cc). Its output
must equal that of an undisturbed run to the bit. RHUMB_SHAKES is the number of runs of each stage.
"""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import stages  # noqa: E402  (its folder is added above)

RHUMB = pathlib.Path(os.environ["RHUMB_BIN"])
LIBRARIES = RHUMB.resolve().parent.parent / "lib"
SHAKES = int(os.environ.get("RHUMB_SHAKES", 1))


class Schedule(unittest.TestCase):
    @unittest.skipUnless((LIBRARIES / "librhumb_learn.so").exists(), "the training library is not built")
    def test_stopped_threads_change_no_bit(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            workshop = stages.Workshop(RHUMB, folder / "workshop")
            chosen = [stage for stage in stages.all_stages(threads=2) if stage.name not in ("zoo", "reproduce")]
            workshop.prepare(chosen)
            for stage in chosen:
                stops = 0
                for seed in range(1, SHAKES + 1):
                    place, count = folder / "run", folder / "count"
                    count.write_text("0")
                    workshop.begin(stage, place)
                    status, said = workshop.run(
                        stage, place, LD_PRELOAD=str(LIBRARIES / "libschedule_shaker.so"),
                        RHUMB_SHAKE=str(seed), RHUMB_SHAKE_COUNT=str(count),
                        # Training sets it and starts itself again; a signal in between would end it.
                        GOMP_SPINCOUNT="1000",
                    )  # fmt: skip
                    self.assertEqual(status, 0, said)
                    self.assertEqual(workshop.difference(stage, place), [], f"{stage.name}, seed {seed}")
                    stops += int(count.read_text())
                print(f"{stage.name}: {SHAKES} runs, {stops} stops")
                self.assertGreater(stops, 0, f"{stage.name}: no thread was stopped")


if __name__ == "__main__":
    unittest.main()
