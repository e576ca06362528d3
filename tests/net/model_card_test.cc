#include "rhumb/net/model_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/net/sample_model.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ModelCard, TellsWhatTheModelIs) {
  Model model = SampleModelOf({.id = "point-v0", .rewards = "two", .spec = "", .files = {}},
                              {"x_velocity", "energy"}, {});
  model.description.objectives[1].expression = "mean(a|b)";
  model.description.objectives[1].unit = "squared\ncontrol";
  const std::string card = WriteModelCard(model);
  EXPECT_THAT(card, StartsWith("---\nlibrary_name: rhumb\n"));
  EXPECT_THAT(card, HasSubstr("- robotics\n---\n\n# A map"));
  EXPECT_THAT(card, AllOf(HasSubstr("# A map of behaviours for point-v0\n"),
                          HasSubstr("8 state-action pairs"), HasSubstr("code of 6 numbers"),
                          HasSubstr("rewards `two`, episodes of at most 100 steps"),
                          HasSubstr("3 observations, 2 actions"), HasSubstr("![map](map.png)")));
  EXPECT_THAT(card,
              HasSubstr("| x_velocity | units | -6 | 6 | 0 | 2 | return of the environment |"));
  EXPECT_THAT(card, HasSubstr("| energy | squared control | 1 | 19 | 10 | 3 | `mean(a\\|b)` |"));
  EXPECT_THAT(card, HasSubstr("| dataset.episodes | 12 |"));
  EXPECT_THAT(card, HasSubstr("| probe.train_mse | 0.25 |"));
  EXPECT_THAT(card, HasSubstr("sampled actions: 5 codes rolled out, 2 episodes each"));
  EXPECT_THAT(card, HasSubstr("rhumb model show FOLDER"));
  EXPECT_THAT(card, HasSubstr("rhumb steer FOLDER --target x_velocity=0"));
}

TEST(ModelCard, SaysWhatIsNotThere) {
  Model model = SampleModel();
  model.grounded = {};
  model.description.time_limit = 0;
  model.provenance = model.metrics = Model().provenance;
  const std::string card = WriteModelCard(model);
  EXPECT_THAT(card, AllOf(HasSubstr("Not recorded."), HasSubstr("Nothing yet."),
                          Not(HasSubstr("actions: 5")), Not(HasSubstr("at most"))));
}

}  // namespace
}  // namespace rhumb::net
