"""Twelve kills of `tools/torture`; a campaign has 200."""

import os
import pathlib
import subprocess
import sys
import unittest

TOOLS = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"]) / "tools"
LEARN = pathlib.Path(os.environ["RHUMB_BIN"]).parent.parent / "lib" / "librhumb_learn.so"


class Torture(unittest.TestCase):
    @unittest.skipUnless(LEARN.exists(), "the training library is not built")
    def test_twelve_kills(self):
        result = subprocess.run(
            [sys.executable, TOOLS / "torture", "--kills", "12", "--stages", "population,dataset,ground"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        rows = [line.split() for line in result.stdout.splitlines() if line.startswith(("population", "dataset", "ground"))]
        self.assertEqual(sum(int(row[1]) for row in rows), 12)


if __name__ == "__main__":
    unittest.main()
