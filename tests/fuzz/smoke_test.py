"""Fuzzes every target for a moment, once per change of the code that the targets link.

Building the targets takes minutes, so it is done only where RHUMB_FUZZ_SECONDS gives the seconds per
target, and skipped while a stamp says that these very sources have passed. A campaign is
`tools/fuzz --hours N`.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import time
import unittest

ROOT = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
STAMP = ROOT / "build" / "smoke" / "passed.json"
# What cmake/Fuzz.cmake links, and what says how.
SOURCES = [
    *(f"rhumb/{room}" for room in ("core", "sim", "data", "net", "population", "steer", "rollout")),
    "rhumb/serve/message.cc",
    "tests/fuzz", "tests/net/sample_model.h", "tests/steer/sample_model_writer.cc", "tools/fuzz", "cmake",
    "envs", "CMakeLists.txt", "CMakePresets.json", "dependencies.txt",
]  # fmt: skip


def hash_of_sources():
    whole = hashlib.sha256()
    for name in SOURCES:
        top = ROOT / name
        for path in sorted([top] if top.is_file() else (p for p in top.rglob("*") if p.is_file())):
            data = path.read_bytes()
            whole.update(f"{path.relative_to(ROOT)} {len(data)} ".encode() + data)
    return whole.hexdigest()


def passed_before(sources, seconds):
    try:
        stamp = json.loads(STAMP.read_text())
        return stamp["sources"] == sources and stamp["seconds"] >= seconds
    except (OSError, ValueError, KeyError):
        return False


class Smoke(unittest.TestCase):
    def test_every_target(self):
        seconds = int(os.environ.get("RHUMB_FUZZ_SECONDS", 0))
        if seconds == 0:
            self.skipTest("RHUMB_FUZZ_SECONDS is not set")
        sources = hash_of_sources()
        if passed_before(sources, seconds):
            print("these sources have passed before")
            return
        start = time.monotonic()
        result = subprocess.run(
            [ROOT / "tools" / "fuzz", "--smoke", "--seconds", str(seconds)], capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        print(result.stdout, f"{time.monotonic() - start:.0f} s, of which {seconds} per target")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        rows = [line.split() for line in result.stdout.splitlines()[1:-1]]
        targets = {path.name.removesuffix("_fuzz.cc") for path in (ROOT / "tests/fuzz").glob("*_fuzz.cc")}
        self.assertEqual({row[0] for row in rows}, targets)
        for row in rows:
            self.assertGreater(int(row[1]), len(list((ROOT / "tests/fuzz/corpus" / row[0]).iterdir())), row)
        STAMP.write_text(json.dumps({"sources": sources, "seconds": seconds}) + "\n")

    def test_every_target_has_seeds(self):
        for path in (ROOT / "tests" / "fuzz").glob("*_fuzz.cc"):
            corpus = ROOT / "tests/fuzz/corpus" / path.name.removesuffix("_fuzz.cc")
            self.assertTrue(list(corpus.iterdir()), f"{corpus} is empty")


if __name__ == "__main__":
    unittest.main()
