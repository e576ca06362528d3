#include "rhumb/steer/query/query_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::steer {
namespace {

using testing::HasSubstr;

using nlohmann::json;

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
            "q.json: target 'forward' must be a number, not of type string");
  EXPECT_EQ(error(R"({"maximise": 3})"),
            "q.json: 'maximise' must be a text or a list of texts, not of type number");
  EXPECT_THAT(error(R"({"require": [["a >= 3"]]})"), HasSubstr("type array"));
  EXPECT_THAT(error(R"({"require": "a"})"),
              HasSubstr("q.json: requirement 'a': column 2: expected a relation"));
  EXPECT_THAT(error(R"({"target": "a = 3", "require": "a < 2"})"),
              HasSubstr("q.json: target 'a = 3'"));
  EXPECT_THAT(error("[]"), HasSubstr("q.json: a query must be an object"));
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
  EXPECT_THAT(error("a.toml", "maximise = 'a'\nrequire = 'b'\n"),
              HasSubstr("a.toml:2: requirement 'b': column 2: expected a relation"));
  EXPECT_THAT(error("a.toml", "\n\ntargets = 'b'\n"),
              HasSubstr("a.toml:3: unknown key 'targets'; did you mean 'target'?"));
  EXPECT_THAT(error("a.toml", "target = {a = nan}\n"),
              HasSubstr("a.toml:1: the target of 'a' is nan"));
  EXPECT_THAT(error("a.toml", "require = [1979-05-27, true]\n"),
              HasSubstr("'1979-05-27': column 11"));
  EXPECT_THAT(error("a.toml", "require = [true]\n"), HasSubstr("type boolean"));
  EXPECT_THAT(error("a.toml", "x = [\n"), HasSubstr("not valid TOML"));
  EXPECT_THAT(error("a.toml", "target = 'a = 1'\nmaximise = 'a'\n"),
              HasSubstr("a.toml: a quantity has"));
  EXPECT_THAT(error("a.json", "{\n\"require\": nan}"),
              HasSubstr("a.json: not valid JSON at byte 15 of 17"));
  EXPECT_THAT(error("a.json", "{\"target\": {\"a\": 1e999}}"), HasSubstr("too large"));
  EXPECT_THAT(error("a.json", ""), HasSubstr("a.json: not valid JSON"));
  EXPECT_THAT(error("a.yaml", ""), HasSubstr(".toml or .json"));
  EXPECT_NE(error("a.json", std::string((1 << 20) + 1, ' ')), "");
  EXPECT_NE(test::ErrorOf([&] { ReadQuery(folder.path() / "none.json"); }), "");
  // The deepest nesting that the size limit allows.
  const std::string deep = "{\"require\": " + std::string(500000, '[') + std::string(500000, ']');
  EXPECT_THAT(error("a.json", deep + "}"),
              HasSubstr("a.json: lists and objects nest deeper than 64 levels"));
  std::string dotted;
  for (int i = 0; i < 100'000; ++i) dotted += "a.";
  EXPECT_THAT(error("a.toml", dotted + "a = 1"),
              HasSubstr("a.toml:1: keys of more than 16 parts are not read"));
}

}  // namespace
}  // namespace rhumb::steer
