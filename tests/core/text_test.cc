#include "rhumb/core/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace rhumb::core {
namespace {

const std::vector<std::string> kWords = {"energy", "forward", "x_velocity"};

TEST(NearestWord, ForgivesASlip) {
  EXPECT_EQ(NearestWord("energy", kWords), "energy");
  EXPECT_EQ(NearestWord("enrgy", kWords), "energy");           // one left out
  EXPECT_EQ(NearestWord("foreward", kWords), "forward");       // one too many
  EXPECT_EQ(NearestWord("x-velocity", kWords), "x_velocity");  // one wrong
  EXPECT_EQ(NearestWord("enegry", kWords), "energy");          // two swapped
}

TEST(NearestWord, ASwapIsOneEditNotTwo) {
  const std::vector<std::string> words = {"abc"};
  EXPECT_EQ(NearestWord("bac", words), "abc");  // three letters allow one edit
  EXPECT_EQ(NearestWord("bca", words), "");
}

TEST(NearestWord, SuggestsNothingFarFetched) {
  EXPECT_EQ(NearestWord("height", kWords), "");
  EXPECT_EQ(NearestWord("", kWords), "");
  EXPECT_EQ(NearestWord("energy", {}), "");
}

TEST(Suggestion, NamesTheNearestElseAll) {
  EXPECT_EQ(Suggestion("enery", kWords), "; did you mean 'energy'?");
  EXPECT_EQ(Suggestion("height", kWords), "; known: energy, forward, x_velocity");
  EXPECT_EQ(Suggestion("height", {}), "");
}

TEST(OneLine, JoinsLinesAndDropsControlCharacters) {
  EXPECT_EQ(OneLine("XML Error: bad\nElement 'mesh', line 3\n\n"),
            "XML Error: bad Element 'mesh', line 3");
  EXPECT_EQ(OneLine("\x1b]0;title\x07  a\t\x7f b"), "]0;title a b");
  EXPECT_EQ(OneLine(" \n"), "");
}

TEST(OneLine, CutsALongTextBetweenCharacters) {
  const std::string longest(400, 'a');
  EXPECT_EQ(OneLine(longest), longest);
  EXPECT_EQ(OneLine(longest + "a"), fmt::format("{} ...", longest));
  EXPECT_EQ(OneLine(fmt::format("{}\u00fc!", longest.substr(1))),
            fmt::format("{} ...", longest.substr(1)));
}

RC_GTEST_PROP(NearestWord, FindsAWordWithOneLetterDropped, (const std::string& word)) {
  RC_PRE(word.size() > 3);
  const std::size_t dropped = *rc::gen::inRange<std::size_t>(0, word.size());
  std::string slip = word;
  slip.erase(dropped, 1);
  const std::vector<std::string> known = {"", word};
  RC_ASSERT(NearestWord(slip, known) == word);
}

}  // namespace
}  // namespace rhumb::core
