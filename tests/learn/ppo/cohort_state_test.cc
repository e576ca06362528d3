#include <gmock/gmock.h>

#include "rhumb/core/files/file.h"
#include "rhumb/learn/ppo/cohort.h"
#include "tests/learn/ppo/small_cohort.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::ppo {
namespace {

using testing::HasSubstr;

class CohortState : public testing::Test {
 protected:
  void Save(const Cohort& cohort, int index) const {
    net::SafetensorsWriter out;
    cohort.SaveState(index, out);
    core::WriteFileAtomically(FileOf(index), out.Bytes());
  }
  void Restore(Cohort& cohort, int index, int from) const {
    cohort.RestoreState(index, net::SafetensorsFile(FileOf(from)));
  }
  std::filesystem::path FileOf(int index) const {
    return folder_.path() / (std::to_string(index) + ".safetensors");
  }

  test::ScratchFolder folder_;
};

TEST_F(CohortState, ARestoredCohortContinuesToTheBit) {
  Cohort whole = MakeCohort();
  Train(whole, 2);
  for (int i = 0; i < 2; ++i) Save(whole, i);
  Train(whole, 2);

  Cohort resumed = MakeCohort();
  for (int i = 0; i < 2; ++i) Restore(resumed, i, i);
  EXPECT_EQ(resumed.iteration(), 2);
  EXPECT_EQ(resumed.history(1).size(), 2u);
  Train(resumed, 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(BytesOf(resumed.policy(i)), BytesOf(whole.policy(i)));
    EXPECT_EQ(resumed.history(i).back().returns, whole.history(i).back().returns);
    EXPECT_EQ(resumed.history(i).back().gradient_norm, whole.history(i).back().gradient_norm);
  }
}

TEST_F(CohortState, AChildStartsWhereItsParentEnded) {
  Cohort roots = MakeCohort();
  Train(roots, 2);
  for (int i = 0; i < 2; ++i) Save(roots, i);
  const std::vector<AgentSpec> child = {{.id = 2, .weights = {0.75, 0.25}, .parent = 1}};
  const CohortOptions options{.seed = 1, .first_iteration = 2, .group_size = 2};
  Cohort children(PointMass(), SmallPpo(), child, options, torch::kCPU);
  EXPECT_NE(BytesOf(children.policy(0)), BytesOf(roots.policy(1)));
  EXPECT_THAT(test::ErrorOf([&] { children.Inherit(0, net::SafetensorsFile(FileOf(0))); }),
              HasSubstr("its agent is '0', this run's is '1'"));
  children.Inherit(0, net::SafetensorsFile(FileOf(1)));
  // The bytes include the normaliser.
  EXPECT_EQ(BytesOf(children.policy(0)), BytesOf(roots.policy(1)));
  EXPECT_EQ(children.iteration(), 2);
  EXPECT_TRUE(children.history(0).empty());

  // A child resumes like a root.
  Train(children, 1);
  Save(children, 0);
  Train(children, 1);
  Cohort resumed(PointMass(), SmallPpo(), child, options, torch::kCPU);
  Restore(resumed, 0, 0);
  EXPECT_EQ(resumed.iteration(), 3);
  EXPECT_EQ(resumed.history(0).size(), 1u);
  Train(resumed, 1);
  EXPECT_EQ(BytesOf(resumed.policy(0)), BytesOf(children.policy(0)));
}

TEST_F(CohortState, AStateOfAnotherRunIsAnError) {
  Cohort cohort = MakeCohort();
  Train(cohort, 1);
  Save(cohort, 0);
  Cohort again = MakeCohort(), other_seed = MakeCohort(2);
  EXPECT_THAT(test::ErrorOf([&] { Restore(again, 1, 0); }),
              HasSubstr("its agent is '0', this run's is '1'"));
  EXPECT_THAT(test::ErrorOf([&] { Restore(other_seed, 0, 0); }), HasSubstr("its seed is '1'"));
  Cohort other_weights = MakeCohort(1, {{.id = 0, .weights = {0.9, 0.1}}});
  EXPECT_THAT(test::ErrorOf([&] { Restore(other_weights, 0, 0); }), HasSubstr("other weights"));
}

TEST_F(CohortState, AStateOfAnotherNetworkIsAnError) {
  Cohort cohort = MakeCohort();
  Save(cohort, 0);
  PpoConfig wider = SmallPpo();
  wider.hidden = {16};
  Cohort other(PointMass(), wider, TwoAgents(), {.seed = 1, .group_size = 2}, torch::kCPU);
  EXPECT_THAT(test::ErrorOf([&] { Restore(other, 0, 0); }), HasSubstr("state of other settings"));
}

}  // namespace
}  // namespace rhumb::learn::ppo
