"""The code of docs/python.md and the notebooks run as written."""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
# matplotlib stands in the Python of the pictures, on the same NumPy.
sys.path += [str(path) for path in pathlib.Path(os.environ["RHUMB_DEPS_DIR"]).glob("pictures/lib/python3*/site-packages")]


class Documents(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copytree(SOURCE / "tests/python/fixtures", pathlib.Path(folder) / "policies")
        shutil.copytree(SOURCE / "examples/crawler", pathlib.Path(folder) / "examples/crawler")
        before = os.getcwd()
        os.chdir(folder)
        self.addCleanup(os.chdir, before)

    def run_blocks(self, place, blocks):
        names = {"__name__": "__main__"}
        for number, block in enumerate(blocks):
            with self.subTest(place=place, block=number):
                exec(compile(block, f"{place}, block {number}", "exec"), names)
        return names

    def test_page(self):
        text = (SOURCE / "docs/python.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
        self.assertGreater(len(blocks), 5)
        self.run_blocks("docs/python.md", blocks)

    def test_notebooks(self):
        notebooks = sorted((SOURCE / "examples/python").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 2)
        for file in notebooks:
            document = json.loads(file.read_text())
            self.assertEqual(document["nbformat"], 4)
            cells = ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]
            names = self.run_blocks(file.name, cells)
            figures = [one for one in names.values() if hasattr(one, "_repr_png_")]
            self.assertTrue(figures, f"{file.name} shows no figure")
            self.assertTrue(figures[0]._repr_png_().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
