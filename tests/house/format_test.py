"""C++ files are formatted as .clang-format says."""

import subprocess
import unittest

import sources


class Format(unittest.TestCase):
    def test_clang_format_changes_nothing(self):
        paths = [str(path) for path in sources.files(".cc", ".h")]
        command = ["clang-format", "--dry-run", "--Werror", *paths]
        result = subprocess.run(command, cwd=sources.ROOT, capture_output=True, text=True)
        message = f"mend with: clang-format -i FILE\n{result.stderr}"
        self.assertEqual(result.returncode, 0, message)


if __name__ == "__main__":
    unittest.main()
