"""The scripts of tools/pictures draw small synthetic documents of two and three objectives."""

import json
import math
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
PICTURES = SOURCE / ".deps" / "pictures" / "bin" / "python"
SCRIPTS = SOURCE / "tools" / "pictures"
DPI = 150

# Draws all documents of jobs.json in one process, because UMAP starts slowly. Reports each
# picture's size, axis labels and number of colours.
DRAW_ALL = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
import objective_space as space
from matplotlib import image
import numpy as np
save, told = space.save, []
def tell(figure, path):
    labels = [text for a in figure.axes for text in (a.get_xlabel(), a.get_ylabel()) if text]
    save(figure, path)
    pixels = (255 * image.imread(path)[..., :3]).astype(np.uint32)
    colours = np.unique(pixels @ np.array([65536, 256, 1], np.uint32)).size
    inches = figure.get_size_inches().tolist()
    told.append({"inches": inches, "labels": labels, "colours": int(colours)})
space.save = tell
for script, document, path in json.load(open(sys.argv[2])):
    importlib.import_module(script).draw(document, path)
import layout
laid = layout.lay_out(json.load(open(sys.argv[3])))
print(json.dumps({"told": told, "layout": laid}))
"""

NAMES = ["forward", "energy", "height"]


def objectives(count):
    return [{"name": name, "unit": f"unit of {name}"} for name in NAMES[:count]]


def numbers(rng, rows, columns):
    return [[rng.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]


def labels(codes, count):
    return [[1000 * code[k] - 500 * k for k in range(count)] for code in codes]


def by_name(values):
    return dict(zip(NAMES, values))


def imitation(count, split):
    rng = random.Random(split)
    rows = []
    for policy in range(30):
        label = [1000 + 100 * (policy % 10) + 50 * k * policy for k in range(count)]
        error = by_name([0.2 * rng.random() for _ in range(count)])
        rows.append({
            "policy": policy, "label": by_name(label), "policy_label": by_name(label),
            "realised": None if policy == 3 else by_name([1.05 * value for value in label]),
            "error": dict.fromkeys(error) if policy == 3 else error, "policy_error": error,
            "teacher_error": {},
        })  # fmt: skip
    words = {"environment": "e", "mode": "sampled", "split": split}
    return {**words, "objectives": objectives(count), "rows": rows}


def geometry(count):
    codes = numbers(random.Random(1), 64, 5)
    contexts = {
        "codes": codes, "projections": [[code[:4] for code in codes]] * 2,
        "labels": labels(codes, count), "split": [0] * 56 + [1] * 8,
        "weights": [[1.0] * count] * 64,
    }  # fmt: skip
    words = {"environment": "e", "variant": "ours", "objectives": objectives(count)}
    return {**words, "splits": ["train", "held_out_weight"], "contexts": contexts}


def paths(count):
    codes = numbers(random.Random(2), 64, 5)
    points = [
        {"iteration": 5 * i, "code": [0.1 * i] * 5, "predicted": [100.0 * i] * count,
         "realised": [90.0 * i] * count, "deviation": [10.0] * count, "distance": 0.1}
        for i in range(6)
    ]  # fmt: skip
    query = {
        "text": "q", "target": {"forward": 500}, "require": ["energy>=-300"],
        "paths": [{"method": method, "points": points} for method in ("projected", "naive")],
    }  # fmt: skip
    bare = {"text": "no bound", "target": {"energy": 100}, "require": [], "paths": []}
    landscape = {"codes": codes, "labels": labels(codes, count)}
    words = {"environment": "e", "mode": "sampled", "objectives": objectives(count)}
    return {**words, "landscape": landscape, "queries": [query, bare]}


def steer(count, realised=True):
    places = numbers(random.Random(3), 80, 2)
    values = [[1000 * x, -500 * y, 1.0][:count] for x, y in places]
    names, found = NAMES[:count], {"mean": 505.0, "std": 8.0, "episodes": 8}
    return {
        "environment": "e", "objectives": objectives(count), "steered": realised,
        "landscape": {"places": places, "values": values},
        "query": {"text": "q", "target": {"forward": 500}, "require": ["energy >= -300"]},
        "path": [{"place": [0.1 * i, 0], "predicted": [100.0 * i] * count} for i in range(6)],
        "predicted": dict.fromkeys(names, 500.0), "interval": dict.fromkeys(names, [450.0, 550.0]),
        "realised": dict.fromkeys(names, found) if realised else {},
        "rows": [{"name": name, "asked": "", "predicted": "500", "realised": "505"} for name in names],
        "status": "solved" if realised else "infeasible",
        "others": [{"place": [1, 1], "predicted": [400.0] * count}] if realised else [],
    }  # fmt: skip


def synthesis(scale):
    reports = [
        {"method": method, "S": 100.0, "E_targ_mean": 2.0 * scale * i, "E_targ_median": scale * i,
         "E_cons": 0.1, "violations": 3.0 * scale, "noise": 1.0, "met": 90.0 - scale * i}
        for i, method in enumerate(("default", "lookup", "naive"), 1)
    ]  # fmt: skip
    tasks = {"environment": "e", "mode": "sampled", "tasks": {"count": 20}}
    return {**reports[0], **tasks, "beside": reports[1:]}


def ordering(count, share=0.9):
    shares = {"z": {"share": share}, "h": {"share": 0.8}}
    parts = {"train": {"ordering": dict.fromkeys(NAMES[:count], shares)}}
    return {"environment": "e", "labels": NAMES[:count], "splits": parts}


def context(count):
    rows = []
    for size in (4, 16, 64):
        errors = {"mse": dict.fromkeys(NAMES[:count], 1 / size)}
        rows.append({"context": size, "mean_code": errors, "drawn": errors, "spread": size**-0.5})
    part = {"episodes": 9, "rows": rows, "spread_rate": -0.5}
    words = {"environment": "e", "variant": "ours", "trained_context": 32, "labels": NAMES[:count]}
    return {**words, "splits": {"held_out_checkpoint": part, "held_out_weight": part}}


def control_functional():
    rows = [{"size": n, "monte_carlo": n**-0.5, "control_functional": 1 / n} for n in (16, 64, 256)]
    case = {"density": "gaussian", "dimension": 1, "rows": rows, "monte_carlo_rate": -0.5}
    return {"config": {"repeats": 9}, "cases": [{**case, "control_functional_rate": -1.0}] * 3}


def model(count):
    sizes = {
        "action_size": 2, "attention_heads": 4, "code_size": 32, "context": 32, "token_width": 32,
        "deviation_source": "code", "observation_size": 4, "projection_size": 4,
        "pooling": ("class_token", "mean")[count % 2], "transformer_layers": 2,
    }  # fmt: skip
    words = {"environment": {"id": "e"}, "variant": "ours", "objectives": objectives(count)}
    return {**words, "architecture": sizes}


def tried_map(count):
    """A grounded model; others are drawn by model_show_test.py."""
    rng = random.Random(count)
    tried = {
        "mode": "sampled", "episodes": 4, "places": numbers(rng, 40, 2), "values": numbers(rng, 40, count),
        "spread": [rng.random() for _ in range(40)], "doubt": [rng.random() for _ in range(40)],
    }  # fmt: skip
    return {
        "environment": "e", "variant": "ours", "objectives": objectives(count), "metrics": {},
        "variance_shares": [0.6, 0.3], "places": numbers(rng, 9, 2), "values": numbers(rng, 9, count),
        "tried": tried,
    }  # fmt: skip


def front(count):
    """A small front of each source; labels have no discounted returns."""
    sources = ["map", "policy codes", "training labels", "dataset", "population"]
    rng = random.Random(count)
    tables = []
    for discounted in (False, True):
        fronts = [
            {"source": source, "tried": 20, "cardinality": 6, "points": numbers(rng, 6, count),
             "hypervolume": [{"value": 1.0}, {"value": 0.0}]}
            for source in sources if not (discounted and source == "training labels")
        ]  # fmt: skip
        references = [by_name([-1.0] * count), by_name([-500.0] * count)]
        tables.append({"discounted": discounted, "references": references, "fronts": fronts})
    return {
        "environment": "e", "mode": "mean", "rollouts": 8, "objectives": NAMES[:count],
        "tried": {"map": numbers(rng, 40, count)}, "tables": tables,
    }  # fmt: skip


def jobs():
    """(script, document, required parts of the axis labels)"""
    for count in (2, 3):
        units = [f"unit of {name}" for name in NAMES[:count]]
        held_out = imitation(count, "held_out_weight")
        yield "architecture", model(count), []
        yield "returns", held_out, ["relative error", *(units if count == 2 else [])]
        yield "steer", steer(count), [*units[:2], "direction"]
        yield "model", tried_map(count), ["direction", "deviation between episodes", "90 % interval", *units]
        yield "front", front(count), ["return of forward", "discounted return of energy"]
    yield "sawtooth", {"parts": [imitation(3, "train"), held_out]}, [*units, "checkpoints"]
    models = {"ours": ordering(3), "vae": ordering(3, 0.4), "vae-2": ordering(3, 0.6)}
    yield "ordering", {"models": models}, ["ordered (%)"]
    yield "context", context(3), ["state-action pairs", "MSE"]
    yield "paths", paths(3), ["optimisation step", *units[:2]]
    yield "geometry", geometry(3), [*units, "UMAP"]
    yield "geometry", {"ours": geometry(2), "vae": geometry(2)}, ["UMAP", "unit of energy"]
    yield "steer", steer(2, realised=False), ["unit of energy"]
    counts = [{"constraints": n, "report": synthesis(n)} for n in (1, 2, 3)]
    columns = [
        {"key": key, "meaning": f"meaning of {key}", "higher_is_better": key == "met"}
        for key in ("met", "E_targ_mean", "E_targ_median", "E_cons", "violations")
    ]
    drawn = [f"meaning of {key} (%)" for key in ("E_targ_median", "E_targ_mean", "violations", "met")]
    for hole in (synthesis(4), None):
        document = {"counts": counts, "hole": hole, "columns": columns}
        yield "constraints", document, ["simultaneous constraints", *drawn]
    yield "constraints", {"counts": [], "hole": synthesis(4)}, ["distance from the target (%)"]
    yield "control_functional", control_functional(), ["points", "error"]


@unittest.skipUnless(PICTURES.exists(), "tools/setup pictures has not run")
class Pictures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def python(self, *words):
        command = [str(word) for word in (PICTURES, "-E", "-s", "-B", *words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def test_columns_of_the_steering_table_do_not_overlap(self):
        """A character takes at most 0.0122 of the width: measured on digits at 8 points."""
        code = """
import json, sys
sys.path.insert(0, sys.argv[1])
import steer
print(json.dumps(list(steer.column_starts(json.loads(sys.argv[2])))))"""
        rows = [["", "asked", "predicted", "realised"],
                ["forward", "as large as possible", "35.147  (30.71 to 38.4)", "35.882 ± 2.3"],
                ["energy", ">= -8", "-7.8479  (-9.695 to -7.299)", "-7.888 ± 0.68"]]  # fmt: skip
        result = self.python("-c", code, SCRIPTS, json.dumps(rows))
        self.assertEqual(result.returncode, 0, result.stderr)
        starts = [*json.loads(result.stdout), 1]
        self.assertEqual(starts[0], 0)
        for column, (begin, end) in enumerate(zip(starts, starts[1:])):
            longest = max(len(row[column]) for row in rows)
            self.assertGreater(end - begin, 0.0122 * longest)

    def test_a_long_query_is_drawn_whole(self):
        """The title wraps inside the figure, and every requirement has a line in the table."""
        code = """
import json, sys
sys.path.insert(0, sys.argv[1])
import objective_space as space, steer
told = {}
def tell(figure, path):
    figure.canvas.draw()
    box = figure._suptitle.get_window_extent()
    told.update(title=figure._suptitle.get_text(), right=box.x1 / figure.bbox.width, left=box.x0)
    told["legend"] = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    texts = [text for axes in figure.axes for text in axes.texts]
    told["table"] = [text.get_text() for text in texts]
    asked, predicted = (
        next(text.get_window_extent() for text in texts if text.get_text().startswith(word))
        for word in ("<= \N{MINUS SIGN}1600", "\N{MINUS SIGN}1562.4")
    )
    told["gap"] = predicted.x0 - asked.x1
space.save = tell
steer.draw(json.load(open(sys.argv[2])), "p")
print(json.dumps(told))"""
        document = steer(2)
        asked = [f"attribute_{i} at most {i}" for i in range(12)]
        document["query"]["text"] = "bring forward to 500, with " + ", ".join(asked)
        for i in (1, 2):
            row = {"name": f"attribute_{i}", "asked": f"<= {i}", "predicted": "0.5", "realised": "0.6"}
            document["rows"].append(row)
        row = {"name": "cost", "asked": "<= -1600", "predicted": "-1562.4  (-1583 to -1542)", "realised": "-1550"}
        document["rows"].append(row)
        (self.path / "d.json").write_text(json.dumps(document))
        result = self.python("-c", code, SCRIPTS, self.path / "d.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = json.loads(result.stdout)
        self.assertEqual(" ".join(told["title"].split()), f"e: {document['query']['text']}")
        self.assertGreater(told["title"].count("\n"), 0)
        self.assertGreaterEqual(told["left"], 0)
        self.assertLessEqual(told["right"], 1)
        self.assertGreater(told["gap"], 4, "pixels between two columns")
        self.assertIn("further answers", told["legend"])
        for word in ("realised", "attribute_1", "<= 2"):
            self.assertIn(word, told["table"])
        # Without roll-outs no column says that there were some.
        del document["realised"]
        for row in document["rows"]:
            row["realised"] = ""
        (self.path / "d.json").write_text(json.dumps(document))
        result = self.python("-c", code, SCRIPTS, self.path / "d.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("realised", json.loads(result.stdout)["table"])

    def test_what_the_scripts_share(self):
        code = """
import json, sys
sys.path.insert(0, sys.argv[1])
import numpy as np, objective_space as space, landscape
field = landscape.Field(np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.full(4, 7.0)).values
query = {"target": {"b": 5}, "require": ["b <= 9", "a >= 1"]}
print(json.dumps([
    space.bound(" energy >= -3e3"), space.bound("forward/energy >= 2"),
    space.demands(query, ["a", "b"]), space.number(-1234.4), space.number(0.5),
    space.with_minus("a-1 at least -2.5"),
    space.in_triangle([[1, 0, 0], [0, 1, 0], [0, 0, 1]])[0].tolist()[0],
    field.min(), field.max(), bool(field.mask[130, 130]),
]))"""
        result = self.python("-c", code, SCRIPTS)
        self.assertEqual(result.returncode, 0, result.stderr)
        told = json.loads(result.stdout)
        bound, no_bound, demands, large, small, text, top, low, high, empty = told
        self.assertEqual(bound, ["energy", ">=", -3000])
        self.assertIsNone(no_bound)
        # The picture shows the bound whose objective differs from the target's.
        self.assertEqual(demands, ["b", 5, "a", ">=", 1])
        self.assertEqual((large, small), ("\N{MINUS SIGN}1,234", "0.5"))
        self.assertEqual(text, "a-1 at least \N{MINUS SIGN}2.5")
        # All weight on the first objective is its corner, the top of the triangle.
        self.assertAlmostEqual(top[0], 0.5)
        self.assertAlmostEqual(top[1], math.sqrt(3) / 2)
        # A constant stays constant; the centre of an empty square belongs to no field.
        self.assertAlmostEqual(low, 7)
        self.assertAlmostEqual(high, 7)
        self.assertTrue(empty)

    def test_panels(self):
        code = """
import json, sys
sys.path.insert(0, sys.argv[1])
import constraints, context, objective_space as space, ordering
documents, told = json.load(open(sys.argv[2])), {}
kinds = ordering.by_kind(documents["ordering"])
told["kinds"] = {kind: len(own) for kind, own in kinds.items()}
told["order"] = list(kinds)
told["shares"] = ordering.shares_of(kinds["vae"], "train", "forward", "z")
space.save = lambda figure, path: told.update({path: [
    [a.get_ylabel(), *map(float, a.get_ylim()), [float(y) for l in a.lines for y in l.get_ydata()]]
    for a in figure.axes]})
constraints.draw({"counts": [], "hole": documents["hole"]}, "hole")
context.draw(documents["context"], "context")
print(json.dumps(told))"""
        names = ("paper", "vae", "vae-2", "other", "ours")
        models = {name: ordering(2, 0.4 + 0.2 * (name == "vae")) for name in names}
        # The second panel has ten times as many as the first.
        sizes = context(2)
        sizes["splits"]["held_out_weight"] = json.loads(json.dumps(sizes["splits"].popitem()[1]))
        for row in sizes["splits"]["held_out_weight"]["rows"]:
            row["mean_code"]["mse"]["forward"] *= 10
        documents = {"ordering": models, "hole": synthesis(4), "context": sizes}
        (self.path / "d.json").write_text(json.dumps(documents))
        result = self.python("-c", code, SCRIPTS, self.path / "d.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = json.loads(result.stdout)
        self.assertEqual(told["order"], ["ours", "vae", "other", "paper"])
        self.assertEqual(told["kinds"], {"ours": 1, "vae": 2, "other": 1, "paper": 1})
        for share, wanted in zip(told["shares"], (60, 40), strict=True):
            self.assertAlmostEqual(share, wanted)
        panels = [label for label, *_ in told["hole"]]
        self.assertEqual(panels, ["distance from the target (%)", "tasks (%)"])
        for _, low, high, values in told["context"]:
            self.assertTrue(all(low <= value <= high for value in values), (low, high, values))

    def test_every_script_draws(self):
        drawn = list(jobs())
        paths = [self.path / f"{i}-{script}.png" for i, (script, _, _) in enumerate(drawn)]
        todo = [(script, document, str(path)) for (script, document, _), path in zip(drawn, paths)]
        (self.path / "jobs.json").write_text(json.dumps(todo))
        # Two heaps of codes, far apart; a mode with few codes has no layout.
        rng = random.Random(5)
        codes = [[rng.gauss(20 * (i % 2), 1) for _ in range(6)] for i in range(60)]
        modes = {"sampled": {"hash": "h", "codes": codes}, "mean": {"hash": "m", "codes": codes[:5]}}
        (self.path / "codes.json").write_text(json.dumps({"modes": modes}))
        result = self.python("-c", DRAW_ALL, SCRIPTS, self.path / "jobs.json", self.path / "codes.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        said = json.loads(result.stdout)
        told_of_all = said["told"]
        self.assertEqual(list(said["layout"]["modes"]), ["sampled"])
        self.assertEqual(said["layout"]["modes"]["sampled"]["hash"], "h")
        heaps = [said["layout"]["modes"]["sampled"]["places"][first::2] for first in (0, 1)]
        centres = [[sum(axis) / 30 for axis in zip(*heap)] for heap in heaps]
        for heap, own, other in zip(heaps, centres, reversed(centres)):
            self.assertTrue(all(math.dist(place, own) < math.dist(place, other) for place in heap))
        for (_, _, wanted), path, told in zip(drawn, paths, told_of_all, strict=True):
            with self.subTest(picture=path.name):
                width, height = struct.unpack(">II", path.read_bytes()[16:24])
                self.assertAlmostEqual(width, DPI * told["inches"][0], delta=1)
                self.assertAlmostEqual(height, DPI * told["inches"][1], delta=1)
                self.assertGreaterEqual(width, 900)
                self.assertGreater(told["colours"], 100)
                for words in wanted:
                    self.assertIn(words, "\n".join(told["labels"]))

    def test_every_script_is_tried(self):
        shared = {"objective_space", "landscape", "layout"}  # the last draws nothing, and is tried above
        # Drawn by the tests of the commands whose results they show, and by tests/report/page_test.py.
        elsewhere = {"dataset", "population", "synthesis", "report"}
        scripts = {path.stem for path in SCRIPTS.glob("*.py")} - shared - elsewhere
        self.assertEqual(scripts, {script for script, _, _ in jobs()})

    def test_command_line(self):
        script, document = SCRIPTS / "control_functional.py", self.path / "d.json"
        document.write_text(json.dumps(control_functional()))
        result = self.python(script, document, self.path / "p.png", self.path / "p.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.path / "p.png").read_bytes().startswith(b"\x89PNG\r\n"))
        self.assertIn("<svg", (self.path / "p.svg").read_text()[:1000])
        result = self.python(script, document)
        self.assertNotEqual(result.returncode, 0)
        usage = "usage: python control_functional.py DOCUMENT.json OUT.png|OUT.svg..."
        self.assertIn(usage, result.stderr)


if __name__ == "__main__":
    unittest.main()
