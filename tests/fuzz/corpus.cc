#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/target.h"

namespace rhumb::fuzz {

void Replay(const char* name, Target* target) {
  const char* root = std::getenv("RHUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(root) / "tests" / "fuzz" / "corpus" / name)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NO_THROW(target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace rhumb::fuzz
