#include "rhumb/sim/robot_compiler.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/contact_list.h"
#include "rhumb/sim/mjcf.h"
#include "rhumb/sim/robot_files.h"

namespace rhumb::sim {
namespace {

// "rhumb:meshes/leg.obj". MuJoCo keeps the scheme in front when it joins and shortens names, so
// ".." cannot remove it. Only an absolute name loses it, and CheckMjcf refuses those.
constexpr const char* kScheme = "rhumb";
constexpr std::string_view kPrefix = "rhumb:";

constexpr double kMaxElements = 1e6;         // of all MJCF documents, repetitions included
constexpr double kMaxNumbers = 1 << 27;      // of all elements together
constexpr double kNumbersPerKey = 20;        // of one element, at most, in a key frame
constexpr double kMaxPixels = 1 << 26;       // of a picture, 8192 x 8192
constexpr double kMaxAllPixels = 1 << 29;    // of all pictures, each use counted
constexpr double kMaxOpenedBytes = 1 << 30;  // of all files, each use counted
constexpr std::size_t kMaxFiles = 10'000;    // of one robot
constexpr std::size_t kMaxAllocation = std::size_t{2} << 30;  // bytes of a model, or of its state

// MuJoCo's default handler prints every warning and writes a log file into the working directory.
// Divergence is our own business (simulation.h), so its warnings go to the debug log.
void HandleMujocoMessage(const mjLogMessage* message) {
  const bool is_error = message->level >= mjLOG_ERROR;
  core::WriteLog(is_error ? core::LogLevel::kError : core::LogLevel::kDebug,
                 fmt::format("MuJoCo: {}", message->subject));
}

// MuJoCo allocates models and states through this function. It takes null for an error, so what a
// model needs is refused before it is met. Remembers the refusal for the message.
thread_local std::size_t refused_bytes = 0;
void* AllocateForMujoco(std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;
  if (bytes > kMaxAllocation) {
    refused_bytes = bytes;
    return nullptr;
  }
  return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

// A PNG states its size in 24 bytes, and a few more can make it unpack to gigabytes. Returns its
// pixels, 0 for another file.
double CheckPicture(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 24 || !bytes.starts_with("\x89PNG")) return 0;
  const auto side = [&](std::size_t at) {
    double value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
      value = 256 * value + static_cast<std::uint8_t>(bytes[i]);
    return value;
  };
  if (side(16) * side(20) > kMaxPixels) {
    Fail("'{}' has {:.0f} x {:.0f} pixels, the limit is {:.0f} pixels", path, side(16), side(20),
         kMaxPixels);
  }
  return side(16) * side(20);
}

// Compiles the spec again with a list of its contacts. Null if it cannot have one.
ModelPointer CompileWithContactList(const mjModel* model, mjSpec* spec, const mjVFS* vfs) {
  const std::vector<int> geoms = ListContacts(model, spec);
  if (geoms.empty()) return nullptr;
  ModelPointer listed(mj_compile(spec, vfs));
  if (!listed || !UseContactList(geoms, model, listed.get())) return nullptr;
  return listed;
}

// Gives each actuator room for `max_delay_s` more delay, and returns the delays that they have.
std::vector<double> LengthenHistories(mjSpec* spec, double max_delay_s) {
  std::vector<double> delays;
  if (max_delay_s == 0) return delays;
  for (mjsElement* element = mjs_firstElement(spec, mjOBJ_ACTUATOR); element != nullptr;
       element = mjs_nextElement(spec, element)) {
    mjsActuator* actuator = mjs_asActuator(element);
    delays.push_back(actuator->delay);
    actuator->delay += max_delay_s;
    // MuJoCo rounds a delay up to whole steps.
    const auto steps = static_cast<int>(std::ceil(actuator->delay / spec->option.timestep));
    actuator->nsample = std::max(actuator->nsample, steps + 1);
  }
  return delays;
}

class RobotCompiler {
 public:
  RobotCompiler(FindRobotFile find, std::string_view name, std::string_view place)
      : find_(find), name_(NormalRobotPath(name)), place_(place) {
    if (name_.empty()) {
      Fail("{}: the model '{}' lies outside the robot's folder", place, core::OneLine(name));
    }
    documents_.insert(name_.substr(name_.rfind('/') + 1));

    // MuJoCo recognises a scheme only once it is registered. The registered provider has no files:
    // each compiler mounts its own in its place. The training library has its own copy of this
    // code, so the program may have registered the scheme before.
    static std::once_flag once;
    std::call_once(once, [] {
      mju_setLogHandler(HandleMujocoMessage);
      mju_user_malloc = AllocateForMujoco;
      mju_user_free = std::free;
      if (mjp_findProvider(kPrefix.data()) != nullptr) return;
      mjpResourceProvider empty = Callbacks();
      empty.open = [](mjResource*) { return 0; };
      RHUMB_CHECK(mjp_registerProvider(&empty) >= 0, "the scheme '{}' is taken", kScheme);
    });
    provider_ = Callbacks();
    provider_.data = this;
    mj_defaultVFS(&vfs_);
    mj_mountVFS(&vfs_, kScheme, &provider_);
  }
  ~RobotCompiler() { mj_deleteVFS(&vfs_); }

  ModelPointer Compile(const CompileOptions& options) {
    char message[1000] = "";
    ModelPointer model;
    const std::string resource = std::string(kPrefix) + name_;
    refused_bytes = 0;
    if (const std::unique_ptr<mjSpec, MujocoDeleter<mj_deleteSpec>> spec{
            mj_parseXML(resource.c_str(), &vfs_, message, sizeof message)}) {
      const std::vector<double> delays = LengthenHistories(spec.get(), options.max_delay_s);
      model.reset(mj_compile(spec.get(), &vfs_));
      if (model && options.list_contacts) {
        ModelPointer listed = CompileWithContactList(model.get(), spec.get(), &vfs_);
        if (listed) model = std::move(listed);
      }
      if (model) std::ranges::copy(delays, model->actuator_delay);
      if (!model) std::snprintf(message, sizeof message, "%s", mjs_getError(spec.get()));
    }
    if (!refusal_.empty()) Fail("{}: {}", place_, refusal_);
    if (model) return model;
    if (mjcf_.empty()) Fail("{}: the model '{}' does not exist in its folder", place_, name_);
    if (refused_bytes > 0) {
      Fail("{}: model '{}' is too large: it needs {} bytes at once, the limit is {}", place_, name_,
           refused_bytes, kMaxAllocation);
    }
    const std::string_view reason = message;
    if (!missing_.empty() && reason.find("opening file") != reason.npos) {
      Fail("{}: model '{}' refers to {}", place_, name_, missing_);
    }
    Fail("{}: model '{}' does not compile: {}", place_, name_, core::OneLine(reason));
  }

 private:
  struct File {
    std::string text;        // of MJCF, as CheckMjcf wrote it
    std::string hash;        // of an asset
    double pixels = 0;       // of a picture
    std::string_view bytes;  // for MuJoCo
  };

  static mjpResourceProvider Callbacks() {
    mjpResourceProvider provider;
    mjp_defaultProvider(&provider);
    provider.prefix = kScheme;
    provider.mount = [](mjResource*) { return 1; };
    provider.open = [](mjResource* resource) {
      return static_cast<RobotCompiler*>(resource->provider->data)->Open(resource);
    };
    provider.read = [](mjResource* resource, const void** buffer) {
      const std::string_view bytes = static_cast<const File*>(resource->data)->bytes;
      *buffer = bytes.data();
      return static_cast<int>(bytes.size());
    };
    provider.close = [](mjResource* resource) { resource->data = nullptr; };
    // MuJoCo caches assets by name for the whole process; two robots may use the same name.
    provider.modified = [](const mjResource* resource, const char* timestamp) {
      return static_cast<const File*>(resource->data)->hash == timestamp ? 0 : 1;
    };
    return provider;
  }

  // MuJoCo probes several places for one name, so a missing file is not yet an error. It loads
  // assets from threads of its own.
  int Open(mjResource* resource) {
    const std::scoped_lock lock(mutex_);
    try {
      std::string_view name = resource->name;
      if (!name.starts_with(kPrefix)) return 0;
      name.remove_prefix(kPrefix.size());
      name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
      const std::string path = NormalRobotPath(name);
      if (path.empty()) {
        missing_ = fmt::format("'{}', which lies outside the robot's folder", core::OneLine(name));
        return 0;
      }
      const File* file = Find(path);
      if (file == nullptr) {
        missing_ =
            fmt::format("'{}', which does not exist in the robot's folder", core::OneLine(path));
        return 0;
      }
      // Each use of a file makes a copy of its contents.
      opened_bytes_ += static_cast<double>(file->bytes.size());
      pixels_ += file->pixels;
      if (opened_bytes_ > kMaxOpenedBytes || pixels_ > kMaxAllPixels) {
        Fail(
            "'{}' makes the model too large: its files, each use counted, may have {:.0f} bytes "
            "and "
            "{:.0f} pixels",
            path, kMaxOpenedBytes, kMaxAllPixels);
      }
      resource->data = const_cast<File*>(file);
      file->hash.copy(resource->timestamp, sizeof resource->timestamp - 1);
      return 1;
    } catch (const std::exception& error) {
      if (refusal_.empty()) refusal_ = error.what();
      return 0;
    }
  }

  // A name that some document includes always means MJCF, even if MuJoCo reads it as an asset too.
  const File* Find(const std::string& path) {
    const bool is_document = documents_.contains(path.substr(path.rfind('/') + 1));
    std::map<std::string, File>& files = is_document ? mjcf_ : assets_;
    if (const auto found = files.find(path); found != files.end()) return &found->second;
    const std::string* bytes = find_(path);
    if (bytes == nullptr) return nullptr;
    if (files.size() == kMaxFiles) Fail("the robot has more than {} files", kMaxFiles);
    File file;
    if (is_document) {
      file.text = Check(*bytes, path);
    } else {
      file.pixels = CheckPicture(*bytes, path);
      file.hash = core::Sha256(*bytes);
    }
    File& kept = files.emplace(path, std::move(file)).first->second;
    kept.bytes = is_document ? std::string_view(kept.text) : std::string_view(*bytes);
    return &kept;
  }

  std::string Check(std::string_view bytes, const std::string& path) {
    CheckedMjcf checked = CheckMjcf(bytes, path);
    documents_.insert(checked.documents.begin(), checked.documents.end());
    // MuJoCo looks for the file of a <model> in the working directory before it looks here.
    for (const std::string& model : checked.models) mj_mountVFS(&vfs_, model.c_str(), &provider_);

    // Documents that attach one another can multiply without end.
    elements_ += checked.elements;
    copies_ *= 1 + checked.attachments;
    if (elements_ * copies_ > kMaxElements) {
      Fail("'{}' makes the model too large: it may have {:.0f} elements, the limit is {:.0f}", path,
           elements_ * copies_, kMaxElements);
    }
    numbers_ += checked.numbers;
    keys_ += checked.keys;
    user_numbers_ = std::max(user_numbers_, checked.user_numbers);
    const double numbers =
        copies_ * (numbers_ + elements_ * (user_numbers_ + kNumbersPerKey * keys_));
    if (numbers > kMaxNumbers) {
      Fail("'{}' makes the model too large: its sizes ask for {:.3g} numbers, the limit is {:.0f}",
           path, numbers, kMaxNumbers);
    }
    return std::move(checked.text);
  }

  const FindRobotFile find_;
  const std::string name_;
  const std::string_view place_;
  mjpResourceProvider provider_;
  mjVFS vfs_;

  std::mutex mutex_;                           // guards all that follows
  std::map<std::string, File> mjcf_, assets_;  // by path
  std::set<std::string> documents_;            // file names, without folders, that hold MJCF
  double elements_ = 0, numbers_ = 0, user_numbers_ = 0, keys_ = 0;  // see CheckedMjcf
  double copies_ = 1;
  double opened_bytes_ = 0, pixels_ = 0;
  std::string missing_;  // the last name that was not found, and why
  std::string refusal_;  // the first Error, which stops the compilation
};

}  // namespace

ModelPointer CompileRobot(FindRobotFile find, std::string_view name, std::string_view place,
                          const CompileOptions& options) {
  return RobotCompiler(find, name, place).Compile(options);
}

}  // namespace rhumb::sim
