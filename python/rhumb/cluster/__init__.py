"""The pipeline on many machines: the units of `rhumb units list` on this machine, on Ray or on Slurm.

    python -m rhumb.cluster run --engine ray --env mo-halfcheetah-v5 --out cheetah.report

A unit is one command of the program `rhumb` (docs/cluster.md). Engines only decide where and when it runs.
This part of the package needs the program and Python's own library; Ray is imported where it is asked for.

    units.py     what there is to do: the list of the program
    driver.py    submits what is ready, counts, retries, ends with one sentence
    node.py      runs one unit on a machine; nothing but Python's own library
    local.py, ray_engine.py, slurm.py    engines
    growth.py    how long a run takes on N nodes
"""
