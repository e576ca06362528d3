// The safetensors format: named arrays in one file, readable from Python without Rhumb.
//
//   8 bytes: length of the header, little-endian | JSON header | the arrays' bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rhumb::net {

// Element types that Rhumb reads and writes.
enum class ElementType { kFloat16, kFloat32, kFloat64, kInt64, kUint8 };

template <class Number>
constexpr ElementType ElementTypeOf() {
  if constexpr (std::is_same_v<Number, float>) return ElementType::kFloat32;
  if constexpr (std::is_same_v<Number, double>) return ElementType::kFloat64;
  if constexpr (std::is_same_v<Number, std::int64_t>) return ElementType::kInt64;
  if constexpr (std::is_same_v<Number, std::uint8_t>) return ElementType::kUint8;
}

// Collects arrays in memory and serialises them. Arrays are ordered by name.
class SafetensorsWriter {
 public:
  using Shape = std::vector<std::int64_t>;

  // `values` is a vector or span of float, double, std::int64_t or std::uint8_t.
  template <class Values>
  void Add(const std::string& name, const Shape& shape, const Values& values) {
    AddBytes(name, ElementTypeOf<typename Values::value_type>(), shape,
             std::as_bytes(std::span(values)));
  }
  // Rounds to half precision.
  void AddHalf(const std::string& name, const Shape& shape, std::span<const float> values);

  // Free-form text about the file ("__metadata__").
  void SetMetadata(const std::string& key, const std::string& value);

  bool Has(const std::string& name) const { return entries_.contains(name); }
  std::string Bytes() const;

 private:
  struct Entry {
    ElementType type;
    Shape shape;
    std::string bytes;
  };
  void AddBytes(const std::string& name, ElementType type, const Shape& shape,
                std::span<const std::byte> bytes);

  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> metadata_;
};

// A file in memory. Every offset and size is checked against the file before use. Throws Error with
// the file's name if it is truncated, disagrees with its header, or has arrays that overlap or
// leave gaps.
class SafetensorsFile {
 public:
  // Throws Error if the file has more than `max_bytes` bytes.
  explicit SafetensorsFile(const std::filesystem::path& path,
                           std::uint64_t max_bytes = std::uint64_t{16} << 30);

  bool Has(std::string_view name) const { return entries_.contains(name); }
  std::vector<std::string> names() const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  // Throws Error with the nearest known name if `name` is unknown.
  const std::vector<std::int64_t>& shape(std::string_view name) const;
  // Converts between floating-point types. Throws Error for other types and for non-finite numbers,
  // which no weight or state of ours has.
  std::vector<float> Floats(std::string_view name) const;
  std::vector<double> Doubles(std::string_view name) const;
  // Throws Error unless the array has exactly this shape.
  std::vector<float> Floats(std::string_view name, const std::vector<std::int64_t>& shape) const;
  // Also throws Error unless all elements are above 0.
  std::vector<float> PositiveFloats(std::string_view name,
                                    const std::vector<std::int64_t>& shape) const;
  std::vector<std::int64_t> Integers(std::string_view name) const;
  std::vector<std::uint8_t> RawBytes(std::string_view name) const;

  const std::string& place() const { return place_; }

 private:
  struct Entry {
    ElementType type;
    std::vector<std::int64_t> shape;
    std::size_t begin, end;  // in bytes_
  };
  void CheckArraysFollow(std::size_t data_begin) const;
  const Entry& Find(std::string_view name) const;
  template <typename T>
  std::vector<T> Numbers(std::string_view name) const;  // converted
  template <typename T>
  std::vector<T> Exactly(std::string_view name) const;

  std::string place_;
  std::string bytes_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace rhumb::net
