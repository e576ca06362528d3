"""Remembers which sources last passed a long check, in tests/passed.txt, which is committed.

A line is "CHECK HASH", such as "asan core 0123…". A check is fresh if the line with today's hash is in
the file. A damaged line, or the marks of a merge, only make that check stale.

A hash covers what the check compiles and reads: the sources of ours that its own sources reach, the
tests' data, and how both are compiled. Paths in it are relative to the repository. Whole lines of
comment do not count, nor do documents and Python.
"""

import functools
import hashlib
import json
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSED = pathlib.PurePath("tests", "passed.txt")
HEAD = """\
# Sources that passed under the sanitizers; tools/sanitize checks what is stale and writes this file.
"""
# What says how a room is compiled; the presets and MuJoCo's version are added.
BUILD = ["CMakeLists.txt", "cmake/CompilerSettings.cmake", "cmake/Kernels.cmake", "cmake/Room.cmake"]


def without_comments(path):
    """The bytes of a source without its lines of comment, unless a raw string may hold such lines."""
    data = path.read_bytes()
    if b'R"' in data:
        return data
    mark = b"//" if path.suffix in (".cc", ".h") else b"#"
    return b"\n".join(line for line in data.split(b"\n") if not line.lstrip().startswith(mark))


def included(path):
    """The files of ours that a source includes, as paths from the root."""
    return re.findall(r'^#include "((?:rhumb|tests)/[^"]+)"', path.read_text(), re.MULTILINE)


@functools.cache
def headless(folder):
    """The sources of a folder without a header of their own: a header of the folder announces them."""
    return [path for path in folder.glob("*.cc") if not path.with_suffix(".h").exists() and path.name != "main.cc"]


def reached(root, first, rooms):
    """The sources that `first` include or link, directly or not: a header of the rooms comes with its source."""
    seen, waiting = set(), list(first)
    apart = (root / "CMakeLists.txt").read_text()  # names sources of a room that are compiled with another
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        waiting += [root / name for name in included(path)]
        name = path.relative_to(root)
        if name.parts[0] != "rhumb" or name.parts[1] in rooms or str(name.with_suffix(".cc")) in apart:
            waiting.append(path.with_suffix(".cc"))
        if name.parts[0] == "rhumb" and name.parts[1] in rooms:
            waiting += headless(path.parent)
    return seen


def data_below(folder):
    """The files that are no source: golden values, corpora. Hidden files and Python's do not count."""
    return {
        path
        for path in ([folder] if folder.is_file() else folder.rglob("*"))
        if path.is_file()
        and path.suffix not in (".cc", ".h", ".py", ".pyc", ".md")
        and not any(part.startswith(".") for part in path.relative_to(folder.parent).parts)
    }


def settings(root, preset):
    """The preset with those that it inherits, and the pinned libraries of the run time, as text."""
    presets = {one["name"]: one for one in json.loads((root / "CMakePresets.json").read_text())["configurePresets"]}
    chain = []
    while preset:
        chain.append({key: value for key, value in presets[preset].items() if key != "displayName"})
        preset = presets[preset].get("inherits")
    pins = re.search(r"^\[wheels runtime\]\n((?:[^\[\n].*\n)*)", (root / "dependencies.txt").read_text(), re.MULTILINE)
    return json.dumps([chain, pins and pins[1]], sort_keys=True)


def hash_of(root, preset, sources, rooms, data=(), build=()):
    """The hash of a check: it compiles `sources` with `preset`, links `rooms` and reads `data`. `build` are
    files that say how, besides BUILD."""
    headless.cache_clear()
    code = reached(root, sources, rooms).union(root / name for name in [*BUILD, *build])
    counted = {path: without_comments(path) for path in code}
    counted |= {path: path.read_bytes() for path in set().union(*map(data_below, data))}
    named = {path.relative_to(root).as_posix(): text for path, text in counted.items()}
    whole = hashlib.sha256(settings(root, preset).encode())
    for name in sorted(named):
        whole.update(f"\n{name} {len(named[name])} ".encode() + named[name])
    return whole.hexdigest()[:32]


def lines(root):
    try:
        return (root / PASSED).read_text(errors="replace").splitlines()
    except OSError:
        return []


def is_fresh(root, check, value):
    return f"{check} {value}" in lines(root)


def put(root, check, value):
    """Replaces the check's line. What is no line of a check is dropped."""
    kept = [line for line in lines(root) if re.fullmatch(r"\w+ \w+ [0-9a-f]{32}", line)]
    kept = [line for line in kept if not line.startswith(f"{check} ")] + [f"{check} {value}"]
    fresh = root / f"{PASSED}.new"
    fresh.write_text(HEAD + "".join(f"{line}\n" for line in sorted(kept)))
    os.replace(fresh, root / PASSED)
