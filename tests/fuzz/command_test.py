"""Gives every input of the fuzz targets to the command that reads such a file.

A command may take it (0), refuse it (2) or find no answer (3). It never ends with 1, a bug of ours, or
by a signal. Each line on stderr is printable and has at most 300 bytes. RHUMB_FUZZ_CORPUS names another
folder of inputs, such as build/fuzz/corpus, where a campaign keeps what it found.
"""

import collections
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]
ROOT = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
SAMPLE = pathlib.Path(os.environ["RHUMB_BUILD_DIR"]) / "sample_model"
CORPUS = pathlib.Path(os.environ.get("RHUMB_FUZZ_CORPUS", ROOT / "tests/fuzz/corpus")).resolve()
MAX_LINE = 300
SECONDS = 120
ROBOT = """id = "robot-v0"
title = "Robot"
description = "A robot with the MJCF of the input."
model = "main.xml"
frame_skip = 1
time_limit = 5
observation = [{ field = "qvel" }]
[rewards]
default = "one"
[[rewards.one]]
name = "energy"
expression = "-sum_sq_action"
unit = "1"
help = "minus the squared controls"
"""


def seal(folder, kind, names):
    """Writes the manifest, with the right hashes."""
    files = {}
    for name in names:
        data = (folder / name).read_bytes()
        files[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest = {"kind": kind, "files": files}
    if (folder / "manifest.json").exists():
        manifest = {**json.loads((folder / "manifest.json").read_text()), "files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def model_with(name):
    """The commands for a model of which one file is the input."""

    def prepare(place, data):
        shutil.copytree(SAMPLE, place / "m")
        (place / "m" / name).write_bytes(data)
        seal(place / "m", "model", [n.name for n in SAMPLE.iterdir() if n.name != "manifest.json"])
        return [["model", "show", "m"], ["steer", "m", "--target", "forward=1"]]

    return prepare


def artifact(kind, name):
    """The command for an artefact with only the input in it."""

    def prepare(place, data):
        (place / "a").mkdir()
        (place / "a" / name).write_bytes(data)
        if name != "manifest.json":
            seal(place / "a", kind, [name])
        return [[kind, "show", "a"]]

    return prepare


def file_for(name, *commands):
    """Commands that take the input as the file `name`."""

    def prepare(place, data):
        (place / name).write_bytes(data)
        return [list(words) for words in commands]

    return prepare


def robot(place, data):
    (place / "main.xml").write_bytes(data)
    (place / "robot.toml").write_text(ROBOT)
    return [["envs", "show", "robot.toml"], ["play", "--env", "robot.toml", "--set", "episodes=1"]]


def query(place, data):
    (place / "q.json").write_bytes(data)
    text = data.replace(b"\0", b"")
    return [[*STEER, "--query", "q.json"], [*STEER, "--target", text], [*STEER, "--require", text]]


STEER = ("steer", str(SAMPLE))
COMMANDS = {
    "dataset_index": artifact("dataset", "dataset.json"),
    "json_lines": file_for("q.jsonl", [*STEER, "--batch", "q.jsonl"]),
    "manifest": artifact("model", "manifest.json"),
    "mjcf": robot,
    "model_json": model_with("model.json"),
    "population": artifact("population", "population.json"),
    "query": query,
    "replay": file_for("r.json", ["envs", "replay", "r.json"]),
    "safetensors": model_with("model.safetensors"),
    "settings": file_for("s.toml", [*STEER, "--target", "forward=1", "--config", "s.toml"]),
    "spec": file_for("s.toml", ["envs", "show", "s.toml"], [*STEER, "--query", "s.toml"]),
    "trajectory": file_for("t.json", ["encode", str(SAMPLE), "t.json"]),
}


class Command(unittest.TestCase):
    def test_every_input_is_taken_or_refused_with_a_line(self):
        endings = collections.Counter()
        longest = 0
        for target, prepare in COMMANDS.items():
            folder = CORPUS / target
            inputs = sorted(path for path in folder.iterdir() if path.is_file()) if folder.exists() else []
            for path in inputs:
                with tempfile.TemporaryDirectory() as scratch:
                    for words in prepare(pathlib.Path(scratch), path.read_bytes()):
                        result = subprocess.run(
                            [RHUMB, *words], cwd=scratch, capture_output=True, timeout=SECONDS, check=False
                        )
                        said = f"{path}: {words[:2]}: {result.returncode}: {result.stderr[-600:]}"
                        endings[result.returncode] += 1
                        self.assertIn(result.returncode, (0, 2, 3), said)
                        for line in result.stderr.removesuffix(b"\n").split(b"\n"):
                            longest = max(longest, len(line))
                            self.assertLessEqual(len(line), MAX_LINE, said)
                            self.assertFalse([byte for byte in line if byte < 32 or byte == 127], said)
                        if result.returncode == 2:
                            self.assertEqual(result.stderr.count(b"rhumb: error: "), 1, said)
        print(f"{endings.total()} runs by exit status: {dict(sorted(endings.items()))}; longest line: {longest} bytes")
        self.assertGreater(endings[2], 0)


if __name__ == "__main__":
    unittest.main()
