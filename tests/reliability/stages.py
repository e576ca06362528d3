"""The stages of the pipeline on the point mass, at the smallest size that has all parts.

`tools/faults` and `tools/torture` disturb them; both compare what comes out with an undisturbed run.
"""

import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

SECONDS = 1200  # until a run that does not end is given up
MAX_LINE = 300  # bytes of a line on stderr
# No pictures: Python draws them, and its own files are not ours to test.
ENVIRONMENT = {"RHUMB_PYTHON": "/nonexistent"}

POPULATION = {
    "weights": "grid", "count": 2, "iterations": 6, "keep_every": 2, "checkpoint_every": 3,
    "ppo.environments": 4, "ppo.steps": 100, "ppo.epochs": 2, "ppo.minibatches": 2, "ppo.hidden": "16",
}  # fmt: skip
DATASET = {
    "selection.skip_iterations": 0, "selection.every": 2, "selection.keep_unstable": "true",
    "steps_per_policy": 300,
}  # fmt: skip
MODEL = {
    "epochs": 2, "batch": 16, "context": 8, "queries": 8, "code": 8, "projection": 2,
    "attention_heads": 2, "hidden": 16, "checkpoint_seconds": 0, "dagger.rounds": 1,
    "dagger.steps": 10, "dagger.episodes": 1,
}  # fmt: skip
GROUNDING = {"codes": 40, "episodes": 1}

# Names of what a run leaves while it works: hidden siblings, work folders, logs.
LEFTOVER = re.compile(r"\.tmp-\d+-\d+$|\.work$|\.log$")


@dataclasses.dataclass
class Stage:
    """One command. `inputs` are folders that it reads; `output` is what it makes, or changes."""

    name: str
    words: list
    inputs: list
    output: str
    redo: tuple = ()  # parts of a finished output that are made again, where all of it takes too long
    kills: int = 4  # of one run and its continuations


def settings(values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def all_stages(threads=1):
    common = ["--seed", "1", "--threads", str(threads)]
    return [
        Stage(
            "population",
            ["population", "train", "--env", "point-v0", "--rewards", "two", "--out", "p"]
            + common + settings(POPULATION),
            [], "p",
        ),
        Stage("dataset", ["dataset", "collect", "p", "--out", "d-v0"] + common + settings(DATASET), ["p"], "d-v0"),
        Stage(
            "model",
            ["model", "train", "--data", "d-v0", "--population", "p", "--out", "m"] + common + settings(MODEL),
            ["p", "d-v0"], "m",
        ),
        # Replaces its own input: whatever happens, a whole model must be there.
        Stage("ground", ["model", "ground", "m"] + common + settings(GROUNDING), [], "m"),
        Stage("zoo", ["zoo", "pack", "m", "--data", "d-v0", "--out", "z"] + common[:2], ["m", "d-v0"], "z"),
        # The whole chain and its measurements, one process per stage.
        Stage(
            "reproduce",
            ["reproduce", "--env", "point-v0", "--scale", "smoke", "--jobs", "1", "--out", "r"] + common,
            [], "r", ("measures/probe/ours.json", "report.json"), 34,
        ),
    ]  # fmt: skip


class Workshop:
    """A folder with the results of undisturbed runs, to begin from and to compare with."""

    def __init__(self, rhumb, folder):
        self.rhumb = pathlib.Path(rhumb).resolve()
        self.folder = pathlib.Path(folder).resolve()
        self.seconds = {}  # by stage, of the undisturbed run
        self.endings = collections.Counter()  # by exit status, of all runs
        self.longest = 0  # bytes of the longest line on stderr, of all runs

    def run(self, stage, folder, **environment):
        """(exit status, stderr); the status is negative for a signal."""
        return self.finish(self.start(stage, folder, **environment))

    def finish(self, process):
        """Waits for the end, and notes the status and the lines."""
        try:
            said = process.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[1] + "\nno end"
        self.endings[process.returncode] += 1
        self.longest = max([self.longest, *(len(line.encode()) for line in said.split("\n"))])
        return process.returncode, said

    def summary(self):
        """How all runs ended and what they said, and whether that is as promised."""
        endings = ", ".join(f"{status}: {count}" for status, count in sorted(self.endings.items()))
        text = f"{self.endings.total()} runs by exit status: {endings}; longest line on stderr: {self.longest} bytes"
        return text, 1 not in self.endings and self.longest <= MAX_LINE

    def start(self, stage, folder, **environment):
        return subprocess.Popen(
            [self.rhumb, *stage.words], cwd=folder, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT, **environment},
        )  # fmt: skip

    def prepare(self, stages):
        """Runs every stage undisturbed: FOLDER/NAME.before is its start, FOLDER/NAME.after its end."""
        state = self.folder / "state"
        state.mkdir(parents=True)
        for stage in stages:
            shutil.copytree(state, self.folder / f"{stage.name}.before", symlinks=True)
            start = time.monotonic()
            status, said = self.run(stage, state)
            self.seconds[stage.name] = time.monotonic() - start
            if status != 0:
                raise RuntimeError(f"{stage.name} fails undisturbed ({status}): {said}")
            shutil.copytree(state / stage.output, self.folder / f"{stage.name}.after")

    def begin(self, stage, folder, in_part=False):
        """A folder in which the stage can run: copies of its inputs and of what it replaces."""
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        before = self.folder / f"{stage.name}.before"
        for name in {*stage.inputs, stage.output}:
            if (before / name).exists():
                shutil.copytree(before / name, folder / name)
        if in_part and stage.redo:
            shutil.copytree(self.folder / f"{stage.name}.after", folder / stage.output)
            for name in stage.redo:
                (folder / stage.output / name).unlink()

    def damage_of_inputs(self, stage, folder):
        """Inputs that are no longer what they were."""
        before = self.folder / f"{stage.name}.before"
        return [name for name in stage.inputs if files(folder / name) != files(before / name)]

    def difference(self, stage, folder):
        """Files of the output that differ from the undisturbed run's, times aside."""
        wanted, found = canonical(self.folder / f"{stage.name}.after"), canonical(folder / stage.output)
        return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def files(folder):
    """{name: bytes} of all files below it."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def canonical(folder):
    """{name: hash} of the files of an output, without times and what hashes of times follow."""
    hashes = {}
    for name, data in files(folder).items():
        kind = pathlib.PurePath(name).suffix
        if "tfevents" in name or name.endswith(".stamp"):
            # Times of steps, and in the name; hashes of manifests, which hold times.
            name, data = re.sub(r"tfevents.*", "tfevents", name), b""
        elif kind in (".json", ".md"):
            data = without_times(data.decode())
        hashes[name] = hashlib.sha256(data).hexdigest()
    return hashes


# Keys whose values are times, or hashes of files that hold times.
TIMES = {
    "created", "wall_seconds", "elapsed_seconds", "seconds", "files", "parents", "sha256", "hash", "solve_ms", "timing_ms",
    "load", "solve", "rollout", "provenance", "milliseconds", "per_second",
}  # fmt: skip


def without_times(text):
    try:
        return json.dumps(drop_times(json.loads(text)), sort_keys=True).encode()
    except ValueError:
        # A model card, or JSON lines.
        return re.sub(r"[0-9a-f]{64}|\| [\w.]*seconds[\w.]* \|.*|[0-9.]+ (s|seconds)\b", "", text).encode()


def drop_times(value):
    if isinstance(value, dict):
        return {key: drop_times(one) for key, one in value.items() if key not in TIMES}
    if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value):
        return ""  # of a manifest, such as the dataset's of a model; the files themselves are compared
    return [drop_times(one) for one in value] if isinstance(value, list) else value


def loads(rhumb, folder):
    """Whether `rhumb … show` takes the artefact."""
    kind = json.loads((folder / "manifest.json").read_text())["kind"]
    words = {"population": "population", "dataset": "dataset", "model": "model"}.get(kind)
    if words is None:
        return True
    result = subprocess.run(
        [rhumb, words, "show", folder], capture_output=True, timeout=SECONDS, check=False
    )
    return result.returncode == 0


def leftovers(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if LEFTOVER.search(path.name))


def up_to(names):
    """The named stages, and those that come before them in the chain."""
    known = all_stages()
    if unknown := set(names) - {stage.name for stage in known}:
        raise SystemExit(f"unknown stages: {sorted(unknown)}; there are {[stage.name for stage in known]}")
    chain = [stage for stage in known if stage.name != "reproduce"]
    last = max((i for i, stage in enumerate(chain) if stage.name in names), default=-1)
    return chain[: last + 1] + [stage for stage in known if stage not in chain and stage.name in names]
