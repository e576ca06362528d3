"""Bad input to `rhumb model` and `rhumb evaluate`: one sentence, exit 2, nothing overwritten."""

import json
import math
import shutil
import struct
import unittest

import model_runs as runs
import ordinary_user

try:
    import h5py
except ImportError:
    h5py = None



def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


class BadInput(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        model = {**runs.TINY_MODEL, "dagger.rounds": 0}
        made = runs.make_all(cls.shared, runs.TINY_POPULATION, runs.TINY_DATASET, model)
        cls.population, cls.data, cls.model = made

    def train(self, *arguments, data=None, out=None, options=None, **changes):
        return runs.train(
            out or self.path / "out", data or self.data, {**runs.TINY_MODEL, **changes}, *arguments,
            options=options,
        )  # fmt: skip

    def every_use(self, model, data, out):
        """Commands that read a model and, but for grounding, a dataset, by name."""
        pace = ("--name", "pace", "--expression", "mean(x_velocity)")
        return {
            "ground": ("model", "ground", model, "--out", out, "--set", "codes=40"),
            "ground in place": ("model", "ground", model, "--set", "codes=40"),
            "add-attribute": ("model", "add-attribute", model, "--data", data, "--out", out, *pace),
            "add-attribute in place": ("model", "add-attribute", model, "--data", data, *pace),
            "probe": ("evaluate", "probe", model, "--data", data),
            "imitation": ("evaluate", "imitation", model, "--data", data),
        }

    def expect_refused(self, model, data, *parts):
        """Every use is bad input and changes neither the model nor its folder."""
        before = runs.contents(model)
        around = sorted(self.path.iterdir())
        for name, words in self.every_use(model, data, self.path / "out").items():
            if data != self.data and data not in words:
                continue
            with self.subTest(name):
                self.expect_bad_input(runs.rhumb(*words), *parts)
                self.assertEqual(runs.contents(model), before)
                self.assertEqual(sorted(self.path.iterdir()), around)

    # Settings.

    def test_settings(self):
        for parts, arguments, changes in (
            (("'epoch'", "'epochs'"), (), {"epoch": 3}),
            (("'dagger.step'", "'dagger.steps'"), (), {"dagger.step": 3}),
            (("batch", "1", "2 to 4096"), (), {"batch": 1}),
            (("variant", "'mine'"), ("--variant", "mine"), {}),
            (("reconstruction", "'mse'", "nll"), (), {"reconstruction": "mse"}),
            (("attention_heads", "3", "8"), (), {"attention_heads": 3}),
            (("'speed'", "x_velocity"), (), {"labels": "speed"}),
            (("'x_velocty'", "'x_velocity'"), (), {"labels": "x_velocty"}),
            (("'energy'", "twice"), (), {"labels": "energy,energy"}),
            (("'men'", "'mean'"), (), {"labels": "men(x_velocity)"}),
            (("'z_velocity'",), (), {"labels": "mean(z_velocity)"}),
        ):
            with self.subTest(parts):
                self.expect_bad_input(self.train(*arguments, **changes), *parts)
                self.assertEqual(list(self.path.iterdir()), [])
        uses = self.every_use(self.model, self.data, self.path / "out")
        for name, setting, parts in (
            ("ground", "code=100", ("'code'", "'codes'")),
            ("ground", "codes=1", ("codes", "40 to")),
            ("ground", "exploration=1", ("exploration", "0 to 0.9")),
            ("probe", "train_draw=1", ("'train_draw'", "'train_draws'")),
            ("imitation", "rollout=1", ("'rollout'", "'rollouts'")),
            ("imitation", "split=tests", ("split", "'tests'")),
        ):
            with self.subTest(name, setting=setting):
                self.expect_bad_input(runs.rhumb(*uses[name], "--set", setting), *parts)
        self.assertEqual(list(self.path.iterdir()), [])

    def test_labels_of_no_use(self):
        for parts, label in (
            (("'min(0*x_velocity)'", " 0 ", self.data), "min(0*x_velocity)"),
            (("finite", "sum(1/(x-x))", self.data), "sum(1/(x-x))"),
            (("finite", "max(log(0-1-x*x))", self.data), "max(log(0-1-x*x))"),
        ):
            with self.subTest(label):
                self.expect_bad_input(self.train(labels=label), *parts)
                add = runs.rhumb(
                    "model", "add-attribute", self.model, "--data", self.data, "--name", "new",
                    "--expression", label, "--out", self.path / "out",
                )  # fmt: skip
                self.expect_bad_input(add, label)
                self.assertEqual(list(self.path.iterdir()), [])

    def test_no_finite_gradient(self):
        """Steps of 1 make the network diverge; skipped steps are counted and end the run at the limit."""
        wild = {"learning_rate": 1, "final_learning_rate": 1, "max_gradient_norm": 1e9, "epochs": 30,
                "reconstruction": "kl"}  # fmt: skip
        result = self.train(**wild, **{"max_skipped_steps": 2, "dagger.rounds": 0})
        self.expect_bad_input(result, "no finite gradient", "max_skipped_steps=2", self.path / "out")
        self.assertFalse((self.path / "out").exists())

    def test_attributes(self):
        for parts, name, expression in (
            (("already has an objective 'energy'",), "energy", "mean(x_velocity)"),
            (("'2 fast'",), "2 fast", "mean(x_velocity)"),
            (("'x_velocity'", "mean(torso_height)"), "new", "x_velocity"),
            (("'mode'", "mean"), "new", "mode(x_velocity)"),
            (("'x_velocit'", "'x_velocity'"), "new", "mean(x_velocit)"),
            (("does not parse",), "new", "mean(x_velocity +)"),
        ):
            with self.subTest(name, expression=expression):
                before = runs.contents(self.model)
                add = runs.rhumb(
                    "model", "add-attribute", self.model, "--data", self.data, "--name", name,
                    "--expression", expression,
                )  # fmt: skip
                self.expect_bad_input(add, *parts)
                self.assertEqual(runs.contents(self.model), before)

    # Datasets and populations.

    def test_episodes_shorter_than_the_context(self):
        self.expect_bad_input(self.train(context=4000), self.data, "100 steps", "4000 pairs")
        self.assertEqual(list(self.path.iterdir()), [])

    def test_another_environment(self):
        one = {"count": 3, "iterations": 1, "keep_every": 1, "ppo.environments": 2, "ppo.steps": 8,
               "ppo.minibatches": 1, "ppo.hidden": "8"}  # fmt: skip
        few = {"selection.skip_iterations": 0, "selection.every": 1, "steps_per_policy": 100}
        for env, rewards in (("mo-halfcheetah-v5", "upstream"), ("point-v0", "three")):
            with self.subTest(env):
                folder = self.shared / f"{env}-{rewards}"
                population = runs.make_population(folder / "p", one, env=env, rewards=rewards)
                data = runs.make_dataset(population, folder / "d-v0", few, "--keep-unstable")
                self.expect_refused(self.model, data, data, f"'{env}' with the rewards '{rewards}'",
                                    "'point-v0' with the rewards 'two'")

    def test_another_dataset_of_the_same_environment(self):
        """A head is fitted to the training codes, so it needs their episodes."""
        data = runs.make_dataset(self.population, self.path / "d-v0", runs.TINY_DATASET, "--seed", 5)
        add = self.every_use(self.model, data, self.path / "out")["add-attribute"]
        self.expect_bad_input(runs.rhumb(*add), data, "not the dataset")
        self.assertFalse((self.path / "out").exists())

    def test_another_population(self):
        other = runs.make_population(self.path / "q", {**runs.TINY_POPULATION, "iterations": 2}, seed=2)
        result = self.train("--population", other)
        self.expect_bad_input(result, other, "not the population", self.data)
        result = self.train("--population", self.data)
        self.expect_bad_input(result, self.data, "is a dataset, not a population")
        result = self.train("--population", self.path / "none")
        self.expect_bad_input(result, self.path / "none")
        self.assertEqual(list(self.path.iterdir()), [other])

    def test_what_is_no_dataset(self):
        self.expect_bad_input(self.train(data=self.population), "is a population, not a dataset")
        self.expect_bad_input(self.train(data=self.path / "none"), self.path / "none")
        self.expect_refused(self.model, self.population, "is a population, not a dataset")
        damaged = self.path / "d-v0"
        shutil.copytree(self.data, damaged)
        (file,) = damaged.rglob("*.hdf5")
        file.write_bytes(file.read_bytes()[:-100])
        self.expect_bad_input(self.train(data=damaged), damaged, "damaged")
        self.assertEqual(list(self.path.iterdir()), [damaged])

    @unittest.skipUnless(h5py, "needs h5py")
    def test_a_dataset_without_policy_outputs(self):
        exported, data = self.path / "e-v0", self.path / "d-v0"
        self.expect_done(runs.rhumb("dataset", "export", self.data, "--out", exported))
        with h5py.File(exported / "data" / "main_data.hdf5", "r+") as file:
            for episode in file.values():
                for name in ("raw_action", "action_mean", "action_std"):
                    del episode["infos"][name]
        self.expect_done(runs.rhumb("dataset", "import", exported, "--out", data))
        result = self.train(data=data, reconstruction="kl")
        self.expect_bad_input(result, data, "reconstruction=kl", "reconstruction=nll")
        self.assertEqual(sorted(f.name for f in self.path.iterdir()), ["d-v0", "e-v0"])
        # By default it takes the actions.
        self.expect_done(self.train(data=data))
        self.expect_done(runs.rhumb("evaluate", "probe", self.path / "out", "--data", data))
        # The teachers of an imported dataset are unknown.
        result = self.train("--population", self.population, data=data, out=self.path / "other")
        self.expect_bad_input(result, self.population, "not the population")

    # Models.

    def damaged(self, change, sealed=True, file="model.safetensors"):
        """A copy of the model with a changed file; the manifest may match the change or not."""
        copy = self.path / "m"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.model, copy)
        (copy / file).write_bytes(change((copy / file).read_bytes()))
        if sealed:
            runs.seal(copy)
        return copy

    def test_changed_arrays(self):
        """The manifest reveals the damage, and every command checks it."""
        for what, change in {
            "cut short": lambda data: data[:-4],
            "one byte": lambda data: flip(data, len(data) // 2),
        }.items():
            with self.subTest(what):
                model = self.damaged(change, sealed=False)
                self.expect_bad_input(runs.rhumb("model", "show", model), model, "model.safetensors")
        self.expect_refused(model, self.data, model, "model.safetensors")

    def test_tampered_arrays(self):
        """The manifest matches, so the reader itself must detect the damage."""

        def header(edit):
            def change(data):
                entries, arrays = runs.split_safetensors(data)
                edit(entries)
                return runs.join_safetensors(entries, arrays)

            return change

        def overlap(entries):
            entries["heads.bias"]["data_offsets"] = entries["map.mean"]["data_offsets"]
            entries["heads.bias"]["shape"] = entries["map.mean"]["shape"]

        def shift(entries):  # an array that begins inside the one before
            (begin, end) = entries["map.mean"]["data_offsets"]
            entries["map.mean"]["data_offsets"] = [begin - 4, end - 4]

        def number(value):
            def change(data):
                entries, arrays = runs.split_safetensors(data)
                begin = entries["decoder.state.0.bias"]["data_offsets"][0]
                arrays = arrays[:begin] + struct.pack("<f", value) + arrays[begin + 4 :]
                return runs.join_safetensors(entries, arrays)

            return change

        for what, change in {
            "empty": lambda data: b"",
            "cut short": lambda data: data[:-4],
            "too long": lambda data: data + b"\0\0\0\0",
            "header": lambda data: flip(data, data.index(b"data_offsets")),
            "header of 2^64 - 1 bytes": lambda data: b"\xff" * 8 + data[8:],
            "header of 99 MB": lambda data: struct.pack("<Q", 99_000_000) + data[8:],
            "header that is no object": lambda data: struct.pack("<Q", 2) + b"[]",
            "overlap": header(overlap),
            "shift": header(shift),
            "offsets beyond the file": header(
                lambda entries: entries["map.mean"].update(data_offsets=[2**62, 2**62 + 32])
            ),
            "offsets below 0": header(
                lambda entries: entries["map.mean"].update(data_offsets=[-32, 0])
            ),
            "size that overflows": header(lambda entries: entries["map.mean"].update(shape=[2**62, 4])),
            "size below 0": header(lambda entries: entries["map.mean"].update(shape=[-8])),
            "other type": header(lambda entries: entries["map.mean"].update(dtype="I32")),
            "missing array": header(lambda entries: entries.pop("map.mean")),
            "other name": header(lambda entries: entries.update(more=entries.pop("map.mean"))),
            "NaN": number(math.nan),
            "infinity": number(math.inf),
        }.items():
            with self.subTest(what):
                model = self.damaged(change)
                self.expect_bad_input(
                    runs.rhumb("model", "show", model), model / "model.safetensors"
                )
        self.expect_refused(model, self.data, model / "model.safetensors")

    def test_tampered_document(self):
        def edit(change):
            def edited(data):
                document = json.loads(data)
                change(document)
                return json.dumps(document).encode()

            return edited

        for what, change in {
            "empty": lambda data: b"",
            "cut short": lambda data: data[:100],
            "no object": lambda data: b"[]",
            "other format": edit(lambda d: d.update(format=1)),
            "no objectives": edit(lambda d: d.update(objectives=[])),
            "more objectives": edit(lambda d: d["objectives"].append({**d["objectives"][0], "name": "x"})),
            "deviation of 0": edit(lambda d: d["objectives"][0].update(std=0)),
            "other code": edit(lambda d: d["architecture"].update(code_size=9)),
            "context of 0": edit(lambda d: d["architecture"].update(context=0)),
            "grounded": edit(lambda d: d["grounded"].update(mean={"seed": 1})),
        }.items():
            with self.subTest(what):
                model = self.damaged(change, file="model.json")
                self.expect_bad_input(runs.rhumb("model", "show", model), model, "model.")
        model = self.damaged(lambda data: data)
        (model / "model.json").unlink()
        self.expect_refused(model, self.data, model, "model.json")
        runs.seal(model)
        self.expect_refused(model, self.data, model, "model.json")
        self.expect_refused(self.data, self.data, "is a dataset, not a model")

    # Output paths.

    def test_out_is_taken(self):
        file, folder = self.path / "file", self.path / "folder"
        file.write_text("mine")
        folder.mkdir()
        (folder / "notes").write_text("mine")
        taken = {file: file, folder: folder, self.population: "is a population, not a model"}
        for out, part in taken.items():
            before = runs.contents(out) or out.read_text()
            with self.subTest(out.name):
                self.expect_bad_input(self.train(out=out), part)
                for name, words in self.every_use(self.model, self.data, out).items():
                    if "--out" in words:
                        self.expect_bad_input(runs.rhumb(*words), out)
                self.assertEqual(runs.contents(out) or out.read_text(), before)
        self.assertEqual(sorted(self.path.iterdir()), [file, folder])

    def test_read_only_folder(self):
        folder = self.path / "locked"
        folder.mkdir()
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        options = ordinary_user.options(self, self.path, self.shared)
        out = folder / "m"
        self.expect_bad_input(self.train(out=out, options=options), out, "Permission denied")
        for name, words in self.every_use(self.model, self.data, out).items():
            if "--out" in words:
                with self.subTest(name):
                    result = runs.rhumb(*words, **options)
                    self.expect_bad_input(result, out, "Permission denied")
        self.assertEqual(list(folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
