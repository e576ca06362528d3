#include "rhumb/zoo/zoo_signature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"
#include "rhumb/net/model.h"

namespace rhumb::zoo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Allowed difference between compilers and instruction sets, relative to the value or to 1.
constexpr double kTolerance = 1e-4;

// The JSON pointer of the first number or word that differs; "" if none does.
std::string FirstDifference(const json& a, const json& b) {
  const json flat = a.flatten(), other = b.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!other.contains(pointer)) return pointer;
    if (!value.is_number()) {
      if (value != other[pointer]) return pointer;
      continue;
    }
    const double number = value.get<double>(), beside = other[pointer].get<double>();
    if (std::abs(number - beside) > kTolerance * std::max(1.0, std::abs(number))) return pointer;
  }
  return flat.size() == other.size() ? "" : "/";
}

TEST(ZooSignature, DifferenceIsFound) {
  EXPECT_EQ(FirstDifference({{"a", {1.0, 2.0}}}, {{"a", {1.0, 2.0}}}), "");
  EXPECT_EQ(FirstDifference({{"a", {1.0, 2.0}}}, {{"a", {1.0, 2.1}}}), "/a/1");
  EXPECT_EQ(FirstDifference({{"a", 6000}}, {{"a", 6000.5}}), "");
  EXPECT_EQ(FirstDifference({{"a", "x"}}, {{"a", "y"}}), "/a");
  EXPECT_EQ(FirstDifference({{"a", 1}}, {{"a", 1}, {"b", 1}}), "/");
}

// Every bundled model still computes its signature, and a changed model does not.
TEST(ZooSignature, EntriesComputeWhatTheySay) {
  int count = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(std::getenv("RHUMB_SOURCE_DIR")) / "zoo")) {
    SCOPED_TRACE(entry.path().string());
    const json signature = core::ReadJson(entry.path() / "signature.json", 1 << 20);
    net::Model model = net::ReadModel(entry.path());
    EXPECT_EQ(FirstDifference(signature, SignModel(model)), "");
    for (float& bias : model.decoder.joint_code.bias) bias += 0.1f;  // some units may be dead
    EXPECT_TRUE(FirstDifference(signature, SignModel(model)).starts_with("/decoded/"));
    model.encoder.posterior.bias[0] += 0.01f;
    EXPECT_TRUE(FirstDifference(signature, SignModel(model)).starts_with("/code/"));
    ++count;
  }
  EXPECT_GE(count, 1);
}

}  // namespace
}  // namespace rhumb::zoo
