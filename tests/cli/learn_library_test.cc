#include "rhumb/cli/learn_library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "rhumb/core/error.h"

namespace rhumb::cli {
namespace {

std::string ErrorOfLoading(const std::filesystem::path& path) {
  try {
    LoadLearnLibrary(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LearnLibrary, StandsInLibBesideTheFolderOfTheBinary) {
  const auto binary = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(LearnLibraryPath(), binary.parent_path().parent_path() / "lib" / "librhumb_learn.so");
}

TEST(LearnLibrary, SaysHowToGetItWhereItIsNotBuilt) {
  const std::string message = ErrorOfLoading("/nowhere/librhumb_learn.so");
  EXPECT_THAT(message, testing::HasSubstr("/nowhere/librhumb_learn.so"));
  EXPECT_THAT(message, testing::HasSubstr("tools/setup learn"));
}

TEST(LearnLibrary, RefusesAFileThatIsNoLibrary) {
  EXPECT_THAT(ErrorOfLoading("/proc/self/status"), testing::HasSubstr("cannot load"));
}

TEST(LearnLibrary, RefusesALibraryWithoutTheSeam) {
  // The C library exists everywhere and does not have our interface.
  Dl_info c_library{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&std::abort), &c_library), 0);
  EXPECT_THAT(ErrorOfLoading(c_library.dli_fname), testing::HasSubstr("another version"));
}

TEST(LearnLibrary, LoadsWhereItIsBuilt) {
  if (!std::filesystem::exists(LearnLibraryPath()))
    GTEST_SKIP() << "built without RHUMB_BUILD_LEARN";
  const RhumbLearnInfo& info = LoadLearnLibrary();
  EXPECT_EQ(info.abi, kRhumbLearnAbi);
  EXPECT_THAT(info.torch_version, testing::MatchesRegex("2\\.[0-9]+\\.[0-9]+"));
  EXPECT_GE(info.threads, 1);
  EXPECT_EQ(&LoadLearnLibrary(), &info);
}

}  // namespace
}  // namespace rhumb::cli
