"""How far a steered robot misses when its masses and friction are not those of the training.

    python measure.py --rhumb build/release/bin/rhumb --model zoo/halfcheetah

Steers the model to several speeds, and plays each answer on robots whose masses and friction differ. A copy of the
model carries the changed robot; nothing else in it differs.
"""

import argparse
import hashlib
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

# Factors on all masses and on all sliding friction, drawn once an episode between the two ends.
ROBOTS = {
    "as it is": ((1, 1), (1, 1)),
    "mass x 1.2": ((1.2, 1.2), (1, 1)),
    "mass x 0.8": ((0.8, 0.8), (1, 1)),
    "friction x 0.7": ((1, 1), (0.7, 0.7)),
    "friction x 1.3": ((1, 1), (1.3, 1.3)),
    "mass x 1.2, friction x 0.7": ((1.2, 1.2), (0.7, 0.7)),
    "mass +- 20 %, friction +- 30 %": ((0.8, 1.2), (0.7, 1.3)),
}


def run(rhumb, *words):
    result = subprocess.run([rhumb, *map(str, words), "--json"], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def graft(model, factors, folder):
    """A copy of the model whose robot has these factors."""
    shutil.copytree(model, folder)
    document = json.loads((folder / "model.json").read_text())
    spec = folder / "environment" / document["environment"]["spec"]
    mass, friction = factors
    # In place of what the model was trained with. A spec has this table at its end.
    spec.write_text(
        spec.read_text().split("\n[randomise]")[0] + f"\n[randomise]\nmass = {{ uniform = {list(mass)} }}\n"
        f"friction = {{ uniform = {list(friction)} }}\n"
    )
    digest = hashlib.sha256()
    for file in sorted((folder / "environment").iterdir()):
        data = file.read_bytes()
        digest.update(f"{len(file.name)} {len(data)} {file.name}".encode() + data)
    document["environment"]["hash"] = digest.hexdigest()
    (folder / "model.json").write_text(json.dumps(document))
    manifest = json.loads((folder / "manifest.json").read_text())
    for name in manifest["files"]:
        data = (folder / name).read_bytes()
        manifest["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rhumb", default="build/release/bin/rhumb")
    parser.add_argument("--model", type=pathlib.Path, default=pathlib.Path("zoo/halfcheetah"))
    parser.add_argument("--episodes", type=int, default=8)
    parser.add_argument("--targets", type=float, nargs="+", default=[3000, 4000, 5000, 6000])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        codes = []
        for target in arguments.targets:
            found = run(arguments.rhumb, "steer", arguments.model, "--target", f"forward={target}")
            # Without the model's hash, so that the grafted copies take it.
            codes.append(scratch / f"{target}.json")
            codes[-1].write_text(json.dumps({"code": found["answers"][0]["code"], "mode": "sampled"}))
        print(f"{'robot':32}{'error, %':>10}{'signed, %':>11}{'spread over episodes, %':>25}")
        for i, (name, factors) in enumerate(ROBOTS.items()):
            model = graft(arguments.model, factors, scratch / str(i))
            # Robots that are drawn need more episodes: each episode is another robot.
            drawn = any(low < high for low, high in factors)
            episodes = (4 if drawn else 1) * arguments.episodes
            errors, spreads = [], []
            for target, code in zip(arguments.targets, codes):
                played = run(arguments.rhumb, "play", model, "--code", code,
                             "--set", f"episodes={episodes}", "--seed", 7)  # fmt: skip
                returns = [episode["returns"]["forward"] for episode in played["episodes"]]
                errors.append(100 * (statistics.mean(returns) - target) / target)
                spreads.append(100 * statistics.stdev(returns) / target)
            error = statistics.mean(map(abs, errors))
            print(f"{name:32}{error:10.1f}{statistics.mean(errors):11.1f}{statistics.mean(spreads):25.1f}", flush=True)


if __name__ == "__main__":
    main()
