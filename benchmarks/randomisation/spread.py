"""The spread of the first objective's return within a policy, over the episodes of a dataset.

    python spread.py plain-v0 randomised-v0        # needs h5py and numpy
"""

import json
import pathlib
import sys

import h5py
import numpy as np


def main():
    for folder in map(pathlib.Path, sys.argv[1:]):
        policies = [one["policy"] for one in json.loads((folder / "dataset.json").read_text())["episodes"]]
        with h5py.File(folder / "data" / "main_data.hdf5") as file:
            rewards = [file[f"episode_{i}"]["infos/vector_reward"][:, 0] for i in range(len(policies))]
        returns, policies = np.array([one.sum() for one in rewards]), np.array(policies)
        groups = [returns[policies == policy] for policy in np.unique(policies)]
        shares = [100 * group.std(ddof=1) / abs(group.mean()) for group in groups if len(group) > 1]
        print(f"{folder}: mean {returns.mean():.0f}, spread within a policy: median {np.median(shares):.1f} %, "
              f"root mean square {np.sqrt(np.mean(np.square(shares))):.1f} %")  # fmt: skip


if __name__ == "__main__":
    main()
