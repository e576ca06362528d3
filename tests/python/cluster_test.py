"""`python -m rhumb.cluster` on this machine: order, retries, interrupts, failures. tools/check_cluster tries
Ray and Slurm."""

import importlib.util
import io
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import types
import unittest
import unittest.mock

from rhumb.cluster import driver, growth, node, ray_engine, slurm
from rhumb.cluster.units import Failure, Unit

RHUMB = os.environ["RHUMB_BIN"]
LEARN = pathlib.Path(RHUMB).parent.parent / "lib" / "librhumb_learn.so"
WORDS = [
    "population", "--env", "point-v0", "--rewards", "two", "--scale", "smoke", "--set", "population.count=3",
    "--set", "population.iterations=8", "--set", "population.keep_every=2", "--set", "population.ppo.hidden=16",
]  # fmt: skip


def unit(name, needs=(), seconds=1.0, done=False):
    return Unit(name, "k", tuple(needs), (), 1, 1, 0, seconds, done)


def command(out, *words):
    return [sys.executable, "-m", "rhumb.cluster", "run", "--out", str(out), *WORDS, *words]


def run(out, *words, **options):
    return subprocess.run(command(out, *words), capture_output=True, text=True, check=False, timeout=300, **options)


class FakeRun:
    """A run whose units are given. Nothing is written but the record."""

    def __init__(self, listed, folder):
        self.listed, self.folder = listed, pathlib.Path(folder)

    def list(self):
        return self.listed


class FakeEngine:
    """Ends units at once, with the codes that are given for them, one after another."""

    name, cores = "fake", 2

    def __init__(self, plans_ahead=False, **codes):
        self.plans_ahead, self.codes = plans_ahead, {key: list(values) for key, values in codes.items()}
        self.begun, self.waiting, self.stopped = [], [], False

    def start(self, run, listed):
        return "nothing"

    def has_room(self, one):
        return len(self.waiting) < self.cores

    def submit(self, chosen, in_flight):
        self.begun += [one.id for one in chosen]
        self.waiting += chosen

    def wait(self, seconds):
        if not self.waiting:
            return []
        one = self.waiting.pop(0)
        codes = self.codes.get(one.id, [])
        code = codes.pop(0) if codes else 0
        return [node.Outcome(one.id, "n1", code, 1.0, ["rhumb: error: no room", "rhumb: error: node n1: cannot make it"])]

    def stop(self):
        self.stopped = True

    def close(self):
        pass


class Driver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def drive(self, engine, listed, **options):
        return driver.drive(FakeRun(listed, self.path), engine, quiet=True, **options)

    def test_the_longest_path_goes_first_and_needs_come_before(self):
        listed = [unit("a"), unit("b", seconds=5), unit("c", ["a"], seconds=9), unit("d", ["b", "c"]), unit("e", done=True)]
        for plans_ahead in (False, True):
            engine = FakeEngine(plans_ahead)
            records = self.drive(engine, listed)
            self.assertEqual(engine.begun[0], "a")
            self.assertEqual(sorted(engine.begun), ["a", "b", "c", "d"])
            self.assertLess(engine.begun.index("c"), engine.begun.index("d"))
            self.assertEqual(len(records), 4)

    def test_lost_units_are_run_again(self):
        engine = FakeEngine(a=[None, -9, 130])
        records = self.drive(engine, [unit("a"), unit("b", ["a"])])
        self.assertEqual(engine.begun, ["a"] * 4 + ["b"])
        self.assertEqual([one["attempt"] for one in records], [1, 2, 3, 4, 1])
        self.assertEqual(len((self.path / "cluster.jsonl").read_text().splitlines()), 5)
        with self.assertRaisesRegex(Failure, "node n1: cannot make a: it was lost 3 times"):
            self.drive(FakeEngine(a=[None] * 9), [unit("a")], retries=2)

    def test_a_failure_ends_with_its_cause_and_node(self):
        engine = FakeEngine(b=[2])
        with self.assertRaises(Failure) as caught:
            self.drive(engine, [unit("a"), unit("b"), unit("c", ["b"])])
        self.assertEqual(str(caught.exception), "node n1: cannot make b: no room")
        self.assertEqual(caught.exception.code, 2)
        self.assertTrue(engine.stopped)
        self.assertNotIn("c", engine.begun)

    def test_a_signal_ends_with_130(self):
        engine = FakeEngine()
        engine.wait = lambda seconds: os.kill(os.getpid(), signal.SIGTERM) or []
        with self.assertRaises(Failure) as caught:
            self.drive(engine, [unit("a")])
        self.assertEqual(caught.exception.code, 130)
        self.assertTrue(engine.stopped)

    def test_nothing_to_do(self):
        self.assertEqual(self.drive(FakeEngine(), [unit("a", done=True)]), [])

    def test_causes(self):
        self.assertEqual(driver.cause_of(["x", "rhumb: error: node n1: it has rhumb 1, not 2"]), "it has rhumb 1, not 2")
        self.assertEqual(driver.cause_of(["a line"]), "a line")
        self.assertEqual(driver.cause_of([]), "")


    def test_a_full_disk_of_this_machine(self):
        engine = FakeEngine()
        engine.submit = lambda chosen, in_flight: pathlib.Path("/dev/full").write_text("script")
        with self.assertRaisesRegex(Failure, r"^node \S+: cannot write .*: No space left on device$") as caught:
            self.drive(engine, [unit("a")])
        self.assertEqual(caught.exception.code, 2)
        self.assertTrue(engine.stopped)


# Commands of Slurm that run the tasks of an array at once, on node n7.
SLURM = {
    "sinfo": "echo n7 1 idle",
    "squeue": "",
    "scancel": "",
    "sbatch": """
        for word; do case $word in --array=0-*) last=${word#--array=0-} ;; esac; script=$word; done
        job=$(($(ls "$SLURM_FAKE" | wc -l) + 1))
        for i in $(seq 0 "$last"); do
          [ -z "$SLURM_FULL" ] || mkdir "${script%.sh}.$i.begin"  # so that it cannot be written
          SLURM_ARRAY_TASK_ID=$i SLURMD_NODENAME=n7 sh "$script" > /dev/null 2>&1
          echo $? > "$SLURM_FAKE/${job}_$i"
        done
        echo "$job"
    """,
    "scontrol": 'echo "JobId=1 BatchHost=n7 ExitCode=$(cat "$SLURM_FAKE/$4"):0"',
}


class Slurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        for name in ("bin", "jobs", "run"):
            (self.path / name).mkdir()
        for name, text in SLURM.items():
            self.make_program(self.path / "bin" / name, text)
        changed = {"PATH": f"{self.path / 'bin'}:{os.environ['PATH']}", "SLURM_FAKE": str(self.path / "jobs"), "SLURM_FULL": ""}
        for patch in (
            unittest.mock.patch.dict(os.environ, changed),
            unittest.mock.patch.object(slurm, "_POLL_SECONDS", 0.01),
            unittest.mock.patch.object(slurm, "_PATIENCE_SECONDS", 0.0),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def make_program(self, path, text):
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def drive(self, program, listed):
        return driver.drive(FakeRun(listed, self.path / "run"), slurm.SlurmEngine(program), quiet=True)

    def test_arrays_with_needs(self):
        program = self.make_program(self.path / "rhumb", 'echo "$3" >> "$5/order"; echo progress >&2')
        records = self.drive(program, [unit("a"), unit("b"), unit("c", ["a", "b"])])
        self.assertEqual([(one["node"], one["code"]) for one in records], [("n7", 0)] * 3)
        self.assertEqual((self.path / "run" / "order").read_text().split(), ["a", "b", "c"])

    def test_failures_name_the_node(self):
        full = self.make_program(self.path / "full", 'echo progress >&2; echo "rhumb: error: cannot write x: No space left on device" >&2; exit 2')
        for program, problem in (
            (full, "cannot write x: No space left on device"),
            ("/nonexistent/rhumb", "there is no program /nonexistent/rhumb"),
        ):
            with self.assertRaises(Failure) as caught:
                self.drive(program, [unit("a")])
            self.assertEqual(str(caught.exception), f"node n7: cannot make a: {problem}")
            self.assertEqual(caught.exception.code, 2)

    def test_a_controller_that_does_not_answer_at_once(self):
        silent = f'[ -e {self.path}/asked ] || {{ touch {self.path}/asked; echo "slurm_load_jobs error: Unexpected missing socket error" >&2; exit 1; }}'
        self.make_program(self.path / "bin" / "squeue", silent)
        with unittest.mock.patch.object(slurm, "_WAITS_SECONDS", (0.0,)):
            self.assertEqual(len(self.drive("/bin/true", [unit("a")])), 1)
        self.make_program(self.path / "bin" / "squeue", "echo 'Invalid user' >&2; exit 1")
        with self.assertRaisesRegex(Failure, "^squeue failed: Invalid user$"):
            self.drive("/bin/true", [unit("a")])

    def test_a_disk_that_is_full_when_a_task_begins(self):
        os.environ["SLURM_FULL"] = "1"
        with self.assertRaisesRegex(Failure, r"^node n7: cannot make a: cannot write .*\.0\.begin; the disk may be full$") as caught:
            self.drive("/bin/true", [unit("a")])
        self.assertEqual(caught.exception.code, 2)

    def test_the_message_has_room_on_a_disk_that_fills_up(self):
        """The files of a task are as large while it runs as when it has ended."""
        program = self.make_program(self.path / "rhumb", 'wc -c "$5"/cluster/slurm/0000.0.* > "$5/sizes"; echo said >&2')
        self.drive(program, [unit("a")])
        sizes = {line.split()[1].split(".")[-1]: int(line.split()[0]) for line in (self.path / "run" / "sizes").read_text().splitlines()}
        place = self.path / "run" / "cluster" / "slurm"
        self.assertEqual((sizes["err"], sizes["new"]), ((place / "0000.0.err").stat().st_size, (place / "0000.0.end").stat().st_size))
        self.assertTrue((place / "0000.0.err").read_text().startswith("said\n"))


class FakeRay:
    """Nodes that answer the probe with what is given for them. None: the node dies while it is asked."""

    class exceptions:
        class RayError(Exception):
            pass

    def __init__(self, answers):
        self.answers, self.dead = answers, set()

    def nodes(self):
        return [
            {"NodeID": name * 8, "NodeManagerHostname": name, "Alive": name not in self.dead, "Resources": {"CPU": 1}}
            for name in self.answers
        ]

    def remote(self, **options):
        return lambda function: self

    def options(self, scheduling_strategy):
        return types.SimpleNamespace(remote=lambda *words: scheduling_strategy)

    def get(self, name, timeout):
        if self.answers[name] is None:
            self.dead.add(name)
        if self.answers[name] in (None, "silent"):
            raise self.exceptions.RayError("no answer")
        return self.answers[name]


class Ray(unittest.TestCase):
    def check(self, **answers):
        with tempfile.TemporaryDirectory() as folder:
            engine = ray_engine.RayEngine.__new__(ray_engine.RayEngine)
            engine._ray, engine._program, engine._folder = FakeRay(answers), "rhumb", "auto"
            engine._run = types.SimpleNamespace(folder=pathlib.Path(folder), document={"versions": {"rhumb": "1"}})
            strategies = types.SimpleNamespace(NodeAffinitySchedulingStrategy=lambda name, soft: name[0])
            modules = {"ray": types.ModuleType("ray"), "ray.util": types.ModuleType("util"), "ray.util.scheduling_strategies": strategies}
            with unittest.mock.patch.dict(sys.modules, modules), unittest.mock.patch.object(ray_engine, "_SECONDS_TO_DIE", 0.0):
                return engine._check(engine._nodes())

    def test_nodes_are_checked(self):
        good = {"node": "a", "versions": {"rhumb": "1"}, "sees_folder": True}
        self.assertTrue(self.check(a=good, b=good))
        self.assertFalse(self.check(a=good, b=good | {"sees_folder": False}))
        self.assertTrue(self.check(a=good, b=None))
        for sentence, answers in {
            r"^node b \(bbbbbbbb\): it has rhumb 2, and the run is of 1$": {"a": good, "b": good | {"versions": {"rhumb": "2"}}},
            r"^node b \(bbbbbbbb\): there is no program rhumb$": {"a": good, "b": {"problem": "there is no program rhumb"}},
            r"^node b \(bbbbbbbb\) does not answer: no answer$": {"a": good, "b": "silent"},
            r"^the cluster has no node that answers$": {"a": None, "b": None},
        }.items():
            with self.assertRaisesRegex(Failure, sentence):
                self.check(**answers)


class Growth(unittest.TestCase):
    # By hand: a 1 s, then b and c 2 s each, then d 1 s.
    DIAMOND = [unit("a"), unit("b", ["a"], 2), unit("c", ["a"], 2), unit("d", ["b", "c"])]

    def test_by_hand(self):
        self.assertEqual(growth.makespan(self.DIAMOND, 1), 6)
        self.assertEqual(growth.makespan(self.DIAMOND, 2), 4)
        self.assertEqual(growth.makespan(self.DIAMOND, 1000), 4)
        self.assertEqual(growth.makespan(self.DIAMOND, 1, overhead=0.5), 8)
        self.assertEqual(growth.makespan(self.DIAMOND, 1, done=["a", "b"]), 3)
        self.assertEqual(growth.critical_path(self.DIAMOND, {one.id: one.seconds for one in self.DIAMOND}), 4)
        self.assertEqual(growth.table(self.DIAMOND, [1, 2])[1], (2, 4, 1.5, 0.75))

    def test_runs_do_not_wait_for_each_other(self):
        twice = growth.repeat(self.DIAMOND, 2)
        self.assertEqual(growth.makespan(twice, 1), 12)
        self.assertEqual(growth.makespan(twice, 4), 4)

    def test_the_order_matters(self):
        """Two cores: the long path must not wait behind short units."""
        listed = [*[unit(f"s{i}", seconds=1) for i in range(4)], unit("a", seconds=2), unit("b", ["a"], 2)]
        self.assertEqual(growth.makespan(listed, 2), 4)


class Archives(unittest.TestCase):
    def test_a_unit_with_its_own_files(self):
        """Without a shared folder: inputs and outputs are archives. The program is a script."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "in").mkdir()
            (path / "in" / "reproduce.json").write_text("{}")
            (path / "in" / "environment").mkdir()
            program = path / "program"
            program.write_text('#!/bin/sh\n[ -f "$5/reproduce.json" ] && echo 1 > "$5/$3" && echo 2 > "$5/$3.stamp"\n')
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            (path / "scratch").mkdir()
            task = node.Task("out", str(program), "", 1, str(path / "scratch"))
            packed = node.pack(str(path / "in"), ["reproduce.json", "environment"])
            outcome = node.run_copied(task, [packed], "n7")
            self.assertEqual((outcome.code, outcome.node), (0, "n7"), outcome.said)
            node.unpack(outcome.result, folder)
            self.assertEqual((path / "out.stamp").read_text(), "2\n")
            self.assertEqual(list((path / "scratch").iterdir()), [])
            # A machine without the program, and one without room.
            lacking = node.run_copied(task._replace(program="/nonexistent/rhumb"), [packed], "n8")
            self.assertEqual((lacking.code, lacking.said), (127, ["there is no program /nonexistent/rhumb"]))
            full = node.run_copied(task._replace(scratch="/nonexistent"), [packed], "n9")
            self.assertEqual(full.code, 2)
            self.assertIn("/nonexistent", full.said[0])


    def test_an_archive_stays_in_its_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            memory = io.BytesIO()
            with tarfile.open(fileobj=memory, mode="w") as archive:
                archive.addfile(tarfile.TarInfo("../outside"))
            with self.assertRaisesRegex(OSError, "'../outside'"):
                node.unpack(memory.getvalue(), str(pathlib.Path(folder) / "inside"))
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


@unittest.skipUnless(LEARN.exists(), "the training library is not built")
class OnThisMachine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "run"

    def test_an_interrupted_run_goes_on(self):
        process = subprocess.Popen(command(self.out, "--cores", "1"), stderr=subprocess.PIPE, text=True)
        while not (self.out / "population.parts/000.stamp").exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("the same command goes on", said.splitlines()[-1])
        done = run(self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4 of 4 units done", done.stderr)
        self.assertTrue((self.out / "population" / "manifest.json").exists())
        self.assertEqual(list(self.out.rglob("*.work")), [])
        records = [json.loads(line) for line in (self.out / "cluster.jsonl").read_text().splitlines()]
        self.assertEqual(sorted(one["unit"] for one in records if one["code"] == 0)[0], "population")
        grown = subprocess.run(
            [sys.executable, "-m", "rhumb.cluster", "growth", str(self.out), "--stages", "population", "--json"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.assertEqual(grown.returncode, 0, grown.stderr)
        rows = json.loads(grown.stdout)["rows"]
        self.assertLessEqual(rows[-1]["seconds"], rows[0]["seconds"])

    def test_bad_input(self):
        def expect(result, *parts):
            self.assertEqual(result.returncode, 2, result.stderr)
            for part in parts:
                self.assertIn(part, result.stderr.strip().splitlines()[-1])

        expect(run(self.out, "--set", "population.cuont=3"), "population.cuont")
        expect(run(self.out, "--program", "/nonexistent/rhumb"), "/nonexistent/rhumb")
        if not any((pathlib.Path(folder) / "sbatch").exists() for folder in os.environ["PATH"].split(":")):
            expect(run(self.out, "--engine", "slurm"), "needs sbatch")
        if importlib.util.find_spec("ray") is None:
            expect(run(self.out, "--engine", "ray"), "needs the package ray: pip install ray")
        self.assertFalse((self.out / "population").exists())


if __name__ == "__main__":
    unittest.main()
