// Compares the embeddable policy with the simulator's rollouts. The two rooms are independent and
// must agree.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/steer/embed.h"
#include "tests/net/sample_model.h"
#include "tests/support/scratch_folder.h"

namespace rhumb {
namespace {

class Embedding : public testing::TestWithParam<net::RolloutMode> {};

TEST_P(Embedding, ActsToTheBitAsARollOut) {
  const net::Model model =
      net::SampleModelOf(sim::FindBundle("point-v0", "two"), {"x_velocity", "energy"},
                         {.observations = 2, .actions = 2});
  const test::ScratchFolder scratch;
  net::WriteModel(model, scratch.path() / "m", core::Existing::kRefuse, nlohmann::json::object());

  const std::vector<float> code(model.training.codes.begin(),
                                model.training.codes.begin() + model.code_size());
  const sim::Environment environment = rollout::MakeEnvironment(model);
  data::Episode episode;
  rollout::RollOutCodes(environment, model, code,
                        {.mode = GetParam(),
                         .job = {.seed = 5, .quiet = true},
                         .on_episode = [&](int, int, const data::Episode& one) { episode = one; }});
  ASSERT_EQ(episode.steps(), environment.time_limit());

  const steer::BehaviourMap map =
      steer::BehaviourMap::Load(scratch.path() / "m", {.mode = GetParam() == net::RolloutMode::kMean
                                                                   ? steer::ActionMode::kMean
                                                                   : steer::ActionMode::kSampled});
  steer::CodePolicy policy = map.MakePolicy(code, 5);
  std::vector<double> observation(2), action(2);
  for (std::size_t step = 0; step < static_cast<std::size_t>(episode.steps()); ++step) {
    for (std::size_t i = 0; i < 2; ++i) observation[i] = episode.observations[2 * step + i];
    ASSERT_TRUE(policy.Act(observation, action));
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_EQ(static_cast<float>(action[i]), episode.actions[2 * step + i]) << "step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Embedding,
                         testing::Values(net::RolloutMode::kSampled, net::RolloutMode::kMean),
                         [](const auto& mode) { return std::string(net::NameOf(mode.param)); });

}  // namespace
}  // namespace rhumb
