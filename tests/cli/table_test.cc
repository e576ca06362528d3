#include "rhumb/cli/table.h"

#include <gtest/gtest.h>

namespace rhumb::cli {
namespace {

TEST(FormatTable, AlignsNumbersToTheRightAndWordsToTheLeft) {
  EXPECT_EQ(FormatTable({{"name", "value"}, {"a", "1.5"}, {"longer", "-20"}}),
            "name    value\n"
            "a         1.5\n"
            "longer    -20\n");
}

TEST(FormatTable, CountsCharactersNotBytes) {
  EXPECT_EQ(FormatTable({{"\u00b5s", "x"}, {"abc", "y"}}), "\u00b5s   x\nabc  y\n");
}

TEST(FormatTable, ACellStaysInItsLine) {
  EXPECT_EQ(FormatTable({{"a\nrhumb: error: fake", "\x1b[2J"}}), "a rhumb: error: fake   [2J\n");
}

TEST(FormatTable, TakesRowsOfDifferentLengths) {
  EXPECT_EQ(FormatTable({{"a"}, {"b", "c"}, {}}), "a\nb  c\n\n");
}

}  // namespace
}  // namespace rhumb::cli
