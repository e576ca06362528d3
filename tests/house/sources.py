"""The project's own files, for the checks of this folder."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["RHUMB_BUILD_DIR"])


def _listed_by_git():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    result = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [pathlib.Path(name) for name in result.stdout.split("\0") if name]


def _found_on_disk():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in (".git", ".deps", "build", "__pycache__")]
        yield from (pathlib.Path(folder, name).relative_to(ROOT) for name in names)


def files(*suffixes):
    """Every file of the project, or those with one of the suffixes, relative to ROOT."""
    try:
        paths = _listed_by_git()
    except (OSError, subprocess.CalledProcessError):
        paths = _found_on_disk()  # an unpacked archive, or no git
    wanted = [path for path in paths if not suffixes or path.suffix in suffixes]
    return sorted(path for path in wanted if (ROOT / path).is_file())


def own_includes(path):
    """What the file includes from this repository, as written: rhumb/room/header.h, tests/…, benchmarks/…"""
    text = (ROOT / path).read_text()
    return re.findall(r'^\s*#\s*include\s*"((?:rhumb|tests|benchmarks)/[^"]+)"', text, re.MULTILINE)
