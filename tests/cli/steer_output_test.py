"""Output of `rhumb steer`: the document, the table, the messages, batches and rollouts."""

import json
import unittest
from unittest import mock

import model_runs
import steer_runs
from steer_runs import CHANGED, REACHED, SteerCase, untimed


class Answers(SteerCase):
    def test_by_hand(self):
        document = self.solve("--target", "x_velocity=10", "--require", "energy>=-30")
        keys = {"status", "query", "answers", "model", "model_hash", "mode", "heads", "timing_ms"}
        self.assertEqual(set(document), keys)
        self.assertEqual(document["heads"], "labels")
        self.assertEqual(set(document["timing_ms"]), {"load", "solve", "rollout"})
        self.assertEqual(document["model"], str(self.model))
        self.assertEqual(document["mode"], "sampled")
        self.assertEqual(document["query"]["target"], ["x_velocity = 10"])
        self.assertEqual(document["query"]["require"], ["energy >= -30"])
        (answer,) = document["answers"]
        for key in ("interval", "iterations", "distance_to_data"):
            self.assertIn(key, answer)
        self.assertNotIn("realised", answer, "nothing was rolled out")
        self.assertEqual(answer["interval"], {}, "heads that were not fitted to roll-outs know of none")
        a, b = answer["code"]
        self.assertAlmostEqual(answer["predicted"]["x_velocity"], 5 + 10 * a, places=4)
        self.assertAlmostEqual(answer["predicted"]["energy"], -50 * b, places=4)
        self.assertAlmostEqual(answer["predicted"]["x_velocity"], 10, delta=REACHED)
        self.assertGreaterEqual(answer["predicted"]["energy"], -30)

    def test_intervals(self):
        """Codes are off by 0.5 m/s and 2.5 of energy to either side, and means of 4 episodes vary as much."""
        document = self.solve("--target", "x_velocity=10", model=self.grounded)
        self.assertEqual(document["interval"], {"level": 0.9, "episodes": 4})
        (answer,) = document["answers"]
        for name, unit in (("x_velocity", 1), ("energy", 5)):
            low, high = answer["interval"][name]
            self.assertLess(low, answer["predicted"][name] - 0.3 * unit)
            self.assertGreater(high, answer["predicted"][name] + 0.3 * unit)
            self.assertLess(high - low, 4 * unit)
        self.assertGreater(answer["probability"], 0)
        self.assertLess(answer["probability"], 1)
        said = self.show("--target", "x_velocity=10", model=self.grounded)[-1]
        self.assertTrue(said.endswith(f"; {100 * answer['probability']:.0f} % likely to be as asked"), said)

    def test_confidence(self):
        """A margin to the bound, of about the width of an interval."""
        require = ("--maximise", "x_velocity", "--require", "x_velocity<=12")
        bold = self.solve(*require, model=self.grounded)["answers"][0]["predicted"]["x_velocity"]
        confident = self.solve(*require, "--confidence", "0.9", model=self.grounded)
        sure = confident["answers"][0]["predicted"]["x_velocity"]
        self.assertLess(bold, 12)
        self.assertLess(sure, bold - 0.1)
        self.assertGreater(sure, 12 - 4)

    def test_words(self):
        query = (
            "--target", "x_velocity=10 +- 1", "--require", "-30<=energy<=-10",
            "--maximise", "energy-x_velocity",
        )  # fmt: skip
        words = (
            "bring x_velocity to 10 within 1, with energy from -30 to -10, "
            "and make energy-x_velocity as large as possible"
        )
        self.assertEqual(self.solve(*query)["query"]["words"], words)
        lines = self.show(*query)
        self.assertEqual(lines[0], "asked: " + words)
        self.assertRegex(lines[1], r"^solved in [0-9.]+ ms, predicted from the teachers' labels$")
        rows = {line.split()[0]: line for line in lines[2:] if line}
        self.assertEqual(rows["quantity"], "quantity asked predicted on this map unit")
        self.assertTrue(rows["x_velocity"].startswith("x_velocity 10 "), rows)
        self.assertTrue(rows["energy"].startswith("energy -30 to -10 "), rows)
        self.assertTrue(rows["energy-x_velocity"].startswith("energy-x_velocity as large as possible "), rows)
        grounded = self.show("--target", "x_velocity=10", model=self.grounded)
        self.assertTrue(grounded[1].endswith("predicted from roll-outs"), grounded)
        self.assertIn("quantity asked predicted 90 % interval on this map unit", grounded)

    def test_the_file_is_the_document(self):
        out = self.path / "a.json"
        document = self.solve("--target", "x_velocity=10", "--out", out)
        self.assertEqual(json.loads(out.read_text()), document)
        # With a table on stdout, the file is the same, and play accepts it.
        self.assertIn(f"written: {out}", self.show("--target", "x_velocity=10", "--out", out))
        self.assertEqual(untimed(json.loads(out.read_text())), untimed(document))
        played = model_runs.rhumb("play", self.model, "--code", out, "--json")
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertEqual(json.loads(played.stdout)["code"], document["answers"][0]["code"])

    def test_query_files(self):
        document = {"target": {"x_velocity": 10}, "require": ["energy>=-30"]}
        wanted = untimed(self.solve("--target", "x_velocity=10", "--require", "energy>=-30"))
        for name, content in (
            ("q.json", document),
            ("q.json", {"target": "x_velocity=10", "require": "-30 <= energy"}),
            ("q.toml", "require = ['energy>=-30']\n[target]\nx_velocity = 10\n"),
            ("again.json", {key: wanted["query"][key] for key in ("target", "require")}),
        ):
            self.assertEqual(untimed(self.solve("--query", self.write(name, content))), wanted)
        file = self.write("q.json", {"target": {"x_velocity": 10}})
        self.assertEqual(untimed(self.solve("--query", file, "--require", "energy>=-30")), wanted)

    def test_several_answers(self):
        """Any b satisfies the query, so there are several answers, at least half a spacing apart."""
        answers = self.solve("--target", "x_velocity=10", "--answers", 3)["answers"]
        self.assertGreaterEqual(len(answers), 2)
        self.assertLessEqual(len(answers), 3)
        for i, one in enumerate(answers):
            self.assertAlmostEqual(one["predicted"]["x_velocity"], 10, delta=REACHED)
            for other in answers[:i]:
                apart = sum((p - q) ** 2 for p, q in zip(one["code"], other["code"])) ** 0.5
                self.assertGreaterEqual(apart, 0.5)
        self.assertEqual(self.solve("--target", "x_velocity=10")["answers"], answers[:1])
        lines = self.show("--target", "x_velocity=10", "--answers", 3)
        numbers = [line.split()[0] for line in lines if " x_velocity 10 " in line]
        self.assertEqual(numbers, [str(i + 1) for i in range(len(answers))])

    def test_seeds(self):
        """Random starts: equal seeds start at the same code, and ten seeds do not all do so."""
        paper = ("--target", "x_velocity=10", "--preset", "paper", "--seed")
        found = [self.solve(*paper, seed) for seed in range(10)]
        self.assertEqual(untimed(self.solve(*paper, 3)), untimed(found[3]))
        self.assertGreater(len({str(document["answers"][0]["code"]) for document in found}), 1)
        batch = self.write("b.jsonl", {"target": {"x_velocity": 10}})
        for seed, alone in enumerate(found):
            result = self.steer("--batch", batch, *paper[2:], seed, "--json")
            self.assertEqual(json.loads(result.stdout)["results"][0]["answers"], alone["answers"])

    def test_changes(self):
        change = ("--like", self.trajectory(), "--change", "energy -50%")
        document = self.solve(*change)
        self.assertEqual(document["query"]["change"], ["energy -50%"])
        (answer,) = document["answers"]
        self.assertAlmostEqual(answer["predicted"]["energy"], -12, delta=CHANGED)
        self.assertAlmostEqual(answer["predicted"]["x_velocity"], 10, delta=REACHED)
        self.assertEqual(self.show(*change)[0], "asked: change energy by -50%")
        table = self.show("--like", self.trajectory(), "--change", "energy *0.5 +2")
        self.assertTrue(any(line.startswith("energy -24 -10 (*0.5 +2) ") for line in table), table)

    def test_returns_of_a_short_recording_are_left_aside(self):
        """20 of 100 steps: the energy is the code's prediction, -25, not the recorded one."""
        steps = {"observations": [[0, 0]] * 20, "actions": [[0.5, 0.5]] * 20}
        run = self.trajectory(**steps, returns={"energy": -3})
        result = self.steer("--like", run, "--change", "energy -50%", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("20 of an episode's 100 steps", result.stderr)
        (answer,) = json.loads(result.stdout)["answers"]
        self.assertAlmostEqual(answer["predicted"]["energy"], -12.5, delta=CHANGED)
        fallen = self.trajectory(**steps, returns={"energy": -24}, terminated=True)
        result = self.steer("--like", fallen, "--change", "energy -50%", "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (answer,) = json.loads(result.stdout)["answers"]
        self.assertAlmostEqual(answer["predicted"]["energy"], -12, delta=CHANGED)

    def test_options_before_the_model(self):
        words = ("--target", "x_velocity=10", self.model, "--require", "energy>=-30", "--json")
        result = model_runs.rhumb("steer", *words)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_trying_needs_grounding(self):
        result = self.steer("--target", "x_velocity=10", "--mode", "mean", "--try", 4)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("trying needs a model that is grounded for mean actions", result.stderr)

    def test_rollouts(self):
        asked = ("--target", "x_velocity=10", "--mode", "mean", "--answers", 2, "--rollouts", 3)
        document = self.solve(*asked)
        self.assertGreater(document["timing_ms"]["rollout"], 0)
        for answer in document["answers"]:
            self.assertEqual(set(answer["realised"]), {"x_velocity", "energy"})
            realised = answer["realised"]["energy"]
            self.assertEqual(set(realised), {"mean", "std", "episodes"})
            self.assertEqual(realised["episodes"], 3)
            # Actions are in [-1, 1], in single precision.
            energy = -100 * sum(min(1, abs(number)) ** 2 for number in answer["code"])
            self.assertAlmostEqual(realised["mean"], energy, places=3)
            self.assertAlmostEqual(realised["std"], 0, places=3)
        first = document["answers"][0]["realised"]["energy"]["mean"]
        lines = self.show(*asked)
        self.assertIn("answer quantity asked predicted realised, 3 episodes on this map unit", lines)
        (row,) = (line.split() for line in lines if line.startswith("1 energy "))
        # predicted, realised ± deviation, from … to … on this map.
        self.assertEqual(row[4], "±")
        self.assertEqual(float(row[3]), float(f"{first:.5g}"))
        self.assertEqual(row[6:], ["-100", "to", "-2"])

    def test_rollouts_of_what_is_nearest(self):
        """Without an answer, the document, the sentence, the table and a batch describe the same code."""
        query = {"target": {"x_velocity": 1000}, "require": ["energy>=-30"]}
        rollouts = ("--mode", "mean", "--rollouts", 3)
        asked = ("--query", self.write("q.json", query), *rollouts)
        result = self.steer(*asked, "--json")
        self.assertEqual(result.returncode, 3, result.stderr)
        document = json.loads(result.stdout)
        self.assertGreater(document["timing_ms"]["rollout"], 0)
        why = document["infeasibility"]
        self.assertEqual(set(why["realised"]), {"x_velocity", "energy"})
        realised = why["realised"]["energy"]
        self.assertEqual(realised["episodes"], 3)
        energy = -100 * sum(min(1, abs(number)) ** 2 for number in why["code"])
        self.assertAlmostEqual(realised["mean"], energy, places=3)
        a, b = why["code"]
        self.assertAlmostEqual(why["nearest"]["x_velocity"], 5 + 10 * a, places=4)
        self.assertAlmostEqual(why["nearest"]["energy"], -50 * b, places=4)
        self.assertIn(f"has x_velocity {why['nearest']['x_velocity']:.4g}", why["reason"])
        self.assertIn(f"rhumb: infeasible: {why['reason'].split(';')[0]}\n", result.stderr)
        alone = json.loads(self.steer(*asked[:2], "--mode", "mean", "--json").stdout)
        self.assertNotIn("realised", alone["infeasibility"])

        shown = [" ".join(line.split()) for line in self.steer(*asked).stdout.splitlines()]
        self.assertIn("nearest asked predicted realised, 3 episodes on this map unit", shown)
        (row,) = (line.split() for line in shown if line.startswith("energy >= "))
        self.assertEqual(float(row[4]), float(f"{realised['mean']:.5g}"))

        batch = self.write("b.jsonl", "\n".join(map(json.dumps, [{"target": {"x_velocity": 10}}, query])))
        result = self.steer("--batch", batch, *rollouts, "--json")
        solved, nearest = json.loads(result.stdout)["results"]
        self.assertIn("realised", solved["answers"][0])
        self.assertEqual(nearest["infeasibility"], why)

    def test_the_nearest_behaviour_is_drawn_filmed_and_played(self):
        python = self.write("python", '#!/bin/sh\ncp "$5" "$6"\n')
        python.chmod(0o755)
        picture, film, out = (self.path / name for name in ("p.png", "f.webp", "a.json"))
        with mock.patch.dict(model_runs.ENVIRONMENT, RHUMB_PYTHON=str(python)):
            result = self.steer(
                "--target", "x_velocity=1000", "--mode", "mean", "--picture", picture,
                "--video", film, "--out", out, "--json",
            )  # fmt: skip
        self.assertEqual(result.returncode, 3, result.stderr)
        document, drawn = json.loads(result.stdout), json.loads(picture.read_text())
        self.assertEqual((document["picture"], document["video"]), (str(picture), str(film)))
        self.assertEqual(drawn["status"], "infeasible")
        self.assertEqual(drawn["rows"][0]["asked"], "1000")
        self.assertEqual(film.read_bytes()[:4], b"RIFF")
        played = model_runs.rhumb("play", self.model, "--code", out, "--json")
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertIn("a.json has no answer (status infeasible); this is the nearest", played.stderr)
        self.assertEqual(json.loads(played.stdout)["code"], document["infeasibility"]["code"])
        self.assertEqual(json.loads(played.stdout)["mode"], "mean", "the mode of the document")

    def test_files_that_are_not_written_are_named(self):
        picture = self.path / "p.png"
        with mock.patch.dict(model_runs.ENVIRONMENT, RHUMB_PYTHON="/nonexistent/python"):
            result = self.steer("--target", "x_velocity=10", "--picture", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{picture} was not written", result.stderr)
        for name in ("p.eps", "p", "p.PNG"):
            result = self.steer("--target", "x_velocity=10", "--picture", self.path / name)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("must end in .png, .svg or .pdf", result.stderr)

    def test_a_code_is_refused_by_another_model(self):
        out = self.path / "a.json"
        self.solve("--target", "x_velocity=10", "--out", out)
        other = steer_runs.make_model(self.path / "other", shift=0.5)
        grounded = self.grounded  # the same decoder, other heads
        self.assertEqual(model_runs.rhumb("play", grounded, "--code", out).returncode, 0)
        for words in (("play", other, "--code", out), ("play", "halfcheetah", "--code", out)):
            result = model_runs.rhumb(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("a.json has a code of another model", result.stderr)

    def test_play_takes_the_mode_of_the_document(self):
        out = self.path / "a.json"
        self.solve("--target", "x_velocity=10", "--mode", "mean", "--out", out)
        played = model_runs.rhumb("play", self.model, "--code", out, "--json")
        self.assertEqual(json.loads(played.stdout)["mode"], "mean")
        forced = model_runs.rhumb("play", self.model, "--code", out, "--mode", "sampled", "--json")
        self.assertEqual(json.loads(forced.stdout)["mode"], "sampled")
        self.assertIn("a.json is for mean actions; its predictions do not hold", forced.stderr)

    def test_hints(self):
        """x_velocity is 5 to 15 over 100 steps, energy -100 to 0."""
        near = ("--set", "max_distance=0.01")  # else the heads promise anything
        result = self.steer("--target", "x_velocity=0.1", *near)
        self.assertEqual(result.returncode, 3)
        self.assertIn("did you mean x_velocity=10? x_velocity is a sum over 100 steps", result.stdout)
        result = self.steer("--require", "energy>=50", "--json", *near)
        self.assertIn("did you mean energy>=-50?", json.loads(result.stdout)["hints"][0])
        self.assertNotIn("hints", self.solve("--target", "x_velocity=10"))

    def test_remarks(self):
        lines = self.show("--target", "x_velocity=10", "--require", "energy>=-1", "--answers", 9)
        (remark,) = (line for line in lines if "not 9" in line)
        self.assertRegex(remark, r"^\d answers?, not 9: every other code that meets the query is much like")
        lines = self.show("--target", "x_velocity=10", "--confidence", 0.9, model=self.grounded)
        self.assertIn("a confidence of 0.9 has no effect: it is about requirements, and there is none", lines)
        lines = self.show("--target", "x_velocity=10", "--confidence", 0.9, "--require", "energy>=-90",
                          model=self.grounded)  # fmt: skip
        self.assertNotIn("no effect", "\n".join(lines))

    def test_a_poor_map_is_said(self):
        """The verdict of `model show`; `steer` repeats it for what was asked only."""
        model = steer_runs.make_model(self.path / "poor")
        document = model_runs.document(model)
        document["metrics"] = {"head_mse": {"train": {"x_velocity": 0.98, "energy": 0.05}}}
        (model / "model.json").write_text(json.dumps(document))
        model_runs.seal(model)
        shown = model_runs.rhumb("model", "show", model)
        self.assertIn("x_velocity: predicted no better than its mean, 98 % of its variance is open", shown.stdout)
        self.assertIn("energy: good, 5 % of its variance is open", shown.stdout)
        self.assertIn("to do: train the population and the model longer", shown.stdout)
        warning = "the map is poor; x_velocity: predicted no better than its mean"
        self.assertIn(warning, self.steer("--target", "x_velocity=10", model=model).stderr)
        self.assertNotIn("the map is poor", self.steer("--maximise", "energy", model=model).stderr)

    def test_a_poor_map_is_not_said_where_the_answer_is_sure(self):
        """The verdict on the whole map is the same; only the answer's interval is narrow, or wide."""
        for scatter, warned in ((1, False), (20, True)):
            model = steer_runs.make_model(self.path / f"scatter-{scatter}", grounded=["sampled"], scatter=scatter)
            document = model_runs.document(model)
            document["metrics"] = {"grounded": {"sampled": {"objectives": {"x_velocity": {"mse": 100}}}}}
            (model / "model.json").write_text(json.dumps(document))
            model_runs.seal(model)
            said = self.steer("--target", "x_velocity=10", model=model).stderr
            self.assertEqual("the map is poor; x_velocity" in said, warned, said)

    def test_a_change_shows_what_was_and_what_is_aimed_at(self):
        """The trajectory has x_velocity 10 and energy -24."""
        lines = self.show("--like", self.trajectory(), "--change", "energy -50%")
        self.assertIn("quantity was aimed at predicted on this map unit", lines)
        (row,) = (line for line in lines if line.startswith("energy "))
        self.assertTrue(row.startswith("energy -24 -12 (-50%) "), row)
        (row,) = (line for line in lines if line.startswith("x_velocity "))
        self.assertTrue(row.startswith("x_velocity 10 as it was "), row)

    def test_the_diagnosis_says_how_likely(self):
        """A margin of 0 keeps the bound with an even chance; three quarters are asked."""
        result = self.steer("--target", "x_velocity=14", "--require", "x_velocity<=3",
                            "--require", "energy>=-1", model=self.grounded)  # fmt: skip
        self.assertEqual(result.returncode, 2, "a contradiction")
        result = self.steer("--target", "x_velocity=1000", "--require", "energy>=200", model=self.grounded)
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stdout, r"not likely enough: the nearest keeps energy >= 200 with \d+ %, asked 75 %")

    def picture_of(self, *arguments, model=None):
        """(the answer's document, the picture's document): the fake Python copies its input."""
        python, picture = self.write("python", '#!/bin/sh\ncp "$5" "$6"\n'), self.path / "p.png"
        python.chmod(0o755)
        with mock.patch.dict(model_runs.ENVIRONMENT, RHUMB_PYTHON=str(python)):
            document = self.solve(*arguments, "--picture", picture, model=model)
        self.assertEqual(document["picture"], str(picture))
        return document, json.loads(picture.read_text())

    def test_picture(self):
        """The map's axes are those of the codes, and its centre is the code (0, 0)."""
        query = ("--target", "x_velocity=10", "--require", "energy>=-30")
        document, drawn = self.picture_of(*query, "--mode", "mean", "--rollouts", 2, "--set", "mixtures=0")
        (answer,) = document["answers"]
        self.assertEqual(drawn["environment"], "point-v0")
        self.assertEqual([one["name"] for one in drawn["objectives"]], ["x_velocity", "energy"])
        self.assertEqual(drawn["landscape"]["places"], [[0, 0], [1, 0], [0, 1]])
        self.assertEqual(drawn["landscape"]["values"], [[5, 0], [15, -100], [5, -100]])
        self.assertEqual(drawn["query"]["target"], {"x_velocity": 10})
        self.assertEqual(drawn["query"]["require"], ["energy >= -30"])
        self.assertEqual(drawn["query"]["text"], "bring x_velocity to 10, with energy at least -30")
        self.assertEqual(drawn["before"], {"place": [0, 0], "predicted": [5, 0]})
        self.assertEqual(drawn["predicted"], answer["predicted"])
        self.assertEqual(drawn["realised"], answer["realised"])
        # The steps of the descent, beginning at a training code.
        self.assertTrue(drawn["steered"])
        path = drawn["path"]
        self.assertIn(path[0]["place"], drawn["landscape"]["places"])
        self.assertEqual(path[-1], {"place": answer["code"], "predicted": list(answer["predicted"].values())[::-1]})
        self.assertGreater(len(path), 2)
        for point in path:
            a, b = point["place"]
            self.assertAlmostEqual(point["predicted"][0], 5 + 10 * a, places=4)
            self.assertAlmostEqual(point["predicted"][1], -50 * b, places=4)

    def test_picture_of_a_random_start(self):
        document, drawn = self.picture_of("--target", "x_velocity=10", "--preset", "paper", "--seed", 3)
        self.assertTrue(drawn["steered"])
        self.assertEqual(len(drawn["path"]), min(25, document["answers"][0]["iterations"] + 1))
        self.assertEqual(drawn["path"][-1]["place"], document["answers"][0]["code"])

    def test_picture_of_several_answers(self):
        """The path is the one that the solver took, for any number of starts."""
        document, drawn = self.picture_of("--target", "x_velocity=10", "--require", "energy>=-30", "--answers", 3,
                                          "--set", "mixtures=0")  # fmt: skip
        answer = document["answers"][0]
        self.assertEqual(answer["origin"], "steered")
        self.assertTrue(drawn["steered"])
        self.assertEqual(drawn["path"][-1]["place"], answer["code"])

    def test_picture_of_a_known_code(self):
        """No descent led from the centre of the map to a code that was tried, and the path shows that."""
        asked = ("--target", "x_velocity=10+-1", "--set", "iterations=0")
        document, drawn = self.picture_of(*asked, model=self.grounded)
        self.assertIn(document["answers"][0]["code"], [[a / 4, b / 4] for a in range(5) for b in range(5)])
        self.assertFalse(drawn["steered"])
        self.assertEqual(drawn["path"][0]["place"], [0, 0])
        self.assertEqual(len(drawn["landscape"]["places"]), 25)
        self.assertEqual(drawn["landscape"]["unsteady"], [True] * 25)

    def test_pictures_that_cannot_be_are_left_out(self):
        """Without a Python that draws and a driver that renders, all other output is complete."""
        picture, video = self.path / "p.png", self.path / "v.webp"
        query = ("--target", "x_velocity=10")
        blind = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent.json"}
        with mock.patch.dict(model_runs.ENVIRONMENT, blind):
            result = self.steer(*query, "--picture", picture, "--video", video, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no picture: ", result.stderr)
        self.assertIn("v.webp was not written: cannot render", result.stderr)
        self.assertEqual(untimed(json.loads(result.stdout)), untimed(self.solve(*query)))
        self.assertEqual(list(self.path.iterdir()), [])

    def test_batch(self):
        """Results match the queries in number and order, each as if solved alone."""
        queries = [{"target": {"x_velocity": 6 + i}, "require": ["energy>=-30"]} for i in range(8)]
        queries[3] = {"target": {"x_velocity": 1000}}
        tasks = {"init": 1, "seed": 2, "anchor": 3, "split": "train"}  # as evaluate --write-tasks writes them
        lines = "\n\n".join(json.dumps(query | tasks) for query in queries)
        batch, out = self.write("b.jsonl", lines), self.path / "b.json"
        result = self.steer("--batch", batch, "--json", "--out", out, "--threads", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(json.loads(out.read_text()), document)
        results = document["results"]
        self.assertEqual([one["status"] == "solved" for one in results], [i != 3 for i in range(8)])
        self.assertEqual(results[3]["infeasibility"]["binding"], ["x_velocity at 1000"])
        for query, one in zip(queries, results):
            if one["status"] == "solved":
                alone = self.solve("--query", self.write("q.json", query))
                self.assertEqual((one["query"], one["answers"]), (alone["query"], alone["answers"]))
        table = self.show("--batch", batch, "--mode", "mean", "--rollouts", 1)
        self.assertIn("realised, 1 episode", table[0])
        first = [line.split() for line in table[1:] if "x_velocity" in line]  # energy stands below it
        self.assertEqual([row[0] for row in first], [str(i + 1) for i in range(8)])
        self.assertEqual((first[3][1], first[3][-2:]), ("infeasible", ["x_velocity", "1000"]))
        self.assertRegex(table[-1], r"^8 queries in [0-9.]+ ms$")

    def test_play_in_words(self):
        code, run = self.write("c.json", {"code": [0.5, 0]}), self.path / "run.json"
        play = model_runs.rhumb("play", self.model, "--code", code, "--mode", "mean", "--record", run)
        self.assertEqual(play.returncode, 0, play.stderr)
        header, row, record = (line.split() for line in play.stdout.splitlines())
        self.assertEqual(header, ["episode", "steps", "x_velocity", "energy", "ended", "by"])
        self.assertEqual((row[:2], row[3:]), (["0", "100"], ["-25.00", "time", "limit"]))
        self.assertEqual(record, ["trajectory", "of", "episode", "0:", str(run)])


if __name__ == "__main__":
    unittest.main()
