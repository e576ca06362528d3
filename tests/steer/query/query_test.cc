#include "rhumb/steer/query/query.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/steer/query/query_file.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::steer {
namespace {

using nlohmann::json;

Target TargetOf(const std::string& text) { return Query().AddTarget(text).targets.at(0); }
Requirement RequirementOf(const std::string& text) {
  return Query().AddRequirement(text).requirements.at(0);
}
Change ChangeOf(const std::string& text) { return Query().AddChange(text).changes.at(0); }

std::string TargetError(const std::string& text) {
  return test::ErrorOf([&] { Query().AddTarget(text); });
}
std::string RequirementError(const std::string& text) {
  return test::ErrorOf([&] { Query().AddRequirement(text); });
}
std::string ChangeError(const std::string& text) {
  return test::ErrorOf([&] { Query().AddChange(text); });
}
bool Says(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos;
}

TEST(Query, ReadsTargets) {
  EXPECT_EQ(TargetOf("forward=6000"), (Target{"forward", 6000, 0}));
  EXPECT_EQ(TargetOf(" 2*forward + energy == -6e3 "), (Target{"2*forward + energy", -6000, 0}));
  EXPECT_EQ(TargetOf("forward = +6000 +- 50"), (Target{"forward", 6000, 50}));
  EXPECT_EQ(TargetOf("forward=-6000\xc2\xb1.5"), (Target{"forward", -6000, 0.5}));
  EXPECT_EQ(Query().AddTarget(" forward", 6000, 50).targets[0], (Target{"forward", 6000, 50}));
}

TEST(Query, ReadsRequirements) {
  const double inf = kUnbounded;
  EXPECT_EQ(RequirementOf("energy>=-3000"), (Requirement{"energy", -3000, inf}));
  EXPECT_EQ(RequirementOf("energy > -3000"), (Requirement{"energy", -3000, inf}));
  EXPECT_EQ(RequirementOf("energy<=-500"), (Requirement{"energy", -inf, -500}));
  EXPECT_EQ(RequirementOf("-3000 < energy"), (Requirement{"energy", -3000, inf}));
  EXPECT_EQ(RequirementOf("-500 >= energy"), (Requirement{"energy", -inf, -500}));
  EXPECT_EQ(RequirementOf("-3000 <= energy <= -500"), (Requirement{"energy", -3000, -500}));
  EXPECT_EQ(RequirementOf("-500 > energy >= -3000"), (Requirement{"energy", -3000, -500}));
  EXPECT_EQ(RequirementOf("energy in [-3000, -500]"), (Requirement{"energy", -3000, -500}));
  EXPECT_EQ(RequirementOf("(a - b)in[1,2]"), (Requirement{"(a - b)", 1, 2}));
  EXPECT_EQ(RequirementOf("energy = -100 +- 10"), (Requirement{"energy", -110, -90}));
  EXPECT_EQ(RequirementOf("energy == -100 \xc2\xb1 10"), (Requirement{"energy", -110, -90}));
  EXPECT_EQ(RequirementOf("forward/energy >= 2"), (Requirement{"forward/energy", 2, inf}));
  EXPECT_EQ(RequirementOf("forward >= 2*energy"), (Requirement{"(forward) - (2*energy)", 0, inf}));
  EXPECT_EQ(RequirementOf("forward < energy"), (Requirement{"(forward) - (energy)", -inf, 0}));
  EXPECT_EQ(Query().AtLeast("a", 1).AtMost("a", 2).requirements,
            (std::vector<Requirement>{{"a", 1, inf}, {"a", -inf, 2}}));
}

TEST(Query, ReadsChanges) {
  EXPECT_EQ(ChangeOf("energy -20%"), (Change{"energy", 0.8, 0}));
  EXPECT_EQ(ChangeOf("energy+10 %"), (Change{"energy", 1.1, 0}));
  EXPECT_EQ(ChangeOf("height - 0.5"), (Change{"height", 1, -0.5}));
  EXPECT_EQ(ChangeOf("height +1e-1"), (Change{"height", 1, 0.1}));
  EXPECT_EQ(ChangeOf("height *-0.8 +5"), (Change{"height", -0.8, 5}));
  EXPECT_EQ(ChangeOf("height * 2"), (Change{"height", 2, 0}));
}

// Returns "'TEXT': column C: problem", without the expected syntax.
std::string ProblemOf(const std::string& message) { return message.substr(0, message.find(';')); }

TEST(Query, BadTargetsAreErrorsWithTheirColumn) {
  const auto problem = [](const std::string& text) { return ProblemOf(TargetError(text)); };
  EXPECT_EQ(TargetError("forward"),
            "target 'forward': column 8: expected '=', found the end; expected EXPR = NUMBER or "
            "EXPR = NUMBER +- TOLERANCE; bounds are requirements");
  EXPECT_EQ(problem("forward >= 3"), "target 'forward >= 3': column 9: expected '=', found '>'");
  EXPECT_EQ(problem("a = b = 3"), "target 'a = b = 3': column 5: expected a number, found 'b'");
  EXPECT_EQ(problem("a = 3 = b"), "target 'a = 3 = b': column 7: expected the end, found '='");
  EXPECT_EQ(problem("forward = 3x0"),
            "target 'forward = 3x0': column 12: expected the end, found 'x0'");
  EXPECT_EQ(problem("forward ="),
            "target 'forward =': column 10: expected a number, found the end");
  EXPECT_EQ(problem("= 3"), "target '= 3': column 1: names no quantity");
  EXPECT_EQ(problem("3 = 3"),
            "target '3 = 3': column 1: the number '3' stands in the place of a quantity");
  EXPECT_EQ(problem("2*3 = 3"),
            "target '2*3 = 3': column 1: '2*3' is a constant, it must depend on an objective");
  EXPECT_EQ(problem("a*b = 3"), "target 'a*b = 3': column 2: a product of objectives");
  EXPECT_EQ(problem("forward = 3 +- 0"),
            "target 'forward = 3 +- 0': column 16: the tolerance 0 must be above 0");
  EXPECT_EQ(problem("a = 3 \xc2\xb1 -1"),
            "target 'a = 3 \xc2\xb1 -1': column 9: the tolerance -1 must be above 0");
  for (const char* number : {"nan", "inf", "-inf", "1e999", "3 +- nan", "3 +- inf"}) {
    EXPECT_TRUE(Says(TargetError("forward = " + std::string(number)), "not a finite number"))
        << number;
  }
  EXPECT_TRUE(Says(test::ErrorOf([] { Query().AddTarget("a", std::nan("")); }), "finite"));
  EXPECT_TRUE(Says(test::ErrorOf([] { Query().AddTarget("a", 1, -1); }), "not below 0"));
  EXPECT_TRUE(Says(test::ErrorOf([] { Query().AddTarget(" ", 1); }), "names no quantity"));
  EXPECT_TRUE(Says(test::ErrorOf([] { Query().AddTarget("a b", 1); }), "column 3"));
}

TEST(Query, BadRequirementsAreErrorsWithTheirColumn) {
  const auto expect = [](const std::string& text, const std::string& problem) {
    EXPECT_EQ(ProblemOf(RequirementError(text)), "requirement '" + text + "': column " + problem);
  };
  EXPECT_EQ(RequirementError("energy>=-30x0"),
            "requirement 'energy>=-30x0': column 12: expected the end, found 'x0'; expected EXPR "
            ">= NUMBER, EXPR <= NUMBER, NUMBER <= EXPR <= NUMBER, EXPR in [LOW, HIGH], EXPR = "
            "NUMBER +- TOLERANCE or EXPR >= EXPR");
  expect("energy", "7: expected a relation, found the end");
  expect("energy !", "8: expected a relation, found '!'");
  expect("energy = 3", "11: an equality has no tolerance");
  expect("energy = 3 +- 0", "15: the tolerance 0 must be above 0");
  expect("energy >= 3 +- 1", "13: a tolerance goes with '=' only");
  expect("1 <= energy >= 3", "13: two relations do not go together");
  expect("1 = energy = 3", "1: the number '1' stands in the place of a quantity");
  expect("1 < 2 < energy < 3", "5: the number '2' stands in the place of a quantity");
  expect("1 < energy < 3 < 5", "16: expected the end, found '<'");
  expect("a < energy < 3", "1: expected a number, found 'a'");
  expect("1 <= 2", "6: the number '2' stands in the place of a quantity");
  expect("energy >=", "10: names no quantity");
  expect("energy =< 3", "9: expected a number, found '<'");
  expect("energy in [1 2]", "14: expected ',', found '2'");
  expect("energy in [1, 2, 3]", "16: expected ']', found ','");
  expect("3 < energy in [1, 2]", "12: expected the end, found 'in'");
  expect("5 in [1, 2]", "1: the number '5' stands in the place of a quantity");
  expect("a/b >= c", "1: a ratio is compared with an expression");
  expect("a >= b/c", "6: a ratio is compared with an expression");
  expect("a + >= 3", "5: expected a number, an objective or '(', found '>'");
  EXPECT_TRUE(Says(RequirementError("a >= a + 3"), "'(a) - (a + 3)' is a constant"));
  EXPECT_TRUE(Says(RequirementError("energy in [1, 1]"), "leaves a single value"));
  EXPECT_EQ(RequirementError("energy in [5, 3]"),
            "requirement 'energy in [5, 3]' has its low bound, 5, above its high one, 3");
  EXPECT_TRUE(Says(RequirementError("5 <= energy <= 3"), "low bound, 5, above"));
  for (const char* text : {"energy >= nan", "energy >= inf", "-inf <= energy", "energy in [0, inf]",
                           "energy <= 1e999", "energy = 1e308 +- 1e308"}) {
    EXPECT_TRUE(Says(RequirementError(text), "not a finite number")) << text;
  }
  EXPECT_NE(test::ErrorOf([] { Query().AtLeast("a", std::nan("")); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().AtLeast("a", kUnbounded); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().AtLeast("a", -kUnbounded); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().Maximise(""); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().Maximise("a +"); }), "");
}

TEST(Query, BadChangesAreErrorsWithTheirColumn) {
  const auto expect = [](const std::string& text, const std::string& problem) {
    EXPECT_EQ(ProblemOf(ChangeError(text)), "change '" + text + "': column " + problem);
  };
  EXPECT_EQ(ChangeError("energy"),
            "change 'energy': column 7: expected '+', '-' or '*', found the end; expected NAME "
            "+10%, NAME -20%, NAME +0.5 or NAME *0.8 +5");
  expect("energy 20%", "8: expected '+', '-' or '*', found '20'");
  expect("energy +", "9: expected a number, found the end");
  expect("energy +-20%", "9: expected a number, found '-'");
  expect("energy *2 +20%", "14: expected the end, found '%'");
  expect("energy -20% more", "13: expected the end, found 'more'");
  expect("energy +inf", "9: 'inf' is not a finite number");
  expect("-20%", "1: names no quantity");
}

TEST(Query, LongTextsAreCutInErrors) {
  const std::string message = RequirementError(std::string(10000, 'x'));
  EXPECT_TRUE(Says(message, "'" + std::string(57, 'x') + "...' has 10000 characters"));
  EXPECT_LT(message.size(), 400u);
  // Does not cut inside a two-byte letter, whose first byte is the 57th.
  std::string letters(56, 'x');
  for (int i = 0; i < 100; ++i) letters += "\xc3\xa9";
  EXPECT_TRUE(Says(RequirementError(letters), "'" + std::string(56, 'x') + "...'"));
}

TEST(Query, RequirementsThatDoNotMeetAreErrors) {
  Query query;
  query.AddRequirement("energy >= -500");
  EXPECT_EQ(test::ErrorOf([&] { query.AddRequirement("energy <= -3000"); }),
            "requirement 'energy <= -3000' contradicts 'energy >= -500'");
  EXPECT_EQ(query.requirements.size(), 1u);
  EXPECT_NE(test::ErrorOf([&] { query.AtMost("energy", -500.5); }), "");
  query.AddRequirement("energy <= -500").AddRequirement("forward <= -3000");
  query.AddRequirement("a + b >= 1");
  EXPECT_NE(test::ErrorOf([&] { query.AddRequirement("a+b <= 0"); }), "");
}

TEST(Query, ConsistencyIsOfAllTerms) {
  const auto error = [](const Query& query) {
    return test::ErrorOf([&] { CheckConsistent(query); });
  };
  EXPECT_EQ(error({}), "");
  Query query;
  query.AddTarget("forward = 6000").AddRequirement("energy >= -3000").Maximise("forward/energy");
  EXPECT_EQ(error(query), "");
  EXPECT_EQ(error(Query(query).AtMost("forward", 6000)), "");
  EXPECT_EQ(error(Query(query).AtMost("forward", 5000)),
            "target 'forward = 6000' lies outside of requirement 'forward <= 5000'");
  EXPECT_EQ(error(Query(query).Minimise("forward / energy")),
            "a quantity has two goals, maximise 'forward/energy' and minimise 'forward / energy'; "
            "one is allowed");
  EXPECT_TRUE(Says(error(Query(query).AddTarget("forward", 5000)), "two goals"));
  EXPECT_TRUE(Says(error(Query(query).AddChange("forward +1%")), "two goals"));
  // The target can be met within its tolerance.
  EXPECT_EQ(error(Query().AddTarget("a = 10 +- 2").AtMost("a", 8)), "");
  EXPECT_NE(error(Query().AddTarget("a = 10 +- 2").AtMost("a", 7)), "");

  // Fields filled in by hand are checked too.
  query.requirements.push_back({"energy", -kUnbounded, -4000});
  EXPECT_TRUE(Says(error(query), "contradicts"));
  query = {};
  query.changes.push_back({"energy", std::nan(""), 0});
  EXPECT_TRUE(Says(error(query), "finite"));
  query = {};
  query.targets.resize(kMaxTerms + 1, {"a", 1, 0});
  EXPECT_TRUE(Says(error(query), "more than 256 of the kind 'target'"));
}

TEST(Query, IsDescribedInWords) {
  EXPECT_EQ(Describe(Query()
                         .AddTarget("forward", 6000)
                         .AddRequirement("energy>=-3000")
                         .Maximise("forward/energy")),
            "bring forward to 6000, with energy at least -3000, and make forward/energy as large "
            "as possible");
  EXPECT_EQ(Describe(Query().AddTarget("a = 1 +- 0.5").AddTarget("b = 2")),
            "bring a to 1 within 0.5 and b to 2");
  EXPECT_EQ(Describe(Query().AtMost("a", 2).AddRequirement("b in [1, 2]")),
            "find a behaviour, with a at most 2 and b from 1 to 2");
  EXPECT_EQ(Describe(Query().AddChange("energy -20%").AddChange("a +0.5").Minimise("b")),
            "change energy by -20% and a by +0.5, and make b as small as possible");
  EXPECT_EQ(Describe(Query()), "nothing is asked for");
  EXPECT_EQ(Describe(Target{"forward", 6000, 0}), "forward at 6000");
  EXPECT_EQ(Describe(Target{"forward", 6000, 50}), "forward at 6000 within 50");
}

TEST(QueryFile, JsonHoldsAQuery) {
  const json document = json::parse(R"({"target": {"forward": 6000}, "require": ["energy>=-3000"],
      "maximise": "forward/energy", "minimise": ["height"], "change": ["x -20%"], "seed": 3})");
  const Query query = QueryFromJson(document, "tasks.jsonl:1", {"seed", "init"});
  EXPECT_EQ(query, Query()
                       .AddTarget("forward", 6000)
                       .AtLeast("energy", -3000)
                       .Maximise("forward/energy")
                       .Minimise("height")
                       .AddChange("x -20%"));
  EXPECT_EQ(QueryFromJson(ToJson(query), "here"), query);
  EXPECT_EQ(ToJson(query)["require"], json({"energy >= -3000"}));
  EXPECT_TRUE(QueryFromJson(json::object(), "here").empty());
}

TEST(QueryFile, JsonReadsBackTheSame) {
  Query query;
  query.AddTarget("b = 0.1 +- 1e-20").AddTarget("a", -1e300).AddTarget("c = 3");
  query.AddRequirement("a - b in [0.1, 0.30000000000000004]").AddRequirement("a >= b");
  for (const double percent : {-20.0, 10.0, 0.1, 33.333, -100.0, 1e6, 0.0, 1e-9}) {
    query.changes.push_back({"x" + std::to_string(query.changes.size()), 1 + percent / 100, 0});
  }
  query.changes.push_back({"y", 1, -0.5});
  query.changes.push_back({"z", 0.8, 5});
  query.changes.push_back({"w", 1.0 / 3, 0});
  EXPECT_EQ(QueryFromJson(ToJson(query), "here"), query) << ToJson(query);
  EXPECT_EQ(ToJson(query)["change"][0], "x0 -20%");
}

TEST(QueryFile, BadJsonIsAnErrorWithItsPlace) {
  const auto error = [](const char* text) {
    return test::ErrorOf([&] { QueryFromJson(json::parse(text), "q.json", {"seed"}); });
  };
  EXPECT_EQ(error(R"({"requires": []})"),
            "q.json: unknown key 'requires'; did you mean 'require'?");
  EXPECT_EQ(error(R"({"target": {"forward": "fast"}})"),
            "q.json: target 'forward' is of type string; a number is wanted");
  EXPECT_EQ(error(R"({"maximise": 3})"),
            "q.json: 'maximise' holds a value of type number; a text or a list of texts is wanted");
  EXPECT_TRUE(Says(error(R"({"require": [["a >= 3"]]})"), "type array"));
  EXPECT_TRUE(
      Says(error(R"({"require": "a"})"), "q.json: requirement 'a': column 2: expected a relation"));
  EXPECT_TRUE(Says(error(R"({"target": "a = 3", "require": "a < 2"})"), "q.json: target 'a = 3'"));
  EXPECT_TRUE(Says(error("[]"), "q.json: a query is an object"));
}

TEST(QueryFile, FilesAreReadByTheirEnding) {
  const test::ScratchFolder folder;
  const Query query =
      Query().AddTarget("forward", 6000).AtLeast("energy", -3000).Maximise("forward/energy");
  EXPECT_EQ(ReadQuery(folder.Write("q.toml",
                                   "target = {forward = 6000}\nrequire = [\"energy >= -3000\"]\n"
                                   "maximise = \"forward/energy\"\n")),
            query);
  EXPECT_EQ(ReadQuery(folder.Write("q.json", ToJson(query).dump())), query);
  EXPECT_EQ(ReadQuery(folder.Write("q2.toml", "[target]\nheight = 0.5\nforward = 2\n")).targets,
            (std::vector<Target>{{"forward", 2, 0}, {"height", 0.5, 0}}));
}

TEST(QueryFile, BadFilesAreErrorsWithThePlace) {
  const test::ScratchFolder folder;
  const auto error = [&](const std::string& name, const std::string& text) {
    return test::ErrorOf([&] { ReadQuery(folder.Write(name, text)); });
  };
  EXPECT_TRUE(Says(error("a.toml", "maximise = 'a'\nrequire = 'b'\n"),
                   "a.toml:2: requirement 'b': column 2: expected a relation"));
  EXPECT_TRUE(Says(error("a.toml", "\n\ntargets = 'b'\n"),
                   "a.toml:3: unknown key 'targets'; did you mean 'target'?"));
  EXPECT_TRUE(Says(error("a.toml", "target = {a = nan}\n"), "a.toml:1: the target of 'a' is nan"));
  EXPECT_TRUE(Says(error("a.toml", "require = [1979-05-27, true]\n"), "'1979-05-27': column 11"));
  EXPECT_TRUE(Says(error("a.toml", "require = [true]\n"), "type boolean"));
  EXPECT_TRUE(Says(error("a.toml", "x = [\n"), "not valid TOML"));
  EXPECT_TRUE(
      Says(error("a.toml", "target = 'a = 1'\nmaximise = 'a'\n"), "a.toml: a quantity has"));
  EXPECT_TRUE(
      Says(error("a.json", "{\n\"require\": nan}"), "a.json: not valid JSON at byte 15 of 17"));
  EXPECT_TRUE(Says(error("a.json", "{\"target\": {\"a\": 1e999}}"), "too large"));
  EXPECT_TRUE(Says(error("a.json", ""), "a.json: not valid JSON"));
  EXPECT_TRUE(Says(error("a.yaml", ""), ".toml or .json"));
  EXPECT_NE(error("a.json", std::string((1 << 20) + 1, ' ')), "");
  EXPECT_NE(test::ErrorOf([&] { ReadQuery(folder.path() / "none.json"); }), "");
  // The deepest nesting that the size limit allows.
  const std::string deep = "{\"require\": " + std::string(500000, '[') + std::string(500000, ']');
  EXPECT_TRUE(
      Says(error("a.json", deep + "}"), "a.json: lists and objects nest deeper than 64 levels"));
  std::string dotted;
  for (int i = 0; i < 100'000; ++i) dotted += "a.";
  EXPECT_TRUE(
      Says(error("a.toml", dotted + "a = 1"), "a.toml:1: keys of more than 16 parts are not read"));
}

// Any text is an Error, or a query that is written and read back unchanged.
RC_GTEST_PROP(Query, AnyTextIsAnErrorOrAQuery, ()) {
  const auto pieces =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "a", "b",  "1",        "2",  "-3", ".5e3", "<=",  ">=",  "=",     "<",
          ">", "+-", "\xc2\xb1", "in", "[",  "]",    ",",   "+",   "-",     "*",
          "/", "(",  ")",        "%",  " ",  " ",    "nan", "inf", "1e999", "!"}));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  for (Query& (Query::*add)(std::string_view) :
       {static_cast<Query& (Query::*)(std::string_view)>(&Query::AddTarget), &Query::AddRequirement,
        &Query::AddChange}) {
    Query query;
    if (!test::ErrorOf([&] { (query.*add)(text); }).empty()) continue;
    RC_ASSERT(test::ErrorOf([&] { CheckConsistent(query); }).empty());
    RC_ASSERT(!Describe(query).empty());
    RC_ASSERT(QueryFromJson(ToJson(query), "here") == query);
  }
}

}  // namespace
}  // namespace rhumb::steer
