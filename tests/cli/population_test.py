"""`rhumb population train` end to end: learning, reproducibility, interruptions and errors."""

import hashlib
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

import ordinary_user

RHUMB = os.environ["RHUMB_BIN"]
# No pictures: other tests cover them, and they take longer than these runs.
ENVIRONMENT = {**os.environ, "RHUMB_PYTHON": "/nonexistent"}

# Three agents of the point mass, with the smallest PPO settings; a state after every iteration.
TINY = {
    "weights": "grid",
    "count": 3,
    "iterations": 24,
    "keep_every": 4,
    "checkpoint_every": 1,
    "ppo.environments": 4,
    "ppo.steps": 32,
    "ppo.epochs": 2,
    "ppo.minibatches": 2,
    "ppo.hidden": "[16]",
}


def command(out, *arguments, env="point-v0", rewards="two", threads=1, seed=1, **settings):
    words = [RHUMB, "population", "train", "--env", env, "--out", out, "--threads", threads]
    words += ["--seed", seed, *arguments]
    if rewards:
        words += ["--rewards", rewards]
    for key, value in {**TINY, **settings}.items():
        words += ["--set", f"{key}={value}"]
    return [str(word) for word in words]


def train(*arguments, options=None, **keywords):
    return subprocess.run(
        command(*arguments, **keywords),
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=300,
        check=False,
        **(options or {}),
    )


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def hashes(out):
    """SHA-256 of every agent's file."""
    files = sorted((out / "agents").iterdir())
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def contents(folder):
    return {p: p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def read_safetensors(path):
    """{name: (shape, numbers)}, read by the format's definition alone."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        count = math.prod(entry["shape"])
        kind = {"F16": "e", "F32": "f"}[entry["dtype"]]
        arrays[name] = (entry["shape"], struct.unpack(f"<{count}{kind}", data[8 + length :][begin:end]))
    return arrays


class Policy:
    """The mean of a stored policy, in plain Python: ELU between the layers."""

    def __init__(self, arrays, prefix):
        self.mean = arrays[prefix + "normaliser.mean"][1]
        self.inverse_scale = arrays[prefix + "normaliser.inverse_scale"][1]
        self.layers = []
        while f"{prefix}mean.{len(self.layers)}.weight" in arrays:
            name = f"{prefix}mean.{len(self.layers)}."
            self.layers.append((*arrays[name + "weight"], arrays[name + "bias"][1]))

    def __call__(self, observation):
        x = [(o - m) * s for o, m, s in zip(observation, self.mean, self.inverse_scale)]
        x = [min(max(value, -10), 10) for value in x]
        for i, ((_, outputs), weight, bias) in enumerate(self.layers):
            if i > 0:
                x = [value if value > 0 else math.expm1(value) for value in x]
            x = [
                bias[o] + sum(value * weight[j * outputs + o] for j, value in enumerate(x))
                for o in range(outputs)
            ]
        return x


# docs/environments.md: a control step is ten substeps v' = r (v + h u), x' = x + h v'; held in step t,
# u pays g_t u over the rest of the episode.
H, R, STEPS = 0.01, 1 / 1.01, 100
GAINS = [sum(1 - R ** (10 * (STEPS - t) - j) for j in range(10)) / 10 for t in range(STEPS)]


def optimum(forward, energy):
    """The best weighted return of an episode from rest."""
    total = 0
    for gain in GAINS:
        u = 1 if forward * gain >= 2 * energy else forward * gain / (2 * energy)
        total += forward * gain * u - energy * u * u
    return total


def weighted_return(policy, forward, energy):
    """The weighted return of one episode from rest under the policy's mean actions."""
    vx = vy = total = 0
    for _ in range(STEPS):
        ux, uy = (min(max(u, -1), 1) for u in policy((vx, vy)))
        moved = 0
        for _ in range(10):
            vx, vy = R * (vx + H * ux), R * (vy + H * uy)
            moved += H * vx
        total += forward * moved / (10 * H) - energy * (ux * ux + uy * uy)
    return total


class Population(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name)

    @classmethod
    def setUpClass(cls):
        """The uninterrupted baseline run."""
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.whole = pathlib.Path(temporary.name) / "whole"
        result = train(cls.whole)
        if result.returncode != 0 or "error" in result.stderr:
            raise AssertionError(result.stderr)

    def expect_bad_input(self, result, *words):
        """Expects exit 2, an empty stdout, and a last line on stderr with these words."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        last = result.stderr.strip().splitlines()[-1]
        for word in words:
            self.assertIn(str(word), last)

    def interrupted(self, out, how, iteration=3, **keywords):
        """A run that receives this signal once every agent has a state of at least `iteration`."""
        states = lambda agent: (pathlib.Path(f"{out}.work") / agent).glob("state_*")
        late = lambda agent: any(int(s.stem[6:]) >= iteration for s in states(agent))
        process = subprocess.Popen(
            command(out, **keywords), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=ENVIRONMENT,
        )
        while process.poll() is None and not all(late(f"agent_00{i}") for i in range(3)):
            time.sleep(0.001)
        process.send_signal(how)
        words = process.communicate(timeout=60)[1]
        return process.returncode, words

    # Learning.

    def test_every_weight_reaches_its_optimum(self):
        """
        The stored policies' means, played here, earn the closed-form optimum less a margin of a tenth
        and 0.5. A policy that sees the speed and not the time cannot ease off towards the end as the
        open-loop optimum does: the best constant push earns 5 % less. The rest covers what 40
        iterations leave: a push that is off by 0.07 in all of the 100 steps costs 0.5.
        """
        out = self.path / "p"
        result = train(
            out, threads=2, count=5, iterations=40, keep_every=40, checkpoint_every=40,
            **{
                "ppo.environments": 16, "ppo.steps": 100, "ppo.epochs": 10, "ppo.minibatches": 8,
                "ppo.hidden": "[32, 32]", "ppo.learning_rate": 1e-3, "ppo.activation": "elu",
            },
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        agents = json.loads((out / "population.json").read_text())["agents"]
        self.assertEqual([a["weights"] for a in agents][:2], [[1, 0], [0.75, 0.25]])
        for agent in agents:
            policy = Policy(read_safetensors(out / agent["file"]), "iteration_00040.")
            best, earned = optimum(*agent["weights"]), weighted_return(policy, *agent["weights"])
            print(f"weights {agent['weights']}: {earned:.2f} of {best:.2f}")
            with self.subTest(weights=agent["weights"]):
                self.assertLessEqual(earned, best + 1e-6)
                self.assertGreaterEqual(earned, best - 0.1 * best - 0.5)

    # Reproducibility.

    def test_the_artefact_says_what_it_is(self):
        document = json.loads((self.whole / "population.json").read_text())
        self.assertEqual([entry["name"] for entry in document["objectives"]], ["x_velocity", "energy"])
        self.assertEqual(document["weights"], [[1, 0], [0.5, 0.5], [0, 1]])
        self.assertEqual([a["id"] for a in document["agents"]], [0, 1, 2])
        for agent in document["agents"]:
            self.assertEqual(agent["kept_iterations"], [4, 8, 12, 16, 20, 24])
            self.assertEqual(agent["curves"]["iteration"], list(range(1, 25)))
        manifest = json.loads((self.whole / "manifest.json").read_text())
        self.assertEqual(manifest["seed"], 1)
        self.assertEqual(manifest["config"]["ppo"]["steps"], 32)
        self.assertFalse(pathlib.Path(f"{self.whole}.work").exists())
        self.assertEqual(len(list((self.whole / "tensorboard").glob("agent_*/events.out.tfevents.*"))), 3)

    def test_equal_settings_give_equal_bits(self):
        for threads in (1, 2):
            runs = [self.path / f"{threads}_{i}" for i in range(2)]
            for run in runs:
                self.assertEqual(train(run, threads=threads).returncode, 0)
            self.assertEqual(hashes(runs[0]), hashes(runs[1]))
        # A single agent uses both threads in its products.
        alone = [self.path / f"alone_{i}" for i in range(2)]
        wide = {"iterations": 4, "ppo.steps": 256, "ppo.hidden": "[128, 128]"}
        for run in alone:
            self.assertEqual(train(run, "--agents", "1", threads=2, **wide).returncode, 0)
        self.assertEqual(hashes(alone[0]), hashes(alone[1]))
        other = self.path / "other"
        self.assertEqual(train(other, seed=2).returncode, 0)
        self.assertNotEqual(hashes(other), hashes(self.whole))

    def test_children_start_from_the_best_root(self):
        out = self.path / "family"
        self.assertEqual(train(out, children=1).returncode, 0)
        document = json.loads((out / "population.json").read_text())
        self.assertEqual(document["weights"][3:], [[0.75, 0.25], [0.25, 0.75]])
        agents = document["agents"]
        self.assertEqual([agent["parent"] for agent in agents[:3]], [None] * 3)
        for child in agents[3:]:
            # Iterations count on from the root's 24; a quarter of them is rounded to keep_every.
            self.assertEqual(child["kept_iterations"], [28, 32])
            self.assertEqual(child["curves"]["iteration"], list(range(25, 33)))
            last = [agent["curves"]["returns"][-10:] for agent in agents[:3]]
            score = [sum(dot(child["weights"], row) for row in rows) for rows in last]
            self.assertEqual(child["parent"], score.index(max(score)))
        shown = subprocess.run([RHUMB, "population", "show", out], capture_output=True, text=True, check=True)
        self.assertIn("3 agents x 24 iterations and 2 children", shown.stdout)
        last = shown.stdout.splitlines()[-1].split()
        self.assertEqual((last[0], last[-1]), ("4", str(agents[4]["parent"])))
        # The roots are those of a run without children.
        roots = {name: digest for name, digest in hashes(out).items() if name in hashes(self.whole)}
        self.assertEqual(roots, hashes(self.whole))

    def test_a_child_learns_at_its_own_rate(self):
        def distance_from_parent(rate_share):
            out = self.path / f"rate_{rate_share}"
            self.assertEqual(train(out, children=1, child_rate_share=rate_share).returncode, 0)
            agents = json.loads((out / "population.json").read_text())["agents"]
            ends = ((agents[3]["file"], "00032"), (agents[agents[3]["parent"]]["file"], "00024"))
            weights = [read_safetensors(out / file)[f"iteration_{i}.mean.0.weight"][1] for file, i in ends]
            return math.dist(*weights)

        self.assertEqual(distance_from_parent(0), 0)
        self.assertLess(distance_from_parent(0.1), distance_from_parent(1) / 2)

    def test_a_child_needs_its_roots(self):
        out = self.path / "p"
        result = train(out, "--agents", "0,3", children=1)
        self.expect_bad_input(result, "agent 3 starts from the best of agents 0 to 2")
        self.assertFalse(out.exists())

    def test_agents_alone_are_the_agents_of_the_population(self):
        out = self.path / "some"
        self.assertEqual(train(out, "--agents", "1,2").returncode, 0)
        whole = hashes(self.whole)
        del whole["agent_000.safetensors"]
        self.assertEqual(hashes(out), whole)

    # Interruptions.

    def test_killed_at_20_random_moments(self):
        longer = {"iterations": 60, "children": 1}
        reference, out = self.path / "reference", self.path / "p"
        self.assertEqual(train(reference, **longer).returncode, 0)
        moments = random.Random(4)
        kills = finished = 0
        while kills < 20:
            process = subprocess.Popen(
                command(out, **longer), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
            )
            try:
                process.wait(timeout=moments.uniform(0.2, 0.8))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
                continue
            # The run finished before the kill, and the next run starts afresh.
            self.assertEqual(process.returncode, 0)
            self.assertEqual(hashes(out), hashes(reference))
            finished += 1
            shutil.rmtree(out)
        result = train(out, **longer)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(hashes(out), hashes(reference))
        print(f"20 kills, {finished + 1} runs finished")

    def test_interrupted_by_ctrl_c(self):
        out = self.path / "p"
        # States are due only at the end, so only the interruption saves one.
        for _ in range(3):
            process = subprocess.Popen(
                command(out, checkpoint_every=1000), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, env=ENVIRONMENT,
            )
            events = pathlib.Path(f"{out}.work") / "tensorboard"
            started = time.time()
            fresh = lambda: [f for f in events.glob("*/*") if f.stat().st_mtime > started]
            while process.poll() is None and len(fresh()) < 3:
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            words = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 130, words)
            self.assertIn("the work is saved", words.strip().splitlines()[-1])
            self.assertEqual(len(list(pathlib.Path(f"{out}.work").glob("agent_*/state_*"))), 3)
        result = train(out, checkpoint_every=1000)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("continuing from", result.stderr)
        self.assertEqual(hashes(out), hashes(self.whole))

    def test_interrupted_while_the_training_library_loads(self):
        """Loading it takes half a second, during which a signal must not end the command."""
        process = subprocess.Popen(
            command(self.path / "p"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=ENVIRONMENT,
        )
        status = pathlib.Path(f"/proc/{process.pid}/status")
        caught = lambda: int(re.search(r"SigCgt:\s*(\w+)", status.read_text())[1], 16)
        while process.poll() is None and not caught() >> (signal.SIGTERM - 1) & 1:
            pass
        process.send_signal(signal.SIGTERM)
        words = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, words)
        self.assertIn("the work is saved", words)

    def test_finished_population_is_left_alone(self):
        before = contents(self.whole)
        result = train(self.whole)
        self.assertIn("finished population already", result.stderr)
        self.assertEqual((result.returncode, contents(self.whole)), (0, before))
        self.expect_bad_input(train(self.whole, rewards="three"), "'environment.rewards' is", "three")
        self.expect_bad_input(train(self.whole, iterations=4), "is finished", "'config.iterations' is", "not 4")

    def test_trailing_slash(self):
        out = self.path / "p"
        result = train(f"{out}/", iterations=4)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([f.name for f in self.path.iterdir()], ["p"])

    # Errors.

    def test_damaged_states(self):
        out = self.path / "p"
        self.assertEqual(self.interrupted(out, signal.SIGINT)[0], 130)
        work = pathlib.Path(f"{out}.work")
        (state,) = (work / "agent_001").glob("state_*")
        (other,) = (work / "agent_002").glob("state_*")
        good = state.read_bytes()
        header = good.index(b'"iteration"')
        for what, damaged in {
            "empty": b"",
            "truncated": good[: len(good) // 2],
            "short by a byte": good[:-1],
            "header": good[:header] + b"@" + good[header + 1 :],
            "header length": b"\xff" * 8 + good[8:],
            "NaN": good[:-8] + struct.pack("<d", math.nan),
            "another agent's": other.read_bytes(),
        }.items():
            with self.subTest(what):
                state.write_bytes(damaged)
                before = contents(work)
                self.expect_bad_input(train(out), state)
                self.assertEqual(contents(work), before)
                self.assertFalse(out.exists())
        state.write_bytes(good)
        # The result does not depend on the number of workers.
        self.assertEqual(train(out, threads=2).returncode, 0)
        self.assertEqual(hashes(out), hashes(self.whole))

    def test_work_of_another_run(self):
        out = self.path / "p"
        self.assertEqual(self.interrupted(out, signal.SIGINT)[0], 130)
        work = pathlib.Path(f"{out}.work")
        before = contents(work)
        for what, keywords in {
            "environment": {"env": "mo-hopper-v5", "rewards": None},
            "rewards": {"rewards": "three"},
            "seed": {"seed": 2},
            "config": {"ppo.epochs": 3},
        }.items():
            with self.subTest(what):
                self.expect_bad_input(train(out, **keywords), work, "another run")
        self.expect_bad_input(train(out, "--agents", "1"), work, "agents")
        run = (work / "run.json").read_bytes()
        for damaged in (b"", run[:-9], b"[]"):
            (work / "run.json").write_bytes(damaged)
            self.expect_bad_input(train(out), work / "run.json", "damaged")
        (work / "run.json").write_bytes(run)
        self.assertEqual(contents(work), before)
        self.assertEqual(train(out).returncode, 0)

    def test_objective_that_is_no_number(self):
        """Episodes have 100 steps. In step 61, in iteration 2 of 32 steps each, a root turns negative."""
        envs = pathlib.Path(RHUMB).parent.parent / "share/rhumb/envs"
        shutil.copy(envs / "point_mass.xml", self.path)
        spec = (envs / "point-v0.toml").read_text().replace('"x_velocity"\nexpression = "x_velocity"',
                                                            '"late"\nexpression = "sqrt(6.05 - time)"')
        (self.path / "bad.toml").write_text(spec.replace('"point-v0"', '"late-v0"'))
        out = self.path / "p"
        keywords = {"env": self.path / "bad.toml"}
        self.expect_bad_input(train(out, **keywords), "'late'", "sqrt(6.05 - time)", "not a finite number")
        states = contents(pathlib.Path(f"{out}.work") / "agent_000")
        self.assertEqual([path.name for path in states], ["state_00001.safetensors"])
        # The last good state loads, and the run fails at the same place.
        again = train(out, **keywords)
        self.expect_bad_input(again, "'late'")
        self.assertIn("continuing from", again.stderr)
        self.assertEqual(contents(pathlib.Path(f"{out}.work") / "agent_000"), states)

    def test_bad_requests_leave_nothing_behind(self):
        out = self.path / "p"
        for words, arguments, settings in (
            (("list", "1.1"), (), {"weights": "list", "list": "[0.5, 0.6]"}),
            (("list", "3 numbers"), (), {"weights": "list", "list": "[0.5, 0.5, 1]"}),
            (("list", "-1"), (), {"weights": "list", "list": "[2, -1]"}),
            (("none.json",), (), {"weights": "file", "file": self.path / "none.json"}),
            (("count = 1",), (), {"count": 1}),
            (("0 to 2", "7"), ("--agents", "7"), {}),
            (("0 to 2", "-1"), ("--agents=-1",), {}),
            (("128 rows", "5 minibatches"), (), {"ppo.minibatches": 5}),
            (("128 rows", "200 minibatches"), (), {"ppo.minibatches": 200}),
            (("ppo.epoch", "ppo.epochs"), (), {"ppo.epoch": 5}),
            (("relu", "rellu"), (), {"ppo.activation": "rellu"}),
        ):
            with self.subTest(words):
                self.expect_bad_input(train(out, *arguments, **settings), *words)
                self.assertEqual(list(self.path.iterdir()), [])
        (self.path / "file").write_text("mine")
        self.expect_bad_input(train(self.path / "file"), self.path / "file")
        self.assertEqual((self.path / "file").read_text(), "mine")

    def test_read_only_folder(self):
        folder = self.path / "locked"
        folder.mkdir()
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        options = ordinary_user.options(self, self.path)
        self.expect_bad_input(train(folder / "p", options=options), folder, "Permission denied")
        self.assertEqual(list(folder.iterdir()), [])

    def test_full_disk(self):
        """The disk fills up during the run; with more room the run resumes without loss."""
        disk = self.path / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=160k", "none", str(disk)]
        mounted = os.getuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0
        if mounted:
            self.addCleanup(subprocess.run, ["umount", "--lazy", str(disk)], check=True)
            failed = train(disk / "p", keep_every=1)
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        else:  # no file may grow beyond the size of a policy

            def limit():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))

            options = {"preexec_fn": limit, "restore_signals": False}
            failed = train(disk / "p", options=options, keep_every=1)
        self.expect_bad_input(failed, disk)
        self.assertFalse((disk / "p").exists())
        result = train(disk / "p", keep_every=1)
        self.assertEqual(result.returncode, 0, result.stderr)
        if mounted:
            self.assertIn("continuing from", result.stderr)
        reference = self.path / "reference"
        self.assertEqual(train(reference, keep_every=1).returncode, 0)
        self.assertEqual(hashes(disk / "p"), hashes(reference))


if __name__ == "__main__":
    unittest.main()
