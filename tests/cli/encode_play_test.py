"""`rhumb encode` and `rhumb play MODEL --code`, on a model whose code is a trajectory's mean action.
Its decoder repeats that action."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import model_runs
import model_show_test

RHUMB = os.environ["RHUMB_BIN"]


def make_echo_model(folder, log_deviation):
    """A model of the point mass. Its heads predict x_velocity = 10 * (first element of the code) + 5."""
    model_show_test.make_model(folder)
    arrays = {
        name: (shape, [0.0] * (shape[0] * (shape[1] if len(shape) > 1 else 1)))
        for name, shape in model_show_test.SHAPES.items()
        if name != "projections.weight"
    }
    arrays["projections.weight"] = ([2, 1, 2], [0.0] * 4)

    def fill(name, numbers):
        arrays[name] = (arrays[name][0], numbers)

    fill("action_half_range", [1, 1])
    fill("observations.inverse_scale", [1, 1])
    fill("observations.limit", [10])
    fill("encoder.token.0.weight", [0, 0, 0, 0, 1, 0, 0, 1])
    fill("encoder.posterior.weight", [1, 0, 0, 0, 0, 1, 0, 0])
    fill("encoder.posterior.bias", [0, 0, -10, -10])
    fill("decoder.joint_code.weight", [1, 0, -1, 0, 0, 1, 0, -1])
    fill("decoder.joint.0.weight", [1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0])
    fill("decoder.joint.0.bias", [0, 0, log_deviation, log_deviation])
    fill("heads.weight", [1, 0, 0, 0])
    fill("map.directions", [1, 0, 0, 1])
    fill("training.codes", [0, 0, 1, 0, 0, 1])
    fill("training.values", [5, 0, 15, -100, 5, -100])
    (folder / "model.safetensors").write_bytes(model_show_test.safetensors(arrays))
    document = model_runs.document(folder)
    document["objectives"] = [
        {"name": "x_velocity", "unit": "m/s", "expression": "", "mean": 5, "std": 10, "min": 5, "max": 15},
        {"name": "energy", "unit": "", "expression": "", "mean": 0, "std": 50, "min": -100, "max": 0},
    ]
    document["environment"] = model_runs.carry_environment(folder, "point-v0", "two") | {"time_limit": 100}
    (folder / "model.json").write_text(json.dumps(document))
    model_runs.seal(folder)
    return folder


def rhumb(*arguments):
    return subprocess.run([RHUMB, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class EncodeAndPlay(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)
        self.model = make_echo_model(self.path / "m", log_deviation=-1)

    def write(self, name, document):
        path = self.path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def ask(self, *arguments):
        result = rhumb(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def trajectory(self, **changes):
        document = {
            "env": "point-v0",
            "observations": [[0, 0]] * 20,
            "actions": [[0.5, -0.25]] * 20,
            "returns": {"energy": -6.25},
        }
        return self.write("t.json", {**document, **changes})

    def expect_bad_input(self, result, *parts):
        """Expects exit 2, an empty stdout, and a last line on stderr with these words."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        sentence = result.stderr.strip().splitlines()[-1]
        for part in parts:
            self.assertIn(str(part), sentence)

    def test_encode_by_hand(self):
        out = self.path / "code.json"
        document = self.ask("encode", self.model, self.trajectory(), "--out", out)
        self.assertEqual(document["code"], [0.5, -0.25])
        self.assertAlmostEqual(document["predicted"]["x_velocity"], 10, places=5)
        self.assertEqual(document["recorded"], {"energy": -6.25})
        self.assertEqual(document["interval"], {}, "heads that were not fitted to roll-outs know of none")
        self.assertGreater(document["distance_to_data"], 0)
        self.assertEqual(json.loads(out.read_text()), document)
        result = rhumb("encode", self.model, self.trajectory())
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split() for line in result.stdout.splitlines()]
        self.assertIn(["x_velocity", "10.00", "-", "-", "-", "m/s"], lines)
        self.assertIn(["energy", "0.00", "-", "-", "-6.25"], lines)

    def test_play_by_hand(self):
        code = self.write("c.json", {"code": [0.5, 0]})
        document = self.ask("play", self.model, "--code", code, "--mode", "mean", "--set", "episodes=2")
        self.assertEqual(document["env"], "point-v0")
        self.assertEqual([episode["steps"] for episode in document["episodes"]], [100, 100])
        for episode in document["episodes"]:
            self.assertEqual(episode["returns"]["energy"], -25)
            self.assertEqual(episode["ending"], "time limit")
        short = self.ask("play", self.model, "--code", code, "--mode", "mean", "--set", "steps=8")
        self.assertEqual(short["episodes"][0]["returns"]["energy"], -2)
        self.assertEqual(short["episodes"][0]["ending"], "stopped")

    def test_play_a_schedule_by_hand(self):
        self.write("c.json", {"code": [0.5, 0]})
        lines = ['{"step": 0, "code": [0, 0]}', '{"step": 40, "blend": 2, "code": "c.json"}']
        schedule = self.write("s.jsonl", "\n".join(lines))
        document = self.ask("play", self.model, "--schedule", schedule, "--mode", "mean", "--set", "episodes=2")
        for episode in document["episodes"]:  # one step with half the push, 59 with 0.5
            self.assertAlmostEqual(episode["returns"]["energy"], -(0.0625 + 59 * 0.25), places=9)
        first, second = document["schedule"]
        self.assertEqual([first["step"], first["steps"], first["pace"]["energy"]], [0, 80, 0])
        self.assertEqual([second["step"], second["blend"], second["steps"]], [40, 2, 120])
        self.assertAlmostEqual(second["pace"]["energy"], -(0.0625 + 59 * 0.25) / 60 * 100, places=9)
        self.assertAlmostEqual(second["predicted"]["x_velocity"], 10, places=5)
        shown = rhumb("play", self.model, "--schedule", schedule).stdout
        self.assertIn("the code of c.json", shown)
        untried = self.ask("play", self.model, "--schedule", schedule, "--mode", "mean", "--set", "episodes=2", "--try", 0)
        self.assertEqual(untried, document, "a code has no other answers")
        self.expect_bad_input(rhumb("play", self.model, "--code", self.path / "c.json", "--try", 4), "--schedule")
        bad = self.write("s.jsonl", lines[0] + "\n" + '{"step": 0, "code": [0, 0]}')
        self.expect_bad_input(rhumb("play", self.model, "--schedule", bad), "s.jsonl:2", "does not come after")

    def test_episodes_do_not_depend_on_their_number_or_the_threads(self):
        play = ("play", self.model, "--code", self.write("c.json", {"code": [0.5, 0]}), "--seed", 3)
        many = self.ask(*play, "--set", "episodes=5", "--threads", 2)
        self.assertEqual(self.ask(*play)["episodes"], many["episodes"][:1])
        self.assertNotEqual(many["episodes"][0], many["episodes"][1])

    def test_a_recorded_episode_is_encoded_back(self):
        run, code = self.path / "run.json", self.write("c.json", {"code": [0.5, -0.75]})
        played = self.ask("play", self.model, "--code", code, "--mode", "mean", "--record", run)
        encoded = self.ask("encode", self.model, run)
        self.assertEqual(encoded["code"], [0.5, -0.75])
        self.assertEqual(encoded["recorded"], played["episodes"][0]["returns"])
        self.assertEqual(encoded["steps"], 100)
        # play accepts the output of encode.
        again = self.ask("play", self.model, "--code", self.write("e.json", encoded), "--mode", "mean")
        self.assertEqual(again["episodes"], played["episodes"])

    def test_answers_of_steering(self):
        steered = {"status": "solved", "answers": [{"code": [0, 0]}, {"code": [0.5, 0]}]}
        play = ("play", self.model, "--mode", "mean", "--code", self.write("s.json", steered))
        self.assertEqual(self.ask(*play)["episodes"][0]["returns"]["energy"], 0)
        self.assertEqual(self.ask(*play, "--answer", 1)["episodes"][0]["returns"]["energy"], 0)
        self.assertEqual(self.ask(*play, "--answer", 2)["episodes"][0]["returns"]["energy"], -25)
        self.expect_bad_input(rhumb(*play, "--answer", 3), "answers 1 to 2, not 3")
        one = self.write("c.json", {"code": [0, 0]})
        self.expect_bad_input(rhumb("play", self.model, "--code", one, "--answer", 2), "a single code")
        self.write("s.json", {"status": "infeasible", "answers": []})
        self.expect_bad_input(rhumb(*play), "s.json has no answer", "infeasible")

    def test_films_side_by_side(self):
        before, after = self.write("b.json", {"code": [0, 0]}), self.write("a.json", {"code": [1, 0]})
        films = [self.path / "one.webp", self.path / "two.webp"]
        play = ("play", self.model, "--code", after, "--set", "steps=4", "--set", "width=64",
                "--set", "height=32", "--video")  # fmt: skip
        self.assertNotIn("before", self.ask(*play, films[0]))
        both = self.ask(*play, films[1], "--before", before)
        # One film has the requested width; two side by side have 4 pixels between them.
        # Bytes 24 to 30 of an animated WebP are width - 1 and height - 1.
        sizes = [tuple(film.read_bytes()[24:30]) for film in films]
        self.assertEqual(sizes, [(63, 0, 0, 31, 0, 0), (131, 0, 0, 31, 0, 0)])
        self.assertEqual(len(both["before"]), 1)
        self.assertNotEqual(both["before"], both["episodes"])

    def test_an_interrupted_film_is_named(self):
        film = self.path / "f.webp"
        words = ("play", "--env", "mo-halfcheetah-v5", "--set", "width=1280", "--set", "height=960", "--video", film)
        with subprocess.Popen([RHUMB, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:  # fmt: skip
            while not (line := process.stderr.readline()).startswith("film:"):
                self.assertTrue(line, "ended before it filmed")
            process.send_signal(signal.SIGINT)
            errors = process.stderr.read()
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted while filming; the video was not written", errors)
        self.assertEqual(list(self.path.glob("*.webp*")), [])

    def test_bad_codes(self):
        play = ("play", self.model, "--code", self.path / "c.json")
        self.expect_bad_input(rhumb(*play), "c.json")
        for document, *words in (
            ({"code": [1]}, "code has 1 numbers; it must have 2"),
            ({"code": [1, None]}, "code[1] is null", "finite"),
            ({"code": [1, 1e300]}, "code[1] is 1e+300", "finite"),
            ('{"code": [1, NaN]}', "not valid JSON", "NaN"),
            ({"answers": [{}]}, "answers[0].code is missing"),
            ({"answers": 3}, "'answers' must be a list"),
            ({}, "code is missing"),
            ([], "code is missing"),
        ):
            self.write("c.json", document)
            self.expect_bad_input(rhumb(*play), "c.json", *words)

    def test_files_of_any_depth(self):
        deep = "[" * 300_000 + "]" * 300_000
        code = self.path / "c.json"
        for text in (
            deep, f'{{"code": {deep}}}', f'{{"code": [0, {deep}]}}', f'{{"answers": {deep}}}',
            f'{{"answers": [], "status": {deep}}}', f'{{"answers": [{{"code": [0, {deep}]}}]}}',
        ):  # fmt: skip
            self.write("c.json", text)
            self.expect_bad_input(rhumb("play", self.model, "--code", code), "c.json")
        for change in ("env", "rewards", "returns", "terminated"):
            text = self.trajectory(**{change: "DEEP"}).read_text().replace('"DEEP"', deep)
            run = self.write("t.json", text)
            self.expect_bad_input(rhumb("encode", self.model, run), "t.json", "nest deeper")
        run = self.write("t.json", self.trajectory().read_text().replace("-0.25]", f"{deep}]", 1))
        self.expect_bad_input(rhumb("encode", self.model, run), "t.json", "nest deeper")

    def test_bad_trajectories(self):
        encode = ("encode", self.model)
        self.expect_bad_input(rhumb(*encode, self.trajectory(env="mo-ant-v5")), "mo-ant-v5", "point-v0")
        self.expect_bad_input(rhumb(*encode, self.trajectory(actions=[[1]] * 20)), "actions[0]", "2")
        self.expect_bad_input(rhumb(*encode, self.trajectory(), "--episode", 1), "episode 1 needs a dataset")
        self.expect_bad_input(rhumb(*encode, self.trajectory(), "--mode", "best"), "best")
        self.expect_bad_input(rhumb(*encode, self.path / "none.json"), "none.json")

    def test_a_random_episode_is_recorded(self):
        run = self.path / "r.json"
        played = self.ask("play", "--env", "point-v0", "--rewards", "two", "--record", run)
        recorded = json.loads(run.read_text())
        self.assertEqual(recorded["returns"], played["episodes"][0]["returns"])
        self.assertEqual([len(recorded["observations"]), len(recorded["actions"])], [101, 100])
        self.assertEqual(self.ask("encode", self.model, run)["steps"], 100)

    def test_a_trajectory_of_a_changed_robot(self):
        run = self.path / "r.json"
        self.ask("play", "--env", "point-v0", "--rewards", "two", "--record", run)
        document = json.loads(run.read_text())
        changed = self.write("t.json", {**document, "env_hash": "0" * 64})
        self.expect_bad_input(rhumb("encode", self.model, changed), "another version of point-v0", "MJCF")

    def test_files_that_are_mixed_up(self):
        code = self.write("c.json", {"code": [0, 0]})
        self.expect_bad_input(rhumb("encode", self.model, code), "holds a code, not a trajectory", "--record")
        self.expect_bad_input(
            rhumb("steer", self.model, "--like", code, "--change", "energy -20%"), "holds a code", "--record"
        )
        self.expect_bad_input(rhumb("steer", self.model, "--like", self.trajectory()), "--change 'x_velocity -20%'")
        self.expect_bad_input(rhumb("play", "mo-hopper-v5"), "is an environment", "--env mo-hopper-v5")
        self.expect_bad_input(rhumb("envs", "show", "robot.xml"), "robot.xml is an MJCF file", "FILE.toml")

    def test_bad_usage(self):
        code = self.write("c.json", {"code": [0, 0]})
        self.expect_bad_input(rhumb("play"), "MODEL", "--code", "--env")
        self.expect_bad_input(rhumb("play", self.model), "--code FILE")
        for arguments in (
            ["play", "--env", "point-v0", "--code", code],
            ["play", self.model, "--code", code, "--policy", "zero"],
            ["play", self.model, "--code", code, "--before", code],
            ["play", self.model, "--code", code, "--answer", "0"],
            ["play", self.model, "--code", code, "--answer", "-1"],
            ["play", self.model, "--code", code, "--env", "mo-ant-v5"],
        ):
            self.assertEqual(rhumb(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
