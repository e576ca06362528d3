#include "rhumb/core/files/event_writer.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/protobuf.h"

namespace rhumb::core {
namespace {

double SecondsSinceEpoch() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::uint32_t Masked(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

template <typename T>
void AppendRaw(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

// Event { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; }
ProtobufMessage EventHead() { return ProtobufMessage().AddDouble(1, SecondsSinceEpoch()); }

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> kTable = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ 0x82f63b78u : value >> 1;
      entries[i] = value;
    }
    return entries;
  }();
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : bytes)
    crc = kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xff] ^ crc >> 8;
  return crc ^ 0xffffffffu;
}

EventWriter::EventWriter(const std::filesystem::path& folder) {
  MakeFolder(folder);
  path_ = folder / fmt::format("events.out.tfevents.{}.rhumb.{}",
                               static_cast<std::int64_t>(SecondsSinceEpoch()), ::getpid());
  file_.open(path_, std::ios::binary);
  WriteRecord(EventHead().AddBytes(3, "brain.Event:2").bytes());
}

void EventWriter::AddScalar(std::string_view tag, std::int64_t step, float value) {
  // Summary { repeated Value value = 1; }   Value { string tag = 1; float simple_value = 2; }
  const ProtobufMessage entry = ProtobufMessage().AddBytes(1, tag).AddFloat(2, value);
  const ProtobufMessage summary = ProtobufMessage().Add(1, entry);
  WriteRecord(EventHead().AddInteger(2, step).Add(5, summary).bytes());
}

void EventWriter::WriteRecord(std::string_view event) {
  std::string length;
  AppendRaw(length, static_cast<std::uint64_t>(event.size()));
  std::string record = length;
  AppendRaw(record, Masked(Crc32c(length)));
  record.append(event);
  AppendRaw(record, Masked(Crc32c(event)));
  if (!file_.write(record.data(), static_cast<std::streamsize>(record.size()))) {
    Fail("cannot write {}: {}", path_, std::strerror(errno));
  }
}

void EventWriter::Flush() {
  if (!file_.flush()) Fail("cannot write {}: {}", path_, std::strerror(errno));
}

}  // namespace rhumb::core
