#include "rhumb/serve/page_files.h"

#include <fmt/format.h>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/path.h"

namespace rhumb::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBytes = 16 << 20;

std::string TypeOf(const fs::path& file) {
  const std::string ending = file.extension();
  if (ending == ".html") return "text/html; charset=utf-8";
  if (ending == ".js") return "text/javascript; charset=utf-8";
  if (ending == ".css") return "text/css; charset=utf-8";
  if (ending == ".svg") return "image/svg+xml";
  if (ending == ".png") return "image/png";
  return "application/octet-stream";
}

}  // namespace

PageFiles::PageFiles(const fs::path& folder) {
  std::error_code error;
  std::uint64_t left = kMaxBytes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    PageFile file;
    file.bytes = core::ReadFile(entry.path(), left);
    left -= file.bytes.size();
    file.type = TypeOf(entry.path());
    file.etag = fmt::format("\"{}\"", core::Sha256(file.bytes).substr(0, 32));
    const std::string path = "/" + entry.path().lexically_relative(folder).generic_string();
    file.lasting = path.starts_with("/assets/");
    files_.emplace(path, std::move(file));
  }
  core::CheckListed(folder, error);
}

const PageFile* PageFiles::Find(std::string_view path) const {
  const auto found = files_.find(path == "/" ? "/index.html" : path);
  return found == files_.end() ? nullptr : &found->second;
}

fs::path PageFiles::InstalledFolder() { return core::InstallationFolder() / "share/rhumb/studio"; }

}  // namespace rhumb::serve
