"""Every `./run …` command of README.md and docs/*.md works as it is written there."""

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


def commands_of(document):
    for block in re.findall(r"^```sh\n(.*?)^```", document.read_text(), re.M | re.S):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            # ./run alone and ./test would set the machine up; the words after ./run are rhumb's.
            if words[:1] == ["./run"] and len(words) > 1:
                yield words[1:]


class Documents(unittest.TestCase):
    def test_commands_run(self):
        documents = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SOURCE / "examples", pathlib.Path(folder) / "examples")
            for document in documents:
                for words in commands_of(document):
                    with self.subTest(document=document.name, command=" ".join(words)):
                        result = subprocess.run(
                            [RHUMB, *words], cwd=folder, capture_output=True, text=True, timeout=300
                        )
                        self.assertEqual(result.returncode, 0, result.stderr)
                        count += 1
        self.assertGreaterEqual(count, 8)


if __name__ == "__main__":
    unittest.main()
