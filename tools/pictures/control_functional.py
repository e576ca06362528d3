"""Draws the error of control functionals and of Monte Carlo against the size of the sample.

    rhumb evaluate control-functional --json > CONTROL.json
    python control_functional.py CONTROL.json OUT.png
"""

import numpy as np
import objective_space as space

ESTIMATORS = {
    "monte_carlo": (space.VERMILION, "s", "Monte Carlo"),
    "control_functional": (space.BLUE, "o", "control functional"),
}


def draw_case(axes, case):
    sizes = np.array([row["size"] for row in case["rows"]], float)
    for key, (colour, marker, title) in ESTIMATORS.items():
        errors = np.array([row[key] for row in case["rows"]], float)
        rate = case[f"{key}_rate"]
        words = "" if rate is None else f": N$^{{{rate:.2f}}}$".replace("-", "\N{MINUS SIGN}")
        axes.plot(sizes, errors, color=colour, marker=marker, ms=5, lw=0, label=title + words)
        if rate is not None:
            # The fitted line passes through the middle of the points.
            middle = np.exp(np.mean(np.log(errors) - rate * np.log(sizes)))
            axes.plot(sizes, middle * sizes**rate, color=colour, lw=1.4)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.xaxis.set_minor_locator(space.matplotlib.ticker.NullLocator())
    dimensions = "1 dimension" if case["dimension"] == 1 else f"{case['dimension']} dimensions"
    axes.set_title(f"{case['density'].capitalize()} density, {dimensions}")
    axes.legend(loc="lower left")


def draw(document, path):
    cases = document["cases"]
    columns = min(2, len(cases))
    rows = -(-len(cases) // columns)
    figure = space.new_figure(5 * columns, 0.8 + 3.2 * rows)
    repeats = document["config"]["repeats"]
    title = f"Error of an estimated mean, {repeats} estimates of each size; lines: fitted rates"
    space.set_title(figure, title)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for panel in panels.flat[len(cases) :]:
        panel.set_axis_off()
    for axes, case in zip(panels.flat, cases):
        draw_case(axes, case)
    for axes in panels[-1]:
        axes.set_xlabel("size N of the sample (points)")
    for axes in panels[:, 0]:
        axes.set_ylabel("root-mean-square error (no unit)")
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
