#!/usr/bin/env python3
"""Writes the golden values of the indicators of fronts, tests/eval/golden/front.json.

    python tools/make_front_golden.py            # the golden values
    python tools/make_front_golden.py --weights  # the weight vectors, as rhumb/eval/map/utility_weights.cc

The indicators are those of morl-baselines 1.3.0 itself; IGD+, which it lacks, is pymoo's. Needs the
packages pymoo 0.6.2 and scipy, which the tests do not, and morl-baselines 1.3.0 on the path: its wheel
may be unpacked without its own dependencies (`pip install --no-deps morl-baselines==1.3.0`).

The file holds sets of points in 2, 3 and 4 dimensions with equal and dominated ones among them, points
beyond the reference point, and the indicators of their fronts. All numbers are multiples of 1/8.
"""

import argparse
import importlib.util
import json
import pathlib

import numpy as np
from pymoo.indicators.igd_plus import IGDPlus
from pymoo.util.ref_dirs import get_reference_directions

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "tests" / "eval" / "golden" / "front.json"
TABLE = ROOT / "rhumb" / "eval" / "map" / "utility_weights.cc"
DIMENSIONS = (2, 3, 4)
WEIGHTS = 50


def module(name):
    """A file of morl_baselines.common, without the package around it, which imports much more."""
    package = pathlib.Path(importlib.util.find_spec("morl_baselines").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location(name, package / "common" / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def weights_of(dimension):
    """As morl_baselines.common.weights.equally_spaced_weights."""
    return get_reference_directions("energy", dimension, WEIGHTS, seed=42)


def draw_points(rng, dimension, count):
    """Points around a sphere, so that many are not dominated, rounded, some of them twice."""
    points = np.abs(rng.standard_normal((count, dimension)))
    points *= (8 * rng.uniform(0.7, 1, (count, 1))) / np.linalg.norm(points, axis=1, keepdims=True)
    points = np.round(8 * (points - 2)) / 8
    return np.concatenate([points, points[:3]])


def case(rng, dimension, count):
    indicators, pareto = module("performance_indicators"), module("pareto")
    sets = [draw_points(rng, dimension, count) for _ in range(2)]
    reference = np.full(dimension, -0.5)
    fronts = [pareto.filter_pareto_dominated(points) for points in sets]
    union = pareto.filter_pareto_dominated(np.concatenate(fronts))
    front, weights = fronts[0], weights_of(dimension)
    return {
        "points": sets[0].tolist(),
        "others": sets[1].tolist(),
        "reference": reference.tolist(),
        "cardinality": int(indicators.cardinality(front)),
        "union_cardinality": int(indicators.cardinality(union)),
        "hypervolume": float(indicators.hypervolume(reference, front)),
        "expected_utility": float(indicators.expected_utility(front, weights)),
        "maximum_utility_loss": float(indicators.maximum_utility_loss(front, union, weights)),
        "igd": float(indicators.igd(union, front)),
        # pymoo minimises.
        "igd_plus": float(IGDPlus(-union)(-front)),
        "sparsity": float(indicators.sparsity(front)),
    }


def table():
    """The C++ source: a row per weight vector."""
    text = [
        '#include "rhumb/eval/map/utility_weights.h"',
        "",
        "namespace rhumb::eval {",
        "namespace {",
        "",
        "// Written by tools/make_front_golden.py --weights.",
    ]
    for dimension in DIMENSIONS:
        text.append(f"constexpr double kWeights{dimension}[kUtilityWeights][{dimension}] = {{")
        for row in weights_of(dimension):
            text.append(f"    {{{', '.join(f'{value:.10f}' for value in row)}}},")
        text.append("};")
    text += [
        "",
        "}  // namespace",
        "",
        "std::span<const double> UtilityWeights(std::size_t objectives) {",
        "  static constexpr double kOne[1] = {1};",
        "  switch (objectives) {",
        "    case 1:",
        "      return kOne;",
    ]
    for dimension in DIMENSIONS:
        text += [
            f"    case {dimension}:",
            f"      return {{&kWeights{dimension}[0][0], kUtilityWeights * {dimension}}};",
        ]
    text += ["    default:", "      return {};", "  }", "}", "", "}  // namespace rhumb::eval", ""]
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", action="store_true", help="write the table of weight vectors")
    if parser.parse_args().weights:
        TABLE.write_text(table())
        return
    rng = np.random.default_rng(15)
    document = {
        "cases": [case(rng, dimension, count) for dimension in DIMENSIONS for count in (1, 5, 40)],
        "weights": {str(dimension): weights_of(dimension).tolist() for dimension in DIMENSIONS},
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
