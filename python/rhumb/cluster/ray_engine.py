"""Units as tasks of a Ray cluster, which is running already (`ray start`) or is started on this machine.

Where all nodes see the run's folder, units work in it, and a lost unit continues from its checkpoint. Else
inputs and outputs travel through Ray's object store, and a lost unit begins again.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
import tempfile
import time
import typing
from collections.abc import Sequence

from . import node
from .node import Task, name_of_node, run_copied, run_unit
from .units import Failure, Run, Unit

# More tasks than cores wait at Ray, so that no core waits for the driver.
_AHEAD = 1.5
_SECONDS_TO_DIE = 10.0


class RayEngine:
    name = "ray"
    plans_ahead = False

    def __init__(self, address: str | None = None, program: str | None = None, folder: str = "auto", scratch: str | None = None):
        """program: its path on the nodes. folder: "shared", "copied" or "auto". scratch: where copies are put."""
        try:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            import ray
        except ImportError:
            raise Failure("--engine ray needs the package ray: pip install ray") from None
        self._ray: typing.Any = ray
        self._address, self._program, self._folder, self._scratch = address, program, folder, scratch
        self._tasks: dict[typing.Any, tuple[Unit, int]] = {}  # reference -> its unit and cores
        self._packed: dict[str, typing.Any] = {}  # path in the folder -> reference to its archive
        self._limits = (1, 0.0, 0.0)

    def start(self, run: Run, units: Sequence[Unit]) -> str:
        self._run = run
        self._program = self._program or run.program
        context = self._connect()
        # Nodes need Ray and the program, not this package: their functions are sent by value.
        for module in (node, sys.modules[__name__]):
            self._ray.cloudpickle.register_pickle_by_value(module)
        nodes = self._nodes()
        self._limits = tuple(max(one["Resources"].get(key, 0) for one in nodes) for key in ("CPU", "memory", "GPU"))
        if any(unit.gpus and not unit.done for unit in units) and not self._limits[2]:
            raise Failure("units need a GPU, and no node of the cluster has one")
        is_shared = self._check(nodes)
        if self._folder == "auto":
            self._folder = "shared" if is_shared else "copied"
        link = getattr(context, "dashboard_url", "")
        return (
            f"Ray: {len(nodes)} nodes, {self.cores} cores, folder {self._folder}"
            + (f", dashboard http://{link}" if link else "")
        )

    def _connect(self) -> typing.Any:
        if self._ray.is_initialized():
            return self._ray.get_runtime_context()
        try:
            # Workers do not print here: outcomes have what their units said.
            return self._ray.init(address=self._address, log_to_driver=False, logging_level="error")
        except (ConnectionError, RuntimeError, ValueError) as problem:
            raise Failure(f"there is no Ray cluster at {self._address}: {str(problem).splitlines()[0]}") from None

    def _nodes(self) -> list[dict]:
        return [one for one in self._ray.nodes() if one["Alive"] and one["Resources"].get("CPU", 0) > 0]

    def _check(self, nodes: Sequence[dict]) -> bool:
        """Whether all nodes see the folder. Raises Failure, with the node, if one cannot run units."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        token = secrets.token_hex(16)
        file = self._run.folder / f".cluster-{token[:8]}"
        file.write_text(token, encoding="utf-8")
        try:
            remote = self._ray.remote(num_cpus=0)(node.probe)
            found = [
                remote.options(scheduling_strategy=NodeAffinitySchedulingStrategy(one["NodeID"], soft=False)).remote(
                    self._program, str(file), token
                )
                for one in nodes
            ]
            wanted = self._run.document["versions"]
            all_see, is_any_left = True, False
            for one, reference in zip(nodes, found):
                name = _name(one)
                try:
                    has = self._ray.get(reference, timeout=180)
                except self._ray.exceptions.RayError as problem:
                    # A node that died while it was asked is no node any more; units run on the others.
                    if self._is_gone(one["NodeID"]):
                        continue
                    raise Failure(f"node {name} does not answer: {str(problem).splitlines()[0]}") from None
                if "problem" in has:
                    raise Failure(f"node {name}: {has['problem']}")
                for part, version in wanted.items():
                    if has["versions"].get(part) != version:
                        raise Failure(f"node {name}: it has {part} {has['versions'].get(part)}, and the run is of {version}")
                all_see, is_any_left = all_see and has["sees_folder"], True
                if self._folder == "shared" and not has["sees_folder"]:
                    raise Failure(f"node {name} does not see {self._run.folder}; give --folder copied")
            if not is_any_left:
                raise Failure("the cluster has no node that answers")
            return all_see
        finally:
            file.unlink(missing_ok=True)

    def _is_gone(self, node_id: str) -> bool:
        """Whether Ray gives up the node. It may learn that later than a task on it fails."""
        end = time.monotonic() + _SECONDS_TO_DIE
        while any(left["NodeID"] == node_id for left in self._nodes()):
            if time.monotonic() >= end:
                return False
            time.sleep(0.5)
        return True

    @property
    def cores(self) -> int:
        return int(sum(one["Resources"].get("CPU", 0) for one in self._nodes())) or 1

    def has_room(self, unit: Unit) -> bool:
        return sum(cores for _, cores in self._tasks.values()) < _AHEAD * self.cores

    def submit(self, units: Sequence[Unit], in_flight: set[str]) -> None:
        most_cores, most_memory, _ = self._limits
        for unit in units:
            cores = max(1, min(unit.threads, int(most_cores)))
            # Lost units are submitted by the driver, which counts them.
            options = {"num_cpus": cores, "num_gpus": unit.gpus, "max_retries": 0}
            options["memory"] = int(min(unit.memory_mb * 2**20, most_memory))
            task = Task(unit.id, self._program or "", str(self._run.folder), cores, self._scratch)
            inputs = [self._pack(path) for path in [*self._run.files, *unit.inputs]] if self._folder == "copied" else None
            reference = self._ray.remote(**options)(_run).remote(tuple(task), inputs)
            self._tasks[reference] = (unit, cores)

    def _pack(self, path: str) -> typing.Any:
        if path not in self._packed:
            self._packed[path] = self._ray.put(node.pack(str(self._run.folder), [path]))
        return self._packed[path]

    def wait(self, seconds: float) -> list[node.Outcome]:
        if not self._tasks:
            return []
        ended, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        return [self._outcome(reference, self._tasks.pop(reference)[0]) for reference in ended]

    def _outcome(self, reference: typing.Any, unit: Unit) -> node.Outcome:
        exceptions = self._ray.exceptions
        try:
            outcome = node.Outcome(*self._ray.get(reference))
        except exceptions.RayTaskError as problem:
            return node.Outcome(unit.id, "?", 1, 0.0, [str(problem).strip().splitlines()[-1]])
        except exceptions.RayError as problem:
            # The worker, its node or the result on it is gone.
            return node.Outcome(unit.id, "that is gone", node.LOST, 0.0, [type(problem).__name__])
        if outcome.code == 0 and outcome.result is not None:
            self._take(unit.id, outcome.result)
        return outcome._replace(result=None)

    def _take(self, unit: str, archive: bytes) -> None:
        folder = tempfile.mkdtemp(prefix=".arrived-", dir=self._run.folder)
        try:
            node.unpack(archive, folder)
            self._run.ask("units", "merge", folder, "--out", str(self._run.folder))
        except (Failure, OSError) as problem:
            raise Failure(f"node {name_of_node()}: cannot take {unit}: {getattr(problem, 'strerror', None) or problem}") from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def stop(self) -> None:
        for reference in self._tasks:
            self._ray.cancel(reference, force=False)
        for reference in self._tasks:
            with contextlib.suppress(Exception):
                self._ray.get(reference, timeout=60)

    def close(self) -> None:
        self._tasks.clear()
        self._packed.clear()


def _name(one: dict) -> str:
    """As units name their node: the host, and what tells it from others on the same host."""
    return f"{one['NodeManagerHostname']} ({one['NodeID'][:8]})"


def _run(words: tuple, inputs: list | None) -> tuple:
    """On a node. Takes and returns plain tuples, since the node has none of our classes."""
    import ray

    task, here = Task(*words), f"{name_of_node()} ({ray.get_runtime_context().get_node_id()[:8]})"
    if inputs is None:
        return tuple(run_unit(task, here))
    return tuple(run_copied(task, (ray.get(reference) for reference in inputs), here))
