"""Points in objective space, and the colours and the look that all pictures share.

Two objectives are a plane; three a triangle, whose corners are the objectives; more, a panel for
each pair.
"""

import io
import itertools
import json
import pathlib
import re
import sys
import textwrap

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import colors, pyplot  # noqa: E402  (the backend comes first)
from PIL import Image  # noqa: E402

INK = "#222831"
FAINT = "#c3c8ce"
STYLE = {
    "figure.facecolor": "white",
    "figure.dpi": 150,
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "grid.color": "#eceef0",
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}
# Okabe and Ito's colours, told apart by colour-blind readers.
BLUE, VERMILION, GREEN, PINK = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
SKY, ORANGE, GREY = "#56b4e9", "#e69f00", "#5b6770"
# The inner part of each, both ends readable on white: how many there are, and how far off.
COUNTS = colors.LinearSegmentedColormap.from_list("counts", pyplot.cm.Blues(np.linspace(0.3, 1)))
ERRORS = colors.LinearSegmentedColormap.from_list("errors", pyplot.cm.plasma(np.linspace(0, 0.82)))
# From the second objective to the first, likewise.
TWO = colors.LinearSegmentedColormap.from_list("weights", ["#2d6fb5", "#8a5aa6", "#e4572e"])
# A hue for each objective; a weight vector is a mixture.
HUES = ["#e4572e", "#2d6fb5", "#3a9d5d", "#b8860b", "#8a5aa6", "#5b6770"]


def colour(weights):
    """The colour of a weight vector [K]."""
    weights = np.asarray(weights, float)
    if weights.size == 0 or weights.sum() <= 0:
        return colors.to_rgb(HUES[-1])
    weights = weights / weights.sum()
    if weights.size == 2:
        return TWO(weights[0])[:3]
    hues = np.array([colors.to_rgb(HUES[k % len(HUES)]) for k in range(weights.size)])
    return tuple(weights @ hues)


def add_colour_key(figure, axes, names):
    """Says below the axes what the colours mean: a bar for two objectives, names for more."""
    if len(names) == 2:
        mappable = matplotlib.cm.ScalarMappable(colors.Normalize(0, 1), TWO)
        bar = figure.colorbar(mappable, ax=axes, orientation="horizontal", pad=0.02, aspect=50)
        bar.set_label(f"weight of {names[0]} in training (the rest is {names[1]})")
        bar.outline.set_visible(False)
        return
    handles = [
        matplotlib.lines.Line2D([], [], marker="o", ls="", color=colour(row), label=name)
        for name, row in zip(names, np.eye(len(names)))
    ]
    title = "colour: the weight of each objective in training, mixed"
    figure.legend(handles=handles, title=title, loc="outside lower center", ncols=len(names))


def label(name, units, prefix, between=", "):
    """An objective with its unit, for an axis or a title."""
    return f"{prefix}{name}{between}{units[name]}" if units.get(name) else f"{prefix}{name}"


def objectives(document):
    """Their names, and their units by name; documents that have no units give names alone."""
    entries = [{"name": e} if isinstance(e, str) else e for e in document["objectives"]]
    return [e["name"] for e in entries], {e["name"]: e.get("unit", "") for e in entries}


def bound(text):
    """("energy", ">=", -3000.0) of "energy >= -3000"; None of what is not that simple."""
    match = re.fullmatch(r"\s*(\w+)\s*(>=|<=)\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*", text)
    return match and (match[1], match[2], float(match[3]))


def demands(query, names):
    """The objective with a target, its value, another objective, its sign and its bound.

    Where a query has no target or no simple bound, the objectives are still two to draw.
    """
    targets = [(name, value) for name, value in query["target"].items() if name in names]
    first, target = targets[0] if targets else (names[0], None)
    bounds = [b for b in map(bound, query["require"]) if b and b[0] in names]
    bounds.sort(key=lambda b: b[0] == first)
    others = [name for name in names if name != first] or [first]
    return first, target, *(bounds[0] if bounds else (others[0], None, None))


def number(value):
    """For a reader: whole from 100 on, three digits below, a true minus sign."""
    return with_minus(f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}")


def with_minus(text):
    """Negative numbers of a text with a true minus sign."""
    return re.sub(r"(?<!\w)-(?=[\d.])", "\N{MINUS SIGN}", text)


def is_undominated(points):
    """For each row of [N, K]: no other row is at least as good in all and better in one."""
    points = np.asarray(points, float)
    kept = np.ones(len(points), bool)
    for i, point in enumerate(points):
        kept[i] = not np.any(np.all(points >= point, axis=1) & np.any(points > point, axis=1))
    return kept


def in_triangle(points):
    """Rows of [N, 3] as points of the plane: each objective scaled to 0..1, then their shares."""
    points = np.asarray(points, float)
    low, high = points.min(0), points.max(0)
    scaled = (points - low) / np.where(high > low, high - low, 1)
    total = scaled.sum(1, keepdims=True)
    shares = np.where(total > 0, scaled / np.where(total > 0, total, 1), 1 / 3)
    return shares @ CORNERS, scaled


CORNERS = np.array([[0.5, np.sqrt(3) / 2], [0, 0], [1, 0]])


def draw_triangle(axes, names, points, units):
    """An empty triangle with its grid; returns where the points go and how big they are."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    for share in np.linspace(0, 1, 6):
        for a, b, c in itertools.permutations(range(3)):
            if a < b:
                ends = share * CORNERS[c] + (1 - share) * CORNERS[[a, b]]
                axes.plot(*ends.T, color=FAINT if share == 0 else "#eceef0", lw=0.9, zorder=0)
    places = [("left", "top", 0.13, 0.03), ("center", "top", 0, -0.03), ("center", "top", 0, -0.03)]
    for k, (horizontal, vertical, dx, dy) in enumerate(places):
        low, high = points[:, k].min(), points[:, k].max()
        unit = textwrap.fill(units.get(names[k], ""), 22)
        text = f"{names[k]}\n{number(low)} to {number(high)}\n{unit}".strip()
        axes.text(*(CORNERS[k] + [dx, dy]), text, ha=horizontal, va=vertical, color=INK)
    axes.set_xlim(-0.25, 1.25)
    axes.set_ylim(-0.16, 0.93)
    places, scaled = in_triangle(points)
    return places, 10 + 60 * scaled.mean(1)


def new_figure(width, height, font=9):
    """In inches, its letters in points: legible at 900 pixels where they are 9 to 10 inches."""
    pyplot.rcParams.update({**STYLE, "font.size": font, "axes.titlesize": font})
    return pyplot.figure(figsize=(width, height), layout="constrained")


def set_title(figure, text):
    figure.suptitle(text, x=0.01, ha="left", fontsize=3 + pyplot.rcParams["font.size"])


def save(figure, paths):
    """At one or several paths, as SVG or PDF where the name's endings say so, else as PNG.

    /dev/stdout.svg is /dev/stdout, as SVG.
    """
    for path in [paths] if isinstance(paths, str) else paths:
        endings = pathlib.Path(path).suffixes
        form = next((form for form in ("svg", "pdf") if f".{form}" in endings), "png")
        place = "/dev/stdout" if path.startswith("/dev/stdout.") else path
        picture = io.BytesIO()
        figure.savefig(picture, format=form)
        pathlib.Path(place).write_bytes(with_256_colours(picture) if form == "png" else picture.getvalue())
    pyplot.close(figure)


def with_256_colours(png):
    """The picture with a palette of its own, in a quarter of the bytes.

    In two maps of the zoo, one pixel in a thousand is off by 13 of 255 or more.
    """
    palette = Image.open(png).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    smaller = io.BytesIO()
    palette.save(smaller, "PNG", optimize=True)
    return smaller.getvalue()


def main(draw):
    """What every script does: reads the document it is given and draws it, once for all paths."""
    if len(sys.argv) < 3:
        name = pathlib.Path(sys.argv[0]).name
        raise SystemExit(f"usage: python {name} DOCUMENT.json OUT.png|OUT.svg...")
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2:])
