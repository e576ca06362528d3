"""What the tests of a report's page share: pages, their stages, and rendering them."""

import html
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
PICTURES = SOURCE / ".deps" / "pictures" / "bin" / "python"
SCRIPT = SOURCE / "tools" / "pictures" / "report.py"
WARNING = 'class="worse"'

COLUMNS = [
    {"key": key, "title": title, "meaning": f"meaning of {title}", "higher_is_better": key == "S"}
    for key, title in (
        ("S", "S"), ("E_targ_mean", "E_targ"), ("E_targ_median", "median"), ("E_cons", "E_cons"),
        ("violations", "violations"),
    )
]  # fmt: skip

# Renders all pages of a list in one process.
RENDER_ALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
import report
print(json.dumps([report.render(page) for page in json.load(open(sys.argv[2]))]))
"""


def measured(name, result):
    return {
        "output": f"measures/{name}.json", "command": ["evaluate", name], "wall_seconds": 2.0,
        "result": result,
    }  # fmt: skip


def page(*stages, environment="point-v0", figures=(), **report):
    """What report.py reads."""
    attributes = [{"name": "height", "expression": "mean(z)", "unit": "m"}]
    run = {"environment": environment, "rewards": "", "scale": "smoke", "seed": 1, "rhumb": "0"}
    whole = {**run, "wall_seconds": 65.0, "stages": list(stages), "attributes": attributes, **report}
    return {
        "report": whole, "figures": dict(figures), "columns": COLUMNS,
        "commands": [f"rhumb {' '.join(stage['command'])}" for stage in stages],
    }  # fmt: skip


def between(**met):
    """What each method meets."""
    methods = [{"method": name, "met": {"mean": share}, "false_noes": None} for name, share in met.items()]
    return measured("between/mean", {"mode": "mean", "methods": methods})


def fronts(high, kind="training labels"):
    """The map's front beside that of its policies, with the upper end of the ratio."""
    own = {"source": "map", "tried": 9, "cardinality": 4, "between": 1, "hypervolume": [{"value": 12345.0}]}
    compared = [
        {"source": "map", "with": with_, "ratio": 0.75, "high": high}
        for with_ in ("policy codes", kind)
    ]  # fmt: skip
    table = {"discounted": False, "references": [{"x": 0, "y": -2.5}], "fronts": [own], "compared": compared}
    return measured("front/mean", {"mode": "mean", "tables": [table, {"discounted": True, "fronts": []}]})


@unittest.skipUnless(PICTURES.exists(), "tools/setup pictures has not run")
class PageCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(folder.name)
        self.addCleanup(folder.cleanup)

    def python(self, *words):
        command = [str(word) for word in (PICTURES, "-E", "-s", "-B", *words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    def render(self, *pages):
        """Each page with single spaces; one page alone as itself."""
        (self.path / "pages.json").write_text(json.dumps(pages))
        result = self.python("-c", RENDER_ALL, SCRIPT.parent, self.path / "pages.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rendered = [" ".join(html.unescape(own).split()) for own in json.loads(result.stdout)]
        return rendered if len(pages) > 1 else rendered[0]

    def warnings(self, *pages):
        """The warnings of each page; of one page alone, its own."""
        rendered = self.render(*pages) if len(pages) > 1 else [self.render(*pages)]
        found = [re.findall(rf"<p {WARNING}>(.*?)</p>", own) for own in rendered]
        return found if len(pages) > 1 else found[0]
