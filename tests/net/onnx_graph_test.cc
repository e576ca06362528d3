#include "rhumb/net/onnx_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace rhumb::net {
namespace {

using ::testing::HasSubstr;

// tests/python/onnx_test.py gives whole files to onnx and onnxruntime.
TEST(OnnxGraph, HoldsWhatWasAdded) {
  OnnxGraph graph;
  const std::string x = graph.AddInput("x", 2);
  const std::string sum =
      graph.AddNode("Add", {x, graph.AddTensor("one", {2}, std::array<float, 2>{1, 1})}, "sum");
  graph.AddNode("Split", {sum}, std::vector<std::string>{"a", "b"}, {{"axis", 1}});
  graph.AddOutput("a", 1);
  const std::string file = graph.Serialise("test", {{"key", "value"}});
  // IR version 8 first; the numbers 1, 1 as they are in memory; names and metadata.
  EXPECT_TRUE(file.starts_with("\x08\x08"));
  EXPECT_THAT(file, HasSubstr(std::string("\x00\x00\x80\x3f\x00\x00\x80\x3f", 8)));
  for (const char* text : {"Add", "Split", "make_sum", "axis", "test", "key", "value"}) {
    EXPECT_THAT(file, HasSubstr(text));
  }
}

TEST(OnnxGraphDeathTest, NumbersFillTheShape) {
  OnnxGraph graph;
  EXPECT_DEATH(graph.AddTensor("one", {3}, std::array<float, 2>{1, 1}), "2 numbers in 'one' of 3");
}

}  // namespace
}  // namespace rhumb::net
