"""A model whose steering can be computed by hand, and functions for the tests of `rhumb steer`.

It is the model of encode_play_test.py with heads that can be read off a code (a, b):

    x_velocity = 5 + 10 a,  energy = -50 b;  training codes (0, 0), (1, 0), (0, 1), which are 1 apart
    acting by its mean it repeats (a, b) for 100 steps, which realises an energy of -100 (a^2 + b^2)
"""

import json
import pathlib
import struct
import tempfile
import unittest

import encode_play_test
import model_runs

# A target counts as reached within 1.25 % of the range of the training labels.
REACHED = 0.125  # of 10 m/s
CHANGED = 1.25  # of an energy of 100


def replace_arrays(model, arrays):
    """Adds or replaces arrays by name: (type, shape, bytes)."""
    header, data = model_runs.split_safetensors(model_runs.weights(model))
    old = {
        name: (entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])])
        for name, entry in header.items()
        if name != "__metadata__"
    }
    header, data = {"__metadata__": header.get("__metadata__", {})}, b""
    for name, (kind, shape, packed) in {**old, **arrays}.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    (model / "model.safetensors").write_bytes(model_runs.join_safetensors(header, data))


def floats(shape, *numbers):
    return "F32", shape, struct.pack(f"<{len(numbers)}f", *numbers)


def make_model(folder, grounded=(), leave_out=(), shift=0, scatter=1):
    """`shift` is added to the actions of the decoder, which makes it another decoder.
    `grounded`: modes with 25 codes that were rolled out. `leave_out`: missing arrays."""
    model = encode_play_test.make_echo_model(folder, log_deviation=-1)
    arrays = {"heads.weight": floats([2, 2], 1, 0, 0, -1)}
    if shift:
        arrays["decoder.joint.0.bias"] = floats([4], shift, shift, -1, -1)
    document = model_runs.document(model)
    for mode in grounded:
        # A grid of codes that did what the heads say, give or take 0.5 m/s and 2.5 of energy. Their
        # episodes varied by `scatter` m/s and 5 of energy.
        grid = [(a / 4, b / 4) for a in range(5) for b in range(5)]
        signs = [(-1) ** i for i in range(25)]
        values = [(5 + 10 * a + 0.5 * sign, -50 * b + 2.5 * sign) for (a, b), sign in zip(grid, signs)]
        done = {"codes": grid, "values": values, "deviations": [(scatter, 5)] * 25}
        for array, rows in done.items():
            arrays[f"grounded.{mode}.rolled_out.{array}"] = floats([25, 2], *sum(rows, ()))
        document["grounded"][mode] = {"episodes": 4, "codes": 25, "seed": 0}
    for name in leave_out:
        del arrays[name]
    replace_arrays(model, arrays)
    (model / "model.json").write_text(json.dumps(document))
    model_runs.seal(model)
    return model


def untimed(document):
    return {key: value for key, value in document.items() if key != "timing_ms"}


class SteerCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.model = make_model(pathlib.Path(folder.name) / "m")
        cls.grounded = make_model(pathlib.Path(folder.name) / "g", grounded=["sampled"])

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def trajectory(self, **changes):
        """Records a whole episode of the code (0.5, 0.5)."""
        document = {
            "env": "point-v0",
            "observations": [[0, 0]] * 100,
            "actions": [[0.5, 0.5]] * 100,
            "returns": {"x_velocity": 10, "energy": -24},
        }
        return self.write("run.json", {**document, **changes})

    def steer(self, *arguments, model=None):
        """Allows one spacing from the training codes, unless the arguments say otherwise."""
        return model_runs.rhumb("steer", model or self.model, "--set", "max_distance=1", *arguments)

    def solve(self, *arguments, model=None):
        result = self.steer(*arguments, "--json", model=model)
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(document["status"], "solved")
        return document

    def show(self, *arguments, model=None):
        """The printed lines, with single spaces between words."""
        result = self.steer(*arguments, model=model)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [" ".join(line.split()) for line in result.stdout.splitlines()]
