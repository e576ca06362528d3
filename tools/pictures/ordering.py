"""Draws how well distances on the map follow differences of the returns, model by model.

    rhumb evaluate ordering MODEL --data DATASET --json > MODEL.json
    python ordering.py ORDERING.json OUT.png

ORDERING.json is {"models": {NAME: document, ...}}, where NAME-2 and on are NAME with other seeds:
a bar is the mean of them. A triple of episodes is ordered when, of two, the one whose return is
nearer to the first's also lies nearer to it.
"""

import re

import numpy as np
import objective_space as space
from dataset import SPLITS
from matplotlib import patheffects

SPACES = {"z": (space.BLUE, "in the projection z"), "h": (space.ORANGE, "among the codes h")}
# In this order; others come before the last.
TITLES = {
    "ours": "ours",
    "vae": "VAE",
    "infonce": "VAE + InfoNCE",
    "autoencoder": "AE + RNC",
    "mean_pool": "mean pool",
    "free_projections": "free projections",
    "paper": "ours, as the paper",
}


def by_kind(models):
    """The documents of each kind of model, one for each seed."""
    kinds = {}
    for name, document in models.items():
        kinds.setdefault(re.sub(r"-\d+$", "", name), []).append(document)
    *first, last = TITLES
    order = [*first, *(kind for kind in kinds if kind not in TITLES), last]
    return {kind: kinds[kind] for kind in order if kind in kinds}


def title_of(kind, documents):
    words = TITLES.get(kind, kind)
    return f"{words}\n({len(documents)} seeds)" if len(documents) > 1 else words


def shares_of(documents, split, name, kind):
    """In percent, one for each document that has it."""
    entries = [
        document["splits"].get(split, {}).get("ordering", {}).get(name, {}).get(kind) or {}
        for document in documents
    ]
    return [100 * entry["share"] for entry in entries if entry.get("share") is not None]


def draw_bars(axes, kinds, split, name):
    rim = [patheffects.withStroke(linewidth=3, foreground="white")]
    for offset, (kind, (colour, title)) in zip((-0.2, 0.2), SPACES.items()):
        for y, documents in enumerate(kinds.values()):
            shares = shares_of(documents, split, name, kind)
            if not shares:
                continue
            mean, end = np.mean(shares), max(shares)
            axes.barh(y + offset, mean, 0.36, color=colour, label=title if y == 0 else None)
            if len(shares) > 1:
                ends = [[mean - min(shares)], [end - mean]]
                look = {"ecolor": space.INK, "elinewidth": 1.1, "capsize": 2.2}
                axes.errorbar(mean, y + offset, xerr=ends, fmt="none", **look)
            axes.text(
                end + 2, y + offset, f"{mean:.0f}", va="center", fontsize=8, path_effects=rim
            )
    axes.axvline(50, color=space.INK, lw=1, ls=(0, (4, 2)))
    axes.set_xlim(0, 114)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_yticks(range(len(kinds)), [title_of(*entry) for entry in kinds.items()])
    axes.set_ylim(len(kinds) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)


def draw(document, path):
    kinds = by_kind(document["models"])
    first = next(iter(kinds.values()))[0]
    names = first["labels"]
    splits = [split for split in SPLITS if split in first["splits"]]
    figure = space.new_figure(10, 1.3 + len(names) * (0.9 + 0.42 * len(kinds)))
    words = "triples of episodes that the map orders as the returns do"
    if len(kinds) < len(document["models"]):
        words += "; ticks: range over seeds"
    space.set_title(figure, f"{first['environment']}: {words}")
    panels = figure.subplots(len(names), len(splits), sharex=True, sharey=True, squeeze=False)
    for row, name in zip(panels, names):
        for axes, split in zip(row, splits):
            draw_bars(axes, kinds, split, name)
            axes.set_title(f"{name}, {SPLITS[split][1]}")
    for axes in panels[-1]:
        axes.set_xlabel("ordered (%); dashed: by chance")
    handles, titles = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, titles, loc="outside lower center", ncols=2)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
