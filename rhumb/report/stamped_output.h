// What a script of tools/pictures makes for a report, and a stamp that tells what it was made from.
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
  // `hash` is of all that the files are made from; the stamp repeats it once they are made.
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
