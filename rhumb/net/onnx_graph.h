// A graph of ONNX operators under construction, written as an ONNX file (IR 8, opset 17).
//
//   AddInput, AddTensor, AddNode … AddOutput  ->  Serialise  ->  bytes of a .onnx file
//
// All inputs and outputs are float32 matrices with any number of rows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rhumb/core/files/protobuf.h"

namespace rhumb::net {

// Names connect the parts, as in ONNX. Functions that add a value return its name.
class OnnxGraph {
 public:
  using Integers = std::vector<std::pair<std::string, std::int64_t>>;  // attributes by name

  // float32 [N, columns].
  std::string AddInput(const std::string& name, int columns);
  void AddOutput(const std::string& name, int columns);

  // A constant float32 tensor with this shape; a scalar has no dimensions.
  std::string AddTensor(const std::string& name, const std::vector<int>& shape,
                        std::span<const float> numbers);

  // output = OPERATOR(inputs).
  std::string AddNode(const std::string& op, const std::vector<std::string>& inputs,
                      const std::string& output, const Integers& attributes = {});
  // A node with several outputs.
  void AddNode(const std::string& op, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, const Integers& attributes = {});

  // The whole file. `metadata` appears in the file's metadata_props.
  std::string Serialise(std::string_view name,
                        const std::map<std::string, std::string>& metadata) const;

 private:
  core::ProtobufMessage nodes_, tensors_, inputs_, outputs_;  // fields of a GraphProto
};

}  // namespace rhumb::net
