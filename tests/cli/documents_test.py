"""README.md and docs/*.md are correct: their commands run as written, and their links resolve."""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

RHUMB = os.environ["RHUMB_BIN"]
SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
README = SOURCE / "README.md"
# Every command has these; docs/commands.md describes them once.
COMMON = {"--config", "--set", "--seed", "--threads", "--json", "--verbose", "--help"}
# Other tests run at the same time; threads that spin while waiting would take their cores.
ENVIRONMENT = {**os.environ, "GOMP_SPINCOUNT": "0"}


def rhumb(*words, cwd=None):
    return subprocess.run(
        [RHUMB, *words], cwd=cwd, capture_output=True, text=True, timeout=300, env=ENVIRONMENT, check=False
    )


@functools.cache
def help_of(*command):
    result = rhumb(*command, "--help")
    assert result.returncode == 0, result.stderr
    return result.stdout


def subcommands_of(*command):
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", help_of(*command), re.M)
    return re.findall(r"^  ([a-z][a-z-]*) ", listed[1], re.M) if listed else []


def commands():
    """All commands as tuples of words: ("envs", "list"), ("steer",), …"""
    for name in subcommands_of():
        parts = subcommands_of(name)
        yield from [(name, part) for part in parts] or [(name,)]


def options_of(*command):
    """The options listed in the help, by their first names."""
    return set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", help_of(*command), re.M))


def pages():
    """README and the pages it lists, in order: later pages use the results of earlier ones."""
    return [README, *(SOURCE / link for link in re.findall(r"^- \[(docs/[a-z-]+\.md)\]", README.read_text(), re.M))]


def text_of(page):
    """The text of a page, with backslash-continued commands joined into one line."""
    return re.sub(r" *\\\n *", " ", page.read_text())


def blocks_of(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text_of(page), re.M | re.S)


def runs_of(page):
    """For each command in a shell block: (the words after ./run, the exit code named in a comment)."""
    for block in blocks_of(page, "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            # ./run alone and ./test would set up the machine; the words after ./run are rhumb's.
            if words[:1] == ["./run"] and len(words) > 1:
                code = re.search(r"# exit code (\d+)", line)
                yield words[1:], int(code[1]) if code else 0


def smoke_scale(words):
    """The command as run here, or nothing if it takes minutes and has its own test."""
    if words[0] == "reproduce":  # reproduce_test.py
        return None
    if words[0] == "steer" and "--video" in words:  # five seconds of film: encode_play_test.py films less
        place = words.index("--video")
        return words[:place] + words[place + 2 :]
    return words


def mentions_of(page):
    """The plain words of every command on a page, run or not."""
    text = text_of(page)
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    lines += [line for block in blocks_of(page, "sh") for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", text)
    for line in lines:
        found = re.match(r"(?:rhumb|\./run) ([a-z].*)", line.replace("\\|", "|"))
        if found:
            yield found[1].split("#")[0].split()


def anchors_of(page):
    """Anchors as GitHub derives them from headings."""
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Documents(unittest.TestCase):
    def test_commands_run(self):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SOURCE / "examples", pathlib.Path(folder) / "examples")
            for page in pages():
                for words, code in runs_of(page):
                    words = smoke_scale(words)
                    if words is None:
                        continue
                    with self.subTest(page=page.name, command=shlex.join(words)):
                        result = rhumb(*words, cwd=folder)
                        self.assertEqual(result.returncode, code, result.stderr)
                        count += 1
        self.assertGreaterEqual(count, 40)

    def test_every_page_is_linked(self):
        self.assertEqual(set(pages()) - {README}, set((SOURCE / "docs").glob("*.md")))

    def test_links_lead_somewhere(self):
        for page in [*pages(), *SOURCE.glob("*.md")]:
            for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                if "://" in link:
                    continue
                path, _, anchor = link.partition("#")
                target = page.parent / path if path else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(target.exists())
                    self.assertTrue(not anchor or anchor in anchors_of(target))

    def test_commands_that_are_mentioned_exist(self):
        count = 0
        for page in pages():
            for words in mentions_of(page):
                command = words[:1] if not subcommands_of(*words[:1]) else words[:2]
                with self.subTest(page=page.name, command=" ".join(words)):
                    self.assertIn(command[0], subcommands_of())
                    if len(command) > 1:
                        self.assertIn(command[1], subcommands_of(command[0]))
                    options = {word.split("=")[0] for word in words if re.match(r"--[a-z]", word)}
                    self.assertLessEqual(options, options_of(*command) | COMMON | {"--version"})
                    count += 1
        self.assertGreaterEqual(count, 100)

    def test_the_page_of_commands_is_whole(self):
        """docs/commands.md lists every command with exactly its own options."""
        text = (SOURCE / "docs/commands.md").read_text()
        sections = re.findall(r"^### rhumb ([a-z -]+)\n(.*?)(?=^##|\Z)", text, re.M | re.S)
        self.assertEqual([tuple(name.split()) for name, _ in sections], list(commands()))
        for name, section in sections:
            with self.subTest(command=name):
                self.assertEqual(
                    set(re.findall(r"`(--[a-z-]+)", section)) - COMMON, options_of(*name.split()) - COMMON
                )


if __name__ == "__main__":
    unittest.main()
