#include "rhumb/core/nesting.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/error_expectation.h"

namespace rhumb::core {
namespace {

std::string Repeat(std::string_view text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

std::string JsonError(const std::string& text) {
  return test::ErrorOf([&] { CheckJsonNesting(text, "a.json"); });
}

std::string TomlError(const std::string& text) {
  return test::ErrorOf([&] { CheckTomlNesting(text, "a.toml"); });
}

TEST(Nesting, JsonNestsToTheLimit) {
  EXPECT_EQ(JsonError(Repeat("[", kMaxNesting) + Repeat("]", kMaxNesting)), "");
  EXPECT_EQ(JsonError("\n" + Repeat("[", kMaxNesting + 1)),
            "a.json: line 2 nests more than 64 levels deep");
  EXPECT_NE(JsonError(Repeat("{\"a\": ", 200'000)), "");
  // Side by side is not deep, nor are brackets inside a string.
  EXPECT_EQ(JsonError("[" + Repeat("{\"a\": []},", 1000) + "0]"), "");
  EXPECT_EQ(JsonError("[\"\\\"" + Repeat("[", 1000) + "\"]"), "");
  EXPECT_NE(JsonError("[\"\\\\\"" + Repeat("[", 1000) + "\"]"), "");
}

TEST(Nesting, TomlNestsToTheLimit) {
  EXPECT_EQ(TomlError(Repeat("a.", kMaxNesting) + "a = 1"), "");
  EXPECT_EQ(TomlError("b = 1\n" + Repeat("a.", kMaxNesting + 1) + "a = 1"),
            "a.toml: line 2 nests more than 64 levels deep");
  EXPECT_NE(TomlError(Repeat("a . ", 100'000) + "a = 1"), "");
  EXPECT_NE(TomlError(Repeat("\"a\".", 100'000) + "a = 1"), "");
  EXPECT_NE(TomlError("[" + Repeat("a.", 100'000) + "a]"), "");
  EXPECT_NE(TomlError("a = " + Repeat("[\n", 100'000)), "");
  EXPECT_NE(TomlError("a = " + Repeat("{a.a = ", 40)), "");
  EXPECT_EQ(TomlError("a = " + Repeat("{a = ", 40)), "");
  EXPECT_EQ(TomlError("a = [" + Repeat("1.5,\n", 1000) + "]\n" + Repeat("[a.b]\n", 1000)), "");
}

TEST(Nesting, TomlStringsAndCommentsAreNotRead) {
  const std::string deep = Repeat("[.", 1000);
  for (const std::string& text :
       {"a = \"\\\"" + deep + "\"", "a = '" + deep + "\\'", "# " + deep + "\n", "#" + deep,
        "a = \"\"\"\n\"" + deep + "\"\"\"", "a = '''\n'" + deep + "'''"}) {
    EXPECT_EQ(TomlError(text + "\nb = 1"), "") << text.substr(0, 20);
    EXPECT_NE(TomlError(text + "\nb = " + deep), "") << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace rhumb::core
