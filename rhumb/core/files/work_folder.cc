#include "rhumb/core/files/work_folder.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/files/temporary.h"

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxRunBytes = 1 << 26;

// A damaged file reads as null.
json ReadObject(const fs::path& file) {
  try {
    json object = ReadJson(file, kMaxRunBytes);
    return object.is_object() ? object : json();
  } catch (const Error&) {
    return {};
  }
}

struct Difference {
  std::string key;  // "config.epochs" of an object within the object
  json there, here;
};

// The first value of `run` that is another in `other`; if `whole`, also one that is missing there.
std::optional<Difference> FindDifference(const json& run, const json& other, bool whole) {
  for (const auto& [key, value] : run.items()) {
    const json there = other.value(key, json());
    if (there == value || (there.is_null() && !whole)) continue;
    if (!there.is_object() || !value.is_object()) return Difference{key, there, value};
    if (std::optional<Difference> inner = FindDifference(value, there, whole)) {
      inner->key = key + "." + inner->key;
      return inner;
    }
    if (whole) return Difference{key, there, value};
  }
  return std::nullopt;
}

}  // namespace

fs::path WorkFolderOf(const fs::path& out) { return out.string() + ".work"; }

WorkFolder::WorkFolder(const fs::path& out, const json& run) : path_(WorkFolderOf(out)) {
  RemoveSpentWork(out);
  const fs::path file = path_ / "run.json";
  MakeFolder(path_);
  if (!fs::exists(file)) {
    core::WriteFileAtomically(file, run.dump(2));
    return;
  }
  const json there = ReadObject(file);
  if (there.is_null()) {
    Fail("{} is damaged; remove {} to start again", file.string(), path_.string());
  }
  if (const std::optional<Difference> found = FindDifference(run, there, true)) {
    Fail("{} belongs to another run: its '{}' is {}, not {}; remove it or choose another output",
         path_.string(), found->key, found->there.dump(), found->here.dump());
  }
}

void RequireSameRun(const json& run, const json& made, const fs::path& out) {
  if (const std::optional<Difference> found = FindDifference(run, made, false)) {
    Fail("'{}' is finished, and its '{}' is {}, not {}; choose another output, or remove it",
         out.string(), found->key, found->there.dump(), found->here.dump());
  }
}

void RemoveSpentWork(const fs::path& out) {
  // A run that was killed while it removed the folder left the rest under a hidden name.
  if (!fs::exists(WorkFolderOf(out))) return core::RemoveFolderAtOnce(WorkFolderOf(out));
  const fs::path run_file = WorkFolderOf(out) / "run.json", manifest_file = out / "manifest.json";
  if (!fs::exists(run_file) || !fs::exists(manifest_file)) return;
  const json run = ReadObject(run_file), manifest = ReadObject(manifest_file);
  if (run.is_null() || manifest.is_null() || FindDifference(run, manifest, true)) return;
  core::RemoveFolderAtOnce(WorkFolderOf(out));
}

void WorkFolder::Remove() const { core::RemoveFolderAtOnce(path_); }

fs::path NumberedFile(const fs::path& folder, std::string_view kind, std::int64_t number) {
  return folder / fmt::format("{}_{:05}.safetensors", kind, number);
}

std::set<std::int64_t> NumbersOf(const fs::path& folder, std::string_view kind) {
  std::set<std::int64_t> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(fmt::format("{}_", kind))) continue;
    const std::int64_t number = std::atoll(name.c_str() + kind.size() + 1);
    if (entry.path() == NumberedFile(folder, kind, number)) numbers.insert(number);
  }
  CheckListed(folder, error);
  return numbers;
}

void RemoveOthers(const fs::path& folder, std::string_view kind, std::int64_t number) {
  for (const std::int64_t other : NumbersOf(folder, kind)) {
    std::error_code ignored;
    if (other != number) fs::remove(NumberedFile(folder, kind, other), ignored);
  }
}

}  // namespace rhumb::core
