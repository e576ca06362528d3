#include "rhumb/data/hdf5_file.h"

#include <hdf5.h>

#include <type_traits>

#include "rhumb/core/error.h"

namespace rhumb::data {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>);

// Deflate compresses by a factor of at most 1032.
constexpr std::uint64_t kMaxCompression = 1032;
constexpr std::uint64_t kMaxDimensions = 8;
// An array is read as a whole, and a chunk of it is unpacked as a whole.
constexpr long double kMaxArrayBytes = 4.0L * (1 << 30), kMaxChunkBytes = 256 << 20;
// Object headers and small arrays are allocated in blocks of this size.
constexpr hsize_t kBlockBytes = 64 << 10;

// Call before any other HDF5 function. HDF5 keeps one error stack per thread, so printing is turned
// off per thread. HDF5's own clean-up at exit is turned off: after a failed close, e.g. on a full
// disk, it reads freed memory. Every object here has an owner that closes it.
void PrepareHdf5() {
  thread_local bool prepared = false;
  if (prepared) return;
  H5dont_atexit();
  prepared = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  RHUMB_CHECK(prepared, "cannot turn off HDF5's error messages");
}

// The operating system's message if the error stack holds one, else HDF5's innermost message.
std::string Reason() {
  std::string reason;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    auto& found = *static_cast<std::string*>(out);
    const std::string_view text = error->desc == nullptr ? "" : error->desc;
    constexpr std::string_view kMark = "error message = '";
    if (const std::size_t begin = text.find(kMark); begin != text.npos) {
      const std::string_view tail = text.substr(begin + kMark.size());
      found = tail.substr(0, tail.find('\''));
      return 1;
    }
    if (found.empty()) found = text;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &reason);
  return reason.empty() ? "HDF5 gives no reason" : reason;
}

template <class Result>
Result Check(Result result, const char* what, const std::string& place) {
  if (result < 0) Fail("cannot {} {}: {}", what, place, Reason());
  return result;
}

Hdf5Handle Own(hid_t id, Hdf5Handle::Close close, const char* what, const std::string& place) {
  return {Check(id, what, place), close};
}

// Omits creation times, so that equal datasets have equal bytes.
Hdf5Handle MakeCreationList(hid_t of_class, const std::string& place) {
  Hdf5Handle list = Own(H5Pcreate(of_class), H5Pclose, "write", place);
  Check(H5Pset_obj_track_times(list.id(), false), "write", place);
  return list;
}

Hdf5Handle MakeSpace(std::span<const std::uint64_t> shape, const std::string& place) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  const auto dimensions = static_cast<int>(sizes.size());
  return Own(H5Screate_simple(dimensions, sizes.data(), nullptr), H5Sclose, "write", place);
}

// numpy's bool as stored by h5py.
Hdf5Handle MakeFlagType(const std::string& place) {
  Hdf5Handle type = Own(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose, "write", place);
  for (const std::int8_t value : {std::int8_t{0}, std::int8_t{1}}) {
    Check(H5Tenum_insert(type.id(), value == 0 ? "FALSE" : "TRUE", &value), "write", place);
  }
  return type;
}

}  // namespace

Hdf5Handle::~Hdf5Handle() { Release(); }

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

bool Hdf5Handle::Release() {
  PrepareHdf5();
  const std::int64_t id = std::exchange(id_, -1);
  return id < 0 || close_(id) >= 0;
}

std::uint64_t Hdf5Array::columns() const {
  std::uint64_t product = 1;
  for (std::size_t i = 1; i < shape_.size(); ++i) product *= shape_[i];
  return product;
}

void Hdf5Array::Read(std::uint64_t begin, std::uint64_t count, float* numbers) const {
  ReadAs(H5T_NATIVE_FLOAT, begin, count, numbers);
}

void Hdf5Array::Read(std::uint64_t begin, std::uint64_t count, std::uint8_t* numbers) const {
  ReadAs(H5T_NATIVE_UINT8, begin, count, numbers);
}

void Hdf5Array::Read(std::uint64_t begin, std::uint64_t count, std::int64_t* numbers) const {
  ReadAs(H5T_NATIVE_INT64, begin, count, numbers);
}

void Hdf5Array::ReadAs(std::int64_t type, std::uint64_t begin, std::uint64_t count,
                       void* numbers) const {
  PrepareHdf5();
  RHUMB_CHECK(begin + count <= rows(), "rows {} + {} of {}", begin, count, rows());
  if (count == 0 || columns() == 0) return;
  if (count == rows()) {
    Check(H5Dread(handle_.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), "read", place_);
    return;
  }
  std::vector<std::uint64_t> part = shape_;
  part[0] = count;
  const Hdf5Handle memory = MakeSpace(part, place_);
  const std::vector<hsize_t> sizes(part.begin(), part.end());
  std::vector<hsize_t> start(part.size(), 0);
  start[0] = begin;
  const Hdf5Handle file = Own(H5Dget_space(handle_.id()), H5Sclose, "read", place_);
  Check(
      H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start.data(), nullptr, sizes.data(), nullptr),
      "read", place_);
  Check(H5Dread(handle_.id(), type, memory.id(), file.id(), H5P_DEFAULT, numbers), "read", place_);
}

std::string Hdf5Group::PlaceOf(std::string_view name) const {
  return fmt::format("{}{}{}", place_, place_ == file_ ? ": " : "/", name);
}

Hdf5Group Hdf5Group::MakeGroup(const std::string& name) const {
  PrepareHdf5();
  const std::string place = PlaceOf(name);
  const Hdf5Handle list = MakeCreationList(H5P_GROUP_CREATE, place);
  const hid_t id = H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, list.id(), H5P_DEFAULT);
  return {Own(id, H5Gclose, "write", place), file_, place};
}

void Hdf5Group::WriteAs(const std::string& name, std::int64_t file_type, std::int64_t memory_type,
                        std::span<const std::uint64_t> shape, const void* numbers) const {
  PrepareHdf5();
  const std::string place = PlaceOf(name);
  const Hdf5Handle space = MakeSpace(shape, place);
  const Hdf5Handle list = MakeCreationList(H5P_DATASET_CREATE, place);
  // The data is written next; filling with zeros first would write every byte twice.
  Check(H5Pset_fill_time(list.id(), H5D_FILL_TIME_NEVER), "write", place);
  Hdf5Handle array = Own(H5Dcreate2(handle_.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT,
                                    list.id(), H5P_DEFAULT),
                         H5Dclose, "write", place);
  Check(H5Dwrite(array.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), "write", place);
  if (!array.Release()) Fail("cannot write {}: {}", place, Reason());
}

void Hdf5Group::Write(const std::string& name, std::span<const float> numbers,
                      std::span<const std::uint64_t> shape) const {
  WriteAs(name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, shape, numbers.data());
}

void Hdf5Group::WriteFlags(const std::string& name, std::span<const std::uint8_t> flags) const {
  const Hdf5Handle type = MakeFlagType(place_);
  const std::uint64_t size = flags.size();
  WriteAs(name, type.id(), type.id(), {&size, 1}, flags.data());
}

void Hdf5Group::WriteIntegers(const std::string& name,
                              std::span<const std::int64_t> numbers) const {
  const std::uint64_t size = numbers.size();
  WriteAs(name, H5T_STD_I64LE, H5T_NATIVE_INT64, {&size, 1}, numbers.data());
}

void Hdf5Group::SetAttribute(const std::string& name, std::int64_t value) const {
  PrepareHdf5();
  const std::string place = PlaceOf(name);
  const Hdf5Handle space = Own(H5Screate(H5S_SCALAR), H5Sclose, "write", place);
  const Hdf5Handle attribute = Own(
      H5Acreate2(handle_.id(), name.c_str(), H5T_STD_I64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "write", place);
  Check(H5Awrite(attribute.id(), H5T_NATIVE_INT64, &value), "write", place);
}

std::optional<std::int64_t> Hdf5Group::FindAttribute(const std::string& name) const {
  PrepareHdf5();
  if (H5Aexists(handle_.id(), name.c_str()) <= 0) return std::nullopt;
  const std::string place = PlaceOf(name);
  const Hdf5Handle attribute =
      Own(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Aclose, "read", place);
  const Hdf5Handle space = Own(H5Aget_space(attribute.id()), H5Sclose, "read", place);
  const Hdf5Handle type = Own(H5Aget_type(attribute.id()), H5Tclose, "read", place);
  if (H5Sget_simple_extent_npoints(space.id()) != 1 || H5Tget_class(type.id()) != H5T_INTEGER) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  Check(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value), "read", place);
  return value;
}

Hdf5Group::Kind Hdf5Group::KindOf(const std::string& name) const {
  PrepareHdf5();
  if (H5Lexists(handle_.id(), name.c_str(), H5P_DEFAULT) <= 0) return Kind::kNone;
  const std::string place = PlaceOf(name);
  H5L_info_t info;
  Check(H5Lget_info(handle_.id(), name.c_str(), &info, H5P_DEFAULT), "read", place);
  if (info.type != H5L_TYPE_HARD) {
    Fail("{} is a link to another place; only data inside the file is read", place);
  }
  const Hdf5Handle object =
      Own(H5Oopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Oclose, "read", place);
  const H5I_type_t kind = H5Iget_type(object.id());
  if (kind == H5I_GROUP) return Kind::kGroup;
  if (kind != H5I_DATASET) return Kind::kOther;
  const Hdf5Handle type = Own(H5Dget_type(object.id()), H5Tclose, "read", place);
  const H5T_class_t type_class = H5Tget_class(type.id());
  const bool is_number =
      type_class == H5T_FLOAT || type_class == H5T_INTEGER || type_class == H5T_ENUM;
  return is_number ? Kind::kNumbers : Kind::kOther;
}

std::vector<std::string> Hdf5Group::names() const {
  PrepareHdf5();
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  Check(H5Literate(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "read", place_);
  return names;
}

Hdf5Group Hdf5Group::OpenGroup(const std::string& name) const {
  const std::string place = PlaceOf(name);
  if (KindOf(name) != Kind::kGroup) Fail("{} is missing, or not a group", place);
  const hid_t id = H5Gopen2(handle_.id(), name.c_str(), H5P_DEFAULT);
  return {Own(id, H5Gclose, "read", place), file_, place};
}

Hdf5Array Hdf5Group::OpenArray(const std::string& name) const {
  if (KindOf(name) != Kind::kNumbers) {
    Fail("{} is missing, or not an array of numbers", PlaceOf(name));
  }
  Hdf5Array array;
  array.place_ = PlaceOf(name);
  array.handle_ =
      Own(H5Dopen2(handle_.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "read", array.place_);
  const hid_t id = array.handle_.id();
  const Hdf5Handle list = Own(H5Dget_create_plist(id), H5Pclose, "read", array.place_);
  if (H5Pget_layout(list.id()) == H5D_VIRTUAL || H5Pget_external_count(list.id()) > 0) {
    Fail("{} keeps its numbers in another file; only data inside the file is read", array.place_);
  }
  const Hdf5Handle space = Own(H5Dget_space(id), H5Sclose, "read", array.place_);
  const Hdf5Handle type = Own(H5Dget_type(id), H5Tclose, "read", array.place_);
  const int dimensions =
      Check(H5Sget_simple_extent_ndims(space.id()), "read the shape of", array.place_);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions));
  if (sizes.size() > kMaxDimensions) {
    Fail("{} has {} dimensions, at most {} are supported", array.place_, dimensions,
         kMaxDimensions);
  }
  Check(H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr), "read", array.place_);
  array.shape_.assign(sizes.begin(), sizes.end());

  // A product of hostile sizes cannot overflow a long double.
  const auto bytes_of = [&](std::span<const hsize_t> counts) {
    auto bytes = static_cast<long double>(H5Tget_size(type.id()));
    for (const hsize_t count : counts) bytes *= static_cast<long double>(count);
    return bytes;
  };
  const long double claimed = bytes_of(sizes);
  const std::uint64_t stored = H5Dget_storage_size(id);
  const bool packed = H5Pget_nfilters(list.id()) > 0;
  if (claimed > static_cast<long double>(stored) * (packed ? kMaxCompression : 1)) {
    Fail("{} is damaged: it claims {:.0f} bytes, but {} are stored", array.place_, claimed, stored);
  }
  std::vector<hsize_t> chunk(sizes.size());
  const bool is_chunked = H5Pget_layout(list.id()) == H5D_CHUNKED;
  if (is_chunked) Check(H5Pget_chunk(list.id(), dimensions, chunk.data()), "read", array.place_);
  if (claimed > kMaxArrayBytes || (is_chunked && bytes_of(chunk) > kMaxChunkBytes)) {
    Fail("{} is too large: an array may have {:.0f} bytes, a chunk of it {:.0f}", array.place_,
         kMaxArrayBytes, kMaxChunkBytes);
  }
  return array;
}

Hdf5File::Hdf5File(Hdf5Handle handle, const std::string& place)
    : handle_(std::move(handle)),
      root_(Own(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), H5Gclose, "read", place), place, place) {}

Hdf5File Hdf5File::Create(const std::filesystem::path& path) {
  PrepareHdf5();
  const std::string place = path.string();
  const Hdf5Handle access = Own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "write", place);
  // The group format since HDF5 1.8 is smaller and faster, and every h5py reads it.
  Check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V110), "write", place);
  Check(H5Pset_meta_block_size(access.id(), kBlockBytes), "write", place);
  Check(H5Pset_small_data_block_size(access.id(), kBlockBytes), "write", place);
  const Hdf5Handle creation = MakeCreationList(H5P_FILE_CREATE, place);
  const hid_t id = H5Fcreate(place.c_str(), H5F_ACC_EXCL, creation.id(), access.id());
  return {Own(id, H5Fclose, "write", place), place};
}

Hdf5File Hdf5File::Open(const std::filesystem::path& path) {
  PrepareHdf5();
  const std::string place = path.string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) Fail("{} is missing", place);
  const hid_t id = H5Fopen(place.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  return {Own(id, H5Fclose, "read", place), place};
}

void Hdf5File::Close() {
  const std::string place = root_.place();
  PrepareHdf5();
  // Flush first: closing may silently drop data that it cannot write.
  Check(H5Fflush(handle_.id(), H5F_SCOPE_LOCAL), "write", place);
  root_.handle_.Release();
  if (!handle_.Release()) Fail("cannot write {}: {}", place, Reason());
}

}  // namespace rhumb::data
