"""The units of a run, as the program lists them."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence


class Failure(Exception):
    """Ends the command with one sentence and an exit code."""

    def __init__(self, sentence: str, code: int = 2):
        super().__init__(sentence)
        self.code = code


@dataclasses.dataclass(frozen=True)
class Unit:
    """One command. Its id is the path of its output in the run's folder."""

    id: str
    kind: str
    needs: tuple[str, ...]
    inputs: tuple[str, ...]
    threads: int
    memory_mb: int
    gpus: int
    seconds: float
    done: bool


def find_program(given: str | None = None) -> str:
    """The absolute path of the program: `given`, $RHUMB_BIN, or `rhumb` on the PATH."""
    found = given or os.environ.get("RHUMB_BIN") or "rhumb"
    path = shutil.which(found)
    if path is None:
        raise Failure(f"there is no program {found}: give --program, or set RHUMB_BIN")
    return os.path.abspath(path)


class Run:
    """A folder with a run of the pipeline, and the stages of it that are wanted."""

    def __init__(self, program: str, folder: str | os.PathLike[str], stages: Sequence[str], choices: Sequence[str] = ()):
        self.program, self.stages, self.choices = program, list(stages), list(choices)
        self.folder = pathlib.Path(folder).absolute()
        self.document: dict = {}

    def list(self) -> list[Unit]:
        """All units with their present state, each after those that it needs."""
        text = self.ask("units", "list", *self.stages, "--out", str(self.folder), *self.choices, "--json")
        self.document = json.loads(text)
        return [
            Unit(
                id=one["id"],
                kind=one["kind"],
                needs=tuple(one["needs"]),
                inputs=tuple(file["path"] for file in one["inputs"]),
                threads=one["threads"],
                memory_mb=one["memory_mb"],
                gpus=one["gpus"],
                seconds=one["seconds"],
                done=one["state"] == "done",
            )
            for one in self.document["units"]
        ]

    @property
    def files(self) -> list[str]:
        """What every unit needs beside its inputs: the run's description and its robot."""
        return self.document["files"]

    def ask(self, *words: str) -> str:
        """The output of a command of the program. Its messages are shown only if it fails."""
        result = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Failure(last_line(result.stderr) or f"{self.program} ended with {result.returncode}", result.returncode)
        return result.stdout


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("rhumb: ").removeprefix("error: ") if lines else ""
