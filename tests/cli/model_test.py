"""`rhumb model` and `rhumb evaluate` end to end on the point mass: the model must be accurate."""

import os
import pathlib
import shutil
import unittest

import model_runs as runs

# Seven weight vectors, each with its policies from random to best. With more weight
# on energy the point stands still.
POPULATION = {
    "weights": "list",
    "list": "1,0, 0.9,0.1, 0.8,0.2, 0.7,0.3, 0.6,0.4, 0.5,0.5, 0.4,0.6",
    "iterations": 30,
    "keep_every": 2,
    "ppo.steps": 100,
    "ppo.hidden": "32,32",
    "ppo.learning_rate": 1e-3,
}
DATASET = {"selection.skip_iterations": 4, "selection.every": 2, "steps_per_policy": 1000}

# The defaults, except for fewer and narrower steps.
MODEL = {"epochs": 40, "queries": 32, "hidden": 64, "dagger.steps": 200}

GROUNDING = {"codes": 400, "episodes": 2}
VARIANTS = ("ours", "vae", "mean_pool", "free_projections", "infonce", "autoencoder")


class Models(runs.ModelCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = runs.make_all(cls.shared, POPULATION, DATASET, MODEL)
        cls.population, cls.data, cls.model = made
        cls.grounded = cls.shared / "g"
        result = cls.ground(cls.model, "--out", cls.grounded)
        assert result.returncode == 0, result.stderr

    @classmethod
    def ground(cls, model, *arguments, threads=2):
        return runs.rhumb(
            "model", "ground", model, "--seed", 1, "--threads", threads,
            *runs.words(GROUNDING), *arguments,
        )  # fmt: skip

    def add_pace(self, model, *arguments):
        return runs.rhumb(
            "model", "add-attribute", model, "--data", self.data, "--name", "pace",
            "--expression", "mean(x_velocity)", "--unit", "m/s", "--threads", 2, *arguments,
        )  # fmt: skip

    # Training.

    def test_a_line_reads_the_labels_of_unseen_policies(self):
        report = self.ask("evaluate", "probe", self.model, "--data", self.data)
        self.assertEqual(report["labels"], ["x_velocity", "energy"])
        for split, score in report["splits"].items():
            print(f"{split}, {score['episodes']} episodes: R² {score['r2']}, MSE {score['mse']}")
        for label in report["labels"]:
            self.assertGreater(report["splits"]["held_out_checkpoint"]["r2"][label], 0.95)
            # Within one weight vector the labels vary less, so the same error is a larger share of their
            # variance. It is therefore compared with the variance of all labels, which is 1.
            self.assertLess(report["splits"]["held_out_weight"]["mse"][label], 0.05)

    def test_the_decoder_imitates_unseen_policies(self):
        for split in ("held_out_checkpoint", "held_out_weight"):
            report = self.ask(
                "evaluate", "imitation", self.model, "--data", self.data, "--split", split,
                "--mode", "sampled", "--episodes", 100,
            )  # fmt: skip
            self.assertEqual(report["mode"], "sampled")
            self.assertEqual(report["diverged"], 0)
            for objective in ("x_velocity", "energy"):
                errors = report["errors"][objective]
                medians = {kind: round(100 * errors[kind]["median"], 2) for kind in errors}
                print(f"{split}, {objective}: medians in % {medians}")
                self.assertLess(errors["error"]["median"], 0.1)

    def test_the_folder(self):
        files = runs.contents(self.model)
        events = [name for name in files if name.startswith("tensorboard/events.out.tfevents.")]
        self.assertEqual(len(events), 1)
        self.assertEqual(
            set(files) - set(events),
            {"model.safetensors", "model.json", "README.md", "manifest.json",
             "environment/point-v0.toml", "environment/point_mass.xml"},
        )  # fmt: skip
        # A version, and eight scalars per epoch.
        self.assertEqual(runs.count_events(self.model / "tensorboard"), 1 + 8 * MODEL["epochs"])
        self.assertFalse((self.shared / "m.work").exists())

        manifest = runs.manifest(self.model)
        self.assertEqual(manifest["kind"], "model")
        self.assertEqual(manifest["parents"]["dataset"], runs.hash_of(self.data))
        self.assertEqual(manifest["seed"], 1)
        self.assertEqual(manifest["config"]["dagger"]["steps"], MODEL["dagger.steps"])
        self.assertEqual(set(manifest["files"]), set(files) - {"manifest.json"})

        document = runs.document(self.model)
        self.assertEqual(document["variant"], "ours")
        self.assertEqual(document["environment"]["id"], "point-v0")
        self.assertEqual([o["name"] for o in document["objectives"]], ["x_velocity", "energy"])
        self.assertEqual(document["grounded"], {})
        self.assertEqual(document["metrics"]["losses"]["skipped_steps"], 0)
        self.assertEqual(
            set(document["metrics"]["head_mse"]),
            {"train", "held_out_checkpoint", "held_out_weight"},
        )
        card = (self.model / "README.md").read_text()
        for word in ("point-v0", "x_velocity", "energy", runs.hash_of(self.data)):
            self.assertIn(word, card)

    def test_a_finished_model_is_left_alone(self):
        before = runs.contents(self.model)
        result = runs.train(self.model, self.data, MODEL, "--population", self.population)
        self.expect_done(result)
        self.assertIn("nothing to do", result.stderr)
        self.assertEqual(runs.contents(self.model), before)

    # Grounding.

    def test_grounded_heads(self):
        document = runs.document(self.grounded)
        self.assertEqual(set(document["grounded"]), {"sampled", "mean"})
        shown = self.ask("model", "show", self.grounded)
        for mode, entry in document["grounded"].items():
            self.assertEqual((entry["codes"], entry["episodes"]), (400, 2))
            self.assertEqual(shown["grounded"][mode], {"codes": 400, "episodes": 2})
            metrics = document["metrics"]["grounded"][mode]
            self.assertEqual(metrics["diverged_episodes"], 0)
            for objective, score in metrics["objectives"].items():
                print(f"{mode}, {objective}: {score}")
                # A tenth of the labels' variation.
                self.assertLess(score["mse"], 0.1)
        # Sampled actions and mean actions realise different values.
        values = [runs.read_floats(self.grounded, f"grounded.{mode}.rolled_out.values")[1]
                  for mode in ("sampled", "mean")]  # fmt: skip
        self.assertNotEqual(*values)
        parents = runs.manifest(self.grounded)["parents"]
        self.assertEqual(parents, {"model": runs.hash_of(self.model)})

    def test_grounding_explores_between_the_policies(self):
        shown = self.ask("model", "show", self.grounded)
        training = shown["sizes"]["training_codes"]
        for mode in ("sampled", "mean"):
            metrics = shown["metrics"]["grounded"][mode]
            policies = runs.read_integers(self.grounded, f"grounded.{mode}.rolled_out.policies")
            self.assertEqual(metrics["explored_codes"], 400 - min(200, training))
            self.assertEqual(policies.count(-1), metrics["explored_codes"])
            self.assertEqual(policies[-1], -1)
            print(f"{mode}: {metrics['cells_of_policies']} cells, {metrics['cells']} with exploration")
            self.assertGreater(metrics["cells"], metrics["cells_of_policies"])
        text = runs.rhumb("model", "show", self.grounded).stdout
        self.assertIn("cells in all", text)

    def test_grounding_repeats_and_replaces(self):
        again, in_place = self.path / "again", self.path / "m"
        self.expect_done(self.ground(self.model, "--out", again))
        self.assertEqual(runs.weights(again), runs.weights(self.grounded))
        shutil.copytree(self.model, in_place)
        self.expect_done(self.ground(in_place, threads=1))
        self.assertEqual(runs.weights(in_place), runs.weights(self.grounded))
        # A grounded --out of the same run counts as done; that of another run is left untouched.
        before = runs.contents(again)
        repeated = self.expect_done(self.ground(self.model, "--out", again))
        self.assertIn("nothing to do", repeated.stderr)
        other = self.ground(self.model, "--out", again, "--modes", "mean")
        self.expect_bad_input(other, again, "its 'modes'")
        self.assertEqual(runs.contents(again), before)
        self.assertEqual(sorted(f.name for f in self.path.iterdir()), ["again", "m"])

    def test_a_robot_has_settings_of_its_grounding(self):
        envs = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"]) / "envs"
        shutil.copy(envs / "point_mass.xml", self.path)
        spec = (envs / "point-v0.toml").read_text().replace('id = "point-v0"', 'id = "own-v0"')
        spec += "\n[settings.default.ground]\ncodes = 44\nepisodes = 1\n"
        (self.path / "own.toml").write_text(spec)
        population = runs.make_population(self.path / "p", runs.TINY_POPULATION, self.path / "own.toml")
        data = runs.make_dataset(population, self.path / "v0", runs.TINY_DATASET)
        self.expect_done(runs.train(self.path / "m", data, runs.TINY_MODEL))
        for given, codes in (((), 44), (("--set", "codes=50"), 50)):
            out = self.path / f"g{codes}"
            self.expect_done(runs.rhumb("model", "ground", self.path / "m", "--modes", "mean", "--out", out, *given))
            shown = self.ask("model", "show", out)
            self.assertEqual(shown["grounded"]["mean"], {"codes": codes, "episodes": 1})

    # Attributes.

    def test_attribute_of_an_ungrounded_model(self):
        """Episodes have 100 steps, so the mean speed is a hundredth of the summed speed."""
        out = self.path / "m"
        before = runs.contents(self.model)
        self.expect_done(self.add_pace(self.model, "--out", out))
        self.assertEqual(runs.contents(self.model), before)
        shown = self.ask("model", "show", out)
        speed, _, pace = shown["objectives"]
        self.assertEqual((pace["name"], pace["unit"]), ("pace", "m/s"))
        self.assertEqual(pace["expression"], "mean(x_velocity)")
        for number in ("min", "mean", "max", "std"):
            # Steps are stored as float32; the returns were summed in double before.
            self.assertAlmostEqual(pace[number], speed[number] / 100, delta=1e-6)
        for split, errors in shown["metrics"]["head_mse"].items():
            print(f"{split}: {errors}")
            self.assertLess(errors["pace"], 0.05)
        # Only the heads and the labels have changed.
        old, new = (runs.split_safetensors(runs.weights(model)) for model in (self.model, out))
        changed = [
            name for name, entry in old[0].items()
            if old[1][slice(*entry["data_offsets"])] != new[1][slice(*new[0][name]["data_offsets"])]
        ]  # fmt: skip
        self.assertEqual(changed, ["heads.bias", "heads.weight", "training.values"])
        # Without --out the model itself gets the attribute, and only once.
        copy = self.path / "copy"
        shutil.copytree(self.model, copy)
        self.expect_done(self.add_pace(copy))
        self.assertEqual(runs.weights(copy), runs.weights(out))
        self.expect_bad_input(self.add_pace(copy), "already has an objective 'pace'")

    def test_attribute_of_a_grounded_model(self):
        out = self.path / "g"
        refused = self.add_pace(self.grounded, "--out", out)
        self.expect_bad_input(refused, "grounded", "--roll-out", 2 * 400 * 2, "2 threads")
        self.assertEqual(list(self.path.iterdir()), [])
        self.expect_done(self.add_pace(self.grounded, "--out", out, "--roll-out"))
        self.assertEqual([f.name for f in self.path.iterdir()], ["g"])
        metrics = runs.document(out)["metrics"]["grounded"]
        for mode in ("sampled", "mean"):
            self.assertLess(metrics[mode]["objectives"]["pace"]["mse"], 0.1)
            before = runs.document(self.grounded)["metrics"]["grounded"][mode]
            for number in ("explored_codes", "cells", "cells_of_policies"):
                self.assertEqual(metrics[mode][number], before[number])
            name = f"grounded.{mode}.rolled_out.values"
            _, old = runs.read_floats(self.grounded, name)
            shape, new = runs.read_floats(out, name)
            self.assertEqual(shape, [400, 3])
            # The same rollouts as before, with one more number each.
            self.assertEqual(old, tuple(value for i, value in enumerate(new) if i % 3 < 2))
            for speed, pace in zip(new[::3], new[2::3]):
                self.assertAlmostEqual(pace, speed / 100, delta=1e-6)

    # Baselines.

    def test_variants(self):
        settings = {**runs.TINY_MODEL, "batch": 64}
        trained = {}
        for name in (*VARIANTS, "paper"):
            with self.subTest(name):
                out = self.path / name
                choice = ("--preset", name) if name == "paper" else ("--variant", name)
                result = runs.train(out, self.data, settings, "--population", self.population, *choice)
                self.expect_done(result)
                variant = "ours" if name == "paper" else name
                self.assertEqual(runs.document(out)["variant"], variant)
                probe = self.ask("evaluate", "probe", out, "--data", self.data)
                self.assertEqual(probe["variant"], variant)
                imitation = self.ask(
                    "evaluate", "imitation", out, "--data", self.data, "--episodes", 20,
                    "--mode", "mean",
                )  # fmt: skip
                self.assertEqual(imitation["variant"], variant)
                self.assertEqual(len(imitation["rows"]), 20)
                self.assertEqual(imitation["diverged"], 0)
                trained[name] = runs.weights(out)
        # Every flag has an effect.
        self.assertEqual(len(set(trained.values())), len(VARIANTS) + 1)
        document = runs.document(self.path / "mean_pool")
        self.assertEqual(document["architecture"]["pooling"], "mean")
        config = runs.manifest(self.path / "paper")["config"]
        self.assertEqual((config["reconstruction"], config["alpha"]), ("nll", 1))
        self.assertEqual((config["heads"]["fit"], config["dagger"]["rounds"]), ("adamw", 0))

    def test_labels_may_be_attributes(self):
        out = self.path / "m"
        settings = {**runs.TINY_MODEL, "labels": "energy,max(x_velocity)", "dagger.rounds": 0}
        self.expect_done(runs.train(out, self.data, settings))
        shown = self.ask("model", "show", out)
        self.assertEqual([o["name"] for o in shown["objectives"]], ["energy", "max(x_velocity)"])
        self.assertEqual(shown["objectives"][1]["expression"], "max(x_velocity)")
        probe = self.ask("evaluate", "probe", out, "--data", self.data)
        self.assertEqual(probe["labels"], ["energy", "max(x_velocity)"])


if __name__ == "__main__":
    unittest.main()
