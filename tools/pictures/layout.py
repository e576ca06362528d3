"""Lays the known codes of a model out by UMAP, for the map of `rhumb serve`.

    python layout.py CODES.json LAYOUT.json

CODES.json has for each mode {"hash", "codes": [[H]…]}; LAYOUT.json {"hash", "places": [[x, y]…]}. The
hash says which codes they are. Few codes, below 8, have no layout.
"""

import importlib.metadata
import json
import sys

import landscape
import numpy as np

FEWEST = 8


def lay_out(document):
    layout = {"method": "umap", "version": importlib.metadata.version("umap-learn"), "modes": {}}
    for mode, known in document["modes"].items():
        if len(known["codes"]) < FEWEST:
            continue
        places = landscape.lay_out(known["codes"]).embedding_  # float32, without short decimals
        layout["modes"][mode] = {"hash": known["hash"], "places": np.round(places.astype(float), 3).tolist()}
    return layout


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(json.dumps(lay_out(given)) + "\n")
