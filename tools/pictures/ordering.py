"""Draws how well distances on the map follow differences of the returns, model by model.

    rhumb evaluate ordering MODEL --data DATASET --json > MODEL.json
    python ordering.py ORDERING.json OUT.png

ORDERING.json is {"models": {NAME: document, ...}}. A triple of episodes is ordered when, of two,
the one whose return is nearer to the first's also lies nearer to it.
"""

import numpy as np
import objective_space as space
from dataset import SPLITS

SPACES = {"z": (space.BLUE, "in the projection z"), "h": (space.ORANGE, "among the codes h")}


def share(document, split, name, kind):
    entry = document["splits"].get(split, {}).get("ordering", {}).get(name, {}).get(kind)
    return np.nan if not entry or entry["share"] is None else 100 * entry["share"]


def draw_bars(axes, models, split, name):
    at = np.arange(len(models))
    for offset, (kind, (colour, title)) in zip((-0.2, 0.2), SPACES.items()):
        shares = np.array([share(document, split, name, kind) for document in models.values()])
        axes.barh(at + offset, shares, 0.36, color=colour, label=title)
        for y, value in zip(at + offset, shares):
            if np.isfinite(value):
                axes.text(value + 1.5, y, f"{value:.0f}", va="center", fontsize=8)
    axes.axvline(50, color=space.INK, lw=1, ls=(0, (4, 2)))
    axes.set_xlim(0, 112)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_yticks(at, models)
    axes.set_ylim(len(models) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)


def draw(document, path):
    models = document["models"]
    first = next(iter(models.values()))
    names = first["labels"]
    splits = [split for split in SPLITS if split in first["splits"]]
    figure = space.new_figure(10, 1.3 + len(names) * (0.9 + 0.42 * len(models)))
    words = "triples of episodes that the map orders as the returns do"
    space.set_title(figure, f"{first['environment']}: {words}")
    panels = figure.subplots(len(names), len(splits), sharex=True, sharey=True, squeeze=False)
    for row, name in zip(panels, names):
        for axes, split in zip(row, splits):
            draw_bars(axes, models, split, name)
            axes.set_title(f"{name}, {SPLITS[split][1]}")
    for axes in panels[-1]:
        axes.set_xlabel("ordered (%); dashed: by chance")
    handles, titles = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, titles, loc="outside lower center", ncols=2)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
