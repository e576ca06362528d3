"""Draws the ways that steering takes over the landscape of returns, and what it meets on them.

    rhumb evaluate paths MODEL --json > PATHS.json
    python paths.py PATHS.json OUT.png

A row for each query: the path over the objective that is to reach a target, the same over the one
that is bounded, and both objectives step by step, projected onto the data and naively.
"""

import landscape
import numpy as np
import objective_space as space
from matplotlib.patches import Patch

METHODS = {"projected": (space.BLUE, "projected"), "naive": (landscape.RED, "naive")}


class Query:
    """Which objective is to reach what, and which is bounded by what."""

    def __init__(self, document, names):
        self.text = document["text"]
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


def draw_landscape(axes, places, values, path, query, name):
    scale = landscape.scale_of(values)
    field = landscape.Field(places, values)
    field.shade(axes, scale, alpha=0.6)
    landscape.draw_points(axes, places, values, scale, size=3, alpha=0.6)
    words = [f"landscape of {name}"]
    for level, line, text in query.draws(name):
        words.append(f"{'dashed' if line == '--' else 'solid'}: {text}")
        if line == "-":
            field.veil(axes, (lambda v: v < level) if query.sign == ">=" else (lambda v: v > level))
        field.line(axes, level, linestyles=line)
    if path is not None:
        landscape.draw_path(axes, path, METHODS["projected"][0])
    axes.set_title("\n".join(words))
    landscape.name_directions(axes, "UMAP, first axis", "UMAP, second axis")
    return scale


def draw_steps(axes, query, names, name):
    """Solid what the decoder realised, with its deviation; dashed what the heads predicted."""
    k = names.index(name)
    column = lambda points, key: np.array(  # noqa: E731
        [np.nan if not p.get(key) or p[key][k] is None else p[key][k] for p in points], float
    )
    for method, (colour, _) in reversed(METHODS.items()):
        points = query.paths.get(method)
        if not points:
            continue
        steps = np.array([point["iteration"] for point in points])
        realised, deviation = column(points, "realised"), column(points, "deviation")
        axes.fill_between(
            steps, realised - deviation, realised + deviation, color=colour, alpha=0.18, lw=0
        )
        axes.plot(steps, realised, color=colour, lw=1.8)
        axes.plot(steps, column(points, "predicted"), color=colour, lw=1.4, ls=(0, (4, 2)))
    for level, line, text in query.draws(name):
        axes.axhline(level, color=space.INK, lw=1.2, ls=line, zorder=1)
        axes.annotate(
            text, (1, level), xycoords=axes.get_yaxis_transform(), xytext=(-2, 3), ha="right",
            textcoords="offset points", fontsize=11,
            bbox={"fc": "white", "ec": "none", "alpha": 0.7, "pad": 0.5},
        )  # fmt: skip
    axes.margins(y=0.1)
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
    ways = METHODS.values()
    handles = [line([], [], color=c, lw=2, label=f"{title} descent") for c, title in ways]
    handles += [
        line([], [], color=space.GREY, lw=1.8, label="realised by the decoder"),
        line([], [], color=space.GREY, lw=1.4, ls=(0, (4, 2)), label="predicted"),
        line([], [], ls="", marker="o", ms=8, color=space.GREEN, label="start"),
        line([], [], ls="", marker="*", ms=13, color=landscape.RED, label="answer"),
        Patch(fc="white", ec=space.FAINT, hatch="////", label="bound broken"),
    ]
    look = {"ncols": len(handles), "columnspacing": 1.5}
    figure.legend(handles=handles, loc="outside lower center", **look)


def draw(document, path):
    names, units = space.objectives(document)
    codes = np.array(document["landscape"]["codes"], float)
    labels = np.array(document["landscape"]["labels"], float)
    queries = [Query(query, names) for query in document["queries"]]
    if not queries:
        raise SystemExit("no query: there is nothing to draw")
    layout = landscape.lay_out(codes)

    figure = space.new_figure(14, 1.1 + 4.3 * len(queries), font=12)
    rows = figure.subfigures(len(queries), 1, squeeze=False)[:, 0]
    for row, query, places in zip(rows, queries, place_paths(layout, queries)):
        row.suptitle(query.text, x=0.01, ha="left", fontsize=15)
        panels = row.subplots(1, 4)
        for axes, name in zip(panels[:2], (query.first, query.second)):
            values = labels[:, names.index(name)]
            scale = draw_landscape(axes, layout.embedding_, values, places, query, name)
            landscape.add_bar(row, scale, units[name] or "raw units", ax=axes, aspect=25)
        for axes, name in zip(panels[2:], (query.first, query.second)):
            draw_steps(axes, query, names, name)
            axes.set_title(space.label(name, units, "return of ", "\n"))
    add_key(figure)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
