#include "rhumb/steer/query/query_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

TEST(QueryReader, TakesWordByWord) {
  QueryReader reader("requirement", " energy >=-.5 +- 2e1 ", "EXPR >= NUMBER");
  EXPECT_EQ(reader.Offset(), 1u);
  EXPECT_FALSE(reader.IsAtDigits());
  EXPECT_EQ(reader.TakeName(), "energy");
  EXPECT_EQ(reader.TakeName(), "");
  EXPECT_EQ(reader.TakeRelation(), '>');
  const std::size_t number = reader.Offset();
  EXPECT_EQ(reader.TakeNumber(), -0.5);
  EXPECT_TRUE(reader.TakePlusMinus());
  EXPECT_TRUE(reader.IsAtDigits());
  EXPECT_EQ(reader.TakeDigits(), 20);
  EXPECT_EQ(reader.Peek(), '\0');
  reader.ExpectEnd();
  reader.Rewind(number);
  EXPECT_EQ(reader.TakeSign(), '-');
  EXPECT_FALSE(reader.Take("+"));
}

TEST(QueryReader, ErrorsNameThePlaceTheColumnAndTheForm) {
  const auto error = [](const std::string& text, const auto& action) {
    QueryReader reader("target", text, "EXPR = NUMBER");
    return test::ErrorOf([&] { action(reader); });
  };
  EXPECT_EQ(error("  ]", [](QueryReader& reader) { reader.Expect("["); }),
            "target '  ]': column 3: expected '[', found ']'; EXPR = NUMBER");
  EXPECT_EQ(error(" ", [](QueryReader& reader) { reader.TakeNumber(); }),
            "target ' ': column 2: expected a number, found the end; EXPR = NUMBER");
  EXPECT_EQ(error("1e400", [](QueryReader& reader) { reader.TakeDigits(); }),
            "target '1e400': column 1: '1e400' is not a finite number in double precision; "
            "EXPR = NUMBER");
  EXPECT_EQ(error("Infinity", [](QueryReader& reader) { reader.TakeName(); }),
            "target 'Infinity': column 1: 'Infinity' is not a finite number; EXPR = NUMBER");
}

// A letter of two bytes is one column.
TEST(QueryReader, ColumnsCountCharacters) {
  const QueryReader reader("target", "\xc3\xa9 = 3", "");
  EXPECT_EQ(reader.ColumnOf(0), 1u);
  EXPECT_EQ(reader.ColumnOf(3), 3u);
}

}  // namespace
}  // namespace rhumb::steer
