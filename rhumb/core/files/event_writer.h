// TensorBoard's event files: scalars over steps.
//
// A file is a sequence of records {length, CRC of the length, protobuf Event, CRC of the Event}
// (TFRecord); CRCs are masked CRC-32C.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace rhumb::core {

// Appends to its own file in `folder`. Not thread-safe.
class EventWriter {
 public:
  explicit EventWriter(const std::filesystem::path& folder);

  void AddScalar(std::string_view tag, std::int64_t step, float value);
  void Flush();

 private:
  void WriteRecord(std::string_view event);

  std::string path_;
  std::ofstream file_;
};

// CRC-32C (Castagnoli), for the records above.
std::uint32_t Crc32c(std::string_view bytes);

}  // namespace rhumb::core
