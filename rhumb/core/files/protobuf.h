// Writes messages in the wire format of Protocol Buffers, for the two formats that need it:
// TensorBoard's event files and ONNX.
//
// A field is a key, its number << 3 | wire type, then its value: 0 a varint, 1 eight bytes, 2 a
// length and that many bytes, 5 four bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rhumb::core {

// Fields are written in the order of the calls. Repeat a call for a repeated field.
class ProtobufMessage {
 public:
  ProtobufMessage& AddInteger(int field, std::int64_t value);
  ProtobufMessage& AddFloat(int field, float value);
  ProtobufMessage& AddDouble(int field, double value);
  // A text, bytes, or a nested message.
  ProtobufMessage& AddBytes(int field, std::string_view bytes);
  ProtobufMessage& Add(int field, const ProtobufMessage& message) {
    return AddBytes(field, message.bytes_);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void AddKey(int field, int wire_type);
  void AddVarint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace rhumb::core
