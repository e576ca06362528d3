"""Names and habits are as .clang-tidy says, in every room, its tests and the benchmarks.

Three things make this quick. The headers of others are precompiled, all together and without the
bodies of their functions. A plugin, own_code.cc, keeps clang-tidy from examining them. And many sources
are checked as one file that includes them, unless their unnamed namespaces share a name.

The build folder remembers a source that passed by a hash: of the rules, of the source and of every
header of ours that it includes, directly or not.
"""

import ctypes
import functools
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import sources

CACHE = sources.BUILD / "tidy"
RULES = sources.ROOT / ".clang-tidy"
COMMANDS = json.loads((sources.BUILD / "compile_commands.json").read_text())
PLUGIN = pathlib.Path(__file__).with_name("own_code.cc")
LLVM = pathlib.Path(shutil.which("clang-tidy") or "").resolve().parent.parent

# Warnings are GCC's business, as are fmt's checks at compile time.
OWN_FLAGS = ["-w", "-DFMT_CONSTEVAL=", "-D_Float16=HalfPrecision"]
# clang 14 does not know half precision on x86-64. A header of X11 defines common words as macros, and
# rhumb/sim/renderer.cc keeps it out likewise.
FIRST_LINES = "using HalfPrecision = long double;\n#define EGL_NO_X11\n"
# Values of libclang's CXTranslationUnit_Flags: Incomplete, ForSerialization, SkipFunctionBodies.
HEADERS_ALONE = 0x02 | 0x10 | 0x40

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)
# What a line at the left margin declares, and the parameters of a function.
DECLARED = re.compile(
    r"^(?!TEST|RC_GTEST|INSTANTIATE|template|namespace|static_assert|using)"
    r"[\w\[][^\n]*?(\w+)(\([^{;]*|(?= ?=| ?\{| : |;|\[))",
    re.M,
)


def flags():
    """What the compiler is told about headers, language and processor, for all sources together."""
    found = {}
    for entry in COMMANDS:
        words = shlex.split(entry["command"])
        for word, following in zip(words, words[1:]):
            if word == "-isystem":
                found[word, following] = None
            elif re.match(r"-(D|I|std=|march=)", word):
                found[(word,)] = None
    return [word for words in found for word in words] + OWN_FLAGS


def own_files(*suffixes):
    return [path for path in sources.files(*suffixes) if path.parts[0] in ("rhumb", "tests", "benchmarks")]


def checked_sources():
    """Our C++ sources, without the kernels of other processors and the one that is a macro of nanobind's,
    which clang 14 does not accept."""
    compiled = {entry["file"] for entry in COMMANDS}
    return [
        path
        for path in own_files(".cc")
        if path.name != PLUGIN.name
        and path != pathlib.Path("rhumb/python/module.cc")
        and (not path.name.startswith("kernels_") or str(sources.ROOT / path) in compiled)
    ]


own_includes = functools.cache(sources.own_includes)


@functools.cache
def closure(path):
    """The file and every file of ours that it includes, directly or not."""
    seen, waiting = set(), [path]
    while waiting:
        current = waiting.pop()
        if current not in seen and (sources.ROOT / current).exists():
            seen.add(current)
            waiting += map(pathlib.Path, own_includes(current))
    return seen


def is_about(found, path):
    """Whether a finding is about the source or a header of ours that it includes."""
    return any(text.startswith(f"{sources.ROOT / part}:") for text in found for part in closure(path))


def unnamed(text):
    """(namespace, name, parameters) of what the unnamed namespaces of a source declare."""
    around = re.search(r"^namespace (\w+(?:::\w+)*) \{", text, re.M)
    return {
        (around and around[1], name, "".join(parameters.split()))
        for body in UNNAMED.findall(text)
        for name, parameters in DECLARED.findall(body)
    }


def packs(paths):
    """The sources in as few lists as it takes to keep equal names apart."""
    found = []
    for path in paths:
        declared = unnamed((sources.ROOT / path).read_text())
        for taken, members in found:
            if not taken & declared:
                taken |= declared
                members.append(path)
                break
        else:
            found.append((declared, [path]))
    return [members for _, members in found]


class Checker:
    """clang-tidy with its plugin and its precompiled header."""

    def __init__(self):
        CACHE.mkdir(exist_ok=True)
        self.flags = flags()
        self.rules = hashlib.sha256(RULES.read_bytes() + " ".join(self.flags).encode())
        self.rules.update(PLUGIN.read_bytes() + pathlib.Path(__file__).read_bytes())
        self.plugin = self.headers = None

    def mark(self, path):
        """The file that remembers that a source passed, and its contents if it passes as it is now."""
        digest = self.rules.copy()
        for part in sorted(closure(path)):
            digest.update(f"{part}\0".encode() + (sources.ROOT / part).read_bytes())
        return CACHE / str(path).replace("/", "+"), digest.hexdigest()

    def passed(self, path):
        file, digest = self.mark(path)
        return file.exists() and file.read_text() == digest

    def prepare(self):
        """Compiles the plugin and the header, unless they are there."""
        self.plugin = CACHE / f"{hashlib.sha256(PLUGIN.read_bytes()).hexdigest()}.so"
        if not self.plugin.exists():
            command = [LLVM / "bin/clang++", "-std=c++17", "-fno-rtti", "-fPIC", "-shared"]
            subprocess.run([*command, "-isystem", LLVM / "include", PLUGIN, "-o", self.plugin], check=True)

        named = {
            name
            for path in own_files(".cc", ".h")
            for name in re.findall(r"^#include <(.*)>", (sources.ROOT / path).read_text(), re.M)
            if not name.startswith(("arm_neon", "clang"))
        }
        text = FIRST_LINES + "".join(f"#include <{name}>\n" for name in sorted(named))
        digest = hashlib.sha256((text + " ".join(self.flags)).encode()).hexdigest()
        self.headers = CACHE / f"{digest}.pch"
        # It is of no use any more when one of the headers has changed since.
        trial = [LLVM / "bin/clang++", "-fsyntax-only", "-x", "c++", "/dev/null", "-include-pch", self.headers]
        if subprocess.run([*trial, *self.flags], capture_output=True).returncode != 0:
            for old in CACHE.glob("*.pch"):
                old.unlink()
            header = CACHE / "headers.h"
            header.write_text(text)
            self.precompile(header)

    def precompile(self, header):
        """Through libclang, because no option of clang itself leaves out the bodies of functions."""
        clang = ctypes.CDLL(next((LLVM / "lib").glob("libclang-*.so.1")))
        for function in (clang.clang_createIndex, clang.clang_parseTranslationUnit):
            function.restype = ctypes.c_void_p
        words = [word.encode() for word in ["-x", "c++-header", *self.flags]]
        unit = clang.clang_parseTranslationUnit(
            ctypes.c_void_p(clang.clang_createIndex(0, 1)),
            bytes(header),
            (ctypes.c_char_p * len(words))(*words),
            len(words),
            None,
            0,
            HEADERS_ALONE,
        )
        failed = clang.clang_saveTranslationUnit(ctypes.c_void_p(unit), bytes(self.headers), 0)
        if failed:
            raise RuntimeError(f"clang does not precompile {header}")

    def findings(self, paths):
        """What clang-tidy says of the sources in one file, a text per finding."""
        with tempfile.NamedTemporaryFile("w", suffix=".cc", dir=CACHE) as together:
            for number, path in enumerate(paths):
                together.write(f"#define main Main{number}\n")
                together.write(f'#include "{sources.ROOT / path}"  // NOLINT\n#undef main\n')
            together.flush()
            command = ["clang-tidy", "--quiet", f"--load={self.plugin}", f"--config-file={RULES}", together.name]
            command += ["--checks=rhumb-own-code", "--", *self.flags, "-include-pch", self.headers]
            result = subprocess.run(command, capture_output=True, text=True)
        found = re.split(r"^(?=/.*: error: )", result.stdout, flags=re.M)[1:]
        return found or ([result.stdout + result.stderr] if result.returncode else [])

    def complaints(self, paths):
        """The findings against the sources. Those without one are remembered."""
        found = self.findings(paths)
        clash = any("[clang-diagnostic-error]" in text for text in found)
        apart = [path for path in paths if is_about(found, path)]
        if clash and len(paths) > 1:
            # Sources that do not go with the others are checked again, without the others.
            if len(apart) in (0, len(paths)):
                half = len(paths) // 2
                return self.complaints(paths[:half]) + self.complaints(paths[half:])
            self.remember(paths, found)
            return self.complaints(apart)
        self.remember(paths, found)
        return found

    def remember(self, paths, found):
        """Marks the sources that passed."""
        for path in paths:
            if not is_about(found, path):
                file, digest = self.mark(path)
                file.write_text(digest)


class Tidy(unittest.TestCase):
    def test_the_names_that_keep_sources_apart(self):
        text = (
            "namespace rhumb::net {\nnamespace {\nusing json = nlohmann::json;\nint Add(int a,\n        int b) {}\n"
            "struct Row : public Base {\n  int b;\n};\nconstexpr int kMost = 3;\n"
            "}  // namespace\n}  // namespace rhumb::net\n"
        )
        declared = {("Add", "(inta,intb)"), ("Row", ""), ("kMost", "")}
        self.assertEqual(unnamed(text), {("rhumb::net", *name) for name in declared})

    def test_clang_tidy_is_content(self):
        if not any("rhumb/learn/" in entry["file"] for entry in COMMANDS):
            self.skipTest("this build is without the training library; the preset release has it")
        checker = Checker()
        paths = checked_sources()
        rooms = {path.parts[:2] for path in paths}
        for room in [("rhumb", "core"), ("rhumb", "learn"), ("tests", "learn"), ("benchmarks", "envs")]:
            self.assertIn(room, rooms)
        waiting = [path for path in paths if not checker.passed(path)]
        if waiting:
            checker.prepare()
        found = [text for pack in packs(waiting) for text in checker.complaints(pack)]
        self.assertFalse(found, "".join(found))


if __name__ == "__main__":
    unittest.main()
