// Another folder in the place of the installation, until the end of the scope.
#pragma once

#include <filesystem>

#include "rhumb/core/files/path.h"

namespace rhumb::test {

class OtherInstallation {
 public:
  explicit OtherInstallation(const std::filesystem::path& folder) {
    core::SetInstallationFolder(folder);
  }
  ~OtherInstallation() { core::SetInstallationFolder({}); }
  OtherInstallation(const OtherInstallation&) = delete;
  OtherInstallation& operator=(const OtherInstallation&) = delete;
};

}  // namespace rhumb::test
