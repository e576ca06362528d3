"""Rhumb: steer on a learned map of behaviours.

    import rhumb

    model = rhumb.load("halfcheetah")
    result = model.steer(target={"forward": 6000}, require=["energy >= -2000"])
    policy = result.best.policy()
    action = policy(observation)

`import rhumb` also registers the bundled environments with Gymnasium if it is installed, as
`rhumb/mo-halfcheetah-v5` and so on.
"""

import ctypes as _ctypes
import importlib.util as _importlib
import pathlib as _pathlib

# libmujoco comes from the package mujoco-core, which may stand in another folder than this one. Loaded
# first, it is found by name, and a process has one MuJoCo.
for _folder in (_spec.submodule_search_locations or () if (_spec := _importlib.find_spec("mujoco")) else ()):
    for _library in _pathlib.Path(_folder).glob("libmujoco.so.*"):
        _ctypes.CDLL(str(_library))

from rhumb import _core  # noqa: E402
from rhumb._core import Error  # noqa: E402

_core.set_installation_folder(_pathlib.Path(__file__).parent)
__version__: str = _core.__version__

from rhumb import datasets, population  # noqa: E402
from rhumb.grounding import ground, play, refine, verify  # noqa: E402
from rhumb.model import Model, Objective, Rollouts, load  # noqa: E402
from rhumb.policy import Policy  # noqa: E402
from rhumb.steering import Answer, Diagnosis, Relaxation, Result  # noqa: E402
from rhumb.training import run, train  # noqa: E402

try:
    import gymnasium as _gymnasium  # noqa: F401
except ImportError:
    pass
else:
    from rhumb.envs import register, register_bundled

    register_bundled()

__all__ = [
    "Answer",
    "Diagnosis",
    "Error",
    "Model",
    "Objective",
    "Policy",
    "Relaxation",
    "Result",
    "Rollouts",
    "datasets",
    "ground",
    "load",
    "play",
    "population",
    "refine",
    "register",
    "run",
    "train",
    "verify",
]
