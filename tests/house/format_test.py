"""C++ files are formatted as .clang-format says."""

import re
import subprocess
import unittest

import sources


class Format(unittest.TestCase):
    def test_clang_format_changes_nothing(self):
        paths = [str(path) for path in sources.files(".cc", ".h")]
        command = ["clang-format", "--dry-run", *paths]
        result = subprocess.run(command, cwd=sources.ROOT, check=True, capture_output=True, text=True)
        wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: warning", result.stderr, re.MULTILINE)))
        self.assertFalse(wrong, "mend with: clang-format -i " + " ".join(wrong))


if __name__ == "__main__":
    unittest.main()
