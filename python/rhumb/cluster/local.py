"""Units on this machine, side by side."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Sequence

from . import node
from .units import Run, Unit


class LocalEngine:
    name = "local"
    plans_ahead = False

    def __init__(self, cores: int = 0):
        self._cores = cores or os.cpu_count() or 1
        self._used: dict[str, int] = {}
        self._ended: queue.Queue[node.Outcome] = queue.Queue()
        self._threads: list[threading.Thread] = []
        self._children = node.Children()

    def start(self, run: Run, units: Sequence[Unit]) -> str:
        self._run = run
        return f"this machine, {self._cores} at a time"

    @property
    def cores(self) -> int:
        return self._cores

    def has_room(self, unit: Unit) -> bool:
        return sum(self._used.values()) + self._threads_of(unit) <= self._cores

    def _threads_of(self, unit: Unit) -> int:
        return min(unit.threads, self._cores)

    def submit(self, units: Sequence[Unit], in_flight: set[str]) -> None:
        for unit in units:
            self._used[unit.id] = self._threads_of(unit)
            task = node.Task(unit.id, self._run.program, str(self._run.folder), self._threads_of(unit))
            thread = threading.Thread(target=lambda task=task: self._ended.put(node.run_unit(task, children=self._children)))
            thread.start()
            self._threads.append(thread)

    def wait(self, seconds: float) -> list[node.Outcome]:
        try:
            outcome = self._ended.get(timeout=seconds)
        except queue.Empty:
            return []
        del self._used[outcome.unit]
        return [outcome]

    def stop(self) -> None:
        self._children.signal(signal.SIGINT)
        for thread in self._threads:
            thread.join()

    def close(self) -> None:
        pass
