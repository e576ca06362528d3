"""Draws what many requirements at once and a hole in the training data cost, method by method.

    python constraints.py CONSTRAINTS.json OUT.png

CONSTRAINTS.json is {"counts": [{"constraints": n, "report": SYNTHESIS}, ...], "hole": SYNTHESIS,
"columns": [{"key", "meaning", "higher_is_better"}, ...]}, of documents of `rhumb evaluate synthesis`
and the columns of its table. The counts may be empty or the hole null.
"""

import numpy as np
import objective_space as space
from synthesis import METHODS

MARKERS = {
    "default": "o", "still": "x", "paper": "v", "naive": "s", "lookup": "^", "nearest_label": "D",
    "imitate": "P", "teacher": "*",
}  # fmt: skip
# The columns that get a panel.
PANELS = ["E_targ_median", "E_targ_mean", "violations", "met"]
NOISE = {"ls": (0, (1, 2)), "lw": 1.2}


def reports_of(document):
    return {report["method"]: report for report in [document, *document["beside"]]}


def number(report, key):
    value = report.get(key) if report else None
    return np.nan if value is None else value


def draw_lines(axes, counts, column):
    key = column["key"]
    sizes = [entry["constraints"] for entry in counts]
    reports = [reports_of(entry["report"]) for entry in counts]
    for method, (colour, line, title) in METHODS.items():
        values = [number(report.get(method), key) for report in reports]
        if np.isfinite(values).any():
            axes.plot(
                sizes, values, color=colour, ls=line, marker=MARKERS[method], ms=5, lw=1.7,
                label=title, clip_on=False,
            )  # fmt: skip
    if key == "E_targ_mean":
        noise = [number(entry["report"], "noise") for entry in counts]
        axes.plot(sizes, noise, color=space.INK, **NOISE, label="noise of the roll-outs")
    axes.set_ylabel(f"{column['meaning']} (%)")
    axes.set_title(f"{'higher' if column['higher_is_better'] else 'lower'} is better")
    axes.set_xticks(sizes)
    axes.set_xlabel("simultaneous constraints")
    axes.set_ylim(bottom=0)


def draw_bars(axes, document, keys):
    """A group for each measure, a bar for each method."""
    reports = {m: r for m, r in reports_of(document).items() if m in METHODS}
    ordered = [method for method in METHODS if method in reports]
    width = 0.8 / len(ordered)
    for i, method in enumerate(ordered):
        at = np.arange(len(keys)) + (i - (len(ordered) - 1) / 2) * width
        values = [number(reports[method], key) for key in keys]
        axes.bar(at, values, 0.9 * width, color=METHODS[method][0], label=METHODS[method][2])
        for x, value in zip(at, values):
            if np.isfinite(value):
                words = f"{value:.2g}" if value < 99.5 else f"{value:.0f}"
                axes.text(x, value, words, ha="center", va="bottom", fontsize=7.5)
    axes.grid(axis="x", visible=False)
    axes.margins(y=0.12)
    axes.set_ylim(bottom=0)


def draw_hole(distances, shares, document):
    draw_bars(distances, document, ["E_targ_median", "E_targ_mean"])
    distances.set_xticks([0, 1], ["median", "mean"])
    distances.set_ylabel("distance from the target (%)")
    # It is a mean too.
    distances.hlines(
        number(document, "noise"), 0.55, 1.45, color=space.INK, label="noise of the roll-outs",
        **NOISE,
    )  # fmt: skip
    draw_bars(shares, document, ["violations", "met"])
    shares.set_xticks([0, 1], ["violated", "met"])
    shares.set_ylabel("tasks (%)")
    for axes in (distances, shares):
        axes.set_title(f"{document['tasks']['count']} tasks in the hole")


def draw(document, path):
    counts, hole = document["counts"], document.get("hole")
    if not counts and not hole:
        raise SystemExit("neither counts nor a hole: there is nothing to draw")
    first = counts[0]["report"] if counts else hole
    figure = space.new_figure(10, 7 if counts else 4.2)
    words = f"{first['environment']}, {first['mode']} actions: "
    if counts:
        words += f"{first['tasks']['count']} tasks for each number of constraints"
    words += (", and in the hole" if counts else "in the hole of the training data") * bool(hole)
    space.set_title(figure, words)
    if counts:
        panels = figure.subplots(2, 3 if hole else 2)
        columns = {column["key"]: column for column in document["columns"]}
        for axes, key in zip(panels[:, :2].flat, PANELS):
            draw_lines(axes, counts, columns[key])
        if hole:
            draw_hole(*panels[:, 2], hole)
        handles, titles = panels[0, 1].get_legend_handles_labels()
    else:
        panels = figure.subplots(1, 2)
        draw_hole(*panels, hole)
        handles, titles = panels[0].get_legend_handles_labels()
    figure.legend(handles, titles, loc="outside lower center", ncols=4 if len(handles) == 4 else 3)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
