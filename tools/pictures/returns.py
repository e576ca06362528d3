"""Draws what the policies return, and how near a decoder that is given their contexts comes to it.

    rhumb evaluate imitation MODEL --data DATASET --json > IMITATION.json
    python returns.py IMITATION.json OUT.png

First, where in objective space the imitated episodes lie; then the errors of every objective.
Several splits come as {"parts": [IMITATION, ...]}.
"""

import numpy as np
import objective_space as space
from dataset import SPLITS

# Each error with its colour, its line and what it is against.
ERRORS = {
    "error": (space.BLUE, "-", "decoder, against the episode"),
    "policy_error": (space.VERMILION, "--", "decoder, against the policy's mean"),
    "teacher_error": (space.GREY, ":", "policy's other episodes, against it"),
}
# Relative errors in percent: what is smaller or larger is drawn at the edge.
LOW, HIGH, LIMIT = 0.1, 1000, 10
BINS = np.geomspace(LOW, HIGH, 33)
TICKS = [0.1, 1, 10, 100, 1000]


def errors_of(rows, kind, name):
    """In percent; null, where no roll-out gave a number, counts as the largest."""
    entries = [row[kind][name] for row in rows if row.get(kind)]
    return np.array([np.inf if entry is None else 100 * entry for entry in entries], float)


def draw_density(figure, rows, names, units):
    """How many episodes fall into each cell of objective space."""
    axes = figure.subplots()
    points = np.array([[row["label"][name] for name in names] for row in rows], float)
    look = {"gridsize": 26, "mincnt": 1, "cmap": space.COUNTS, "linewidths": 0.2}
    if len(names) == 3:
        places, _ = space.draw_triangle(axes, names, points, units)
        cells, shrink = axes.hexbin(*places.T, extent=(0, 1, 0, 1), **look), 0.5
        axes.set_title("Returns of the episodes: the share of each, scaled to its range")
    else:
        first, second = names[0], names[min(1, len(names) - 1)]
        cells, shrink = axes.hexbin(points[:, 0], points[:, min(1, len(names) - 1)], **look), 1
        axes.set_xlabel(space.label(first, units, "return of "))
        axes.set_ylabel(space.label(second, units, "return of "))
        axes.set_title("Returns of the episodes")
        axes.margins(0.05)
    bar = figure.colorbar(cells, ax=axes, location="bottom", aspect=40, pad=0.02, shrink=shrink)
    bar.set_label("episodes in a cell")
    bar.locator = space.matplotlib.ticker.MaxNLocator(integer=True)
    bar.outline.set_visible(False)


def draw_errors(axes, rows, name):
    for kind, (colour, line, title) in ERRORS.items():
        errors = errors_of(rows, kind, name)
        if not errors.size:
            continue
        median, below = np.median(errors), 100 * np.mean(errors < LIMIT)
        axes.hist(
            np.clip(errors, LOW, HIGH),
            bins=BINS,
            weights=np.full(errors.size, 100 / errors.size),
            histtype="stepfilled" if kind == "error" else "step",
            facecolor=(colour, 0.2) if kind == "error" else "none",
            edgecolor=colour,
            lw=1.4,
            ls=line,
            label=f"{title}:\nmedian {median:.3g} %, {below:.0f} % below {LIMIT} %",
        )
        axes.axvline(np.clip(median, LOW, HIGH), color=colour, lw=1.1, ls=line)
    axes.axvline(LIMIT, color=space.INK, lw=1.2)
    axes.set_xscale("log")
    axes.set_xlim(LOW, HIGH)
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes.set_xlabel("relative error of the return (%)", loc="right")
    axes.set_ylabel("share of the episodes (%)")
    axes.set_title(f"{name} (thin: medians, black: {LIMIT} %)")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), fontsize=8, labelspacing=0.5)


def draw(document, path):
    parts = document.get("parts", [document])
    first, rows = parts[0], [row for part in parts for row in part["rows"]]
    if not rows:
        raise SystemExit("no episode was imitated: there is nothing to draw")
    names, units = space.objectives(first)
    kinds = ", ".join(SPLITS.get(part["split"], ("", "held out"))[1] for part in parts)
    title = f"{first['environment']}: {len(rows):,} episodes imitated with {first['mode']} actions"
    if len(names) <= 2:
        figure = space.new_figure(10, 0.6 + 3.5 * max(len(names), 1.3))
        one, other = figure.subfigures(1, 2, width_ratios=(1.15, 1))
        panels = other.subplots(len(names), 1, squeeze=False)[:, 0]
    else:
        figure = space.new_figure(10, 9.5)
        one, other = figure.subfigures(2, 1, height_ratios=(1.25, 1))
        panels = other.subplots(1, len(names), sharey=True)
    space.set_title(figure, f"{title}\n({kinds})")
    draw_density(one, rows, names, units)
    for axes, name in zip(panels, names):
        draw_errors(axes, rows, name)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
