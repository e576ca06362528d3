#include "rhumb/core/files/protobuf.h"

#include <array>
#include <bit>
#include <cstring>

namespace rhumb::core {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
void AppendNumber(std::string& bytes, Number number) {
  std::array<char, sizeof(Number)> raw;
  std::memcpy(raw.data(), &number, sizeof(Number));
  bytes.append(raw.data(), raw.size());
}

}  // namespace

void ProtobufMessage::AddVarint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
  bytes_.push_back(static_cast<char>(value));
}

void ProtobufMessage::AddKey(int field, int wire_type) {
  AddVarint(static_cast<std::uint64_t>(field << 3 | wire_type));
}

ProtobufMessage& ProtobufMessage::AddInteger(int field, std::int64_t value) {
  AddKey(field, 0);
  AddVarint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtobufMessage& ProtobufMessage::AddFloat(int field, float value) {
  AddKey(field, 5);
  AppendNumber(bytes_, value);
  return *this;
}

ProtobufMessage& ProtobufMessage::AddDouble(int field, double value) {
  AddKey(field, 1);
  AppendNumber(bytes_, value);
  return *this;
}

ProtobufMessage& ProtobufMessage::AddBytes(int field, std::string_view bytes) {
  AddKey(field, 2);
  AddVarint(bytes.size());
  bytes_.append(bytes);
  return *this;
}

}  // namespace rhumb::core
