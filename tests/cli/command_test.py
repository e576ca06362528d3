"""The command line as users see it: exit codes, messages, and only JSON on stdout."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]
SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])


def rhumb(*arguments, cwd=None, env=None):
    return subprocess.run(
        [RHUMB, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=env,
        timeout=300,
        check=False,
    )


class Commands(unittest.TestCase):
    def expect_bad_input(self, result, *words):
        """Expects exit 2, one sentence on stderr with these words, and an empty stdout."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        lines = result.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, name, text):
        (self.path / name).write_text(text)
        return self.path / name

    def replay(self, **changes):
        document = {
            "env": "mo-hopper-v5",
            "qpos": [0, 1.25, 0, 0, 0, 0],
            "qvel": [0] * 6,
            "actions": [[0.1, 0.2, 0.3]] * 3,
            **changes,
        }
        return self.write("replay.json", json.dumps(document))

    def test_list_json_is_one_document(self):
        result = rhumb("envs", "list", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        environments = {e["id"]: e for e in json.loads(result.stdout)["envs"]}
        self.assertEqual(len(environments), 8)
        self.assertEqual(environments["mo-hopper-v5"]["objectives"], ["forward", "height", "energy"])
        self.assertEqual(environments["mo-humanoid-v5"]["observation_size"], 348)

    def test_show_names_units(self):
        result = rhumb("envs", "show", "mo-halfcheetah-v5")
        self.assertEqual(result.returncode, 0)
        self.assertIn("m/s summed over steps", result.stdout)

    def test_show_names_the_range_of_each_actuator(self):
        result = rhumb("envs", "show", "mo-humanoid-v5")
        self.assertIn("controls for actions from -1 to 1\n", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^  abdomen_y +-0.4 to 0.4$")

    def test_help_of_every_command(self):
        for command in (
            [],
            ["envs"],
            ["envs", "list"],
            ["envs", "show"],
            ["envs", "draft"],
            ["envs", "replay"],
            ["envs", "bench"],
            ["play"],
            ["version"],
        ):
            result = rhumb(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Usage", result.stdout)

    def test_bench_reports_a_speed(self):
        result = rhumb(
            "envs", "bench", "--envs", "point-v0", "--threads", "1",
            "--set", "seconds=0.01", "--set", "rounds=2", "--json",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        (row,) = json.loads(result.stdout)["envs"]
        self.assertEqual((row["id"], row["threads"], row["environments"]), ("point-v0", 1, 16))
        self.assertGreater(row["rhumb_steps_per_s"], 0)

    def test_play_is_repeatable(self):
        runs = [
            rhumb("play", "--env", "mo-walker2d-v5", "--seed", seed, "--set", "episodes=2", "--json")
            for seed in (1, 1, 2)
        ]
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertNotEqual(runs[0].stdout, runs[2].stdout)
        episodes = json.loads(runs[0].stdout)["episodes"]
        self.assertEqual(len(episodes), 2)
        self.assertEqual(set(episodes[0]["returns"]), {"forward", "energy"})

    def test_play_films(self):
        video = self.path / "film.webp"
        result = rhumb("play", "--env", "point-v0", "--video", video, "--set", "steps=3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(video.read_bytes()[8:12], b"WEBP")

    def test_machine_that_cannot_render_says_how_to_mend_it(self):
        result = rhumb(
            "play", "--env", "point-v0", "--video", self.path / "film.webp",
            env={**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent.json"},
        )
        self.expect_bad_input(result, "apt-get install libegl1 libgl1-mesa-dri")
        self.assertFalse((self.path / "film.webp").exists())

    def test_usage_errors_exit_with_2(self):
        for arguments in (
            [],
            ["fly"],
            ["envs"],
            ["envs", "show"],
            ["play", "--env", "point-v0", "--policy", "best"],
            ["play", "--env", "point-v0", "--threads", "0"],
        ):
            self.assertEqual(rhumb(*arguments).returncode, 2, arguments)

    def test_bad_settings(self):
        play = ("play", "--env", "point-v0")
        self.expect_bad_input(rhumb(*play, "--set", "episods=2"), "episods", "episodes")
        self.expect_bad_input(rhumb(*play, "--set", "episodes=0"), "episodes", "0", "1")
        self.expect_bad_input(rhumb(*play, "--set", "episodes=many"), "episodes", "many")
        config = self.write("c.toml", "widht = 3\n")
        self.expect_bad_input(rhumb(*play, "--config", config), "c.toml:1", "widht", "width")
        self.expect_bad_input(rhumb(*play, "--config", self.path / "none.toml"), "none.toml")

    def test_settings_come_from_a_file_and_set_wins(self):
        config = self.write("c.toml", "episodes = 3\nsteps = 5\n")
        result = rhumb(
            "play", "--env", "point-v0", "--config", config, "--set", "episodes=2", "--json"
        )
        episodes = json.loads(result.stdout)["episodes"]
        self.assertEqual([e["steps"] for e in episodes], [5, 5])

    def test_bad_replays(self):
        run = lambda file: rhumb("envs", "replay", file)
        self.assertEqual(run(self.replay()).returncode, 0)
        self.expect_bad_input(run(self.replay(actions=[[1, 2]])), "actions[0]", "2", "takes 3")
        self.expect_bad_input(run(self.replay(actions=[[1, 2, float("nan")]])), "NaN")
        self.expect_bad_input(run(self.replay(env="mo-hoper-v5")), "mo-hoper-v5", "mo-hopper-v5")
        self.expect_bad_input(run(self.replay(env="../mo-hopper-v5.toml")), "../mo-hopper-v5.toml")
        self.expect_bad_input(run(self.replay(env="/tmp/mo-hopper-v5.toml")), "absolute")
        whole = self.replay().read_text()
        self.expect_bad_input(run(self.write("cut.json", whole[:-20])), "cut.json", "not valid JSON")
        self.expect_bad_input(run(self.path / "none.json"), "none.json")

    def test_bad_specs(self):
        good = (SOURCE / "examples/crawler/crawler.toml").read_text()
        self.write("crawler.xml", (SOURCE / "examples/crawler/crawler.xml").read_text())
        show = lambda text: rhumb("envs", "show", self.write("robot.toml", text))
        self.assertEqual(show(good).returncode, 0)
        self.expect_bad_input(show(good.replace("crawler.xml", "gone.xml")), "gone.xml", "robot.toml")
        self.expect_bad_input(show(good.replace("crawler.xml", "../crawler.xml")), "../crawler.xml")
        self.expect_bad_input(
            show(good.replace("-0.01 * hand_force", "-0.01 * hand_farce")),
            "robot.toml:", "hand_farce", "hand_force",
        )
        self.expect_bad_input(show(good.replace("hand_touch", "hand_tuch")), "hand_tuch", "hand_touch")
        self.expect_bad_input(
            show(good.replace('{ field = "qpos", skip = 1 }', '{ field = "qpos", cuont = 1 }')),
            "unknown key 'cuont'", "did you mean 'count'?",
        )
        # A path that the user types may climb; a path inside a spec may not.
        climbing = rhumb("envs", "show", "../crawler/crawler.toml", cwd=SOURCE / "examples/crawler")
        self.assertEqual(climbing.returncode, 0, climbing.stderr)

    def test_a_draft_loads_and_replaces_nothing(self):
        folder = self.path / "turtle"
        shutil.copytree(SOURCE / "examples/turtle", folder, ignore=shutil.ignore_patterns("*.toml"))
        result = rhumb("envs", "draft", folder / "scene.xml")
        self.assertEqual(result.returncode, 0, result.stderr)
        spec = folder / "turtle.toml"
        self.assertIn(f"rhumb play --env {spec} --policy random", result.stdout)
        shown = json.loads(rhumb("envs", "show", spec, "--json").stdout)
        self.assertEqual((shown["id"], shown["objectives"]), ("turtle", ["forward", "energy"]))
        self.assertEqual(rhumb("play", "--env", spec, "--set", "steps=3").returncode, 0)
        draft = lambda *arguments: rhumb("envs", "draft", *arguments)
        self.expect_bad_input(draft(folder / "scene.xml"), "turtle.toml exists", "--out")
        self.expect_bad_input(draft(folder / "gone.xml"), "gone.xml", "no such file")
        self.expect_bad_input(draft(folder / "scene.xml", "--out", folder / "a.txt"), ".toml")
        self.expect_bad_input(
            draft(folder / "scene.xml", "--out", folder / "assets" / "a.toml"), "must lie in the folder"
        )
        self.expect_bad_input(draft(self.write("broken.xml", "<mujoco>")), "broken.xml")

    def test_diverged_replay_says_so_and_stays_finite(self):
        result = rhumb("envs", "replay", self.replay(qvel=[1e9] * 6))
        self.assertEqual(result.returncode, 0)
        document = json.loads(result.stdout)
        self.assertTrue(document["diverged"])
        self.assertEqual(document["terminated"], [True])
        self.assertIn("diverged", result.stderr)


if __name__ == "__main__":
    unittest.main()
