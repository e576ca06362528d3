#include "rhumb/net/decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/net/double_reference.h"
#include "tests/net/sample_model.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::net {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Actions {
  std::vector<float> mean, log_deviation;
};

// Acts with one prepared code per row. The workspace starts as NaN, so reading an unwritten value
// shows.
Actions Act(const Decoder& decoder, const std::vector<float>& observations,
            const std::vector<float>& codes) {
  const int rows = static_cast<int>(observations.size()) / decoder.observation_size();
  std::vector<float> workspace(decoder.workspace_size(rows), kNan);
  std::vector<std::vector<float>> prepared;
  std::vector<const float*> pointers;
  for (int row = 0; row < rows; ++row) {
    prepared.emplace_back(decoder.prepared_size(), kNan);
    decoder.Prepare(codes.data() + row * decoder.code_size(), prepared.back().data(), workspace);
    pointers.push_back(prepared.back().data());
  }
  const auto count = static_cast<std::size_t>(rows * decoder.action_size());
  Actions actions{std::vector<float>(count), std::vector<float>(count)};
  decoder.Forward(observations.data(), pointers.data(), rows, actions.mean.data(),
                  actions.log_deviation.data(), workspace);
  return actions;
}

Mlp Chain(const std::vector<std::array<float, 2>>& steps) {
  Mlp network(std::vector<int>(steps.size() + 1, 1), Activation::kRelu);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    network.SetLayer(i, std::span(&steps[i][0], 1), std::span(&steps[i][1], 1));
  }
  return network;
}

// s = relu(relu(2 x) + 1), joint = relu(0.5 s - h + 0.5), mean = 0.2 relu(3 joint - 1) + 0.5.
Decoder HandDecoder(DeviationSource source) {
  Decoder decoder;
  decoder.deviation_source = source;
  decoder.state_mlp = Chain({{2, 0}, {1, 1}});
  decoder.joint_state = Layer(1, 1, std::vector<float>{0.5f}, std::vector<float>{0});
  decoder.joint_code = Layer(1, 1, std::vector<float>{-1}, std::vector<float>{0.5f});
  if (source == DeviationSource::kCode) {
    decoder.joint_mlp = Chain({{3, -1}, {0.2f, 0.5f}});
    decoder.deviation_mlp = Chain({{1, 0}, {1, 1}, {-10, 0}});
  } else {
    decoder.joint_mlp = Mlp({1, 1, 2}, Activation::kRelu);
    decoder.joint_mlp.SetLayer(0, std::vector<float>{3}, std::vector<float>{-1});
    decoder.joint_mlp.SetLayer(1, std::vector<float>{0.2f, 10}, std::vector<float>{0.5f, -0.25f});
  }
  return decoder;
}

// x = 3, h = 2: s = 7, joint = 3.5 - 2 + 0.5 = 2, then 5: mean 1.5, log std 49.75, clamped.
// x = -3, h = 2: s = 1, joint = relu(-1) = 0, then relu(-1) = 0: mean 0.5, log std -0.25.
TEST(Decoder, ByHand) {
  const Actions actions = Act(HandDecoder(DeviationSource::kStateAndCode), {3, -3}, {2, 2});
  EXPECT_THAT(actions.mean, ElementsAre(1.5f, 0.5f));
  EXPECT_THAT(actions.log_deviation, ElementsAre(2, -0.25f));
}

// The means are the same. The log std is -10 (h + 1): -30 for h = 2, clamped to -20, and -15 for h
// = 0.5.
TEST(Decoder, DeviationOfTheCodeByHand) {
  const Actions actions = Act(HandDecoder(DeviationSource::kCode), {3, -3, 8}, {2, 2, 0.5f});
  EXPECT_EQ(actions.mean[0], 1.5f);
  EXPECT_EQ(actions.mean[1], 0.5f);
  EXPECT_THAT(actions.log_deviation, ElementsAre(-20, -20, -15));
}

// Means, then log standard deviations, of one row in double.
Vector ReferenceAct(const Decoder& decoder, const Vector& observation, const Vector& code) {
  Vector joint = Apply(decoder.joint_state, Rectified(Apply(decoder.state_mlp, observation)));
  const Vector of_code = Apply(decoder.joint_code, code);
  for (std::size_t i = 0; i < joint.size(); ++i) joint[i] += of_code[i];
  Vector outputs = Apply(decoder.joint_mlp, Rectified(joint));
  if (decoder.deviation_source == DeviationSource::kCode) {
    const Vector deviations = Apply(decoder.deviation_mlp, code);
    outputs.insert(outputs.end(), deviations.begin(), deviations.end());
  }
  for (std::size_t i = outputs.size() / 2; i < outputs.size(); ++i) {
    outputs[i] = std::clamp(outputs[i], -20.0, 2.0);
  }
  return outputs;
}

class RandomDecoder : public ::testing::TestWithParam<DeviationSource> {
 protected:
  static constexpr int kObservations = 5, kActions = 3, kCode = 6, kRows = 13;
  RandomDecoder()
      : decoder_(SampleDecoder(kObservations, kActions, kCode, GetParam(), weights_)),
        observations_(weights_.Draw(kRows * kObservations)),
        codes_(weights_.Draw(kRows * kCode)) {}

  template <class Number = float>
  static std::vector<Number> Part(const std::vector<float>& values, int begin, int count) {
    return {values.begin() + begin, values.begin() + begin + count};
  }

  SampleWeights weights_{5};
  Decoder decoder_;
  std::vector<float> observations_, codes_;
};

INSTANTIATE_TEST_SUITE_P(Sources, RandomDecoder,
                         ::testing::Values(DeviationSource::kStateAndCode, DeviationSource::kCode));

// Numbers are of order 10 and pass five layers of float, so two implementations must agree to 1e-5.
TEST_P(RandomDecoder, EqualsAPlainReference) {
  EXPECT_EQ(decoder_.observation_size(), kObservations);
  EXPECT_EQ(decoder_.action_size(), kActions);
  EXPECT_EQ(decoder_.code_size(), kCode);
  const Actions actions = Act(decoder_, observations_, codes_);
  for (int row = 0; row < kRows; ++row) {
    const Vector expected =
        ReferenceAct(decoder_, Part<double>(observations_, row * kObservations, kObservations),
                     Part<double>(codes_, row * kCode, kCode));
    for (std::size_t i = 0; i < kActions; ++i) {
      const std::size_t at = static_cast<std::size_t>(row * kActions) + i;
      EXPECT_NEAR(actions.mean[at], expected[i], 1e-5);
      EXPECT_NEAR(actions.log_deviation[at], expected[kActions + i], 1e-5);
    }
  }
}

// A robot's actions must not depend on the other rows: any grouping gives the same bits.
TEST_P(RandomDecoder, RowsDoNotDependOnTheirGrouping) {
  const Actions together = Act(decoder_, observations_, codes_);
  for (const int group : {1, 2, 3, 5, 8}) {
    for (int row = 0; row < kRows; row += group) {
      const int rows = std::min(group, kRows - row);
      const Actions alone =
          Act(decoder_, Part(observations_, row * kObservations, rows * kObservations),
              Part(codes_, row * kCode, rows * kCode));
      EXPECT_EQ(alone.mean, Part(together.mean, row * kActions, rows * kActions));
      EXPECT_EQ(alone.log_deviation, Part(together.log_deviation, row * kActions, rows * kActions));
    }
  }
}

TEST_P(RandomDecoder, AllocatesNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer counts the allocations";
  std::vector<float> workspace(decoder_.workspace_size(kRows)), prepared(decoder_.prepared_size());
  std::vector<float> mean(kRows * kActions), deviation(kRows * kActions);
  const std::vector<const float*> pointers(kRows, prepared.data());
  const test::AllocationCount allocations;
  decoder_.Prepare(codes_.data(), prepared.data(), workspace);
  decoder_.Forward(observations_.data(), pointers.data(), kRows, mean.data(), deviation.data(),
                   workspace);
  EXPECT_EQ(allocations.since_construction(), 0u);
}

TEST_P(RandomDecoder, RoundTripIsExact) {
  const test::ScratchFolder folder;
  SafetensorsWriter out, again;
  decoder_.Write(out, "d.");
  const Decoder back =
      Decoder::Read(SafetensorsFile(folder.Write("d.safetensors", out.Bytes())), "d.", GetParam());
  back.Write(again, "d.");
  EXPECT_EQ(out.Bytes(), again.Bytes());
  EXPECT_EQ(Act(back, observations_, codes_).mean, Act(decoder_, observations_, codes_).mean);
}

TEST_P(RandomDecoder, ShapesThatDoNotFitAreErrors) {
  const test::ScratchFolder folder;
  std::vector<std::string> names = {"state.1.weight",  "joint_state.weight", "joint_code.weight",
                                    "joint_code.bias", "joint.0.weight",     "joint.1.weight"};
  if (GetParam() == DeviationSource::kCode) names.emplace_back("deviation.2.weight");
  for (const std::string& name : names) {
    SafetensorsWriter out;
    decoder_.Write(out, "d.");
    out.Add("d." + name, {7, 7}, std::vector<float>(49, 1.0f));
    const SafetensorsFile file(folder.Write("d.safetensors", out.Bytes()));
    EXPECT_THAT(test::ErrorOf([&] { Decoder::Read(file, "d.", GetParam()); }),
                AllOf(HasSubstr("d.safetensors"), HasSubstr("d." + name)));
  }
}

// Three outputs cannot be split into mean and standard deviation; four do not fit three actions.
TEST(DecoderRead, OutputsThatDoNotFitAreErrors) {
  const test::ScratchFolder folder;
  SampleWeights weights(5);
  Decoder odd = SampleDecoder(5, 3, 6, DeviationSource::kStateAndCode, weights);
  odd.joint_mlp = weights.DrawMlp({20, 20, 3});
  Decoder other = SampleDecoder(5, 3, 6, DeviationSource::kCode, weights);
  other.deviation_mlp = weights.DrawMlp({6, 20, 4});
  for (const Decoder& decoder : {odd, other}) {
    SafetensorsWriter out;
    decoder.Write(out, "d.");
    const SafetensorsFile file(folder.Write("d.safetensors", out.Bytes()));
    const bool by_code = decoder.deviation_source == DeviationSource::kCode;
    EXPECT_THAT(test::ErrorOf([&] { Decoder::Read(file, "d.", decoder.deviation_source); }),
                AllOf(HasSubstr("d.safetensors"),
                      HasSubstr(by_code ? "4 outputs for 3 actions" : "3 outputs")));
  }
}

}  // namespace
}  // namespace rhumb::net
