"""Figures for notebooks. They need matplotlib; without it, results are shown as text."""

from __future__ import annotations

import io
import re
import typing

if typing.TYPE_CHECKING:
    from rhumb.steering import Result


def result_figure(result: Result) -> typing.Any:
    """The behaviours of the training codes over two objectives, and the answers with their intervals."""
    from matplotlib.figure import Figure

    model = result.model
    names = [one.name for one in model.objectives]
    asked = " ".join(term for terms in result.query.values() for term in terms)
    named = [name for name in names if re.search(rf"\b{re.escape(name)}\b", asked)]
    first, second, *_ = [*named, *(name for name in names if name not in named)] if len(names) > 1 else names * 2
    figure = Figure(figsize=(5, 3.6), dpi=110, layout="constrained")
    axes = figure.add_subplot()
    x, y = names.index(first), names.index(second)
    axes.scatter(model.values[:, x], model.values[:, y], s=4, color="0.75", label="training codes", linewidths=0)
    for number, answer in enumerate(result.answers or (result.best,)):
        spans = [
            None
            if name not in answer.interval
            else [[max(0.0, answer.predicted[name] - answer.interval[name][0])], [max(0.0, answer.interval[name][1] - answer.predicted[name])]]
            for name in (first, second)
        ]
        label = None if number else ("answers" if result.answers else "nearest behaviour")
        axes.errorbar(
            answer.predicted[first], answer.predicted[second], xerr=spans[0], yerr=spans[1], fmt="o", ms=5,
            color="C0" if result.answers else "C3", capsize=2, label=label,
        )
    for term in result.query.get("target", []):
        found = re.fullmatch(r"\s*(\w+)\s*=\s*([-+\d.eE]+).*", term)
        if found and found[1] in (first, second):
            (axes.axvline if found[1] == first else axes.axhline)(float(found[2]), color="C1", lw=1, ls="--")
    for term in result.query.get("require", []):
        found = re.fullmatch(r"\s*(\w+)\s*[<>]=?\s*([-+\d.eE]+)\s*", term)
        if found and found[1] in (first, second):
            (axes.axvline if found[1] == first else axes.axhline)(float(found[2]), color="C2", lw=1, ls=":")
    units = {one.name: one.unit for one in model.objectives}
    axes.set_xlabel(first + (f" [{units[first]}]" if units[first] else ""))
    axes.set_ylabel(second + (f" [{units[second]}]" if units[second] else ""))
    axes.set_title(f"{result.status} in {result.solve_ms:.1f} ms", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    return figure


def png_of(result: Result) -> bytes | None:
    """The figure as PNG; None without matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return None
    content = io.BytesIO()
    result_figure(result).savefig(content, format="png")
    return content.getvalue()
