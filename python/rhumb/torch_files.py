"""Reads the arrays of PyTorch's files without PyTorch, and runs nothing that they hold.

A .pth or .pt file is a zip of raw tensors and a small pickle that says how they belong together. A
pickle may name any function of Python and call it. Here it can name only the few that make tensors and
dictionaries; any other name is an Error, and nothing is called.
"""

from __future__ import annotations

import collections
import io
import os
import pickle
import typing
import zipfile

import numpy as np
from numpy.typing import NDArray

from rhumb._core import Error

MAX_BYTES = 1 << 30  # of an archive's members, unpacked
MAX_PICKLE_BYTES = 1 << 24

_STORAGES = {
    "DoubleStorage": np.float64,
    "FloatStorage": np.float32,
    "HalfStorage": np.float16,
    "LongStorage": np.int64,
    "IntStorage": np.int32,
    "ShortStorage": np.int16,
    "CharStorage": np.int8,
    "ByteStorage": np.uint8,
    "BoolStorage": np.bool_,
}


class Archive:
    """A zip whose members are read within bounds."""

    def __init__(self, content: bytes | str | os.PathLike[str], place: str) -> None:
        self.place = place
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content) if isinstance(content, bytes) else content)
        except FileNotFoundError:
            raise Error(f"{place} does not exist") from None
        except (OSError, zipfile.BadZipFile) as problem:
            raise Error(f"{place} is not a zip file: {problem}") from None
        members = self._zip.infolist()
        if sum(member.file_size for member in members) > MAX_BYTES:
            raise Error(f"{place} unpacks to more than {MAX_BYTES >> 20} MB")
        self._members = {member.filename: member for member in members}

    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str, limit: int = MAX_BYTES) -> bytes:
        member = self._members.get(name)
        if member is None:
            raise Error(f"{self.place} holds no {name}")
        if member.file_size > limit:
            raise Error(f"{self.place}: {name} has {member.file_size} bytes; at most {limit} are read")
        try:
            with self._zip.open(member) as file:
                content = file.read(member.file_size + 1)
        except (OSError, RuntimeError, zipfile.BadZipFile, NotImplementedError, EOFError) as problem:
            raise Error(f"{self.place}: {name} cannot be read: {problem}") from None
        if len(content) != member.file_size:
            raise Error(f"{self.place}: {name} does not have the size that the file says")
        return content


class _Tensors(pickle.Unpickler):
    """An unpickler that knows tensors and dictionaries and nothing else."""

    def __init__(self, archive: Archive, folder: str, content: bytes) -> None:
        super().__init__(io.BytesIO(content))
        self._archive, self._folder = archive, folder
        self._allowed: dict[tuple[str, str], typing.Any] = {
            ("collections", "OrderedDict"): collections.OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): self._tensor,
            ("torch._utils", "_rebuild_parameter"): lambda data, *_: data,
        }
        # A storage is named as a type, and used only as the name of one.
        self._allowed.update({("torch", name): name for name in _STORAGES})

    def find_class(self, module: str, name: str) -> typing.Any:
        found = self._allowed.get((module, name))
        if found is None:
            raise Error(f"{self._archive.place} names {module}.{name}; only tensors and dictionaries are read")
        return found

    def persistent_load(self, key: typing.Any) -> NDArray[typing.Any]:
        if not (isinstance(key, tuple) and len(key) == 5 and key[0] == "storage" and key[1] in _STORAGES):
            raise Error(f"{self._archive.place} refers to something that is not a tensor's memory")
        content = self._archive.read(f"{self._folder}data/{key[2]}")
        kind = np.dtype(_STORAGES[key[1]])
        if key[4] * kind.itemsize != len(content):
            raise Error(f"{self._archive.place}: data/{key[2]} does not have the size that the file says")
        return np.frombuffer(content, kind)

    def _tensor(self, storage: typing.Any, offset: int, size: tuple[int, ...], stride: tuple[int, ...], *_: typing.Any) -> NDArray[typing.Any]:
        whole = all(isinstance(number, int) and number >= 0 for number in (offset, *size, *stride))
        if not isinstance(storage, np.ndarray) or not whole or len(size) != len(stride):
            raise Error(f"{self._archive.place} has a tensor without memory, or of a wrong shape")
        last = offset + sum((n - 1) * step for n, step in zip(size, stride)) if all(size) else -1
        if last >= len(storage):
            raise Error(f"{self._archive.place} has a tensor that reaches beyond its memory")
        strides = [step * storage.itemsize for step in stride]
        return np.lib.stride_tricks.as_strided(storage[offset:], size, strides, writeable=False).copy()


def load_pth(file: bytes | str | os.PathLike[str], place: str | None = None) -> typing.Any:
    """The contents of a file of torch.save, with NumPy arrays for tensors.

    file: a path, or the bytes of a file. Raises Error for anything but tensors, numbers, texts, lists
    and dictionaries, and runs nothing.
    """
    place = place or (os.fspath(file) if not isinstance(file, bytes) else "the file")
    archive = Archive(file, place)
    pickles = [name for name in archive.names() if name == "data.pkl" or name.endswith("/data.pkl")]
    if len(pickles) != 1:
        raise Error(f"{place} is not a file of torch.save: it has {len(pickles)} data.pkl")
    folder = pickles[0].removesuffix("data.pkl")
    content = archive.read(pickles[0], MAX_PICKLE_BYTES)
    if f"{folder}byteorder" in archive.names() and archive.read(f"{folder}byteorder", 64).strip() != b"little":
        raise Error(f"{place} was written on a big-endian machine")
    try:
        return _Tensors(archive, folder, content).load()
    except Error:
        raise
    except Exception as problem:  # a damaged pickle fails in many ways
        raise Error(f"{place} is damaged: {type(problem).__name__}: {problem}") from None


class _Inert:
    """Stands for any object of a pickle that is not read. Making one runs nothing."""

    def __init__(self, *arguments: typing.Any, **_: typing.Any) -> None:
        self.arguments = arguments
        self.state: typing.Any = None

    def __setstate__(self, state: typing.Any) -> None:
        self.state = state

    def __call__(self, *_: typing.Any, **__: typing.Any) -> _Inert:
        return _Inert()

    # Pickles fill lists and dictionaries of their own kinds by these.
    def append(self, _: typing.Any) -> None:
        pass

    def extend(self, _: typing.Any) -> None:
        pass

    def __setitem__(self, _: typing.Any, __: typing.Any) -> None:
        pass

    def __hash__(self) -> int:
        return id(self)


class _InertUnpickler(pickle.Unpickler):
    """Every name is an inert object, so that the numbers of a pickle can be read and nothing runs."""

    def find_class(self, module: str, name: str) -> typing.Any:
        return type("_Inert_" + name.replace(".", "_"), (_Inert,), {"path": f"{module}.{name}"})

    def persistent_load(self, key: typing.Any) -> _Inert:
        return _Inert()


def load_vec_normalize(file: str | os.PathLike[str]) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float]:
    """(mean [O], variance [O], epsilon, clip) of a VecNormalize of Stable-Baselines3, from its save().

    The file is a pickle of whole objects. Only their numbers are read; nothing in it is called.
    """
    place = os.fspath(file)
    try:
        with open(place, "rb") as source:
            content = source.read(MAX_PICKLE_BYTES + 1)
    except OSError as problem:
        raise Error(f"{place} cannot be read: {problem.strerror}") from None
    if len(content) > MAX_PICKLE_BYTES:
        raise Error(f"{place} has more than {MAX_PICKLE_BYTES >> 20} MB")
    try:
        state = _InertUnpickler(io.BytesIO(content)).load().state
        statistics = state["obs_rms"].state
        mean, variance = (_array_of(statistics[name]) for name in ("mean", "var"))
        epsilon, clip = float(state["epsilon"]), float(state["clip_obs"])
    except Exception as problem:
        raise Error(f"{place} is not a VecNormalize with one observation: {type(problem).__name__}: {problem}") from None
    return mean, variance, epsilon, clip


def _array_of(pickled: typing.Any) -> NDArray[np.float64]:
    """The numbers of a pickled NumPy array of doubles: (version, shape, dtype, order, bytes)."""
    _, shape, kind, _, content = pickled.state
    if kind.arguments[0] not in ("f8", "f4") or not isinstance(content, bytes):
        raise TypeError(f"an array of {kind.arguments[0]!r}")
    return np.frombuffer(content, kind.arguments[0]).reshape(shape).astype(np.float64)
