"""Draws an answer of steering: its path over the map, and where it ends among all trade-offs.

    rhumb steer MODEL --target forward=6000 --require 'energy>=-3000' --rollouts 8 --picture OUT.png
    python steer.py STEER.json OUT.png
"""

import textwrap

import landscape
import numpy as np
import objective_space as space
from matplotlib import patheffects
from matplotlib.patches import Patch, Rectangle

# Of the predicted interval.
BOX = {"fc": (*space.colors.to_rgb(space.SKY), 0.35), "ec": space.BLUE}


class Query:
    """The objective that is to reach a target, and the one beside it, which may be bounded."""

    def __init__(self, document):
        names, self.units = space.objectives(document)
        query = document["query"]
        self.text = space.with_minus(query["text"])
        self.first, self.target, self.second, self.sign, self.limit = space.demands(query, names)
        self.columns = names.index(self.first), names.index(self.second)
        # An answer that was found without descent has no path, but a place where one was before.
        self.steered = document.get("steered", True)
        self.line = "-" if self.steered else (0, (1, 1.5))
        self.solved = document.get("status", "solved") == "solved"
        # Further answers: their places on the map, and what is predicted there.
        self.others = document.get("others", [])
        self.start = document.get("before") if self.steered else None

    def before(self, key):
        """Where the robot was: on the map, or by what is predicted there."""
        if self.start is None:
            return None
        values = np.array(self.start[key], float)
        return values if key == "place" else values[list(self.columns)]

    @property
    def answer_word(self):
        return "answer" if self.solved else "nearest behaviour"

    @property
    def title(self):
        return self.text if self.solved else f"{self.text} (no answer: the nearest behaviour)"

    def breaks(self, values):
        return values < self.limit if self.sign == ">=" else values > self.limit

    @property
    def bound_words(self):
        return f"{self.second} {'≥' if self.sign == '>=' else '≤'} {space.number(self.limit)}"


def draw_map(figure, axes, bar, document, query):
    places = np.array(document["landscape"]["places"], float)
    values = np.array(document["landscape"]["values"], float)[:, query.columns]
    scale = landscape.scale_of(values[:, 0])
    field, beside = (landscape.Field(places, column, smoothing=12) for column in values.T)
    field.shade(axes, scale, alpha=0.75)
    unsteady = np.array(document["landscape"].get("unsteady", []), bool)
    steady = ~unsteady if len(unsteady) else np.ones(len(places), bool)
    landscape.draw_points(axes, places[steady], values[steady, 0], scale, size=6, alpha=0.9)
    if len(unsteady):
        axes.scatter(*places[unsteady].T, marker="x", s=9, lw=0.6, color=space.INK, alpha=0.45, zorder=2)
    if query.limit is not None:
        beside.veil(axes, query.breaks)
        beside.line(axes, query.limit)
    if query.target is not None:
        field.line(axes, query.target, linestyles="--")
    path = np.array([point["place"] for point in document["path"]], float)
    landscape.draw_path(axes, path, line=query.line, before=query.before("place"))
    draw_others(axes, [other["place"] for other in query.others])
    landscape.name_directions(axes, "main direction of the codes", "second direction")
    way = f"; dotted: to the {query.answer_word}, not a path"
    if query.steered:
        way = "; dotted: to the start, solid: the path to the answer"
    # A code beside the plane of the map may keep what the codes around it break.
    kind = "codes that were tried (×: unsteady)" if len(unsteady) else "training codes"
    shade = "\ncolours and hatching: the codes nearby; the answer's own values: right"
    axes.set_title(f"The map: {kind}{way}{shade}")
    text = space.label(query.first, query.units, "return of ")
    landscape.add_bar(figure, scale, text, cax=bar)


def draw_answer(axes, document, query):
    """The interval that was predicted, and what the roll-outs realised, with their deviation."""
    rim = [patheffects.withStroke(linewidth=3.5, foreground="white")]
    spans = [document.get("interval", {}).get(name) for name in (query.first, query.second)]
    if all(spans):
        (left, right), (low, high) = spans
        corner, size = (left, low), (right - left, high - low)
        axes.add_patch(Rectangle(corner, *size, lw=1.6, zorder=5, **BOX))
    found = [document.get("realised", {}).get(name) for name in (query.first, query.second)]
    if all(found):
        axes.errorbar(
            found[0]["mean"], found[1]["mean"], yerr=found[1]["std"], xerr=found[0]["std"],
            color=landscape.RED, fmt="x", ms=8, mew=2.2, elinewidth=1.6, capsize=3.5, zorder=8,
        )[0].set_path_effects(rim)  # fmt: skip


def draw_others(axes, points):
    """Answers after the first: hollow stars with their numbers."""
    for i, point in enumerate(points):
        look = {"marker": "*", "s": 150, "color": "white", "ec": landscape.RED, "lw": 1.4}
        axes.scatter(*point, zorder=7, **look)
        axes.annotate(
            str(i + 2), point, xytext=(7, 5), textcoords="offset points", fontsize=9,
            color=landscape.RED, zorder=8,
            path_effects=[patheffects.withStroke(linewidth=2.5, foreground="white")],
        )  # fmt: skip


def draw_demands(axes, query):
    """The line of the target and the region that is forbidden, over what is in view."""
    x, y = axes.get_xlim(), axes.get_ylim()
    if query.target is not None:
        axes.axvline(query.target, color=space.INK, lw=1.4, ls="--", zorder=3)
    if query.limit is not None:
        bottom = y[0] if query.sign == ">=" else query.limit
        height = query.limit - y[0] if query.sign == ">=" else y[1] - query.limit
        if height > 0:
            look = {"fc": (1, 1, 1, 0.55), "ec": (0.13, 0.16, 0.19, 0.35), "hatch": "////", "lw": 0}
            axes.add_patch(Rectangle((x[0], bottom), x[1] - x[0], height, zorder=2, **look))
        axes.axhline(query.limit, color=space.INK, lw=1.6, zorder=3)
    axes.set_xlim(x)
    axes.set_ylim(y)


def view_of(document, query):
    """The part of the plane around the answer that a closer look shows, or None."""
    spans = []
    for name in (query.first, query.second):
        ends = list(document.get("interval", {}).get(name) or [])
        found = document.get("realised", {}).get(name)
        if found:
            ends += [found["mean"] - found["std"], found["mean"] + found["std"]]
        if not ends:
            return None
        if name == query.first and query.target is not None:
            ends.append(query.target)
        room = 0.35 * max(max(ends) - min(ends), 1e-9)
        spans.append((min(ends) - room, max(ends) + room))
    return spans


def empty_place(axes, points, answer):
    """Where a closer look covers fewest points, near the answer: left, bottom, width and height."""
    width, height, room = 0.36, 0.28, 0.09
    inside = axes.transAxes.inverted()
    points = inside.transform(axes.transData.transform(points))
    answer = inside.transform(axes.transData.transform(answer))

    def cost(place):
        low, high = np.array(place) - room, np.array(place) + [width + 0.02, height + 0.02]
        covered = np.sum(np.all((points > low) & (points < high), axis=1))
        on_answer = np.all((answer > low - 0.04) & (answer < high + 0.04))
        centre = np.array(place) + [width / 2, height / 2]
        return 1e6 * on_answer + covered + 10 * np.linalg.norm(centre - answer)

    lefts, bottoms = np.linspace(0.1, 0.98 - width, 12), np.linspace(0.08, 0.98 - height, 12)
    return (*min(((x, y) for x in lefts for y in bottoms), key=cost), width, height)


def draw_plane(axes, document, query):
    values = np.array(document["landscape"]["values"], float)[:, query.columns]
    predicted = np.array([point["predicted"] for point in document["path"]], float)
    predicted = predicted[:, query.columns]
    axes.scatter(*values.T, s=7, color="#b9c0c7", lw=0, zorder=1)
    axes.margins(0.06)
    axes.set_xlabel(space.label(query.first, query.units, "return of "))
    axes.set_ylabel(space.label(query.second, query.units, "return of "))
    realised = ", predicted and realised" if document.get("realised") else " and predicted"
    axes.set_title(f"The trade-offs: what was asked{realised}")
    view = view_of(document, query)
    if view:
        axes.update_datalim(np.transpose(view))
    axes.autoscale_view()
    draw_demands(axes, query)
    landscape.draw_path(axes, predicted, line=query.line, before=query.before("predicted"))
    draw_answer(axes, document, query)
    others = [np.array(other["predicted"], float)[list(query.columns)] for other in query.others]
    draw_others(axes, others)
    if view:
        # Along the path points count many times: it must stay in sight.
        along = [np.linspace(a, b, 50) for a, b in zip(predicted, predicted[1:])]
        around = np.concatenate([values, predicted, *along])
        left, bottom, width, height = empty_place(axes, around, np.mean(view, 1))
        # Its numbers stand on white.
        ground = {"fc": "white", "lw": 0, "zorder": 8.9, "transform": axes.transAxes}
        corner, size = (left - 0.088, bottom - 0.058), (width + 0.098, height + 0.068)
        axes.add_patch(Rectangle(corner, *size, **ground))
        closer = axes.inset_axes((left, bottom, width, height), zorder=9)
        closer.set_xlim(view[0])
        closer.set_ylim(view[1])
        closer.scatter(*values.T, s=12, color="#b9c0c7", lw=0, zorder=1)
        draw_demands(closer, query)
        draw_answer(closer, document, query)
        look = {"marker": "*", "s": 130, "color": landscape.RED, "ec": "white", "lw": 0.8}
        closer.scatter(*predicted[-1], zorder=7, **look)
        closer.tick_params(labelsize=7, length=2)
        closer.xaxis.set_major_locator(space.matplotlib.ticker.MaxNLocator(3))
        closer.yaxis.set_major_locator(space.matplotlib.ticker.MaxNLocator(4))
        for spine in closer.spines.values():
            spine.set_visible(True)
            spine.set_color(space.GREY)
        axes.indicate_inset_zoom(closer, edgecolor=space.GREY, alpha=0.8)


MAX_ROWS = 8  # of the table
CHARACTERS_PER_ROW = 80  # that fit into the table


def rows_of(document, query):
    """The lines of the table: everything that was asked for, and the two axes."""
    rows = [("", "asked", "predicted", "realised" if document.get("realised") else "")]
    for row in document["rows"]:
        if row["asked"] or row["name"] in (query.first, query.second):
            cells = (row["name"], row["asked"] or "-", row["predicted"], row["realised"])
            rows.append(tuple(space.with_minus(cell) for cell in cells))
    if len(rows) > MAX_ROWS + 1:
        left = len(rows) - MAX_ROWS
        rows[MAX_ROWS:] = [(f"and {left} more", "", "", "")]
    return rows


def column_starts(rows):
    """Where the table's columns start, as shares of its width; a column is as wide as its longest cell."""
    widths = [max(map(len, column)) + 3 for column in zip(*rows)]
    return np.cumsum([0, *widths[:-1]]) / max(CHARACTERS_PER_ROW, sum(widths))


def write_table(axes, rows):
    """Asked, predicted and realised values, a line for each quantity."""
    axes.set_axis_off()
    starts = column_starts(rows)
    for i, row in enumerate(rows):
        for x, text in zip(starts, row):
            colour = space.GREY if i == 0 else space.INK
            axes.annotate(
                text, (x, 1), xytext=(0, -14 * i), textcoords="offset points", va="top", fontsize=8,
                xycoords="axes fraction", color=colour, annotation_clip=False,
            )  # fmt: skip


def add_key(figure, query, episodes):
    line = space.matplotlib.lines.Line2D
    handles = [
        line([], [], ls="", marker="o", ms=8, color=space.GREEN, label="before"),
        line([], [], ls="", marker="*", ms=13, color=landscape.RED, label=f"{query.answer_word}, predicted"),
        Patch(label="predicted interval", **BOX),
    ]
    if query.others:
        look = {"ls": "", "marker": "*", "ms": 12, "mfc": "white", "mec": landscape.RED}
        handles.append(line([], [], label="further answers", **look))
    if episodes:
        words = f"realised, {episodes} roll-outs ± deviation"
        look = {"ls": "", "marker": "x", "ms": 8, "mew": 2.2, "color": landscape.RED}
        handles.append(line([], [], label=words, **look))
    if query.target is not None:
        handles.append(line([], [], color=space.INK, lw=1.4, ls="--", label="target"))
    if query.limit is not None:
        words = f"breaks {query.bound_words}"
        handles.append(Patch(fc="white", ec=space.FAINT, hatch="////", label=words))
    look = {"ncols": len(handles), "handletextpad": 0.5, "columnspacing": 1.4}
    figure.legend(handles=handles, loc="outside lower center", **look)


def draw(document, path):
    query = Query(document)
    title = textwrap.wrap(f"{document['environment']}: {query.title}", width=100)
    rows = rows_of(document, query)
    # The table hangs below its place; each line of the title and of the table takes room.
    figure = space.new_figure(11, 5.6 + 0.25 * len(title) + 0.2 * max(0, len(rows) - 3))
    figure.suptitle("\n".join(title), x=0.01, ha="left", fontsize=14)
    ratios = (30, 1, 0.01 + 1.2 * max(0, len(rows) - 3))
    places = [["map", "plane"], ["bar", "table"], [".", "table"]]
    panels = figure.subplot_mosaic(places, height_ratios=ratios)
    draw_map(figure, panels["map"], panels["bar"], document, query)
    draw_plane(panels["plane"], document, query)
    write_table(panels["table"], rows)
    found = document.get("realised", {}).get(query.first)
    add_key(figure, query, found and found["episodes"])
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
