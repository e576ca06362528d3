"""Draws a dataset: what its policies return, which are held out, how long their episodes are.

    rhumb dataset show FOLDER --json > DATASET.json
    python dataset.py DATASET.json OUT.png
"""

import numpy as np
import objective_space as space

# How a split is drawn and called.
SPLITS = {
    "train": ("o", "training"),
    "held_out_checkpoint": ("^", "held-out checkpoint"),
    "held_out_weight": ("s", "held-out weight vector"),
    "hole": ("D", "in the hole"),
}


def means(policies, name):
    return np.array([policy["returns"][name]["mean"] for policy in policies])


def split_of(policies, split):
    return np.array([policy["split"] == split for policy in policies])


def scatter(axes, x, y, policies, sizes=22.0):
    """Held-out policies are drawn last and with a dark rim."""
    colours = np.array([space.colour(policy["weights"]) for policy in policies])
    sizes = np.broadcast_to(sizes, len(policies))
    for split, (marker, title) in SPLITS.items():
        rows = split_of(policies, split)
        if rows.any():
            held_out = split != "train"
            axes.scatter(
                x[rows],
                y[rows],
                s=sizes[rows] * (1.4 if held_out else 1),
                c=colours[rows],
                marker=marker,
                alpha=0.85,
                edgecolor=space.INK if held_out else "none",
                lw=0.15 * np.sqrt(sizes[0]) if held_out else 0,
                label=f"{title} ({rows.sum()})",
                zorder=3 if held_out else 2,
            )


def draw_returns(figure, policies, names, units):
    """In objective space: a plane, a triangle, or the first two objectives of many."""
    axes = figure.subplots()
    if len(names) == 3:
        points = np.stack([means(policies, name) for name in names], 1)
        places, sizes = space.draw_triangle(axes, names, points, units)
        scatter(axes, *places.T, policies, sizes)
        axes.set_title("Mean return by share of each objective; bigger is better in all")
    else:
        first, second = names[0], names[min(1, len(names) - 1)]
        scatter(axes, means(policies, first), means(policies, second), policies)
        axes.set_xlabel(space.label(first, units, "mean return of "))
        axes.set_ylabel(space.label(second, units, "mean return of "))
        axes.set_title("Mean return of every policy")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, fontsize=9)
    if policies[0]["weights"]:
        space.add_colour_key(figure, axes, names)


def draw_spread(axes, policies, name, title):
    """Policies in order of their mean return, with the range of their episodes."""
    order = np.argsort(means(policies, name))
    ordered = [policies[i] for i in order]
    position = np.arange(len(ordered))
    low, high = (np.array([p["returns"][name][end] for p in ordered]) for end in ("min", "max"))
    axes.vlines(position, low, high, color=space.FAINT, lw=max(0.4, min(3, 250 / len(ordered))))
    scatter(axes, position, means(ordered, name), ordered, 6)
    axes.set_title(title)


def draw_lengths(axes, policies):
    length = np.array([policy["length"]["mean"] for policy in policies])
    shades = dict(zip(SPLITS, ("#b9c6d3", "#5b7fa3", "#222831", "#d1603d")))
    used = [split for split in SPLITS if split_of(policies, split).any()]
    axes.hist(
        [length[split_of(policies, split)] for split in used],
        bins=np.linspace(length.min() - 5, length.max() + 5, 31),
        stacked=True,
        color=[shades[split] for split in used],
        label=[SPLITS[split][1] for split in used],
    )
    axes.ticklabel_format(useOffset=False)
    axes.set_xlabel("mean episode length (steps)")
    axes.set_ylabel("policies")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.4), ncols=3, fontsize=9)


def draw(document, path):
    policies = document["policies"]
    if not policies:
        raise SystemExit("this dataset has no policy: there is nothing to draw")
    units = {entry["name"]: entry["unit"] for entry in document.get("objectives", [])}
    names = list(units) or list(policies[0]["returns"])
    counts = document["counts"]

    figure = space.new_figure(12.5, max(7, 2.1 * (len(names) + 1)), font=11)
    space.set_title(
        figure,
        f"{document['environment']}: {counts['policies']:,} policies, {counts['episodes']:,} "
        f"episodes, {counts['transitions']:,} transitions",
    )
    left, right = figure.subfigures(1, 2, width_ratios=(1.2, 1))
    draw_returns(left, policies, names, units)
    panels = right.subplots(len(names) + 1, 1)
    for axes, name in zip(panels, names):
        draw_spread(axes, policies, name, space.label(name, units, "Return of "))
    panels[-2].set_xlabel("policies by their mean return; lines: range of episodes")
    draw_lengths(panels[-1], policies)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
