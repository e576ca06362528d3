"""Draws a model's map: its training codes on the two directions in which they vary most.

    python model.py MODEL.json OUT.png

One panel for each objective, coloured by what the codes' episodes earned. MODEL.json is what
`rhumb model show --picture` writes: places [N, 2], values [N, K], names, units, metrics.
"""

import numpy as np
import objective_space as space


def error_words(metrics):
    """What the heads miss in each split, of the labels' variance, averaged over objectives."""
    words = []
    for split, errors in metrics.get("head_mse", {}).items():
        words.append(f"{split.replace('_', ' ')} {np.mean(list(errors.values())):.3g}")
    return f"\nMSE of the heads: {', '.join(reversed(words))}" if words else ""


def draw_objective(figure, axes, places, values, name, unit):
    # Where codes lie on top of each other, the order of drawing must not favour high values.
    order = np.random.default_rng(0).permutation(len(places))
    low, high = np.percentile(values, [1, 99])
    size = np.clip(6000 / len(places), 6, 30)
    points = axes.scatter(
        *places[order].T, c=values[order], cmap="viridis", vmin=low, vmax=high, s=size, lw=0
    )
    bar = figure.colorbar(points, ax=axes, aspect=40, pad=0.02, extend="both")
    bar.set_label(unit or "raw units")
    bar.outline.set_visible(False)
    axes.set_title(name)
    axes.set_aspect("equal", adjustable="datalim")


def draw(document, path):
    places = np.array(document["places"], float)  # [N, 2]
    values = np.array(document["values"], float)  # [N, K]
    objectives = document["objectives"]
    columns = min(3, len(objectives))
    rows = -(-len(objectives) // columns)

    font = 9 if columns < 3 else 12
    figure = space.new_figure(max(6.5, 4.8 * columns), 0.8 + 4.2 * rows, font)
    space.set_title(
        figure,
        f"{document['environment']}, {document['variant']}: {len(places)} training codes"
        f"{error_words(document['metrics'])}",
    )
    panels = figure.subplots(rows, columns, squeeze=False)
    for panel in panels.flat[len(objectives) :]:
        panel.set_axis_off()
    for k, objective in enumerate(objectives):
        axes = panels.flat[k]
        draw_objective(figure, axes, places, values[:, k], objective["name"], objective["unit"])
        if k + columns >= len(objectives):
            axes.set_xlabel(f"first direction, {document['variance_shares'][0]:.0%} of variance")
        if k % columns == 0:
            axes.set_ylabel(f"second direction, {document['variance_shares'][1]:.0%}")
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
