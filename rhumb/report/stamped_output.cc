#include "rhumb/report/stamped_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "rhumb/core/files/file.h"
#include "rhumb/report/picture.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxStampBytes = 1 << 10;

bool IsThere(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

}  // namespace

StampedOutput::StampedOutput(std::vector<fs::path> files, fs::path stamp, std::string hash)
    : files_(std::move(files)), stamp_(std::move(stamp)), hash_(std::move(hash)) {}

bool StampedOutput::IsUpToDate() const {
  return std::all_of(files_.begin(), files_.end(), IsThere) && IsThere(stamp_) &&
         core::ReadFile(stamp_, kMaxStampBytes) == hash_ + "\n";
}

void StampedOutput::Remove() const {
  fs::remove(stamp_);
  for (const fs::path& file : files_) fs::remove(file);
}

bool StampedOutput::Make(std::string_view script, std::string_view product,
                         const nlohmann::json& document) const {
  if (!RunScript(script, product, document, files_)) return false;
  core::WriteFileAtomically(stamp_, hash_ + "\n");
  return true;
}

}  // namespace rhumb::report
