"""Runs one unit on a machine. Engines send this file to nodes, which need not have the package `rhumb`."""

from __future__ import annotations

import collections
import ctypes
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import tarfile
import tempfile
import threading
import time
import typing

LOST = None
"""The code of a unit whose node or process is gone."""

NO_PROGRAM = 127
_KEPT_LINES = 40
_PR_SET_PDEATHSIG = 1


class Outcome(typing.NamedTuple):
    """How a unit ended. `said` are the last lines of its messages."""

    unit: str
    node: str
    code: int | None
    seconds: float
    said: list[str]
    result: bytes | None = None

    @property
    def is_lost(self) -> bool:
        """Interrupted or killed, so that it may be run again: a signal, or an exit as of one."""
        return self.code is None or self.code < 0 or self.code in (130, 137, 143)


class Task(typing.NamedTuple):
    """What a node is asked to run."""

    unit: str
    program: str
    folder: str
    threads: int
    scratch: str | None = None
    """The folder for units whose files are copied; None: the system's."""


def name_of_node() -> str:
    return os.environ.get("RHUMB_NODE") or os.environ.get("SLURMD_NODENAME") or socket.gethostname()


class Children:
    """The processes of units that run in this process, so that all can be told to end."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen] = set()
        self._told = 0
        self._lock = threading.Lock()

    def add(self, child: subprocess.Popen) -> None:
        with self._lock:
            self._running.add(child)
            if self._told:
                child.send_signal(self._told)

    def remove(self, child: subprocess.Popen) -> None:
        with self._lock:
            self._running.discard(child)

    def signal(self, number: int) -> None:
        with self._lock:
            self._told = number
            for child in self._running:
                child.send_signal(number)


def run_unit(task: Task, node: str = "", folder: str = "", children: Children | None = None) -> Outcome:
    """Runs a unit in a folder that this machine sees. An exception in between interrupts it first."""
    node = node or name_of_node()
    start = time.monotonic()
    if shutil.which(task.program) is None:
        return Outcome(task.unit, node, NO_PROGRAM, 0.0, [f"there is no program {task.program}"])
    words = [task.program, "units", "run", task.unit, "--in", folder or task.folder, "--threads", str(task.threads)]
    # Without its own Python the unit draws no picture; the report draws what is missing.
    environment = {**os.environ, "RHUMB_NODE": node, "RHUMB_PYTHON": os.environ.get("RHUMB_PYTHON", "/nonexistent")}
    # The unit saves and ends if the process that started it is killed.
    prctl = ctypes.CDLL(None).prctl
    child = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace", env=environment, preexec_fn=lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGTERM), start_new_session=True,
    )  # fmt: skip
    said: collections.deque[str] = collections.deque(maxlen=_KEPT_LINES)
    reader = threading.Thread(target=lambda: said.extend(line.rstrip() for line in child.stderr or ()), daemon=True)
    reader.start()
    children = children or Children()
    children.add(child)
    try:
        code = _wait(child)
    except BaseException:
        # Ctrl-C, or the engine takes the unit away: it saves its work first.
        child.send_signal(signal.SIGINT)
        child.wait()
        raise
    finally:
        children.remove(child)
        reader.join()
        if child.stderr is not None:
            child.stderr.close()
    return Outcome(task.unit, node, code, time.monotonic() - start, list(said))


def _wait(child: subprocess.Popen) -> int:
    """Looks up now and then: an engine's interrupt does not end a call of the system."""
    while True:
        try:
            return child.wait(0.2)
        except subprocess.TimeoutExpired:
            continue


def run_copied(task: Task, inputs: typing.Iterable[bytes], node: str = "") -> Outcome:
    """Runs a unit in a folder of its own, made of archives. The result is an archive with its output."""
    node = node or name_of_node()
    start = time.monotonic()
    folder = ""
    try:
        folder = tempfile.mkdtemp(prefix="rhumb-unit-", dir=task.scratch)
        for archive in inputs:
            unpack(archive, folder)
        outcome = run_unit(task, node, folder)
        if outcome.code != 0:
            return outcome
        parts = [task.unit, task.unit + ".stamp", "reproduce.json", "environment"]
        return outcome._replace(result=pack(folder, parts), seconds=time.monotonic() - start)
    except OSError as problem:
        place = problem.filename or folder or task.scratch or tempfile.gettempdir()
        return Outcome(task.unit, node, 2, 0.0, [f"cannot write {place}: {problem.strerror or problem}"])
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def probe(program: str, token_file: str, token: str) -> dict[str, typing.Any]:
    """What a machine has: its name, the program's versions, and whether it sees the run's folder."""
    try:
        with open(token_file, encoding="utf-8") as file:
            sees_folder = file.read() == token
    except OSError:
        sees_folder = False
    node = name_of_node()
    if shutil.which(program) is None:
        return {"node": node, "problem": f"there is no program {program}", "sees_folder": sees_folder}
    try:
        done = subprocess.run([program, "version", "--json"], capture_output=True, text=True, check=True, timeout=120)
        return {"node": node, "versions": json.loads(done.stdout), "sees_folder": sees_folder}
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        words = getattr(problem, "stderr", "") or str(problem)
        return {"node": node, "problem": f"{program} does not start: {words.strip()}", "sees_folder": sees_folder}


def pack(folder: str, names: typing.Iterable[str]) -> bytes:
    """An archive of files and folders below `folder`."""
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as archive:
        for name in names:
            archive.add(os.path.join(folder, name), arcname=name)
    return memory.getvalue()


def unpack(archive: bytes, folder: str) -> None:
    """Plain files and folders that stay below `folder`, and nothing else. OSError for any other entry."""
    safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        for entry in opened:
            if entry.name.startswith("/") or ".." in entry.name.split("/") or not (entry.isfile() or entry.isdir()):
                raise OSError(f"an archive has {entry.name!r}, which is no file below its folder")
            opened.extract(entry, folder, **safe)
