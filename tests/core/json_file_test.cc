#include "rhumb/core/json_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

using nlohmann::json;
using test::ErrorOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

TEST(JsonFile, ReadsWhatIsThere) {
  const test::ScratchFolder scratch;
  const json document = ReadJson(scratch.Write("a.json", R"({"code": [1, 2.5]})"), 100);
  std::vector<float> numbers = {7};
  AppendFloats(document.at("code"), 2, "a.json: code", numbers);
  EXPECT_THAT(numbers, ElementsAre(7, 1, 2.5F));
}

TEST(JsonFile, WhatIsNoJsonIsSaidWithItsPlace) {
  const test::ScratchFolder scratch;
  const auto error_of = [&](const std::string& text) {
    const std::filesystem::path file = scratch.Write("a.json", text);
    return ErrorOf([&] { ReadJson(file, 20); });
  };
  EXPECT_THAT(error_of("[1, "), HasSubstr("a.json: not valid JSON at byte 5 of 4"));
  EXPECT_THAT(error_of("[NaN]"), HasSubstr("not valid JSON at byte 2 of 5"));
  EXPECT_THAT(error_of("[1e999]"), EndsWith("a.json: a number is too large for double precision"));
  EXPECT_THAT(error_of("[1, 2, 3, 4, 5, 6, 7]"), HasSubstr("20"));
  EXPECT_THAT(ErrorOf([&] { ReadJson(scratch.path() / "none.json", 20); }), HasSubstr("none.json"));
}

TEST(JsonFile, ListsThatAreNotNumbersAreSaid) {
  const auto error_of = [](const char* text) {
    std::vector<float> numbers;
    return ErrorOf([&] { AppendFloats(json::parse(text), 2, "f: code", numbers); });
  };
  EXPECT_EQ(error_of("[1, 2]"), "");
  EXPECT_EQ(error_of("3"), "f: code must be a list of 2 numbers");
  EXPECT_EQ(error_of("[1]"), "f: code has 1 numbers; it must have 2");
  EXPECT_EQ(error_of("[1, null]"),
            "f: code[1] is null; it must be a finite number of single precision");
  EXPECT_THAT(error_of("[-1e300, 1]"), HasSubstr("f: code[0] is -1e+300; it must be a finite"));
  EXPECT_THAT(error_of(R"([1, "2"])"), HasSubstr("f: code[1] is a text; it must be a finite"));
}

TEST(JsonFile, InWordsByHand) {
  EXPECT_EQ(InWords(json::parse("-2.5")), "-2.5");
  EXPECT_EQ(InWords(json::parse("true")), "true");
  EXPECT_EQ(InWords(json::parse("null")), "null");
  EXPECT_EQ(InWords(json::parse(R"("low")")), "a text");
  EXPECT_EQ(InWords(json::parse("[1, 2]")), "a list");
  EXPECT_EQ(InWords(json::parse(R"({"a": 1})")), "an object");
}

// A call for each level would need more than a stack.
TEST(JsonFile, ValuesOfAnyDepthAreSaid) {
  constexpr std::size_t kDepth = 1'000'000;
  const test::ScratchFolder scratch;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  const json document = ReadJson(scratch.Write("a.json", "[1, " + deep + "]"), 3 * kDepth);
  std::vector<float> numbers;
  EXPECT_THAT(ErrorOf([&] { AppendFloats(document, 2, "a.json", numbers); }),
              HasSubstr("a.json[1] is a list"));
}

}  // namespace
}  // namespace rhumb::core
