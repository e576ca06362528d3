#include "rhumb/core/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/support/error_expectation.h"

namespace rhumb::core {
namespace {

const std::vector<std::string> kWords = {"energy", "forward", "x_velocity"};

TEST(NearestWord, ForgivesASlip) {
  EXPECT_EQ(NearestWord("energy", kWords), "energy");
  EXPECT_EQ(NearestWord("enrgy", kWords), "energy");           // one letter missing
  EXPECT_EQ(NearestWord("foreward", kWords), "forward");       // one letter too many
  EXPECT_EQ(NearestWord("x-velocity", kWords), "x_velocity");  // one letter wrong
  EXPECT_EQ(NearestWord("enegry", kWords), "energy");          // two letters swapped
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

TEST(FindNamed, GivesTheIndexOrSuggestsAName) {
  struct Item {
    const char* name;
  };
  const Item items[] = {{"forward"}, {"energy"}};
  EXPECT_EQ(NamesOf(items), (std::vector<std::string>{"forward", "energy"}));
  EXPECT_EQ(FindNamed(items, "energy", "unknown"), 1u);
  EXPECT_EQ(test::ErrorOf([&] { FindNamed(items, "energi", "unknown 'energi'"); }),
            "unknown 'energi'; did you mean 'energy'?");
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
  EXPECT_EQ(OneLine(longest + "a"), fmt::format("{}...", longest.substr(3)));
  EXPECT_EQ(OneLine(fmt::format("{}\u00fcbcd", longest.substr(4))),
            fmt::format("{}...", longest.substr(4)));
}

TEST(Printable, BlanksControlCharactersAndKeepsTheRest) {
  EXPECT_EQ(Printable("a\nb\tc"), "a b c");
  EXPECT_EQ(Printable("\x1b]0;title\x07\x7f"), " ]0;title  ");
  EXPECT_EQ(Printable(std::string_view("\0a", 2)), " a");
  EXPECT_EQ(Printable("1 \u00b5s, \u00e9, \u0394"), "1 \u00b5s, \u00e9, \u0394");
  // U+009B begins an escape sequence on some terminals.
  EXPECT_EQ(Printable("a\u009b2J\u0080"), "a 2J ");
}

TEST(Shorten, CutsBetweenCharacters) {
  EXPECT_EQ(Shorten("forward", 7), "forward");
  EXPECT_EQ(Shorten("forwards", 7), "forw...");
  EXPECT_EQ(Shorten("abc\u00fcdefg", 7), "abc...");
  EXPECT_EQ(Shorten("abcd", 2), "...");
}

TEST(ShortenMiddle, KeepsBeginningAndEnd) {
  EXPECT_EQ(ShortenMiddle("abcdefghi", 9), "abcdefghi");
  EXPECT_EQ(ShortenMiddle("abcdefghij", 9), "abc...hij");
  EXPECT_EQ(ShortenMiddle("äöüäöüä", 9), "äö...ä");  // two bytes each
  const std::string message =
      ShortenMiddle("run.json: " + std::string(100'000, 'x') + " is bad", 60);
  EXPECT_EQ(message.size(), 60u);
  EXPECT_TRUE(message.starts_with("run.json: x") && message.ends_with("x is bad")) << message;
}

TEST(MessageLine, IsOneLineOfBoundedLength) {
  EXPECT_EQ(MessageLine("rhumb: error: ", " a\nb\n"), "rhumb: error: a b");
  const std::string longest(kMaxMessageBytes - 7, 'a');
  EXPECT_EQ(MessageLine("rhumb: ", longest), "rhumb: " + longest);
  EXPECT_EQ(MessageLine("rhumb: ", longest + "a").size(), kMaxMessageBytes);
}

TEST(IsName, TakesAsciiWordsThatBeginWithNoDigit) {
  for (const char* name : {"x", "_", "x_velocity", "Torso2"}) EXPECT_TRUE(IsName(name)) << name;
  for (const char* text : {"", "2x", "a b", "a-b", "a.b", "\u00e9", "a\n", " a"}) {
    EXPECT_FALSE(IsName(text)) << text;
  }
}

TEST(Trim, DropsBlanksAroundAndKeepsThoseInside) {
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trim("a"), "a");
  EXPECT_EQ(Trim(" \n"), "");
  EXPECT_EQ(Trim(""), "");
}

RC_GTEST_PROP(NearestWord, FindsAWordWithOneLetterDropped, (const std::string& word)) {
  RC_PRE(word.size() > 3);
  const std::size_t dropped = *rc::gen::inRange<std::size_t>(0, word.size());
  std::string slip = word;
  slip.erase(dropped, 1);
  const std::vector<std::string> known = {"", word};
  RC_ASSERT(NearestWord(slip, known) == word);
}

TEST(HasWord, FindsWholeNames) {
  EXPECT_TRUE(HasWord("bring forward to 5", "forward"));
  EXPECT_TRUE(HasWord("forward", "forward"));
  EXPECT_TRUE(HasWord("forward2 and forward/energy", "forward"));
  EXPECT_FALSE(HasWord("forwards", "forward"));
  EXPECT_FALSE(HasWord("my_forward", "forward"));
  EXPECT_FALSE(HasWord("", "forward"));
}

}  // namespace
}  // namespace rhumb::core
