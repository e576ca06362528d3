#include "rhumb/core/files/json_file.h"

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

TEST(JsonFile, NestsSixtyFourLevelsAndNoMore) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(ParseJson(nested(64), "a").dump(), nested(64));
  EXPECT_EQ(ErrorOf([&] { ParseJson(nested(65), "a.json"); }),
            "a.json: lists and objects nest deeper than 64 levels at byte 65 of 130");
  EXPECT_THAT(ErrorOf([&] { ParseJson(std::string(1'000'000, '['), "a"); }), HasSubstr("deeper"));
  // Closed brackets and brackets in strings do not count.
  std::string wide = "[0";
  for (int i = 0; i < 100; ++i) wide += ", [{}]";
  EXPECT_EQ(ParseJson(wide + "]", "a").size(), 101u);
  const std::string text = R"("\"[[{{)" + std::string(100, '[') + '"';
  EXPECT_EQ(ParseJson(text, "a").get<std::string>().size(), 105u);
}

TEST(JsonFile, ControlCharactersAreEscaped) {
  const nlohmann::json text = "\x1b[2J\x7f\u009b2J \u00a0m²";
  EXPECT_EQ(DumpJson(text), "\"\\u001b[2J\\u007f\\u009b2J \u00a0m²\"");
  EXPECT_EQ(ParseJson(DumpJson(text), "here"), text);
  EXPECT_EQ(DumpJson("\xc2"), "\"\ufffd\"");  // cut UTF-8
}

TEST(JsonReader, WholeNumbersFit) {
  int number = 0;
  JsonReader{nlohmann::json{{"a", 3}}}("a", number);
  EXPECT_EQ(number, 3);
  for (const char* value : {"2147483648", "-2147483649", "1e99", "0.5", "18446744073709551615"}) {
    const nlohmann::json document = {{"a", nlohmann::json::parse(value)}};
    EXPECT_THROW(JsonReader{document}("a", number), nlohmann::json::out_of_range) << value;
  }
}

TEST(JsonReader, WholeNumbersInListsFit) {
  std::vector<int> numbers;
  ReadValue(nlohmann::json{1, -2}, "a", numbers);
  EXPECT_EQ(numbers, (std::vector<int>{1, -2}));
  for (const char* value : {"[2147483648]", "[1, 0.5]", "[1e99]", "[1.0]"}) {
    EXPECT_THROW(ReadValue(nlohmann::json::parse(value), "a", numbers),
                 nlohmann::json::out_of_range)
        << value;
  }
  // Fractions stay allowed where they belong.
  std::vector<double> fractions;
  ReadValue(nlohmann::json{1, 0.5}, "a", fractions);
  EXPECT_EQ(fractions[1], 0.5);
  std::uint64_t seed = 0;
  ReadValue(nlohmann::json::parse("18446744073709551615"), "a", seed);
  EXPECT_EQ(seed, 18446744073709551615u);
  EXPECT_THROW(ReadValue(nlohmann::json(-1), "a", seed), nlohmann::json::out_of_range);
}

TEST(JsonFile, LinesHaveTheirPlaces) {
  const test::ScratchFolder scratch;
  const std::filesystem::path file = scratch.Write("a.jsonl", "{}\n \n[1]\r\n");
  const std::vector<JsonLine> lines = ReadJsonLines(file, 100);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].place, file.string() + ":3");
  EXPECT_EQ(lines[1].value, json::parse("[1]"));
  EXPECT_THAT(ErrorOf([&] { ReadJsonLines(scratch.Write("b.jsonl", "{}\n{\n"), 100); }),
              HasSubstr("b.jsonl:2: not valid JSON at byte 2 of 1"));
}

}  // namespace
}  // namespace rhumb::core
