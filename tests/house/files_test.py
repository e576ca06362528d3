"""What every file of the repository keeps to."""

import re
import unittest

import sources

LINE_LIMIT = 500  # a file that needs more is two files
REQUIRED = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE", "README.md", "SECURITY.md"]

# Where packages come from is the user's setting, and no path belongs to one machine.
FORBIDDEN = {
    "a package registry's host": r"(pypi|pythonhosted)\.org|(deb|security)\.debian\.org",
    "a path of one machine": r"(?<![\w.])/(home|root|Users|work)/[\w.]",
}
GRAB_BAGS = re.compile(r"(^|_)(utils?|common|helpers?|misc|manager)(_|\.|$)")


class Files(unittest.TestCase):
    def test_required_files_exist(self):
        for name in REQUIRED:
            self.assertTrue((sources.ROOT / name).is_file(), f"{name} is missing")

    def test_no_file_is_too_long(self):
        for path in sources.files(".cc", ".h", ".py", ".cmake"):
            lines = (sources.ROOT / path).read_text().count("\n")
            self.assertLessEqual(lines, LINE_LIMIT, f"{path} has {lines} lines")

    def test_no_forbidden_text(self):
        for path in sources.files():
            try:
                text = (sources.ROOT / path).read_text()
            except UnicodeDecodeError:
                continue  # a picture
            for what, pattern in FORBIDDEN.items():
                found = re.search(pattern, text)
                self.assertFalse(found, f"{path} holds {what}: {found and found.group()}")

    def test_no_grab_bags(self):
        for path in sources.files(".cc", ".h", ".py"):
            self.assertIsNone(GRAB_BAGS.search(path.name), f"{path}: name what it holds")


if __name__ == "__main__":
    unittest.main()
