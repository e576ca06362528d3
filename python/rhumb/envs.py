"""Gymnasium environments with vector rewards, after MO-Gymnasium's conventions.

    gymnasium.make("rhumb/mo-halfcheetah-v5")                        one robot
    gymnasium.make_vec("rhumb/mo-halfcheetah-v5", num_envs=16)       many, stepped by native threads

Rewards are float32 vectors: [K] of one robot, [N, K] of many. `reward_space` describes them and
`reward_names` names them. Actions are in the environment's own units, as in Gymnasium.
"""

from __future__ import annotations

import os
import typing
from collections.abc import Sequence

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rhumb import _core
from rhumb.policy import as_numbers

NAMESPACE = "rhumb"
_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}
# Environments by name and rewards. They are constant, and compiling a robot takes milliseconds.
_shared: dict[tuple[str, str, bool], _core.Environment] = {}

Info = dict[str, typing.Any]


class _Robot:
    """What one environment and many have in common."""

    def __init__(self, name: str, rewards: str, of_model: bool, count: int, threads: int, autoreset: str) -> None:
        key = (name, rewards, of_model)
        if key not in _shared:
            environment = _core.Environment(name, rewards, of_model)
            if os.path.exists(name):  # a file may change between two calls
                self.environment = environment
            else:
                _shared[key] = environment
        self.environment = _shared.get(key) or environment
        self.description: dict[str, typing.Any] = self.environment.describe()
        self.core: _core.VectorEnvironment | None = _core.VectorEnvironment(self.environment, count, threads, autoreset)
        size = self.description["observation_size"]
        low, high = (np.array(self.description[bound], np.float32) for bound in ("action_low", "action_high"))
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.action_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self.reward_names = tuple(one["name"] for one in self.description["objectives"])
        self.reward_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.reward_names),), np.float32)

    def open(self) -> _core.VectorEnvironment:
        if self.core is None:
            raise _core.Error(f"the environment '{self.description['id']}' is closed")
        return self.core

    def quantity(self, name: str) -> NDArray[np.float64]:
        names = self.description["quantities"]
        if name not in names:
            raise _core.Error(f"'{self.description['id']}' has no quantity '{name}'; it has {', '.join(names)}")
        return self.open().quantities()[:, names.index(name)]


class RhumbEnv(gymnasium.Env[NDArray[np.float64], NDArray[np.float32]]):
    """One robot of Rhumb.

    env: the id of a bundled environment, or the path of a spec (.toml).
    rewards: a preset of the spec; "" is its default.
    render_mode: None or "rgb_array".
    """

    metadata: dict[str, typing.Any] = {"render_modes": ["rgb_array"]}

    def __init__(
        self,
        env: str | os.PathLike[str],
        rewards: str = "",
        render_mode: str | None = None,
        width: int = 480,
        height: int = 480,
        of_model: bool = False,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise _core.Error(f"render_mode is {render_mode!r}; it may be None or 'rgb_array'")
        self._robot = _Robot(os.fspath(env), rewards, of_model, 1, 1, "disabled")
        self.metadata = {**self.metadata, "render_fps": round(1 / self._robot.description["control_step"])}
        self.render_mode = render_mode
        self._size = (width, height)
        self.observation_space = self._robot.observation_space
        self.action_space = self._robot.action_space
        self.reward_space = self._robot.reward_space
        self.reward_names = self._robot.reward_names
        self.reward_dim = len(self.reward_names)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[NDArray[np.float64], Info]:
        """Starts an episode. A seed determines this episode and all that follow it."""
        super().reset(seed=seed)
        seeds = _next_seeds(self, [seed], 1)
        return self._robot.open().reset(seeds, [0])[0], {}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float32], bool, bool, Info]:  # type: ignore[override]
        """Holds an action [A] for one control step; the reward is a vector [K]."""
        core = self._robot.open()
        actions = as_numbers(action, "action", np.float64)
        observations, rewards, ends, any_ended = core.step(actions[None])
        info = {"diverged": True} if any_ended and core.diverged()[0] else {}
        return observations[0], rewards[0], bool(ends[0, 0]), bool(ends[1, 0]), info

    def render(self) -> NDArray[np.uint8] | None:  # type: ignore[override]
        """The robot as RGB [height, width, 3], if render_mode is "rgb_array"."""
        return None if self.render_mode is None else self._robot.open().render(0, *self._size)

    def close(self) -> None:
        self._robot.core = None

    def state(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """qpos [nq] and qvel [nv]."""
        return self._robot.open().state(0)

    def set_state(self, qpos: NDArray[np.float64], qvel: NDArray[np.float64]) -> NDArray[np.float64]:
        """Starts an episode at a state and returns its observation [O]."""
        core = self._robot.open()
        core.set_state(0, *(as_numbers(part, "state", np.float64).reshape(1, -1) for part in (qpos, qvel)))
        return core.observations()[0]

    def quantity(self, name: str) -> float:
        """A quantity of the spec, such as "x_velocity", in the last step."""
        return float(self._robot.quantity(name)[0])


class RhumbVectorEnv(gymnasium.vector.VectorEnv[NDArray[np.float64], NDArray[np.float32], NDArray[typing.Any]]):
    """Many copies of a robot, stepped together by native threads.

    Row i equals a RhumbEnv whose seed is seed + i. Rewards are [N, K].

    threads: worker threads; 0 takes one per core, at most one per robot.
    autoreset_mode: NEXT_STEP, as MOSyncVectorEnv; SAME_STEP or DISABLED.
    """

    def __init__(
        self,
        env: str | os.PathLike[str],
        num_envs: int = 1,
        rewards: str = "",
        threads: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        of_model: bool = False,
    ) -> None:
        if render_mode is not None:
            raise _core.Error(f"render_mode is {render_mode!r}; many robots are not drawn, so it must be None")
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            raise _core.Error(
                f"autoreset_mode is {autoreset_mode!r}; it may be {', '.join(one.value for one in AutoresetMode)}"
            ) from None
        if threads == 0:
            threads = max(1, min(len(os.sched_getaffinity(0)), num_envs))
        self._robot = _Robot(os.fspath(env), rewards, of_model, num_envs, threads, _MODES[mode])
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_observation_space = self._robot.observation_space
        self.single_action_space = self._robot.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.reward_space = self._robot.reward_space
        self.reward_names = self._robot.reward_names
        self.reward_dim = len(self.reward_names)
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._every = list(range(num_envs))

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[NDArray[np.float64], Info]:
        """Starts episodes in all robots, or in those of options["reset_mask"] [N]."""
        indices = self._every
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
                raise _core.Error(f"reset_mask must be {self.num_envs} booleans, not {mask.dtype} of shape {mask.shape}")
            indices = np.flatnonzero(mask).tolist()
        if isinstance(seed, (int, np.integer)):
            seed = [int(seed) + i for i in self._every]
        wanted = [None] * self.num_envs if seed is None else list(seed)
        if len(wanted) != self.num_envs:
            raise _core.Error(f"{len(wanted)} seeds for {self.num_envs} robots")
        seeds = _next_seeds(self, wanted, self.num_envs)
        return self._robot.open().reset(None if seeds is None else [seeds[i] for i in indices], indices), {}

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Actions [N, A] to observations [N, O], rewards [N, K], terminations and truncations [N]."""
        core = self._robot.open()
        observations, rewards, ends, any_ended = core.step(as_numbers(actions, "actions", np.float64))
        terminated, truncated = ends.view(np.bool_)
        info: Info = {}
        if any_ended:
            ended = terminated | truncated
            if (diverged := core.diverged().view(np.bool_)).any():
                info.update(diverged=diverged, _diverged=ended)
            if self._same_step:
                last = np.empty(self.num_envs, object)
                final = core.final_observations()
                for i in np.flatnonzero(ended):
                    last[i] = final[i]
                info.update(final_obs=last, _final_obs=ended, final_info={}, _final_info=ended.copy())
        return observations, rewards, terminated, truncated, info

    def close_extras(self, **kwargs: typing.Any) -> None:
        self._robot.core = None

    def state(self, index: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """qpos [nq] and qvel [nv] of one robot."""
        return self._robot.open().state(index)

    def set_state(self, index: int, qpos: NDArray[np.float64], qvel: NDArray[np.float64]) -> NDArray[np.float64]:
        """Starts an episode of one robot at a state; returns its observation [O]."""
        core = self._robot.open()
        core.set_state(index, *(as_numbers(part, "state", np.float64).reshape(1, -1) for part in (qpos, qvel)))
        return core.observations()[index]

    def quantity(self, name: str) -> NDArray[np.float64]:
        """A quantity of the spec, such as "x_velocity", in the last step: [N]."""
        return self._robot.quantity(name)


def register(spec: str | os.PathLike[str], id: str | None = None, rewards: str = "") -> str:
    """Registers a robot of your own with Gymnasium; returns its id for `gymnasium.make`.

    spec: the path of a TOML file (docs/your-own-robot.md). It is read and checked now.
    id: "rhumb/<id of the spec>" unless given.
    """
    path = os.path.abspath(os.fspath(spec))
    description = _core.Environment(path, rewards).describe()
    name = id or f"{NAMESPACE}/{description['id']}"
    _register(name, path, rewards)
    return name


def register_bundled() -> None:
    """Registers the bundled environments; `import rhumb` calls it."""
    for name in _core.bundled_environments():
        _register(f"{NAMESPACE}/{name}", name, "")


def _register(id: str, env: str, rewards: str) -> None:
    gymnasium.envs.registration.registry.pop(id, None)
    gymnasium.register(
        id,
        entry_point="rhumb.envs:RhumbEnv",
        vector_entry_point="rhumb.envs:RhumbVectorEnv",
        kwargs={"env": env, "rewards": rewards},
        # The checker takes rewards for single numbers; mo_gymnasium.make turns it off too.
        disable_env_checker=True,
        order_enforce=False,
    )


def _next_seeds(env: typing.Any, wanted: list[int | None], count: int) -> list[int] | None:
    """The seeds of a reset. None continues the episodes, which a first reset cannot."""
    if all(seed is None for seed in wanted):
        if getattr(env, "_seeded", False):
            return None
        wanted = list(wanted)
    env._seeded = True
    fresh = np.random.SeedSequence().generate_state(count, np.uint64) >> np.uint64(1)
    seeds = []
    for own, drawn in zip(wanted, fresh.tolist()):
        if own is not None and (not isinstance(own, (int, np.integer)) or not 0 <= own < 2**63):
            raise _core.Error(f"the seed is {own!r}; it must be a whole number from 0 to 2^63 - 1")
        seeds.append(drawn if own is None else int(own))
    return seeds
