"""Options shared by all commands: found by walking through --help, and tried on each command."""

import os
import re
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]


def rhumb(*words, cwd=None, **streams):
    streams = streams or {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run([RHUMB, *words], cwd=cwd, text=True, timeout=300, check=False, **streams)


def help_of(command):
    result = rhumb(*command, "--help")
    assert result.returncode == 0, result.stderr
    return result.stdout


def leaves(command=()):
    """Every runnable command: ("envs", "list"), ("steer",), …"""
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", help_of(command), re.M)
    if not listed:
        return [command]
    names = re.findall(r"^  ([a-z][a-z-]*) ", listed[1], re.M)
    return [leaf for name in names for leaf in leaves((*command, name))]


def required_of(command):
    """Arguments for everything the help marks as REQUIRED; files of these names do not exist."""
    words, positionals = [], set()
    for name in re.findall(r"^  (\S+) .*REQUIRED", help_of(command), re.M):
        option = name.split(",")[-1]
        if not option.startswith("-"):
            positionals.add(option)
            words.append("nothing")
        elif option.lstrip("-").upper() not in positionals:  # --model is another way to write MODEL
            words += [option, "nothing"]
    return words


COMMANDS = leaves()


class Options(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_the_walk_finds_the_commands(self):
        self.assertGreaterEqual(len(COMMANDS), 25)
        for command in [("version",), ("steer",), ("population", "merge"), ("evaluate", "paths")]:
            self.assertIn(command, COMMANDS)
        self.assertEqual(required_of(("model", "train")), ["--data", "nothing", "--out", "nothing"])
        self.assertEqual(required_of(("zoo", "list")), [])

    def test_an_unknown_setting_is_an_error_of_every_command(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                required = required_of(command)
                result = rhumb(*command, *required, "--set", "junk=1", cwd=self.folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("rhumb: error: setting junk=1: unknown key 'junk'", result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1)
                self.assertEqual(result.stdout, "")
                self.assertEqual(os.listdir(self.folder), [])
                if required:
                    result = rhumb(*command, "--set", "junk=1", cwd=self.folder)
                    self.assertEqual(result.returncode, 2)
                    self.assertIn("required", result.stderr)

    def test_an_unknown_setting_in_a_file_is_an_error_of_every_command(self):
        config = os.path.join(self.folder, "c.toml")
        with open(config, "w") as file:
            file.write("junk = 1\n")
        for command in COMMANDS:
            with self.subTest(command=command):
                result = rhumb(*command, *required_of(command), "--config", config, cwd=self.folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("c.toml:1: unknown key 'junk'", result.stderr)

    def test_verbose_says_what_runs(self):
        for command in COMMANDS:
            # The debug line comes before the work, so the missing files do not matter.
            words = [*command, *required_of(command)]
            if command in (("envs", "bench"), ("evaluate", "control-functional"), ("serve",)):
                continue  # they need nothing, and work for seconds, or serve until they are stopped
            with self.subTest(command=command):
                line = f"rhumb: debug: {' '.join(command)}: seed 3, threads "
                self.assertIn(line, rhumb(*words, "--seed", "3", "--verbose", cwd=self.folder).stderr)
                self.assertNotIn("debug", rhumb(*words, "--seed", "3", cwd=self.folder).stderr)

    def test_a_seed_is_a_whole_number(self):
        for seed in ("-1", "1.5", "many", "", str(2**64)):
            with self.subTest(seed=seed):
                result = rhumb("version", f"--seed={seed}")
                self.assertEqual(result.returncode, 2)
                self.assertIn("--seed", result.stderr)
        self.assertEqual(rhumb("version", "--seed", str(2**64 - 1)).returncode, 0)


    def test_mistakes_are_one_short_line(self):
        long, control = "x" * 100_000, "a\n\x1b]0;pwned\x07\x1b[2J\x9b2J"
        play = ["play", "--env", "point-v0"]
        for words in (
            [], [long], [control], ["-v"], ["---"], ["steer", "---=3"], ["play", f"--{control}"], ["play", f"--{long}"],
            [*play, "--threads", "0"], [*play, "--policy", control], [*play, "--policy", long],
            ["play", "--env", long], ["play", "--env", control], ["play", "--env", f"{long}.toml"],
            [*play, "--set", long], [*play, "--set", control], [*play, "--set", f"{control}=1"],
            [*play, "--set", f"episodes={control}"], [*play, "--set", "episodes=" + "[" * 100_000],
            [*play, "--set", "a." * 50_000 + "a=1"], [*play, "--config", long],
            ["model", "show", long], ["model", "show", control], ["envs", "replay", control],
            ["steer", "halfcheetah", "--target", long], ["steer", "halfcheetah", "--mode", long],
            ["steer", "halfcheetah", "--target", control], ["steer", "halfcheetah", "--query", long],
            ["steer", "halfcheetah", "--target", "forward=4000", "--out", f"/nonexistent/{long}"],
        ):
            with self.subTest(words=[word[:40] for word in words]):
                result = rhumb(*words, cwd=self.folder)
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr[:1000])
                self.assertTrue(result.stderr.startswith("rhumb: error: "), result.stderr)
                self.assertTrue(result.stderr.endswith("\n"))
                self.assertTrue(result.stderr[:-1].isprintable(), repr(result.stderr))
                self.assertLessEqual(len(result.stderr), 301)


    def test_over_long_names_and_too_few_iterations(self):
        long = "x" * 300
        steer = ["steer", "halfcheetah", "--target", "forward=4000"]
        for words, message in (
            ([*steer, "--out", long], "File name too long"),
            ([*steer, "--picture", f"{long}.png"], "File name too long"),
            ([*steer, "--video", f"{long}.webp"], "File name too long"),
            (["play", "--env", "point-v0", "--record", long], "File name too long"),
            (["population", "train", "--env", "point-v0", "--out", long], "xxx: File name too long"),
            (["model", "show", "/nonexistent"], "there is no folder /nonexistent"),
            (["population", "train", "--env", "point-v0", "--out", "p", "--set", "iterations=3"],
             "iterations = 3 is below keep_every = 5, so no policy would be kept"),
        ):  # fmt: skip
            with self.subTest(words=[word[:40] for word in words]):
                result = rhumb(*words, cwd=self.folder)
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                self.assertIn(message, result.stderr)
                self.assertEqual(os.listdir(self.folder), [])


class Streams(unittest.TestCase):
    """Results that cannot be written."""

    def test_a_full_stdout_is_an_error_of_every_kind_of_output(self):
        with open("/dev/full", "w") as full:
            for words in (
                ["version"],
                ["version", "--json"],
                ["--help"],
                ["--version"],
                ["envs", "list", "--json"],  # longer than a buffer
                ["steer", "halfcheetah", "--target", "forward=4000"],
                ["steer", "halfcheetah", "--target", "forward=4000", "--json"],
                ["steer", "halfcheetah", "--require", "forward>=1e6"],  # else exit 3
            ):
                with self.subTest(words=words):
                    result = rhumb(*words, stdout=full, stderr=subprocess.PIPE)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertEqual(
                        result.stderr.splitlines()[-1], "rhumb: error: stdout cannot be written"
                    )

    def test_a_full_stderr_does_not_change_the_exit_code(self):
        with open("/dev/full", "w") as full:
            result = rhumb("model", "show", "nothing", stdout=subprocess.PIPE, stderr=full)
            self.assertEqual(result.returncode, 2)
            result = rhumb("version", "--verbose", stdout=subprocess.PIPE, stderr=full)
            self.assertEqual(result.returncode, 0)

    def test_closed_streams(self):
        def run(words, closing):
            return subprocess.run(
                ["sh", "-c", f'exec "$0" "$@" {closing}', RHUMB, *words],
                capture_output=True, text=True, timeout=300, check=False,
            )

        self.assertEqual(run(["model", "show", "nothing"], "2>&-").returncode, 2)
        # A result that nobody can read is lost, as on a full disk.
        result = run(["version"], ">&-")
        self.assertEqual((result.returncode, result.stderr), (2, "rhumb: error: stdout cannot be written\n"))
        self.assertEqual(run(["version"], ">&- 2>&-").returncode, 2)
        self.assertEqual(run(["version"], "<&- >&- 2>&-").returncode, 2)
        # A file opened by the command must not become its stderr.
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "code.json")
            words = ["steer", "halfcheetah", "--target", "forward=4000", "--out", out, "--verbose"]
            self.assertEqual(run(words, "<&- 2>&-").returncode, 0)
            self.assertEqual(run(words, "<&- >&- 2>&-").returncode, 2)
            with open(out) as file:
                self.assertNotIn("rhumb: debug", file.read())


if __name__ == "__main__":
    unittest.main()
