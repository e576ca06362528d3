"""Draws how far from what was asked for the codes of each method come: the share of the tasks
within every error.

    rhumb evaluate synthesis MODEL --data DATASET --json > SYNTHESIS.json
    python synthesis.py SYNTHESIS.json OUT.png
"""

import numpy as np
import objective_space as space

# Each method with its colour, its line and what it is.
METHODS = {
    "default": (space.BLUE, "-", "steering, near starts"),
    "still": (space.BLUE, ":", "near starts, no descent"),
    "paper": (space.VERMILION, "--", "steering, the paper's way"),
    "naive": (space.PINK, "-.", "the paper's, not projected"),
    "lookup": (space.GREEN, (0, (4, 2.5)), "lookup of a rolled-out code"),
    "nearest_label": (space.GREY, ":", "training code with the nearest label"),
    "imitate": (space.ORANGE, "-.", "code of the policy's context"),
    "teacher": ("black", "-", "the policy itself, again"),
}
# Relative errors in percent: what is smaller or larger is drawn at the edge.
LOW, HIGH = 0.01, 1000
TICKS = [0.01, 0.1, 1, 10, 100, 1000]


def errors_of(report, key):
    """In percent, ascending; null, where no roll-out gave a number, counts as the largest."""
    return np.sort([np.inf if row[key] is None else row[key] for row in report["rows"]])


def draw_shares(axes, reports, key, name):
    """The share of the tasks that err by at most x; the legend quotes the summary `name`."""
    for report in reports:
        colour, line, title = METHODS[report["method"]]
        errors = np.clip(errors_of(report, key), LOW, HIGH)
        shares = 100 * np.arange(1, errors.size + 1) / errors.size
        mean = "-" if report[name] is None else f"{report[name]:.3g}"
        axes.step(
            np.concatenate([[LOW], errors, [HIGH]]),
            np.concatenate([[0], shares, [100]]),
            where="post",
            color=colour,
            ls=line,
            lw=1.6,
            label=f"{title}: mean {mean} %",
        )
    axes.set_xscale("log")
    axes.set_xlim(LOW, HIGH)
    axes.set_ylim(0, 102)
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes.set_ylabel("share of the tasks (%)")


def draw(document, path):
    reports = [document, *document["beside"]]
    figure = space.new_figure(11, 6)
    space.set_title(
        figure,
        f"{document['environment']}, {document['mode']} actions: {document['tasks']['count']} "
        f"tasks, {document['rollouts']} roll-outs each; the share of them within every error",
    )
    target, bounds = figure.subplots(2, 1, sharex=True)
    draw_shares(target, reports, "E_targ", "E_targ_mean")
    target.set_title("Distance from the target, relative to it")
    if document["noise"] is not None:
        target.axvline(
            np.clip(document["noise"], LOW, HIGH),
            color=space.INK,
            lw=1,
            ls=(0, (1, 2)),
            label=f"noise of the roll-outs alone: mean {document['noise']:.3g} %",
        )
    draw_shares(bounds, reports, "E_cons", "E_cons")
    bounds.set_title("Shortfall of the worst requirement, relative to it; at the left edge: met")
    # Most tasks meet them all: the shares at the left edge are what differs.
    met = min(np.mean(errors_of(report, "E_cons") <= LOW) for report in reports)
    low = max(0, 100 - 1.3 * (100 - 100 * met) - 1)
    bounds.set_ylim(low, 100 + 0.02 * (100 - low))
    bounds.set_xlabel("error (%)")
    for axes in (target, bounds):
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), labelspacing=0.9)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
