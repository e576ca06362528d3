"""python -m rhumb.cluster: the pipeline on many machines."""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys

from . import growth
from .driver import Engine, drive, format_seconds
from .local import LocalEngine
from .units import Failure, Run, find_program

STAGES = ("population", "dataset", "model", "ground", "evaluate", "reproduce")
EXAMPLES = """examples:
  python -m rhumb.cluster run --env point-v0 --scale smoke --out point.report
  python -m rhumb.cluster run --engine ray --address auto --env mo-halfcheetah-v5 --out cheetah.report
  python -m rhumb.cluster run population --engine slurm --env mo-ant-v5 --out ant --set population.count=20
  python -m rhumb.cluster growth point.report --nodes 1,2,3,10,100,1000

Ctrl-C leaves everything resumable, and the same command goes on. Exit codes: 0 done, 2 bad input or a node
that cannot work, 130 interrupted.
"""


def parse(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m rhumb.cluster", description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run the units of a pipeline", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    run.add_argument("stages", nargs="*", choices=[*STAGES, []], metavar="STAGE", help=f"of {', '.join(STAGES)} (default: reproduce, which is all)")
    run.add_argument("--engine", choices=("local", "ray", "slurm"), default="local", help="where units run (default: local)")
    run.add_argument("--out", required=True, help="folder of the run; it is made unless it exists")
    for name, text in {
        "env": "environment: an id or the path of a spec (default: that of the folder)",
        "rewards": "reward preset",
        "scale": "full, small or smoke, as of `rhumb reproduce`",
        "seed": "seed for all random draws",
        "device": "cpu or cuda (default: cpu)",
        "agents-per-unit": "agents of the population that train together (default: 1)",
    }.items():
        run.add_argument(f"--{name}", help=text)
    run.add_argument("--set", action="append", default=[], metavar="population.KEY=VALUE", help="a setting of the population")
    run.add_argument("--threads", type=int, default=1, help="threads of each unit (default: 1)")
    run.add_argument("--retries", type=int, default=3, help="how often a unit that was lost is run again (default: 3)")
    run.add_argument("--program", help="path of the program rhumb, here and on the nodes (default: $RHUMB_BIN, or rhumb on the PATH)")
    run.add_argument("--cores", type=int, default=0, help="local: cores to use (default: all)")
    run.add_argument("--address", help="ray: address of the cluster, or auto (default: a cluster of this machine alone)")
    run.add_argument("--folder", choices=("auto", "shared", "copied"), default="auto", help="ray: whether nodes see --out (default: auto)")
    run.add_argument("--scratch", help="ray: folder on the nodes for copies")
    run.add_argument("--sbatch", default="", help="slurm: further options of sbatch, such as '--partition=long --time=2:00:00'")
    run.add_argument("--at-once", type=int, default=0, help="slurm: tasks of an array that run at a time (default: no limit)")
    run.add_argument("--no-memory", action="store_true", help="slurm: do not ask for memory")
    run.add_argument("--quiet", action="store_true", help="no progress")
    grow = commands.add_parser("growth", help="how long a finished run would take on N nodes")
    grow.add_argument("out", metavar="FOLDER", help="folder of a finished run")
    grow.add_argument("--nodes", default="1,2,3,10,30,100,300,1000", help="numbers of nodes (default: %(default)s)")
    grow.add_argument("--runs", type=int, default=1, help="runs like this one at a time, such as robots times seeds (default: 1)")
    grow.add_argument("--cores", type=int, default=1, help="cores of a node (default: 1)")
    grow.add_argument("--overhead", type=float, default=0.0, help="seconds that the engine adds to each unit (default: 0)")
    grow.add_argument("--stages", nargs="*", default=["reproduce"], choices=STAGES, help="stages (default: reproduce)")
    grow.add_argument("--program", help="path of the program rhumb")
    grow.add_argument("--json", action="store_true", help="one JSON document on stdout")
    return parser.parse_args(words)


def make_engine(arguments: argparse.Namespace) -> Engine:
    if arguments.engine == "ray":
        from .ray_engine import RayEngine

        return RayEngine(arguments.address, arguments.program, arguments.folder, arguments.scratch)
    if arguments.engine == "slurm":
        from .slurm import SlurmEngine

        return SlurmEngine(arguments.program, shlex.split(arguments.sbatch), arguments.at_once, not arguments.no_memory)
    return LocalEngine(arguments.cores)


def run(arguments: argparse.Namespace) -> None:
    stages = arguments.stages or ["reproduce"]
    choices = ["--threads", str(arguments.threads)]
    for name in ("env", "rewards", "scale", "seed", "device", "agents_per_unit"):
        if (value := getattr(arguments, name)) is not None:
            choices += [f"--{name.replace('_', '-')}", value]
    for setting in arguments.set:
        choices += ["--set", setting]
    work = Run(find_program(arguments.program), arguments.out, stages, choices)
    drive(work, make_engine(arguments), retries=arguments.retries, quiet=arguments.quiet)
    if "reproduce" in stages:
        # All units are done: this only writes the report.
        words = ["reproduce", "--out", str(work.folder), "--scale", work.document["scale"], "--seed", str(work.document["seed"])]
        target = subprocess.DEVNULL if arguments.quiet else None
        code = subprocess.run([work.program, *words], check=False, stdout=target, stderr=target).returncode
        if code != 0:
            raise Failure(f"the units are done, and the report is not: `rhumb {shlex.join(words)}` ended with {code}", code)
    else:
        print(f"done: {work.folder}")


def show_growth(arguments: argparse.Namespace) -> None:
    work = Run(find_program(arguments.program), arguments.out, arguments.stages)
    units = work.list()
    if left := [unit.id for unit in units if not unit.done]:
        raise Failure(f"{work.folder} has {len(left)} units that are not done, such as {left[0]}; growth needs their times")
    try:
        nodes = [int(word) for word in arguments.nodes.split(",")]
    except ValueError:
        raise Failure(f"--nodes {arguments.nodes}: give numbers with commas between") from None
    units = growth.repeat(units, max(1, arguments.runs))
    rows = growth.table(units, nodes, arguments.cores, arguments.overhead)
    bound = growth.critical_path(units, {unit.id: unit.seconds + arguments.overhead for unit in units})
    total = sum(unit.seconds for unit in units)
    if arguments.json:
        keys = ("nodes", "seconds", "speed_up", "efficiency")
        print(json.dumps({"units": len(units), "total_seconds": total, "critical_path_seconds": bound, "rows": [dict(zip(keys, row)) for row in rows]}, indent=2))
        return
    print(f"{len(units)} units, {format_seconds(total)} on one core; the longest chain takes {format_seconds(bound)}")
    print(f"{'nodes':>6} {'time':>10} {'times as fast':>14} {'cores used':>11}")
    for count, took, faster, used in rows:
        print(f"{count:>6} {format_seconds(took):>10} {faster:>14.2f} {used:>10.0%}")


def main(words: list[str] | None = None) -> int:
    arguments = parse(words)
    try:
        (run if arguments.command == "run" else show_growth)(arguments)
    except Failure as end:
        print(f"\nrhumb.cluster: {'' if end.code == 130 else 'error: '}{end}", file=sys.stderr)
        return end.code
    except KeyboardInterrupt:
        print("\nrhumb.cluster: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
