#include "rhumb/core/files/toml_file.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

using test::ErrorOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string Repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TomlFile, ReadsATable) {
  const test::ScratchFolder scratch;
  const toml::table table = ReadToml(scratch.Write("a.toml", "[a.b]\nc = 2\n"), 100);
  EXPECT_EQ(table["a"]["b"]["c"].value<int>(), 2);
}

TEST(TomlFile, WhatIsNotTomlIsSaidWithItsPlace) {
  const test::ScratchFolder scratch;
  EXPECT_THAT(ErrorOf([&] { ParseToml("a = 1\nb = = 2", "a.toml"); }),
              StartsWith("a.toml:2:5: not valid TOML: "));
  EXPECT_THAT(ErrorOf([&] { ReadToml(scratch.Write("b.toml", "a = 12345"), 8); }),
              HasSubstr("b.toml: 9 bytes, at most 8"));
  EXPECT_THAT(ErrorOf([&] { ReadToml(scratch.path() / "none.toml", 8); }), HasSubstr("none.toml"));
}

TEST(TomlFile, KeysHaveAtMostSixteenParts) {
  const std::string longest = Repeat("a.", 15) + "a";
  EXPECT_EQ(ParseToml(longest + " = 1", "f").size(), 1u);
  EXPECT_EQ(ErrorOf([&] { ParseToml("x = 1\n" + longest + ".a = 1", "f"); }),
            "f:2: keys of more than 16 parts are not read");
  // In every spelling and position of a key.
  const std::string deep = Repeat("a.", 100000) + "a";
  for (const std::string& text :
       {deep + " = 1", "[" + deep + "]", "[[" + deep + "]]", "x = {" + deep + " = 1}",
        Repeat("\"=\" . '#' .", 50000) + "a = 1", "s = ''''\n'''\n" + deep + " = 1",
        "s = \"\\\"\"\n" + deep + " = 1", "x = {s = \"\"\"a\"\"\"\", " + deep + " = 1}"}) {
    EXPECT_THAT(ErrorOf([&] { ParseToml(text, "f"); }), HasSubstr("more than 16 parts"))
        << text.substr(0, 20);
  }
}

TEST(TomlFile, DotsOutsideKeysDoNotCount) {
  const std::string numbers = Repeat("0.5, ", 40);
  const std::string sentence = Repeat("a. ", 40);
  EXPECT_EQ(ParseToml("a = [" + numbers + "]\nb = \"" + sentence + "\"\nc = '''\n" + sentence +
                          "'''\n# " + sentence,
                      "f")
                .size(),
            3u);
}

}  // namespace
}  // namespace rhumb::core
