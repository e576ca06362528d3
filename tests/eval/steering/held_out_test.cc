#include "rhumb/eval/steering/held_out.h"

#include <gmock/gmock.h>

#include <cmath>

#include "rhumb/net/safetensors.h"
#include "rhumb/rollout/episode_encoder.h"
#include "tests/data/sample_dataset.h"
#include "tests/net/sample_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using testing::ElementsAre;

// Policies 1 and 2 are held out. In an episode that begins at f, step t has the observations f + 3
// t, f + 3 t + 1, f + 3 t + 2. Its actions are f + 1000 + 2 t and one more.
TEST(HeldOut, ByHand) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  const net::Model model = net::ModelOfSamples();
  const std::filesystem::path file = scratch.path() / "h.safetensors";
  EXPECT_EQ(WriteHeldOut(dataset, model, 0, file), 2);

  const net::SafetensorsFile read(file);
  EXPECT_THAT(read.Doubles("returns"), ElementsAre(1, -1, 2, -2));
  EXPECT_THAT(read.Integers("splits"), ElementsAre(1, 2));
  EXPECT_THAT(read.Integers("agents"), ElementsAre(1, 2));
  EXPECT_THAT(read.Integers("iterations"), ElementsAre(5, 5));
  EXPECT_THAT(read.Doubles("weights"), ElementsAre(0.9, 0.1, 0.8, 0.2));
  EXPECT_EQ(read.metadata().at("objectives"), "forward,energy");
  EXPECT_EQ(read.metadata().at("dataset"), dataset.artifact().hash());

  const std::int64_t context = model.description.context;
  EXPECT_THAT(read.shape("contexts"), ElementsAre(2, context, 5));
  const std::vector<float> pairs = read.Floats("contexts");
  const std::vector<int> steps = {33, 50};
  for (std::size_t i = 0; i < pairs.size(); i += 5) {
    const std::size_t policy = i / 5 / static_cast<std::size_t>(context);
    const auto first = static_cast<float>(policy + 1);
    const float t = (pairs[i] - first) / 3;
    EXPECT_EQ(t, std::floor(t));
    EXPECT_GE(t, 0);
    EXPECT_LT(t, static_cast<float>(steps[policy]));
    EXPECT_EQ(pairs[i + 2], first + 3 * t + 2);
    EXPECT_EQ(pairs[i + 3], first + 1000 + 2 * t);
    EXPECT_EQ(pairs[i + 4], first + 1000 + 2 * t + 1);
  }
  EXPECT_NE(pairs[0], pairs[5]);  // the pairs differ for this seed
}

TEST(HeldOut, ReadsItsPoliciesAsAnchors) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  net::Model model = net::ModelOfSamples();
  const std::filesystem::path file = scratch.path() / "h.safetensors";
  WriteHeldOut(dataset, model, 0, file);

  const Anchors both = ReadHeldOut(file, model, "held_out");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_THAT(both[0].values, ElementsAre(1, -1));
  EXPECT_EQ(both[0].split, "held_out_checkpoint");
  const Anchors one = ReadHeldOut(file, model, "held_out_weight");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_THAT(one[0].values, ElementsAre(2, -2));
  EXPECT_EQ(one[0].policy, 1);
  EXPECT_EQ(one[0].split, "held_out_weight");

  EXPECT_THAT(test::ErrorOf([&] { ReadHeldOut(file, model, "hole"); }),
              testing::HasSubstr("no policy of the split 'hole'"));
  model.description.objectives[0].name = "backward";
  EXPECT_THAT(test::ErrorOf([&] { ReadHeldOut(file, model, "held_out"); }),
              testing::HasSubstr("objectives of the model, backward,energy"));
}

TEST(HeldOut, EncodesItsContexts) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  net::Model model = net::ModelOfSamples();
  const std::filesystem::path file = scratch.path() / "h.safetensors";
  WriteHeldOut(data::Dataset::Open(scratch.path() / "d"), model, 0, file);
  EXPECT_EQ(EncodeHeldOut(file, model),
            rollout::EncodeContexts(model, net::SafetensorsFile(file).Floats("contexts")));
  EXPECT_EQ(EncodeHeldOut(file, model).size(), 2u * static_cast<std::size_t>(model.code_size()));
  ++model.description.context;
  EXPECT_THAT(test::ErrorOf([&] { EncodeHeldOut(file, model); }),
              testing::HasSubstr("2 policies of this model need [2, "));
}

TEST(HeldOut, ADatasetOfAnotherEnvironmentIsRefused) {
  const test::ScratchFolder scratch;
  data::WriteSampleDataset(scratch.path() / "d");
  const data::Dataset dataset = data::Dataset::Open(scratch.path() / "d");
  const net::Model other =
      net::SampleModelOf({.id = "other-v0", .rewards = "upstream", .spec = "", .files = {}},
                         {"forward", "energy"}, {});
  EXPECT_THAT(test::ErrorOf([&] { WriteHeldOut(dataset, other, 0, scratch.path() / "h"); }),
              testing::HasSubstr("'other-v0'"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "h"));
}

}  // namespace
}  // namespace rhumb::eval
