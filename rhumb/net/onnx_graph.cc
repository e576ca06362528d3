#include "rhumb/net/onnx_graph.h"

#include "rhumb/core/error.h"
#include "rhumb/core/version.h"

// Field numbers are those of onnx.proto.
namespace rhumb::net {
namespace {

using core::ProtobufMessage;

constexpr int kIrVersion = 8;
constexpr int kOpset = 17;
constexpr int kFloat = 1;             // TensorProto.DataType
constexpr int kIntegerAttribute = 2;  // AttributeProto.AttributeType

// ValueInfoProto { name = 1; TypeProto type = 2 { tensor_type = 1 { elem_type = 1; shape = 2 } } }
ProtobufMessage MatrixInfo(const std::string& name, int columns) {
  const ProtobufMessage rows = ProtobufMessage().AddBytes(2, "N");
  const ProtobufMessage width = ProtobufMessage().AddInteger(1, columns);
  const ProtobufMessage shape = ProtobufMessage().Add(1, rows).Add(1, width);
  const ProtobufMessage tensor = ProtobufMessage().AddInteger(1, kFloat).Add(2, shape);
  return ProtobufMessage().AddBytes(1, name).Add(2, ProtobufMessage().Add(1, tensor));
}

}  // namespace

std::string OnnxGraph::AddInput(const std::string& name, int columns) {
  inputs_.Add(11, MatrixInfo(name, columns));
  return name;
}

void OnnxGraph::AddOutput(const std::string& name, int columns) {
  outputs_.Add(12, MatrixInfo(name, columns));
}

std::string OnnxGraph::AddTensor(const std::string& name, const std::vector<int>& shape,
                                 std::span<const float> numbers) {
  std::size_t size = 1;
  ProtobufMessage tensor;
  for (const int dimension : shape) {
    tensor.AddInteger(1, dimension);
    size *= static_cast<std::size_t>(dimension);
  }
  RHUMB_CHECK(size == numbers.size(), "{} numbers in '{}' of {}", numbers.size(), name, size);
  const std::string_view raw(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  tensors_.Add(5, tensor.AddInteger(2, kFloat).AddBytes(8, name).AddBytes(9, raw));
  return name;
}

std::string OnnxGraph::AddNode(const std::string& op, const std::vector<std::string>& inputs,
                               const std::string& output, const Integers& attributes) {
  AddNode(op, inputs, std::vector<std::string>{output}, attributes);
  return output;
}

void OnnxGraph::AddNode(const std::string& op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const Integers& attributes) {
  ProtobufMessage node;
  for (const std::string& input : inputs) node.AddBytes(1, input);
  for (const std::string& output : outputs) node.AddBytes(2, output);
  node.AddBytes(3, "make_" + outputs.front()).AddBytes(4, op);
  for (const auto& [name, value] : attributes) {
    node.Add(5, ProtobufMessage().AddBytes(1, name).AddInteger(3, value).AddInteger(
                    20, kIntegerAttribute));
  }
  nodes_.Add(1, node);
}

std::string OnnxGraph::Serialise(std::string_view name,
                                 const std::map<std::string, std::string>& metadata) const {
  // Concatenated messages are one message with all their fields.
  std::string graph = nodes_.bytes();
  graph += ProtobufMessage().AddBytes(2, name).bytes();
  graph += tensors_.bytes() + inputs_.bytes() + outputs_.bytes();
  ProtobufMessage model;
  model.AddInteger(1, kIrVersion)
      .AddBytes(2, "rhumb")
      .AddBytes(3, core::kVersion)
      .AddBytes(7, graph)
      .Add(8, ProtobufMessage().AddBytes(1, "").AddInteger(2, kOpset));
  for (const auto& [key, value] : metadata) {
    model.Add(14, ProtobufMessage().AddBytes(1, key).AddBytes(2, value));
  }
  return model.bytes();
}

}  // namespace rhumb::net
