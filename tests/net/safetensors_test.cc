#include "rhumb/net/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A file with this header and these bytes, valid or not.
std::string FileOf(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

class SafetensorsTest : public ::testing::Test {
 protected:
  SafetensorsFile Open(const std::string& bytes) const {
    return SafetensorsFile(folder_.Write("x.safetensors", bytes));
  }

  // The Error of reading these bytes and all arrays in them. It must be one line that names the
  // file.
  std::string Complaint(const std::string& bytes) const {
    const std::string words = test::ErrorOf([&] {
      const SafetensorsFile file = Open(bytes);
      for (const std::string& name : file.names()) file.Floats(name);
    });
    if (!words.empty()) {
      EXPECT_THAT(words, AllOf(HasSubstr("x.safetensors"), Not(HasSubstr("\n"))));
    }
    return words;
  }

  test::ScratchFolder folder_;
};

SafetensorsWriter Sample() {
  SafetensorsWriter out;
  out.Add("weight", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, -6.5f});
  out.Add("precise", {1}, std::vector<double>{0.1});
  out.Add("count", {}, std::vector<std::int64_t>{-7});
  out.Add("raw", {2}, std::vector<std::uint8_t>{0, 255});
  out.AddHalf("half", {3}, std::vector<float>{0.5f, -2, 0.1f});
  out.Add("none", {0, 4}, std::vector<float>{});
  out.SetMetadata("activation", "elu");
  return out;
}

// Written by hand: {"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} and the bytes of 1.5.
TEST_F(SafetensorsTest, BytesByHand) {
  SafetensorsWriter out;
  out.Add("a", {1}, std::vector<float>{1.5f});
  std::string header = R"({"a":{"data_offsets":[0,4],"dtype":"F32","shape":[1]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  EXPECT_EQ(out.Bytes(), FileOf(header, std::string("\0\0\xc0\x3f", 4)));
}

TEST_F(SafetensorsTest, RoundTrip) {
  const SafetensorsFile file = Open(Sample().Bytes());
  EXPECT_THAT(file.names(), ElementsAre("count", "half", "none", "precise", "raw", "weight"));
  EXPECT_THAT(file.shape("weight"), ElementsAre(2, 3));
  EXPECT_THAT(file.Floats("weight"), ElementsAre(1, 2, 3, 4, 5, -6.5f));
  EXPECT_THAT(file.Doubles("precise"), ElementsAre(0.1));
  EXPECT_THAT(file.Integers("count"), ElementsAre(-7));
  EXPECT_THAT(file.RawBytes("raw"), ElementsAre(0, 255));
  EXPECT_TRUE(file.Floats("none").empty());
  EXPECT_TRUE(file.shape("count").empty());
  EXPECT_EQ(file.metadata().at("activation"), "elu");
  EXPECT_TRUE(file.Has("half"));
  EXPECT_FALSE(file.Has("quarter"));
  // Half precision keeps 11 bits: 0.1 becomes 1638/16384 = 0.0999755859375.
  EXPECT_THAT(file.Doubles("half"), ElementsAre(0.5, -2, 0.0999755859375));
}

TEST_F(SafetensorsTest, SameContentsGiveTheSameBytes) {
  EXPECT_EQ(Sample().Bytes(), Sample().Bytes());
}

TEST_F(SafetensorsTest, WrongNamesAndTypes) {
  const SafetensorsFile file = Open(Sample().Bytes());
  EXPECT_THAT(test::ErrorOf([&] { file.Floats("wieght"); }),
              AllOf(HasSubstr("wieght"), HasSubstr("'weight'")));
  EXPECT_THAT(test::ErrorOf([&] { file.Floats("raw"); }), AllOf(HasSubstr("raw"), HasSubstr("U8")));
  EXPECT_THAT(test::ErrorOf([&] { file.Integers("weight"); }), HasSubstr("F32"));
  EXPECT_THAT(test::ErrorOf([&] { file.RawBytes("count"); }), HasSubstr("I64"));
}

// No proper prefix of a file is a valid file.
TEST_F(SafetensorsTest, EveryTruncationIsAnError) {
  const std::string whole = Sample().Bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(Complaint(whole.substr(0, length)), HasSubstr("x.safetensors")) << length;
  }
}

TEST_F(SafetensorsTest, ExtraBytesAreAnError) {
  EXPECT_THAT(Complaint(Sample().Bytes() + "x"), HasSubstr("1 bytes follow"));
}

// A flipped bit in the header gives an Error or another valid file. It never causes a crash, a huge
// allocation or a read past the end; the sanitizer builds detect those.
TEST_F(SafetensorsTest, EveryFlippedBitOfTheHeaderIsSurvived) {
  SafetensorsWriter out;
  out.Add("a", {2, 2}, std::vector<float>{1, 2, 3, 4});
  const std::string whole = out.Bytes();
  const std::size_t data_bytes = 16;
  int errors = 0;
  for (std::size_t i = 0; i < whole.size() - data_bytes; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      errors += Complaint(damaged).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(errors, 200);
}

TEST_F(SafetensorsTest, HeadersThatLie) {
  const std::string data(16, '\0');
  const auto of = [&](const std::string& header) { return Complaint(FileOf(header, data)); };
  const auto array = [&](const std::string& type, const std::string& shape,
                         const std::string& offsets) {
    return of(R"({"a":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" +
              offsets + "}}");
  };
  EXPECT_EQ(array("F32", "[4]", "[0,16]"), "");
  EXPECT_THAT(array("F32", "[3]", "[0,16]"), HasSubstr("does not fit"));
  EXPECT_THAT(array("F32", "[4]", "[0,12]"), HasSubstr("does not fit"));
  EXPECT_THAT(array("F32", "[4]", "[16,0]"), HasSubstr("does not fit"));
  EXPECT_THAT(array("F32", "[4]", "[4,20]"), HasSubstr("does not fit"));
  EXPECT_THAT(array("F32", "[4]", "[-16,0]"), HasSubstr("does not fit"));
  EXPECT_THAT(array("F32", "[4]", "[18446744073709551612,12]"), HasSubstr("does not fit"));
  EXPECT_THAT(array("F32", "[-4]", "[0,16]"), HasSubstr("negative"));
  EXPECT_THAT(array("BF16", "[8]", "[0,16]"), HasSubstr("BF16"));
  EXPECT_THAT(array("F32", "4", "[0,16]"), HasSubstr("damaged"));
  EXPECT_THAT(array("F32", "[19223372036854775808]", "[0,16]"), HasSubstr("a whole number"));
  EXPECT_THAT(array("F32", "[4.5]", "[0,16]"), HasSubstr("a whole number"));
  EXPECT_THAT(array("F32", "[4]", "[0,1e30]"), HasSubstr("a whole number"));
  EXPECT_THAT(array("F32", "[4]", "[0]"), HasSubstr("damaged"));
  EXPECT_THAT(array("F32", "[4]", "null"), HasSubstr("damaged"));
  EXPECT_THAT(of(R"({"a":{"dtype":"F32"}})"), HasSubstr("damaged"));
  EXPECT_THAT(of(R"({"a":7})"), HasSubstr("damaged"));
  EXPECT_THAT(of(R"(["a"])"), HasSubstr("damaged"));
  EXPECT_THAT(of("null"), HasSubstr("16 bytes follow"));
  EXPECT_THAT(of(R"({"__metadata__":{"a":1}})"), HasSubstr("damaged"));
  EXPECT_THAT(of("{"), HasSubstr("damaged: not valid JSON"));
  EXPECT_THAT(of("{\"a\":" + std::string(200'000, '[')), HasSubstr("damaged: lists and objects"));
  const std::string once = R"("a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]})";
  EXPECT_EQ(of("{" + once + "}"), "");
  EXPECT_THAT(of("{" + once + "," + once + "}"), HasSubstr("header has 'a' twice"));
  EXPECT_THAT(of("\xff\xfe"), HasSubstr("damaged"));
  EXPECT_THAT(of(std::string(100000, '[')), HasSubstr("damaged"));
}

// Every byte belongs to exactly one array.
TEST_F(SafetensorsTest, ArraysFollowEachOther) {
  const auto two = [&](const std::string& a, const std::string& b) {
    return Complaint(FileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)" + a +
                                R"(},"b":{"dtype":"F32","shape":[2],"data_offsets":)" + b + "}}",
                            std::string(16, '\0')));
  };
  EXPECT_EQ(two("[0,8]", "[8,16]"), "");
  EXPECT_EQ(two("[8,16]", "[0,8]"), "");
  EXPECT_THAT(two("[0,8]", "[0,8]"), HasSubstr("begins at byte 0"));
  EXPECT_THAT(two("[0,8]", "[4,12]"), HasSubstr("begins at byte 4"));
  EXPECT_THAT(two("[4,12]", "[8,16]"), HasSubstr("begins at byte 4"));
  EXPECT_THAT(Complaint(FileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                               std::string(16, '\0'))),
              HasSubstr("begins at byte 8"));
}

TEST_F(SafetensorsTest, WantedShapes) {
  const SafetensorsFile file = Open(Sample().Bytes());
  EXPECT_THAT(file.Floats("half", {3}), ElementsAre(0.5f, -2, 0.0999755859375f));
  EXPECT_THAT(test::ErrorOf([&] {
                file.Floats("weight", {3, 2});
              }),
              AllOf(HasSubstr("'weight'"), HasSubstr("[2, 3]"), HasSubstr("[3, 2]")));
  EXPECT_THAT(file.PositiveFloats("precise", {1}), ElementsAre(0.1f));
  EXPECT_THAT(test::ErrorOf([&] { file.PositiveFloats("half", {3}); }),
              AllOf(HasSubstr("element 1"), HasSubstr("'half'"), HasSubstr("-2")));
}

// Sizes whose product overflows to the right number of bytes must be refused.
TEST_F(SafetensorsTest, ShapesThatOverflow) {
  const auto shape = [&](const std::string& sizes) {
    return Complaint(
        FileOf(R"({"a":{"dtype":"F32","shape":)" + sizes + R"(,"data_offsets":[0,16]}})",
               std::string(16, '\0')));
  };
  EXPECT_THAT(shape("[4611686018427387908]"), HasSubstr("larger than the file"));  // 2^62 + 4
  EXPECT_THAT(shape("[4294967296,4294967296,4]"), HasSubstr("larger than the file"));
  EXPECT_THAT(shape("[9223372036854775807,2]"), HasSubstr("larger than the file"));
  EXPECT_THAT(shape("[18446744073709551615]"), HasSubstr("negative"));
  EXPECT_THAT(shape("[0,9223372036854775807]"), HasSubstr("does not fit"));
}

// The first eight bytes may hold any length.
TEST_F(SafetensorsTest, HeaderLengthsThatLie) {
  std::string bytes = Sample().Bytes();
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40,
                                     std::numeric_limits<std::uint64_t>::max()}) {
    std::memcpy(bytes.data(), &length, 8);
    EXPECT_NE(Complaint(bytes), "") << length;
  }
}

TEST_F(SafetensorsTest, NonFiniteNumbersAreErrors) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, inf, -inf}) {
    SafetensorsWriter out;
    out.Add("weight", {3}, std::vector<float>{1, bad, 2});
    EXPECT_THAT(Complaint(out.Bytes()), AllOf(HasSubstr("element 1"), HasSubstr("'weight'")));
  }
  // A double that is finite but overflows as a float.
  SafetensorsWriter out;
  out.Add("weight", {1}, std::vector<double>{1e300});
  EXPECT_THAT(Complaint(out.Bytes()), HasSubstr("not a finite number"));
  EXPECT_THAT(Open(out.Bytes()).Doubles("weight"), ElementsAre(1e300));
}

TEST_F(SafetensorsTest, MissingAndTooLargeFiles) {
  EXPECT_THAT(test::ErrorOf([&] { SafetensorsFile(folder_.path() / "gone.safetensors"); }),
              HasSubstr("gone.safetensors"));
  const auto path = folder_.Write("x.safetensors", Sample().Bytes());
  EXPECT_THAT(test::ErrorOf([&] { SafetensorsFile(path, 10); }), HasSubstr("at most 10"));
}

}  // namespace
}  // namespace rhumb::net
