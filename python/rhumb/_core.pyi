"""The engine of Rhumb. Use the package rhumb, which is built on it."""

from collections.abc import Sequence
import os
from typing import Any

import numpy
import numpy.typing


class Error(ValueError):
    pass

def set_installation_folder(folder: str | os.PathLike) -> None:
    """
    Sets the folder that holds share/rhumb: environments, bundled models and scripts.
    """

class Model:
    """A model folder in memory. Thread-safe."""

    def __init__(self, name: str) -> None:
        """Loads a folder, or a zoo entry by name."""

    @property
    def folder(self) -> str: ...

    def describe(self) -> dict[str, Any]: ...

    def training(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """Training codes [N, H] and their labels [N, K], without a copy."""

    def rolled_out(self, mode: str) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], int]:
        """
        Rolled-out codes [N, H], means and deviations of their values [N, K], without a copy, and the episodes of each.
        """

    def steer(self, target: Sequence[str], require: Sequence[str], maximise: Sequence[str], minimise: Sequence[str], change: Sequence[str], like: numpy.typing.NDArray[numpy.float32] | None, mode: str, preset: str, settings: Sequence[str], seed: int) -> dict[str, Any]:
        """Solves a query; the result has the form of `rhumb steer --json`."""

    def assess(self, code: numpy.typing.NDArray[numpy.float32], mode: str, settings: Sequence[str]) -> dict[str, Any]:
        """Predicted values of a code [1, H]."""

    def encode(self, observations: numpy.typing.NDArray[numpy.float32], actions: numpy.typing.NDArray[numpy.float32], draws: int, seed: int) -> numpy.typing.NDArray[numpy.float32]:
        """The code [H] of observations [T or T + 1, O] and actions [T, A]."""

    def rollout(self, codes: numpy.typing.NDArray[numpy.float32], episodes: int, mode: str, seed: int, threads: int, first_code: int = 0) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8]]:
        """Plays codes [N, H]: values [N, E, K], lengths [N, E], diverged [N, E]."""

    def export_onnx(self, code: numpy.typing.NDArray[numpy.float32] | None) -> bytes:
        """The bytes of an ONNX file; with a code [1, H] it has no input for one."""

class Actor:
    """Rows of codes that act. One thread at a time."""

    def __init__(self, model: Model, rows: int, mode: str, seed: int) -> None: ...

    def set_code(self, row: int, code: numpy.typing.NDArray[numpy.float32], unit: int = 0, episode: int = 0) -> None:
        """
        Gives a row its code [H]; sampled actions are keyed (seed, unit, episode, step).
        """

    def blend_to(self, row: int, code: numpy.typing.NDArray[numpy.float32], steps: int) -> None:
        """Turns a row to another code [H] within so many actions; 0: at once."""

    def act(self, observations: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
        """Observations [N, O] to actions [N, A]; [O] to [A] if there is one row."""

def bundled_environments() -> list[str]:
    """Ids of the bundled environments."""

class Environment:
    """A robot and its spec. Thread-safe."""

    def __init__(self, name: str, rewards: str = '', of_model: bool = False) -> None:
        """
        `name`: an id, the path of a spec, or with `of_model` a model's folder.
        """

    def describe(self) -> dict[str, Any]: ...

class VectorEnvironment:
    """Copies of an environment. One thread."""

    def __init__(self, environment: Environment, count: int, threads: int, autoreset: str) -> None: ...

    def reset(self, seeds: Sequence[int] | None, indices: Sequence[int]) -> numpy.typing.NDArray[numpy.float64]:
        """Starts the next episodes; returns all observations [N, O]."""

    def set_state(self, index: int, qpos: numpy.typing.NDArray[numpy.float64], qvel: numpy.typing.NDArray[numpy.float64]) -> None:
        """Starts an episode at qpos [1, nq], qvel [1, nv]."""

    def step(self, actions: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8], bool]:
        """
        Observations [N, O], rewards [N, K], terminated and truncated [2, N], any ended.
        """

    def final_observations(self) -> numpy.typing.NDArray[numpy.float64]: ...

    def observations(self) -> numpy.typing.NDArray[numpy.float64]: ...

    def quantities(self) -> numpy.typing.NDArray[numpy.float64]: ...

    def diverged(self) -> numpy.typing.NDArray[numpy.uint8]: ...

    def state(self, index: int) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]: ...

    def render(self, index: int, width: int, height: int) -> numpy.typing.NDArray[numpy.uint8]: ...

class GaussianPolicy:
    """A policy of a population: normaliser, network and deviation."""

    def __init__(self, layers: Sequence[tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]], activation: str, mean: numpy.typing.NDArray[numpy.float32], inverse_scale: numpy.typing.NDArray[numpy.float32], limit: float, deviation: numpy.typing.NDArray[numpy.float32]) -> None: ...

    def means(self, observations: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float32]:
        """Observations [N, O] to means [N, A] of actions in [-1, 1], unclipped."""

    def deviation(self) -> numpy.typing.NDArray[numpy.float32]: ...

def write_population(folder: str, environment: str, rewards: str, agents: Sequence[Sequence[GaussianPolicy]], weights: Sequence[Sequence[float]], returns: Sequence[Sequence[float]], lengths: Sequence[float], source: str) -> None:
    """Writes a population folder in one step."""

def read_policy(folder: str, agent: int, iteration: int) -> GaussianPolicy:
    """A policy of a population folder."""

def import_minari(source: str, out: str, objectives: Sequence[str], environment: str, rewards: str) -> dict[str, Any]:
    """Writes a dataset folder from a Minari folder."""

def write_grounded(folder: str, out: str, mode: str, codes: numpy.typing.NDArray[numpy.float32], values: numpy.typing.NDArray[numpy.float32], deviations: numpy.typing.NDArray[numpy.float32], episodes: int, seed: int) -> None:
    """Writes a copy of a model with these rollouts in one mode."""
