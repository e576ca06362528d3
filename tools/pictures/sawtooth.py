"""Draws the returns of all policies, agent by agent as they learned, and what the decoder makes of
each: the teeth of a saw.

    rhumb evaluate imitation MODEL --data DATASET --split SPLIT --json > SPLIT.json
    python sawtooth.py SAWTOOTH.json OUT.png

SAWTOOTH.json is {"parts": [IMITATION, ...]}, the documents of all splits.
"""

import numpy as np
import objective_space as space
from dataset import SPLITS

# Relative differences beyond it have one colour, %.
WORST = 30


def numbers(rows, kind, name):
    """NaN where there is none."""
    entries = [(row.get(kind) or {}).get(name) for row in rows]
    return np.array([np.nan if entry is None else entry for entry in entries], float)


def draw_objective(axes, parts, name):
    """Grey, the mean return of each policy; dots, what the decoder realised from its context."""
    rows = sorted((row for part in parts for row in part["rows"]), key=lambda row: row["policy"])
    policies = np.array([row["policy"] for row in rows])
    axes.plot(policies, numbers(rows, "policy_label", name), color="#9aa1a9", lw=1.1, zorder=1)
    for part in parts:
        marker, held_out = look(part)[0], part["split"] != "train"
        difference = 100 * numbers(part["rows"], "policy_error", name)
        points = axes.scatter(
            [row["policy"] for row in part["rows"]],
            numbers(part["rows"], "realised", name),
            c=np.nan_to_num(difference, nan=WORST),
            cmap=space.ERRORS,
            vmin=0,
            vmax=WORST,
            s=np.clip(9000 / len(policies), 8, 20),
            marker=marker,
            edgecolor=space.INK if held_out else "none",
            lw=0.35 if held_out else 0,
            zorder=3 if held_out else 2,
        )
    axes.margins(x=0.01)
    return points


def look(part):
    """The marker of a split and what it is called; `held_out` is two of them in one."""
    return SPLITS.get(part["split"], ("^", "held out"))


def key(parts):
    line = space.matplotlib.lines.Line2D
    handles = [line([], [], color="#9aa1a9", label="policy's mean return")]
    for part in parts:
        marker, title = look(part)
        look_of = {"ls": "", "marker": marker, "color": space.GREY}
        handles.append(line([], [], label=f"decoder, {title}", **look_of))
    return handles


def draw(document, path):
    parts = [part for part in document.get("parts", [document]) if part["rows"]]
    if not parts:
        raise SystemExit("no episode was imitated: there is nothing to draw")
    names, units = space.objectives(parts[0])
    figure = space.new_figure(10, 1.4 + 2.7 * len(names))
    count = len({row["policy"] for part in parts for row in part["rows"]})
    space.set_title(
        figure,
        f"{parts[0]['environment']}: {count} policies in order of training, agent by agent, "
        "and the decoder given a context of each",
    )
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names):
        points = draw_objective(axes, parts, name)
        axes.set_ylabel(space.label(name, units, "return of ", "\n"))
    panels[-1].set_xlabel("policy, cumulative over the agents (checkpoints)")
    bar = figure.colorbar(points, ax=panels, extend="max", aspect=40, pad=0.01)
    bar.set_label("difference from the policy's mean return (%)")
    bar.outline.set_visible(False)
    figure.legend(handles=key(parts), loc="outside lower center", ncols=len(parts) + 1)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
