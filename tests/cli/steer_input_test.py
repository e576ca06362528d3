"""Bad input to `rhumb steer`, `rhumb encode` and `rhumb play MODEL`: one sentence, exit 2, no output.
A query without an answer: exit 3 and the diagnosis."""

import json
import os
import unittest

import model_runs
from steer_runs import REACHED, SteerCase, make_model

LONG = "x_velocity+" * 909 + "x"  # 10,000 characters


class BadInput(SteerCase):
    def expect_sentence(self, result, *parts, code=2):
        """Expects one short line on stderr with these words."""
        self.assertEqual(result.returncode, code, result.stderr)
        start = "rhumb: " if code == 3 else "rhumb: error: "
        self.assertTrue(result.stderr.startswith(start), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertLessEqual(len(result.stderr), 301)
        for part in parts:
            self.assertIn(str(part), result.stderr)

    def expect_bad_input(
        self, *arguments, parts, command="steer", model=None, writes=("--out", "--video")
    ):
        """Expects one sentence with these words, exit 2, an empty stdout, and no written file."""
        around = sorted(self.path.iterdir())
        outputs = [word for option in writes for word in (option, self.path / f"{option.strip('-')}.webp")]
        result = model_runs.rhumb(command, model or self.model, *arguments, *outputs)
        self.expect_sentence(result, *parts)
        self.assertEqual(result.stdout, "")
        self.assertEqual(sorted(self.path.iterdir()), around)

    def expect_usage(self, *arguments):
        """Arguments that contradict the help text: exit 2 and only text on stderr."""
        around = sorted(self.path.iterdir())
        result = self.steer(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), (arguments, result.stderr))
        self.assertNotEqual(result.stderr, "")
        self.assertEqual(sorted(self.path.iterdir()), around)

    def test_words(self):
        for *arguments, parts in (
            ("--target", "x_velocty=10", ("'x_velocty'", "did you mean 'x_velocity'?")),
            ("--target", "height=10", ("'height'", "known: x_velocity, energy")),
            ("--require", "enrgy>=-10", ("'enrgy'", "did you mean 'energy'?")),
            ("--maximise", "x_velocity+2*enegy", ("'enegy'", "did you mean 'energy'?")),
            ("--minimise", "x_velocity*energy", ("'x_velocity*energy'", "linear")),
            ("--maximise", "3", ("'3'", "constant")),
            ("--maximise", "(", ("'('", "column 2", "found the end")),
            ("--maximise", "", ("no quantity",)),
            ("--target", "x_velocity", ("'x_velocity'", "EXPR = NUMBER")),
            ("--target", "x_velocity>=10", ("'x_velocity>=10'", "bounds are requirements")),
            ("--target", "x_velocity=fast", ("'fast'", "EXPR = NUMBER")),
            ("--target", "x_velocity=10 +- 0", ("tolerance 0", "above 0")),
            ("--require", "energy", ("'energy'", "EXPR >= NUMBER")),
            ("--require", "energy=-10", ("'energy=-10'", "column 11", "needs a tolerance")),
            ("--require", "3>=2", ("'3>=2'", "quantity")),
            ("--require", "energy>=-30x0", ("column 12", "found 'x0'")),
            ("--maximise", "(" * 100000, ("column 65", "more than 64 parentheses")),
        ):
            with self.subTest(arguments):
                self.expect_bad_input(*arguments, parts=parts)

    def test_numbers_that_are_not_finite(self):
        for number in ("nan", "inf", "-inf", "1e999"):
            with self.subTest(number):
                for *arguments, place in (
                    ("--target", f"x_velocity={number}", "target"),
                    ("--target", f"x_velocity=10 +- {number}", "target"),
                    ("--require", f"energy>={number}", "requirement"),
                    ("--require", f"energy in [-10, {number}]", "requirement"),
                ):
                    self.expect_bad_input(*arguments, parts=(place, number, "finite"))
        change = ("--like", self.trajectory(), "--change")
        self.expect_bad_input(*change, "energy +nan", parts=("'energy +nan'", "finite"))

    def test_contradictions(self):
        for *arguments, parts in (
            ("--require", "energy>=-10", "--require", "energy<=-20", ("energy >= -10", "energy <= -20")),
            ("--require", "-10<=energy<=-20", ("-10", "-20", "above")),
            ("--require", "energy in [-10, -20]", ("-10", "-20", "above")),
            ("--target", "x_velocity=10", "--target", "x_velocity=12", ("= 10", "= 12", "two goals")),
            ("--target", "x_velocity=10", "--require", "x_velocity>=12", ("= 10", ">= 12", "outside")),
            ("--target", "x_velocity=10", "--maximise", "x_velocity", ("target", "maximise", "two goals")),
            ("--maximise", "energy", "--minimise", "energy", ("maximise", "minimise", "two goals")),
        ):
            with self.subTest(arguments):
                self.expect_bad_input(*arguments, parts=parts)

    def test_ratio_whose_denominator_can_be_zero(self):
        """In the training data x_velocity ranges from 5 to 15, energy from -100 to 0."""
        for ratio, extent in (
            ("x_velocity/energy", "-100 to 0"),
            ("energy/(x_velocity-10)", "-5 to 5"),
            ("1/(x_velocity+energy)", "-95 to 15"),
        ):
            parts = (f"'{ratio}'", "denominator", "zero", extent)
            self.expect_bad_input("--minimise", ratio, parts=parts)
            self.expect_bad_input("--require", f"{ratio}<=2", parts=parts)
            self.expect_bad_input("--target", f"{ratio}=2", parts=parts)
        self.solve("--maximise", "energy/x_velocity")

    def test_ten_thousand_characters(self):
        self.assertEqual(len(LONG), 10000)
        for arguments in (
            ["--maximise", LONG],
            ["--target", f"{LONG}=3"],
            ["--require", f"{LONG}>=3"],
            ["--query", self.write("long.json", {"minimise": LONG})],
        ):
            self.expect_bad_input(*arguments, parts=("10000 characters", "at most 1000"))
        batch = self.write("long.jsonl", {"minimise": LONG})
        self.expect_bad_input("--batch", batch, parts=(".jsonl:1", "10000 characters"), writes=["--out"])
        self.expect_bad_input("--target", LONG, parts=("EXPR = NUMBER",))
        self.expect_bad_input("--require", "x_velocity>=" + "1" * 10000, parts=("finite",))

    def test_deep_documents(self):
        """Copying and writing a document recurse once per level, so a deep one is rejected on reading."""
        query = self.path / "deep.toml"
        query.write_text("a." * 100000 + "a = 1\n")
        parts = ("deep.toml:1", "keys of more than 16 parts")
        self.expect_bad_input("--query", query, parts=parts)
        self.expect_bad_input("--target", "x_velocity=10", "--config", query, parts=parts)
        model = make_model(self.path / "deep.model")
        document = model / "model.json"
        deep = "[" * 200000 + "]" * 200000
        document.write_text(f'{document.read_text().rstrip()[:-1]}, "x": {deep}}}')
        model_runs.seal(model)
        self.expect_bad_input("--target", "x_velocity=10", model=model, parts=(document, "nest deeper"))

    def test_options(self):
        fine = ("--target", "x_velocity=10")
        for *arguments, parts in (
            ("--confidence", "1.5", ("confidence", "1.5", "0 to 0.999")),
            ("--confidence", "0.9", ("confidence of 0.9", "rhumb model ground", "sampled actions")),
            ("--set", "heads=grounded", ("not grounded", "rhumb model ground")),
            ("--preset", "best", ("best", "default,paper,naive")),
            ("--mode", "best", ("best", "sampled,mean")),
            ("--answers", "1000", ("answers", "1000", "1 to 100")),
            ("--set", "iteration=3", ("'iteration'", "'iterations'")),
            ("--set", "confidence=nan", ("confidence", "nan", "0 to 0.999")),
            ("--config", self.path / "none.toml", (self.path / "none.toml",)),
        ):
            with self.subTest(arguments):
                self.expect_bad_input(*fine, *arguments, parts=parts)
        # Heads of one mode do not apply to the other.
        confident = ("--confidence", "0.9", "--mode", "mean")
        self.expect_bad_input(*fine, *confident, parts=("mean actions",), model=self.grounded)
        self.expect_bad_input(parts=("asks for nothing",))

    def test_options_out_of_range(self):
        for arguments in (
            ["--confidence", "-0.5"],
            ["--confidence", "nan"],
            ["--confidence", "high"],
            ["--answers", "0"],
            ["--answers", "-3"],
            ["--rollouts", "-1"],
            ["--try", "-1"],
            ["--nosuch"],
        ):
            with self.subTest(arguments):
                self.expect_usage("--target", "x_velocity=10", *arguments)

    def test_query_files(self):
        for name, content, parts in (
            ("q.json", {"targets": {"x_velocity": 10}}, ("'targets'", "did you mean 'target'?")),
            ("q.toml", "require = 'energy>=-10'\nmaximize = 'energy'", (":2", "'maximize'", "'maximise'")),
            ("q.json", '{"target": ', ("not valid JSON",)),
            ("q.json", "", ("not valid JSON",)),
            ("q.toml", "target = = 3", (":1", "not valid TOML")),
            ("q.toml", "a." * 100000 + "a = 1", ("keys of more than",)),
            ("q.json", '{"target": {"x_velocity": NaN}}', ("not valid JSON",)),
            ("q.json", '{"target": {"x_velocity": 1e999}}', ("too large",)),
            ("q.toml", "target = {x_velocity = nan}", (":1", "nan", "finite")),
            ("q.json", {"target": {"x_velocity": "fast"}}, ("'x_velocity'", "number")),
            ("q.json", {"target": 3}, ("'target'", "text")),
            ("q.json", [], ("object",)),
            ("q.json", {"require": ["energy>=-10", "energy<=-20"]}, ("energy >= -10", "energy <= -20")),
            ("q.txt", "target = 'x_velocity=10'", (".toml or .json",)),
        ):
            with self.subTest(content):
                file = self.write(name, content)
                self.expect_bad_input("--query", file, parts=(file, *parts))
        file = self.path / "none.toml"
        self.expect_bad_input("--query", file, parts=(file, "No such file"))
        self.expect_bad_input("--query", self.write("q.json", {}), parts=("asks for nothing",))

    def test_broken_line_of_a_batch(self):
        """The second line is blank, so the broken one is the third."""
        for line, *parts in (
            ('{"target": ', "not valid JSON"),
            ('{"target": {"x_velocity": NaN}}', "not valid JSON"),
            ('{"target": ' + "[" * 200000, "nest deeper"),
            ("3", "object"),
            ('{"targets": {"x_velocity": 10}}', "'targets'", "'target'"),
            ('{"target": {"x_velocity": "fast"}}', "'x_velocity'", "number"),
            ('{"change": "energy -20%"}', "change"),
            ('{"require": ["energy>=-10", "energy<=-20"]}', "energy >= -10", "energy <= -20"),
            ('{"target": {"x_velocty": 10}}', "'x_velocty'", "did you mean 'x_velocity'?"),
            ('{"minimise": "x_velocity/energy"}', "denominator", "zero"),
            ('{"seed": 3}', "asks for nothing"),
        ):
            with self.subTest(line):
                batch = self.write("b.jsonl", f'{{"target": {{"x_velocity": 10}}}}\n\n{line}\n')
                parts = (f"{batch}:3: ", *parts)
                self.expect_bad_input("--batch", batch, parts=parts, writes=["--out"])
        batch = self.write("b.jsonl", "\n")
        self.expect_bad_input("--batch", batch, parts=(batch, "no query"), writes=["--out"])
        batch = self.path / "none.jsonl"
        self.expect_bad_input("--batch", batch, parts=(batch, "No such file"), writes=["--out"])

    def test_nothing_else_goes_with_a_batch(self):
        """Arguments that would be ignored are rejected."""
        batch = self.write("b.jsonl", {"target": {"x_velocity": 10}})
        for arguments in (
            ["--target", "x_velocity=12"],
            ["--require", "energy>=-10"],
            ["--maximise", "energy"],
            ["--minimise", "energy"],
            ["--query", self.write("q.json", {"maximise": "energy"})],
            ["--like", self.trajectory(), "--change", "energy -20%"],
            ["--video", self.path / "x.webp"],
            ["--picture", self.path / "x.png"],
            ["--try", "8"],
        ):
            with self.subTest(arguments):
                self.expect_usage("--batch", batch, *arguments)

    def test_changes(self):
        run = self.trajectory()
        self.expect_bad_input("--change", "energy -20%", parts=("'energy'", "--like"))
        for words, *parts in (
            ("energy", "'energy'", "column 7"),
            ("energy 20%", "'energy 20%'", "column 8"),
            ("enrgy -20%", "'enrgy'", "'energy'"),
        ):
            self.expect_bad_input("--like", run, "--change", words, parts=parts)
        self.expect_bad_input("--like", run, parts=("asks for nothing",))
        change = ("--change", "energy -20%", "--like")
        self.expect_bad_input(*change, self.path / "none.json", parts=("none.json",))
        self.expect_bad_input(*change, run, "--episode", 3, parts=("episode 3 needs a dataset", "run.json"))
        ant = self.trajectory(env="mo-ant-v5")
        self.expect_bad_input(*change, ant, parts=(ant, "'mo-ant-v5'", "'point-v0'"))
        three = self.trajectory(rewards="three")
        self.expect_bad_input(*change, three, parts=(three, "'three'", "'two'"))
        short = self.trajectory(observations=[[0, 0]] * 3, actions=[[0, 0]] * 3)
        self.expect_bad_input(*change, short, parts=(short, "3 steps", "8"))

    def test_what_is_no_model(self):
        dataset = self.path / "d-v0"
        dataset.mkdir()
        (dataset / "manifest.json").write_text(json.dumps({"kind": "dataset", "files": {}}))
        code = self.write("c.json", {"code": [0, 0]})
        run = self.trajectory()
        for model, *parts in (
            (self.path / "none", "there is no folder"),
            (code, "is a file, not a model folder"),
            (self.path, "is not a model folder of rhumb"),
            (dataset, "is a dataset, not a model"),
        ):
            with self.subTest(parts):
                parts = (model, *parts)
                self.expect_bad_input("--target", "x_velocity=10", parts=parts, model=model)
                self.expect_bad_input(run, parts=parts, model=model, command="encode", writes=["--out"])
                play = {"command": "play", "writes": ("--record", "--video")}
                self.expect_bad_input("--code", code, parts=parts, model=model, **play)

    def test_roll_outs_without_deviations(self):
        array = "grounded.sampled.rolled_out.deviations"
        model = make_model(self.path / "m", grounded=["sampled"], leave_out=[array])
        self.expect_bad_input("--target", "x_velocity=10", parts=(model, array), model=model)

    def test_codes_and_trajectories(self):
        play = {"command": "play", "writes": ("--record", "--video")}
        for code in ([], [0.5], [0.5, 0, 0], [0] * 10000):
            file = self.write("c.json", {"code": code})
            parts = (file, f"{len(code)} numbers", "must have 2")
            self.expect_bad_input("--code", file, parts=parts, **play)
            steered = self.write("s.json", {"answers": [{"code": [0, 0]}, {"code": code}]})
            parts = (steered, "answers[1].code", f"{len(code)} numbers", "must have 2")
            self.expect_bad_input("--code", steered, "--answer", 2, parts=parts, **play)
        self.expect_bad_input(parts=("--code FILE",), **play)
        self.expect_bad_input("--code", self.trajectory(), parts=("run.json", "code is missing"), **play)
        code = self.write("c.json", {"code": [0, 0]})
        self.expect_bad_input("--code", code, "--mode", "best", parts=("best", "sampled,mean"), **play)
        encode = {"command": "encode", "writes": ["--out"]}
        self.expect_bad_input(code, parts=(code, "holds a code, not a trajectory"), **encode)
        ant = self.trajectory(env="mo-ant-v5")
        self.expect_bad_input(ant, parts=(ant, "'mo-ant-v5'", "'point-v0'"), **encode)

    def test_places_that_cannot_be_written(self):
        """A command that fails at its end leaves nothing behind."""
        out, film = self.path / "none" / "a.json", self.path / "film.avi"
        fine = ("--target", "x_velocity=10")
        self.expect_bad_input(*fine, "--out", out, parts=(out, "No such file"), writes=[])
        self.expect_bad_input(*fine, "--video", film, parts=(film, ".webp", ".mp4, .gif or .webm"), writes=["--out"])
        # A pipe, a link and a folder are neither replaced nor written to.
        pipe, link, folder = (self.path / f"{name}.png" for name in ("pipe", "link", "folder"))
        os.mkfifo(pipe)
        link.symlink_to(self.write("theirs.json", "precious"))
        folder.mkdir()
        for option in ("--out", "--picture"):
            self.expect_bad_input(*fine, option, pipe, parts=(pipe, "a pipe is there"), writes=[])
            self.expect_bad_input(*fine, option, link, parts=(link, "a symbolic link is there"), writes=[])
            self.expect_bad_input(*fine, option, folder, parts=(folder, "a folder is there"), writes=[])
        self.assertEqual(link.read_text(), "precious")
        picture = self.path / "none" / "p.png"
        self.expect_bad_input(*fine, "--picture", picture, parts=(picture.parent,))

    # A query without an answer is valid input: exit 3.

    def refuse(self, *arguments, status):
        result = self.steer(*arguments, "--json", "--out", self.path / "r.json")
        self.expect_sentence(result, status, code=3)
        document = json.loads(result.stdout)
        self.assertEqual(document["status"], status)
        self.assertEqual(json.loads((self.path / "r.json").read_text()), document)
        return document["infeasibility"], result

    def test_infeasible(self):
        query = ("--target", "x_velocity=1000", "--require", "energy>=-30")
        why, result = self.refuse(*query, status="infeasible")
        self.assertEqual(why["binding"], ["x_velocity at 1000"])
        # The data end at 15; steering extends at most one spacing, 10 m/s, beyond.
        nearest = why["nearest"]["x_velocity"]
        self.assertGreater(nearest, 15 - REACHED)
        self.assertLess(nearest, 25 + REACHED)
        self.assertGreaterEqual(why["nearest"]["energy"], -30)
        self.assertEqual(len(why["code"]), 2)
        target, require = why["relax"]
        self.assertEqual((target["quantity"], target["asked"]), ("x_velocity", 1000))
        self.assertAlmostEqual(target["needed"], nearest, delta=REACHED)
        self.assertAlmostEqual(target["by"], target["needed"] - 1000)
        self.assertEqual((require["requirement"], require["asked"]), ("energy at least -30", -30))
        self.assertIsNone(require["needed"], "no energy brings 1000 about")
        self.assertIsNone(require["by"])
        self.assertIn("x_velocity at 1000", result.stderr)

    def test_infeasible_in_words(self):
        result = self.steer("--target", "x_velocity=1000", "--require", "energy>=-30")
        self.expect_sentence(result, "infeasible", "x_velocity at 1000", code=3)
        lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
        self.assertEqual(lines[0], "asked: bring x_velocity to 1000, with energy at least -30")
        self.assertTrue(lines[1].startswith("infeasible in "), lines[1])
        self.assertIn("x_velocity at 1000: relax to ", "\n".join(lines))
        self.assertIn("energy at least -30: relaxing it alone is not enough", lines)

    def test_refused(self):
        """28 is the value of (2.3, 0): 1.3 spacings from the nearest training code, (1, 0)."""
        why, result = self.refuse("--target", "x_velocity=28", status="refused")
        self.assertLess(why["nearest"]["x_velocity"], 25 + REACHED)
        (answer,) = json.loads(result.stdout)["answers"]
        self.assertAlmostEqual(answer["predicted"]["x_velocity"], 28, delta=REACHED)
        self.assertGreater(answer["distance_to_data"], 1)
        self.solve("--target", "x_velocity=28", "--set", "max_distance=1.5")


if __name__ == "__main__":
    unittest.main()
