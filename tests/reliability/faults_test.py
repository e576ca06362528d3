"""A few points of `tools/faults`; the whole campaign takes an hour."""

import os
import pathlib
import subprocess
import sys
import unittest

TOOLS = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"]) / "tools"
LEARN = pathlib.Path(os.environ["RHUMB_BIN"]).parent.parent / "lib" / "librhumb_learn.so"


class Faults(unittest.TestCase):
    def faults(self, *words):
        result = subprocess.run(
            [sys.executable, TOOLS / "faults", *words], capture_output=True, text=True, check=False
        )
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("all passed", result.stdout)
        return result.stdout

    @unittest.skipUnless(LEARN.exists(), "the training library is not built")
    def test_calls_that_fail_once(self):
        said = self.faults("--stages", "dataset,zoo", "--kinds", "write,sync,rename,open", "--sample", "3")
        rows = [line.split() for line in said.splitlines() if line.startswith(("dataset", "zoo"))]
        self.assertEqual(len(rows), 8)
        for row in rows:
            # There are points, and at least one of them was noticed.
            self.assertGreater(int(row[2]), 0, row)
            self.assertGreater(int(row[4]), 0, row)


if __name__ == "__main__":
    unittest.main()
