"""How long a run takes on N nodes: its units in the order of the driver, from their measured times."""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterable, Mapping, Sequence

from .units import Unit


def path_lengths(units: Sequence[Unit], seconds: Mapping[str, float]) -> dict[str, float]:
    """Seconds from the begin of each unit to the end of the last one that waits for it, with endless nodes."""
    after: dict[str, float] = {unit.id: 0.0 for unit in units}
    lengths: dict[str, float] = {}
    for unit in reversed(units):
        lengths[unit.id] = seconds[unit.id] + after[unit.id]
        for need in unit.needs:
            if need in after:
                after[need] = max(after[need], lengths[unit.id])
    return lengths


def critical_path(units: Sequence[Unit], seconds: Mapping[str, float]) -> float:
    return max(path_lengths(units, seconds).values(), default=0.0)


def makespan(
    units: Sequence[Unit], cores: int, overhead: float = 0.0, seconds: Mapping[str, float] | None = None,
    done: Iterable[str] = (),
) -> float:  # fmt: skip
    """Seconds until all units are done on so many cores, one core each, the longest path first.

    overhead: seconds that the engine adds to each unit. done: units that are done already.
    """
    times = {unit.id: (seconds or {}).get(unit.id, unit.seconds) + overhead for unit in units}
    priority = path_lengths(units, times)
    finished = set(done)
    left = {unit.id: {need for need in unit.needs if need not in finished and need in times} for unit in units}
    waiters: dict[str, list[str]] = {}
    for unit in units:
        for need in left[unit.id]:
            waiters.setdefault(need, []).append(unit.id)
    ready = [(-priority[unit.id], unit.id) for unit in units if unit.id not in finished and not left[unit.id]]
    heapq.heapify(ready)
    running: list[tuple[float, str]] = []
    now = 0.0
    while ready or running:
        while ready and len(running) < cores:
            _, chosen = heapq.heappop(ready)
            heapq.heappush(running, (now + times[chosen], chosen))
        now, ended = heapq.heappop(running)
        for waiter in waiters.get(ended, ()):
            left[waiter].discard(ended)
            if not left[waiter]:
                heapq.heappush(ready, (-priority[waiter], waiter))
    return now


def repeat(units: Sequence[Unit], runs: int) -> list[Unit]:
    """The units of so many runs alike, which do not wait for each other."""
    return [
        dataclasses.replace(unit, id=f"{run}:{unit.id}", needs=tuple(f"{run}:{need}" for need in unit.needs))
        for run in range(runs)
        for unit in units
    ]


def table(units: Sequence[Unit], nodes: Sequence[int], cores: int = 1, overhead: float = 0.0) -> list[tuple[int, float, float, float]]:
    """Rows of (nodes, seconds, times as fast as one core, share of the cores that is used)."""
    alone = sum(unit.seconds for unit in units)
    rows = []
    for count in nodes:
        took = makespan(units, count * cores, overhead)
        rows.append((count, took, alone / took, alone / took / (count * cores)))
    return rows
