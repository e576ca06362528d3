#include "rhumb/sim/catalogue.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/robot_files.h"

namespace rhumb::sim {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> SpecFiles(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  if (error) {
    Fail("cannot read the bundled environments in '{}': {}; ./run installs them", folder.string(),
         error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path SpecOf(const fs::path& folder, std::string_view id) {
  return folder / (std::string(id) + ".toml");
}

bool IsFile(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

}  // namespace

fs::path BundledFolder() { return core::InstallationFolder() / "share/rhumb/envs"; }

fs::path ExamplesFolder() { return core::InstallationFolder() / "share/rhumb/examples"; }

std::vector<core::EnvironmentBundle> ListBundled() {
  std::vector<core::EnvironmentBundle> bundles;
  for (const fs::path& file : SpecFiles(BundledFolder())) bundles.push_back(ReadBundle(file));
  return bundles;
}

std::vector<std::string> KnownIds() {
  std::vector<std::string> known;
  for (const fs::path& folder : {BundledFolder(), ExamplesFolder()}) {
    for (const fs::path& file : SpecFiles(folder)) known.push_back(file.stem().string());
  }
  return known;
}

fs::path FindSpecFile(std::string_view name) {
  const fs::path path(name);
  if (path.extension() == ".toml") return path;
  for (const fs::path& folder : {BundledFolder(), ExamplesFolder()}) {
    if (const fs::path file = SpecOf(folder, name); IsFile(file)) return file;
  }
  if (path.extension() == ".xml") {
    Fail(
        "{} is an MJCF file; an environment also needs a spec, FILE.toml: `rhumb envs draft` "
        "writes a first one",
        name);
  }
  const std::vector<std::string> known = KnownIds();
  Fail("unknown environment '{}'{} (or use the path of a spec, FILE.toml)", name,
       core::Suggestion(name, known));
}

core::EnvironmentBundle ReadBundle(const fs::path& path, std::string_view rewards) {
  core::EnvironmentBundle bundle;
  bundle.spec = path.filename().string();
  bundle.files = ReadSpecFiles(path);
  const EnvironmentSpec spec = ParseSpec(bundle.files, bundle.spec);
  spec.objectives(rewards);  // throws Error if the preset is unknown
  bundle.id = spec.id;
  bundle.rewards = rewards.empty() ? spec.default_rewards : std::string(rewards);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  bundle.files.merge(CollectFiles(folder, spec.model, bundle.spec));
  return bundle;
}

core::EnvironmentBundle FindBundle(std::string_view name, std::string_view rewards) {
  const fs::path file = FindSpecFile(name);
  core::EnvironmentBundle bundle = ReadBundle(file, rewards);
  // Two robots of one name would be taken for each other.
  for (const fs::path& folder : {BundledFolder(), ExamplesFolder()}) {
    const fs::path bundled = SpecOf(folder, bundle.id);
    if (bundled == file || !IsFile(bundled)) continue;
    if (ReadBundle(bundled).hash() == bundle.hash()) continue;
    Fail("{}: the id '{}' belongs to an environment that comes with Rhumb; choose another id",
         file.string(), bundle.id);
  }
  return bundle;
}

}  // namespace rhumb::sim
