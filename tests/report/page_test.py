"""The page of a report: its tables, its figures, and the warnings that a missing number cannot silence."""

import copy
import html
import json
import re
import unittest

from page_case import COLUMNS, SCRIPT, WARNING, PageCase, between, fronts, measured, page

CHEETAH = "mo-halfcheetah-v5"


def probe(model, *errors):
    splits = ("train", "held_out_checkpoint", "held_out_weight")
    means = {split: {"mean_mse": error} for split, error in zip(splits, errors)}
    return measured(f"probe/{model}", {"model": f"models/{model}", "splits": means})


def synthesis(steered, looked_up, model="ours.grounded", mode="mean"):
    """A document of steering and a lookup, by their E_targ."""
    lookup = {"method": "lookup", "S": 50, "E_targ_mean": looked_up, "E_cons": 0, "violations": 0}
    return {
        **lookup, "model": f"models/{model}", "mode": mode, "method": "default", "S": 100,
        "E_targ_mean": steered, "noise": 0.25, "beside": [{**lookup, "E_targ_median": None}],
    }  # fmt: skip


def with_naive(document, error):
    naive = {**document["beside"][0], "method": "naive", "E_targ_mean": error}
    return {**document, "beside": [*document["beside"], naive]}


def paths(**gaps):
    """One query, and a path with two objectives for each method."""
    end = {"iteration": 7, "distance": 0.5, "predicted": [1.0, 2.0], "realised": [1.5, None]}
    own = [{"method": m, "status": "solved", "gap": [gap, 0.25], "end": end} for m, gap in gaps.items()]
    objectives = [{"name": "forward"}, {"name": "height"}]
    queries = [{"text": "forward >= 3", "paths": own}]
    return measured("paths/ours", {"objectives": objectives, "queries": queries})


def imitation(*shares):
    errors = {
        f"objective {k}": {
            "error": {"median": 0.01, "mean": 0.02, "q90": 0.03, "share_below_10_percent": share},
            "teacher_error": {"median": 0.04},
        }
        for k, share in enumerate(shares)
    }
    return measured("imitation/train-mean", {"split": "train", "mode": "mean", "errors": errors})


class Page(PageCase):
    def test_what_is_read_from_a_report(self):
        code = """
import json, sys
sys.path.insert(0, sys.argv[1])
import report
document = {"a": {"share": 0.125, "none": None, "yes": True}, "text": "t", "list": [1, 2]}
of = lambda *place: report.number(document, *place)
synthesis = {"method": "default", "beside": [{"method": "lookup", "S": 3}]}
stages = [{"output": f"measures/{name}.json", "result": {"n": n}}
          for n, name in enumerate(("probe/b", "context/a", "probe/a"))]
view = report.Report({"report": {"environment": "e", "stages": stages}, "figures": {},
                      "columns": [], "commands": []}, {})
print(json.dumps({
    "measures": [report.measure_of(own) for own in (
        "measures/hole/mean.json", "measures/control-functional.json", "models/ours", "measures", "")],
    "results": [view.results("probe"), view.result("measures/context/a.json"),
                view.result("measures/probe/c.json")],
    "numbers": [of("a", "share"), of("list", 1), of("a", "none"), of("a", "yes"), of("b", "share"),
                of("text"), of("list", 2), of("list", "x")],
    "texts": [report.text(document, "text"), report.text(document, "a"), report.text(None, "a")],
    "fixed": [report.fixed(0.125, 2), report.fixed(0.125, 1, 100), report.fixed(None, 1)],
    "methods": [len(report.methods_of(synthesis)), report.method_of(synthesis, "lookup"),
                report.method_of(synthesis, "naive"), report.method_of(None, "naive")],
    "model": report.model_of({"model": "models/ours.grounded"}),
    "durations": [report.duration(own) for own in (0.4, 59.5, 65, 3600, 4000, 360000)],
}))"""
        result = self.python("-c", code, SCRIPT.parent)
        self.assertEqual(result.returncode, 0, result.stderr)
        told = json.loads(result.stdout)
        self.assertEqual(told["measures"], ["hole", "control-functional", "", "", ""])
        self.assertEqual(told["results"], [[{"n": 0}, {"n": 2}], {"n": 1}, None])
        self.assertEqual(told["numbers"], [0.125, 2, None, None, None, None, None, None])
        self.assertEqual(told["texts"], ["t", "–", "–"])
        self.assertEqual(told["fixed"], ["0.12", "12.5", "–"])
        self.assertEqual(told["methods"], [2, {"method": "lookup", "S": 3}, None, None])
        self.assertEqual(told["model"], "ours.grounded")
        self.assertEqual(told["durations"], ["0s", "1m00s", "1m05s", "1h00m", "1h06m", "over 100h"])

    def test_head(self):
        timed = page(environment="a & b", elapsed_seconds=5, scale="full")
        without, with_time = self.render(page(measured("x", {})), timed)
        self.assertTrue(without.startswith('<!doctype html> <html lang="en">'), without[:80])
        self.assertTrue(without.endswith("</body> </html>"))
        self.assertIn("Scale smoke, seed 1, Rhumb 0: 1 stages, 1m05s of work.", without)
        self.assertIn("training is far too short", without)
        self.assertIn('<a href="report.json">report.json</a> <a href="commands.sh">', without)
        self.assertIn("<tr><td>measures/x.json</td><td>2s</td><td>rhumb evaluate x</td></tr>", without)
        self.assertIn("<title>Rhumb on a & b</title>", with_time)
        self.assertIn("1m05s of work, done in 5s.", with_time)
        self.assertNotIn("training is far too short", with_time)
        for part in ("<script", "<link", "url(", "src="):
            self.assertNotIn(part, without)

    def test_a_page_of_everything_has_its_parts_in_order(self):
        sizes = {"context": 8, "observation_size": 4, "action_size": 2, "code_size": 16, "projection_size": 3}
        scores = {"z": {"share": 0.5, "margin": {"median": 1}}, "h": {"share": 0.75}}
        counts = {"policies": 9, "episodes": 20, "transitions": 300, "splits": {"train": {"policies": 7}}}
        case = {"density": "normal", "dimension": 2, "rows": [{"size": 16, "monte_carlo": 0.5}]}
        change = {"name": "blend 10", "pairs": 200, "falls": 2.5, "lost": None}
        change["objectives"] = {"height": {"miss_median": 1.25, "miss_q90": 9.0}}
        models = ("population", "dataset-v0", "models/ours")
        results = ({"weights": [1, 2]}, {"counts": counts}, {"architecture": sizes, "objectives": [1, 2]})
        made = [{**measured(n, r), "output": n} for n, r in zip(models, results, strict=True)]
        rendered = self.render(
            page(
                *made, imitation(0.75), probe("ours", 1), measured("synthesis/ours-mean", synthesis(1, 2)),
                measured("synthesis/ours-sampled", synthesis(1, 2, mode="sampled")),
                measured("hole/mean", synthesis(1, 2)), paths(projected=1.0, naive=2.0),
                between(default=99.5, own_code=98.0), fronts(1.25),
                measured("switch/mean", {"mode": "mean", "reports": [change]}),
                measured("geometry/vae", {"model": "models/vae", "dimension": 3, "variance_shares": [0.5]}),
                measured("ordering/vae", {"model": "models/vae", "splits": {"train": {"ordering": {"x": scores}}}}),
                measured("context/ours", {"splits": {"train": {"rows": [{"context": 4, "spread": 0.5}]}}}),
                measured("control-functional", {"cases": [{**case, "monte_carlo_rate": -0.5}]}),
                objectives=["forward"],
            )
        )  # fmt: skip
        self.assertEqual(
            [heading.split(":")[0] for heading in re.findall(r"<h2>(.*?)</h2>", rendered)],
            [
                "Architecture", "Data and imitation", "Table 1", "The geometry of the map", "Table 2", "Table 2",
                "Many requirements, and a hole in the data", "Between the policies",
                "The trade-offs that the map offers", "Changing in mid-episode",
                "Naive against projected, and the paths of steering", "Ordering", "Error against the size of the context", "Control functionals",
                "Time and command of every stage",
            ],
        )  # fmt: skip
        self.assertLess(rendered.index("sampled actions</h2>"), rendered.index("mean actions</h2>"))
        for words in (
            "8 state-action pairs of 4 + 2 numbers make a code of 16; 2 projections of 3 numbers",
            "2 weight vectors were trained. Of their checkpoints, 9 policies are kept: 7 for training, (a) – unseen",
            "20 episodes, 300 steps.",
            "<td>training</td><td>mean</td><td>objective 0</td><td>1.00</td><td>2.00</td><td>3.00</td><td>75.0</td>"
            "<td>4.00</td>",
            "<td>VAE (α = 0)</td><td>3</td><td>–</td><td>50.0</td>",
            "<td>VAE (α = 0)</td><td>training</td><td>x</td><td>50.00</td><td>75.00</td><td>1.000</td><td>–</td>",
            "<td>training</td><td>4</td><td>–</td><td>–</td><td>0.5000</td><td>–</td>",
            "<td>normal</td><td>2</td><td>16</td><td>0.500000</td><td>–</td>",
            "<td>normal</td><td>2</td><td>rate</td><td>-0.50</td><td>–</td>",
            "<td>forward >= 3</td><td>naive</td><td>solved</td><td>7</td><td>0.50</td><td>forward</td><td>1.0</td>"
            "<td>1.5</td><td>2.0</td>",
            "S: meaning of S; E_targ: meaning of E_targ;",
            "<td>mean</td><td>default</td><td>–</td><td>99.5</td><td>–</td>",
            "<td>mean</td><td>own code</td><td>–</td><td>98.0</td>",
            "<td>mean</td><td>undiscounted</td><td>map</td><td>9</td><td>4</td><td>1</td>"
            "<td>1.234e+04 above (x 0, y -2.5)</td><td>–</td><td>–</td>",
            "<td>mean</td><td>blend 10</td><td>200</td><td>2.5</td><td>–</td><td>height</td><td>1.25</td><td>9.00</td>",
        ):
            self.assertIn(words, rendered)
        self.assertEqual(rendered.count("<td>height</td>"), 1)  # of paths it is no objective of the report

    def test_a_part_without_documents_is_left_out(self):
        headings = re.findall(r"<h2>(.*?)</h2>", self.render(page()))
        self.assertEqual(headings, ["Time and command of every stage"])

    def test_the_paper_stands_beside_halfcheetah_alone(self):
        stages = [probe("vae", 0.125), imitation(0.75)]
        cheetah, point = self.render(page(*stages, environment=CHEETAH), page(*stages))
        row = "<td>VAE (α = 0)</td><td>0.1250</td><td>–</td><td>–</td>"
        self.assertIn(f"{row}<td>0.233</td><td>0.850</td>", cheetah)
        self.assertIn("The paper: largely below 10 %.", cheetah)
        self.assertIn(f"{row}</tr>", point)
        self.assertNotIn("The paper", point)
        self.assertNotIn("the paper, ", point)

    def test_seeds_are_averaged_and_a_better_rival_is_named(self):
        stages = [
            probe("ours", 0.25, 1, 1), probe("vae", 1, 2, 2), probe("mean_pool", 0.4, 2, 2),
            probe("ours-2", 0.75, 1, 1),
        ]  # fmt: skip
        point, cheetah = self.render(page(*stages), page(*stages, environment=CHEETAH))
        self.assertIn("<td>ours, mean of 2 seeds</td><td>0.5000</td>", point)
        self.assertIn("Worse than others: on training ours has 0.5000, mean-pool encoder 0.4000.", point)
        self.assertEqual(point.count(WARNING), 1)
        self.assertIn("our splits: on training 0.5000 against 0.029; on (a) unseen", cheetah)

    def test_a_probe_without_a_number_is_not_passed_over(self):
        rivals = [probe("vae", 0.5, 2, 2), probe("mean_pool", 0.75, 2, 2)]
        missing = "Numbers are missing, so it is unknown who is better: "
        ours, seed, rival, none = self.warnings(
            page(probe("ours", None, 1, 1), *rivals),
            page(probe("ours", 0.25, 1, 1), probe("ours-2", None, 1, 1), *rivals),
            page(probe("ours", 0.25, 1, 1), probe("vae", None, 2, 2)),
            page(*rivals),
        )
        numbers = "on training ours has –, VAE (α = 0) 0.5000, mean-pool encoder 0.7500"
        self.assertEqual(ours, [f"{missing}{numbers}."])
        self.assertEqual(seed, ours)  # not the mean of the one seed that has a number
        self.assertEqual(rival, [f"{missing}on training ours has 0.2500, VAE (α = 0) –."])
        self.assertEqual(len(none), 1)  # ours was not measured at all
        self.assertIn(numbers, none[0])
        (paper,) = self.warnings(page(probe("ours", 0.02, None, 0.1), environment=CHEETAH))
        self.assertIn("unknown whether ours is worse than the paper: on (a) unseen checkpoints – against 0.2", paper)

    def test_imitation_that_is_far_off_or_unknown(self):
        good, bad = self.warnings(page(imitation(0.5, 0.75)), page(imitation(0.25, None, 0.75)))
        self.assertEqual(good, [])
        self.assertIn("In 1 of 3 rows less than half", bad[0])
        self.assertIn("in 1 of 3 rows it is unknown whether half", bad[1])
        self.assertEqual(len(bad), 2)

    def test_synthesis_has_a_row_for_each_method_and_a_table_for_each_mode(self):
        stage = measured("synthesis/ours-mean", synthesis(1.5, 1.75))
        rendered = self.render(page(stage, environment=CHEETAH))
        self.assertIn("<td>ours</td><td>default</td><td>100.00</td><td>1.50</td>", rendered)
        self.assertIn("<td>98.0</td><td>11.67</td><td>0.13</td>", rendered)
        self.assertIn("<td>ours</td><td>lookup</td><td>50.00</td><td>1.75</td><td>–</td>", rendered)
        self.assertIn("<th>the paper, S</th><th>the paper, E_targ</th><th>the paper, E_cons</th>", rendered)
        self.assertIn("mean actions</h2>", rendered)
        self.assertNotIn("sampled actions</h2>", rendered)
        self.assertNotIn(WARNING, rendered)

    def test_columns_are_those_of_the_document(self):
        own = page(measured("synthesis/ours-mean", synthesis(1.5, 0.5)), environment=CHEETAH)
        own["columns"] = [{**column, "title": column["key"].upper()} for column in COLUMNS[::-1]]
        rendered = self.render(own)
        self.assertIn("<th>method</th><th>VIOLATIONS</th><th>E_CONS</th><th>E_TARG_MEDIAN</th>", rendered)
        self.assertIn("<th>the paper, E_CONS</th><th>the paper, E_TARG_MEAN</th>", rendered)
        self.assertIn("<td>default</td><td>0.00</td><td>0.00</td><td>–</td><td>1.50</td>", rendered)
        self.assertIn("E_TARG_MEAN 1.50 against 0.50 %", rendered)

    def test_lookup_or_the_paper_is_better(self):
        def own(steered, looked_up):
            stage = measured("synthesis/ours-mean", synthesis(steered, looked_up))
            return page(stage, environment=CHEETAH)

        lookup, by_chance, paper = self.warnings(own(1.5, 0.5), own(0.5, 0.375), own(12, 13))
        self.assertEqual(len(lookup), 1)
        self.assertIn("Lookup beats steering with mean actions: E_targ 1.50 against 0.50 %.", lookup[0])
        self.assertIn("(less apart than the noise, 0.25)", by_chance[0])
        self.assertEqual(len(paper), 1)
        self.assertIn("Worse than the paper with mean actions", paper[0])
        self.assertIn("E_targ is 12.00 % against 11.67.", paper[0])

    def test_fewer_solved_than_in_the_paper_is_worse(self):
        document = {**synthesis(1, 2), "S": 97.5, "E_cons": 0.25, "beside": synthesis(1, 2)["beside"]}
        document["beside"][0]["E_cons"] = 1
        (paper,) = self.warnings(page(measured("synthesis/ours-mean", document), environment=CHEETAH))
        self.assertIn("S is 97.50 % against 98.00; E_cons is 0.25 % against 0.13.", paper)

    def test_missing_numbers_of_synthesis_are_warnings(self):
        """Null is an infinite error as well: no roll-out gave a number."""

        def own(change):
            document = synthesis(1.5, 1.75)
            change(document)
            return page(measured("synthesis/ours-mean", document), environment=CHEETAH)

        ours, success, rival, violations, no_lookup = self.warnings(
            own(lambda document: document.update(E_targ_mean=None)),
            own(lambda document: document.pop("S")),
            own(lambda document: document["beside"][0].update(E_targ_mean=None)),
            own(lambda document: document.pop("violations")),
            own(lambda document: document.update(beside=[])),
        )
        lookup = "Numbers are missing, so it is unknown whether lookup beats steering with mean actions: "
        paper = "Numbers are missing, so it is unknown whether ours is worse than the paper with mean actions: "
        self.assertEqual(ours, [lookup + "E_targ – against 1.75 %.", paper + "E_targ is – % against 11.67."])
        self.assertEqual(success, [paper + "S is – % against 98.00."])
        self.assertEqual(rival, [lookup + "E_targ 1.50 against – %."])
        self.assertEqual(violations, [lookup + "violations – against 0.00 %."])
        (told,) = no_lookup
        self.assertEqual(
            told, lookup + "E_targ 1.50 against – %, E_cons 0.00 against – %, violations 0.00 against – %."
        )

    def test_noise_that_is_missing_excuses_nothing(self):
        document = {**synthesis(0.5, 0.375), "noise": None}
        (told,) = self.warnings(page(measured("synthesis/ours-mean", document)))
        self.assertIn("E_targ 0.50 against 0.38 %.", told)

    def test_rivals_that_come_nearer(self):
        def own(ours, theirs):
            return page(
                measured("synthesis/ours-mean", synthesis(ours, 2)),
                measured("synthesis/vae-mean", synthesis(theirs, 9, "vae")),
                measured("synthesis/vae-sampled", synthesis(0.5, 9, "vae", "sampled")),
            )

        nearer, farther, unknown, ours_unknown = self.warnings(
            own(1.5, 1.25), own(1.5, 1.75), own(1.5, None), own(None, 1.25)
        )
        lead = "With mean actions others come nearer to the targets than our 1.50 %: "
        self.assertEqual(nearer[-1], lead + "VAE (α = 0), default: 1.25.")
        missing = "Numbers are missing, so with {} actions it is unknown who comes nearer to the targets"
        missing += " than our {} %: "
        # Nobody measured ours with sampled actions.
        sampled = missing.format("sampled", "–") + "VAE (α = 0), default: 0.50."
        self.assertEqual(farther[1:], [sampled])
        self.assertEqual(unknown[1:], [sampled, missing.format("mean", "1.50") + "VAE (α = 0), default: –."])
        self.assertEqual(ours_unknown[-1], missing.format("mean", "–") + "VAE (α = 0), default: 1.25.")

    def test_constraints_are_counted_and_the_hole_stands_beside(self):
        rendered = self.render(
            page(
                measured("constraints/1-mean", with_naive(synthesis(2, 1), 3)),
                measured("constraints/2-mean", with_naive(synthesis(2, 3), 3)),
                measured("hole/mean", with_naive(synthesis(4, 5), 5)),
            )
        )
        self.assertIn("height = mean(z). Inside the hole", rendered)
        self.assertIn("<td>2 requirements</td><td>lookup</td><td>50.00</td><td>3.00</td>", rendered)
        self.assertIn("<td>inside the hole</td><td>default</td><td>100.00</td>", rendered)
        self.assertIn("steering is worse than lookup at 1 requirement (E_targ 2.00 against 1.00 %).", rendered)
        self.assertIn("With mean actions, naive is nowhere better than steering.", rendered)
        self.assertNotIn("With sampled actions", rendered)

    def test_a_contest_without_a_number_is_not_won(self):
        hole = measured("hole/mean", with_naive(synthesis(4, 5), 5))
        unmeasured = measured("constraints/1-mean", synthesis(2, 3))
        missing = measured("constraints/1-mean", with_naive(synthesis(None, 3), 3))
        for stage, own in ((unmeasured, "2.00 against –"), (missing, "– against 3.00")):
            rendered = self.render(page(stage, hole))
            self.assertIn(
                "Numbers are missing, so with mean actions it is unknown whether steering is worse than naive "
                f"at 1 requirement (E_targ {own} %",
                rendered,
            )
            self.assertNotIn("naive is nowhere better", rendered)

    def test_naive_paths_that_kept_their_promise(self):
        pages = [paths(projected=2.0, naive=1.0), paths(projected=1.0, naive=2.0), paths(projected=None, naive=1.0)]
        better, worse, unknown, alone = self.warnings(*map(page, pages), page(paths(projected=1.0)))
        self.assertIn("better than projected ones: forward >= 3 (gap 1.0 against 2.0).", better[0])
        self.assertEqual(worse, [])
        lead = "Numbers are missing, so it is unknown whether naive steps kept their promise better than"
        lead += " projected ones: "
        self.assertEqual(unknown, [lead + "forward >= 3 (gap 1.0 against –)."])
        self.assertEqual(alone, [lead + "forward >= 3 (gap – against 1.0)."])

    def test_figures_stand_where_they_are_drawn_and_are_missed_where_they_are_not(self):
        stage = measured("context/ours", {"splits": {"train": {"rows": [{"context": 4}]}}})
        drawn = {"picture": "figures/context.png", "drawing": "figures/context.svg"}
        without, some, both = self.render(
            page(stage, figures={"architecture": None, "context": None}),
            page(stage, figures={"architecture": None, "context": drawn}),
            page(stage, figures={"context": drawn}),
        )
        self.assertIn("2 of 2 figures are not drawn", without)
        self.assertNotIn("<img", without)
        self.assertIn("1 of 2 figures are not drawn", some)
        caption = "Error and spread against the size of the context."
        self.assertIn(
            f'<a href="figures/context.svg"><img src="figures/context.png" alt="{caption}"></a> '
            f"<figcaption>{caption}</figcaption>",
            some,
        )
        self.assertNotIn("not drawn", both)

    def test_text_is_escaped(self):
        """Every string of the report that reaches the page holds a tag of its own."""
        evil = "<b onclick='x'>\"&"
        document = with_naive(synthesis(2, 1), 3)
        document["beside"][0]["method"] = evil
        document["model"] = evil
        scores = {"z": {"share": 0.5}, "h": {"share": None}}
        stages = [
            measured("ordering/ours", {"model": evil, "splits": {evil: {"ordering": {evil: scores}}}}),
            measured("synthesis/vae-mean", document), measured("hole/mean", document), imitation(0.75),
            probe("ours", 1), paths(projected=1.0, naive=2.0),
            measured("control-functional", {"cases": [{"density": evil}]}),
        ]  # fmt: skip
        stages[3]["result"].update(split=evil, mode=evil, errors={evil: stages[3]["result"]["errors"]["objective 0"]})
        stages[4]["result"]["model"] = evil
        query = stages[5]["result"]["queries"][0]
        query["text"] = query["paths"][0]["status"] = query["paths"][1]["method"] = evil
        stages[5]["result"]["objectives"][0]["name"] = evil
        stages[6]["command"] = [evil]
        stages += [between(default=1.0), fronts(0.5, evil), measured("switch/mean", {"mode": evil, "reports": [
            {"name": evil, "objectives": {evil: {}}}]})]
        stages[7]["result"]["mode"] = stages[7]["result"]["methods"][0]["method"] = evil
        stages[8]["result"]["mode"] = stages[8]["result"]["tables"][0]["fronts"][0]["source"] = evil
        stages[8]["result"]["tables"][0]["references"] = [{evil: 1}]
        own = page(*stages, environment=evil, rhumb=evil, seed=evil, scale=evil)
        own["report"]["attributes"] = [{"name": evil, "expression": evil}]
        own["columns"] = [{**column, "title": evil, "meaning": evil} for column in copy.deepcopy(COLUMNS)]
        own["figures"] = {"context": None, "paths": {"picture": evil, "drawing": evil}}
        (self.path / "page.json").write_text(json.dumps(own))
        result = self.python(SCRIPT, self.path / "page.json", self.path / "page.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.path / "page.html").read_text()
        self.assertNotIn("<b ", text)
        self.assertNotIn("onclick='", text)
        escaped = html.escape(evil).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")
        self.assertGreater(text.count(escaped), 40)
        self.assertIn(f"<td>{escaped}</td><td>50.00</td><td>–</td>", text)
        self.assertIn(f'<a href="{escaped}"><img src="{escaped}"', text)

    def test_command_line(self):
        (self.path / "page.json").write_text(json.dumps({**page(), "report": {"stages": []}}))
        result = self.python(SCRIPT, self.path / "page.json", self.path / "page.html")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no report of `rhumb reproduce`: it lacks environment, scale", result.stderr)
        self.assertFalse((self.path / "page.html").exists())
        result = self.python(SCRIPT, self.path / "page.json")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("usage: python report.py PAGE.json OUT.html", result.stderr)


if __name__ == "__main__":
    unittest.main()
