"""Runs the units of a run on an engine: submits what may start, retries what was lost, shows progress.

    Run.list -> units that are not done -> Engine.submit -> Engine.wait -> Outcome -> the next ones

The stamps in the run's folder are the only state, so the same command goes on after any end.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
import typing
from collections.abc import Sequence

from . import growth
from .node import NO_PROGRAM, Outcome, name_of_node
from .units import Failure, Run, Unit


class Engine(typing.Protocol):
    """Where units run."""

    name: str
    plans_ahead: bool
    """Whether units are submitted before those that they need are done."""

    def start(self, run: Run, units: Sequence[Unit]) -> str:
        """Connects and checks the nodes. Returns a line that describes them. Raises Failure."""
        ...

    @property
    def cores(self) -> int: ...

    def has_room(self, unit: Unit) -> bool: ...

    def submit(self, units: Sequence[Unit], in_flight: set[str]) -> None:
        """Starts units, or queues them. Those in flight that they need come first."""
        ...

    def wait(self, seconds: float) -> list[Outcome]:
        """The units that ended, at the latest after so long."""
        ...

    def stop(self) -> None:
        """Interrupts all units, which save their work, and waits for them."""
        ...

    def close(self) -> None: ...


class Progress:
    """A line on stderr: rewritten in a terminal, else one per change and at most one in ten seconds."""

    def __init__(self, units: Sequence[Unit], engine: Engine, quiet: bool):
        self.units, self.engine, self.quiet = units, engine, quiet
        self.in_terminal = sys.stderr.isatty()
        self.measured: dict[str, float] = {}
        self.shown_at = 0.0

    def show(self, done: set[str], running: int, always: bool = False) -> None:
        now = time.monotonic()
        if self.quiet or (not always and now - self.shown_at < (1 if self.in_terminal else 10)):
            return
        self.shown_at = now
        left = [unit for unit in self.units if unit.id not in done]
        line = f"{len(done)} of {len(self.units)} units done, {running} {'queued' if self.engine.plans_ahead else 'running'}"
        if left:
            line += f", about {format_seconds(self._estimate(left, done))} left"
        print(f"\r\033[K{line}" if self.in_terminal else line, end="" if self.in_terminal and left else "\n", file=sys.stderr, flush=True)

    def _estimate(self, left: list[Unit], done: set[str]) -> float:
        """From the estimates of the units, corrected by how long those of their kind took."""
        known = [unit for unit in self.units if unit.id in self.measured]
        ratios = {
            kind: sum(self.measured[unit.id] for unit in known if unit.kind == kind)
            / max(1e-9, sum(unit.seconds for unit in known if unit.kind == kind))
            for kind in {unit.kind for unit in known}
        }
        total = sum(unit.seconds for unit in known)
        usual = sum(self.measured[unit.id] for unit in known) / total if total > 0 else 1.0
        seconds = {unit.id: unit.seconds * ratios.get(unit.kind, usual) for unit in left}
        return growth.makespan(left, max(1, self.engine.cores), seconds=seconds, done=done)


def format_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def drive(run: Run, engine: Engine, *, retries: int = 3, quiet: bool = False) -> list[dict]:
    """Runs all units that are not done. Returns one record per attempt; the folder's cluster.jsonl has them too.

    Raises Failure with one sentence if a unit fails, and with code 130 after Ctrl-C or SIGTERM.
    """
    interrupted = _catch_interrupts()
    units = run.list()
    by_id = {unit.id: unit for unit in units}
    done = {unit.id for unit in units if unit.done}
    if len(done) == len(units):
        return []
    seconds = {unit.id: unit.seconds for unit in units}
    priority = growth.path_lengths(units, seconds)
    waiting = sorted((unit for unit in units if unit.id not in done), key=lambda unit: -priority[unit.id])
    in_flight: dict[str, float] = {}  # unit -> when it was submitted
    attempts: dict[str, int] = {}
    records: list[dict] = []
    try:
        said = engine.start(run, units)
        if not quiet:
            print(f"{len(units) - len(done)} units on {said}", file=sys.stderr, flush=True)
        progress = Progress(units, engine, quiet)
        progress.show(done, 0, always=True)
        while waiting or in_flight:
            if interrupted.is_set():
                raise Failure("interrupted; the same command goes on from here", 130)
            _submit_ready(engine, waiting, in_flight, done)
            for outcome in engine.wait(0.5):
                submitted = in_flight.pop(outcome.unit)
                records.append(_record(run, outcome, submitted, attempts.get(outcome.unit, 0)))
                if outcome.code == 0:
                    done.add(outcome.unit)
                    progress.measured[outcome.unit] = outcome.seconds
                    progress.show(done, len(in_flight))
                    continue
                has_begun = outcome.node != ""
                attempts[outcome.unit] = attempts.get(outcome.unit, 0) + has_begun
                if interrupted.is_set():
                    continue
                if not outcome.is_lost or attempts[outcome.unit] > retries:
                    raise _failure(outcome, attempts[outcome.unit])
                if not quiet and has_begun:
                    print(f"\n{outcome.unit} was lost on node {outcome.node}; it goes on elsewhere", file=sys.stderr)
                waiting.insert(0, by_id[outcome.unit])
            progress.show(done, len(in_flight))
        progress.show(done, 0, always=True)
    except BaseException as problem:
        engine.stop()
        if isinstance(problem, OSError) and problem.errno:
            # The disk of this machine. What nodes cannot write is an outcome.
            raise Failure(f"node {name_of_node()}: cannot write {problem.filename or run.folder}: {problem.strerror}") from None
        raise
    finally:
        engine.close()
    return records


def _submit_ready(engine: Engine, waiting: list[Unit], in_flight: dict[str, float], done: set[str]) -> None:
    chosen: list[Unit] = []
    # One pass in the order of the list is not enough where units are planned ahead of those they need.
    known = done | set(in_flight) if engine.plans_ahead else done
    is_new = True
    while is_new:
        is_new = False
        for unit in list(waiting):
            if set(unit.needs) <= known and (engine.plans_ahead or engine.has_room(unit)):
                waiting.remove(unit)
                in_flight[unit.id] = time.time()
                is_new = True
                if engine.plans_ahead:
                    known = known | {unit.id}
                    chosen.append(unit)
                else:
                    engine.submit([unit], set())
    if chosen:
        engine.submit(chosen, set(in_flight))


def _record(run: Run, outcome: Outcome, submitted: float, attempt: int) -> dict:
    record = {
        "unit": outcome.unit, "node": outcome.node, "attempt": attempt + 1, "code": outcome.code,
        "submitted": submitted, "ended": time.time(), "seconds": outcome.seconds,
    }  # fmt: skip
    try:
        with open(run.folder / "cluster.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
    except OSError:
        pass  # a record less; the disk may be full
    return record


def _failure(outcome: Outcome, attempts: int) -> Failure:
    place = f"node {outcome.node or '?'}: cannot make {outcome.unit}"
    if outcome.is_lost:
        return Failure(f"{place}: it was lost {attempts} times; the last code was {outcome.code}")
    return Failure(f"{place}: {cause_of(outcome.said) or f'exit code {outcome.code}'}", 2 if outcome.code == NO_PROGRAM else outcome.code or 1)


def cause_of(said: Sequence[str]) -> str:
    """The error of the command itself. The program that ran it adds a line, which names the node."""
    errors = [line.split("error: ", 1)[1] for line in said if "error: " in line]
    causes = [line for line in errors if not line.startswith("node ")]
    if causes:
        return causes[-1]
    return errors[-1].split(": ", 1)[1] if errors else (said[-1] if said else "")


def _catch_interrupts() -> threading.Event:
    event = threading.Event()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: event.set())
    return event
