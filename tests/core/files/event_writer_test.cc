#include "rhumb/core/files/event_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

using ::testing::HasSubstr;

// The catalogued check value of CRC-32C, and that of 32 zero bytes (RFC 3720, B.4).
TEST(Crc32c, KnownValues) {
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(""), 0u);
}

template <typename T>
T Take(std::string_view& bytes) {
  T value{};
  EXPECT_GE(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

std::uint64_t TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(Take<char>(bytes));
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

std::string_view TakeText(std::string_view& bytes) {
  const std::size_t size = TakeVarint(bytes);
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

std::uint32_t Unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8u;
  return rotated >> 17 | rotated << 15;
}

// Returns the protobuf messages of a file after checking their checksums.
std::vector<std::string> Records(const std::string& file) {
  std::vector<std::string> records;
  std::string_view rest = file;
  while (!rest.empty()) {
    const std::string_view length_bytes = rest.substr(0, 8);
    const auto length = Take<std::uint64_t>(rest);
    EXPECT_EQ(Unmasked(Take<std::uint32_t>(rest)), Crc32c(length_bytes));
    records.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
    EXPECT_EQ(Unmasked(Take<std::uint32_t>(rest)), Crc32c(records.back()));
  }
  return records;
}

struct Scalar {
  double wall_time;
  std::uint64_t step;
  std::string tag;
  float value;
};

// Event { double wall_time = 1; int64 step = 2; Summary summary = 5 { Value value = 1 {
//   string tag = 1; float simple_value = 2; } } }, in the order of the fields.
Scalar ParseScalar(std::string_view event) {
  Scalar scalar{};
  EXPECT_EQ(TakeVarint(event), 1u << 3 | 1);
  scalar.wall_time = Take<double>(event);
  EXPECT_EQ(TakeVarint(event), 2u << 3 | 0);
  scalar.step = TakeVarint(event);
  EXPECT_EQ(TakeVarint(event), 5u << 3 | 2);
  std::string_view summary = TakeText(event);
  EXPECT_TRUE(event.empty());
  EXPECT_EQ(TakeVarint(summary), 1u << 3 | 2);
  std::string_view value = TakeText(summary);
  EXPECT_TRUE(summary.empty());
  EXPECT_EQ(TakeVarint(value), 1u << 3 | 2);
  scalar.tag = TakeText(value);
  EXPECT_EQ(TakeVarint(value), 2u << 3 | 5);
  scalar.value = Take<float>(value);
  EXPECT_TRUE(value.empty());
  return scalar;
}

TEST(EventWriter, RecordsParseBack) {
  const test::ScratchFolder folder;
  {
    EventWriter events(folder.path() / "deep" / "agent_000");
    events.AddScalar("return/forward", 1, 2.5f);
    events.AddScalar("loss/value", 300, -1e-3f);  // a two-byte step
    events.Flush();
  }
  std::filesystem::path file;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "deep/agent_000")) {
    file = entry.path();
  }
  // TensorBoard finds event files by this part of their names.
  EXPECT_THAT(file.filename().string(), HasSubstr("tfevents"));
  const std::vector<std::string> records = Records(test::Contents(file));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_THAT(records[0], HasSubstr("brain.Event:2"));
  const Scalar first = ParseScalar(records[1]), second = ParseScalar(records[2]);
  EXPECT_EQ(first.tag, "return/forward");
  EXPECT_EQ(first.step, 1u);
  EXPECT_EQ(first.value, 2.5f);
  EXPECT_GT(first.wall_time, 1.7e9);  // seconds since 1970
  EXPECT_EQ(second.tag, "loss/value");
  EXPECT_EQ(second.step, 300u);
  EXPECT_EQ(second.value, -1e-3f);
}

TEST(EventWriter, AFolderThatCannotBeMadeIsAnError) {
  const test::ScratchFolder folder;
  const auto file = folder.Write("taken", "a file");
  EXPECT_THAT(test::ErrorOf([&] { EventWriter events(file / "agent_000"); }), HasSubstr("taken"));
}

}  // namespace
}  // namespace rhumb::core
