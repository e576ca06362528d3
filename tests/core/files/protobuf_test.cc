#include "rhumb/core/files/protobuf.h"

#include <gtest/gtest.h>

#include <string>

namespace rhumb::core {
namespace {

using namespace std::string_literals;

// The examples of the encoding guide of Protocol Buffers: field 1 = 150 is 08 96 01, field 2 =
// "testing" is 12 07 and the text, and a message in field 3 is 1a and its length.
TEST(ProtobufMessage, ByHand) {
  const ProtobufMessage inner = ProtobufMessage().AddInteger(1, 150);
  EXPECT_EQ(inner.bytes(), "\x08\x96\x01"s);
  EXPECT_EQ(ProtobufMessage().AddBytes(2, "testing").bytes(), "\x12\x07testing"s);
  EXPECT_EQ(ProtobufMessage().Add(3, inner).bytes(), "\x1a\x03\x08\x96\x01"s);
}

TEST(ProtobufMessage, Numbers) {
  EXPECT_EQ(ProtobufMessage().AddFloat(2, 1.5f).bytes(), "\x15\x00\x00\xc0\x3f"s);
  EXPECT_EQ(ProtobufMessage().AddDouble(1, 1.5).bytes(), "\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"s);
  EXPECT_EQ(ProtobufMessage().AddInteger(1, -1).bytes(),
            "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s);
  // Field 20 needs two bytes of key.
  EXPECT_EQ(ProtobufMessage().AddInteger(20, 2).bytes(), "\xa0\x01\x02"s);
}

TEST(ProtobufMessage, FieldsFollowTheCalls) {
  EXPECT_EQ(ProtobufMessage().AddInteger(1, 1).AddInteger(1, 2).AddBytes(2, "").bytes(),
            "\x08\x01\x08\x02\x12\x00"s);
}

}  // namespace
}  // namespace rhumb::core
