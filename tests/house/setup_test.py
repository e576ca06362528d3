"""tools/setup refuses words that are not goals before it does anything."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])


class Setup(unittest.TestCase):
    def setUp(self):
        # Alone in a folder, it has nothing that it could build: whatever it did would show.
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "tools").mkdir()
        shutil.copy(SOURCE / "tools" / "setup", self.root / "tools")

    def set_up(self, *goals):
        command = [self.root / "tools" / "setup", *goals]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual([path.name for path in self.root.iterdir()], ["tools"], "it made something")
        return done

    def test_unknown_goals(self):
        for goals in (["runtme"], ["runtime", "--jobs"], ["runtime learn"], [""]):
            done = self.set_up(*goals)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"unknown goal '{goals[-1]}'", done.stderr)
            self.assertIn("goals are runtime learn", done.stderr)

    def test_help(self):
        done = self.set_up("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("tools/setup GOAL", "runtime", "smoke"):
            self.assertIn(words, done.stdout)
        self.assertNotIn("set -euo", done.stdout)

    def test_nothing_to_do(self):
        self.assertEqual(self.set_up().returncode, 0)


if __name__ == "__main__":
    unittest.main()
