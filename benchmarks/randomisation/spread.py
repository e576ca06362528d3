"""The spread of the first objective's return within a policy, over the episodes of a dataset.

    python3 spread.py plain-v0 randomised-v0
"""

import json
import pathlib
import statistics
import sys


def main():
    for folder in sys.argv[1:]:
        episodes = json.loads((pathlib.Path(folder) / "dataset.json").read_text())["episodes"]
        groups = {}
        for policy, returns in zip(episodes["policy"], episodes["returns"]):
            groups.setdefault(policy, []).append(returns[0])
        shares = [100 * statistics.stdev(one) / abs(statistics.mean(one)) for one in groups.values() if len(one) > 1]
        rms = statistics.mean(share**2 for share in shares) ** 0.5
        middle = statistics.median(shares)
        print(f"{folder}: spread within a policy: median {middle:.1f} %, root mean square {rms:.1f} %")


if __name__ == "__main__":
    main()
