#include "rhumb/sim/catalogue.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/path.h"
#include "rhumb/core/text.h"

namespace rhumb::sim {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> BundledFiles() {
  const fs::path folder = BundledFolder();
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  if (error) {
    Fail("the bundled environments in '{}' cannot be read: {}; ./run puts them there",
         folder.string(), error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

fs::path BundledFolder() { return core::InstallationFolder() / "share/rhumb/envs"; }

std::vector<EnvironmentSpec> ListBundled() {
  std::vector<EnvironmentSpec> specs;
  for (const fs::path& file : BundledFiles()) specs.push_back(ReadSpec(file));
  return specs;
}

EnvironmentSpec FindSpec(std::string_view name) {
  const fs::path path(name);
  if (path.extension() == ".toml") return ReadSpec(path);
  std::vector<std::string> known;
  for (const fs::path& file : BundledFiles()) {
    if (file.stem() == name) return ReadSpec(file);
    known.push_back(file.stem().string());
  }
  Fail("unknown environment '{}'{} (or give the path of a spec, FILE.toml)", name,
       core::Suggestion(name, known));
}

}  // namespace rhumb::sim
