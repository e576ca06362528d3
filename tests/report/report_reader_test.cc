#include "rhumb/report/report_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace rhumb::report {
namespace {

using nlohmann::json;

TEST(ReportReader, TheMeasureIsTheFolderOrTheFile) {
  EXPECT_EQ(MeasureOf("measures/hole/mean.json"), "hole");
  EXPECT_EQ(MeasureOf("measures/control-functional.json"), "control-functional");
  EXPECT_EQ(MeasureOf("models/ours"), "");
  EXPECT_EQ(MeasureOf("measures"), "");
  EXPECT_EQ(MeasureOf(""), "");
}

TEST(ReportReader, ResultsAreThoseOfTheMeasureInOrder) {
  const json report = {{"stages",
                        {{{"output", "measures/probe/b.json"}, {"result", 1}},
                         {{"output", "measures/context/a.json"}, {"result", 2}},
                         {{"output", "measures/probe/a.json"}, {"result", 3}}}}};
  EXPECT_EQ(ResultsOf(report, "probe"), (std::vector<json>{1, 3}));
  EXPECT_EQ(ResultAt(report, "measures/context/a.json"), 2);
  EXPECT_TRUE(ResultAt(report, "measures/probe/c.json").is_null());
}

TEST(ReportReader, ANumberThatIsNotThereIsADash) {
  const json document = {{"a", {{"share", 0.125}, {"none", nullptr}}}, {"text", "t"}};
  EXPECT_EQ(Number(document, "/a/share", 2), "0.12");
  EXPECT_EQ(Number(document, "/a/share", 1, 100), "12.5");
  EXPECT_EQ(Number(document, "/a/none", 1), kNoNumber);
  EXPECT_EQ(Number(document, "/b/share", 1), kNoNumber);
  EXPECT_TRUE(std::isnan(NumberAt(document, "/text")));
  EXPECT_EQ(Text(document, "text"), "t");
  EXPECT_EQ(Text(document, "a"), kNoNumber);
}

TEST(ReportReader, MethodsOfASynthesis) {
  const json document = {{"method", "default"},
                         {"beside", json::array({{{"method", "lookup"}, {"S", 3}}})}};
  EXPECT_EQ(MethodsOf(document).size(), 2u);
  EXPECT_EQ(MethodOf(document, "lookup")["S"], 3);
  EXPECT_TRUE(MethodOf(document, "naive").is_null());
  EXPECT_TRUE(MethodOf(nullptr, "naive").is_null());
  EXPECT_EQ(ModelOf({{"model", "models/ours.grounded"}}), "ours.grounded");
  EXPECT_EQ(TitleOf("ours.grounded"), "ours");
  EXPECT_EQ(TitleOf("mine"), "mine");
}

}  // namespace
}  // namespace rhumb::report
