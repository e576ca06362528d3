"""Help, completion and the man page, all from one tree of commands."""

import os
import re
import shutil
import subprocess
import unittest

import options_test

RHUMB = os.environ["RHUMB_BIN"]


def rhumb(*words, **environment):
    return subprocess.run(
        [RHUMB, *words], capture_output=True, text=True, timeout=60, env={**os.environ, **environment}, check=False
    )


class Help(unittest.TestCase):
    def test_help_of_every_command_fits_and_has_its_own_examples(self):
        groups = {command[:1] for command in options_test.COMMANDS if len(command) > 1}
        for command in [*groups, *options_test.COMMANDS]:
            with self.subTest(command=command):
                text = rhumb(*command, "--help").stdout
                self.assertEqual(rhumb("help", *command).stdout, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
                if command not in (("envs", "list"), ("version",), ("selftest",)):
                    examples = text.split("\nExamples:\n")[1]
                    self.assertIn(f"  rhumb {' '.join(command)}", examples)

    def test_a_narrow_terminal(self):
        body = rhumb("help", "play", COLUMNS="60").stdout.split("\nExamples:")[0]
        self.assertLessEqual(max(map(len, body.splitlines())), 60)

    def test_help_alone_lists_the_commands(self):
        result = rhumb("help")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, rhumb("--help").stdout)
        self.assertRegex(result.stdout, r"(?m)^  steer +find a code")
        self.assertIn("rhumb completion bash", result.stdout)

    def test_misspelt_words(self):
        for words, message in (
            (["ster", "halfcheetah"], "unknown command 'ster'; did you mean 'steer'?"),
            (["model", "trian"], "unknown command 'model trian'; did you mean 'train'?"),
            (["steer", "x", "--taget", "a=1"], "unknown option '--taget' of rhumb steer; did you mean '--target'?"),
            (["population", "train", "--count", "3"], "unknown option '--count' of rhumb population train; "
             "it is a setting: --set count=VALUE"),
            (["help", "ster"], "unknown command 'ster'; did you mean 'steer'?"),
            (["-v"], "unknown option '-v' of rhumb; `rhumb --help` lists them"),
            ([], "a command is missing; `rhumb help` lists them"),
        ):  # fmt: skip
            with self.subTest(words=words):
                result = rhumb(*words)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertEqual(result.stderr, f"rhumb: error: {message}\n")


class Completion(unittest.TestCase):
    def complete(self, *words):
        """What bash offers for the last word, with the script loaded."""
        line = " ".join(f"'{word}'" for word in ("rhumb", *words))
        script = f"""
            source /dev/stdin <<< "$({RHUMB} completion bash)"
            COMP_WORDS=({line}); COMP_CWORD={len(words)}
            _rhumb; printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_commands_options_words_and_settings(self):
        self.assertEqual(self.complete("ste"), ["steer"])
        self.assertEqual(self.complete("model", "g"), ["ground"])
        self.assertEqual(self.complete("steer", "halfcheetah", "--max"), ["--maximise", "--maximize"])
        self.assertEqual(self.complete("--verbose", "model", "tr"), ["train"])
        self.assertEqual(self.complete("steer", "m", "--mode", ""), ["sampled", "mean"])
        self.assertIn("ppo.environments=", self.complete("population", "train", "--set", "ppo.e"))
        self.assertEqual(self.complete("completion", ""), [], "a file, or a word that bash knows")
        self.assertEqual(self.complete("model", "show", "half"), [], "files are left to bash")

    def test_every_command_is_completed(self):
        for command in options_test.COMMANDS:
            self.assertEqual(self.complete(*command)[:1], [command[-1]])
            listed = set(re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)", rhumb("help", *command).stdout))
            with self.subTest(command=command):
                self.assertLessEqual(listed, set(self.complete(*command, "--")))


class ManPage(unittest.TestCase):
    def test_it_has_every_command(self):
        page = rhumb("help", "--man").stdout
        for command in options_test.COMMANDS:
            self.assertIn(f".SS rhumb {' '.join(command)}".replace("-", "\\-") + "\n", page)

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_groff_accepts_it(self):
        page = rhumb("help", "--man").stdout
        result = subprocess.run(
            ["groff", "-man", "-ww", "-Tascii"], input=page, capture_output=True, text=True, timeout=60, check=True
        )
        self.assertEqual(result.stderr, "")
        self.assertIn("rhumb population train", result.stdout)


if __name__ == "__main__":
    unittest.main()
