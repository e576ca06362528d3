#!/usr/bin/env python3
"""The time a decoder takes to act, batch 1 on one thread, beside onnxruntime with bound buffers.

    python benchmarks/steering/compare_decoder.py MODEL [--rounds 5] [--json]

with a Python that has onnx, onnxruntime and numpy. The contenders take turns on the same machine;
the table has the median of each. README.md says what is compared, and how.
"""

import argparse
import json
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
PEER = pathlib.Path(__file__).with_name("onnxruntime_decoder.py")
sys.path.append(str(ROOT / "benchmarks"))

from undisturbed import run, undisturbed

PROGRAM = "bench_decoder"
QUANTILES = ("p50_us", "p99_us")
TOLERANCE = 1e-5  # two orders of summation in float


def check_agreement(ours, peer):
    """Both computed the same from the same observations."""
    for name in ("mean", "log_deviation"):
        rows = zip((sample[name] for sample in ours["samples"]), peer["decoder"]["outputs"][name], strict=True)
        gap = max(abs(a - b) for row in rows for a, b in zip(*row, strict=True))
        print(f"largest difference of {name}: {gap:.1e}", file=sys.stderr)
        if not gap <= TOLERANCE:
            raise SystemExit(f"the outputs '{name}' differ by {gap}, at most {TOLERANCE} is wanted")
    if ours["allocations"] != 0:
        raise SystemExit(f"{PROGRAM} allocated {ours['allocations']} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path, help="a model folder")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each contender (5)")
    parser.add_argument("--calls", type=int, default=20000, help="timed per turn (20000)")
    parser.add_argument("--build", type=pathlib.Path, default=BUILD, help="where to build programs")
    parser.add_argument("--no-wait", action="store_true", help="measure even while others use the machine")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    arguments = parser.parse_args()
    run("cmake", "--build", arguments.build, "--target", PROGRAM)
    measure = (lambda action: action()) if arguments.no_wait else undisturbed

    turns = {}
    for turn in range(arguments.rounds):
        ours = measure(lambda: run(arguments.build / "bin" / PROGRAM, arguments.model, arguments.calls))
        peer = measure(lambda: run(sys.executable, PEER, arguments.model, arguments.calls, input=ours))
        ours, peer = json.loads(ours), json.loads(peer)
        if turn == 0:
            check_agreement(ours, peer)
        contenders = {"rhumb": ours} | {f"onnxruntime, {name}": row for name, row in peer.items()}
        for name, row in contenders.items():
            turns.setdefault(name, []).append({quantile: row[quantile] for quantile in QUANTILES})
            print(f"turn {turn + 1}: {name:24}{row['p50_us']:8.2f}{row['p99_us']:8.2f} µs", file=sys.stderr)
    medians = {
        name: {quantile: statistics.median(row[quantile] for row in rows) for quantile in QUANTILES}
        for name, rows in turns.items()
    }
    # A turn of ours over the peer's turn right after it, so that both saw the same machine.
    ratios = {
        f"rhumb / {name}": {
            quantile: statistics.median(a[quantile] / b[quantile] for a, b in zip(turns["rhumb"], turns[name]))
            for quantile in QUANTILES
        }
        for name in ("onnxruntime, decoder", "onnxruntime, mean alone")
    }
    if arguments.json:
        print(json.dumps({"medians": medians, "ratios": ratios, "turns": turns}, indent=2))
        return
    for title, rows in (("µs", medians), ("ratios", ratios)):
        print(f"{title:34}      p50      p99")
        for name, row in rows.items():
            print(f"  {name:32}{row['p50_us']:9.2f}{row['p99_us']:9.2f}")


if __name__ == "__main__":
    main()
