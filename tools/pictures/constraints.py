"""Draws what many requirements at once and a hole in the training data cost, method by method.

    python constraints.py CONSTRAINTS.json OUT.png

CONSTRAINTS.json is {"counts": [{"constraints": n, "report": SYNTHESIS}, ...], "hole": SYNTHESIS},
of documents of `rhumb evaluate synthesis`; the hole may be null.
"""

import numpy as np
import objective_space as space
from synthesis import METHODS

MARKERS = {"default": "o", "paper": "v", "naive": "s", "lookup": "^", "nearest_label": "D"}
# What is measured, how it is called and what is better.
MEASURES = {
    "E_targ_median": ("median distance from the target (%)", "lower is better"),
    "E_targ_mean": ("mean distance from the target (%)", "lower is better"),
    "violations": ("tasks with a violated requirement (%)", "lower is better"),
    "met": ("tasks met in simulation (%)", "higher is better"),
}
NOISE = {"ls": (0, (1, 2)), "lw": 1.2}


def reports_of(document):
    return {report["method"]: report for report in [document, *document["beside"]]}


def number(report, key):
    value = report.get(key) if report else None
    return np.nan if value is None else value


def draw_lines(axes, counts, key):
    sizes = [entry["constraints"] for entry in counts]
    reports = [reports_of(entry["report"]) for entry in counts]
    for method, (colour, line, title) in METHODS.items():
        values = [number(report.get(method), key) for report in reports]
        if np.isfinite(values).any():
            axes.plot(
                sizes, values, color=colour, ls=line, marker=MARKERS[method], ms=5, lw=1.7,
                label=title,
            )  # fmt: skip
    if key == "E_targ_mean":
        noise = [number(entry["report"], "noise") for entry in counts]
        axes.plot(sizes, noise, color=space.INK, **NOISE, label="noise of the roll-outs")
    words, better = MEASURES[key]
    axes.set_ylabel(words)
    axes.set_title(better)
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
        axes.bar(at, values, 0.9 * width, color=METHODS[method][0])
        for x, value in zip(at, values):
            if np.isfinite(value):
                words = f"{value:.2g}" if value < 99.5 else f"{value:.0f}"
                axes.text(x, value, words, ha="center", va="bottom", fontsize=7.5)
    axes.grid(axis="x", visible=False)
    axes.set_ylim(bottom=0)
    axes.margins(y=0.12)


def draw(document, path):
    counts, hole = document["counts"], document.get("hole")
    if not counts and not hole:
        raise SystemExit("neither counts nor a hole: there is nothing to draw")
    first = counts[0]["report"] if counts else hole
    figure = space.new_figure(10, 7)
    space.set_title(
        figure,
        f"{first['environment']}, {first['mode']} actions: {first['tasks']['count']} tasks for "
        "each number of constraints" + (", and tasks in the hole" if hole else ""),
    )
    columns = 3 if hole else 2
    panels = figure.subplots(2, columns, squeeze=False)
    for axes, key in zip(panels[:, :2].flat, MEASURES):
        draw_lines(axes, counts, key)
    if hole:
        draw_bars(panels[0, 2], hole, ["E_targ_median", "E_targ_mean"])
        panels[0, 2].set_xticks([0, 1], ["median", "mean"])
        panels[0, 2].set_ylabel("distance from the target (%)")
        panels[0, 2].axhline(number(hole, "noise"), color=space.INK, **NOISE)
        draw_bars(panels[1, 2], hole, ["violations", "met"])
        panels[1, 2].set_xticks([0, 1], ["violated", "met"])
        panels[1, 2].set_ylabel("tasks (%)")
        for axes in panels[:, 2]:
            axes.set_title("in the hole")
    handles, titles = panels[0, 1].get_legend_handles_labels()
    figure.legend(handles, titles, loc="outside lower center", ncols=4 if len(handles) == 4 else 3)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
