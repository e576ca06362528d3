"""Renders the page of `rhumb reproduce` by the template report.html.j2.

    python report.py PAGE.json OUT.html

PAGE.json is {"report": REPORT, "figures": {NAME: {"picture": PNG, "drawing": SVG} or null},
"columns": [{"key", "title", "meaning", "higher_is_better"}, ...], "commands": [LINE, ...]}: the
report.json of a reproduction; its figures, null where not drawn; the columns of synthesis tables;
the command line of each stage. paper.json has the paper's numbers, by environment.

This file finds and compares numbers, and the template words them. A missing number is None. A
comparison that lacks a number is told apart from a good one, so that it cannot pass for one.
"""

import json
import math
import pathlib
import re
import sys

import jinja2

HERE = pathlib.Path(__file__).parent
NO_NUMBER = "–"
SPLITS = ["train", "held_out_checkpoint", "held_out_weight"]
MODES = ["sampled", "mean"]
SHOWN = 0.005  # half of the last digit that tables show
WORSE, UNKNOWN, FINE = "worse", "unknown", "fine"


def number(document, *place):
    """The number at the end of these keys and indices, else None."""
    for key in place:
        if isinstance(document, dict):
            document = document.get(key)
        elif isinstance(document, list) and isinstance(key, int) and key < len(document):
            document = document[key]
        else:
            return None
    is_number = isinstance(document, (int, float)) and not isinstance(document, bool)
    return document if is_number and math.isfinite(document) else None


def text(document, key):
    value = document.get(key) if isinstance(document, dict) else None
    return value if isinstance(value, str) else NO_NUMBER


def fixed(value, decimals, factor=1):
    return NO_NUMBER if value is None else f"{factor * value:.{decimals}f}"


def duration(seconds):
    if not seconds < 360000:
        return "over 100h"
    whole = math.floor(seconds + 0.5)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02}s"
    return f"{whole // 3600}h{whole // 60 % 60:02}m"


def compare(own, other, higher_is_better=False, margin=0.0):
    """Whether our number is worse than another one by more than the margin."""
    if own is None or other is None:
        return UNKNOWN
    gap = other - own if higher_is_better else own - other
    return WORSE if gap > margin else FINE


def measure_of(output):
    """The measure of an output: "probe" for "measures/probe/ours.json", "x" for "measures/x.json"."""
    parts = pathlib.PurePosixPath(output).parts
    return pathlib.PurePosixPath(parts[1]).stem if len(parts) > 1 and parts[0] == "measures" else ""


def model_of(document):
    """The name of its model: "vae" for "models/vae"."""
    return pathlib.PurePosixPath(text(document, "model")).name


def methods_of(document):
    """A synthesis document has the numbers of several methods: its own first."""
    return [document, *document.get("beside", [])] if isinstance(document, dict) else []


def method_of(document, method):
    return next((own for own in methods_of(document) if text(own, "method") == method), None)


def first_two(document):
    """The share of the variance that the first two components have."""
    first, second = (number(document, "variance_shares", k) for k in range(2))
    return None if first is None else first + (second or 0)


class Report:
    """What the template reads of PAGE.json."""

    def __init__(self, page, paper):
        self.report, self.figures = page["report"], page["figures"]
        self.columns, self.commands = page["columns"], page["commands"]
        self.stages = self.report["stages"]
        self.paper = paper.get(self.report["environment"])

    def results(self, measure):
        """The results of a measure, in the order of the stages."""
        own = [stage for stage in self.stages if measure_of(stage["output"]) == measure]
        return [stage["result"] for stage in own if isinstance(stage["result"], dict)]

    def result(self, output):
        return next((stage["result"] for stage in self.stages if stage["output"] == output), None)

    def column(self, key):
        return next(column for column in self.columns if column["key"] == key)

    def of_paper(self, table, model):
        """The paper's numbers for a model, {} where it has none."""
        rows = self.paper[table] if self.paper else []
        return next((row for row in rows if model in row["models"]), {})

    def imitation(self):
        """{"outcome", "document", "objective", "own"} of each row, worse below half of the episodes."""
        for document in self.results("imitation"):
            for objective, own in document.get("errors", {}).items():
                share = number(own, "error", "share_below_10_percent")
                outcome = compare(share, 0.5, higher_is_better=True)
                entry = {"outcome": outcome, "document": document}
                yield {**entry, "objective": objective, "own": own}

    def ordering(self):
        """(document, split, label, scores) of each row."""
        for document in self.results("ordering"):
            for split, own in document.get("splits", {}).items():
                for label, scores in own.get("ordering", {}).items():
                    yield document, split, label, scores

    def context(self):
        """(split, numbers) of each row."""
        for document in self.results("context"):
            for split, own in document.get("splits", {}).items():
                for row in own.get("rows", []):
                    yield split, row

    def cases(self):
        for document in self.results("control-functional"):
            yield from document.get("cases", [])

    def probes(self):
        """One entry for each kind of model, with the mean over its seeds: "vae-2" is a "vae".

        A mean is missing where one of its seeds is.
        """
        groups = {}
        for document in self.results("probe"):
            groups.setdefault(re.sub(r"[0-9-]+$", "", model_of(document)), []).append(document)
        for model, documents in groups.items():
            mean = {}
            for split in SPLITS:
                errors = [number(own, "splits", split, "mean_mse") for own in documents]
                mean[split] = None if None in errors else sum(errors) / len(errors)
            yield {"model": model, "seeds": len(documents), "mean": mean}

    def others_in_probe(self):
        """{"outcome", "split", "own", "others": [{"model", "error"}]}"""
        groups = {group["model"]: group["mean"] for group in self.probes()}
        ours = groups.pop("ours", {})
        for split in SPLITS:
            own = ours.get(split)
            for outcome in (WORSE, UNKNOWN):
                others = [
                    {"model": model, "error": mean[split]}
                    for model, mean in groups.items()
                    if compare(own, mean[split]) == outcome
                ]
                if others:
                    yield {"outcome": outcome, "split": split, "own": own, "others": others}

    def paper_in_probe(self):
        """{"outcome", "split", "own", "theirs"}"""
        ours = next((own["mean"] for own in self.probes() if own["model"] == "ours"), {})
        if paper := self.of_paper("probe", "ours"):
            for split in SPLITS:
                own, theirs = ours.get(split), paper["train" if split == "train" else "test"]
                outcome = compare(own, theirs)
                yield {"outcome": outcome, "split": split, "own": own, "theirs": theirs}

    def synthesis(self, mode):
        return [own for own in self.results("synthesis") if text(own, "mode") == mode]

    def our_synthesis(self, mode):
        return self.result(f"measures/synthesis/ours-{mode}.json")

    def our_default(self, mode):
        return method_of(self.our_synthesis(mode), "default")

    def method_against(self, document, method):
        """Steering against another method: {"outcome", "title", "own", "theirs", "noise"}

        "noise" is None where it does not explain the difference.
        """
        ours, other = method_of(document, "default"), method_of(document, method)
        for key in ("E_targ_mean", "E_cons", "violations"):
            own, theirs, column = number(ours, key), number(other, key), self.column(key)
            outcome = compare(own, theirs, column["higher_is_better"], SHOWN)
            noise = number(ours, "noise") if key == "E_targ_mean" and outcome == WORSE else None
            if noise is not None and own - theirs >= noise:
                noise = None
            entry = {"outcome": outcome, "title": column["title"], "own": own, "theirs": theirs}
            yield {**entry, "noise": noise}

    def others(self, mode):
        """Other models and other ways to steer: {"outcome", "model", "method", "error"}"""
        ours = self.our_default(mode)
        for document in self.synthesis(mode):
            for other in methods_of(document):
                method, error = text(other, "method"), number(other, "E_targ_mean")
                if other is not ours and method != "lookup":
                    outcome = compare(number(ours, "E_targ_mean"), error, margin=SHOWN)
                    entry = {"outcome": outcome, "model": model_of(document), "method": method}
                    yield {**entry, "error": error}

    def paper_columns(self):
        theirs = self.of_paper("synthesis", "ours.grounded")
        return [column for column in self.columns if column["key"] in theirs]

    def paper_in_synthesis(self, mode):
        """{"outcome", "title", "own", "theirs"}"""
        paper = self.of_paper("synthesis", "ours.grounded")
        for column in self.paper_columns():
            own, theirs = number(self.our_default(mode), column["key"]), paper[column["key"]]
            outcome = compare(own, theirs, column["higher_is_better"])
            yield {"outcome": outcome, "title": column["title"], "own": own, "theirs": theirs}

    def contests(self, mode):
        """Documents by the number of their requirements; the one of the hole has None."""
        documents = [own for own in self.results("constraints") if text(own, "mode") == mode]
        counted = [(count, own) for count, own in enumerate(documents, 1)]
        hole = self.result(f"measures/hole/{mode}.json")
        return counted + ([(None, hole)] if isinstance(hole, dict) else [])

    def contests_against(self, mode, method):
        """{"outcome", "count", "entries": those of method_against with the outcome}"""
        for count, document in self.contests(mode):
            compared = list(self.method_against(document, method))
            for outcome in (WORSE, UNKNOWN):
                if entries := [own for own in compared if own["outcome"] == outcome]:
                    yield {"outcome": outcome, "count": count, "entries": entries}

    def between(self):
        """(document, numbers of a method) of each row."""
        for document in self.results("between"):
            for own in document.get("methods", []):
                yield document, own

    def between_against(self, method):
        """Documents in which another method meets more: {"outcome", "mode", "own", "theirs"}"""
        for document in self.results("between"):
            met = {text(own, "method"): number(own, "met", "mean") for own in document.get("methods", [])}
            own, theirs = met.get("default"), met.get(method)
            outcome = compare(own, theirs, higher_is_better=True, margin=SHOWN)
            yield {"outcome": outcome, "mode": text(document, "mode"), "own": own, "theirs": theirs}

    def front_tables(self):
        """(document, table) of each pair of actions and kind of returns."""
        for document in self.results("front"):
            for table in document.get("tables", []):
                if table.get("fronts"):
                    yield document, table

    def smaller_fronts(self):
        """The map's hypervolume beside that of its policies: {"outcome", "mode", "with", "ratio"}"""
        for document, table in self.front_tables():
            for own in table.get("compared", []):
                if text(own, "source") == "map" and text(own, "with") != "policy codes":
                    outcome = compare(number(own, "high"), 1, higher_is_better=True)
                    kind = "discounted" if table.get("discounted") else "undiscounted"
                    entry = {"outcome": outcome, "mode": text(document, "mode"), "kind": kind}
                    yield {**entry, "with": text(own, "with"), "ratio": number(own, "ratio")}

    def changes(self):
        """(document, change, objective, errors) of each row."""
        for document in self.results("switch"):
            for change in document.get("reports", []):
                for objective, errors in change.get("objectives", {}).items():
                    yield document, change, objective, errors

    def paths(self):
        """(query, path, k, objective) of each row."""
        known = self.report.get("objectives", [])
        for document in self.results("paths"):
            names = [text(own, "name") for own in document.get("objectives", [])]
            shown = [(k, name) for k, name in enumerate(names) if not known or name in known]
            for query in document.get("queries", []):
                for path in query.get("paths", []):
                    for k, name in shown:
                        yield query, path, k, name

    def naive_paths(self):
        """{"outcome", "query", "naive", "projected"}, by the gap of the first objective."""
        for document in self.results("paths"):
            for query in document.get("queries", []):
                gaps = {text(own, "method"): number(own, "gap", 0) for own in query.get("paths", [])}
                if gaps:
                    naive, projected = gaps.get("naive"), gaps.get("projected")
                    entry = {"outcome": compare(projected, naive), "query": text(query, "text")}
                    yield {**entry, "naive": naive, "projected": projected}


def render(page):
    """The whole page."""
    needed = ["environment", "scale", "seed", "rhumb", "wall_seconds", "stages"]
    if missing := [key for key in needed if key not in page["report"]]:
        raise SystemExit(f"no report of `rhumb reproduce`: it lacks {', '.join(missing)}")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(fixed=fixed, duration=duration)
    functions = {own.__name__: own for own in (number, text, model_of, methods_of, first_two)}
    constants = {"SPLITS": SPLITS, "MODES": MODES}
    paper = json.loads((HERE / "paper.json").read_text(encoding="utf-8"))
    template = environment.get_template("report.html.j2")
    return template.render(view=Report(page, paper), **functions, **constants)


def main():
    if len(sys.argv) != 3:
        raise SystemExit("usage: python report.py PAGE.json OUT.html")
    page = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    pathlib.Path(sys.argv[2]).write_text(render(page), encoding="utf-8")


if __name__ == "__main__":
    main()
