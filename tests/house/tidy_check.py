"""Names and habits are as .clang-tidy says, in every room.

Parsing the headers takes most of the time (of torch, most of a minute), so the sources of a room are
checked together, as one file that includes them all. Sources whose unnamed namespaces share a name go
to different files. What passed is remembered in the build folder under a hash of the sources, of every
header of ours they include, directly or not, and of the rules.
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

import sources

CACHE = sources.BUILD / "tidy"
# Warnings are GCC's business here, and so is the half precision that clang 14 does not know on x86-64.
# Precompiled headers are GCC's, which clang cannot read.
OWN_FLAGS = ["-w", "-D_Float16=float"]
DROPPED_FLAGS = {"-Winvalid-pch", "-fpch-preprocess", "-Werror"}
DROPPED_WITH_VALUE = {"-include", "-o", "-c"}

# What a line at the left margin of an unnamed namespace declares.
DECLARED = [
    r"^(?:struct|class|enum class|enum|union) (?:\[\[.*?\]\] )?(\w+)",
    r"^using (\w+) = ",
    r"^(?!return|using|namespace|template|struct|class|enum|#|/|TEST|RC_GTEST|INSTANTIATE|static_assert| )"
    r"[\w:<>,&* \[\]]*?[ &*>](\w+)\(",
    r"^(?:constexpr|const|static|std::|thread_local|inline)\b[^\n(]*?[ &*>](\w+)(?:\[[^\n]*\])* (?:=|\{)",
    r"^const [\w:<>, ]*?[ &*>](\w+)(?:\{|;)",
]


def flags_of(command):
    """The words of a compiler command that clang-tidy needs."""
    words, flags = iter(shlex.split(command)[1:]), []
    for word in words:
        if word in DROPPED_WITH_VALUE:
            next(words)
        elif word not in DROPPED_FLAGS:
            flags.append(word)
    return tuple(flags)


def unnamed(path):
    """The names in the unnamed namespaces of a source."""
    text = (sources.ROOT / path).read_text()
    bodies = re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.M | re.S)
    return {name for body in bodies for pattern in DECLARED for name in re.findall(pattern, body, re.M)}


def groups():
    """(flags, sources) of each file that is checked, the longest lists first."""
    by_room = collections.defaultdict(list)
    for entry in json.loads((sources.BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(sources.ROOT):
            path = path.relative_to(sources.ROOT)
            if path.parts[0] in ("rhumb", "tests"):
                by_room[path.parts[:2], flags_of(entry["command"])].append(path)
    found = []
    for (_, flags), paths in by_room.items():
        parts = []
        for path in sorted(set(paths)):
            names = unnamed(path)
            for taken, members in parts:
                if not taken & names:
                    taken |= names
                    members.append(path)
                    break
            else:
                parts.append((set(names), [path]))
        found += [(flags, members) for _, members in parts]
    return sorted(found, key=lambda group: -len(group[1]))


def closure(paths):
    """The files and every file of ours that they include, directly or not."""
    seen, waiting = set(), list(paths)
    while waiting:
        current = waiting.pop()
        if current not in seen and (sources.ROOT / current).exists():
            seen.add(current)
            waiting += map(pathlib.Path, sources.own_includes(current))
    return seen


def mark_of(flags, paths):
    """The file in the cache that says that the sources passed as they now are."""
    digest = hashlib.sha256((sources.ROOT / ".clang-tidy").read_bytes())
    digest.update("\0".join([*flags, *map(str, paths)]).encode())
    for part in sorted(closure(paths)):
        digest.update(f"{part}\0".encode() + (sources.ROOT / part).read_bytes())
    return CACHE / digest.hexdigest()


def run_tidy(flags, paths, mark):
    """(whether it parses, what clang-tidy says against it)"""
    together = mark.with_suffix(".cc")
    together.write_text("".join(f'#include "{sources.ROOT / path}"\n' for path in paths))
    command = ["clang-tidy", "--quiet", f"--config-file={sources.ROOT / '.clang-tidy'}", together]
    result = subprocess.run([*command, "--", *flags, *OWN_FLAGS], capture_output=True, text=True)
    together.unlink()
    text = result.stdout + result.stderr if result.returncode else ""
    return "clang-diagnostic-error" not in text, text


def complaints(group):
    """What clang-tidy says against the sources; the empty string when nothing."""
    flags, paths = group
    mark = mark_of(flags, paths)
    if mark.exists():
        return ""
    parses, text = run_tidy(flags, paths, mark)
    if not parses and len(paths) > 1:  # they do not get on in one file
        text = "".join(complaints((flags, [path])) for path in paths)
    if not text:
        mark.touch()
    return text


class Tidy(unittest.TestCase):
    def test_the_names_that_keep_sources_apart(self):
        text = "namespace {\nint Add(int a) {}\nstruct Row {\n  int b;\n};\nconstexpr int kMost = 3;\n}  // namespace\n"
        bodies = re.findall(r"^namespace \{\n(.*?)^\}  // namespace$", text, re.M | re.S)
        found = {name for pattern in DECLARED for name in re.findall(pattern, bodies[0], re.M)}
        self.assertEqual(found, {"Add", "Row", "kMost"})
        self.assertEqual(
            flags_of("c++ -I/a -Winvalid-pch -include p.hxx -O3 -o x.o -c x.cc"), ("-I/a", "-O3")
        )

    def test_clang_tidy_is_content(self):
        CACHE.mkdir(exist_ok=True)
        everything = groups()
        rooms = {path.parts[:2] for _, paths in everything for path in paths}
        for room in [("rhumb", "core"), ("rhumb", "cli"), ("tests", "core")]:
            self.assertIn(room, rooms)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (_, paths), text in zip(everything, pool.map(complaints, everything)):
                with self.subTest(sources=" ".join(map(str, paths))):
                    self.assertFalse(text, text)


if __name__ == "__main__":
    unittest.main()
