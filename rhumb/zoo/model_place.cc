#include "rhumb/zoo/model_place.h"

#include <algorithm>
#include <system_error>

#include "rhumb/core/error.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/text.h"

namespace rhumb::zoo {

namespace fs = std::filesystem;

fs::path ZooFolder() { return core::InstallationFolder() / "share/rhumb/zoo"; }

std::vector<std::string> ZooNames() {
  std::error_code error;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(ZooFolder(), error)) {
    std::error_code none;
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(none) && !name.starts_with('.')) names.push_back(name);
  }
  core::CheckListed(ZooFolder(), error);
  std::sort(names.begin(), names.end());
  return names;
}

fs::path FindModel(const std::string& model) {
  std::error_code none;
  if (fs::is_directory(model, none)) return model;
  const std::vector<std::string> names = ZooNames();
  if (std::find(names.begin(), names.end(), model) != names.end()) return ZooFolder() / model;
  const bool is_path = fs::path(model).has_parent_path() || fs::exists(model, none);
  if (is_path || model.empty()) return model;
  if (names.empty()) Fail("there is no folder '{}', and the zoo is empty", model);
  Fail("'{}' is neither a folder nor a model of the zoo{}", model, core::Suggestion(model, names));
}

bool IsZooEntry(const fs::path& folder) {
  std::error_code none;
  return fs::equivalent(folder / "..", ZooFolder(), none);
}

std::string ChooseOutput(const std::string& model, const std::string& out) {
  if (!out.empty()) return out;
  const fs::path folder = FindModel(model);
  if (IsZooEntry(folder)) {
    Fail("'{}' belongs to the zoo and cannot be replaced; choose an output folder", model);
  }
  return folder.string();
}

}  // namespace rhumb::zoo
