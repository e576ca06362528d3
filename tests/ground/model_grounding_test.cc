#include "rhumb/ground/model_grounding.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rhumb/steer/forecaster.h"
#include "tests/rollout/echo_folders.h"
#include "tests/support/error_expectation.h"

namespace rhumb::ground {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ErrorOf;
using testing::HasSubstr;

// The 20 codes of training episodes, and one round of exploration.
GroundRequest RequestFor(const rollout::EchoFolders& folders) {
  GroundRequest request;
  request.model = folders.model();
  request.out = folders.file("grounded");
  request.job.quiet = true;
  request.job.seed = 5;
  request.config.codes = 260;
  request.config.episodes = 2;
  return request;
}

const net::Grounding& GroundingOf(const net::Model& model, net::RolloutMode mode) {
  return model.grounded[static_cast<std::size_t>(mode)].value();
}

// A code is the mean of eight pushes, and repeating it costs 100 |h|^2. Sampled actions with
// standard deviation e^-3 cost 100 e^-6 more in each direction.
TEST(Grounding, ForecastsKnowWhatCodesRealise) {
  const rollout::EchoFolders folders;
  GroundRequest request = RequestFor(folders);
  ASSERT_EQ(GroundModel(request), core::Outcome::kDone);
  EXPECT_FALSE(fs::exists(folders.file("grounded.work")));
  const net::Model model = net::ReadModel(folders.file("grounded"));
  const double added = 200 * std::exp(-6.0);
  for (const net::RolloutMode mode : {net::RolloutMode::kMean, net::RolloutMode::kSampled}) {
    const net::Grounding& grounding = GroundingOf(model, mode);
    const net::CodeTable& table = grounding.rolled_out;
    const bool sampled = mode == net::RolloutMode::kSampled;
    ASSERT_EQ(table.count(), 260);
    EXPECT_EQ(grounding.seed, 5u);
    EXPECT_EQ(grounding.episodes, 2);
    EXPECT_EQ(table.policies.size(), 260u);
    double difference = 0;
    for (std::size_t i = 0; i < 260; ++i) {
      const double x = table.codes[2 * i], y = table.codes[2 * i + 1];
      const double cost = 100 * (x * x + y * y) + (sampled ? added : 0);
      const double miss = table.values[2 * i + 1] + cost;
      // Actions are rounded to float32: 100 steps of 2 h 2^-25 each.
      EXPECT_NEAR(miss, 0, sampled ? 3 : 1e-5) << "code " << i;
      difference += miss / 260;
      EXPECT_EQ(table.policies[i] < 0, i >= 20) << "a policy of code " << i;
      EXPECT_LT(table.policies[i], 10) << "a held-out policy";
    }
    // A cost varies by 100 * 2 h e^-3 / sqrt(100) = 0.4 between episodes; the mean of 520 varies by
    // 0.02.
    EXPECT_NEAR(difference, 0, sampled ? 0.1 : 1e-5);

    const json& own = (*model.metrics)["grounded"][std::string(net::NameOf(mode))];
    EXPECT_EQ(own["codes"], 260);
    EXPECT_EQ(own["codes_left_out"], 0);
    EXPECT_EQ(own["explored_codes"], 240);
    EXPECT_GE(own["cells"].get<int>(), own["cells_of_policies"].get<int>());
    const json& energy = own["objectives"]["energy"];
    EXPECT_LT(energy["mse"].get<double>(), 0.1);
    // The model's own heads predict 0 everywhere.
    EXPECT_GT(energy["label_mse"].get<double>(), 0.5);

    // A push in the middle of the data.
    const steer::Forecaster forecaster(model, mode, "grounded");
    const double forecast = forecaster.Predict(std::vector<float>{0.1f, 0.3f}).front().values[1];
    EXPECT_NEAR(forecast, -10 - (sampled ? added : 0), 0.5);
  }
}

// Every policy gives one of its two codes before any gives the second. More codes than there are
// cannot be had without exploration.
TEST(Grounding, CodesAreSpreadOverThePolicies) {
  const rollout::EchoFolders folders;
  GroundRequest request = RequestFor(folders);
  request.modes = {"mean"};
  request.config.codes = 60;
  request.config.exploration = 0.75;
  request.config.episodes = 1;
  ASSERT_EQ(GroundModel(request), core::Outcome::kDone);
  const net::Model model = net::ReadModel(request.out);
  const net::CodeTable& table = GroundingOf(model, net::RolloutMode::kMean).rolled_out;
  ASSERT_EQ(table.count(), 60);
  const auto begin = table.policies.begin();
  EXPECT_EQ(std::set(begin, begin + 10), std::set<std::int64_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(std::set(begin + 10, begin + 15).size(), 5u);
  EXPECT_EQ(std::count(begin, table.policies.end(), -1), 45);

  request.out = folders.file("few");
  request.config.exploration = 0;
  ASSERT_EQ(GroundModel(request), core::Outcome::kDone);
  EXPECT_EQ(GroundingOf(net::ReadModel(request.out), net::RolloutMode::kMean).rolled_out.count(),
            20);
}

TEST(Grounding, GoesOnToTheSameBits) {
  const rollout::EchoFolders folders;
  GroundRequest request = RequestFor(folders);
  ASSERT_EQ(GroundModel(request), core::Outcome::kDone);
  const std::string whole = test::Contents(folders.file("grounded") / "model.safetensors");

  request.out = folders.file("again/");  // the trailing slash changes nothing
  const fs::path work = folders.file("again.work");
  for (const char* chunk : {"sampled_00000", "sampled_00001", "mean_00000"}) {
    const fs::path file = work / (std::string(chunk) + ".safetensors");
    request.job.should_stop = [&] { return fs::exists(file); };
    EXPECT_EQ(GroundModel(request), core::Outcome::kStopped) << chunk;
    EXPECT_TRUE(fs::exists(file));
    EXPECT_FALSE(fs::exists(folders.file("again")));
  }
  GroundRequest other = request;
  other.job.seed = 6;
  EXPECT_THAT(ErrorOf([&] { GroundModel(other); }), HasSubstr("its 'seed' is"));

  request.job.should_stop = [] { return false; };
  request.job.threads = 2;
  ASSERT_EQ(GroundModel(request), core::Outcome::kDone);
  EXPECT_FALSE(fs::exists(work));
  EXPECT_EQ(test::Contents(folders.file("again") / "model.safetensors"), whole);
  // The model already exists on the second call.
  EXPECT_EQ(GroundModel(request), core::Outcome::kDone);
  EXPECT_THAT(ErrorOf([&] { GroundModel(other); }), HasSubstr("is finished, and its 'seed' is"));
}

TEST(Grounding, ReplacesTheModel) {
  const rollout::EchoFolders folders;
  GroundRequest request = RequestFor(folders);
  request.out.clear();
  request.modes = {"mean"};
  const fs::path file = folders.file("model.work") / "mean_00000.safetensors";
  request.job.should_stop = [&] { return fs::exists(file); };
  ASSERT_EQ(GroundModel(request), core::Outcome::kStopped);
  EXPECT_FALSE(net::ReadModel(folders.model()).grounded[1].has_value());
  request.job.should_stop = [] { return false; };
  ASSERT_EQ(GroundModel(request), core::Outcome::kDone);
  const net::Model model = net::ReadModel(folders.model());
  EXPECT_FALSE(model.grounded[0].has_value());
  EXPECT_EQ(GroundingOf(model, net::RolloutMode::kMean).rolled_out.count(), 260);
}

TEST(Grounding, BadInputIsAnErrorAndLeavesNothing) {
  const rollout::EchoFolders folders;
  const std::string before = test::Contents(folders.model() / "manifest.json");
  const auto complaint = [&](auto change) {
    GroundRequest request = RequestFor(folders);
    change(request);
    return ErrorOf([&] { GroundModel(request); });
  };
  EXPECT_THAT(complaint([](GroundRequest& r) { r.modes = {"sampeld"}; }), HasSubstr("sampeld"));
  EXPECT_THAT(complaint([](GroundRequest& r) { r.modes = {}; }), HasSubstr("no mode"));
  EXPECT_THAT(complaint([&](GroundRequest& r) { r.model = folders.data(); }), HasSubstr("dataset"));
  EXPECT_FALSE(fs::exists(folders.file("grounded")));
  EXPECT_FALSE(fs::exists(folders.file("grounded.work")));
  EXPECT_EQ(test::Contents(folders.model() / "manifest.json"), before);
}

}  // namespace
}  // namespace rhumb::ground
