#include "rhumb/rollout/onnx_metadata.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rhumb/sim/catalogue.h"
#include "tests/net/sample_model.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

std::map<std::string, std::string> MetadataOf(const net::Model& model) {
  const test::ScratchFolder folder;
  net::WriteModel(model, folder.path() / "point", core::Existing::kRefuse, {{"seed", 1}});
  return OnnxMetadata(model, net::OpenModelArtifact(folder.path() / "point"));
}

TEST(OnnxMetadata, DescribesTheRobot) {
  auto found =
      MetadataOf(net::SampleModelOf(sim::FindBundle("point-v0", "two"), {"x_velocity", "energy"},
                                    {.observations = 2, .actions = 2}));
  EXPECT_EQ(found["rhumb.environment"], "point-v0");
  EXPECT_EQ(found["rhumb.objectives"], "x_velocity,energy");
  EXPECT_EQ(found["run_path"], "point");
  EXPECT_EQ(found["action_scale"], "1,1");
  EXPECT_EQ(found["default_joint_pos"], "0,0");
  EXPECT_EQ(found["joint_names"].find(','), found["joint_names"].rfind(','));
  EXPECT_EQ(found["rhumb.model_hash"].size(), 64u);
  EXPECT_FALSE(found["rhumb.time_step"].empty());
}

TEST(OnnxMetadata, WithoutTheEnvironmentJointsAreNumbered) {
  auto found = MetadataOf(
      net::SampleModelOf({.id = "far-v0", .rewards = "", .spec = "", .files = {}}, {"x", "y"}, {}));
  EXPECT_EQ(found["joint_names"], "action_0,action_1");
  EXPECT_EQ(found["observation_names"], "observation");
}

}  // namespace
}  // namespace rhumb::rollout
