"""The results of steering: answers with their predictions, or a diagnosis."""

from __future__ import annotations

import dataclasses
import html
import typing

import numpy as np
from numpy.typing import NDArray

from rhumb.policy import Policy

if typing.TYPE_CHECKING:
    from rhumb.model import Model, Rollouts


@dataclasses.dataclass(frozen=True)
class Answer:
    """One behaviour. Values are of a whole episode, in the objectives' units."""

    model: Model = dataclasses.field(repr=False)
    code: NDArray[np.float32] = dataclasses.field(repr=False)  # [H]
    predicted: dict[str, float]
    interval: dict[str, tuple[float, float]]
    """Intervals for the mean of `Result.interval_episodes` episodes; empty if not calibrated."""
    origin: str = "steered"
    """"steered", "training" or "rolled_out"."""
    distance_to_data: float = 0.0
    """In spacings of the training codes."""
    risk: float = 0.0
    """Expected miss, in standard deviations of the labels."""
    probability: float | None = None
    """That the mean of `Result.interval_episodes` episodes is as asked; None if not calibrated."""
    mode: str = "sampled"

    def policy(self, mode: str | None = None, seed: int = 0) -> Policy:
        """The policy of this behaviour. `mode` is "sampled" or "mean"; predictions hold for the mode
        that the query was solved for, which is the default."""
        return Policy(self.model, self.code, mode or self.mode, seed)

    def rollout(self, episodes: int = 4, *, seed: int = 0, threads: int = 1) -> Rollouts:
        """Plays the behaviour in simulation."""
        return self.model.rollout(self.code, episodes, mode=self.mode, seed=seed, threads=threads)


@dataclasses.dataclass(frozen=True)
class Relaxation:
    """One requirement or target, and the value it would need if all others stay unchanged."""

    requirement: str
    quantity: str
    asked: float
    needed: float | None
    """None if no value would do."""


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """Why a query has no answer."""

    reason: str
    binding: tuple[str, ...]
    nearest: Answer
    relax: tuple[Relaxation, ...]


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a query."""

    model: Model = dataclasses.field(repr=False)
    query: dict[str, list[str]]
    status: str
    """"solved", "infeasible", "refused" or "iteration_limit"."""
    answers: tuple[Answer, ...]
    """Best first. Unless solved, the best answers found so far, if any."""
    diagnosis: Diagnosis | None
    solve_ms: float
    interval_episodes: int
    interval_level: float

    @property
    def solved(self) -> bool:
        return self.status == "solved"

    @property
    def best(self) -> Answer:
        """The first answer; without any, the nearest behaviour of the diagnosis."""
        if self.answers:
            return self.answers[0]
        assert self.diagnosis is not None
        return self.diagnosis.nearest

    def __str__(self) -> str:
        lines = [f"{self.status} in {self.solve_ms:.1f} ms"]
        if self.diagnosis is not None:
            lines.append(self.diagnosis.reason)
        names = list(self.best.predicted)
        width = max(len(name) for name in names)
        lines.append(f"{'objective':{max(width, 9)}}  {'predicted':>10}  {'low':>10}  {'high':>10}")
        for name in names:
            low, high = self.best.interval.get(name, (float("nan"), float("nan")))
            lines.append(f"{name:{max(width, 9)}}  {self.best.predicted[name]:10.2f}  {low:10.2f}  {high:10.2f}")
        return "\n".join(lines)

    def figure(self) -> typing.Any:
        """A matplotlib figure: the training codes, the answers and the question, over two
        objectives."""
        from rhumb import figures

        return figures.result_figure(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def _repr_png_(self) -> bytes | None:
        from rhumb import figures

        return figures.png_of(self)


def make_result(model: Model, query: dict[str, list[str]], mode: str, document: dict[str, typing.Any]) -> Result:
    """A Result from the document of `_core.Model.steer`."""
    diagnosis = None
    if found := document.get("infeasibility"):
        nearest = {**found, "predicted": found["nearest"]}
        diagnosis = Diagnosis(
            reason=found["reason"],
            binding=tuple(found["binding"]),
            nearest=make_answer(model, mode, nearest),
            relax=tuple(
                Relaxation(one["requirement"], one["quantity"], one["asked"], one["needed"]) for one in found["relax"]
            ),
        )
    covered = document.get("interval", {})
    return Result(
        model=model,
        query={kind: terms for kind, terms in query.items() if terms},
        status=document["status"],
        answers=tuple(make_answer(model, mode, one) for one in document["answers"]),
        diagnosis=diagnosis,
        solve_ms=document["solve_ms"],
        interval_episodes=covered.get("episodes", 0),
        interval_level=covered.get("level", 0.0),
    )


def make_answer(model: Model, mode: str, document: dict[str, typing.Any]) -> Answer:
    names = [one.name for one in model.objectives]
    intervals = document["interval"]
    return Answer(
        model=model,
        code=np.array(document["code"], np.float32),
        predicted={name: document["predicted"][name] for name in names},
        interval={name: tuple(intervals[name]) for name in names} if intervals else {},
        origin=document.get("origin", "steered"),
        distance_to_data=document.get("distance_to_data", 0.0),
        risk=document.get("risk", 0.0),
        probability=document.get("probability"),
        mode=mode,
    )
