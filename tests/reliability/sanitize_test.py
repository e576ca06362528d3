"""Runs the rooms under the sanitizers on request, and checks what `tools/sanitize` takes for a change.

A build takes many minutes, so it is made only where RHUMB_SANITIZE names a preset (asan, tsan). Rooms
that have not changed since they passed are left out.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
TOOL = ROOT / "tools" / "sanitize"


def load_tool():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("sanitize", str(TOOL))
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("sanitize", loader))
    loader.exec_module(tool)
    return tool


class Sanitize(unittest.TestCase):
    def test_every_room_without_libtorch_is_covered(self):
        with_tests = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("*_test.cc")}
        self.assertEqual(set(load_tool().rooms()), with_tests - {"learn"} | {"fuzz"})

    def test_a_change_makes_the_rooms_above_stale(self):
        tool = load_tool()
        with tempfile.TemporaryDirectory() as scratch:
            tool.ROOT = pathlib.Path(scratch)
            for name in ("rhumb/core/a.cc", "rhumb/net/b.cc", "rhumb/steer/map/c.cc", "tests/net/d_test.cc"):
                (tool.ROOT / name).parent.mkdir(parents=True)
                (tool.ROOT / name).write_text("1")
            (tool.ROOT / "tools").mkdir()
            (tool.ROOT / "tools/room_edges.txt").write_text("# rooms\ncore:\nnet: core\nsteer/map: net\nsteer: core net\n")
            stamps = tool.Stamps(tool.ROOT / "build")
            names = ("core", "net", "steer")
            changes = {
                "rhumb/core/a.cc": {"core", "net", "steer"},
                "rhumb/net/b.cc": {"net", "steer"},
                "rhumb/steer/map/c.cc": {"steer"},
                "tests/net/d_test.cc": {"net"},
            }
            self.assertFalse(any(map(stamps.is_fresh, names)))
            for changed, stale in changes.items():
                for room in names:
                    stamps.put(room, tool.hash_of(room))
                self.assertTrue(all(map(stamps.is_fresh, names)))
                (tool.ROOT / changed).write_text("2")
                self.assertEqual({room for room in names if not stamps.is_fresh(room)}, stale, changed)

    def test_rooms_that_changed(self):
        preset = os.environ.get("RHUMB_SANITIZE")
        if not preset:
            self.skipTest("RHUMB_SANITIZE is not set")
        result = subprocess.run([TOOL, "--preset", preset], capture_output=True, text=True, check=False)
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
