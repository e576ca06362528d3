"""Policies: one behaviour of a model, acting."""

from __future__ import annotations

import typing

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rhumb import _core

if typing.TYPE_CHECKING:
    from rhumb.model import Model


class Policy:
    """The policy of one code. Use it from one thread at a time.

    Call it with an observation [O] to get an action [A], or with observations [N, O] to get actions
    [N, A]. Both are in the environment's own units; actions are clipped to their range. With
    mode "sampled", row i draws its own noise, determined by the seed and the number of past calls.
    """

    def __init__(self, model: Model, code: ArrayLike, mode: str = "sampled", seed: int = 0) -> None:
        self.model = model
        self.code: NDArray[np.float32] = _as_code(code)
        self.mode = mode
        self.seed = seed
        self._actors: dict[tuple[int, str], _core.Actor] = {}
        self._one = self._actor(1, mode)

    def __call__(self, observation: ArrayLike) -> NDArray[np.float64]:
        """The action [A] for an observation [O], or [N, A] for [N, O]."""
        observations = as_numbers(observation, "observation", np.float64)
        if observations.ndim < 2:
            return self._one.act(observations)
        return self._actor(len(observations), self.mode).act(observations)

    def predict(
        self,
        observation: ArrayLike,
        state: tuple[NDArray[typing.Any], ...] | None = None,
        episode_start: NDArray[np.bool_] | None = None,
        deterministic: bool = False,
    ) -> tuple[NDArray[np.float64], tuple[NDArray[typing.Any], ...] | None]:
        """Acts like `predict` of Stable-Baselines3: returns (action, state).

        `deterministic` takes the mean of the Gaussian; otherwise the policy's own mode decides.
        State and episode_start have no effect, because a policy has no memory.
        """
        if not deterministic or self.mode == "mean":
            return self(observation), state
        observations = as_numbers(observation, "observation", np.float64)
        rows = len(observations) if observations.ndim > 1 else 1
        return self._actor(rows, "mean").act(observations), state

    def set_code(self, code: ArrayLike, blend_steps: int = 0) -> None:
        """Steers again while the robot moves.

        The code of the following actions goes to `code` on a straight line and arrives with action
        number `blend_steps`; 0 takes it at once. A blend in progress goes on from where it is.
        """
        turned = _as_code(code)
        for (rows, _), actor in self._actors.items():
            for row in range(rows):
                actor.blend_to(row, turned, blend_steps)
        self.code = turned

    def restart(self, seed: int | None = None) -> None:
        """Restarts the random draws, with another seed if one is given."""
        self.seed = self.seed if seed is None else seed
        self._actors.clear()
        self._one = self._actor(1, self.mode)

    def _actor(self, rows: int, mode: str) -> _core.Actor:
        actor = self._actors.get((rows, mode))
        if actor is None:
            if len(self._actors) == 8:  # batches of ever new sizes
                self._actors.clear()
            actor = _core.Actor(self.model._core, rows, mode, self.seed)
            for row in range(rows):
                actor.set_code(row, self.code, unit=row)
            self._actors[rows, mode] = actor
        return actor

    def __repr__(self) -> str:
        return f"<rhumb.Policy of {self.model.environment}, {self.mode} actions>"


def as_numbers(values: ArrayLike, name: str, kind: type) -> NDArray[typing.Any]:
    """An array of that kind. Raises Error for anything that is not real numbers: texts that look like some, too."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"it holds {array.dtype}")
        return np.ascontiguousarray(array, dtype=kind)
    except (TypeError, ValueError) as problem:
        raise _core.Error(f"{name} is not an array of numbers: {problem}") from None


def _as_code(code: ArrayLike) -> NDArray[np.float32]:
    numbers = as_numbers(code, "code", np.float32)
    if numbers.ndim == 2 and len(numbers) == 1:
        numbers = numbers[0]
    if numbers.ndim != 1:
        raise _core.Error(f"code has the shape {list(numbers.shape)}; it must be [H]")
    return numbers
