#include <stdlib.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/artifact.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;
namespace fs = std::filesystem;

namespace {

// An artefact with the file "a" and the fuzzer's manifest.
struct ManifestFolder {
  ManifestFolder() {
    std::string name = fs::temp_directory_path() / "rhumb-fuzz-XXXXXX";
    path = ::mkdtemp(name.data());
    std::ofstream(path / "a") << "a";
    fs::create_symlink(manifest.path(), path / "manifest.json");
  }
  ~ManifestFolder() { fs::remove_all(path); }

  fuzz::MemoryFile manifest;
  fs::path path;
};

}  // namespace

RHUMB_FUZZ_TARGET(manifest) {
  static const ManifestFolder kFolder;
  kFolder.manifest.Set(fuzz::TextOf(data, size));
  fuzz::Accepts([] {
    const core::Artifact artifact = core::Artifact::Open(kFolder.path, "");
    for (const auto& [name, entry] : artifact.manifest()["files"].items()) {
      // Links aside, of which there are none but the manifest, all files lie in the folder.
      const fs::path inside = fs::path(name).lexically_normal();
      RHUMB_CHECK(inside.is_relative() && *inside.begin() != "..", "'{}' leads out", name);
    }
    artifact.Verify();
  });
}
