"""`rhumb population show`: the table, the JSON, the picture, and running without Python."""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]
SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
PICTURES = SOURCE / ".deps" / "pictures" / "bin" / "python"
PNG = b"\x89PNG\r\n\x1a\n"


def make_population(folder, objectives):
    """An artefact with two agents of three iterations, with only the files that `show` reads."""
    count = len(objectives)
    agents = [
        {
            "id": i,
            "weights": [1.0 if k == i else 0.0 for k in range(count)],
            "file": f"agents/{i}.safetensors",
            "kept_iterations": [2, 3],
            "curves": {
                "iteration": [1, 2, 3],
                "returns": [[10.0 * t + k + i for k in range(count)] for t in range(3)],
                "episode_length": [500.0, 600.0, 700.5],
                "deviation": [1.0, 1.0, 1.0],
                "skipped_minibatches": 0,
                "diverged_episodes": 0,
            },
        }
        for i in range(2)
    ]
    document = {
        "environment": {"id": "point-v0", "rewards": "test", "spec": "", "hash": ""},
        "objectives": [{"name": name, "unit": "m"} for name in objectives],
        "observation_size": 2,
        "action_size": 2,
        "time_limit": 100,
        "weights": [agent["weights"] for agent in agents],
        "iterations": 3,
        "agents": agents,
    }
    folder.mkdir()
    text = json.dumps(document).encode()
    (folder / "population.json").write_bytes(text)
    entry = {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    manifest = {"kind": "population", "files": {"population.json": entry}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


class PopulationShow(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)

    def show(self, folder, *arguments, python=PICTURES):
        return subprocess.run(
            [RHUMB, "population", "show", folder, *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, "RHUMB_PYTHON": str(python)},
            timeout=120,
        )

    def test_table(self):
        result = self.show(make_population(self.path / "p", ["x", "y"]))
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split() for line in result.stdout.splitlines()]
        self.assertEqual(lines[2], ["0", "1.000", "0.000", "2", "20.0", "21.0", "700"])
        self.assertEqual(lines[3], ["1", "0.000", "1.000", "2", "21.0", "22.0", "700"])

    def test_json(self):
        result = self.show(make_population(self.path / "p", ["x", "y"]), "--json")
        agent = json.loads(result.stdout)["agents"][1]
        self.assertEqual(agent["returns"], {"x": 21.0, "y": 22.0})
        self.assertEqual(agent["weights"], {"x": 0.0, "y": 1.0})
        self.assertEqual(agent["episode_length"], 700.5)

    def test_what_is_no_population_is_bad_input(self):
        folder = make_population(self.path / "p", ["x", "y"])
        (folder / "population.json").write_text("{}")
        result = self.show(folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("population.json has 2 bytes", result.stderr)

    def test_without_python_the_numbers_are_there(self):
        folder = make_population(self.path / "p", ["x", "y"])
        picture = self.path / "p.png"
        result = self.show(folder, "--picture", picture, python="nowhere/python")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("21.0", result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("tools/setup pictures", result.stderr)
        self.assertEqual([p.name for p in self.path.iterdir()], ["p"])

    def test_a_script_that_fails_leaves_nothing_behind(self):
        folder = make_population(self.path / "p", ["x", "y"])
        result = self.show(folder, "--picture", self.path / "p.png", python="/bin/false")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no picture", result.stderr)
        self.assertEqual([p.name for p in self.path.iterdir()], ["p"])

    @unittest.skipUnless(PICTURES.exists(), "tools/setup pictures has not run")
    def test_pictures_of_two_three_and_more_objectives(self):
        for count in (2, 3, 4):
            folder = make_population(self.path / f"p{count}", ["x", "y", "z", "u"][:count])
            picture = self.path / f"p{count}.png"
            result = self.show(folder, "--picture", picture)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(picture.exists(), result.stderr)
            self.assertTrue(picture.read_bytes().startswith(PNG))

    @unittest.skipUnless(PICTURES.exists(), "tools/setup pictures has not run")
    def test_returns_begin_with_the_first_episode(self):
        """Before an episode has ended, returns and length are 0, and the picture leaves them out."""
        folder = make_population(self.path / "p", ["x", "y"])
        agent = json.loads((folder / "population.json").read_text())["agents"][0]
        agent["curves"]["episode_length"][:2] = [0.0, 0.0]
        script = "import json, sys, population; a = population.Agent(json.load(sys.stdin)); print(a.returns, a.kept)"
        command = [PICTURES, "-c", script]
        result = subprocess.run(
            command, cwd=SOURCE / "tools" / "pictures", input=json.dumps(agent), capture_output=True, text=True
        )
        self.assertEqual(result.stdout.split(), "[[nan nan] [nan nan] [20. 21.]] [[20. 21.]]".split(), result.stderr)


if __name__ == "__main__":
    unittest.main()
