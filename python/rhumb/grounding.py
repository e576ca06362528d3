"""Models in an environment of your own: any Gymnasium environment, simulated by Rhumb or not.

    rhumb.play(policy, make_env, episodes=16)         what a policy returns, [E, K]
    rhumb.ground(model, make_env, out="grounded")     predictions from roll-outs in it
    rhumb.verify(result, make_env)                    what the answers of a query realise
    rhumb.refine(model, make_env, query)              better answers to one query, by trying some

`make_env` is a function without arguments that returns an environment, gymnasium.Env or VectorEnv.
Its reward must be the vector of the model's objectives, as in MO-Gymnasium, or `objectives` computes
the vector from (observation, action, next observation, reward, info).
"""

from __future__ import annotations

import os
import typing
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rhumb import _core
from rhumb.model import Model, load
from rhumb.policy import Policy
from rhumb.steering import Result

MakeEnv = Callable[[], typing.Any]
Objectives = Callable[[typing.Any, typing.Any, typing.Any, typing.Any, typing.Any], Sequence[float]]
Actions = Callable[[NDArray[np.float64]], NDArray[typing.Any]]
Begin = Callable[[int, int], None]


def play(
    policy: Policy | Callable[[typing.Any], typing.Any],
    make_env: MakeEnv,
    episodes: int = 8,
    *,
    seed: int = 0,
    objectives: Objectives | None = None,
    max_steps: int = 1_000_000,
) -> NDArray[np.float64]:
    """Plays whole episodes one after another and returns their returns [E, K].

    policy: a Policy, or any function of an observation. Episode e is reset with seed + e.
    """
    env = _make(make_env)
    returns = []
    try:
        for episode in range(episodes):
            total: typing.Any = 0.0
            observation = _call(env.reset, f"reset of episode {episode}", seed=seed + episode)[0]
            for step in range(max_steps):
                action = _fit_action(policy(observation), env.action_space)
                seen, reward, terminated, truncated, info = _call(env.step, f"step {step} of episode {episode}", action)
                if objectives is not None:
                    reward = objectives(observation, action, seen, reward, info)
                total = total + _reward(reward, f"step {step} of episode {episode}")
                observation = seen
                if terminated or truncated:
                    break
            returns.append(total)
    finally:
        env.close()
    return np.array(returns)


def verify(result: Result, make_env: MakeEnv, episodes: int = 8, *, seed: int = 0, **options: typing.Any) -> list[dict[str, float]]:
    """Plays every answer of a query, or the nearest behaviour if there is none: mean values by objective."""
    answers = result.answers or (result.best,)
    names = [one.name for one in result.model.objectives]
    played = [play(one.policy(), make_env, episodes, seed=seed, **options).mean(axis=0) for one in answers]
    return [dict(zip(names, values.tolist())) for values in played]


def ground(
    model: Model | str | os.PathLike[str],
    make_env: MakeEnv,
    *,
    out: str | os.PathLike[str] | None = None,
    mode: str = "sampled",
    codes: int = 400,
    episodes: int = 4,
    num_envs: int = 8,
    seed: int = 0,
    objectives: Objectives | None = None,
    progress: bool = True,
) -> Model:
    """Bases a model's predictions on what its behaviours realise in your environment.

    Plays `codes` behaviours, half of them training codes and half between neighbours, `episodes` times
    each. Later answers are forecast from these roll-outs, with intervals. Writes the folder `out`, or replaces the model's own, and loads it.

    An exception in the environment becomes an Error that names the step; Ctrl-C stops, and the model is
    unchanged.
    """
    model = model if isinstance(model, Model) else load(model)
    for one in model.objectives:
        if one.expression:
            raise _core.Error(f"the attribute '{one.name}' is computed in Rhumb's simulation; ground a model without it")
    if codes < 40:
        raise _core.Error(f"codes is {codes}; grounding needs at least 40")
    chosen = _choose_codes(model, codes, seed)
    values = roll_out(
        model, chosen, make_env, episodes=episodes, mode=mode, num_envs=num_envs, seed=seed, objectives=objectives,
        progress=progress,
    )
    folder = model.folder if out is None else os.fspath(out)
    _core.write_grounded(
        model.folder, folder, mode, chosen, _single(values.mean(axis=1)), _single(values.std(axis=1, ddof=episodes > 1)),
        episodes, seed,
    )
    return load(folder)


def refine(
    model: Model | str | os.PathLike[str],
    make_env: MakeEnv,
    query: Mapping[str, typing.Any],
    *,
    out: str | os.PathLike[str] | None = None,
    mode: str = "sampled",
    tries: int = 4,
    rounds: int = 2,
    num_envs: int = 8,
    seed: int = 1_000_000,
    objectives: Objectives | None = None,
    progress: bool = True,
) -> Model:
    """Tries the answers of a query in your environment, so that the next answer knows what they realised.

    query: the arguments of Model.steer, such as {"target": {"forward": 6000}}. Each round plays `tries`
    different answers as often as grounding played its codes. Their values join those of grounding; a code that
    was known already counts with the mean of both. Writes the folder `out`, or replaces the model's own, and
    loads it.
    """
    model = model if isinstance(model, Model) else load(model)
    if mode not in model.grounded:
        raise _core.Error(f"the model is not grounded with {mode} actions; call rhumb.ground first")
    folder = model.folder if out is None else os.fspath(out)
    for number in range(rounds):
        result = model.steer(**query, mode=mode, answers=tries)
        tried = np.stack([one.code for one in result.answers or (result.best,)])
        codes, means, deviations, episodes = model._core.rolled_out(mode)
        values = roll_out(
            model, tried, make_env, episodes=episodes, mode=mode, num_envs=num_envs, seed=seed + number * tries * episodes,
            objectives=objectives, progress=progress,
        )
        new = {code.tobytes(): row for code, row in zip(tried, values)}
        means = means.copy()
        for row, code in enumerate(codes):
            if (again := new.pop(code.tobytes(), None)) is not None:
                means[row] = (means[row] + again.mean(axis=0)) / 2
        fresh = [np.frombuffer(code, np.float32) for code in new]
        spread = [row.std(axis=0, ddof=episodes > 1) for row in new.values()]
        _core.write_grounded(
            model.folder, folder, mode, _single([*codes, *fresh]), _single([*means, *(row.mean(axis=0) for row in new.values())]),
            _single([*deviations, *spread]), episodes, seed,
        )
        model = load(folder)
    return model


def roll_out(
    model: Model,
    codes: NDArray[np.float32],
    make_env: MakeEnv,
    *,
    episodes: int = 4,
    mode: str = "sampled",
    num_envs: int = 8,
    seed: int = 0,
    objectives: Objectives | None = None,
    progress: bool = False,
) -> NDArray[np.float64]:
    """Plays codes [N, H] in copies of an environment; the returns are [N, E, K]."""
    slots = _Slots(make_env, num_envs, objectives)
    try:
        actor = _core.Actor(model._core, slots.count, mode, seed)
        jobs = [(code, episode) for code in range(len(codes)) for episode in range(episodes)]

        def begin(slot: int, job: int) -> None:
            code, episode = jobs[job]
            actor.set_code(slot, codes[code], unit=code, episode=episode)

        returns = slots.play(len(jobs), actor.act, begin, seed, progress)
    finally:
        slots.close()
    if returns.shape[1] != len(model.objectives):
        names = ", ".join(one.name for one in model.objectives)
        raise _core.Error(f"the environment's reward has {returns.shape[1]} numbers; the model's objectives are {names}")
    return returns.reshape(len(codes), episodes, -1)


class _Slots:
    """Copies of an environment that play jobs, each an episode: single ones, or the rows of a VectorEnv."""

    def __init__(self, make_env: MakeEnv, count: int, objectives: Objectives | None) -> None:
        first = _make(make_env)
        self._vector = hasattr(first, "num_envs")
        self._envs = [first] if self._vector else [first, *(_make(make_env) for _ in range(count - 1))]
        self.count: int = first.num_envs if self._vector else count
        self._space = first.single_action_space if self._vector else first.action_space
        self._objectives = objectives

    def close(self) -> None:
        for env in self._envs:
            env.close()

    def play(self, jobs: int, act: Actions, begin: Begin, seed: int, progress: bool) -> NDArray[np.float64]:
        """Returns [jobs, K]. `act` maps observations [N, O] to actions; `begin` starts a job in a slot."""
        if self._vector:
            return self._play_vector(self._envs[0], jobs, act, begin, seed, progress)
        returns: list[typing.Any] = [0.0] * jobs
        running: list[int | None] = [None] * self.count
        observations: list[typing.Any] = [None] * self.count
        waiting = iter(range(jobs))

        def start(slot: int) -> None:
            running[slot] = job = next(waiting, None)
            if job is not None:
                begin(slot, job)
                observations[slot] = _call(self._envs[slot].reset, f"reset of episode {job}", seed=seed + job)[0]

        for slot in range(self.count):
            start(slot)
        done = 0
        while any(job is not None for job in running):
            actions = act(np.array([np.ravel(one) if one is not None else np.zeros_like(observations[0]) for one in observations], np.float64))
            for slot, job in enumerate(running):
                if job is None:
                    continue
                action = _fit_action(actions[slot], self._space)
                place = f"step of episode {job}"
                seen, reward, terminated, truncated, info = _call(self._envs[slot].step, place, action)
                if self._objectives is not None:
                    reward = self._objectives(observations[slot], action, seen, reward, info)
                returns[job] = returns[job] + _reward(reward, place)
                observations[slot] = seen
                if terminated or truncated:
                    start(slot)
                    done += 1
                    _say(progress, done, jobs)
        return np.array(returns).reshape(jobs, -1)

    def _play_vector(self, env: typing.Any, jobs: int, act: Actions, begin: Begin, seed: int, progress: bool) -> NDArray[np.float64]:
        if self._objectives is not None:
            raise _core.Error("objectives need single environments; let make_env return a gymnasium.Env")
        next_step = "next" in str(env.metadata.get("autoreset_mode", "")).lower()
        returns: list[typing.Any] = [0.0] * jobs
        running: list[int | None] = list(range(min(self.count, jobs))) + [None] * max(0, self.count - jobs)
        resetting = np.zeros(self.count, bool)
        waiting = iter(range(self.count, jobs))
        for slot, job in enumerate(running):
            if job is not None:
                begin(slot, job)
        observations = _call(env.reset, "reset", seed=seed)[0]
        done = 0
        while any(job is not None for job in running):
            actions = _fit_action(act(np.ascontiguousarray(observations, np.float64)), env.action_space)
            observations, rewards, terminated, truncated, _ = _call(env.step, f"step after {done} episodes", actions)
            ended = terminated | truncated
            for slot, job in enumerate(running):
                if job is None or resetting[slot]:
                    continue
                returns[job] = returns[job] + _reward(rewards[slot], f"episode {job}")
                if ended[slot]:
                    running[slot] = next(waiting, None)
                    if running[slot] is not None:
                        begin(slot, running[slot])  # type: ignore[arg-type]
                    done += 1
                    _say(progress, done, jobs)
            resetting = ended if next_step else np.zeros(self.count, bool)
        return np.array(returns).reshape(jobs, -1)


def _choose_codes(model: Model, count: int, seed: int) -> NDArray[np.float32]:
    """Half training codes, spread evenly; half between a training code and one of its neighbours."""
    generator = np.random.default_rng(seed)
    known = model.codes
    spread = known[np.linspace(0, len(known) - 1, count - count // 2).round().astype(int)]
    first = known[generator.integers(len(known), size=count // 2)]
    rank = min(8, len(known) - 1)
    distances = np.linalg.norm(first[:, None] - known[None], axis=2)
    near = np.argpartition(distances, rank, axis=1)[:, : rank + 1]
    second = known[near[np.arange(len(first)), generator.integers(rank + 1, size=len(first))]]
    way = generator.uniform(0, 1, (len(first), 1))
    return _single(np.concatenate([spread, first + way * (second - first)]))


def _single(values: typing.Any) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32)


def _make(make_env: MakeEnv) -> typing.Any:
    env = _call(make_env, "making")
    if not hasattr(env, "step") or not hasattr(env, "reset"):
        raise _core.Error(f"make_env returned {type(env).__name__}, which is not a Gymnasium environment")
    return env


def _call(function: Callable[..., typing.Any], place: str, *arguments: typing.Any, **named: typing.Any) -> typing.Any:
    """Calls the user's environment; what it raises becomes an Error with the place."""
    try:
        return function(*arguments, **named)
    except _core.Error:
        raise
    except Exception as problem:
        raise _core.Error(f"the environment failed in {place}: {type(problem).__name__}: {problem}") from problem


def _fit_action(action: typing.Any, space: typing.Any) -> NDArray[typing.Any]:
    numbers = np.asarray(action)
    if hasattr(space, "low"):
        if numbers.shape != space.shape:
            raise _core.Error(f"the policy's action has the shape {list(numbers.shape)}; the environment's has {list(space.shape)}")
        numbers = np.clip(numbers, space.low, space.high).astype(space.dtype)
    return numbers


def _reward(reward: typing.Any, place: str) -> NDArray[np.float64]:
    numbers = np.atleast_1d(np.asarray(reward, np.float64))
    if not np.isfinite(numbers).all():
        raise _core.Error(f"the reward in {place} is {numbers.tolist()}; every number must be finite")
    return numbers


def _say(progress: bool, done: int, jobs: int) -> None:
    if progress and (done == jobs or done % max(1, jobs // 20) == 0):
        print(f"\rrolled out {done} of {jobs} episodes", end="\n" if done == jobs else "", flush=True)
