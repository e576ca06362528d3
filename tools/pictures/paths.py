"""Draws the ways that steering takes over the landscape of returns, and what it meets on them.

    rhumb evaluate paths MODEL --json > PATHS.json
    python paths.py PATHS.json OUT.png

A row for each query: the path over the objective that is to reach a target, the same over the one
that is bounded, and both objectives step by step, projected onto the data and naively.
"""

import textwrap

import landscape
import numpy as np
import objective_space as space
from constraints import MARKERS
from matplotlib.patches import Patch
from synthesis import METHODS as PRESETS

# The colour and the marker of each are those of its preset.
METHODS = {
    method: (PRESETS[preset][0], MARKERS[preset])
    for method, preset in {"projected": "paper", "naive": "naive"}.items()
}


class Query:
    """Which objective is to reach what, and which is bounded by what."""

    def __init__(self, document, names):
        self.text = space.with_minus(document["text"])
        self.first, self.target, self.second, self.sign, self.limit = space.demands(document, names)
        self.paths = {path["method"]: path["points"] for path in document["paths"]}

    def draws(self, name):
        """The lines that the objective is to reach or to stay beyond: level, line, what it is."""
        lines = []
        if name == self.first and self.target is not None:
            lines.append((self.target, "--", f"target {space.number(self.target)}"))
        if name == self.second and self.limit is not None:
            sign = {">=": "≥", "<=": "≤"}[self.sign]
            lines.append((self.limit, "-", f"bound {sign} {space.number(self.limit)}"))
        return lines


LINES = {"--": "dashed", "-": "solid"}


def draw_landscape(axes, places, values, path, query, name):
    scale = landscape.scale_of(values)
    field = landscape.Field(places, values)
    field.shade(axes, scale, alpha=0.6)
    landscape.draw_points(axes, places, values, scale, size=3, alpha=0.6)
    words = [f"landscape of {name}"]
    for level, line, text in query.draws(name):
        words.append(f"{LINES[line]}: {text}")
        if line == "-":
            field.veil(axes, (lambda v: v < level) if query.sign == ">=" else (lambda v: v > level))
        field.line(axes, level, linestyles=line)
    if path is not None:
        landscape.draw_path(axes, path, METHODS["projected"][0])
    axes.set_title("\n".join(words))
    landscape.name_directions(axes)
    return scale


def draw_steps(axes, query, names, name):
    """Solid what the decoder realised, with its deviation; dashed what the heads predicted."""
    k = names.index(name)
    column = lambda points, key: np.array(  # noqa: E731
        [np.nan if not p.get(key) or p[key][k] is None else p[key][k] for p in points], float
    )
    for method, (colour, marker) in reversed(METHODS.items()):
        points = query.paths.get(method)
        if not points:
            continue
        steps = np.array([point["iteration"] for point in points])
        realised, deviation = column(points, "realised"), column(points, "deviation")
        axes.fill_between(
            steps, realised - deviation, realised + deviation, color=colour, alpha=0.18, lw=0
        )
        axes.plot(steps, realised, color=colour, marker=marker, ms=4.5, lw=1.8)
        axes.plot(steps, column(points, "predicted"), color=colour, lw=1.4, ls=(0, (4, 2)))
    words = [f"steps of {name}"]
    for level, line, text in query.draws(name):
        axes.axhline(level, color=space.INK, lw=1.4, ls=line, zorder=1)
        words.append(f"{LINES[line]}: {text}")
    axes.margins(y=0.1)
    axes.set_title("\n".join(words))
    axes.set_xlabel("optimisation step")


def place_paths(layout, queries):
    """Where the projected path of each query lies, all placed at once; None where there is none."""
    codes = [[point["code"] for point in query.paths.get("projected", [])] for query in queries]
    everything = [code for path in codes for code in path]
    if not everything:
        return [None] * len(queries)
    places = layout.transform(np.array(everything, np.float32))
    parts = np.split(places, np.cumsum([len(path) for path in codes])[:-1])
    return [part if len(part) else None for part in parts]


def add_key(figure):
    line = space.matplotlib.lines.Line2D
    handles = [
        line([], [], color=colour, marker=marker, lw=2, label=f"{method} descent")
        for method, (colour, marker) in METHODS.items()
    ]
    handles += [
        line([], [], color=space.GREY, lw=1.8, label="realised by the decoder"),
        Patch(fc=(*space.colors.to_rgb(space.GREY), 0.25), label="± deviation over roll-outs"),
        line([], [], color=space.GREY, lw=1.4, ls=(0, (4, 2)), label="predicted"),
        line([], [], ls="", marker="o", ms=8, color=space.GREEN, label="start"),
        line([], [], ls="", marker="*", ms=13, color=landscape.RED, label="answer"),
        Patch(fc="white", ec=space.FAINT, hatch="////", label="bound broken"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, columnspacing=3)


def draw(document, path):
    names, units = space.objectives(document)
    codes = np.array(document["landscape"]["codes"], float)
    labels = np.array(document["landscape"]["labels"], float)
    queries = [Query(query, names) for query in document["queries"]]
    if not queries:
        raise SystemExit("no query: there is nothing to draw")
    layout = landscape.lay_out(codes)

    figure = space.new_figure(14, 1.7 + 4.3 * len(queries), font=12)
    space.set_title(
        figure,
        f"{document['environment']}, {document['mode']} actions: the descent of the paper, "
        "projected onto the data, and naive",
    )
    rows = figure.subfigures(len(queries), 1, squeeze=False)[:, 0]
    for row, query, places in zip(rows, queries, place_paths(layout, queries)):
        row.suptitle(query.text, x=0.01, ha="left", fontsize=14)
        panels = row.subplots(1, 4)
        for axes, name in zip(panels[:2], (query.first, query.second)):
            values = labels[:, names.index(name)]
            scale = draw_landscape(axes, layout.embedding_, values, places, query, name)
            landscape.add_bar(row, scale, units[name] or "raw units", ax=axes, aspect=25)
        for axes, name in zip(panels[2:], (query.first, query.second)):
            draw_steps(axes, query, names, name)
            axes.set_ylabel(textwrap.fill(units[name] or "raw units", 24))
    add_key(figure)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
