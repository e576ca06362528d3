"""Names are as .clang-tidy says.

clang-tidy takes seconds per file, so what passed is remembered in the build folder under a hash of
the file, of every header of ours it includes, directly or not, and of the rules. The training
library stays out: torch's headers alone take most of a minute.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import unittest

import sources

CACHE = sources.BUILD / "naming"
# Here it is names alone: warnings are GCC's business, and so is the half precision that clang 14 does
# not know on x86-64.
TIDY = ["clang-tidy", "--quiet", "-p", sources.BUILD]
TIDY += ["--extra-arg=-w", "--extra-arg=-D_Float16=float"]


def closure(path):
    """The file and every file of ours that it includes, directly or not."""
    seen, waiting = set(), [pathlib.Path(path)]
    while waiting:
        current = waiting.pop()
        if current not in seen and (sources.ROOT / current).exists():
            seen.add(current)
            waiting += map(pathlib.Path, sources.own_includes(current))
    return seen


def passed_mark(path):
    """The file in the cache that says that path passed as it now is."""
    digest = hashlib.sha256((sources.ROOT / ".clang-tidy").read_bytes())
    for part in sorted(closure(path)):
        digest.update(f"{part}\0".encode() + (sources.ROOT / part).read_bytes())
    return CACHE / digest.hexdigest()


def complaints(path):
    """What clang-tidy says against path; the empty string when nothing."""
    mark = passed_mark(path)
    if mark.exists():
        return ""
    command = [*TIDY, str(sources.ROOT / path)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return result.stdout + result.stderr
    mark.touch()
    return ""


class Naming(unittest.TestCase):
    def test_clang_tidy_is_content(self):
        CACHE.mkdir(exist_ok=True)
        commands = json.loads((sources.BUILD / "compile_commands.json").read_text())
        compiled = [pathlib.Path(command["file"]) for command in commands]
        own = [p.relative_to(sources.ROOT) for p in compiled if p.is_relative_to(sources.ROOT)]
        paths = [p for p in own if p.parts[0] in ("rhumb", "tests") and p.parts[1] != "learn"]
        self.assertTrue(paths, "compile_commands.json names no file of ours")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, text in zip(paths, pool.map(complaints, paths)):
                with self.subTest(file=str(path)):
                    self.assertFalse(text, text)


if __name__ == "__main__":
    unittest.main()
