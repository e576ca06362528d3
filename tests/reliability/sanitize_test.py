"""Runs under the sanitizers what has changed since it last passed.

A stamp in tests/passed.txt says what has passed (tools/stamps.py). If all is fresh, this takes a moment.
Else it takes at most BUDGET_S: what does not fit is named at the end of ./test, and nothing fails.
"""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
TOOL = ROOT / "tools" / "sanitize"
BUDGET_S = 540  # ./test takes 900 s without, and should end within 1,500 s


class Sanitize(unittest.TestCase):
    def test_every_room_and_every_target_is_covered(self):
        listed = subprocess.run(
            [TOOL, "--preset", "smoke", "--preset", "asan", "--all", "--list"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        rooms = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("*_test.cc")}
        targets = {path.name.removesuffix("_fuzz.cc") for path in (ROOT / "tests/fuzz").glob("*_fuzz.cc")}
        expected = {f"asan {room}" for room in rooms - {"learn"} | {"fuzz"}} | {f"smoke {name}" for name in targets}
        self.assertEqual(set(listed), expected)

    def test_every_target_has_seeds(self):
        for path in (ROOT / "tests" / "fuzz").glob("*_fuzz.cc"):
            corpus = ROOT / "tests/fuzz/corpus" / path.name.removesuffix("_fuzz.cc")
            self.assertTrue(list(corpus.iterdir()), f"{corpus} is empty")

    def test_what_changed(self):
        if pathlib.Path(os.environ["RHUMB_BUILD_DIR"]).name != "release":
            self.skipTest("this build is none of ./test")
        result = subprocess.run(
            [TOOL, "--preset", "smoke", "--preset", "asan", "--within", str(BUDGET_S)], text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
