#!/usr/bin/env python3
"""Writes the golden transcripts of the environments, tests/sim/transcripts/NAME.json.

    python tools/make_transcripts.py

A transcript is a replay document (env, rewards, qpos, qvel, actions) with the oracle's answer under
`expected`, and lets a test without Python check an environment. Needs the oracle's packages, those
of tests/sim/parity_test.py. Running it again with the same versions writes the same bytes.
"""

import dataclasses
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "sim"))

import oracle

FOLDER = ROOT / "tests" / "sim" / "transcripts"


@dataclasses.dataclass
class Transcript:
    """What to record; few steps, to keep the file readable. A wide start leaves the reset noise."""

    name: str
    env: str
    preset: str = "upstream"
    steps: int = 12
    seed: int = 1
    wide: bool = False


# The seeds of the wide starts are chosen for what they show in so few steps: Hopper leaves its
# healthy range at the sixth and meets the velocity clip, Ant's contact forces are clipped, and
# Humanoid's contact cost is capped at first and not later.
TRANSCRIPTS = (
    Transcript("mo-halfcheetah-v5", "mo-halfcheetah-v5"),
    Transcript("mo-hopper-v5", "mo-hopper-v5"),
    Transcript("mo-hopper-v5-fall", "mo-hopper-v5", seed=3, wide=True),
    Transcript("mo-hopper-2obj-v5", "mo-hopper-2obj-v5"),
    Transcript("mo-hopper-2obj-v5-paper", "mo-hopper-2obj-v5", preset="paper"),
    Transcript("mo-walker2d-v5", "mo-walker2d-v5"),
    Transcript("mo-ant-v5", "mo-ant-v5", steps=4, wide=True),
    Transcript("mo-ant-2obj-v5", "mo-ant-2obj-v5", steps=4, wide=True),
    Transcript("mo-ant-2obj-v5-paper", "mo-ant-2obj-v5", preset="paper", steps=4, wide=True),
    Transcript("mo-humanoid-v5", "mo-humanoid-v5", steps=3, seed=6, wide=True),
)


def format_json(value, indent=""):
    """JSON with one object key, and one row of a matrix, per line, so that a diff reads well."""
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(k)}: {format_json(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + ",\n".join(inner + json.dumps(row) for row in value) + f"\n{indent}]"
    return json.dumps(value)


def record(transcript):
    environment = oracle.Oracle(transcript.env)
    case = environment.case(transcript.seed, transcript.steps, wide=transcript.wide)
    answer = environment.answer(case)
    return case.replay_document(transcript.preset) | {
        "expected": {
            "observations": answer.observations.tolist(),
            "rewards": answer.rewards[transcript.preset].tolist(),
            "terminated": answer.terminated,
            "truncated": answer.truncated,
        },
        "made_by": oracle.versions(),
    }


def main():
    FOLDER.mkdir(exist_ok=True)
    for transcript in TRANSCRIPTS:
        path = FOLDER / f"{transcript.name}.json"
        path.write_text(format_json(record(transcript)) + "\n")
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1024:.1f} KB")


if __name__ == "__main__":
    main()
