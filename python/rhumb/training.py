"""Training, by the program `rhumb` of a clone: the package itself holds no training library."""

from __future__ import annotations

import os
import shutil
import subprocess
import typing
from collections.abc import Mapping

from rhumb._core import Error
from rhumb.model import Model, load

Path = str | os.PathLike[str]


def run(*words: str | os.PathLike[str]) -> None:
    """Runs a command of the program: rhumb.run("dataset", "collect", "mine.population", …).

    The program is $RHUMB_BIN, or `rhumb` on the PATH; in a clone, ./run is one that sets itself up.
    Its messages go to stderr. Raises Error with its sentence if it fails.
    """
    program = os.environ.get("RHUMB_BIN") or shutil.which("rhumb")
    if not program:
        raise Error("training needs the program rhumb: set RHUMB_BIN to ./run of a clone")
    command = [program, *map(os.fspath, words)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        last = ""
        assert child.stderr is not None
        for line in child.stderr:
            print(line, end="", flush=True)
            last = line.strip() or last
    if child.returncode == 130:
        raise KeyboardInterrupt
    if child.returncode != 0:
        raise Error(last.removeprefix("error: ") or f"{program} ended with {child.returncode}")


def train(
    data: Path, out: Path, *, population: Path | None = None, settings: Mapping[str, typing.Any] | None = None, threads: int = 0
) -> Model:
    """Learns a map from a dataset folder: `rhumb model train`. Returns the model, which is not grounded.

    population: the folder that the dataset was collected from; it teaches better than the data alone.
    settings: as `--set` of the command, {"epochs": 60}.
    """
    words = ["model", "train", "--data", os.fspath(data), "--out", os.fspath(out)]
    if population is not None:
        words += ["--population", os.fspath(population)]
    if threads:
        words += ["--threads", str(threads)]
    for name, value in (settings or {}).items():
        words += ["--set", f"{name}={value}"]
    run(*words)
    return load(out)
