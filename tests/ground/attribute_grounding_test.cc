#include "rhumb/ground/attribute_grounding.h"

#include <gmock/gmock.h>

#include "rhumb/ground/model_grounding.h"
#include "tests/rollout/echo_folders.h"
#include "tests/support/error_expectation.h"

namespace rhumb::ground {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::HasSubstr;

// A grounded model needs its rollouts again; the old objectives are unchanged.
TEST(AttributeGrounding, GroundedModels) {
  const rollout::EchoFolders folders;
  GroundRequest ground;
  ground.model = folders.model();
  ground.job.quiet = true;
  ground.config.codes = 100;
  ground.config.episodes = 2;
  ASSERT_EQ(GroundModel(ground), core::Outcome::kDone);
  rollout::AddAttributesRequest request;
  request.model = folders.model();
  request.data = folders.data();
  request.out = folders.file("more");
  request.names = {"extra"};
  request.expressions = {"mean(action_0)"};
  request.job.quiet = true;
  request.job.threads = 2;
  EXPECT_THAT(ErrorOf([&] { rollout::AddAttributes(request); }),
              HasSubstr("its rollouts lack the new attributes"));
  EXPECT_FALSE(fs::exists(folders.file("more")));

  request.job.should_stop = [] { return true; };
  EXPECT_EQ(AddGroundedAttributes(request), core::Outcome::kStopped);
  EXPECT_FALSE(fs::exists(folders.file("more")));
  request.job.should_stop = [] { return false; };
  ASSERT_EQ(AddGroundedAttributes(request), core::Outcome::kDone);
  EXPECT_FALSE(fs::exists(folders.file("more.work")));
  const net::Model before = net::ReadModel(folders.model());
  const net::Model after = net::ReadModel(folders.file("more"));
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const net::Grounding& old = before.grounded[mode].value();
    const net::Grounding& now = after.grounded[mode].value();
    EXPECT_EQ(now.rolled_out.codes, old.rolled_out.codes);
    EXPECT_EQ(now.rolled_out.policies, old.rolled_out.policies);
    EXPECT_EQ(now.episodes, old.episodes);
    EXPECT_EQ(now.rolled_out.objectives, 3);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(now.rolled_out.values[3 * i], old.rolled_out.values[2 * i]);
      EXPECT_EQ(now.rolled_out.values[3 * i + 1], old.rolled_out.values[2 * i + 1]);
      // A code's mean push: exact with mean actions, otherwise averaged over 200 steps of noise
      // e^-3.
      EXPECT_NEAR(now.rolled_out.values[3 * i + 2], now.rolled_out.codes[2 * i],
                  mode == static_cast<std::size_t>(net::RolloutMode::kMean) ? 1e-6 : 0.02);
    }
  }
}

// Adds only heads, without rollouts.
TEST(AttributeGrounding, UngroundedModels) {
  const rollout::EchoFolders folders;
  rollout::AddAttributesRequest request;
  request.model = folders.model();
  request.data = folders.data();
  request.names = {"extra"};
  request.expressions = {"mean(action_0)"};
  request.out = folders.file("a");
  ASSERT_EQ(AddGroundedAttributes(request), core::Outcome::kDone);
  request.out = folders.file("b");
  rollout::AddAttributes(request);
  EXPECT_EQ(net::ReadModel(folders.file("a")).heads.weights,
            net::ReadModel(folders.file("b")).heads.weights);
}

}  // namespace
}  // namespace rhumb::ground
