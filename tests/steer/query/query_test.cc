#include "rhumb/steer/query/query.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/steer/query/query_file.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::HasSubstr;

TEST(Query, TermsAreGivenAsTextOrNumbers) {
  EXPECT_EQ(Query().AddTarget(" forward", 6000, 50).targets[0], (Target{"forward", 6000, 50}));
  EXPECT_EQ(Query().AddTarget("forward = 6000 +- 50").targets[0], (Target{"forward", 6000, 50}));
  EXPECT_EQ(Query().AtLeast("a", 1).AtMost("a", 2).requirements,
            (std::vector<Requirement>{{"a", 1, kUnbounded}, {"a", -kUnbounded, 2}}));
}

TEST(Query, BadTermsAreErrors) {
  const auto requirement_error = [](const std::string& text) {
    return test::ErrorOf([&] { Query().AddRequirement(text); });
  };
  EXPECT_THAT(test::ErrorOf([] { Query().AddTarget("a", std::nan("")); }), HasSubstr("finite"));
  EXPECT_THAT(test::ErrorOf([] { Query().AddTarget("a", 1, -1); }), HasSubstr("not below 0"));
  EXPECT_THAT(test::ErrorOf([] { Query().AddTarget(" ", 1); }), HasSubstr("names no quantity"));
  EXPECT_THAT(test::ErrorOf([] { Query().AddTarget("a b", 1); }), HasSubstr("column 3"));
  EXPECT_THAT(requirement_error("energy in [1, 1]"), HasSubstr("leaves a single value"));
  EXPECT_EQ(requirement_error("energy in [5, 3]"),
            "requirement 'energy in [5, 3]' has its low bound, 5, above its high one, 3");
  EXPECT_THAT(requirement_error("5 <= energy <= 3"), HasSubstr("low bound, 5, above"));
  EXPECT_NE(test::ErrorOf([] { Query().AtLeast("a", std::nan("")); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().AtLeast("a", kUnbounded); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().AtLeast("a", -kUnbounded); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().Maximise(""); }), "");
  EXPECT_NE(test::ErrorOf([] { Query().Maximise("a +"); }), "");
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
  EXPECT_THAT(error(Query(query).AddTarget("forward", 5000)), HasSubstr("two goals"));
  EXPECT_THAT(error(Query(query).AddChange("forward +1%")), HasSubstr("two goals"));
  // The target can be met within its tolerance.
  EXPECT_EQ(error(Query().AddTarget("a = 10 +- 2").AtMost("a", 8)), "");
  EXPECT_NE(error(Query().AddTarget("a = 10 +- 2").AtMost("a", 7)), "");

  // Fields filled in by hand are checked too.
  query.requirements.push_back({"energy", -kUnbounded, -4000});
  EXPECT_THAT(error(query), HasSubstr("contradicts"));
  query = {};
  query.changes.push_back({"energy", std::nan(""), 0});
  EXPECT_THAT(error(query), HasSubstr("finite"));
  query = {};
  query.targets.resize(kMaxTerms + 1, {"a", 1, 0});
  EXPECT_THAT(error(query), HasSubstr("more than 256 of the kind 'target'"));
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
