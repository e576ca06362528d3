"""Draws the fronts of a map and of its policies.

    rhumb evaluate front MODEL --picture OUT.png
    python front.py FRONT.json OUT.png

A row of panels for returns, and one for discounted returns, with a panel for each pair of objectives.
With two objectives, a line encloses what a front dominates.
"""

import itertools

import numpy as np
import objective_space as space

# Each source with its colour, its marker, its line and what it is.
SOURCES = {
    "map": (space.BLUE, "o", "-", "the map"),
    "policy codes": (space.SKY, "s", "--", "the map's codes of policies alone"),
    "training labels": (space.VERMILION, "v", "-.", "training policies, labels"),
    "dataset": (space.ORANGE, "^", ":", "policies of the dataset"),
    "population": (space.GREEN, "D", "--", "policies of the population"),
}


def steps(points):
    """The corners of what the points dominate, from the left end to the right."""
    points = points[np.argsort(points[:, 0])]
    return np.repeat(points[:, 0], 2)[:-1], np.repeat(points[:, 1], 2)[1:]


def draw_panel(axes, table, tried, pair, names):
    for i, front in enumerate(table["fronts"]):
        colour, marker, line, title = SOURCES[front["source"]]
        points = np.array(front["points"], float)[:, pair]
        look = {"color": colour, "marker": marker, "s": 13, "lw": 0, "zorder": 9 - i}
        axes.scatter(*points.T, label=f"{title}: {front['cardinality']} of {front['tried']}", **look)
        if len(names) == 2:
            axes.plot(*steps(points), color=colour, ls=line, lw=1.3, zorder=8 - i)
    # The view of the fronts: a reference point far from it would shrink them to a dot.
    view = np.array([axes.get_xlim(), axes.get_ylim()])
    low = view[:, 0] - 0.6 * (view[:, 1] - view[:, 0])
    # All that was tried, by the values that chose, in the background; it may be far from the front.
    if not table["discounted"] and len(tried):
        axes.scatter(*tried[:, pair].T, s=3, color="#c9cfd5", lw=0, zorder=0, label="tried codes")
    for number, reference in enumerate(table["references"], 1):
        point = np.array([reference[names[k]] for k in pair], float)
        if np.all(point > low):
            axes.scatter(*point, marker="+", s=70, color=space.INK, lw=1.4, zorder=10)
            axes.annotate(f" {number}", point, fontsize=8, color=space.INK, va="bottom")


def words(table, names):
    """The hypervolume of each front by each reference point, a line each."""
    lines = []
    for number, reference in enumerate(table["references"]):
        point = ", ".join(f"{name} {space.number(reference[name])}" for name in names)
        lines.append(f"hypervolume {number + 1}, above {point}:")
        parts = [f"{f['source']} {f['hypervolume'][number]['value']:.4g}" for f in table["fronts"]]
        lines.append("    " + ", ".join(parts))
    return "\n".join(lines)


def draw(document, path):
    names, units = space.objectives(document)
    tables = [table for table in document["tables"] if table["fronts"]]
    pairs = list(itertools.combinations(range(len(names)), 2)) or [(0, 0)]
    figure = space.new_figure(max(8, 4.6 * len(pairs)), 0.7 + 4.8 * len(tables))
    space.set_title(
        figure,
        f"{document['environment']}, {document['mode']} actions: fronts by "
        f"{document['rollouts']} fresh rollouts each",
    )
    panels = figure.subplots(len(tables), len(pairs), squeeze=False)
    for row, table in zip(panels, tables):
        tried = np.array(document["tried"].get("map", []), float)
        kind = "discounted return of " if table["discounted"] else "return of "
        for axes, pair in zip(row, pairs):
            draw_panel(axes, table, tried, list(pair), names)
            axes.set_xlabel(space.label(names[pair[0]], units, kind))
            axes.set_ylabel(space.label(names[pair[1]], units, kind))
        row[0].set_title(words(table, names), fontsize=8)
        row[-1].legend(loc="best", fontsize=8)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
