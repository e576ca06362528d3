#include "rhumb/learn/device/clipped_adamw.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::device {
namespace {

using test::ErrorOf;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<std::string> kNames = {"x", "y"};
constexpr double kRate = 0.01, kNoLimit = 1e9;

// Two parameters, x [1] and y [2], and their optimiser.
struct Problem {
  explicit Problem(double weight_decay = 0, double max_norm = kNoLimit)
      : x(torch::tensor({2.0f}).requires_grad_(true)),
        y(torch::tensor({-1.0f, 0.5f}).requires_grad_(true)),
        optimiser({x, y}, weight_decay, max_norm) {}

  void Step(float by_x, const std::vector<float>& by_y) {
    optimiser.ClearGradients();
    x.mutable_grad() = torch::tensor({by_x});
    y.mutable_grad() = torch::tensor(by_y);
    optimiser.Step(torch::tensor(static_cast<float>(kRate)));
  }
  // Bytes of parameters, moments and counters.
  std::string State() const {
    net::SafetensorsWriter out;
    optimiser.Save(out, kNames);
    return out.Bytes();
  }
  net::SafetensorsFile Saved() const {
    return net::SafetensorsFile(scratch.Write("state.safetensors", State()));
  }
  void Restore(const net::SafetensorsFile& in) { optimiser.Restore(in, kNames); }

  test::ScratchFolder scratch;
  torch::Tensor x, y;
  ClippedAdamW optimiser;
};

// The rule of Loshchilov and Hutter for one number, in double.
struct Reference {
  void Step(double g, double weight_decay) {
    ++t;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    p -= kRate * weight_decay * p;
    p -= kRate * m / (1 - std::pow(0.9, t)) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
  double p = 0, m = 0, v = 0;
  int t = 0;
};

// p 2, gradient 0.5, rate 0.01, decay 0.1: m = 0.05, v = 0.00025, bias-corrected 0.5 and 0.25. So p
// = 2 (1 - 0.001) - 0.01 * 0.5 / 0.5.
TEST(ClippedAdamW, OneStepByHand) {
  Problem problem(/*weight_decay=*/0.1);
  problem.Step(0.5f, {0, 0});
  EXPECT_FLOAT_EQ(problem.x.item<float>(), 1.988f);
  const net::SafetensorsFile saved = problem.Saved();
  EXPECT_FLOAT_EQ(saved.Floats("adamw.first.x")[0], 0.05f);
  EXPECT_FLOAT_EQ(saved.Floats("adamw.second.x")[0], 0.00025f);
  EXPECT_EQ(saved.Floats("adamw.steps")[0], 1);
  EXPECT_EQ(saved.Floats("adamw.skipped")[0], 0);
  EXPECT_FLOAT_EQ(problem.optimiser.gradient_norm().item<float>(), 0.5f);
  // Without a gradient there is only decay.
  EXPECT_FLOAT_EQ(problem.y[0].item<float>(), -0.999f);
}

// Ten steps; each rounds numbers of size 2 to float (1.2e-7 each).
TEST(ClippedAdamW, FollowsTheRule) {
  for (const double decay : {0.0, 0.1}) {
    Problem problem(decay);
    Reference x{.p = 2}, y{.p = 0.5};
    for (int i = 0; i < 10; ++i) {
      const float by_x = std::sin(static_cast<float>(i) + 1), by_y = 1e-4f * by_x * by_x;
      problem.Step(by_x, {0, by_y});
      x.Step(by_x, decay);
      y.Step(by_y, decay);
    }
    EXPECT_NEAR(problem.x.item<double>(), x.p, 2e-6) << decay;
    EXPECT_NEAR(problem.y[1].item<double>(), y.p, 2e-6) << decay;
  }
}

// (3, 0, 4) has length 5 and becomes (0.6, 0, 0.8). m is a tenth of it, v a thousandth of its
// squares.
TEST(ClippedAdamW, ClipsToTheNormByHand) {
  Problem problem(0, /*max_norm=*/1);
  problem.Step(3, {0, 4});
  EXPECT_FLOAT_EQ(problem.optimiser.gradient_norm().item<float>(), 5) << "as it was";
  net::SafetensorsFile saved = problem.Saved();
  EXPECT_FLOAT_EQ(saved.Floats("adamw.first.x")[0], 0.06f);
  EXPECT_FLOAT_EQ(saved.Floats("adamw.first.y")[1], 0.08f);
  EXPECT_FLOAT_EQ(saved.Floats("adamw.second.x")[0], 0.00036f);
  EXPECT_FLOAT_EQ(saved.Floats("adamw.second.y")[1], 0.00064f);

  Problem within(0, /*max_norm=*/1);
  within.Step(0.3f, {0, 0.4f});
  saved = within.Saved();
  EXPECT_FLOAT_EQ(saved.Floats("adamw.first.x")[0], 0.03f) << "a short one is not lengthened";
  EXPECT_FLOAT_EQ(saved.Floats("adamw.first.y")[1], 0.04f);
}

TEST(ClippedAdamW, AParameterWithoutGradientDecaysOnly) {
  Problem problem(/*weight_decay=*/0.1);
  problem.optimiser.ClearGradients();
  problem.x.mutable_grad() = torch::tensor({1.0f});
  problem.optimiser.Step(torch::tensor(static_cast<float>(kRate)));
  EXPECT_FLOAT_EQ(problem.y[0].item<float>(), -0.999f);
  EXPECT_FLOAT_EQ(problem.y[1].item<float>(), 0.4995f);
  problem.optimiser.ClearGradients();
  EXPECT_FALSE(problem.x.grad().defined());
}

TEST(ClippedAdamW, AGradientThatIsNotFiniteChangesNothingAndIsCounted) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Problem problem(0.1, 1), smooth(0.1, 1);
  problem.Step(0.5f, {1, 2});
  smooth.Step(0.5f, {1, 2});
  int count = 0;
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    problem.Step(0.5f, {1, bad});
    EXPECT_EQ(problem.optimiser.skipped().item<float>(), ++count) << bad;
    EXPECT_TRUE(torch::equal(problem.x, smooth.x)) << bad;
    EXPECT_TRUE(torch::equal(problem.y, smooth.y)) << bad;
    const net::SafetensorsFile saved = problem.Saved(), expected = smooth.Saved();
    for (const char* name :
         {"adamw.first.x", "adamw.first.y", "adamw.second.x", "adamw.second.y", "adamw.steps"}) {
      EXPECT_EQ(saved.Floats(name), expected.Floats(name)) << name << " after " << bad;
    }
  }
  // The next step ignores the skipped ones.
  problem.Step(-0.5f, {2, 1});
  smooth.Step(-0.5f, {2, 1});
  EXPECT_TRUE(torch::equal(problem.x, smooth.x));
  EXPECT_TRUE(torch::equal(problem.y, smooth.y));
  EXPECT_EQ(problem.optimiser.skipped().item<float>(), 3);
  EXPECT_EQ(smooth.optimiser.skipped().item<float>(), 0);
}

TEST(ClippedAdamW, GoesOnToTheBitAfterARestore) {
  Problem whole(0.1, 1), resumed(0.1, 1);
  const auto run = [](Problem& problem, int first, int last) {
    for (int i = first; i < last; ++i) {
      const float g = std::cos(static_cast<float>(i));
      problem.Step(g, {2 * g, i == 3 ? std::numeric_limits<float>::quiet_NaN() : g * g});
    }
  };
  run(whole, 0, 5);
  resumed.Restore(whole.Saved());
  EXPECT_EQ(resumed.State(), whole.State());
  EXPECT_EQ(resumed.optimiser.skipped().item<float>(), 1);
  run(whole, 5, 10);
  const std::string restored = resumed.State();
  run(resumed, 5, 10);
  EXPECT_NE(resumed.State(), restored);
  EXPECT_EQ(resumed.State(), whole.State());
}

TEST(ClippedAdamW, AnotherShapeOrNameIsAnError) {
  Problem problem;
  const net::SafetensorsFile saved = problem.Saved();
  torch::Tensor three = torch::zeros({3}), other = torch::zeros({2, 1});
  EXPECT_THAT(ErrorOf([&] { CopyTensor(saved, "network.y", three); }),
              AllOf(HasSubstr("state.safetensors"), HasSubstr("'network.y'"),
                    HasSubstr("has the shape [2], but this run needs [3]")));
  EXPECT_THAT(ErrorOf([&] { CopyTensor(saved, "network.y", other); }), HasSubstr("shape"));
  EXPECT_THAT(ErrorOf([&] { CopyTensor(saved, "z", three); }), HasSubstr("'z'"));
  ClippedAdamW larger({three, three.clone()}, 0, 1);
  EXPECT_THAT(ErrorOf([&] { larger.Restore(saved, kNames); }), HasSubstr("network.x"));
  EXPECT_THAT(ErrorOf([&] {
                problem.optimiser.Restore(saved, {"x", "z"});
              }),
              HasSubstr("network.z"));
}

TEST(ClippedAdamW, TensorsComeBackAsTheyWere) {
  const test::ScratchFolder scratch;
  net::SafetensorsWriter out;
  const torch::Tensor numbers = torch::arange(6, torch::kFloat32).view({2, 3});
  AddTensor(out, "turned", numbers.t());
  AddTensor(out, "scalar", torch::tensor(1.5));
  const net::SafetensorsFile in(scratch.Write("tensors.safetensors", out.Bytes()));
  EXPECT_EQ(in.shape("turned"), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(in.Floats("turned"), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  torch::Tensor again = torch::zeros({2, 3});
  CopyTensor(in, "turned", again.t());
  EXPECT_TRUE(torch::equal(again, numbers));
  torch::Tensor parameter = torch::zeros({}).requires_grad_(true);
  CopyTensor(in, "scalar", parameter);
  EXPECT_EQ(parameter.item<float>(), 1.5f);
  EXPECT_TRUE(parameter.is_leaf());
}

}  // namespace
}  // namespace rhumb::learn::device
