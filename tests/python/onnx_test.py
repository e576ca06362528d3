"""`rhumb export onnx` and Model.export_onnx: checked by onnx, and equal to the runtime in onnxruntime."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import onnx
import onnxruntime

import rhumb

MODEL = rhumb.load("halfcheetah")
GENERATOR = np.random.default_rng(7)
# Spread as the training observations are, and beyond: the normaliser clips.
OBSERVATIONS = GENERATOR.normal(0, 3, (64, 17)).astype(np.float32)
OBSERVATIONS[0] = 1e3


def session(file):
    onnx.checker.check_model(str(file), full_check=True)
    return onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])


class Onnx(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_code_as_an_input(self):
        file = self.folder / "policy.onnx"
        MODEL.export_onnx(file)
        run = session(file)
        self.assertEqual([one.name for one in run.get_inputs()], ["observation", "code"])
        codes = MODEL.codes[:: len(MODEL.codes) // 64][:64]
        action, mean, log_std = run.run(None, {"observation": OBSERVATIONS, "code": codes})
        ours = np.stack([MODEL.policy(h, "mean")(x) for h, x in zip(codes, OBSERVATIONS)])
        np.testing.assert_allclose(action, ours, atol=1e-5)
        np.testing.assert_allclose(np.clip(mean, -1, 1), action, atol=1e-6)  # the range is +-1
        self.assertTrue((log_std >= -20).all() and (log_std <= 2).all())
        # The deviation is that of sampled actions: the spread over many draws.
        policy = MODEL.policy(codes[5], "sampled")
        inside = np.abs(mean[5]) < 0.5
        draws = np.stack([policy(OBSERVATIONS[5]) for _ in range(4000)])[:, inside]
        unclipped = np.exp(log_std[5][inside]) < 0.2
        np.testing.assert_allclose(draws.std(0)[unclipped], np.exp(log_std[5][inside][unclipped]), rtol=0.1)

    def test_code_inside_and_the_command(self):
        answer, file = self.folder / "answer.json", self.folder / "run.onnx"
        rhumb_bin = os.environ["RHUMB_BIN"]
        steer = [rhumb_bin, "steer", "halfcheetah", "--target", "forward=5000", "--out", answer]
        subprocess.run(steer, check=True, capture_output=True)
        export = [rhumb_bin, "export", "onnx", "halfcheetah", "--code", answer, "--out", file, "--json"]
        document = json.loads(subprocess.run(export, check=True, capture_output=True).stdout)
        self.assertEqual(document["inputs"], ["observation"])
        self.assertEqual(document["bytes"], file.stat().st_size)
        code = np.array(json.loads(answer.read_text())["answers"][0]["code"], np.float32)
        action, _, log_std = session(file).run(None, {"observation": OBSERVATIONS})
        np.testing.assert_allclose(action, MODEL.policy(code, "mean")(OBSERVATIONS), atol=1e-5)
        self.assertEqual(log_std.shape, action.shape)
        # Python writes the same bytes.
        MODEL.export_onnx(self.folder / "ours.onnx", code)
        self.assertEqual((self.folder / "ours.onnx").read_bytes(), file.read_bytes())

    def test_metadata(self):
        file = self.folder / "policy.onnx"
        MODEL.export_onnx(file)
        found = {one.key: one.value for one in onnx.load(file).metadata_props}
        self.assertEqual(found["joint_names"], "bthigh,bshin,bfoot,fthigh,fshin,ffoot")
        self.assertEqual(found["action_scale"], "1,1,1,1,1,1")
        self.assertEqual(found["default_joint_pos"], "0,0,0,0,0,0")
        self.assertEqual(found["observation_names"].count(","), found["observation_terms_scale"].count(","))
        self.assertEqual(found["rhumb.environment"], "mo-halfcheetah-v5")
        self.assertEqual(found["rhumb.objectives"].split(",")[:2], ["forward", "energy"])
        self.assertEqual(len(found["rhumb.model_hash"]), 64)

    def test_bad_input(self):
        with self.assertRaisesRegex(rhumb.Error, "code has the shape"):
            MODEL.export_onnx(self.folder / "x.onnx", [1, 2])
        command = [os.environ["RHUMB_BIN"], "export", "onnx", "halfcheetah", "--code", "nothing.json"]
        result = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertFalse(list(self.folder.iterdir()))


if __name__ == "__main__":
    unittest.main()
