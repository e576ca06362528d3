"""Artefacts carry their environment: after the first command the robot's spec is not needed.

Everything is made from a spec in a foreign folder. Then every artefact moves, the spec is deleted, and
each later command must still find its robot."""

import json
import pathlib
import shutil
import tempfile
import unittest

import model_runs as runs

ENVS = pathlib.Path(runs.RHUMB).parent.parent / "share" / "rhumb" / "envs"
ROBOT = "my-robot-v0"


class Travel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        root = pathlib.Path(temporary.name)
        foreign, here, cls.there = root / "foreign", root / "here", root / "there" / "deep"
        foreign.mkdir()
        here.mkdir()
        cls.there.parent.mkdir()
        spec = (ENVS / "point-v0.toml").read_text().replace('id = "point-v0"', f'id = "{ROBOT}"')
        (foreign / "robot.toml").write_text(spec.replace("point_mass.xml", "parts/body.xml"))
        (foreign / "parts").mkdir()
        shutil.copy(ENVS / "point_mass.xml", foreign / "parts" / "body.xml")
        population = runs.make_population(
            here / "population", runs.TINY_POPULATION, env=foreign / "robot.toml"
        )
        data = runs.make_dataset(population, here / "data-v0", runs.TINY_DATASET, "--keep-unstable")
        trained = runs.train(here / "model", data, runs.TINY_MODEL, "--population", population)
        assert trained.returncode == 0, trained.stderr
        cls.environment = runs.contents(population / "environment")
        here.rename(cls.there)
        shutil.rmtree(foreign)
        cls.model = cls.there / "model"

    def rhumb(self, *arguments):
        result = runs.rhumb(*arguments)
        self.assertEqual(result.returncode, 0, f"{arguments}\n{result.stderr}")
        return result.stdout

    def out(self, name):
        return pathlib.Path(tempfile.mkdtemp(dir=self.there)) / name

    def test_every_artefact_carries_the_same_files(self):
        self.assertEqual(sorted(self.environment), ["parts/body.xml", "robot.toml"])
        for name in ("population", "data-v0", "model"):
            self.assertEqual(runs.contents(self.there / name / "environment"), self.environment, name)

    def test_dataset_collect(self):
        data = self.out("again-v0")
        runs.make_dataset(self.there / "population", data, runs.TINY_DATASET, "--keep-unstable")
        self.assertEqual(
            (data / "data/main_data.hdf5").read_bytes(),
            (self.there / "data-v0/data/main_data.hdf5").read_bytes(),
        )

    def test_model_train_with_teachers(self):
        out = self.out("model")
        data, population = self.there / "data-v0", self.there / "population"
        result = runs.train(out, data, runs.TINY_MODEL, "--population", population)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(runs.weights(out), runs.weights(self.model))

    def test_steer_play_film_and_encode(self):
        folder = self.out("x").parent
        answer = json.loads(
            self.rhumb("steer", self.model, "--maximise", "x_velocity", "--rollouts", 2, "--json")
        )
        self.assertEqual(answer["answers"][0]["realised"]["x_velocity"]["episodes"], 2)
        (folder / "code.json").write_text(json.dumps({"code": answer["answers"][0]["code"]}))
        record = folder / "run.json"
        played = json.loads(
            self.rhumb(
                "play", self.model, "--code", folder / "code.json", "--record", record, "--json",
                "--video", folder / "film.webp", "--set", "steps=5",
            )
        )  # fmt: skip
        self.assertEqual(played["env"], ROBOT)
        self.assertGreater((folder / "film.webp").stat().st_size, 100)
        self.rhumb("play", self.model, "--code", folder / "code.json", "--record", record)
        self.rhumb("encode", self.model, record)

    def test_ground_add_attribute_and_evaluate(self):
        data = self.there / "data-v0"
        few = runs.words({"codes": 40, "episodes": 2})
        model = self.out("grounded")
        self.rhumb("model", "ground", self.model, "--out", model, "--threads", 2, *few)
        attributed = self.out("attributed")
        self.rhumb(
            "model", "add-attribute", model, "--data", data, "--out", attributed, "--roll-out",
            "--name", "pace", "--expression", "max(x_velocity)", "--unit", "m/s",
        )  # fmt: skip
        self.assertEqual(runs.contents(attributed / "environment"), self.environment)
        tasks = runs.words({"tasks.count": 3, "rollouts": 1})
        report = json.loads(
            self.rhumb("evaluate", "synthesis", attributed, "--data", data, "--json", *tasks)
        )
        self.assertEqual(report["environment"], ROBOT)
        self.rhumb("evaluate", "imitation", self.model, "--data", data,
                   *runs.words({"episodes": 2, "rollouts": 1}))  # fmt: skip

    def test_a_dataset_of_another_robot_is_refused(self):
        population = runs.make_population(self.out("p"), {**runs.TINY_POPULATION, "iterations": 4})
        data = runs.make_dataset(population, self.out("d-v0"), runs.TINY_DATASET, "--keep-unstable")
        result = runs.rhumb("evaluate", "probe", self.model, "--data", data)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"the model to '{ROBOT}'", result.stderr)


if __name__ == "__main__":
    unittest.main()
