"""Policies of other libraries: their files give their actions, and no file runs anything."""

import io
import os
import pathlib
import pickle
import struct
import subprocess
import tempfile
import unittest
import zipfile

import numpy as np

import rhumb
from rhumb import _core, torch_files
from rhumb.population import Network, Normaliser, from_cleanrl, from_networks, from_rsl_rl, from_sb3

FIXTURES = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"]) / "tests/python/fixtures"
HOPPER = {"env": "mo-hopper-v5", "episodes": 1}


class Sentinel:
    """Pickled, it calls a function when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def pth(pickled, members=()):
    """A file of torch.save with this pickle."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("model/data.pkl", pickled)
        for name, data in members:
            archive.writestr(f"model/data/{name}", data)
    return content.getvalue()


class Population(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "population"

    def check_actions(self, name, agent=0):
        """The actions of the population are those that the library gave, which clips to +-1."""
        known = np.load(FIXTURES / f"{name}.npz")
        policy = _core.read_policy(str(self.out), agent, 1)
        ours = policy.means(known["observations"])
        if name.startswith("sb3"):
            ours = np.clip(ours, -1, 1)
        np.testing.assert_allclose(ours, known["actions"], atol=1e-5)
        return policy

    def test_stable_baselines(self):
        files = [FIXTURES / "sb3_ppo.zip", FIXTURES / "sb3_a2c_relu.zip"]
        # One activation per file of the population is fine: each agent has its own file.
        from_sb3(files, normaliser=[FIXTURES / "sb3_ppo_normalize.pkl", None], out=self.out, **HOPPER)
        self.check_actions("sb3_ppo", 0)
        self.check_actions("sb3_a2c_relu", 1)

    def test_cleanrl(self):
        from_cleanrl([FIXTURES / "ppo_continuous_action.cleanrl_model"], out=self.out, **HOPPER)
        policy = self.check_actions("cleanrl")
        np.testing.assert_allclose(policy.deviation(), np.load(FIXTURES / "cleanrl.npz")["std"], rtol=1e-6)

    def test_rsl_rl(self):
        from_rsl_rl([FIXTURES / "rsl_rl_model_2.pt"], out=self.out, **HOPPER)
        self.check_actions("rsl_rl")

    def test_the_binary_collects_from_it(self):
        from_sb3([FIXTURES / "sb3_a2c_relu.zip"] * 2, weights=[[1, 0, 0], [0, 1, 0]], out=self.out, **HOPPER)
        command = [os.environ["RHUMB_BIN"], "population", "show", self.out]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertIn("mo-hopper-v5", shown)
        with self.assertRaisesRegex(rhumb.Error, "exists"):
            from_sb3([FIXTURES / "sb3_a2c_relu.zip"], out=self.out, **HOPPER)

    def test_by_hand(self):
        """Actions of point-v0 are in [-1, 1]; mean = 2 tanh(0.5 (x - 1) / 2) + 0.1."""
        layers = [(np.array([[0.5, 0], [0, 0.5]]), np.zeros(2)), (2 * np.eye(2), np.full(2, 0.1))]
        network = Network(layers, "tanh", [0.3, 0.4], Normaliser(np.ones(2), np.full(2, 2.0)))
        from_networks([[network, network]], env="point-v0", out=self.out, episodes=1)
        policy = _core.read_policy(str(self.out), 0, 2)
        np.testing.assert_allclose(policy.means(np.array([[3.0, 1.0]])), [[2 * np.tanh(0.5) + 0.1, 0.1]], rtol=1e-6)
        np.testing.assert_allclose(policy.deviation(), [0.3, 0.4])

    def test_what_is_refused(self):
        for text, call in {
            "squashes its actions": lambda: from_sb3([FIXTURES / "sb3_sac.zip"], out=self.out, **HOPPER),
            "gSDE": lambda: from_sb3([FIXTURES / "sb3_gsde.zip"], out=self.out, **HOPPER),
            "not continuous": lambda: from_sb3([FIXTURES / "sb3_discrete.zip"], out=self.out, **HOPPER),
            "the environment has 6": lambda: from_sb3(
                [FIXTURES / "sb3_a2c_relu.zip"], out=self.out, env="mo-halfcheetah-v5", episodes=1
            ),
            "does not exist": lambda: from_sb3(["nothing.zip"], out=self.out, **HOPPER),
            "is not a zip": lambda: from_sb3([__file__], out=self.out, **HOPPER),
            "no policy.pth": lambda: from_sb3([FIXTURES / "cleanrl.npz"], out=self.out, **HOPPER),
            "no actor_logstd": lambda: from_cleanrl([FIXTURES / "rsl_rl_model_2.pt"], out=self.out, **HOPPER),
            "no actor_state_dict": lambda: from_rsl_rl(
                [FIXTURES / "ppo_continuous_action.cleanrl_model"], out=self.out, **HOPPER
            ),
            "weights must be": lambda: from_sb3(
                [FIXTURES / "sb3_a2c_relu.zip"], weights=[1, 2], out=self.out, **HOPPER
            ),
            "2 normalisers for 1": lambda: from_sb3(
                [FIXTURES / "sb3_ppo.zip"], normaliser=[None, None], out=self.out, **HOPPER
            ),
            "is not a VecNormalize": lambda: from_sb3(
                [FIXTURES / "sb3_ppo.zip"], normaliser=FIXTURES / "sb3_ppo.zip", out=self.out, **HOPPER
            ),
            "there is no policy": lambda: from_sb3([], out=self.out, **HOPPER),
        }.items():
            with self.subTest(text), self.assertRaises(rhumb.Error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        self.assertFalse(self.out.exists())

    def test_malicious_files_run_nothing(self):
        trap = self.folder / "trap"
        sentinel = pickle.dumps({"actor_logstd": Sentinel(trap)})
        storage = b"\x80\x02ctorch\nFloatStorage\n."
        files = {
            "names posix.mkdir": pth(sentinel),
            "names builtins.eval": pth(b"cbuiltins\neval\n(V1+1\ntR."),
            "names os.system": pth(b"cos\nsystem\n(Vtouch trap\ntR."),
            "names torch._utils._rebuild_from_type_v2": pth(b"ctorch._utils\n_rebuild_from_type_v2\n."),
            # A dotted name must not lead from an allowed name to another.
            "names collections.OrderedDict.fromkeys": pth(b"\x80\x04\x8c\x0bcollections\x8c\x14OrderedDict.fromkeys\x93."),
            "is damaged": pth(b"\x80\x02}q\x00("),
            "0 data.pkl": zip_of({"other": b""}),
        }
        for text, content in files.items():
            with self.subTest(text), self.assertRaises(rhumb.Error) as caught:
                torch_files.load_pth(content)
            self.assertIn(text, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(torch_files.load_pth(pth(storage)), "FloatStorage")  # a name, nothing to call

        # A normaliser is a pickle of whole objects: everything in it is inert.
        bad = self.folder / "bad.pkl"
        bad.write_bytes(pickle.dumps(Sentinel(trap)))
        with self.assertRaisesRegex(rhumb.Error, "not a VecNormalize"):
            torch_files.load_vec_normalize(bad)
        self.assertFalse(trap.exists())

    def test_refused_files_leak_nothing(self):
        import steering_test

        files = [pth(pickle.dumps({"actor_logstd": Sentinel("trap")})), pth(b"\x80\x02}q\x00("), b"PK\x03\x04 no zip"]

        def call(i):
            with self.assertRaises(rhumb.Error):
                torch_files.load_pth(files[i % 3])

        for i in range(1000):
            call(i)
        before = steering_test.rss_kb()
        for i in range(10000):
            call(i)
        self.assertLess(steering_test.rss_kb() - before, 2048)

    def test_sizes_are_checked(self):
        def tensor(numel, offset, size, stride):
            """The pickle of one float tensor on storage "0", by hand."""
            numbers = lambda values: b"(" + b"".join(b"K" + bytes([value]) for value in values) + b"t"  # noqa: E731
            key = b"(Vstorage\nctorch\nFloatStorage\nV0\nVcpu\nK" + bytes([numel]) + b"tQ"
            arguments = key + b"K" + bytes([offset]) + numbers(size) + numbers(stride) + b"I00\nccollections\nOrderedDict\n)R"
            return b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + arguments + b"tR."

        data = [("0", struct.pack("<6f", *range(6)))]
        found = torch_files.load_pth(pth(tensor(6, 0, (2, 3), (3, 1)), data))
        np.testing.assert_array_equal(found, [[0, 1, 2], [3, 4, 5]])
        found = torch_files.load_pth(pth(tensor(6, 1, (2, 2), (1, 3)), data))
        np.testing.assert_array_equal(found, [[1, 4], [2, 5]])
        for text, pickled in {
            "beyond its memory": tensor(6, 1, (2, 3), (3, 1)),
            "size that the file says": tensor(7, 0, (2, 3), (3, 1)),
            "wrong shape": tensor(6, 0, (2, 3), (3,)),
        }.items():
            with self.subTest(text), self.assertRaisesRegex(rhumb.Error, text):
                torch_files.load_pth(pth(pickled, data))

    def test_a_bomb_is_not_unpacked(self):
        with zipfile.ZipFile(self.folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open("model/data.pkl", "w") as member:
                for _ in range(20):
                    member.write(bytes(1 << 20))
        with self.assertRaisesRegex(rhumb.Error, "at most"):
            torch_files.load_pth(self.folder / "bomb.zip")


def zip_of(members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


if __name__ == "__main__":
    unittest.main()
