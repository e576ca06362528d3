"""Draws the geometry of codes: UMAP of the projections z and of the codes h, coloured by return.

    rhumb evaluate geometry MODEL --data DATASET --json > GEOMETRY.json
    python geometry.py GEOMETRY.json OUT.png

A document of several models, {"ours": GEOMETRY, "vae": GEOMETRY}, draws the codes of each, one
below the other, on the same colours.
"""

import landscape
import numpy as np
import objective_space as space

MODELS = {"ours": "ours", "vae": "VAE"}


def splits_of(model):
    """By name; a document counts them."""
    return [model["splits"][number] for number in model["contexts"]["split"]]


def draw_contexts(axes, places, values, scale, split):
    """Held-out contexts have a dark rim, which lies below all points: it must hide none."""
    size = np.clip(24000 / len(places), 12, 26)
    held_out = places[np.array(split) != "train"]
    axes.scatter(*held_out.T, s=2.4 * size, color=space.INK, lw=0, zorder=1.5)
    landscape.draw_points(axes, places, values, scale, size)


def draw_codes(axes, places, values, scale, split):
    """The codes h over the contours of a return."""
    landscape.Field(places, values).shade(axes, scale)
    draw_contexts(axes, places, values, scale, split)


def draw_rows(names, units, rows, scales, title, path):
    """A column for each objective; a row is its title, the places per objective, a way to draw.

    Objectives that were added after training have no projection: their places are missing.
    """
    columns = len(names)
    font = 9 if columns < 3 else 12
    figure = space.new_figure(max(6.5, 4.6 * columns), 0.9 + 4.3 * len(rows), font)
    space.set_title(figure, title)
    panels = figure.subplots(len(rows), columns, squeeze=False)
    for axes, (words, places, model, way) in zip(panels, rows):
        labels = np.array(model["contexts"]["labels"], float)
        for panel in axes[len(places) :]:
            panel.set_axis_off()
        for k, name in enumerate(names[: len(places)]):
            way(axes[k], places[k], labels[:, k], scales[k], splits_of(model))
            axes[k].set_title(words.format(name=name))
            landscape.name_directions(axes[k])
    for k, name in enumerate(names):
        text = space.label(name, units, "return of ", "\n")
        landscape.add_bar(figure, scales[k], text, ax=panels[:, k])
    space.save(figure, path)


def draw(document, path):
    models = {"": document} if "contexts" in document else document
    first = next(iter(models.values()))
    names, units = space.objectives(first)
    labels = np.concatenate([np.array(m["contexts"]["labels"], float) for m in models.values()])
    scales = [landscape.scale_of(labels[:, k]) for k in range(len(names))]

    rows = []
    for key, model in models.items():
        contexts = model["contexts"]
        codes = landscape.lay_out(contexts["codes"]).embedding_
        words = f"{MODELS.get(key, key)}: codes h, contours of {{name}}"
        if key == "":
            words = "Codes h, contours of {name}"
            if contexts.get("projections"):
                places = [landscape.lay_out(z).embedding_ for z in contexts["projections"]]
                rows.append(("Projection z of {name}", places, model, draw_contexts))
        rows.append((words, [codes] * len(names), model, draw_codes))
    count = len(first["contexts"]["codes"])
    held_out = sum(split != "train" for split in splits_of(first))
    variant = f", {first['variant']}" if "" in models else ""
    title = f"{first['environment']}{variant}: {count:,} contexts laid out by UMAP"
    title += f", the {held_out:,} held out with a dark rim" if held_out else ""
    draw_rows(names, units, rows, scales, title, path)


if __name__ == "__main__":
    space.main(draw)
