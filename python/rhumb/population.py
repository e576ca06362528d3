"""Policies of other libraries as a population, from which a map is learned.

    rhumb.population.from_sb3(["a.zip", "b.zip"], env="mo-halfcheetah-v5", out="mine.population")

Then `rhumb dataset collect`, `rhumb model train` and `rhumb model ground` make the map (docs/python.md).
None of the functions needs PyTorch: files are read by rhumb.torch_files, which runs nothing in them.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import typing
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rhumb import _core
from rhumb.policy import as_numbers
from rhumb.torch_files import Archive, load_pth, load_vec_normalize

Path = str | os.PathLike[str]
Paths = Sequence[Path] | Sequence[Sequence[Path]]
"""One file per agent, or the checkpoints of each agent, the oldest first."""

_NO_LIMIT = 3.0e38


@dataclasses.dataclass(frozen=True)
class Normaliser:
    """Observations become clip((x - mean) / scale, -limit, limit)."""

    mean: NDArray[np.float64]  # [O]
    scale: NDArray[np.float64]  # [O]
    limit: float = _NO_LIMIT

    @staticmethod
    def of(given: Path | Normaliser | None, size: int) -> Normaliser:
        """`given`: None, a Normaliser, or the file of a VecNormalize of Stable-Baselines3."""
        if given is None:
            return Normaliser(np.zeros(size), np.ones(size))
        if isinstance(given, Normaliser):
            return given
        mean, variance, epsilon, clip = load_vec_normalize(given)
        return Normaliser(mean, np.sqrt(variance + epsilon), clip)


@dataclasses.dataclass(frozen=True)
class Network:
    """A Gaussian policy: a normaliser, an MLP for the mean, and a standard deviation [A].

    layers: (weight [outputs, inputs], bias [outputs]) as in PyTorch; the activation follows all but the
    last. Actions are in the environment's own units.
    """

    layers: Sequence[tuple[ArrayLike, ArrayLike]]
    activation: str
    """"tanh", "relu" or "elu"."""
    std: ArrayLike
    normaliser: Normaliser | None = None


def from_networks(
    agents: Sequence[Network] | Sequence[Sequence[Network]],
    *,
    env: Path,
    out: Path,
    rewards: str = "",
    weights: ArrayLike | None = None,
    episodes: int = 2,
    source: str = "networks",
) -> str:
    """Writes a population folder and returns its path.

    agents: one policy per agent, or its checkpoints, the oldest first.
    env: a bundled environment's id or a spec (.toml); rewards: its preset.
    weights: what each agent was trained for, [agents, K]; equal weights if unknown.
    episodes: episodes that are played to record what the last policy of each agent returns.
    """
    environment = _core.Environment(os.fspath(env), rewards)
    description = environment.describe()
    low, high = (np.array(description[bound]) for bound in ("action_low", "action_high"))
    centre, half = (low + high) / 2, (high - low) / 2
    objectives = len(description["objectives"])
    chains = [[one] if isinstance(one, Network) else list(one) for one in agents]
    if not chains or not all(chains):
        raise _core.Error("there is no policy, or an agent without one")
    made = [[_make_policy(one, centre, half) for one in chain] for chain in chains]
    if weights is None:
        weights = np.full((len(made), objectives), 1 / objectives)
    weights = as_numbers(weights, "weights", np.float64)
    if weights.shape != (len(made), objectives) or not np.isfinite(weights).all():
        raise _core.Error(f"weights must be [{len(made)}, {objectives}] finite numbers, not {list(weights.shape)}")
    played = [_play(environment, chain[-1], centre, half, episodes, description["time_limit"]) for chain in made]
    _core.write_population(
        os.fspath(out),
        os.fspath(env),
        rewards,
        made,
        weights.tolist(),
        [returns for returns, _ in played],
        [length for _, length in played],
        source,
    )
    return os.fspath(out)


def from_sb3(files: Paths, *, normaliser: Path | Normaliser | None | Sequence[typing.Any] = None, **options: typing.Any) -> str:
    """Policies of PPO or A2C of Stable-Baselines3, from the zip files of model.save().

    normaliser: the file of VecNormalize.save() if one was used: for all agents, a list with one per agent,
        or a list with one per checkpoint of each agent.
    options: as of from_networks. Policies with a squashed Gaussian (SAC, TD3) are refused.
    """
    return _from_files(files, _read_sb3, normaliser, "stable-baselines3", options)


def from_cleanrl(files: Paths, *, normaliser: Path | Normaliser | None | Sequence[typing.Any] = None, **options: typing.Any) -> str:
    """Policies of CleanRL's ppo_continuous_action, from the files of torch.save(agent.state_dict()).

    CleanRL keeps the normaliser in the environment's wrapper and does not save it; hand it over as
    `normaliser` if one was used. options: as of from_networks.
    """
    return _from_files(files, _read_cleanrl, normaliser, "cleanrl", options)


def from_rsl_rl(files: Paths, *, activation: str = "elu", **options: typing.Any) -> str:
    """Policies of RSL-RL, from its model_N.pt files, with the normaliser inside.

    activation: the file does not say it; RSL-RL's default is "elu". options: as of from_networks.
    """
    return _from_files(files, lambda file, _: _read_rsl_rl(file, activation), None, "rsl-rl", options)


def from_callable(
    policies: Sequence[typing.Callable[[typing.Any], typing.Any]],
    make_env: typing.Callable[[], typing.Any],
    *,
    out: Path,
    objectives: Sequence[str],
    **options: typing.Any,
) -> str:
    """Any functions of an observation. A function has no weights to store, so what it does is recorded:
    `out` is a dataset folder, ready for `rhumb model train`. options: as of rhumb.datasets.record."""
    from rhumb import datasets

    return datasets.record(policies, make_env, out, objectives=objectives, **options)


def _from_files(files: Paths, read: typing.Any, normaliser: typing.Any, source: str, options: dict[str, typing.Any]) -> str:
    chains = [[one] if isinstance(one, (str, os.PathLike)) else list(one) for one in files]
    each = list(normaliser) if isinstance(normaliser, (list, tuple)) else [normaliser] * len(chains)
    if len(each) != len(chains):
        raise _core.Error(f"{len(each)} normalisers for {len(chains)} agents")
    agents = []
    for chain, given in zip(chains, each):
        own = list(given) if isinstance(given, (list, tuple)) else [given] * len(chain)
        if len(own) != len(chain):
            raise _core.Error(f"{len(own)} normalisers for {len(chain)} checkpoints of an agent")
        agents.append([read(file, one) for file, one in zip(chain, own)])
    return from_networks(agents, source=source, **options)


def _read_sb3(file: Path, normaliser: typing.Any) -> Network:
    place = os.fspath(file)
    archive = Archive(place, place)
    weights = load_pth(archive.read("policy.pth"), f"{place}: policy.pth")
    keys = list(weights) if isinstance(weights, dict) else []
    if any(key.startswith(("actor.mu", "actor.latent_pi")) for key in keys):
        raise _core.Error(
            f"{place} holds a policy that squashes its actions (SAC, TD3 or DDPG); Rhumb's policies are Gaussians "
            "whose deviation does not depend on the state, as those of PPO and A2C"
        )
    if "log_std" not in keys:
        raise _core.Error(f"{place} holds no Gaussian policy: there is no log_std, so its actions are not continuous")
    if np.ndim(weights["log_std"]) != 1:
        raise _core.Error(f"{place} explores by gSDE, whose deviation depends on the state; train with use_sde=False")
    if "action_net.weight" not in keys:
        raise _core.Error(f"{place} has no action_net; only MlpPolicy is read")
    layers = [*_layers(weights, "mlp_extractor.policy_net", place), _layer(weights, "action_net", place)]
    return _network(layers, _sb3_activation(archive), np.exp(weights["log_std"]), normaliser, place)


def _sb3_activation(archive: Archive) -> str:
    """Of the policy's keyword arguments, which the zip also holds as plain text."""
    try:
        settings = json.loads(archive.read("data", 1 << 24))
        text = str(settings.get("policy_kwargs", {}).get("activation_fn", "Tanh"))
    except (ValueError, AttributeError, RecursionError):
        raise _core.Error(f"{archive.place}: data is not the JSON that Stable-Baselines3 writes") from None
    found = re.search(r"(\w+)'?>?$", text)
    name = (found[1] if found else text).lower()
    if name not in ("tanh", "relu", "elu"):
        raise _core.Error(f"{archive.place} has the activation function {name}; tanh, relu and elu are known")
    return name


def _read_cleanrl(file: Path, normaliser: typing.Any) -> Network:
    place = os.fspath(file)
    weights = load_pth(place)
    if not isinstance(weights, dict) or "actor_logstd" not in weights:
        raise _core.Error(f"{place} has no actor_logstd; it is not the state_dict of CleanRL's ppo_continuous_action")
    return _network(
        _layers(weights, "actor_mean", place), "tanh", np.exp(weights["actor_logstd"]).ravel(), normaliser, place
    )


def _read_rsl_rl(file: Path, activation: str) -> Network:
    place = os.fspath(file)
    content = load_pth(place)
    weights = content.get("actor_state_dict") if isinstance(content, dict) else None
    if not isinstance(weights, dict):
        raise _core.Error(f"{place} has no actor_state_dict; it is not a model file of RSL-RL 5")
    if "distribution.std_param" in weights:
        std = weights["distribution.std_param"]
    elif "distribution.log_std_param" in weights:
        std = np.exp(weights["distribution.log_std_param"])
    else:
        raise _core.Error(f"{place} has no standard deviation that is independent of the state")
    normaliser = None
    if "obs_normalizer._mean" in weights:
        # EmpiricalNormalization adds 0.01 to the deviation.
        mean, scale = (np.asarray(weights[f"obs_normalizer.{name}"]).ravel() for name in ("_mean", "_std"))
        normaliser = Normaliser(mean.astype(float), scale.astype(float) + 1e-2)
    return _network(_layers(weights, "mlp", place), activation, std, normaliser, place)


def _network(layers: typing.Any, activation: str, std: typing.Any, normaliser: typing.Any, place: str) -> Network:
    size = np.shape(layers[0][0])[1]
    found = Normaliser.of(normaliser, size)
    if len(found.mean) != size:
        raise _core.Error(f"{place} takes {size} numbers, and its normaliser has {len(found.mean)}")
    return Network(layers, activation, std, found)


def _layers(weights: dict[str, typing.Any], prefix: str, place: str) -> list[tuple[typing.Any, typing.Any]]:
    """The linear layers prefix.0, prefix.2, … in order."""
    pattern = re.compile(re.escape(prefix) + r"\.(\d{1,4})\.weight$")
    numbers = sorted(int(found[1]) for key in weights if isinstance(key, str) and (found := pattern.match(key)))
    if not numbers:
        raise _core.Error(f"{place} has no {prefix}.0.weight")
    return [_layer(weights, f"{prefix}.{number}", place) for number in numbers]


def _layer(weights: dict[str, typing.Any], name: str, place: str) -> tuple[typing.Any, typing.Any]:
    weight, bias = (weights.get(f"{name}.{part}") for part in ("weight", "bias"))
    if np.ndim(weight) != 2 or np.shape(bias) != np.shape(weight)[:1]:
        raise _core.Error(f"{place}: {name} is not a linear layer")
    return weight, bias


def _make_policy(network: Network, centre: NDArray[np.float64], half: NDArray[np.float64]) -> _core.GaussianPolicy:
    """In our form: actions in [-1, 1], so the last layer is scaled by the action range."""
    layers = []
    for weight, bias in network.layers:
        layers.append([as_numbers(weight, "weight", np.float64).T, as_numbers(bias, "bias", np.float64)])
    std = as_numbers(network.std, "std", np.float64)
    if layers[-1][1].shape != half.shape or std.shape != half.shape:
        raise _core.Error(f"a policy has {len(layers[-1][1])} actions; the environment has {len(half)}")
    layers[-1] = [layers[-1][0] / half, (layers[-1][1] - centre) / half]
    normaliser = network.normaliser or Normaliser.of(None, layers[0][0].shape[0])
    single = lambda values: np.ascontiguousarray(values, np.float32)  # noqa: E731
    with np.errstate(divide="ignore"):
        return _core.GaussianPolicy(
            [(single(weight), single(bias)[None]) for weight, bias in layers],
            network.activation,
            single(normaliser.mean)[None],
            single(1 / np.asarray(normaliser.scale))[None],
            normaliser.limit,
            single(std / half)[None],
        )


def _play(
    environment: _core.Environment,
    policy: _core.GaussianPolicy,
    centre: NDArray[np.float64],
    half: NDArray[np.float64],
    episodes: int,
    time_limit: int,
) -> tuple[list[float], float]:
    """Mean return vector and length of episodes with sampled actions."""
    batch = _core.VectorEnvironment(environment, episodes, 1, "next_step")
    observations = batch.reset(list(range(episodes)), list(range(episodes)))
    generator, std = np.random.default_rng(0), policy.deviation()
    alive, lengths, returns = np.ones(episodes, bool), np.zeros(episodes), 0.0
    for _ in range(time_limit):
        means = policy.means(observations)
        actions = np.clip(means + std * generator.standard_normal(means.shape), -1, 1)
        observations, rewards, ends, _ = batch.step(centre + half * actions)
        returns = returns + np.where(alive[:, None], rewards, 0)
        lengths += alive
        alive &= ~ends.any(axis=0)
        if not alive.any():
            break
    return np.mean(returns, axis=0).tolist(), float(lengths.mean())
