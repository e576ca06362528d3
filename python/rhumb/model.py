"""Models: maps of behaviours that can be steered."""

from __future__ import annotations

import dataclasses
import os
import typing
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rhumb import _core
from rhumb.policy import Policy, as_numbers
from rhumb.steering import Answer, Result, make_answer, make_result

Terms = str | Sequence[str]
"""One term of a query in the syntax of `rhumb steer`, or several: "energy >= -2000"."""


@dataclasses.dataclass(frozen=True)
class Objective:
    """A value of a whole episode by which a model can be steered."""

    name: str
    unit: str
    min: float
    max: float
    mean: float
    std: float
    expression: str
    """Of an attribute, such as "mean(torso_height)"; empty for an objective of the environment."""


@dataclasses.dataclass(frozen=True)
class Rollouts:
    """What N codes realised in E episodes."""

    objectives: tuple[str, ...]
    values: NDArray[np.float64]
    """[N, E, K], of whole episodes; NaN where an episode diverged."""
    lengths: NDArray[np.int64]
    """[N, E], steps."""

    @property
    def mean(self) -> dict[str, float]:
        """Means over the episodes of the first code."""
        return dict(zip(self.objectives, np.nanmean(self.values[0], axis=0).tolist()))

    @property
    def means(self) -> NDArray[np.float64]:
        """[N, K], means over the episodes of each code."""
        return np.nanmean(self.values, axis=1)


class Model:
    """A trained model in memory. Thread-safe."""

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self._core = _core.Model(os.fspath(name))
        description = self._core.describe()
        self.folder: str = self._core.folder
        self.environment: str = description["environment"]
        self.rewards: str = description["rewards"]
        self.simulated: bool = description["simulated"]
        """Whether the model holds its environment, so that it can be rolled out by Rhumb."""
        self.time_limit: int = description["time_limit"]
        self.observation_size: int = description["observation_size"]
        self.action_size: int = description["action_size"]
        self.code_size: int = description["code_size"]
        self.grounded: tuple[str, ...] = tuple(description["grounded"])
        """Modes whose predictions come from roll-outs: "sampled", "mean", or both."""
        centre, half = (np.array(description[name]) for name in ("action_centre", "action_half_range"))
        self.action_low: NDArray[np.float64] = centre - half
        self.action_high: NDArray[np.float64] = centre + half
        names = [field.name for field in dataclasses.fields(Objective)]
        self.objectives: tuple[Objective, ...] = tuple(
            Objective(**{name: one[name] for name in names}) for one in description["objectives"]
        )

    @property
    def codes(self) -> NDArray[np.float32]:
        """The training codes [N, H]; read-only, nothing is copied."""
        return self._core.training()[0]

    @property
    def values(self) -> NDArray[np.float32]:
        """The labels of the training codes [N, K], in the order of `objectives`; read-only."""
        return self._core.training()[1]

    def rolled_out(self, mode: str = "sampled") -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The codes [N, H] that grounding rolled out, and their mean values [N, K]; read-only."""
        return self._core.rolled_out(mode)[:2]

    def steer(
        self,
        target: Terms | Mapping[str, float] = (),
        require: Terms = (),
        *,
        maximise: Terms = (),
        minimise: Terms = (),
        like: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
        change: Terms = (),
        mode: str = "sampled",
        confidence: float | None = None,
        answers: int | None = None,
        preset: str = "default",
        settings: Mapping[str, typing.Any] | None = None,
        seed: int = 0,
    ) -> Result:
        """Finds behaviours that match a query.

        target: values to reach, {"forward": 6000} or "forward = 6000 +- 50".
        require: requirements, "energy >= -2000", "2 <= forward/energy <= 3".
        maximise, minimise: expressions over objectives.
        like, change: changes of a recorded behaviour, "energy -20%". `like` is its code [H], or its
            observations [T, O] and actions [T, A].
        mode: "sampled" or "mean" actions; predictions hold for one of them.
        confidence: probability that all requirements hold; 0 trusts the prediction alone.
        answers: how many different behaviours to return at most.
        preset, settings: as `--preset` and `--set` of `rhumb steer`.

        A query without an answer is a Result with a diagnosis. Raises Error for one that does not
        parse or names an unknown objective.
        """
        query = {
            "target": _targets(target),
            "require": _terms(require, "require"),
            "maximise": _terms(maximise, "maximise"),
            "minimise": _terms(minimise, "minimise"),
            "change": _terms(change, "change"),
        }
        if like is not None:
            like = self.encode(*like) if isinstance(like, tuple) else as_numbers(like, "like", np.float32)
            like = like.reshape(1, -1)
        changed = dict(settings or {})
        if confidence is not None:
            changed["confidence"] = confidence
        if answers is not None:
            changed["answers"] = answers
        document = self._core.steer(
            **query, like=like, mode=mode, preset=preset, settings=_settings(changed), seed=_seed(seed)
        )
        return make_result(self, query, mode, document)

    def predict(self, code: ArrayLike, *, mode: str = "sampled") -> Answer:
        """The predicted values of any code [H], with intervals and the distance to the data."""
        numbers = as_numbers(code, "code", np.float32).reshape(1, -1)
        return make_answer(self, mode, self._core.assess(numbers, mode, []))

    def encode(
        self, observations: ArrayLike, actions: ArrayLike, *, draws: int = 32, seed: int = 0
    ) -> NDArray[np.float32]:
        """The code [H] of a recorded run: observations [T, O] or [T + 1, O] and actions [T, A], in
        the environment's units. The code is the mean over `draws` contexts drawn from the run."""
        return self._core.encode(
            as_numbers(observations, "observations", np.float32),
            as_numbers(actions, "actions", np.float32),
            draws,
            _seed(seed),
        )

    def rollout(
        self, code: ArrayLike, episodes: int = 4, *, mode: str = "sampled", seed: int = 0, threads: int = 1
    ) -> Rollouts:
        """Plays codes [H] or [N, H] in simulation and returns what they realised. Ctrl-C stops it."""
        codes = np.atleast_2d(as_numbers(code, "code", np.float32))
        values, lengths, _ = self._core.rollout(codes, episodes, mode, _seed(seed), threads)
        return Rollouts(tuple(one.name for one in self.objectives), values, lengths)

    def policy(self, code: ArrayLike, mode: str = "sampled", seed: int = 0) -> Policy:
        """The policy of a code [H]."""
        return Policy(self, code, mode, seed)

    def export_onnx(self, file: str | os.PathLike[str], code: ArrayLike | None = None) -> None:
        """Writes the policy as an ONNX file: observation [N, O] and code [N, H] to action, mean and
        log_std [N, A]. Normaliser and action scale are inside. With a code [H], it is inside too."""
        row = None if code is None else as_numbers(code, "code", np.float32).reshape(1, -1)
        content = self._core.export_onnx(row)
        with open(file, "wb") as out:
            out.write(content)

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.objectives)
        return f"<rhumb.Model of {self.environment}: {len(self.codes)} codes, steered by {names}>"


def load(name: str | os.PathLike[str]) -> Model:
    """Loads a model: a folder, or the name of a bundled model such as "halfcheetah".

    Raises Error with one sentence if there is none or a file of it is damaged.
    """
    return Model(name)


def _terms(terms: Terms, name: str) -> list[str]:
    found = [terms] if isinstance(terms, str) else list(terms)
    for term in found:
        if not isinstance(term, str):
            raise _core.Error(f"{name} holds {term!r}; it takes texts such as 'energy >= -2000'")
    return found


def _targets(target: Terms | Mapping[str, float]) -> list[str]:
    if not isinstance(target, Mapping):
        return _terms(target, "target")
    terms = []
    for name, value in target.items():
        try:
            terms.append(f"{name} = {float(value)!r}")
        except (TypeError, ValueError):
            raise _core.Error(f"the target of {name!r} is {value!r}, which is not a number") from None
    return terms


def _settings(settings: Mapping[str, typing.Any]) -> list[str]:
    def text(value: typing.Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [f"{name}={text(value)}" for name, value in settings.items()]


def _seed(seed: int) -> int:
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63:
        raise _core.Error(f"the seed is {seed!r}; it must be a whole number from 0 to 2^63 - 1")
    return int(seed)
