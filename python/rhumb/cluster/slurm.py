"""Units as job arrays of Slurm. Nodes need the program and the run's folder, and no Python.

    units with equal needs and resources -> one array, with the arrays that it waits for (afterok)

FOLDER/cluster/slurm has the scripts, and for each task its node (.begin), messages (.err) and end (.end).
Slurm starts a task again by itself if its node fails (--requeue). The driver submits again what was cancelled.
"""

from __future__ import annotations

import os
import pathlib
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence

from . import node
from .units import Failure, Run, Unit

_POLL_SECONDS = 1.0
_KEPT_LINES = 40
# A file of another machine may appear a little later than its task disappears from the queue.
_PATIENCE_SECONDS = 5.0
# A controller that restarts, or is too busy, answers again after some seconds.
_SIGNS_OF_SILENCE = ("Unable to contact", "timed out", "socket", "onnection")
_WAITS_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
# Bytes that every task keeps for its messages, and the exit code of one that cannot.
_ROOM = 16384
_NO_ROOM = 74

_SCRIPT = """#!/bin/sh
# Written by rhumb.cluster. One unit per task.
case $SLURM_ARRAY_TASK_ID in
{cases}
esac
base={base}.$SLURM_ARRAY_TASK_ID
rm -f "$base.end"
# The files are filled with blanks first and overwritten in place (<>), so that a disk that fills up has room
# for the message that says so.
{{
  echo "$SLURMD_NODENAME" > "$base.begin" && printf '%{room}s\n' '' > "$base.err" && printf '%80s\n' '' > "$base.end.new"
}} 2> /dev/null || exit {no_room}
start=$(date +%s.%N)
finish() {{
  echo "$1 $start $(date +%s.%N)" 1<> "$base.end.new" && mv "$base.end.new" "$base.end"
  exit "$1"
}}
if ! [ -x {program} ]; then
  echo "rhumb: error: there is no program "{program} 1<> "$base.err"
  finish {no_program}
fi
export RHUMB_PYTHON="${{RHUMB_PYTHON:-/nonexistent}}"
# Slurm tells all processes of a task to end. The program saves its work; the shell waits for it.
trap : TERM INT
{program} units run "$unit" --in {folder} --threads {threads} > /dev/null 2<> "$base.err" &
child=$!
wait $child
code=$?
while kill -0 $child 2> /dev/null; do
  wait $child
  code=$?
done
finish $code
"""


class _Task:
    """A unit in the queue. `key` is "JOB_INDEX", as Slurm names it; `base` the path of its files."""

    def __init__(self, unit: Unit, key: str, base: pathlib.Path):
        self.unit, self.key, self.base = unit, key, base
        self.gone_since = 0.0


class SlurmEngine:
    name = "slurm"
    plans_ahead = True

    def __init__(self, program: str | None = None, options: Sequence[str] = (), limit: int = 0, memory: bool = True):
        """program: its path on the nodes. options: further words for sbatch. limit: tasks of an array at a time."""
        self._program, self._options, self._limit, self._memory = program, list(options), limit, memory
        self._tasks: dict[str, _Task] = {}  # by unit
        self._polled_at = 0.0

    def start(self, run: Run, units: Sequence[Unit]) -> str:
        for tool in ("sbatch", "squeue", "scancel", "sinfo"):
            if shutil.which(tool) is None:
                raise Failure(f"--engine slurm needs {tool}, and it is not on the PATH")
        self._run = run
        self._program = self._program or run.program
        lines = [line.split() for line in _ask("sinfo", "-h", "-N", "-o", "%N %c %T").splitlines()]
        nodes = {name: int(cores) for name, cores, state in lines if not state.startswith(("down", "drain", "fail"))}
        if not nodes:
            raise Failure("Slurm has no node that takes jobs; see sinfo")
        self._cores, self._most = sum(nodes.values()), max(nodes.values())
        self._folder = run.folder / "cluster" / "slurm"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._end_leftovers()
        return f"Slurm: {len(nodes)} nodes, {self._cores} cores"

    def _end_leftovers(self) -> None:
        """Jobs of a driver that was killed. Their units continue in new jobs."""
        mine = {file.suffix[1:] for file in self._folder.glob("job.*")}
        queued = {key.split("_")[0] for key in _queue()}
        if left := sorted(mine & queued):
            _ask("scancel", *left)
            _wait_until_gone(set(left))
        for file in self._folder.iterdir():
            file.unlink()

    @property
    def cores(self) -> int:
        return self._cores

    def has_room(self, unit: Unit) -> bool:
        return True

    def submit(self, units: Sequence[Unit], in_flight: set[str]) -> None:
        groups: dict[tuple, list[Unit]] = {}
        for unit in units:
            wanted = (unit.needs, min(unit.threads, self._most), unit.memory_mb, unit.gpus)
            groups.setdefault(wanted, []).append(unit)
        # A group comes after those that make what it needs.
        rest = list(groups)
        while rest:
            waiting = {unit.id for key in rest for unit in groups[key]}
            for key in [key for key in rest if not waiting.intersection(key[0])]:
                rest.remove(key)
                self._submit_array(groups[key], [need for need in key[0] if need in in_flight], *key[1:])

    def _submit_array(self, units: list[Unit], needs: list[str], threads: int, memory_mb: int, gpus: int) -> None:
        number = len(list(self._folder.glob("*.sh")))
        base = self._folder / f"{number:04}"
        cases = "\n".join(f"{i}) unit={shlex.quote(unit.id)} ;;" for i, unit in enumerate(units))
        script = base.with_suffix(".sh")
        script.write_text(
            _SCRIPT.format(
                cases=cases, base=shlex.quote(str(base)), program=shlex.quote(self._program or ""),
                folder=shlex.quote(str(self._run.folder)), threads=threads, room=_ROOM, no_room=_NO_ROOM,
                no_program=node.NO_PROGRAM,
            ),
            encoding="utf-8",
        )  # fmt: skip
        words = [
            "--parsable", "--requeue", "--job-name=rhumb", "--output=/dev/null", f"--cpus-per-task={threads}",
            f"--array=0-{len(units) - 1}" + (f"%{self._limit}" if self._limit else ""), "--kill-on-invalid-dep=yes",
            "--export=ALL", f"--chdir={self._run.folder}",
        ]  # fmt: skip
        if self._memory:
            words.append(f"--mem={memory_mb}")
        if gpus:
            words.append(f"--gres=gpu:{gpus}")
        if needs:
            keys = ":".join(self._tasks[need].key for need in needs)
            words.append(f"--dependency=afterok:{keys}")
        job = _ask("sbatch", *words, *self._options, str(script)).strip().split(";")[0]
        for i, unit in enumerate(units):
            self._tasks[unit.id] = _Task(unit, f"{job}_{i}", pathlib.Path(f"{base}.{i}"))
        (self._folder / f"job.{job}").touch()

    def wait(self, seconds: float) -> list[node.Outcome]:
        time.sleep(max(0.0, min(seconds, self._polled_at + _POLL_SECONDS - time.monotonic())))
        if time.monotonic() < self._polled_at + _POLL_SECONDS:
            return []
        queued = _queue()
        self._polled_at = now = time.monotonic()
        ended = []
        for task in list(self._tasks.values()):
            outcome = self._look_at(task, task.key in queued, now)
            if outcome is not None:
                del self._tasks[task.unit.id]
                ended.append(outcome)
        return ended

    def _look_at(self, task: _Task, is_queued: bool, now: float) -> node.Outcome | None:
        where = _read(task.base, ".begin").strip()
        end = _read(task.base, ".end").split()
        if end:
            code, start, stop = int(end[0]), float(end[1]), float(end[2])
            outcome = node.Outcome(task.unit.id, where, code, stop - start, _messages(task.base))
            # A task that was told to end and is still in the queue is requeued: Slurm starts it again.
            if not (outcome.is_lost and is_queued):
                return outcome
        if is_queued:
            task.gone_since = 0.0
            return None
        task.gone_since = task.gone_since or now
        if now - task.gone_since < _PATIENCE_SECONDS:
            return None
        place, code = _end_of(task.key)
        if code == _NO_ROOM:
            return node.Outcome(task.unit.id, where or place, 2, 0.0, [f"cannot write {task.base}.begin; the disk may be full"])
        return node.Outcome(task.unit.id, where, node.LOST, 0.0, [])

    def stop(self) -> None:
        jobs = {task.key.split("_")[0] for task in self._tasks.values()}
        if jobs:
            _ask("scancel", *sorted(jobs))
            _wait_until_gone(jobs)

    def close(self) -> None:
        self._tasks.clear()


def _queue() -> set[str]:
    """Tasks of this user that wait or run, as JOB_INDEX."""
    return set(_ask("squeue", "-h", "-r", "--me", "-t", "PENDING,RUNNING,REQUEUED,REQUEUE_HOLD,COMPLETING,CONFIGURING,SUSPENDED", "-o", "%F_%K").split())


def _end_of(key: str) -> tuple[str, int | None]:
    """The node of a task that has ended and the exit code of its script, as long as Slurm knows them."""
    said = subprocess.run(["scontrol", "show", "job", "-o", key], capture_output=True, text=True, check=False).stdout
    fields = dict(word.split("=", 1) for word in said.split() if "=" in word)
    code = fields.get("ExitCode", "").split(":")[0]
    return fields.get("BatchHost", ""), int(code) if code.isdigit() else None


def _wait_until_gone(jobs: set[str], seconds: float = 90) -> None:
    """Slurm gives tasks 30 seconds to save before it kills them."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and jobs & {key.split("_")[0] for key in _queue()}:
        time.sleep(_POLL_SECONDS)


def _ask(*words: str) -> str:
    for wait in (*_WAITS_SECONDS, 0):
        result = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
        if result.returncode == 0:
            return result.stdout
        if not any(sign in result.stderr for sign in _SIGNS_OF_SILENCE):
            break
        time.sleep(wait)
    raise Failure(f"{words[0]} failed: {' '.join(result.stderr.split()) or f'exit code {result.returncode}'}")


def _messages(base: pathlib.Path) -> list[str]:
    """The last lines that a task said, without the blanks that kept their room."""
    return [line.rstrip() for line in _read(base, ".err").splitlines() if line.strip()][-_KEPT_LINES:]


def _read(base: pathlib.Path, ending: str) -> str:
    try:
        return pathlib.Path(f"{base}{ending}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
