"""Draws a model's map: codes on the two directions in which the training codes vary most.

    python model.py MODEL.json OUT.png

A model that was grounded shows the codes that were tried, by what they realised, and two more panels:
how steady they are, and how sure its forecasts are there. Another shows its training codes, by their
labels. MODEL.json is what `rhumb model show --picture` writes.
"""

import numpy as np
import objective_space as space

# A code whose episodes deviate by less is steady, in % of the range.
STEADY = 1.5


def error_words(metrics):
    """What the heads miss in each split, of the labels' variance, averaged over objectives."""
    words = []
    for split, errors in metrics.get("head_mse", {}).items():
        words.append(f"{split.replace('_', ' ')} {np.mean(list(errors.values())):.3g}")
    return f"\nMSE of the label heads: {', '.join(reversed(words))}" if words else ""


def draw_codes(figure, axes, places, values, title, unit, scale=None, cmap="viridis"):
    # Where codes lie on top of each other, the order of drawing must not favour high values.
    order = np.random.default_rng(0).permutation(len(places))
    if scale is None:
        low, high = np.percentile(values, [1, 99])
        scale = space.colors.Normalize(low, high if high > low else low + 1)
    size = np.clip(9000 / len(places), 5, 30)
    points = axes.scatter(*places[order].T, c=values[order], cmap=cmap, norm=scale, s=size, lw=0)
    bar = figure.colorbar(points, ax=axes, aspect=40, pad=0.02, extend="both")
    bar.set_label(unit or "raw units")
    bar.outline.set_visible(False)
    axes.set_title(title)
    axes.set_aspect("equal", adjustable="datalim")


def draw_share(figure, axes, places, shares, title, unit):
    """Shares in %; single large ones must not wash out the rest."""
    scale = space.colors.Normalize(0, max(np.percentile(shares, 95), 2 * STEADY))
    draw_codes(figure, axes, places, shares, title, unit, scale, space.ERRORS)


def draw(document, path):
    tried = document.get("tried")
    shown = tried or document
    places = np.array(shown["places"], float)  # [N, 2]
    values = np.array(shown["values"], float)  # [N, K]
    objectives = document["objectives"]
    count = len(objectives) + (2 if tried else 0)
    columns = min(3, count)
    rows = -(-count // columns)

    font = 9 if columns < 3 else 12
    figure = space.new_figure(max(6.5, 4.8 * columns), 0.8 + 4.2 * rows, font)
    kind = f"{len(places)} training codes, by their labels; no code was tried yet"
    if tried:
        kind = (
            f"{len(places)} codes that were tried, {tried['episodes']} episodes each with "
            f"{tried['mode']} actions"
        )
    space.set_title(
        figure,
        f"{document['environment']}, {document['variant']}: {kind}"
        f"{'' if tried else error_words(document['metrics'])}",
    )
    panels = figure.subplots(rows, columns, squeeze=False)
    for panel in panels.flat[count:]:
        panel.set_axis_off()
    for k, objective in enumerate(objectives):
        axes = panels.flat[k]
        draw_codes(figure, axes, places, values[:, k], objective["name"], objective["unit"])
    if tried:
        spread, doubt = np.array(tried["spread"], float), np.array(tried["doubt"], float)
        steady = np.mean(spread < STEADY)
        draw_share(
            figure, panels.flat[count - 2], places, spread,
            f"How steady: {steady:.0%} are, below {STEADY} %", "deviation between episodes, % of the range",
        )  # fmt: skip
        draw_share(
            figure, panels.flat[count - 1], places, doubt,
            f"How sure: ± {np.median(doubt):.1f} % in the median", "half of the 90 % interval, % of the range",
        )  # fmt: skip
    for k in range(count):
        axes = panels.flat[k]
        if k + columns >= count:
            axes.set_xlabel(f"first direction, {document['variance_shares'][0]:.0%} of variance")
        if k % columns == 0:
            axes.set_ylabel(f"second direction, {document['variance_shares'][1]:.0%}")
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
