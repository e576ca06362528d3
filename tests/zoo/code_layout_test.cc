#include "rhumb/zoo/code_layout.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::zoo {
namespace {

using net::RolloutMode;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

// A "Python" that answers with what it was given, so the test sees the document and makes the
// layout.
class CodeLayout : public testing::Test {
 protected:
  CodeLayout() {
    const auto echo = scratch_.Write("echo", "#!/bin/sh\nexec cat\n");
    std::filesystem::permissions(echo, std::filesystem::perms::owner_all);
    ::setenv("RHUMB_PYTHON", echo.c_str(), 1);
  }
  ~CodeLayout() override { ::unsetenv("RHUMB_PYTHON"); }

  // Lays row i out at (i, -i).
  json Layout() const {
    const std::filesystem::path file = scratch_.path() / "asked.json";
    EXPECT_TRUE(MakeLayout(model_, file));
    json document = json::parse(test::Contents(file));
    for (json& mode : document["modes"]) {
      mode["places"] = json::array();
      for (std::size_t i = 0; i < mode["codes"].size(); ++i) {
        mode["places"].push_back({static_cast<double>(i), -static_cast<double>(i)});
      }
      mode.erase("codes");
    }
    return document;
  }
  void Store(const json& layout) const { scratch_.Write(kLayoutFile, layout.dump()); }
  std::vector<float> Read() const {
    return ReadLayout(scratch_.path(), model_, RolloutMode::kSampled);
  }

  const test::ScratchFolder scratch_;
  net::Model model_ = net::ModelOfSamples();
};

TEST_F(CodeLayout, IsOptional) { EXPECT_THAT(Read(), IsEmpty()); }

TEST_F(CodeLayout, HasAPlaceForEveryKnownCode) {
  Store(Layout());
  const std::vector<float> places = Read();
  ASSERT_EQ(places.size(),
            2 * static_cast<std::size_t>(KnownCodes(model_, RolloutMode::kSampled).count()));
  EXPECT_EQ(places[2], 1);
  EXPECT_EQ(places[3], -1);
}

TEST_F(CodeLayout, OfOtherCodesIsNotUsed) {
  Store(Layout());
  for (auto& grounding : model_.grounded) {
    if (grounding) grounding->rolled_out.codes[0] += 1;
  }
  model_.training.codes[0] += 1;
  EXPECT_THAT(Read(), IsEmpty());
}

TEST_F(CodeLayout, DamageIsNamed) {
  json layout = Layout();
  layout["modes"]["sampled"]["places"].erase(0);
  Store(layout);
  EXPECT_THAT(test::ErrorOf([&] { Read(); }), HasSubstr("places for"));
  layout["modes"]["sampled"]["places"][0] = {1};
  Store(layout);
  EXPECT_THAT(test::ErrorOf([&] { Read(); }), HasSubstr("a place"));
  Store({{"modes", 3}});
  EXPECT_THAT(test::ErrorOf([&] { Read(); }), HasSubstr(kLayoutFile));
}

}  // namespace
}  // namespace rhumb::zoo
