// The part of HDF5 that this room needs, with RAII and Errors instead of identifiers and codes.
//
// Names are single links: "episode_3", never "episode_3/infos". Links and data that lead to another
// file are refused, since a dataset may come from anywhere. Failures throw Error with the file, the
// object and the reason; HDF5 itself prints nothing. One thread at a time per file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rhumb::data {

// An HDF5 identifier with the function that closes it.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Handle();
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;

  std::int64_t id() const { return id_; }
  // Closes now. Returns false if HDF5 could not, e.g. because the disk is full.
  bool Release();

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

// An array of numbers in a file.
class Hdf5Array {
 public:
  // Rows, then columns; empty for a single number.
  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  // Elements per row; 1 for a one-dimensional array.
  std::uint64_t columns() const;
  // The place for messages: "main_data.hdf5: episode_3/actions".
  const std::string& place() const { return place_; }

  // Reads rows [begin, begin + count) into numbers [count, columns] and converts them if necessary.
  void Read(std::uint64_t begin, std::uint64_t count, float* numbers) const;
  void Read(std::uint64_t begin, std::uint64_t count, std::uint8_t* numbers) const;
  void Read(std::uint64_t begin, std::uint64_t count, std::int64_t* numbers) const;
  template <class Number>
  void ReadAll(std::vector<Number>& numbers) const {
    numbers.resize(rows() * columns());
    Read(0, rows(), numbers.data());
  }

 private:
  friend class Hdf5Group;
  void ReadAs(std::int64_t type, std::uint64_t begin, std::uint64_t count, void* numbers) const;

  Hdf5Handle handle_;
  std::vector<std::uint64_t> shape_;
  std::string place_;
};

class Hdf5Group {
 public:
  Hdf5Group() = default;
  enum class Kind { kNone, kGroup, kNumbers, kOther };

  Hdf5Group MakeGroup(const std::string& name) const;
  // Writes a whole array, contiguous and uncompressed: [rows] or [rows, columns].
  void Write(const std::string& name, std::span<const float> numbers,
             std::span<const std::uint64_t> shape) const;
  // Writes zeros and ones as numpy's bool.
  void WriteFlags(const std::string& name, std::span<const std::uint8_t> flags) const;
  void WriteIntegers(const std::string& name, std::span<const std::int64_t> numbers) const;
  void SetAttribute(const std::string& name, std::int64_t value) const;

  Kind KindOf(const std::string& name) const;
  std::vector<std::string> names() const;
  Hdf5Group OpenGroup(const std::string& name) const;
  // Checks the claimed size against the bytes in the file, so readers can safely allocate it.
  Hdf5Array OpenArray(const std::string& name) const;
  // Empty if the attribute is missing or not a single whole number.
  std::optional<std::int64_t> FindAttribute(const std::string& name) const;

  const std::string& place() const { return place_; }

 private:
  friend class Hdf5File;
  Hdf5Group(Hdf5Handle handle, std::string file, std::string place)
      : handle_(std::move(handle)), file_(std::move(file)), place_(std::move(place)) {}
  void WriteAs(const std::string& name, std::int64_t file_type, std::int64_t memory_type,
               std::span<const std::uint64_t> shape, const void* numbers) const;
  std::string PlaceOf(std::string_view name) const;

  Hdf5Handle handle_;
  std::string file_;   // for messages
  std::string place_;  // file, or "file: episode_3"
};

class Hdf5File {
 public:
  Hdf5File() = default;
  // Creates a file. Equal contents give equal bytes.
  static Hdf5File Create(const std::filesystem::path& path);
  static Hdf5File Open(const std::filesystem::path& path);

  const Hdf5Group& root() const { return root_; }
  // Flushes and closes. Without it, the destructor closes the file and ignores failures.
  void Close();

 private:
  Hdf5File(Hdf5Handle handle, const std::string& place);

  Hdf5Handle handle_;
  Hdf5Group root_;
};

}  // namespace rhumb::data
