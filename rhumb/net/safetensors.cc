#include "rhumb/net/safetensors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"

namespace rhumb::net {
namespace {

using nlohmann::json;

// Apart, because GCC makes one step of half to float to double: a call of a libgcc that older
// systems lack.
[[gnu::noinline]] float Widen(_Float16 value) { return value; }

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // limit of the reference implementation

struct TypeName {
  ElementType type;
  const char* name;
  std::size_t bytes;
};
constexpr TypeName kTypes[] = {
    {ElementType::kFloat16, "F16", 2}, {ElementType::kFloat32, "F32", 4},
    {ElementType::kFloat64, "F64", 8}, {ElementType::kInt64, "I64", 8},
    {ElementType::kUint8, "U8", 1},
};

const TypeName& Describe(ElementType type) {
  for (const TypeName& entry : kTypes) {
    if (entry.type == type) return entry;
  }
  RHUMB_CHECK(false, "element type {}", static_cast<int>(type));
}

std::size_t ElementCount(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

// A size or an offset. nlohmann would also take a fraction, and a number too large for any integer.
std::int64_t WholeNumber(const json& value, const std::string& name, const std::string& place) {
  if (!value.is_number_integer()) {
    Fail("{}: a size or an offset of '{}' is {}, expected a whole number", place, name,
         core::InWords(value));
  }
  return value.get<std::int64_t>();
}

// JSON keeps the last of several values of a name; the format allows one.
void CheckNamesDiffer(std::string_view header, const std::string& place) {
  std::set<std::string> names;
  const auto check = [&](int depth, json::parse_event_t event, const json& name) {
    if (depth != 1 || event != json::parse_event_t::key) return true;
    const auto [known, is_new] = names.insert(name.get<std::string>());
    if (!is_new) Fail("{}: the safetensors header has '{}' twice", place, *known);
    return true;
  };
  [[maybe_unused]] const json parsed = json::parse(header, check);
}

}  // namespace

void SafetensorsWriter::AddBytes(const std::string& name, ElementType type, const Shape& shape,
                                 std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / Describe(type).bytes;
  RHUMB_CHECK(ElementCount(shape) == count, "'{}' has {} elements, its shape {}", name, count,
              ElementCount(shape));
  Entry entry{type, shape, std::string(bytes.size(), '\0')};
  if (count > 0) std::memcpy(entry.bytes.data(), bytes.data(), bytes.size());
  entries_[name] = std::move(entry);
}

void SafetensorsWriter::AddHalf(const std::string& name, const Shape& shape,
                                std::span<const float> values) {
  const std::vector<_Float16> half(values.begin(), values.end());
  AddBytes(name, ElementType::kFloat16, shape, std::as_bytes(std::span(half)));
}

void SafetensorsWriter::SetMetadata(const std::string& key, const std::string& value) {
  metadata_[key] = value;
}

std::string SafetensorsWriter::Bytes() const {
  json header = json::object();
  if (!metadata_.empty()) header["__metadata__"] = metadata_;
  std::size_t offset = 0;
  for (const auto& [name, entry] : entries_) {
    header[name] = {{"dtype", Describe(entry.type).name},
                    {"shape", entry.shape},
                    {"data_offsets", {offset, offset + entry.bytes.size()}}};
    offset += entry.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // align the arrays to 8 bytes
  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes.reserve(kLengthBytes + text.size() + offset);
  bytes += text;
  for (const auto& [name, entry] : entries_) bytes += entry.bytes;
  return bytes;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path, std::uint64_t max_bytes)
    : place_(path.string()), bytes_(core::ReadFile(path, max_bytes)) {
  std::uint64_t length = 0;
  if (bytes_.size() >= kLengthBytes) std::memcpy(&length, bytes_.data(), kLengthBytes);
  if (bytes_.size() < kLengthBytes || length > kMaxHeaderBytes ||
      length > bytes_.size() - kLengthBytes) {
    Fail("{}: not a safetensors file, or cut short: {} bytes, header of {}", place_, bytes_.size(),
         length);
  }
  const std::size_t data_begin = kLengthBytes + length;
  const std::size_t data_bytes = bytes_.size() - data_begin;
  const std::string_view text = std::string_view(bytes_).substr(kLengthBytes, length);
  const json header = core::ParseJson(text, place_ + ": the safetensors header is damaged");
  CheckNamesDiffer(text, place_);
  try {
    for (const auto& [name, value] : header.items()) {
      if (name == "__metadata__") {
        metadata_ = value.get<std::map<std::string, std::string>>();
        continue;
      }
      Entry entry{};
      const auto type_name = value.at("dtype").get<std::string>();
      const auto type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                     [&](const TypeName& t) { return type_name == t.name; });
      if (type == std::end(kTypes)) {
        Fail("{}: '{}' has element type {}, which Rhumb does not read", place_, name, type_name);
      }
      entry.type = type->type;
      for (const json& one : value.at("shape").get_ref<const json::array_t&>()) {
        entry.shape.push_back(WholeNumber(one, name, place_));
      }
      // Check the product factor by factor, so it cannot overflow.
      std::size_t bytes = type->bytes;
      for (const std::int64_t size : entry.shape) {
        if (size < 0 || (size > 0 && bytes > data_bytes / static_cast<std::size_t>(size))) {
          Fail("{}: '{}' is larger than the file, or has a negative size", place_, name);
        }
        bytes *= static_cast<std::size_t>(size);
      }
      const json& offsets = value.at("data_offsets");
      const auto begin = static_cast<std::uint64_t>(WholeNumber(offsets.at(0), name, place_));
      const auto end = static_cast<std::uint64_t>(WholeNumber(offsets.at(1), name, place_));
      if (begin > end || end > data_bytes || end - begin != bytes) {
        Fail("{}: '{}' does not fit the file: bytes {} to {} of {}, expected {} bytes", place_,
             name, begin, end, data_bytes, bytes);
      }
      entry.begin = data_begin + begin;
      entry.end = data_begin + end;
      entries_[name] = std::move(entry);
    }
  } catch (const json::exception& problem) {
    Fail("{}: the safetensors header is damaged ({})", place_, problem.what());
  }
  CheckArraysFollow(data_begin);
}

// Checks that every byte of the data belongs to exactly one array, as the format requires.
void SafetensorsFile::CheckArraysFollow(std::size_t data_begin) const {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  for (const auto& [name, entry] : entries_) parts.emplace_back(entry.begin, entry.end);
  std::sort(parts.begin(), parts.end());
  std::size_t end = data_begin;
  for (const auto& [part_begin, part_end] : parts) {
    if (part_begin != end) {
      Fail("{}: an array begins at byte {} of the data, but the previous one ends at {}", place_,
           part_begin - data_begin, end - data_begin);
    }
    end = part_end;
  }
  if (end != bytes_.size()) Fail("{}: {} bytes follow the last array", place_, bytes_.size() - end);
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

const SafetensorsFile::Entry& SafetensorsFile::Find(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    Fail("{}: no array '{}'{}", place_, name, core::Suggestion(name, names()));
  }
  return found->second;
}

const std::vector<std::int64_t>& SafetensorsFile::shape(std::string_view name) const {
  return Find(name).shape;
}

template <typename T>
std::vector<T> SafetensorsFile::Numbers(std::string_view name) const {
  const Entry& entry = Find(name);
  const std::size_t count = ElementCount(entry.shape);
  std::vector<T> numbers(count);
  const auto convert = [&]<typename Stored>(Stored) {
    for (std::size_t i = 0; i < count; ++i) {
      Stored value;
      std::memcpy(&value, bytes_.data() + entry.begin + i * sizeof(Stored), sizeof(Stored));
      if constexpr (std::is_same_v<Stored, _Float16>) {
        numbers[i] = static_cast<T>(Widen(value));
      } else {
        numbers[i] = static_cast<T>(value);
      }
      if (!std::isfinite(numbers[i])) {
        Fail("{}: element {} of '{}' is not a finite number", place_, i, name);
      }
    }
  };
  switch (entry.type) {
    case ElementType::kFloat16:
      convert(_Float16{});
      break;
    case ElementType::kFloat32:
      convert(float{});
      break;
    case ElementType::kFloat64:
      convert(double{});
      break;
    default:
      Fail("{}: '{}' holds {}, expected floating-point numbers", place_, name,
           Describe(entry.type).name);
  }
  return numbers;
}

std::vector<float> SafetensorsFile::Floats(std::string_view name) const {
  return Numbers<float>(name);
}

std::vector<float> SafetensorsFile::Floats(std::string_view name,
                                           const std::vector<std::int64_t>& shape) const {
  const Entry& entry = Find(name);
  if (entry.shape != shape) {
    Fail("{}: '{}' has shape {}, expected {}", place_, name, entry.shape, shape);
  }
  return Floats(name);
}

std::vector<float> SafetensorsFile::PositiveFloats(std::string_view name,
                                                   const std::vector<std::int64_t>& shape) const {
  std::vector<float> values = Floats(name, shape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] <= 0) {
      Fail("{}: element {} of '{}' is {}, it must be above 0", place_, i, name, values[i]);
    }
  }
  return values;
}

std::vector<double> SafetensorsFile::Doubles(std::string_view name) const {
  return Numbers<double>(name);
}

template <typename T>
std::vector<T> SafetensorsFile::Exactly(std::string_view name) const {
  const Entry& entry = Find(name);
  if (entry.type != ElementTypeOf<T>()) {
    Fail("{}: '{}' holds {}, expected {}", place_, name, Describe(entry.type).name,
         Describe(ElementTypeOf<T>()).name);
  }
  std::vector<T> numbers(ElementCount(entry.shape));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), bytes_.data() + entry.begin, entry.end - entry.begin);
  }
  return numbers;
}

std::vector<std::int64_t> SafetensorsFile::Integers(std::string_view name) const {
  return Exactly<std::int64_t>(name);
}

std::vector<std::uint8_t> SafetensorsFile::RawBytes(std::string_view name) const {
  return Exactly<std::uint8_t>(name);
}

}  // namespace rhumb::net
