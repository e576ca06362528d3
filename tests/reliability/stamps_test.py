"""What makes a check under the sanitizers stale, and what tools/sanitize does about it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import stamps  # noqa: E402

PRESETS = """{"configurePresets": [
  {"name": "base", "generator": "Ninja"},
  {"name": "asan", "inherits": "base", "displayName": "one", "cacheVariables": {"A": "1"}},
  {"name": "smoke", "inherits": "base"}, {"name": "tsan", "inherits": "base"}]}
"""
# In the place of CMake: it "builds" a test program, which says what the file `verdict` says.
CMAKE = """#!/bin/sh
mkdir -p build/asan/bin
for room in core net; do
  printf '#!/bin/sh\\necho "[==========] 7 tests from 1 test suite ran."\\nexec sh ../../../verdict %s' $room \\
    > build/asan/bin/${room}_tests
  chmod +x build/asan/bin/${room}_tests
done
"""


class Tree(unittest.TestCase):
    """A small repository with two rooms, net above core."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("tools/sanitize", "tools/stamps.py"):
            self.write(name, (ROOT / name).read_text()).chmod(0o755)
        self.write("tools/room_edges.txt", "# rooms\ncore:\ncore/math: core\nnet: core\nlearn: core\n")
        self.write("rhumb/core/a.h", "")
        self.write("rhumb/core/a.cc", '#include "rhumb/core/a.h"\n#include "rhumb/core/math/m.h"\nint a;\n')
        self.write("rhumb/core/b.cc", "int b;\n")
        self.write("rhumb/core/math/m.h", "int m;\n")
        self.write("rhumb/net/n.h", '#include "rhumb/core/a.h"\n#include "rhumb/learn/l.h"\n#include "rhumb/learn/k.h"\n')
        self.write("rhumb/learn/l.h", "int l;\n")
        self.write("rhumb/learn/l.cc", "int l;\n")
        self.write("rhumb/learn/k.h", "int k;\n")
        self.write("rhumb/learn/k.cc", "int k;\n")
        self.write("rhumb/net/n.cc", "// A comment.\nint n;\n")
        self.write("rhumb/net/unused.h", "int unused;\n")
        self.write("tests/core/math/m_test.cc", '#include "rhumb/core/math/m.h"\n')
        self.write("tests/net/n_test.cc", '#include "rhumb/net/n.h"\n#include "tests/net/sample.h"\n')
        self.write("tests/net/sample.h", "int sample;\n")
        self.write("tests/net/golden.json", "1\n# 2\n")
        self.write("tests/support/sanitizer_options.cc", "")
        for name in stamps.BUILD:
            self.write(name, "set(A 1)\n")
        self.write("CMakeLists.txt", "target_sources(rhumb_net rhumb/learn/k.cc)\n")
        self.write("CMakePresets.json", PRESETS)
        self.write("dependencies.txt", "[wheels runtime]\nmujoco==1\n\n[wheels oracle]\nnumpy==1\n")
        self.write("program/cmake", CMAKE).chmod(0o755)
        self.write("verdict", "exit 0")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def hashes(self):
        return {
            room: stamps.hash_of(self.root, "asan", list((self.root / "tests" / room).rglob("*_test.cc")),
                                 rooms, [self.root / "tests" / room])
            for room, rooms in {"core": {"core"}, "net": {"core", "net"}}.items()
        }  # fmt: skip

    def sanitize(self, *words, preset="asan"):
        environment = {**os.environ, "PATH": f"{self.root}/program:{os.environ['PATH']}"}
        done = subprocess.run(
            [sys.executable, self.root / "tools/sanitize", "--preset", preset, *words], capture_output=True, text=True,
            env=environment, cwd=self.root, timeout=60,
        )  # fmt: skip
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def passed(self):
        return {line.rsplit(" ", 1)[0] for line in stamps.lines(self.root) if not line.startswith("#")}


class WhatCounts(Tree):
    def check(self, name, text, stale):
        before = self.hashes()
        self.write(name, text)
        after = self.hashes()
        self.assertEqual({room for room in before if before[room] != after[room]}, stale, name)

    def test_what_a_room_compiles_and_reads(self):
        self.check("rhumb/core/math/m.h", "int other;\n", {"core", "net"})
        self.check("rhumb/core/a.cc", "int other;\n", {"net"})  # the tests of core do not reach it
        self.check("rhumb/core/b.cc", "int other;\n", {"net"})  # it has no header: any of the folder may announce it
        self.check("rhumb/net/n.cc", "// A comment.\nint other;\n", {"net"})
        self.check("tests/net/sample.h", "int other;\n", {"net"})
        self.check("tests/net/golden.json", "1\n# 3\n", {"net"})
        self.check("tests/core/math/more_test.cc", "", {"core"})
        self.check("rhumb/net/kernels.cc", "", {"net"})
        self.check("rhumb/learn/l.h", "int other;\n", {"net"})
        self.check("rhumb/learn/k.cc", "int other;\n", {"net"})
        self.check("CMakeLists.txt", "set(A 2)\n", {"core", "net"})
        self.check("CMakePresets.json", PRESETS.replace('"1"', '"2"'), {"core", "net"})
        self.check("CMakePresets.json", PRESETS.replace("Ninja", "Make"), {"core", "net"})
        self.check("dependencies.txt", "[wheels runtime]\nmujoco==2\n\n[wheels oracle]\nnumpy==1\n", {"core", "net"})

    def test_what_is_in_nobodys_way(self):
        self.check("rhumb/net/n.cc", "  // Another comment,\n// of two lines.\nint n;\n", set())
        self.check("cmake/Room.cmake", "# A comment.\nset(A 1)\n", set())
        self.check("rhumb/learn/l.cc", "int other;\n", set())  # a room that is not linked
        self.check("rhumb/net/unused.h", "int other;\n", set())
        self.check("rhumb/net/README.md", "Text.\n", set())
        self.check("tests/net/README.md", "Text.\n", set())
        self.check("tests/net/n_test.py", "1\n", set())
        self.check("tests/net/__pycache__/n.cpython-311.pyc", "1\n", set())
        self.check("tests/net/.golden.json.swp", "1\n", set())
        self.check("CMakePresets.json", PRESETS.replace("one", "two").replace("tsan", "other"), set())
        self.check("dependencies.txt", "[wheels runtime]\nmujoco==1\n\n[wheels oracle]\nnumpy==2\n", set())
        self.check("build/asan/bin/net_tests", "1\n", set())

    def test_a_raw_string_may_hold_what_looks_like_a_comment(self):
        self.write("rhumb/net/n.cc", 'const char* n = R"(\n// one\n)";\n')
        self.check("rhumb/net/n.cc", 'const char* n = R"(\n// two\n)";\n', {"net"})

    def test_the_place_of_the_repository_does_not_count(self):
        here = self.hashes()
        with tempfile.TemporaryDirectory() as elsewhere:
            self.root = shutil.copytree(self.root, pathlib.Path(elsewhere) / "clone")
            self.assertEqual(self.hashes(), here)


class Stamps(Tree):
    def test_a_damaged_file_makes_stale_what_it_no_longer_says(self):
        self.assertFalse(stamps.is_fresh(self.root, "asan core", "0" * 32))
        stamps.put(self.root, "asan core", "0" * 32)
        stamps.put(self.root, "asan net", "1" * 32)
        self.assertTrue(stamps.is_fresh(self.root, "asan core", "0" * 32))
        self.assertFalse(stamps.is_fresh(self.root, "asan core", "1" * 32))
        whole = (self.root / stamps.PASSED).read_text()
        self.write(stamps.PASSED, "<<<<<<< ours\n" + whole.replace("0000\n", "00\n"))
        self.assertFalse(stamps.is_fresh(self.root, "asan core", "0" * 32))
        self.assertTrue(stamps.is_fresh(self.root, "asan net", "1" * 32))
        stamps.put(self.root, "asan core", "0" * 32)
        self.assertEqual((self.root / stamps.PASSED).read_text(), whole)
        (self.root / stamps.PASSED).write_bytes(b"\xff\x00\n")
        self.assertFalse(stamps.is_fresh(self.root, "asan net", "1" * 32))


class Smoke(Tree):
    """Two fuzz targets with two seeds each, and a program in the place of tools/fuzz."""

    def setUp(self):
        super().setUp()
        self.write("cmake/Fuzz.cmake", "")
        self.write("tools/setup", "#!/bin/sh\n").chmod(0o755)
        for target in ("json", "query"):
            self.write(f"tests/fuzz/{target}_fuzz.cc", "")
            for seed in "ab":
                self.write(f"tests/fuzz/corpus/{target}/{seed}", "1\n")

    def fuzz(self, script):
        """After `tools/fuzz --smoke --seconds 30 TARGET`, $4 is the target."""
        self.write("tools/fuzz", f"#!/bin/sh\necho target executions\n{script}\n").chmod(0o755)
        return self.sanitize(preset="smoke")

    def test_targets_are_fuzzed_for_30_s_once_per_change(self):
        code, said = self.fuzz('test $3 = 30 && echo "$4 3 30"')
        self.assertEqual((code, self.passed()), (0, {"smoke json", "smoke query"}), said)
        self.assertEqual(self.sanitize("--list", preset="smoke"), (0, ""))
        self.write("tests/fuzz/corpus/query/a", "2\n")
        self.assertEqual(self.sanitize("--list", preset="smoke"), (0, "smoke query\n"))

    def test_findings_and_targets_that_try_nothing_new_fail(self):
        for script in ('test $4 = query && echo "$4 3 30"', '[ $4 = json ] && echo "$4 2 30" || echo "$4 3 30"'):
            code, said = self.fuzz(script)
            self.assertEqual((code, self.passed()), (1, {"smoke query"}), said)
            self.assertIn("FAILED: smoke json\n", said)

    def test_a_target_that_does_not_fit_is_not_begun(self):
        self.fuzz("exit 1")
        code, said = self.sanitize("--within", "20", preset="smoke")
        self.assertEqual((code, self.passed()), (0, set()), said)
        self.assertRegex(said, "not checked within 20 s: smoke (json, smoke query|query, smoke json)\n")


class Tool(Tree):
    def test_only_what_is_stale_is_run(self):
        code, said = self.sanitize()
        self.assertEqual((code, self.passed()), (0, {"asan core", "asan net"}), said)
        self.assertEqual(said.count(" 7 "), 2, said)
        self.assertEqual(self.sanitize(), (0, "nothing has changed since it passed\n"))
        self.write("rhumb/net/n.cc", "int other;\n")
        self.assertEqual(self.sanitize("--list"), (0, "asan net\n"))
        code, said = self.sanitize()
        self.assertEqual((code, "core" in said, said.count(" 7 ")), (0, False, 1), said)
        self.assertEqual(self.sanitize("--list"), (0, ""))

    def test_what_breaks_fails_and_stays_stale(self):
        self.write("verdict", "echo race; test $1 = core")
        for words in ([], ["--within", "50"]):
            code, said = self.sanitize(*words)
            self.assertEqual((code, self.passed()), (1, {"asan core"}), said)
            self.assertIn("race", said)
            self.assertIn("FAILED: asan net", said)

    def test_a_build_that_fails_is_a_failure(self):
        self.write("program/cmake", "#!/bin/sh\necho no compiler; exit 1\n")
        for words in ([], ["--within", "50"]):
            code, said = self.sanitize(*words)
            self.assertEqual((code, self.passed()), (1, set()), said)
            self.assertIn("no compiler", said)

    def test_what_does_not_fit_is_named_and_no_failure(self):
        code, said = self.sanitize("--within", "0")
        self.assertEqual((code, self.passed()), (0, set()), said)
        self.assertIn("not checked within 0 s: asan core, asan net\n", said)
        # net is killed at the end of the time.
        self.write("verdict", "test $1 = core || exec sleep 50")
        code, said = self.sanitize("--within", "3")
        self.assertEqual((code, self.passed()), (0, {"asan core"}), said)
        self.assertIn("not checked within 3 s: asan net\n", said)


if __name__ == "__main__":
    unittest.main()
