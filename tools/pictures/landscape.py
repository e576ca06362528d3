"""Values over a plane of codes: UMAP lays the codes out, a smooth field fills what lies between."""

import warnings

import numpy as np
import objective_space as space
from matplotlib import cm, colors, patheffects
from scipy import ndimage

RED = "#d7263d"
# Of the grid, along an axis; how far a place reaches, in cells, which must fit into the margin.
CELLS, REACH, MARGIN = 260, 15, 0.08


def lay_out(codes):
    """The UMAP of codes [N, H]: `embedding_` is where they lie, `transform` places others."""
    import umap  # takes seconds, and not every landscape is laid out here

    # Compiling these takes 15 seconds, and UMAP itself does not keep the result for the next process.
    for function in (
        umap.utils.fast_knn_indices, umap.utils.submatrix, umap.umap_.smooth_knn_dist,
        umap.umap_.compute_membership_strengths,
    ):  # fmt: skip
        function.enable_caching()
    neighbours = min(100, max(2, len(codes) // 8))
    layout = umap.UMAP(n_neighbors=neighbours, random_state=0, n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # graphs in several pieces are laid out all the same
        return layout.fit(np.asarray(codes, np.float32))


def scale_of(values):
    """Colours from the first to the last percentile: single outliers must not wash out the rest."""
    low, high = np.percentile(values, [1, 99])
    return colors.Normalize(low, high if high > low else low + 1)


class Field:
    """Values [N] at places [N, 2], smoothed onto a grid; nothing where no place is near."""

    def __init__(self, places, values, smoothing=6):
        """`smoothing` is the deviation of its kernel, cells."""
        low, high = places.min(0), places.max(0)
        margin = MARGIN * np.maximum(high - low, 1e-9)
        edges = np.linspace(low - margin, high + margin, CELLS + 1)
        self.x, self.y = ((edges[1:] + edges[:-1]) / 2).T
        counts, sums = (np.histogram2d(*places.T, edges.T, weights=w)[0].T for w in (None, values))
        self.empty = ndimage.distance_transform_edt(counts == 0) > REACH
        counts, sums = (ndimage.gaussian_filter(part, smoothing) for part in (counts, sums))
        self.values = np.ma.masked_array(sums / np.maximum(counts, 1e-12), self.empty)

    def shade(self, axes, scale, alpha=0.45):
        """Filled bands with a thin line between them."""
        levels = np.linspace(scale.vmin, scale.vmax, 13)
        look = {"levels": levels, "cmap": "viridis", "norm": scale}
        axes.contourf(self.x, self.y, self.values, alpha=alpha, extend="both", zorder=0, **look)
        axes.contour(self.x, self.y, self.values, linewidths=0.7, zorder=1, **look)

    def line(self, axes, level, **look):
        """The iso-contour at a level, on a white rim; none where it is not reached."""
        if self.values.min() < level < self.values.max():
            look = {"colors": space.INK, "linewidths": 1.6, "linestyles": "-", "zorder": 4, **look}
            lines = axes.contour(self.x, self.y, self.values, [level], **look)
            lines.set_path_effects([patheffects.withStroke(linewidth=3.4, foreground="white")])

    def veil(self, axes, forbidden):
        """Hatches and pales the part of the field where `forbidden` of its values is true."""
        region = np.ma.masked_array(forbidden(self.values.filled(0)).astype(float), self.empty)
        if region.max() > 0:
            look = {"colors": [(1, 1, 1, 0.55)], "hatches": ["////"], "zorder": 3}
            veil = axes.contourf(self.x, self.y, region, [0.5, 1.5], **look)
            veil.set_edgecolor((0.13, 0.16, 0.19, 0.35))
            veil.set_linewidth(0)


def draw_points(axes, places, values, scale, size, **look):
    """Codes by their values, in an order that favours neither high nor low ones."""
    order = np.random.default_rng(0).permutation(len(places))
    look = {"cmap": "viridis", "norm": scale, "lw": 0, "zorder": 2, **look}
    axes.scatter(*places[order].T, c=values[order], s=size, **look)


def add_bar(figure, scale, text, **place):
    """What the colours of a scale mean, below one or several `ax` or in a `cax` of its own."""
    mappable = cm.ScalarMappable(scale, "viridis")
    if "ax" in place:
        place = {"location": "bottom", "aspect": 35, "pad": 0.02, **place}
    bar = figure.colorbar(mappable, extend="both", orientation="horizontal", **place)
    bar.locator = space.matplotlib.ticker.MaxNLocator(4)
    bar.set_label(text)
    bar.outline.set_visible(False)


def draw_path(axes, places, colour=RED, line="-", before=None):
    """From a green dot to a red star; dotted from `before` to where the path begins."""
    rim = [patheffects.withStroke(linewidth=4, foreground="white")]
    axes.plot(*places.T, color=colour, ls=line, lw=1.8, zorder=6, path_effects=rim)
    if before is not None:
        jump = np.array([before, places[0]])
        axes.plot(*jump.T, color=colour, ls=(0, (1, 1.5)), lw=1.8, zorder=6, path_effects=rim)
        places = np.concatenate([jump[:1], places])
    axes.scatter(*places[0], s=90, color=space.GREEN, edgecolor="white", lw=1.4, zorder=7)
    axes.scatter(*places[-1], s=260, marker="*", color=RED, edgecolor="white", lw=1.2, zorder=8)


def name_directions(axes, first="UMAP, first axis (no unit)", second="UMAP, second axis (no unit)"):
    """They have no unit, so their names stand without numbers."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel(first)
    axes.set_ylabel(second)
