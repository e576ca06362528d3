"""`rhumb model show`: the tables, the JSON, the picture, and invalid models."""

import hashlib
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]
SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
PICTURES = SOURCE / ".deps" / "pictures" / "bin" / "python"
PNG = b"\x89PNG\r\n\x1a\n"

# The smallest possible model: codes of two numbers, averaged tokens, no hidden layers.
SHAPES = {
    "action_centre": [2],
    "action_half_range": [2],
    "decoder.joint.0.bias": [4],
    "decoder.joint.0.weight": [4, 4],
    "decoder.joint_code.bias": [4],
    "decoder.joint_code.weight": [2, 4],
    "decoder.joint_state.bias": [4],
    "decoder.joint_state.weight": [1, 4],
    "decoder.state.0.bias": [1],
    "decoder.state.0.weight": [2, 1],
    "encoder.posterior.bias": [4],
    "encoder.posterior.weight": [2, 4],
    "encoder.token.0.bias": [2],
    "encoder.token.0.weight": [4, 2],
    "heads.bias": [2],
    "heads.weight": [2, 2],
    "map.directions": [2, 2],
    "map.mean": [2],
    "observations.inverse_scale": [2],
    "observations.limit": [1],
    "observations.mean": [2],
    "projections.bias": [2, 1],
    "projections.weight": [2, 1, 2],
    "training.codes": [3, 2],
    "training.values": [3, 2],
}


def safetensors(arrays):
    """Writes float32 arrays by name, given as (shape, numbers)."""
    header, data = {}, b""
    for name, (shape, numbers) in sorted(arrays.items()):
        packed = struct.pack(f"<{len(numbers)}f", *numbers)
        offsets = [len(data), len(data) + len(packed)]
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def make_model(folder):
    arrays = {}
    for name, shape in SHAPES.items():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1) * (shape[2] if len(shape) > 2 else 1)
        arrays[name] = (shape, [1.0] * count)
    arrays["map.directions"] = ([2, 2], [1, 0, 0, 1])
    arrays["training.codes"] = ([3, 2], [0, 0, 1, 1, 2, 0])
    document = {
        "format": 2,
        "variant": "mean_pool",
        "architecture": {
            "pooling": "mean",
            "attention_heads": 1,
            "transformer_layers": 0,
            "token_width": 2,
            "context": 8,
            "deviation_source": "state_and_code",
            "observation_size": 2,
            "action_size": 2,
            "code_size": 2,
            "projection_size": 1,
        },
        "environment": {"id": "point-v0", "rewards": "two", "spec": "", "hash": "", "time_limit": 100},
        "objectives": [
            {"name": "speed", "unit": "m/s", "expression": ""},
            {"name": "height", "unit": "m", "expression": "mean(z)"},
        ],
        "shaping_labels": 2,
        "grounded": {},
        "provenance": {"seed": 3},
        "metrics": {"head_mse": {"train": {"speed": 0.25, "height": 0.5}}},
    }
    for objective in document["objectives"]:
        objective.update(mean=10.5, std=2, min=-1, max=12)
    files = {
        "model.safetensors": safetensors(arrays),
        "model.json": json.dumps(document).encode(),
        "README.md": b"",
    }
    folder.mkdir()
    for name, contents in files.items():
        (folder / name).write_bytes(contents)
    entries = {
        name: {"bytes": len(contents), "sha256": hashlib.sha256(contents).hexdigest()}
        for name, contents in files.items()
    }
    (folder / "manifest.json").write_text(json.dumps({"kind": "model", "files": entries}))
    return folder


def reseal(folder):
    """Writes a manifest that fits the files."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, entry in manifest["files"].items():
        contents = (folder / name).read_bytes()
        entry.update(bytes=len(contents), sha256=hashlib.sha256(contents).hexdigest())
    (folder / "manifest.json").write_text(json.dumps(manifest))


class ModelShow(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)
        self.model = make_model(self.path / "m")

    def rhumb(self, *arguments, python=PICTURES):
        return subprocess.run(
            [RHUMB, "model", *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, "RHUMB_PYTHON": str(python)},
            timeout=120,
        )

    def test_tables(self):
        result = self.rhumb("show", self.model)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split() for line in result.stdout.splitlines()]
        self.assertIn(["speed", "1", "1", "10.5", "2", "m/s", "return"], lines)
        self.assertIn(["height", "1", "1", "10.5", "2", "m", "mean(z)"], lines)
        self.assertIn(["head_mse.train.speed", "0.25"], lines)
        self.assertIn("point-v0, rewards two: variant mean_pool, 3 training codes", result.stdout)
        self.assertIn("not grounded", result.stdout)

    def test_json(self):
        summary = json.loads(self.rhumb("show", self.model, "--json").stdout)
        self.assertEqual([entry["name"] for entry in summary["objectives"]], ["speed", "height"])
        self.assertEqual(summary["sizes"]["code"], 2)
        self.assertEqual(summary["sizes"]["training_codes"], 3)
        self.assertEqual(summary["grounded"], {})
        self.assertEqual(summary["metrics"]["head_mse"]["train"]["height"], 0.5)
        self.assertEqual(summary["provenance"], {"seed": 3})

    def test_control_characters_stay_out_of_the_terminal(self):
        evil = "\x1b]0;pwned\x07\x1b[2J\nrhumb: error: fake\r\x7f\x9b2J"
        document = json.loads((self.model / "model.json").read_text())
        document["variant"] = evil
        document["environment"].update(id=evil, rewards=evil)
        document["objectives"][0].update(unit=evil, expression=evil)
        document["metrics"] = {evil: evil}
        document["provenance"] = {evil: evil}
        (self.model / "model.json").write_text(json.dumps(document))
        reseal(self.model)
        for words in (["show", self.model], ["show", self.model, "--json"]):
            result = self.rhumb(*words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("pwned", result.stdout)
            self.assertTrue(result.stdout.replace("\n", "").isprintable(), repr(result.stdout))
            self.assertNotIn("\nrhumb: error", result.stdout)
        # Names are printed in many places, so such a name is refused.
        document["objectives"][0]["name"] = evil
        (self.model / "model.json").write_text(json.dumps(document))
        reseal(self.model)
        result = self.rhumb("show", self.model)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertTrue(result.stderr[:-1].isprintable(), repr(result.stderr))

    @unittest.skipUnless(PICTURES.exists(), "tools/setup pictures has not run")
    def test_picture(self):
        picture = self.path / "m.png"
        result = self.rhumb("show", self.model, "--picture", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(picture.read_bytes().startswith(PNG))

    def test_what_is_no_model_is_bad_input(self):
        (self.model / "model.safetensors").write_bytes(b"x")
        result = self.rhumb("show", self.model)
        self.assertEqual(result.returncode, 2)
        self.assertIn("model.safetensors", result.stderr)
        result = self.rhumb("show", self.path / "nowhere")
        self.assertEqual(result.returncode, 2)

    def test_mistakes_show_before_anything_is_trained(self):
        train = ["train", "--data", "d", "--out", "o"]
        for arguments, words in (
            ([*train, "--variant", "mine"], "variant = 'mine' is not allowed"),
            ([*train, "--set", "epoch=3"], "epochs"),
            (["ground", "m", "--modes", "best"], "best"),
            (["ground", "m", "--set", "code=3"], "codes"),
            (["add-attribute", "m", "--data", "d", "--name", "n"], "--expression"),
        ):
            result = self.rhumb(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main()
