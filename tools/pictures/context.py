"""Draws how the codes and what is read from them get better with the size of the context.

    rhumb evaluate context MODEL --data DATASET --json > CONTEXT.json
    python context.py CONTEXT.json OUT.png
"""

import numpy as np
import objective_space as space
from dataset import SPLITS

# Of the objectives, and, apart from them, of the splits.
COLOURS = [space.BLUE, space.VERMILION, space.GREEN, space.PINK, space.ORANGE, space.SKY]
MARKERS = "os^Dv*"
SPLIT_COLOURS = [space.INK, space.ORANGE, space.GREY]


def set_scales(axes, sizes):
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.xaxis.set_minor_locator(space.matplotlib.ticker.NullLocator())
    axes.yaxis.set_major_locator(space.matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(space.matplotlib.ticker.StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(space.matplotlib.ticker.NullFormatter())
    axes.set_xlabel("context (state-action pairs)")


def draw_errors(axes, rows, names):
    sizes = [row["context"] for row in rows]
    for name, colour, marker in zip(names, COLOURS, MARKERS):
        for kind, line, words in (("mean_code", "-", "mean code"), ("drawn", ":", "drawn code")):
            errors = [row[kind]["mse"][name] for row in rows]
            axes.plot(
                sizes, errors, color=colour, ls=line, marker=marker, ms=4, lw=1.6,
                label=f"{name}, {words}",
            )  # fmt: skip
    set_scales(axes, sizes)


def draw_spread(axes, splits):
    """Theorem 2.1 promises at least the rate of Monte Carlo, drawn beside."""
    for (split, part), colour in zip(splits.items(), SPLIT_COLOURS):
        sizes = np.array([row["context"] for row in part["rows"]], float)
        spread = np.array([row["spread"] for row in part["rows"]], float)
        rate = part["spread_rate"]
        words = "" if rate is None else f": n$^{{{rate:.2f}}}$".replace("-", "\N{MINUS SIGN}")
        marker, title = SPLITS.get(split, ("o", split))
        axes.plot(sizes, spread, color=colour, marker=marker, ms=4, lw=1.6, label=title + words)
    axes.plot(
        sizes, 0.8 * spread[0] * np.sqrt(sizes[0] / sizes), color=space.GREY, ls="--", lw=1.1,
        label="rate n$^{\N{MINUS SIGN}0.50}$",
    )  # fmt: skip
    set_scales(axes, sizes)
    axes.set_ylabel("deviation of a code over contexts\n(code units)")
    axes.set_title("spread of the codes")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), fontsize=8)


def draw(document, path):
    splits = document["splits"]
    figure = space.new_figure(3.4 * (len(splits) + 1), 4.8)
    space.set_title(
        figure,
        f"{document['environment']}, {document['variant']}: error against the size of the context "
        f"(trained with {document['trained_context']})",
    )
    *panels, last = figure.subplots(1, len(splits) + 1)
    for axes in panels[1:]:
        axes.sharey(panels[0])
    for axes, (split, part) in zip(panels, splits.items()):
        draw_errors(axes, part["rows"], document["labels"])
        axes.set_title(f"{SPLITS.get(split, ('', split))[1]} ({part['episodes']} episodes)")
        axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), fontsize=8)
    panels[0].set_ylabel("MSE of the predicted return\n(share of its variance)")
    draw_spread(last, splits)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
