#include "rhumb/steer/query/query_parser.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::HasSubstr;

std::string TargetError(const std::string& text) {
  return test::ErrorOf([&] { ParseTarget(text); });
}
std::string RequirementError(const std::string& text) {
  return test::ErrorOf([&] { ParseRequirement(text); });
}
std::string ChangeError(const std::string& text) {
  return test::ErrorOf([&] { ParseChange(text); });
}
TEST(QueryParser, ReadsTargets) {
  EXPECT_EQ(ParseTarget("forward=6000"), (Target{"forward", 6000, 0}));
  EXPECT_EQ(ParseTarget(" 2*forward + energy == -6e3 "), (Target{"2*forward + energy", -6000, 0}));
  EXPECT_EQ(ParseTarget("forward = +6000 +- 50"), (Target{"forward", 6000, 50}));
  EXPECT_EQ(ParseTarget("forward=-6000\xc2\xb1.5"), (Target{"forward", -6000, 0.5}));
}

TEST(QueryParser, ReadsRequirements) {
  const double inf = kUnbounded;
  EXPECT_EQ(ParseRequirement("energy>=-3000"), (Requirement{"energy", -3000, inf}));
  EXPECT_EQ(ParseRequirement("energy > -3000"), (Requirement{"energy", -3000, inf}));
  EXPECT_EQ(ParseRequirement("energy<=-500"), (Requirement{"energy", -inf, -500}));
  EXPECT_EQ(ParseRequirement("-3000 < energy"), (Requirement{"energy", -3000, inf}));
  EXPECT_EQ(ParseRequirement("-500 >= energy"), (Requirement{"energy", -inf, -500}));
  EXPECT_EQ(ParseRequirement("-3000 <= energy <= -500"), (Requirement{"energy", -3000, -500}));
  EXPECT_EQ(ParseRequirement("-500 > energy >= -3000"), (Requirement{"energy", -3000, -500}));
  EXPECT_EQ(ParseRequirement("energy in [-3000, -500]"), (Requirement{"energy", -3000, -500}));
  EXPECT_EQ(ParseRequirement("(a - b)in[1,2]"), (Requirement{"(a - b)", 1, 2}));
  EXPECT_EQ(ParseRequirement("energy = -100 +- 10"), (Requirement{"energy", -110, -90}));
  EXPECT_EQ(ParseRequirement("energy == -100 \xc2\xb1 10"), (Requirement{"energy", -110, -90}));
  EXPECT_EQ(ParseRequirement("forward/energy >= 2"), (Requirement{"forward/energy", 2, inf}));
  EXPECT_EQ(ParseRequirement("forward >= 2*energy"),
            (Requirement{"(forward) - (2*energy)", 0, inf}));
  EXPECT_EQ(ParseRequirement("forward < energy"), (Requirement{"(forward) - (energy)", -inf, 0}));
}

TEST(QueryParser, ReadsChanges) {
  EXPECT_EQ(ParseChange("energy -20%"), (Change{"energy", 0.8, 0}));
  EXPECT_EQ(ParseChange("energy+10 %"), (Change{"energy", 1.1, 0}));
  EXPECT_EQ(ParseChange("height - 0.5"), (Change{"height", 1, -0.5}));
  EXPECT_EQ(ParseChange("height +1e-1"), (Change{"height", 1, 0.1}));
  EXPECT_EQ(ParseChange("height *-0.8 +5"), (Change{"height", -0.8, 5}));
  EXPECT_EQ(ParseChange("height * 2"), (Change{"height", 2, 0}));
}

// Returns "'TEXT': column C: problem", without the expected syntax.
std::string ProblemOf(const std::string& message) { return message.substr(0, message.find(';')); }

TEST(QueryParser, BadTargetsAreErrorsWithTheirColumn) {
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
            "target '3 = 3': column 1: expected a quantity, found the number '3'");
  EXPECT_EQ(problem("2*3 = 3"),
            "target '2*3 = 3': column 1: '2*3' is a constant, it must depend on an objective");
  EXPECT_EQ(problem("a*b = 3"), "target 'a*b = 3': column 2: a product of objectives");
  EXPECT_EQ(problem("forward = 3 +- 0"),
            "target 'forward = 3 +- 0': column 16: the tolerance 0 must be above 0");
  EXPECT_EQ(problem("a = 3 \xc2\xb1 -1"),
            "target 'a = 3 \xc2\xb1 -1': column 9: the tolerance -1 must be above 0");
  for (const char* number : {"nan", "inf", "-inf", "1e999", "3 +- nan", "3 +- inf"}) {
    EXPECT_THAT(TargetError("forward = " + std::string(number)), HasSubstr("not a finite number"))
        << number;
  }
}

TEST(QueryParser, BadRequirementsAreErrorsWithTheirColumn) {
  const auto expect = [](const std::string& text, const std::string& problem) {
    EXPECT_EQ(ProblemOf(RequirementError(text)), "requirement '" + text + "': column " + problem);
  };
  EXPECT_EQ(RequirementError("energy>=-30x0"),
            "requirement 'energy>=-30x0': column 12: expected the end, found 'x0'; expected EXPR "
            ">= NUMBER, EXPR <= NUMBER, NUMBER <= EXPR <= NUMBER, EXPR in [LOW, HIGH], EXPR = "
            "NUMBER +- TOLERANCE or EXPR >= EXPR");
  expect("energy", "7: expected a relation, found the end");
  expect("energy !", "8: expected a relation, found '!'");
  expect("energy = 3", "11: an equality needs a tolerance");
  expect("energy = 3 +- 0", "15: the tolerance 0 must be above 0");
  expect("energy >= 3 +- 1", "13: only '=' takes a tolerance");
  expect("1 <= energy >= 3", "13: the two relations differ in direction");
  expect("1 = energy = 3", "1: expected a quantity, found the number '1'");
  expect("1 < 2 < energy < 3", "5: expected a quantity, found the number '2'");
  expect("1 < energy < 3 < 5", "16: expected the end, found '<'");
  expect("a < energy < 3", "1: expected a number, found 'a'");
  expect("1 <= 2", "6: expected a quantity, found the number '2'");
  expect("energy >=", "10: names no quantity");
  expect("energy =< 3", "9: expected a number, found '<'");
  expect("energy in [1 2]", "14: expected ',', found '2'");
  expect("energy in [1, 2, 3]", "16: expected ']', found ','");
  expect("3 < energy in [1, 2]", "12: expected the end, found 'in'");
  expect("5 in [1, 2]", "1: expected a quantity, found the number '5'");
  expect("a/b >= c", "1: a ratio is compared with an expression");
  expect("a >= b/c", "6: a ratio is compared with an expression");
  expect("a + >= 3", "5: expected a number, an objective or '(', found '>'");
  EXPECT_THAT(RequirementError("a >= a + 3"), HasSubstr("'(a) - (a + 3)' is a constant"));
  for (const char* text : {"energy >= nan", "energy >= inf", "-inf <= energy", "energy in [0, inf]",
                           "energy <= 1e999", "energy = 1e308 +- 1e308"}) {
    EXPECT_THAT(RequirementError(text), HasSubstr("not a finite number")) << text;
  }
}

TEST(QueryParser, BadChangesAreErrorsWithTheirColumn) {
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

TEST(QueryParser, LongTextsAreCutInErrors) {
  const std::string message = RequirementError(std::string(10000, 'x'));
  EXPECT_THAT(message, HasSubstr("'" + std::string(57, 'x') + "...' has 10000 characters"));
  EXPECT_LT(message.size(), 400u);
  // Does not cut inside a two-byte letter, whose first byte is the 57th.
  std::string letters(56, 'x');
  for (int i = 0; i < 100; ++i) letters += "\xc3\xa9";
  EXPECT_THAT(RequirementError(letters), HasSubstr("'" + std::string(56, 'x') + "...'"));
}

}  // namespace
}  // namespace rhumb::steer
