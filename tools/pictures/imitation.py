"""Draws how near a decoder comes to the policies it imitates: the errors of every objective.

    rhumb evaluate imitation MODEL --data DATASET --json > IMITATION.json
    python imitation.py IMITATION.json OUT.png
"""

import json
import sys

import numpy as np
import objective_space as space

# Each error with its colour (Okabe and Ito's, told apart by colour-blind readers), its line and
# what it is against.
ERRORS = {
    "error": ("#0072b2", "-", "decoder, against the episode"),
    "policy_error": ("#d55e00", "--", "decoder, against the policy's mean"),
    "teacher_error": ("#5b6770", ":", "policy's other episodes, against the episode"),
}
# Relative errors in percent: what is smaller or larger is drawn at the edge.
LOW, HIGH = 0.1, 1000
BINS = np.geomspace(LOW, HIGH, 33)
TICKS = [0.1, 1, 10, 100, 1000]


def errors_of(rows, kind, name):
    """In percent; null, where no roll-out gave a number, counts as the largest."""
    entries = [row[kind][name] for row in rows if row[kind]]
    return np.array([np.inf if entry is None else 100 * entry for entry in entries], float)


def draw_objective(axes, rows, name):
    for kind, (colour, line, title) in ERRORS.items():
        errors = errors_of(rows, kind, name)
        if not errors.size:
            continue
        median = np.median(errors)
        axes.hist(
            np.clip(errors, LOW, HIGH),
            bins=BINS,
            weights=np.full(errors.size, 100 / errors.size),
            histtype="stepfilled" if kind == "error" else "step",
            facecolor=(colour, 0.2) if kind == "error" else "none",
            edgecolor=colour,
            lw=1.4,
            ls=line,
            label=f"{title}:\nmedian {median:.3g} %",
        )
        axes.axvline(np.clip(median, LOW, HIGH), color=colour, lw=1.1, ls=line)
    axes.set_xscale("log")
    axes.set_xlim(LOW, HIGH)
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes.set_ylabel("share of the episodes (%)")
    axes.set_title(name)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), labelspacing=1)


def draw(document, path):
    rows, names = document["rows"], document["objectives"]
    figure = space.new_figure(11, 1 + 2.6 * len(names))
    figure.suptitle(
        f"{document['environment']}, {document['split']}: {len(rows)} episodes imitated with "
        f"{document['mode']} actions",
        x=0.01,
        ha="left",
        fontsize=13,
    )
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names):
        draw_objective(axes, rows, name)
    panels[-1].set_xlabel("relative error of the return (%); vertical lines: medians")
    space.save(figure, path)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2])
