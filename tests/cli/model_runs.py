"""Makes populations, datasets and models of the point mass for the tests of `rhumb model`."""

import contextlib
import fcntl
import hashlib
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]
LEARN = pathlib.Path(RHUMB).parent.parent / "lib" / "librhumb_learn.so"
# No pictures: other tests cover them, and they take longer than these runs. Other tests run at the
# same time; threads that spin while waiting would take their cores.
ENVIRONMENT = {**os.environ, "RHUMB_PYTHON": "/nonexistent", "GOMP_SPINCOUNT": "0"}

# Trains four agents in a second, with a few dozen episodes.
TINY_POPULATION = {
    "count": 4,
    "iterations": 12,
    "keep_every": 2,
    "ppo.environments": 4,
    "ppo.steps": 100,
    "ppo.hidden": "32",
    "ppo.learning_rate": 3e-3,
}
TINY_DATASET = {"selection.skip_iterations": 0, "selection.every": 2, "steps_per_policy": 300}

# The smallest model that has all parts.
TINY_MODEL = {
    "epochs": 3,
    "batch": 16,
    "context": 8,
    "queries": 8,
    "code": 8,
    "projection": 2,
    "attention_heads": 2,
    "hidden": 16,
    "dagger.steps": 20,
    "dagger.episodes": 1,
}


def words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def command(*arguments):
    return [RHUMB, *map(str, arguments)]


def rhumb(*arguments, **options):
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, env=ENVIRONMENT, timeout=600, check=False,
        **options,
    )  # fmt: skip


def make_population(out, settings, env="point-v0", rewards="two", seed=1):
    result = rhumb(
        "population", "train", "--env", env, "--rewards", rewards, "--out", out, "--seed", seed,
        "--threads", 2, *words(settings),
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return out


def make_dataset(population, out, settings, *arguments):
    result = rhumb(
        "dataset", "collect", population, "--out", out, "--threads", 2, *words(settings), *arguments
    )
    assert result.returncode == 0, result.stderr
    return out


def train_command(out, data, settings, *arguments, seed=1, threads=2):
    return command(
        "model", "train", "--data", data, "--out", out, "--seed", seed, "--threads", threads,
        *words(settings), *arguments,
    )  # fmt: skip


def train(*arguments, options=None, **keywords):
    return rhumb(*train_command(*arguments, **keywords)[1:], **(options or {}))


@contextlib.contextmanager
def locked(file):
    with open(file, "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_all(folder, population, dataset, model=None):
    """Makes p, d-v0 and, with teachers, m in `folder`: copies of what the first test that asks makes."""
    build = "-".join(str(pathlib.Path(file).stat().st_mtime_ns) for file in (RHUMB, LEARN))
    made = pathlib.Path(os.environ["RHUMB_BUILD_DIR"]) / "tests" / "made"
    made.mkdir(exist_ok=True)
    settings = json.dumps([population, dataset, model])
    mine = made / f"{build}-{hashlib.sha256(settings.encode()).hexdigest()[:16]}"
    with locked(made / "lock"):
        for old in made.iterdir():
            if old.is_dir() and not old.name.startswith(build):
                shutil.rmtree(old)
    with locked(f"{mine}.lock"):
        if not (mine / "whole").exists():
            shutil.rmtree(mine, ignore_errors=True)
            mine.mkdir()
            make_population(mine / "p", population)
            make_dataset(mine / "p", mine / "d-v0", dataset)
            if model:
                result = train(mine / "m", mine / "d-v0", model, "--population", mine / "p")
                assert result.returncode == 0, result.stderr
            (mine / "whole").touch()
    for part in mine.iterdir():
        if part.is_dir():
            shutil.copytree(part, folder / part.name)
    return folder / "p", folder / "d-v0", folder / "m"


def contents(folder):
    """{name below the folder: bytes}"""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def weights(model):
    return (model / "model.safetensors").read_bytes()


def document(model):
    return json.loads((model / "model.json").read_text())


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def hash_of(folder):
    """The hash by which child artefacts refer to an artefact."""
    return hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()


def carry_environment(folder, environment, rewards):
    """Puts the files of a bundled environment into an artefact; what its document says of them."""
    envs = pathlib.Path(RHUMB).parent.parent / "share" / "rhumb" / "envs"
    spec = f"{environment}.toml"
    model = next(line for line in (envs / spec).read_text().splitlines() if line.startswith("model"))
    digest = hashlib.sha256()
    (folder / "environment").mkdir()
    for name in sorted([spec, model.split('"')[1]]):
        data = (envs / name).read_bytes()
        (folder / "environment" / name).write_bytes(data)
        digest.update(f"{len(name)} {len(data)} {name}".encode() + data)
    return {"id": environment, "rewards": rewards, "spec": spec, "hash": digest.hexdigest()}


def seal(folder):
    """Updates the manifest to match the existing files."""
    files = {name: data for name, data in contents(folder).items() if name != "manifest.json"}
    entries = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
    }
    (folder / "manifest.json").write_text(json.dumps({**manifest(folder), "files": entries}))


def split_safetensors(data):
    """The header, and the bytes that its offsets refer to."""
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def join_safetensors(header, data):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def read_floats(model, name):
    """(shape, numbers) of a float32 array."""
    header, data = split_safetensors(weights(model))
    begin, end = header[name]["data_offsets"]
    shape = header[name]["shape"]
    return shape, struct.unpack(f"<{math.prod(shape)}f", data[begin:end])


def read_integers(model, name):
    """The numbers of an int64 array."""
    header, data = split_safetensors(weights(model))
    begin, end = header[name]["data_offsets"]
    return struct.unpack(f"<{(end - begin) // 8}q", data[begin:end])


def count_events(folder):
    """Records of the only TensorBoard file there: a length, its checksum, the record, its checksum."""
    (file,) = folder.glob("events.out.tfevents.*")
    data, count, at = file.read_bytes(), 0, 0
    while at < len(data):
        at += 8 + 4 + struct.unpack_from("<Q", data, at)[0] + 4
        count += 1
    assert at == len(data), f"{file} is cut short"
    return count


@unittest.skipUnless(LEARN.exists(), "the training library is not built")
class ModelCase(unittest.TestCase):
    """A folder for each test, and one for the class."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.shared = pathlib.Path(folder.name)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def expect_done(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def ask(self, *arguments):
        """The command's output with --json."""
        return json.loads(self.expect_done(rhumb(*arguments, "--json", "--threads", 2)).stdout)

    def expect_bad_input(self, result, *parts):
        """Expects exit 2, an empty stdout, and a last line on stderr with these words."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        sentence = result.stderr.strip().splitlines()[-1]
        for part in parts:
            self.assertIn(str(part), sentence)
