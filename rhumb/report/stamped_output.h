// Files that a tools/pictures script makes for a report, with a stamp that identifies their
// inputs.
//
//   hash of all that a script reads -> IsUpToDate? -> Remove -> Make: script -> files -> stamp
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::report {

// Different threads may make different outputs.
class StampedOutput {
 public:
  // `hash` covers all inputs of the files. The stamp records it once the files are made.
  StampedOutput(std::vector<std::filesystem::path> files, std::filesystem::path stamp,
                std::string hash);

  bool IsUpToDate() const;
  void Remove() const;
  // Like RunScript; the stamp is written last.
  bool Make(std::string_view script, std::string_view product,
            const nlohmann::json& document) const;

 private:
  std::vector<std::filesystem::path> files_;
  std::filesystem::path stamp_;
  std::string hash_;
};

}  // namespace rhumb::report
