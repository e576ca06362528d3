"""Datasets of Rhumb from recorded episodes, and to and from Minari.

    rhumb.datasets.record(policies, make_env, "lander-v0", objectives=("landing", "fuel"))
    rhumb.datasets.from_minari(minari.load_dataset("…"), "mine-v0")
    rhumb.datasets.to_minari("mine-v0")

Every function but the module itself needs the package minari, with h5py.
"""

from __future__ import annotations

import os
import pathlib
import tempfile
import typing
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from rhumb import _core
from rhumb.grounding import MakeEnv, _call, _fit_action, _make, _reward

Path = str | os.PathLike[str]


def record(
    policies: Sequence[Callable[[typing.Any], typing.Any]],
    make_env: MakeEnv,
    out: Path,
    *,
    objectives: Sequence[str],
    episodes: int = 16,
    seed: int = 0,
    progress: bool = True,
) -> str:
    """Plays policies, functions of an observation, and writes what they did as a dataset folder.

    This is the way of any callable into a map: a map is learned from episodes, and needs no network.
    The reward of the environment is a vector [K], one number per name in `objectives`.
    episodes: per policy. Many episodes of many different policies make a good map.
    """
    import minari
    from minari.data_collector import EpisodeBuffer

    env = _make(make_env)
    buffers = []
    for number, policy in enumerate(policies):
        for episode in range(episodes):
            place = f"episode {episode} of policy {number}"
            start = seed + len(buffers)
            seen = [_call(env.reset, f"reset of {place}", seed=start)[0]]
            actions, rewards, ended, cut = [], [], [], []
            while not (ended and (ended[-1] or cut[-1])):
                actions.append(_fit_action(policy(seen[-1]), env.action_space))
                observation, reward, terminated, truncated, _ = _call(env.step, place, actions[-1])
                rewards.append(_reward(reward, place))
                if len(rewards[-1]) != len(objectives):
                    env.close()
                    raise _core.Error(f"the reward has {len(rewards[-1])} numbers for the objectives {', '.join(objectives)}")
                seen.append(observation)
                ended.append(terminated)
                cut.append(truncated)
            returns = np.array(rewards)
            infos = {name: returns[:, k] for k, name in enumerate(objectives)}
            buffers.append(
                EpisodeBuffer(
                    id=len(buffers),
                    seed=start,
                    observations=np.array(seen),
                    actions=np.array(actions),
                    rewards=returns.sum(axis=1).tolist(),
                    terminations=ended,
                    truncations=cut,
                    infos={**infos, "policy": np.full(len(actions), number)},
                )
            )
        if progress:
            print(f"\rrecorded {number + 1} of {len(policies)} policies", end="\n" if number + 1 == len(policies) else "")
    spaces = env.observation_space, env.action_space
    env.close()
    with _minari_folder() as folder:
        del folder
        with warnings.catch_warnings():
            # Minari asks for an author and for links, which matter only to what is published.
            warnings.simplefilter("ignore")
            dataset = minari.create_dataset_from_buffers(
                "rhumb/recorded-v0", buffers, observation_space=spaces[0], action_space=spaces[1]
            )
        return from_minari(dataset, out, objectives=[f"{name}=infos_{name}" for name in objectives])


def from_minari(dataset: typing.Any, out: Path, *, objectives: Sequence[str] = (), env: Path = "", rewards: str = "") -> str:
    """Writes a dataset folder from a minari.MinariDataset in memory; returns its path.

    objectives: "NAME=EXPRESSION" each, as of `rhumb dataset import`; without them the stored vector
    rewards, or else the reward. env: where it was recorded, if Rhumb simulates that robot.
    """
    source = pathlib.Path(dataset.storage.data_path)
    _core.import_minari(os.fspath(source.parent if source.name == "data" else source), os.fspath(out), list(objectives), os.fspath(env), rewards)
    return os.fspath(out)


def to_minari(folder: Path) -> typing.Any:
    """The minari.MinariDataset of a dataset folder, whose files have Minari's layout already."""
    import minari

    data = pathlib.Path(folder) / "data"
    if not data.is_dir():
        raise _core.Error(f"{folder} is not a dataset folder: it has no data")
    return minari.MinariDataset(data)


class _minari_folder:
    """A temporary home of Minari's datasets, which otherwise go to the user's own."""

    def __enter__(self) -> str:
        self._before = os.environ.get("MINARI_DATASETS_PATH")
        self._folder = tempfile.TemporaryDirectory()
        os.environ["MINARI_DATASETS_PATH"] = self._folder.name
        return self._folder.name

    def __exit__(self, *_: typing.Any) -> None:
        if self._before is None:
            del os.environ["MINARI_DATASETS_PATH"]
        else:
            os.environ["MINARI_DATASETS_PATH"] = self._before
        self._folder.cleanup()
